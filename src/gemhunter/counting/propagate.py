"""Propagation on the grid: single clues, and pairs of clues that share cells, decide what they can.

Read `propagate` first; `GridState` is what it knows about a board. The kernels walk from a cell to the clues
around it and from a clue to its cells, on a board with a margin of gems. An index counts cells row by row,
margins included; `reading_index` takes the margins off.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.jit.search_state import NONE

Int: TypeAlias = int | np.signedinteger
"""A number inside a kernel: a literal, or read from an array."""

GRID_MARGIN = 2
"""Rows and columns of gems around the board, so that a step of two cells never leaves it."""

# Places in `GridState.numbers`.
ROW_WIDTH = 0  # cells of a row, margins included
CELLS_FOLLOWED = 1  # decided cells whose clues have been updated: the head of `trail`, which is a queue
CELLS_DECIDED = 2  # decided cells: the length of `trail`
PAIRS_COMPARED = 3  # pairs of clues that were compared
CONFLICT_AT = 4  # a clue that cannot hold, or NONE
CONFLICT_WITH = 5  # the clue that it conflicts with, or NONE if it cannot hold on its own

ALL_TRAPS, ALL_GEMS, NO_CLUE = 0xFFFD, 0xFFFE, 0xFFFF
"""In `GridState.clues`: the rest of the clue's cells are decided as traps; as gems; there is no clue."""

CLUE_DONE = ALL_TRAPS
"""Numbers in `GridState.clues` from this one up are codes, which encode neither traps nor cells."""

HERE = 12
"""The step from a cell to itself in `GridState.steps` and `SHARED`."""

AROUND = (6, 7, 8, 11, 13, 16, 17, 18)
"""The steps to the eight neighbours, in reading order; neighbour 7 - k is opposite neighbour k."""

INDEX_MASK = 0xFFFFFFFF
"""A masked index is not negative, so the compiler omits the code for indexing from the end."""

_STEPS = [(down, right) for down in range(-2, 3) for right in range(-2, 3)]
_NEAR = [_STEPS[step] for step in AROUND]
SHARED = np.array(
    [
        sum(1 << k for k, (r, c) in enumerate(_NEAR) if (r - down, c - right) in _NEAR)
        for down, right in _STEPS
    ]
)
"""Which neighbours of a cell, one bit each, are also neighbours of the cell a step away."""

BIT_COUNT = np.array([number.bit_count() for number in range(256)])
"""How many bits of a byte are set."""


