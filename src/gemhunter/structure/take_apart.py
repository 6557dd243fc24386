"""A board taken apart: what single clues and pairs of clues decide, and the independent parts of the rest."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Cell, Codes, Grid

if TYPE_CHECKING:
    from gemhunter.kernels.structure.grid_state import GridState
    from gemhunter.kernels.structure.parts import Parts

TAKE_APART_BYTES_PER_CELL = 80
"""What taking a board apart, and a local search over all of it, hold at their peak on dense boards."""


@dataclass(frozen=True, slots=True)
class ConflictingClues:
    """Clues that cannot hold together, in reading order; some of them may be left out."""

    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TakenApart:
    """A board of which `decided` cells are known; hidden cells in no part are next to no open clue.

    `codes` is the board with them filled in, and with a gem wherever a clue has nothing left to say.
    """

    grid: Grid
    codes: Codes
    parts: "Parts"
    decided: int
    board: "GridState"

    def behind(self, clues: NDArray[np.int64]) -> NDArray[np.int64]:
        """The positions of these clues and of all that decided the cells around them."""
        from gemhunter.kernels.structure.conflict_clues import clues_behind
        from gemhunter.kernels.structure.grid_state import GRID_MARGIN, ROW_WIDTH

        row, col = np.divmod(clues, self.grid.cols)
        return clues_behind(
            self.board, (row + GRID_MARGIN) * self.board.numbers[ROW_WIDTH] + col + GRID_MARGIN
        )

    def deciding(self) -> NDArray[np.int64]:
        """The positions of all clues that have decided cells."""
        from gemhunter.kernels.structure.grid_state import CELLS_DECIDED, GRID_MARGIN, ROW_WIDTH

        cells = self.board.trail[: self.board.numbers[CELLS_DECIDED]]
        reasons = self.board.reason[cells]
        places = np.union1d(reasons, reasons + self.board.steps[self.board.step[cells]])
        row, col = np.divmod(places, self.board.numbers[ROW_WIDTH])
        found: NDArray[np.int64] = (row - GRID_MARGIN) * self.grid.cols + col - GRID_MARGIN
        return found


def take_apart(grid: Grid) -> TakenApart | ConflictingClues:
    """Decide what single clues and pairs of clues decide, merge cells that the same clues touch, and split.

    The time is linear in the size of the board. A known total is not looked at.
    """
    from gemhunter.kernels.structure.conflict_clues import conflict_clues
    from gemhunter.kernels.structure.grid_state import CELLS_DECIDED, CONFLICT_AT, NONE
    from gemhunter.kernels.structure.take_apart import remaining_codes

    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return ConflictingClues(tuple(grid.cell(place) for place in conflict_clues(board).tolist()))
    codes = remaining_codes(board, grid.rows, grid.cols)
    return TakenApart(grid, codes, parts, int(board.numbers[CELLS_DECIDED]), board)


def board_and_parts(codes: Codes) -> "tuple[GridState, Parts]":
    """What the kernel `take_apart` returns."""
    from gemhunter.kernels.structure.grid_state import GridState
    from gemhunter.kernels.structure.parts import Parts
    from gemhunter.kernels.structure.take_apart import take_apart_flat

    arrays = take_apart_flat(codes)
    size = len(GridState._fields)
    return GridState(*arrays[:size]), Parts(*arrays[size:])
