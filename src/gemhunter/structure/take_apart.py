"""Take a board apart: decide what single clues and pairs of clues decide, and split the rest into parts."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Cell, Codes, Grid
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.structure.conflict_clues import clues_behind, conflict_clues
from gemhunter.kernels.structure.grid_state import (
    CELLS_DECIDED,
    CONFLICT_AT,
    GRID_MARGIN,
    ROW_WIDTH,
    GridState,
)
from gemhunter.kernels.structure.parts import Parts
from gemhunter.kernels.structure.take_apart import remaining_codes, take_apart_flat

TAKE_APART_BYTES_PER_CELL = 80
"""What taking a board apart, and a local search over all of it, hold at most, on dense boards."""


@dataclass(frozen=True, slots=True)
class ConflictingClues:
    """Clues that conflict, in reading order; the conflict may not need all of them."""

    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TakenApart:
    """A board with `decided` decided cells; hidden cells in no part are next to no clue that is left.

    `codes` is the board with the decided cells filled in, and a gem for each clue without hidden cells.
    """

    grid: Grid
    codes: Codes
    parts: Parts
    decided: int
    board: GridState

    def behind(self, clues: NDArray[np.int64]) -> NDArray[np.int64]:
        """The indices of these clues and of all that decided the cells around them."""
        row, col = np.divmod(clues, self.grid.cols)
        return clues_behind(
            self.board, (row + GRID_MARGIN) * self.board.numbers[ROW_WIDTH] + col + GRID_MARGIN
        )

    def deciding(self) -> NDArray[np.int64]:
        """The indices of all clues that have decided cells."""
        cells = self.board.trail[: self.board.numbers[CELLS_DECIDED]]
        reasons = self.board.reason[cells]
        indices = np.union1d(reasons, reasons + self.board.steps[self.board.step[cells]])
        row, col = np.divmod(indices, self.board.numbers[ROW_WIDTH])
        found: NDArray[np.int64] = (row - GRID_MARGIN) * self.grid.cols + col - GRID_MARGIN
        return found


def take_apart(grid: Grid) -> TakenApart | ConflictingClues:
    """Propagate, merge the cells that the same clues touch into groups, and split these into parts.

    The time is linear in the size of the board. A known total is not looked at.
    """
    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return ConflictingClues(tuple(grid.cell(index) for index in conflict_clues(board).tolist()))
    codes = remaining_codes(board, grid.rows, grid.cols)
    return TakenApart(grid, codes, parts, int(board.numbers[CELLS_DECIDED]), board)


def board_and_parts(codes: Codes) -> tuple[GridState, Parts]:
    """The board of these codes after propagation, and its parts."""
    arrays = take_apart_flat(codes)
    size = len(GridState._fields)
    return GridState(*arrays[:size]), Parts(*arrays[size:])
