"""A board laid out for propagation: from a cell to the clues around it, and from a clue to its cells.

An index counts cells row by row, margins included; `merge.reading_index` takes the margins off.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel

Int: TypeAlias = int | np.signedinteger
"""A number inside a kernel: a literal, or read from an array."""

GRID_MARGIN = 2
"""Rows and columns of gems around the board, so that a step of two cells never leaves it."""

# What is counted and found: places in `GridState.numbers`.
ROW_WIDTH = 0  # cells of a row, margins included
CELLS_FOLLOWED = 1  # decided cells whose clues have been updated: the head of the queue that `trail` is
CELLS_DECIDED = 2  # decided cells: the length of `trail`
PAIRS_COMPARED = 3  # pairs of clues that were compared
CONFLICT_AT = 4  # a clue that cannot hold, NONE as long as there is no conflict
CONFLICT_WITH = 5  # the clue that it conflicts with, NONE if it cannot hold on its own

ALL_TRAPS, ALL_GEMS, NO_CLUE = 0xFFFD, 0xFFFE, 0xFFFF
"""In `GridState.clues`: a clue that has decided the rest of its cells, as traps or as gems; not a clue."""

CLUE_DONE = ALL_TRAPS
"""From here on, a number in `GridState.clues` holds neither traps nor cells."""

HERE = 12
"""The step of `GridState.steps` and `SHARED` from a cell to itself."""

AROUND = (6, 7, 8, 11, 13, 16, 17, 18)
"""The steps to the eight neighbours, in reading order; neighbour 7 - k lies opposite of neighbour k."""

INDEX_MASK = 0xFFFFFFFF
"""An index under this mask is not negative, so the compiler leaves out the code for wrapping around."""


def _shared() -> NDArray[np.int64]:
    steps = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
    near = [steps[step] for step in AROUND]
    return np.array(
        [
            sum(1 << k for k, (r, c) in enumerate(near) if (r - down, c - right) in near)
            for down, right in steps
        ]
    )


SHARED = _shared()
"""Which neighbours of a cell, one bit each, are also neighbours of the cell a step away."""

BIT_COUNT = np.array([number.bit_count() for number in range(256)])
"""How many bits of a byte are set."""


class GridState(NamedTuple):
    """What is known of a board, cell by cell, in rows of `numbers[ROW_WIDTH]` cells.

    `codes` are those of a grid; a decided cell becomes a trap or a gem there. `clues` has for a clue
    256 times the traps it still needs, and a bit for each neighbour that is hidden or not followed up yet,
    neighbour k for 1 << k, unless the clue is done. `trail` has the decided cells in the order of deciding. A
    cell was decided by the clue `reason[cell]`, alone if `step[cell]` is HERE, otherwise together with the
    clue that step away. `steps` has the distances to all cells within two rows and columns, in reading order,
    and `near` those to the eight neighbours.
    """

    codes: NDArray[np.int8]
    clues: NDArray[np.uint16]
    trail: NDArray[np.int32]
    reason: NDArray[np.int32]
    step: NDArray[np.int8]
    steps: NDArray[np.int64]
    near: NDArray[np.int64]
    numbers: NDArray[np.int64]


@kernel
def lay_out(grid: NDArray[np.int8]) -> GridState:
    """The codes of a grid with margins; nothing is decided, but too many traps at a clue are a conflict."""
    rows, cols = grid.shape
    width = cols + 2 * GRID_MARGIN
    size = (rows + 2 * GRID_MARGIN) * width
    codes = np.full(size, GEM, np.int8)
    hidden = 0
    for row in range(rows):
        start = (row + GRID_MARGIN) * width + GRID_MARGIN
        for col in range(cols):
            code = grid[row, col]
            codes[start + col] = code
            hidden += code == HIDDEN
    steps = np.empty(25, np.int64)
    for i in range(25):
        steps[i] = (i // 5 - 2) * width + i % 5 - 2
    near = np.array([steps[step] for step in AROUND])
    clues = np.full(size, NO_CLUE, np.uint16)
    numbers = np.array([width, 0, 0, 0, NONE, NONE])
    for index in range(size):
        if codes[index] >= 0:
            bits = 0
            needed: Int = np.int64(codes[index])
            for k in range(8):
                code = codes[(index + near[k]) & INDEX_MASK]
                bits |= (code == HIDDEN) << k
                needed -= code == TRAP
            if needed < 0:
                numbers[CONFLICT_AT] = index
                needed = 0
            clues[index] = needed << 8 | bits
    trail, reason = np.empty(hidden, np.int32), np.empty(size, np.int32)
    return GridState(codes, clues, trail, reason, np.empty(size, np.int8), steps, near, numbers)
