"""The end of a game: its solutions are listed, and as many of them are won as can be."""

import numpy as np
import pytest

import oracles
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.counting.weigh import WEIGHED
from gemhunter.play.guessing.end_game import (
    ANY_NUMBER,
    BUDGET_SPENT,
    NO_CELL,
    TRAPPED,
    Listed,
    is_closed,
    list_solutions,
    search,
    search_listed,
    undecided_cells,
)
from gemhunter.play.notes import PlayerNotes, read_grid
from gemhunter.play.risks import BY_TOTAL, WeighedPosition, left_over, log_factorials, weigh_in_play
from random_positions import most_won, random_positions, shown_by_solutions, won_after
from strategies import grid_of

BUDGET = 100_000


def weighed(grid: Grid, total: int) -> tuple[PlayerNotes, WeighedPosition]:
    """A position as players have it before they choose."""
    notes = read_grid(grid.cells.copy())
    return notes, weigh_in_play(notes.board, total, BY_TOTAL, True, log_factorials(grid.cells.size))


def listed_in_reading_order(listed: Listed) -> list[list[int]]:
    """What each solution shows, cell by cell; solutions in order as well."""
    order = np.argsort(listed.cells)
    return sorted(listed.shows[:, order].tolist())


def test_the_search_wins_as_many_solutions_as_trying_everything() -> None:
    values = set()
    for grid, total in random_positions(1, 400, most_hidden=8):
        shows = shown_by_solutions(grid, total)
        if not 2 <= len(shows) <= 24:
            continue
        value, choice = search(shows, BUDGET)
        assert value == most_won(shows)
        values.add(value)
        if choice == NO_CELL:
            assert value == 1
        else:
            assert won_after(shows, choice) == value
    assert {1, 2, 3, 4, 5} <= values


def test_where_one_solution_can_be_won_a_cell_is_named_that_most_of_them_spare() -> None:
    shows = np.array([[15, 15, 1], [15, 1, 15], [1, 15, 15]], np.uint8)
    assert search(shows, BUDGET)[0] == most_won(shows) == 1
    assert search_listed(Listed(np.array([4, 7, 9]), shows), BUDGET)[0] in (4, 7, 9)
    uneven = np.array([[15, 1, 1], [15, 1, 1], [1, 15, 15]], np.uint8)
    assert search_listed(Listed(np.array([4, 7, 9]), uneven), BUDGET) == (7, 1)


def test_a_search_that_takes_too_long_says_so() -> None:
    grid = Grid(np.full((3, 4), HIDDEN, np.int8))
    shows = shown_by_solutions(grid, 4)
    assert search(shows, 3) == (BUDGET_SPENT, NO_CELL)
    assert search_listed(Listed(np.arange(12), shows[:0]), 3) == (NO_CELL, 0)


@pytest.mark.parametrize("seed", range(3))
def test_all_solutions_with_the_total_are_listed(seed: int) -> None:
    for grid, total in random_positions(seed, 60):
        notes, w = weighed(grid, total)
        assert w.answer == WEIGHED
        known, _ = left_over(notes.board)
        cells = undecided_cells(notes.board, w)
        shows = shown_by_solutions(grid, total)
        hidden = np.flatnonzero(grid.cells == HIDDEN).tolist()
        open_ones = [hidden.index(cell) for cell in sorted(cells.tolist())]
        listed = list_solutions(notes.board, w.parts, 0, cells, total - known, len(shows))
        assert listed_in_reading_order(listed) == sorted(shows[:, open_ones].tolist())
        fewer = list_solutions(notes.board, w.parts, 0, cells, total - known, len(shows) - 1)
        assert len(fewer.shows) == 0


def test_the_solutions_of_a_part_are_those_of_all_others_left_out() -> None:
    parts_seen = closed_seen = 0
    for grid, total in random_positions(11, 500):
        notes, w = weighed(grid, total)
        shows = shown_by_solutions_of_any_total(grid)
        hidden = np.flatnonzero(grid.cells == HIDDEN).tolist()
        for part in range(w.spread.size):
            first, last = (w.parts.group_starts[w.parts.part_groups[p]] for p in (part, part + 1))
            cells = w.parts.group_cells[first:last].copy()
            mine = [hidden.index(cell) for cell in sorted(cells.tolist())]
            listed = list_solutions(notes.board, w.parts, first, cells, ANY_NUMBER, 5000)
            traps = {tuple(row) for row in (shows[:, mine] == TRAPPED).tolist()}
            found = (listed.shows[:, np.argsort(cells)] == TRAPPED).tolist()
            assert sorted(map(tuple, found)) == sorted(traps)
            amounts = [sum(row) for row in traps]
            assert w.spread[part] == max(amounts) - min(amounts)
            assert is_closed(notes.board, cells) == closed_by_hand(notes, grid, cells)
            closed_seen += is_closed(notes.board, cells)
            parts_seen += 1
    assert parts_seen > 100
    assert 30 < closed_seen < parts_seen - 30


def shown_by_solutions_of_any_total(grid: Grid) -> np.ndarray:
    totals = sorted(oracles.solutions_by_traps(grid))
    return np.concatenate([shown_by_solutions(grid, total) for total in totals])


def closed_by_hand(notes: PlayerNotes, grid: Grid, cells: np.ndarray) -> bool:
    """Whether no cell beside these is open."""
    width = grid.cols + 4
    codes = notes.board.codes.reshape(-1, width)[2:-2, 2:-2]
    marks = oracles.marks_of(Grid(codes.copy()))
    mine = {divmod(cell, grid.cols) for cell in cells.tolist()}
    beside = {other for place in mine for other in oracles.neighbours(marks, place)} - mine
    return all(marks[row][col] != "_" for row, col in beside)


def test_a_part_is_closed_unless_an_open_cell_is_beside_it() -> None:
    for rows, closed in ((["_2_", "_2_"], True), (["_2__", "_2__"], False)):
        notes, w = weighed(grid_of([list(row) for row in rows]), 2)
        assert is_closed(notes.board, w.parts.group_cells) == closed
