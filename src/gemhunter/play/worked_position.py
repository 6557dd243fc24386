"""A position worked out as far as the agent `expert` does before it guesses.

The steps are those of the kernel `decide`, made one by one as plain Python, so that all that was weighed can
be shown. Known traps and gems of the grid count; a known gem never shows a clue.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Codes, Grid
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.guess import MOST_SOLUTIONS
from gemhunter.kernels.play.list_solutions import TRAPPED, Listed, list_solutions, shown_by, undecided_cells
from gemhunter.kernels.play.notes import (
    PlayerNotes,
    blank_notes,
    decide_cell,
    follow_up,
    index_with_margins,
    read_clue,
    take_down,
    work_out,
)
from gemhunter.kernels.play.risks import (
    BY_TOTAL,
    WITH_RISKS,
    WeighedPosition,
    left_over,
    log_factorials,
    note_certain,
    risks_by_index,
    weigh_in_play,
)
from gemhunter.kernels.structure.grid_state import CONFLICT_AT, GRID_MARGIN, ROW_WIDTH

NO_TOTAL = 0
"""Stands for the total where cells are weighed by a trap weight, which does not depend on it."""


@dataclass(frozen=True, slots=True, eq=False)
class WorkedOut:
    """A grid, its total if it is known, and what the kernels have worked out about it.

    `notes` has all that is certain, and `weighed` the risks of the other cells.
    """

    grid: Grid
    total: int | None
    notes: PlayerNotes
    weighed: WeighedPosition
    logs: NDArray[np.float64]

    @property
    def is_weighed(self) -> bool:
        """Whether risks are known; they are not where there are too many ways to place the traps."""
        return bool(self.weighed.answer == WEIGHED)

    @property
    def total_or_none(self) -> int:
        """The total as the kernels take it."""
        return NO_TOTAL if self.total is None else self.total

    def indices(self) -> NDArray[np.int64]:
        """The index of each cell on the kernels' board, which has margins."""
        rows, cols = np.indices(self.grid.cells.shape)
        indices: NDArray[np.int64] = (
            (rows + GRID_MARGIN) * self.notes.board.numbers[ROW_WIDTH] + cols + GRID_MARGIN
        )
        return indices

    def codes(self) -> Codes:
        """The grid with all that is certain filled in."""
        return self.notes.board.codes[self.indices()]

    def risks(self) -> NDArray[np.float64]:
        """The risk of each cell, by its index on the kernels' board."""
        return risks_by_index(self.notes.board, self.weighed, self.grid.cols)

    def solutions(self) -> Listed | None:
        """All solutions, if they are few enough for `expert` to play the rest exactly.

        Gems that are certain and not revealed yet are among the cells: their clues distinguish solutions.
        """
        w, board, cols = self.weighed, self.notes.board, self.grid.cols
        if self.total is None or not self.is_weighed or w.log_count > np.log(MOST_SOLUTIONS + 0.5):
            return None
        known, _ = left_over(board)
        cells = undecided_cells(board, w, cols)
        found = list_solutions(board, w.parts, 0, cells, cols, self.total - known, MOST_SOLUTIONS)
        if found.shows.shape[0] == 0:
            return None
        gems = np.flatnonzero((self.grid.cells == HIDDEN) & (self.codes() == GEM))
        traps = (found.shows == TRAPPED).astype(np.uint8)
        traps = np.concatenate([traps, np.zeros((len(traps), gems.size), np.uint8)], axis=1)
        cells = np.concatenate([cells, gems])
        return Listed(cells, shown_by(board, cells, cols, traps))


def work_out_position(grid: Grid, total: int | None, trap_weight: float) -> WorkedOut:
    """Work a position out by its total; without one by `trap_weight`, what a trap counts if a gem counts 1.

    Where the clues alone decide the number of traps, that is the total.
    """
    notes, logs = _notes(grid), log_factorials(grid.cells.size)
    if total is not None:
        return WorkedOut(
            grid, total, notes, _weigh(notes, grid.cols, logs, total=total, trap_weight=BY_TOTAL), logs
        )
    found = WorkedOut(
        grid, None, notes, _weigh(notes, grid.cols, logs, total=NO_TOTAL, trap_weight=trap_weight), logs
    )
    left = found.weighed
    if not found.is_weighed or left.untouched > 0 or left.spread.any():
        return found
    known, _ = left_over(notes.board)
    implied = int(known) + round(float(left.risk.sum()))
    return WorkedOut(
        grid, implied, notes, _weigh(notes, grid.cols, logs, total=implied, trap_weight=BY_TOTAL), logs
    )


def _weigh(
    notes: PlayerNotes, cols: int, logs: NDArray[np.float64], *, total: int, trap_weight: float
) -> WeighedPosition:
    """Note all that is certain, and weigh the rest."""
    while True:
        work_out(notes)
        found = weigh_in_play(notes.board, total, trap_weight, WITH_RISKS, logs)
        if found.answer != WEIGHED or not note_certain(notes, found, cols):
            return found


def _notes(grid: Grid) -> PlayerNotes:
    """What single clues say, after known traps and gems have been noted."""
    notes, cols = blank_notes(grid.rows, grid.cols), grid.cols
    for index, code in enumerate(grid.cells.ravel().tolist()):
        if code in (TRAP, GEM):
            decide_cell(notes.board, index_with_margins(notes.board, cols, index), code)
        elif code != HIDDEN:
            take_down(notes.board, index_with_margins(notes.board, cols, index), code)
    follow_up(notes)
    for index in np.flatnonzero(grid.cells >= 0).tolist():
        if notes.board.numbers[CONFLICT_AT] == NONE:
            read_clue(notes, index_with_margins(notes.board, cols, index))
    return notes