class GridState(NamedTuple):
    """What is known about a board, cell by cell, in rows of `numbers[ROW_WIDTH]` cells.

    `codes` are those of a grid, in which a decided cell becomes a trap or a gem. A clue that is not done has
    in `clues` 256 times the traps it still needs, plus 1 << k for neighbour k if that is hidden or its
    decision not followed yet. `trail` has the decided cells in the order of their decisions. A cell was
    decided by the clue `reason[cell]`, alone if `step[cell]` is HERE, otherwise together with the clue that
    step away. `steps` has the distances to all cells within two rows and columns, in reading order, and
    `near` those to the eight neighbours.
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
    """The state of a grid before propagation; a clue with too many traps around it is a conflict already."""
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


@tight_kernel
def index_with_margins(b: GridState, cell: Int) -> Int:
    """The index, margins included, of a cell given by its reading index."""
    width = b.numbers[ROW_WIDTH]
    cols = width - 2 * GRID_MARGIN
    return np.int64((cell // cols + GRID_MARGIN) * width + cell % cols + GRID_MARGIN)


@tight_kernel
def reading_index(b: GridState, index: Int) -> Int:
    """The index of a cell on the board itself, without margins."""
    width = b.numbers[ROW_WIDTH]
    return np.int64((index // width - GRID_MARGIN) * (width - 2 * GRID_MARGIN) + index % width - GRID_MARGIN)


QUEUE_FIRST, QUEUE_LENGTH = 0, 1
"""Places in the numbers of a queue, which is a ring: where its first clue is, and how many clues it has."""


@kernel
def propagate(b: GridState) -> bool:
    """Decide all that single clues and pairs of clues decide; return False at the first conflict.

    The order does not change what is decided. Each cell is followed once, and a clue is compared with the
    clues near it whenever it has lost cells, at most eight times, so the time is linear in the board's size.
    """
    if b.numbers[CONFLICT_AT] != NONE or not decide_by_single_clues(b):
        return False
    line = np.zeros(2, np.int64)
    if not follow(b, np.empty(0, np.int32), np.empty(0, np.uint8), line):
        return False
    clues = b.clues
    undecided = 0
    for index in range(clues.size):
        undecided += 0 < clues[index] < CLUE_DONE
    queue = np.empty(undecided, np.int32)
    waiting = np.zeros(clues.size, np.uint8)
    for index in range(clues.size):
        # A clue is compared with those before it, so that each pair comes up once.
        if 0 < clues[index] < CLUE_DONE and not compare(b, index, HERE, waiting):
            return False
        if b.numbers[CELLS_FOLLOWED] < b.numbers[CELLS_DECIDED] and not follow(b, queue, waiting, line):
            return False
    while line[QUEUE_LENGTH] > 0:
        clue = np.int64(queue[line[QUEUE_FIRST]])
        line[QUEUE_FIRST] = line[QUEUE_FIRST] + 1 if line[QUEUE_FIRST] + 1 < queue.size else 0
        line[QUEUE_LENGTH] -= 1
        waiting[clue] = 0
        if 0 < clues[clue] < CLUE_DONE and not compare(b, clue, 25, waiting):
            return False
        if b.numbers[CELLS_FOLLOWED] < b.numbers[CELLS_DECIDED] and not follow(b, queue, waiting, line):
            return False
    return True


@tight_kernel
def decide_by_single_clues(b: GridState) -> bool:
    """Decide what each clue decides on its own; return False if a clue cannot hold."""
    clues = b.clues
    for index in range(clues.size):
        clue = np.int64(clues[index])
        if clue == 0 or clue >= CLUE_DONE:
            continue
        needed, room = clue >> 8, BIT_COUNT[clue & 255]
        if needed > room:
            b.numbers[CONFLICT_AT] = index
            return False
        if needed == 0:
            decide(b, index, HERE, clue & 255, GEM)
            clues[index] = ALL_GEMS
        elif needed == room:
            decide(b, index, HERE, clue & 255, TRAP)
            clues[index] = ALL_TRAPS
    return True


@tight_kernel
def follow(
    b: GridState, queue: NDArray[np.int32], waiting: NDArray[np.uint8], line: NDArray[np.int64]
) -> bool:
    """Update the clues around decided cells, which may decide more; return False if a clue cannot hold.

    A clue that has lost cells but does not decide the rest joins `queue`, unless the queue has size 0.
    """
    codes, clues, trail, reason = b.codes, b.clues, b.trail, b.reason
    step, near, numbers = b.step, b.near, b.numbers
    head, tail = numbers[CELLS_FOLLOWED], numbers[CELLS_DECIDED]
    while head < tail:
        cell = np.int64(trail[head])
        head += 1
        is_trap = codes[cell] == TRAP
        traps, violated = (256, ALL_GEMS) if is_trap else (0, ALL_TRAPS)
        for k in range(8):
            index = (cell + near[k]) & INDEX_MASK
            clue: Int = np.int64(clues[index])
            if clue >= CLUE_DONE:
                if clue != violated:
                    continue
                clue = 0
            clue -= traps + (128 >> k)
            needed, room = clue >> 8, BIT_COUNT[clue & 255]
            if needed < 0 or needed > room:
                numbers[CONFLICT_AT] = index
                numbers[CELLS_FOLLOWED], numbers[CELLS_DECIDED] = head, tail
                return False
            clues[index] = clue
            if 0 < needed < room:
                if queue.size > 0 and waiting[index] == 0:
                    waiting[index] = 1
                    last = line[QUEUE_FIRST] + line[QUEUE_LENGTH]
                    queue[last if last < queue.size else last - queue.size] = index
                    line[QUEUE_LENGTH] += 1
                continue
            if room == 0:
                continue
            value = TRAP if needed > 0 else GEM
            clues[index] = ALL_TRAPS if needed > 0 else ALL_GEMS
            for j in range(8):
                other = (index + near[j]) & INDEX_MASK
                if clue >> j & 1 and codes[other] == HIDDEN:
                    codes[other] = value
                    trail[tail] = other
                    tail += 1
                    reason[other] = index
                    step[other] = HERE
    numbers[CELLS_FOLLOWED], numbers[CELLS_DECIDED] = head, tail
    return True


@tight_kernel
def compare(b: GridState, index: Int, end: Int, waiting: NDArray[np.uint8]) -> bool:
    """Decide what a clue decides together with each clue up to step `end` that is not in the queue.

    Both clues bound the number of traps among the cells they share. If the bounds leave the cells of only one
    clue no choice, these cells are decided. Return False if no number is within the bounds.
    """
    clues, steps = b.clues, b.steps
    cells, needed = np.int64(clues[index]) & 255, np.int64(clues[index]) >> 8
    room = BIT_COUNT[cells]
    for step in range(end):
        other = (index + steps[step]) & INDEX_MASK
        shared = cells & SHARED[step]
        if clues[other] >= CLUE_DONE or shared == 0 or waiting[other] or step == HERE:
            continue
        b.numbers[PAIRS_COMPARED] += 1
        theirs, wanted = np.int64(clues[other]) & 255, np.int64(clues[other]) >> 8
        both = BIT_COUNT[shared]
        alone, apart = room - both, BIT_COUNT[theirs] - both
        least = max(0, needed - alone, wanted - apart)
        most = min(both, needed, wanted)
        if least > most:
            b.numbers[CONFLICT_AT] = index
            b.numbers[CONFLICT_WITH] = other
            return False
        if alone > 0 and needed - most == alone:
            decide(b, index, step, cells & ~SHARED[step], TRAP)
        elif alone > 0 and needed == least:
            decide(b, index, step, cells & ~SHARED[step], GEM)
        if apart > 0 and wanted - most == apart:
            decide(b, other, 24 - step, theirs & ~SHARED[24 - step], TRAP)
        elif apart > 0 and wanted == least:
            decide(b, other, 24 - step, theirs & ~SHARED[24 - step], GEM)
    return True


@tight_kernel
def decide(b: GridState, clue: Int, step: Int, cells: Int, value: Int) -> None:
    """Decide those neighbours of a clue that have a bit in `cells` and are still hidden."""
    for k in range(8):
        cell = (clue + b.near[k]) & INDEX_MASK
        if cells >> k & 1 and b.codes[cell] == HIDDEN:
            b.codes[cell] = value
            b.trail[b.numbers[CELLS_DECIDED]] = cell
            b.numbers[CELLS_DECIDED] += 1
            b.reason[cell] = clue
            b.step[cell] = step
