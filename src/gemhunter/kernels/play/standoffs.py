"""Standoffs: cells that no clue will ever distinguish, so that one of them must be guessed sooner or later.

Two neighbours, one of them a trap, are a standoff if whatever touches only one of them is a trap or off the
board: its walls. So are two by two cells with traps in two opposite corners. Swapping traps and gems gives
another solution, with the same probability.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.notes import PlayerNotes, copy_notes, decide_cell, follow_up, work_out
from gemhunter.kernels.play.risks import WITHOUT_RISKS, WeighedPosition, weigh_in_play
from gemhunter.kernels.structure.grid_state import ROW_WIDTH, GridState, Int

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

STANDOFF_SHAPES = 3
"""Two cells side by side, two below each other, and two by two."""

SHAPE_CELLS = np.array(
    [[(0, 0), (0, 1), (0, 0), (0, 0)], [(0, 0), (1, 0), (0, 0), (0, 0)], [(0, 0), (1, 1), (0, 1), (1, 0)]]
)
"""Rows and columns from the first cell of a shape to its cells: traps, then as many gems; the rest is not
looked at."""

SHAPE_TRAPS = np.array([1, 1, 2])
"""How many of them are traps."""

SHAPE_WALLS = np.array(
    [
        [(-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)],
        [(-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)],
        [(-1, -1), (-1, 2), (2, -1), (2, 2), (2, 2), (2, 2)],
    ]
)
"""Rows and columns from the first cell to the walls; where there are fewer, the last one is repeated."""

MOST_HIDDEN_WALLS = 1
"""Where more walls are not known to be traps, a standoff is too improbable to count."""

LEAST_SHARE = 0.005
"""A standoff in a smaller share of all solutions is too improbable to count."""

HAS_CLUE = -1
"""Instead of a number of hidden walls: a wall has a clue, so this is not a standoff."""


@kernel
def hidden_walls(board: GridState, shape: int, index: Int, walls: Ints) -> int:
    """How many walls of a shape are hidden; they are put into `walls`. `HAS_CLUE` if one of them has a clue.

    Nothing is known to be a gem but what has been revealed, and the margin of the board.
    """
    width, count = board.numbers[ROW_WIDTH], 0
    for down, right in SHAPE_WALLS[shape]:
        wall = index + down * width + right
        if board.codes[wall] >= 0:
            return HAS_CLUE
        is_new = count == 0 or walls[count - 1] != wall
        if board.codes[wall] == HIDDEN and is_new:
            walls[count] = wall
            count += 1
    return count


@kernel(inline=True)
def share_with(
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    traps: Ints,
    gems: Ints,
    total: int,
    logs: Floats,
) -> float:
    """The share of all solutions that have these traps and gems."""
    copy_notes(n, scratch)
    for index in traps:
        decide_cell(scratch.board, index, TRAP)
    for index in gems:
        decide_cell(scratch.board, index, GEM)
    if not follow_up(scratch) or not work_out(scratch):
        return 0.0
    after = weigh_in_play(scratch.board, total, w.trap_weight, WITHOUT_RISKS, logs)
    return float(np.exp(after.log_count - w.log_count)) if after.answer == WEIGHED else 0.0


@kernel(inline=True)
def standoff_shares(
    n: PlayerNotes, scratch: PlayerNotes, w: WeighedPosition, risks: Floats, total: int, logs: Floats
) -> Floats:
    """For each cell, in which share of all solutions it is a trap that a standoff will cost anyway.

    A player who reveals a cell of a standoff, or a wall of it, pays for it with that risk; a player who
    reveals another cell still has to. Every second solution of a standoff is lost, so the share is
    that of solutions with traps and gems in one of the two ways.
    """
    board = n.board
    width = board.numbers[ROW_WIDTH]
    shares = np.zeros(board.codes.size, np.float64)
    cells, walls = np.empty(4, np.int64), np.empty(6, np.int64)
    for first in range(2 * width, board.codes.size - 2 * width):
        if board.codes[first] != HIDDEN:
            continue
        for shape in range(STANDOFF_SHAPES):
            half = SHAPE_TRAPS[shape]
            bound = 1.0
            for i in range(2 * half):
                down, right = SHAPE_CELLS[shape, i]
                cells[i] = first + down * width + right
                is_open = board.codes[cells[i]] == HIDDEN
                bound = min(bound, risks[cells[i]], 1.0 - risks[cells[i]]) if is_open else 0.0
            count = hidden_walls(board, shape, first, walls) if bound >= LEAST_SHARE else HAS_CLUE
            for i in range(max(count, 0)):
                bound = min(bound, risks[walls[i]])
            if count == HAS_CLUE or count > MOST_HIDDEN_WALLS or bound < LEAST_SHARE:
                continue
            traps = np.concatenate((walls[:count], cells[:half]))
            share = share_with(n, scratch, w, traps, cells[half : 2 * half], total, logs)
            for i in range(2 * half):
                shares[cells[i]] += share
            for i in range(count):
                shares[walls[i]] += share
    return np.minimum(shares, np.minimum(risks, 1.0 - risks))
