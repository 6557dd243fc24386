"""What a player has worked out so far, updated clue by clue.

All cells of the board (`counting/propagate.py`) are hidden at first. Each revealed clue is used alone at
once, and later together with the clues near it. Decided cells go on the trail, where gems wait to be
revealed.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.counting.propagate import (
    ALL_GEMS,
    ALL_TRAPS,
    BIT_COUNT,
    CELLS_DECIDED,
    CELLS_FOLLOWED,
    CLUE_DONE,
    CONFLICT_AT,
    HERE,
    INDEX_MASK,
    QUEUE_FIRST,
    QUEUE_LENGTH,
    GridState,
    Int,
    compare,
    decide,
    follow,
    index_with_margins,
    lay_out,
)
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.jit.search_state import NONE


class PlayerNotes(NamedTuple):
    """A board, and the clues that wait to be compared with those near them.

    `queue` is a ring buffer of their indices, `line` has its first place and its length, and `waiting` is 1
    for the clues in it.
    """

    board: GridState
    queue: NDArray[np.int32]
    waiting: NDArray[np.uint8]
    line: NDArray[np.int64]


@kernel
def blank_notes(rows: int, cols: int) -> PlayerNotes:
    """Notes on a board with all cells hidden."""
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
def note_clue(b: GridState, index: Int, value: Int) -> None:
    """Note the clue of a revealed cell, which the next `follow` takes into account."""
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
    """Update all clues by what has been decided; False if one cannot hold."""
    numbers = n.board.numbers
    return numbers[CELLS_FOLLOWED] == numbers[CELLS_DECIDED] or follow(n.board, n.queue, n.waiting, n.line)


@tight_kernel
def read_clue(n: PlayerNotes, index: Int) -> bool:
    """Use a clue that has been noted; False if it cannot hold.

    Everything decided earlier must have been followed up.
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
    """Compare the next waiting clue with all clues near it; False if some of them conflict."""
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
    """Compare clues until none waits; False at the first conflict."""
    while n.line[QUEUE_LENGTH] > 0:
        if not compare_next(n):
            return False
    return bool(n.board.numbers[CONFLICT_AT] == NONE)


@tight_kernel
def suppose(n: PlayerNotes, index: Int, value: Int) -> bool:
    """Note a clue on a cell and its immediate consequences; False if it cannot be there."""
    note_clue(n.board, index, value)
    return follow_up(n) and read_clue(n, index) and work_out(n)


@kernel
def read_grid(grid: NDArray[np.int8]) -> PlayerNotes:
    """Notes on a grid, with everything that its clues decide singly and in pairs.

    Known traps and gems of the grid count; a known gem never shows a clue.
    """
    rows, cols = grid.shape
    n = blank_notes(rows, cols)
    board = n.board
    for cell in range(rows * cols):
        code = grid[cell // cols, cell % cols]
        if code >= 0:
            note_clue(board, index_with_margins(board, cell), code)
        elif code != HIDDEN:
            decide_cell(board, index_with_margins(board, cell), code)
    follow_up(n)
    for cell in range(rows * cols):
        if board.numbers[CONFLICT_AT] == NONE and grid[cell // cols, cell % cols] >= 0:
            read_clue(n, index_with_margins(board, cell))
    if board.numbers[CONFLICT_AT] == NONE:
        work_out(n)
    return n
