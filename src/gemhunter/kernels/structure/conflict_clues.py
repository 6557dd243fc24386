"""Which clues are behind a conflict: those that cannot hold, and all that decided the cells around them."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM, TRAP
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.structure.grid_state import (
    CELLS_DECIDED,
    CONFLICT_AT,
    CONFLICT_WITH,
    HERE,
    INDEX_MASK,
    GridState,
    Int,
)
from gemhunter.kernels.structure.merge import reading_index


@kernel(estimate=lambda b: 1e-7 * b.codes.size)
def conflict_clues(b: GridState) -> NDArray[np.int64]:
    """The reading indices, ascending, of clues that conflict; none unless `propagate` met a conflict."""
    both = np.array([b.numbers[CONFLICT_AT], b.numbers[CONFLICT_WITH]])
    return clues_behind(b, both[both != NONE])


@kernel(estimate=lambda b, _: 1e-7 * b.codes.size)
def clues_behind(b: GridState, clues: NDArray[np.int64]) -> NDArray[np.int64]:
    """The reading indices, ascending, of these clues and of all clues that decided cells around them."""
    codes, steps = b.codes, b.steps
    end = b.numbers[CELLS_DECIDED]
    order = np.full(codes.size, end, np.int64)
    for i in range(end):
        order[b.trail[i]] = i
    is_behind = np.zeros(codes.size, np.uint8)
    seen = np.zeros(end, np.uint8)
    stack = np.empty(end, np.int64)
    size: Int = 0
    for i in range(clues.size):
        size = push_causes(b, clues[i], end, 0, order, seen, stack, size)
        is_behind[clues[i]] = 1
    while size > 0:
        size -= 1
        cell = stack[size]
        clue = np.int64(b.reason[cell])
        is_behind[clue] = 1
        if b.step[cell] == HERE:
            # Enough traps make the others gems, enough gems make the others traps.
            kind = TRAP if codes[cell] == GEM else GEM
            size = push_causes(b, clue, order[cell], kind, order, seen, stack, size)
        else:
            other = clue + steps[b.step[cell]]
            is_behind[other] = 1
            size = push_causes(b, clue, order[cell], 0, order, seen, stack, size)
            size = push_causes(b, other, order[cell], 0, order, seen, stack, size)
    found = np.flatnonzero(is_behind)
    for i in range(found.size):
        found[i] = reading_index(b, found[i])
    return found


@kernel
def push_causes(
    b: GridState,
    clue: Int,
    before: Int,
    kind: Int,
    order: NDArray[np.int64],
    seen: NDArray[np.uint8],
    stack: NDArray[np.int64],
    size: Int,
) -> Int:
    """Push the cells around a clue that were decided earlier, those of one kind or, for kind 0, of both."""
    for k in range(8):
        cell = (clue + b.near[k]) & INDEX_MASK
        i = order[cell]
        if i < before and not seen[i] and (kind == 0 or b.codes[cell] == kind):
            seen[i] = 1
            stack[size] = cell
            size += 1
    return size
