"""Which cells a guess is chosen from, and that looking less far ahead changes no choice."""

import numpy as np
import pytest

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.counting.propagate import index_with_margins, reading_index
from gemhunter.play.guessing.choose import (
    CANDIDATES_NEAR_CLUES,
    LOOK_AHEAD_SIZE,
    NEAR_CLUES,
    SAFE_CANDIDATES,
    SAFETY_TOLERANCE,
    cells_at_clues,
    hidden_around,
    look_ahead,
    promising,
    worth,
)
from gemhunter.play.notes import blank_notes, read_grid
from gemhunter.play.risks import (
    BY_TOTAL,
    WITH_RISKS,
    WeighedPosition,
    log_factorials,
    risks_by_index,
    weigh_in_play,
)
from random_positions import random_positions
from strategies import grid_of


class Position:
    """A position with the risks of its cells."""

    def __init__(self, grid: Grid, total: int) -> None:
        self.grid, self.total = grid, total
        self.notes, self.logs = read_grid(grid.cells.copy()), log_factorials(grid.cells.size)
        self.weighed: WeighedPosition = weigh_in_play(
            self.notes.board, total, BY_TOTAL, WITH_RISKS, self.logs
        )
        self.risks = risks_by_index(self.notes.board, self.weighed)

    def index(self, cell: Cell) -> int:
        return int(index_with_margins(self.notes.board, cell.row * self.grid.cols + cell.col))

    def risk(self, cell: Cell) -> float:
        return float(self.risks[self.index(cell)])

    def candidates(self) -> list[Cell]:
        board, shares = self.notes.board, np.zeros_like(self.risks)
        found = promising(board, self.risks, shares)
        return [self.grid.cell(int(reading_index(board, index))) for index in found.tolist()]

    def worth(self, cell: Cell, needed: float = -np.inf) -> float:
        scratch, seen = blank_notes(self.grid.rows, self.grid.cols), np.empty(LOOK_AHEAD_SIZE)
        safety = 1.0 - self.risk(cell)
        look_ahead(
            *(self.notes, scratch, self.weighed, self.index(cell), self.total),
            *(self.logs, safety, needed, seen),
        )
        return float(worth(seen, safety, 0.0))


def steps_to_clue(grid: Grid, cell: Cell) -> int:
    """King's steps to the nearest clue."""
    clues = np.argwhere(grid.cells >= 0)
    return int(np.abs(clues - np.array(cell)).max(axis=1).min())


def is_like_all_others(grid: Grid, cell: Cell) -> bool:
    return steps_to_clue(grid, cell) > 2


def wide_positions() -> list[Position]:
    rows = ["_" * 11 for _ in range(8)]
    corner = ["12_________", "___________", *rows[2:]]
    middle = [*rows[:3], "____232____", *rows[4:]]
    return [Position(grid_of([list(row) for row in each]), 18) for each in (corner, middle)]


def undecided(position: Position) -> list[Cell]:
    found = [Cell(*cell) for cell in np.argwhere(position.grid.cells == HIDDEN).tolist()]
    return [cell for cell in found if position.notes.board.codes[position.index(cell)] == HIDDEN]


@pytest.mark.parametrize("position", wide_positions(), ids=["corner", "middle"])
def test_cells_near_clues_are_looked_at_though_others_are_as_safe(position: Position) -> None:
    candidates = position.candidates()
    enough = (1.0 - min(map(position.risk, undecided(position)))) * (1.0 - SAFETY_TOLERANCE)
    near = [
        cell
        for cell in undecided(position)
        if steps_to_clue(position.grid, cell) <= 2 and 1.0 - position.risk(cell) >= enough
    ]
    assert len(near) > 5
    assert len(set(near) & set(candidates)) >= min(len(near), CANDIDATES_NEAR_CLUES)
    assert len(candidates) == len(set(candidates)) <= SAFE_CANDIDATES + CANDIDATES_NEAR_CLUES


@pytest.mark.parametrize("position", wide_positions(), ids=["corner", "middle"])
def test_one_cell_stands_for_all_that_nothing_distinguishes(position: Position) -> None:
    grid = position.grid
    alike: dict[int, list[Cell]] = {}
    for cell in undecided(position):
        if is_like_all_others(grid, cell):
            alike.setdefault(len(list(grid.around(cell))), []).append(cell)
    assert len(alike) == 3
    looked_at = set(position.candidates())
    for cells in alike.values():
        assert len(looked_at & set(cells)) <= 1
        worths = [position.worth(cell) for cell in (cells[0], cells[len(cells) // 2], cells[-1])]
        assert worths == pytest.approx([worths[0]] * 3, abs=1e-12)


def test_what_is_near_a_clue_or_a_known_trap_is_of_no_kind() -> None:
    grid = grid_of([list("3_____"), list("______"), list("______"), list("______")])
    position = Position(grid, 6)
    at_clue = cells_at_clues(position.notes.board)
    kinds = {
        str(cell): hidden_around(position.notes.board, at_clue, position.index(cell))
        for cell in (Cell(0, 2), Cell(2, 2), Cell(3, 3), Cell(1, 4), Cell(0, 5), Cell(2, 4))
    }
    assert kinds == {"r1c3": NEAR_CLUES, "r3c3": NEAR_CLUES, "r4c4": 5, "r2c5": 8, "r1c6": 3, "r3c5": 8}


def test_a_cell_that_is_cut_off_is_not_worth_what_was_needed() -> None:
    cut_off = 0
    for grid, total in random_positions(5, 60, rows=5, cols=6, most_hidden=18):
        position = Position(grid, total)
        best = -np.inf
        for cell in position.candidates():
            whole, cut = position.worth(cell), position.worth(cell, best)
            if cut != whole:
                cut_off += 1
                assert cut <= best
            best = max(best, whole)
    assert cut_off > 10


def test_a_board_without_undecided_cells_has_no_candidates() -> None:
    assert Position(grid_of([list("1_"), list("11")]), 1).candidates() == []
