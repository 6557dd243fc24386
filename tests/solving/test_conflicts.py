"""Conflict sets: clues that cannot all hold, from which none can be left out."""

from itertools import count

import numpy as np
import pytest
from hypothesis import assume, given
from pysat.solvers import Solver

import oracles
from boards import hard_board
from gemhunter.board.grid import Cell, Grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle
from gemhunter.files.text import parse_grid
from gemhunter.solving.conflict_sets import ConflictSet, clue_cells, find_conflict_set, refuted_by_any_clues
from gemhunter.solving.run import Run
from strategies import Planted, small_boards


def clues_of(grid: Grid) -> list[Cell]:
    return [Cell(int(row), int(col)) for row, col in np.argwhere(grid.cells >= 0)]


def keeping(grid: Grid, clues: set[Cell]) -> Grid:
    """The grid with all other clues replaced by gems."""
    codes = grid.cells.copy()
    for cell in set(clues_of(grid)) - clues:
        codes[cell] = -3
    return Grid(codes)


def can_hold(grid: Grid, clues: set[Cell], total: int | None) -> bool:
    """Whether a solution of these clues and the total exists, according to a SAT solver or brute force."""
    if total is not None:
        return bool(oracles.all_solutions(keeping(grid, clues), total))
    puzzle = read_puzzle(keeping(grid, clues))
    with Solver(name="minisat22") as solver:
        for index, traps in enumerate(puzzle.traps.tolist()):
            clauses = oracles.exactly([cell + 1 for cell in puzzle.region(index).tolist()], traps)
            if [] in clauses:
                return False
            solver.append_formula(clauses)
        return bool(solver.solve())


def is_conflict_set(found: ConflictSet, grid: Grid, total: int | None) -> bool:
    """Whether the set cannot hold, but can with any one left out."""
    clues, needed = set(found.clues), total if found.with_total else None
    return (
        not can_hold(grid, clues, needed)
        and all(can_hold(grid, clues - {clue}, needed) for clue in clues)
        and (not found.with_total or can_hold(grid, clues, None))
    )


@given(board=small_boards(most_hidden=7))
def test_a_set_cannot_hold_and_none_of_it_can_be_left_out(board: Planted) -> None:
    assume(not oracles.all_solutions(board.grid, board.traps))
    found = find_conflict_set(board.grid, clues_of(board.grid), board.traps)
    assert found.is_minimal
    assert is_conflict_set(found, board.grid, board.traps)


def test_a_changed_clue_on_a_large_board_conflicts_with_a_few_near_it() -> None:
    grid = hard_board(17).grid
    near = [clue for clue in clues_of(grid) if max(abs(clue.row - 116), abs(clue.col - 121)) <= 10]
    found = find_conflict_set(grid, near)
    assert Cell(116, 121) in found.clues
    assert len(found.clues) < 20
    cut = Grid(grid.cells[100:140, 100:140])
    moved = tuple(Cell(clue.row - 100, clue.col - 100) for clue in found.clues)
    assert is_conflict_set(ConflictSet(moved, with_total=False, is_minimal=True), cut, None)


def test_the_total_is_named_only_if_it_is_needed() -> None:
    grid = parse_grid("_, 1, _\n1, _, _\n_, 3, _")
    clues = clues_of(grid)
    assert not find_conflict_set(parse_grid("0, _, 1, G"), [Cell(0, 0), Cell(0, 2)], 7).with_total
    assert find_conflict_set(grid, clues, 0).with_total


def test_a_clue_that_cannot_hold_by_itself_is_the_whole_set() -> None:
    found = find_conflict_set(parse_grid("_, 3, _, 1"), [Cell(0, 1), Cell(0, 3)])
    assert found == ConflictSet((Cell(0, 1),), with_total=False, is_minimal=True)


def test_a_total_that_no_board_of_that_size_has_conflicts_alone() -> None:
    grid = parse_grid("_, 1, _, _")
    assert find_conflict_set(grid, clues_of(grid), 4) == ConflictSet((), with_total=True, is_minimal=True)


def test_a_total_can_be_too_large_for_the_clues() -> None:
    found = find_conflict_set(parse_grid("0, _"), [Cell(0, 0)], 1)
    assert found == ConflictSet((Cell(0, 0),), with_total=True, is_minimal=True)


def test_far_cells_count_for_the_total() -> None:
    grid = parse_grid("_, 1, _, G, _, _")
    with pytest.raises(ValueError, match="do not conflict"):
        find_conflict_set(grid, clues_of(grid), 3)
    assert find_conflict_set(grid, clues_of(grid), 4).clues == (Cell(0, 1),)


def test_when_the_budget_ends_the_set_is_what_it_was_and_says_so() -> None:
    grid = hard_board(1).grid
    found = find_conflict_set(grid, clues_of(grid), budget=200)
    assert not found.is_minimal
    assert set(found.clues) == set(clues_of(grid))


def test_stopping_leaves_the_set_as_it_is() -> None:
    grid = hard_board(1).grid
    looks = count()
    found = find_conflict_set(grid, clues_of(grid), stop=lambda: next(looks) >= 3)
    assert (next(looks), found.is_minimal) == (4, False)
    assert set(found.clues) == set(clues_of(grid))


def explained_in(run: Run) -> tuple[Cell, ...]:
    """The clues named for a board on which a smallest set takes long to find."""
    grid = hard_board(1).grid
    return refuted_by_any_clues(read_puzzle(grid), run).clues


def test_explaining_ends_with_the_run() -> None:
    looks = count()
    explained_in(Run(cancel=lambda: next(looks) >= 3))
    assert next(looks) == 4


def test_explaining_takes_little_longer_than_refuting() -> None:
    ticks = count()
    run = Run(clock=lambda: next(ticks) / 20)
    explained_in(run)
    assert run.elapsed < 2


def test_a_clue_is_named_by_its_cell_and_the_total_by_none() -> None:
    grid = Grid(np.array([[-1, -1, 0], [-1, 8, 0]]))
    puzzle = read_puzzle(grid, total=9)
    assert clue_cells(puzzle, puzzle.clues[impossible_regions(puzzle)]) == ((1, 1),)
