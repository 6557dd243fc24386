"""What the resolution player tells its knowledge base: clauses of hints, and of the total at the end.

Cell v is the place in reading order, so literal 2v says that it is a trap and 2v+1 that it is a gem. The
clauses are put at the end of the inbox, which has room for the most that are ever told at once.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN
from gemhunter.kernels.resolution.knowledge_base import ARRIVED, QUEUED, KnowledgeState

LAST_CELLS = 10
"""The total is told when at most so many cells are unmarked."""

MOST_CLAUSES, MOST_LITERALS = 420, 2520
"""Five of ten cells: any six of them, as traps and as gems."""

Codes = NDArray[np.int8]
Cells = NDArray[np.int64]


@kernel
def believe(kb: KnowledgeState, shown: Codes) -> None:
    """Let every cell that is shown wait to be marked as a gem, in reading order, unless it does already."""
    cols = shown.shape[1]
    for cell in range(shown.size):
        literal = 2 * cell + 1
        if shown[cell // cols, cell % cols] != HIDDEN and not kb.queued[literal]:
            kb.queued[literal] = True
            kb.queue[kb.numbers[QUEUED]] = literal
            kb.numbers[QUEUED] += 1


@kernel
def tell_hint(kb: KnowledgeState, shown: Codes, cell: int) -> None:
    """Put the clauses of a shown cell into the empty inbox: so many traps are left among unmarked cells."""
    rows, cols = shown.shape
    row, col = cell // cols, cell % cols
    unmarked = np.empty(8, np.int64)
    count, traps = 0, int(shown[row, col])
    for r in range(max(row - 1, 0), min(row + 2, rows)):
        for c in range(max(col - 1, 0), min(col + 2, cols)):
            near = r * cols + c
            if near == cell or kb.value[2 * near + 1]:
                continue
            if kb.value[2 * near]:
                traps -= 1
                continue
            unmarked[count] = near
            count += 1
    tell_exactly(kb, unmarked[:count], traps)


@kernel
def tell_total(kb: KnowledgeState, total: int) -> None:
    """Put the clauses of the total into the empty inbox; at most `LAST_CELLS` cells are unmarked."""
    unmarked = np.empty(LAST_CELLS, np.int64)
    count, traps = 0, total
    for cell in range(kb.incoming.size):
        if kb.value[2 * cell]:
            traps -= 1
        elif not kb.value[2 * cell + 1]:
            unmarked[count] = cell
            count += 1
    tell_exactly(kb, unmarked[:count], traps)


@kernel
def tell_exactly(kb: KnowledgeState, cells: Cells, traps: int) -> None:
    """Say that so many of these cells are traps; where that cannot be, say the empty clause."""
    # One trap in any cells.size - traps + 1 of them, one gem in any traps + 1 of them.
    for_traps, for_gems = max(cells.size - traps + 1, 0), max(traps + 1, 0)
    count = combinations(cells.size, for_traps) + combinations(cells.size, for_gems)
    first = kb.inbox_at.size - 1 - count
    kb.numbers[ARRIVED] = first
    kb.inbox_at[first] = 0
    middle = list_clauses(kb, first, cells, for_traps, 0)
    list_clauses(kb, middle, cells, for_gems, 1)


@kernel
def combinations(n: int, k: int) -> int:
    """How many ways there are to choose `k` of `n`."""
    if k > n:
        return 0
    ways = 1
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@kernel
def list_clauses(kb: KnowledgeState, clause: int, cells: Cells, size: int, sign: int) -> int:
    """Write every choice of `size` cells as clauses from `clause` on; returns where the next one goes."""
    if size > cells.size:
        return clause
    chosen = np.arange(size)
    while True:
        begin = kb.inbox_at[clause]
        for i in range(size):
            kb.inbox[begin + i] = 2 * cells[chosen[i]] + sign
        clause += 1
        kb.inbox_at[clause] = begin + size
        i = size - 1
        while i >= 0 and chosen[i] == cells.size - size + i:
            i -= 1
        if i < 0:
            return clause
        chosen[i] += 1
        for j in range(i + 1, size):
            chosen[j] = chosen[j - 1] + 1
