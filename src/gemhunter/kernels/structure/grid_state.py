"""A board laid out for kernels that walk from cells to clues and back."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM, HIDDEN, TRAP

Int: TypeAlias = int | np.signedinteger
"""A number inside a kernel: written in it, or read from an array."""

GRID_MARGIN = 2
"""Rows and columns of gems around the board, so that no step leads off it, not even to a clue two away."""

ROW_WIDTH, CELLS_FOLLOWED, CELLS_DECIDED, PAIRS_COMPARED, CONFLICT_AT, CONFLICT_WITH = range(6)
"""Places in `Board.numbers`: the width with margins, how many decided cells have been followed up and how
many there are, pairs of clues compared, and the one or two clues that cannot hold, NONE before that."""

NONE = -1

ALL_TRAPS, ALL_GEMS, NO_CLUE = 0xFFFD, 0xFFFE, 0xFFFF
"""In `Board.clues`: a clue that has decided the rest of its cells; a place without a clue."""

CLUE_DONE = ALL_TRAPS
"""From here on `Board.clues` has nothing more to say about need and cells."""

HERE = 12
"""The step of `Board.steps` and `SHARED` that leads nowhere."""

AROUND = (6, 7, 8, 11, 13, 16, 17, 18)
"""The steps to the eight neighbours, in reading order; neighbour 7 - k lies opposite of neighbour k."""

INDEX_MASK = 0xFFFFFFFF
"""Put on an index, it tells the compiler that it is not negative, and needs no code for wrapping."""


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
"""Which neighbours of a place, one bit each, are also neighbours of the place a step away from it."""

BIT_COUNT = np.array([number.bit_count() for number in range(256)])
"""How many bits are set."""


class GridState(NamedTuple):
    """What is known of a board, place by place, in rows that are `numbers[WIDTH]` wide, margins included.

    `codes` are those of a grid; whatever is decided becomes a trap or a gem there. `clues` has for a clue
    256 times the traps it still needs, and a bit for each neighbour that is hidden or not followed up yet,
    neighbour k for 1 << k, unless it is done. `trail` has the decided cells in the order of deciding. A cell
    was decided by the clue `reason[cell]`, alone if `step[cell]` is HERE, otherwise together with the clue
    that step away. `steps` has the distances to all places within two rows and columns, in reading order,
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
    """The codes of a grid with margins; nothing is decided, but a clue beside too many traps clashes."""
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
    for place in range(size):
        if codes[place] >= 0:
            bits = 0
            needed: Int = np.int64(codes[place])
            for k in range(8):
                code = codes[(place + near[k]) & INDEX_MASK]
                bits |= (code == HIDDEN) << k
                needed -= code == TRAP
            if needed < 0:
                numbers[CONFLICT_AT] = place
                needed = 0
            clues[place] = needed << 8 | bits
    trail, reason = np.empty(hidden, np.int32), np.empty(size, np.int32)
    return GridState(codes, clues, trail, reason, np.empty(size, np.int8), steps, near, numbers)
