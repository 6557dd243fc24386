"""Counting solutions, against trying every assignment."""

from math import comb

import numpy as np
import pytest
from hypothesis import given

import oracles
from counted_boards import random_boards
from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.cnf.encode import encode
from gemhunter.errors import InputError
from gemhunter.files.text import parse_grid
from gemhunter.questions import count as module
from gemhunter.questions.count import count, count_by_traps
from gemhunter.solving.outcomes import GaveUp, StopReason
from strategies import Planted, small_boards

HIDDEN_ROWS = "\n".join(["_" * 40] * 30)


@given(small_boards())
def test_the_table_of_solutions_is_what_trying_them_one_by_one_finds(planted: Planted) -> None:
    table = oracles.solution_table(planted.grid, planted.traps)
    assert {tuple(map(bool, row)) for row in table} == oracles.all_solutions(planted.grid, planted.traps)


@given(small_boards(rows=3, cols=6))
def test_as_many_as_counting_by_hand(planted: Planted) -> None:
    assert count(planted.grid, total=planted.traps) == len(
        oracles.solution_table(planted.grid, planted.traps)
    )


def test_as_many_as_counting_by_hand_on_random_boards() -> None:
    for planted in random_boards(1500, seed=1):
        expected = len(oracles.solution_table(planted.grid, planted.traps))
        assert count(planted.grid, total=planted.traps) == expected, planted


def test_by_number_of_traps_on_random_boards() -> None:
    for planted in random_boards(1500, seed=2):
        assert count_by_traps(planted.grid) == oracles.solutions_by_traps(planted.grid), planted


def test_every_total_has_the_solutions_that_counting_by_traps_gives_it() -> None:
    for planted in random_boards(100, seed=3):
        by_traps = count_by_traps(planted.grid)
        assert isinstance(by_traps, dict)
        for traps in range(planted.grid.cells.size + 2):
            assert count(planted.grid, total=traps) == by_traps.get(traps, 0), planted


@pytest.mark.parametrize("density", [0.2, 0.4])
def test_as_many_as_a_model_counter_finds_on_middling_boards(density: float) -> None:
    pyganak = pytest.importorskip("pyganak")
    for seed in range(6):
        random = np.random.default_rng([seed, int(10 * density)])
        grid = grid_from_traps(random.random((9, 14)) < density, random.random((9, 14)) < 0.4)
        formula = encode(grid)
        counter = pyganak.Counter()
        counter.new_vars(formula.variables)
        counter.add_clauses(formula.clauses())
        assert count(grid) == counter.count()


def test_clues_that_clash_have_no_solution() -> None:
    assert count(parse_grid("1, _, 2\n_, 8, _")) == 0
    assert count_by_traps(parse_grid("1, _, 0")) == {}


def test_a_board_without_hidden_cells_has_one_solution_or_none() -> None:
    assert count(parse_grid("T, 1, G")) == 1
    assert count(parse_grid("T, 2, G")) == 0
    assert count(parse_grid("T, 1, G"), total=1) == 1
    assert count(parse_grid("T, 1, G"), total=2) == 0
    assert count_by_traps(parse_grid("T, 1, T")) == {}


def test_without_clues_every_filling_is_a_solution() -> None:
    grid = parse_grid("_, T, _\n_, G, _")
    assert count(grid) == 2**4
    assert count(grid, total=3) == comb(4, 2)
    assert count_by_traps(grid) == {1 + more: comb(4, more) for more in range(5)}


@pytest.mark.parametrize("traps", [0, 1, 9, 2**70])
def test_a_total_that_the_clues_do_not_allow_has_no_solution(traps: int) -> None:
    assert count(parse_grid("_, 2, _\n_, _, _"), total=traps) == 0


def test_a_total_below_0_is_refused() -> None:
    with pytest.raises(InputError, match="≥ 0"):
        count(parse_grid("_, 1, _"), total=-1)


@pytest.mark.parametrize("traps", [None, 3, 200, 600, 1194, 1199])
def test_free_areas_are_counted_exactly(traps: int | None) -> None:
    codes = np.full((30, 40), HIDDEN, np.int8)
    codes[10, 20] = 3
    free = 30 * 40 - 9
    expected = comb(8, 3) * (2**free if traps is None else comb(free, traps - 3))
    assert count(Grid(codes), total=traps) == expected


def test_free_areas_are_counted_exactly_by_traps() -> None:
    by_traps = count_by_traps(parse_grid(HIDDEN_ROWS))
    assert by_traps == {traps: comb(1200, traps) for traps in range(1201)}


def test_parts_far_apart_multiply() -> None:
    codes = np.full((3, 3 * 30), GEM, np.int8)
    codes[:, 0::3] = HIDDEN
    codes[1, 1::3] = 1
    codes[:, 2::3] = [[TRAP], [GEM], [TRAP]]
    assert count(Grid(codes)) == 0
    codes[1, 1::3] = 3
    codes[0, 1::3] = GEM
    # Each clue has two known traps beside it; every column of three then holds one more, in one of 3 places.
    assert count(Grid(codes)) == 3**30
    assert count(Grid(codes), total=90) == 3**30
    assert count(Grid(codes), total=91) == 0


def test_the_same_answer_for_the_board_turned_and_mirrored() -> None:
    for planted in random_boards(100, seed=4):
        cells = planted.grid.cells
        turned = [Grid(np.rot90(cells, turns)) for turns in range(4)] + [Grid(cells[::-1])]
        assert len({count(grid, total=planted.traps) for grid in turned}) == 1, planted


def test_a_step_limit_is_kept() -> None:
    assert isinstance(count(parse_grid("1, _, 1\n_, _, _\n1, _, 1"), step_limit=1), GaveUp)


def test_a_board_too_wide_for_tables_may_have_no_solution(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(module, "count_by_tables", lambda *_: GaveUp(StopReason.STATES))
    boards = ["4, _\n_, _", "1, _, 1, _, _, 0", "_, 1, G", "_, 1, _"]
    assert [count(parse_grid(board)) for board in boards] == [0, 1, 1, 2]
