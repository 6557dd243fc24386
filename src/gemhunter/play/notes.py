"""What a player has worked out so far, kept up to date clue by clue."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.counting.grid_state import (
    ALL_GEMS,
    ALL_TRAPS,
    BIT_COUNT,
    CELLS_DECIDED,
    CELLS_FOLLOWED,
    CLUE_DONE,
    CONFLICT_AT,
    GRID_MARGIN,
    HERE,
    INDEX_MASK,
    ROW_WIDTH,
    GridState,
    Int,
    lay_out,
)
from gemhunter.counting.propagate import QUEUE_FIRST, QUEUE_LENGTH, compare, decide, follow
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel, tight_kernel

# Numbers that stand for words in the kernels of games: agents, reasons, and the columns of results.


LOGIC, LOGIC_RANDOM, FAST, EXPERT, CLUE_LOGIC = range(5)
"""Agents: the first never guesses, the second guesses at random, the third takes the least risk, the fourth
looks ahead; the last never guesses and does not know the total, and only checks boards."""

PROVEN, FIRST_MOVE, FRONTIER, ELSEWHERE, FIFTY_FIFTY, END_GAME, RANDOM = range(7)
"""Why a cell is revealed: it cannot be a trap; it is the first one; it is the best guess next to a clue, or
away from all clues; no clue can ever say more about it; it is the best by exact search; at random."""

OUTCOME, REVEALS, GUESSES, LAST_REASON, LUCK, RESULT_COLUMNS = range(6)
"""Columns of results: how a game ended (`board.position`), how many cells were revealed, including those
that a 0 opened and a trap at the end, how many reveals could have hit a trap, why the last of these
was made, and the luck of all of these (`luck.LUCK_UNITS`); then the number of columns."""


# What a player has worked out so far, kept up to date clue by clue.
#
# The board of `counting.grid_state` begins all hidden. Each revealed clue is followed up at once alone, and
# later together with clues near it; whatever is decided is on the trail, where gems wait to be revealed.


class PlayerNotes(NamedTuple):
    """A board, and the clues that wait to be compared with those near them.

    `queue` is a ring of indices, `line` says where it begins and how many wait, and `waiting` is 1 for these.
    """

    board: GridState
    queue: NDArray[np.int32]
    waiting: NDArray[np.uint8]
    line: NDArray[np.int64]


@kernel
def blank_notes(rows: int, cols: int) -> PlayerNotes:
    """Notes on a board of which nothing is known."""
    board = lay_out(np.full((rows, cols), HIDDEN, np.int8))
    size = board.codes.size
    return PlayerNotes(board, np.empty(size, np.int32), np.zeros(size, np.uint8), np.zeros(2, np.int64))


@kernel
def copy_notes(source: PlayerNotes, target: PlayerNotes) -> None:
    """Copy notes to `target`, on a board of equal size; no clue of `source` waits."""
    ours, theirs = source.board, target.board
    theirs.codes[:] = ours.codes
    theirs.clues[:] = ours.clues
    tail = ours.numbers[CELLS_DECIDED]
    theirs.trail[:tail] = ours.trail[:tail]
    theirs.numbers[:] = ours.numbers
    target.waiting[:] = 0
    target.line[:] = 0


@tight_kernel
def index_with_margins(b: GridState, cols: Int, cell: Int) -> Int:
    """The index on the board with margins of a cell, given by its reading index."""
    return np.int64((cell // cols + GRID_MARGIN) * b.numbers[ROW_WIDTH] + cell % cols + GRID_MARGIN)


@tight_kernel
def take_down(b: GridState, index: Int, value: Int) -> None:
    """Note what a revealed cell shows; the next `follow` updates its neighbours."""
    if b.codes[index] == HIDDEN:
        b.trail[b.numbers[CELLS_DECIDED]] = index
        b.numbers[CELLS_DECIDED] += 1
    b.codes[index] = value


@tight_kernel
def decide_cell(b: GridState, index: Int, value: Int) -> None:
    """Note that a hidden cell is a trap or a gem, for a reason other than a single clue."""
    if b.codes[index] == HIDDEN:
        b.codes[index] = value
        b.trail[b.numbers[CELLS_DECIDED]] = index
        b.numbers[CELLS_DECIDED] += 1


@tight_kernel
def follow_up(n: PlayerNotes) -> bool:
    """Update all clues with what has been decided; False if one cannot hold."""
    numbers = n.board.numbers
    return numbers[CELLS_FOLLOWED] == numbers[CELLS_DECIDED] or follow(n.board, n.queue, n.waiting, n.line)


@tight_kernel
def read_clue(n: PlayerNotes, index: Int) -> bool:
    """Use the clue of a cell that `take_down` has noted; False if it cannot hold.

    Everything decided before has been followed up.
    """
    b = n.board
    bits: Int = 0
    needed: Int = np.int64(b.codes[index])
    for k in range(8):
        code = b.codes[(index + b.near[k]) & INDEX_MASK]
        bits |= (code == HIDDEN) << k
        needed -= code == TRAP
    room = BIT_COUNT[bits]
    if needed < 0 or needed > room:
        b.numbers[CONFLICT_AT] = index
        return False
    b.clues[index] = needed << 8 | bits
    if room == 0:
        return True
    if needed == 0:
        decide(b, index, HERE, bits, GEM)
        b.clues[index] = ALL_GEMS
    elif needed == room:
        decide(b, index, HERE, bits, TRAP)
        b.clues[index] = ALL_TRAPS
    elif n.waiting[index] == 0:
        n.waiting[index] = 1
        last = n.line[QUEUE_FIRST] + n.line[QUEUE_LENGTH]
        n.queue[last if last < n.queue.size else last - n.queue.size] = index
        n.line[QUEUE_LENGTH] += 1
    return follow_up(n)


@tight_kernel
def compare_next(n: PlayerNotes) -> bool:
    """Compare the next waiting clue with all near it; False if some cannot hold together."""
    b, line = n.board, n.line
    clue = np.int64(n.queue[line[QUEUE_FIRST]])
    line[QUEUE_FIRST] = line[QUEUE_FIRST] + 1 if line[QUEUE_FIRST] + 1 < n.queue.size else 0
    line[QUEUE_LENGTH] -= 1
    n.waiting[clue] = 0
    if 0 < b.clues[clue] < CLUE_DONE and not compare(b, clue, 25, n.waiting):
        return False
    return follow_up(n)


@tight_kernel
def work_out(n: PlayerNotes) -> bool:
    """Compare clues until none waits; False at the first that cannot hold."""
    while n.line[QUEUE_LENGTH] > 0:
        if not compare_next(n):
            return False
    return bool(n.board.numbers[CONFLICT_AT] == NONE)


@tight_kernel
def suppose(n: PlayerNotes, index: Int, value: Int) -> bool:
    """Note a clue on one cell and all that follows at once; False if it cannot be there."""
    take_down(n.board, index, value)
    return follow_up(n) and read_clue(n, index) and work_out(n)


@kernel
def read_grid(grid: NDArray[np.int8]) -> PlayerNotes:
    """Notes on a position: clues and hidden cells."""
    rows, cols = grid.shape
    n = blank_notes(rows, cols)
    for cell in range(rows * cols):
        if grid[cell // cols, cell % cols] >= 0:
            take_down(n.board, index_with_margins(n.board, cols, cell), grid[cell // cols, cell % cols])
    follow_up(n)
    for cell in range(rows * cols):
        if n.board.numbers[CONFLICT_AT] == NONE and grid[cell // cols, cell % cols] >= 0:
            read_clue(n, index_with_margins(n.board, cols, cell))
    if n.board.numbers[CONFLICT_AT] == NONE:
        work_out(n)
    return n
