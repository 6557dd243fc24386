"""Bounds on the number of solutions: they hold however the board is cut."""

from itertools import count as count_up
from math import prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import oracles
from boards import even_lattice, random_board_with_total
from counted_boards import random_boards
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions.bounds import (
    BoardPiece,
    Bounds,
    count_bounds,
    parts,
    piece_of,
    with_cells_fixed,
    without_clues_across,
)
from gemhunter.questions.count import count
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Limits, Run
from strategies import Planted, planted_boards, small_boards


def whole_piece(grid: Grid) -> BoardPiece:
    filled = solve(grid).filled
    assert filled is not None
    return piece_of(grid, filled)


def hidden_in(piece: BoardPiece) -> int:
    return int(np.count_nonzero(piece.grid.cells == HIDDEN))


def has_no_clue(piece: BoardPiece) -> bool:
    return int(piece.grid.cells.max()) < 0


def solutions_of(pieces: list[BoardPiece]) -> int:
    return prod(len(oracles.solution_table(piece.grid)) for piece in pieces)


@settings(max_examples=30)
@given(planted_boards(rows=4, cols=6, most_hidden=11))
def test_the_solutions_of_a_board_are_the_combinations_of_those_of_its_parts(planted: Planted) -> None:
    pieces = parts(whole_piece(planted.grid))
    assert solutions_of(pieces) == len(oracles.solution_table(planted.grid))


@settings(max_examples=30)
@given(planted_boards(rows=5, cols=5, most_hidden=12))
def test_no_piece_breaks_its_own_solution(planted: Planted) -> None:
    whole = whole_piece(planted.grid)
    pieces = [piece for part in parts(whole) for piece in (part, *cut_ways(part))]
    for piece in pieces:
        filled = np.where(piece.grid.cells == HIDDEN, np.where(piece.solution, TRAP, GEM), piece.grid.cells)
        assert check(piece.grid, Grid(filled)) == []


def cut_ways(part: BoardPiece) -> list[BoardPiece]:
    """Both ways to cut a part that clues hold together, if it has two cells at least."""
    if has_no_clue(part) or hidden_in(part) < 2:
        return []
    return [without_clues_across(part), with_cells_fixed(part)[0]]


@settings(max_examples=30)
@given(planted_boards(rows=5, cols=5, most_hidden=12))
def test_a_cut_raises_or_lowers_the_number_of_solutions_and_makes_pieces_smaller(planted: Planted) -> None:
    for part in parts(whole_piece(planted.grid)):
        exact = len(oracles.solution_table(part.grid))
        ways = cut_ways(part)
        for piece in ways:
            assert all(hidden_in(each) < hidden_in(part) or has_no_clue(each) for each in parts(piece))
        if ways:
            more, fewer = (solutions_of(parts(piece)) for piece in ways)
            assert 1 <= fewer <= exact <= more


@settings(max_examples=30)
@given(small_boards(), st.sampled_from([1, 4, 20, 2**20]))
def test_the_number_of_solutions_is_between_the_bounds(planted: Planted, steps: int) -> None:
    bounds = count_bounds(planted.grid, total=planted.traps, steps_per_piece=steps)
    exact = len(oracles.solution_table(planted.grid, planted.traps))
    assert isinstance(bounds, Bounds)
    assert bounds.low <= exact <= bounds.high
    assert bounds.low > 0 or not exact


def test_boards_that_need_no_cut_are_counted_exactly() -> None:
    for planted in random_boards(60, seed=31):
        exact = len(oracles.solution_table(planted.grid, planted.traps))
        assert count_bounds(planted.grid, total=planted.traps) == Bounds(exact, exact), planted


@pytest.mark.parametrize("size", [7, 9, 10])
@pytest.mark.parametrize("steps", [10, 100])
def test_bounds_of_lattices_that_have_to_be_cut(size: int, steps: int) -> None:
    grid = even_lattice(size).grid
    bounds, exact = count_bounds(grid, steps_per_piece=steps), count(grid)
    assert isinstance(bounds, Bounds)
    assert isinstance(exact, int)
    assert 1 <= bounds.low <= exact <= bounds.high <= 2 ** int(np.count_nonzero(grid.cells == HIDDEN))


def test_a_total_narrows_the_bounds() -> None:
    board = random_board_with_total(12, 0.2, 0.4, seed=2)
    without, with_total = (
        count_bounds(board.grid, total=traps, steps_per_piece=50) for traps in (None, board.total)
    )
    exact = count(board.grid, total=board.total)
    assert isinstance(without, Bounds)
    assert isinstance(with_total, Bounds)
    assert isinstance(exact, int)
    assert 1 <= with_total.low <= exact <= with_total.high < without.high


def test_no_solution_is_no_solution() -> None:
    assert count_bounds(parse_grid("1, _, 2")) == Bounds(0, 0)
    assert count_bounds(parse_grid("_, 1, _"), total=2) == Bounds(0, 0)


def test_a_piece_needs_a_step() -> None:
    with pytest.raises(InputError, match="at least one step, not 0"):
        count_bounds(parse_grid("_, 1, _"), steps_per_piece=0)


def test_no_time_is_no_mistake_of_the_caller() -> None:
    # The time is up between two looks at the clock: a second passes whenever somebody looks.
    answers = [
        count_bounds(even_lattice(5).grid, run=Run(Limits(late), clock=map(float, count_up()).__next__))
        for late in range(1, 30)
    ]
    assert {answer.stop_reason for answer in answers if isinstance(answer, GaveUp)} == {StopReason.TIME}


def test_a_run_can_be_cancelled() -> None:
    answer = count_bounds(parse_grid("_, 1, _"), run=Run(cancel=lambda: True))
    assert isinstance(answer, GaveUp)
    assert answer.stop_reason == StopReason.CANCELLED
