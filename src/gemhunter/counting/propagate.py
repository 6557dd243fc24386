"""Propagation: single clues, and pairs of clues that share cells, decide what they can."""

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
    CONFLICT_WITH,
    HERE,
    INDEX_MASK,
    PAIRS_COMPARED,
    SHARED,
    GridState,
    Int,
)
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel, tight_kernel

QUEUE_FIRST, QUEUE_LENGTH = 0, 1
"""Places in the numbers of a queue, which is a ring: where its first clue is, and how many clues it has."""


@kernel
def propagate(b: GridState) -> bool:
    """Decide all that single clues and pairs of clues decide; return False at the first conflict.

    What is decided does not depend on the order. A cell is followed up once, and a clue is compared with its
    neighbours whenever it has lost cells, at most eight times: the time is linear in the size of the board.
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
def decide(b: GridState, clue: Int, step: Int, cells: Int, value: Int) -> None:
    """Give the neighbours in `cells`, one bit each, of a clue this value, unless they are decided already."""
    for k in range(8):
        cell = (clue + b.near[k]) & INDEX_MASK
        if cells >> k & 1 and b.codes[cell] == HIDDEN:
            b.codes[cell] = value
            b.trail[b.numbers[CELLS_DECIDED]] = cell
            b.numbers[CELLS_DECIDED] += 1
            b.reason[cell] = clue
            b.step[cell] = step


@tight_kernel
def decide_by_single_clues(b: GridState) -> bool:
    """Decide what each clue decides on its own; return False if one cannot hold."""
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
    """Update the clues around decided cells, which may decide more; return False if one cannot hold.

    A clue that does not decide all its cells joins the queue, unless the queue has no room at all.
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
    """Decide what a clue decides together with each clue up to `end` in `steps` that is not in the queue.

    Both clues bound the number of traps among the shared cells. Where these bounds fill or empty the cells
    that only one of the two has, those cells are decided. Return False if no number is within the bounds.
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
