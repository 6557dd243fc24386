"""A board taken apart in one call: propagated, merged and split."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM
from gemhunter.kernels.structure.grid_state import CLUE_DONE, GRID_MARGIN, ROW_WIDTH, GridState, lay_out
from gemhunter.kernels.structure.merge import merge_and_split
from gemhunter.kernels.structure.parts import Parts
from gemhunter.kernels.structure.propagate import propagate


@kernel
def take_apart(grid: NDArray[np.int8]) -> tuple[GridState, Parts]:
    """The board with everything decided that single clues and pairs of clues decide, and its parts.

    If clues conflict, `board.numbers[CONFLICT_AT]` is not NONE, and there are no parts.
    """
    board = lay_out(grid)
    if not propagate(board):
        none, begin = np.empty(0, np.int64), np.zeros(1, np.int64)
        return board, Parts(begin, begin, begin, none, begin, none, none, none)
    return board, merge_and_split(board)


@kernel(estimate=lambda grid: 2e-5 * grid.size)
def take_apart_flat(grid: NDArray[np.int8]) -> tuple[NDArray[Any], ...]:
    """For Python: the arrays of the board that `take_apart` returns, then those of its parts, in one tuple.

    Numba calls Python to make a NamedTuple. A Ctrl-C there leaves a hole in the tuple around it, and crashes.
    """
    board, parts = take_apart(grid)
    return board[:] + parts[:]


@kernel(estimate=lambda _, rows, cols: 6e-7 * rows * cols)
def remaining_codes(b: GridState, rows: int, cols: int) -> NDArray[np.int8]:
    """The codes of a board without margins; a clue without hidden cells becomes a gem."""
    codes = np.empty((rows, cols), np.int8)
    for row in range(rows):
        start = (row + GRID_MARGIN) * b.numbers[ROW_WIDTH] + GRID_MARGIN
        for col in range(cols):
            clue = b.clues[start + col]
            codes[row, col] = b.codes[start + col]
            if codes[row, col] >= 0 and (clue == 0 or clue >= CLUE_DONE):
                codes[row, col] = GEM
    return codes
