"""An exact search for a solution of each part: how many traps are in each of its groups.

The traps of group g are at least `low[g]` and at most `high[g]`. For a clue c, `least[c]` and `most[c]` are
the sums of these over its groups; it cannot hold if what it needs is not between them. Clues of group g are
`touching[at[g]:at[g+1]]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.structure.grid_state import Int
from gemhunter.kernels.structure.parts import Parts

PART_UNDECIDED, PART_SOLVED, PART_REFUTED = 0, 1, 2
"""What is known of a part; one that took too many nodes stays undecided."""

# The scalars of a search: places in `PartSearch.numbers`.
CHANGES_MADE = 0  # changes that can be undone: the length of `trail`
CLUES_WAITING = 1  # clues in `line`, whose bounds are to be tightened


class PartSearch(NamedTuple):
    """The bounds of all groups, and what is needed to undo changes.

    Change i was made to the group `trail[i]`, whose bounds had been `old_low[i]` and `old_high[i]`. Clues
    wait in `line`, and `waits[c]` says whether clue c does.
    """

    at: NDArray[np.int64]
    touching: NDArray[np.int64]
    low: NDArray[np.int8]
    high: NDArray[np.int8]
    least: NDArray[np.int64]
    most: NDArray[np.int64]
    trail: NDArray[np.int64]
    old_low: NDArray[np.int8]
    old_high: NDArray[np.int8]
    line: NDArray[np.int64]
    waits: NDArray[np.uint8]
    numbers: NDArray[np.int64]


@kernel(estimate=lambda p, _, __, first, end, *___: 3e-5 * (p.part_groups[end] - p.part_groups[first]))
def search_parts(
    p: Parts,
    s: PartSearch,
    status: NDArray[np.int8],
    first: int,
    end: int,
    nodes_per_group: int,
    most_nodes: int,
) -> int:
    """Search the parts from `first` to `end` that are not too large; return the number of nodes visited.

    It is never more than `most_nodes`. What is known of the parts goes to `status`, and the traps of each
    group of a solved part are in `s.low`.
    """
    visited = 0
    for part in range(first, end):
        groups = p.part_groups[part + 1] - p.part_groups[part]
        if 8 * groups < s.trail.size:
            s.numbers[CHANGES_MADE] = 0
            most = min(groups * nodes_per_group, most_nodes - visited)
            visited += search_part(p, s, part, most, status)
    return visited


@kernel(estimate=lambda p, _: 1e-6 * p.group_cells.size)
def new_search(p: Parts, largest: int) -> PartSearch:
    """A search in which each group may have any number of traps, with room for parts of `largest` groups."""
    groups, clues = p.group_starts.size - 1, p.need.size
    at = np.zeros(groups + 1, np.int64)
    for i in range(p.clue_groups.size):
        at[p.clue_groups[i] + 1] += 1
    for group in range(groups):
        at[group + 1] += at[group]
    free = at.copy()
    touching = np.empty(p.clue_groups.size, np.int64)
    low = np.zeros(groups, np.int8)
    high = np.empty(groups, np.int8)
    for group in range(groups):
        high[group] = p.group_starts[group + 1] - p.group_starts[group]
    least = np.zeros(clues, np.int64)
    most = np.zeros(clues, np.int64)
    for clue in range(clues):
        for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
            group = p.clue_groups[i]
            touching[free[group]] = clue
            free[group] += 1
            most[clue] += high[group]
    room = 8 * largest + 1  # a group has at most eight cells, and each change takes one choice away
    return PartSearch(
        at,
        touching,
        low,
        high,
        least,
        most,
        np.empty(room, np.int64),
        np.empty(room, np.int8),
        np.empty(room, np.int8),
        np.empty(clues, np.int64),
        np.zeros(clues, np.uint8),
        np.zeros(2, np.int64),
    )


@tight_kernel
def bound(s: PartSearch, group: Int, low: Int, high: Int) -> None:
    """Give a group other bounds; its clues join the line."""
    size = s.numbers[CHANGES_MADE]
    s.trail[size] = group
    s.old_low[size] = s.low[group]
    s.old_high[size] = s.high[group]
    s.numbers[CHANGES_MADE] = size + 1
    more, fewer = low - s.low[group], high - s.high[group]
    for i in range(s.at[group], s.at[group + 1]):
        clue = s.touching[i]
        s.least[clue] += more
        s.most[clue] += fewer
        if s.waits[clue] == 0:
            s.waits[clue] = 1
            s.line[s.numbers[CLUES_WAITING]] = clue
            s.numbers[CLUES_WAITING] += 1
    s.low[group] = low
    s.high[group] = high


@tight_kernel
def undo(s: PartSearch, size: Int) -> None:
    """Undo all changes but the first `size`."""
    for i in range(s.numbers[CHANGES_MADE] - 1, size - 1, -1):
        group = s.trail[i]
        more, fewer = s.old_low[i] - s.low[group], s.old_high[i] - s.high[group]
        for j in range(s.at[group], s.at[group + 1]):
            s.least[s.touching[j]] += more
            s.most[s.touching[j]] += fewer
        s.low[group] = s.old_low[i]
        s.high[group] = s.old_high[i]
    s.numbers[CHANGES_MADE] = size


@tight_kernel
def tighten(p: Parts, s: PartSearch) -> bool:
    """Bring all bounds as close as the waiting clues allow; return False if one of these cannot hold."""
    holds = True
    while s.numbers[CLUES_WAITING] > 0:
        s.numbers[CLUES_WAITING] -= 1
        clue = s.line[s.numbers[CLUES_WAITING]]
        s.waits[clue] = 0
        need = p.need[clue]
        if need < s.least[clue] or need > s.most[clue]:
            holds = False
        if not holds or s.least[clue] == s.most[clue]:
            continue
        for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
            group = p.clue_groups[i]
            low, high = np.int64(s.low[group]), np.int64(s.high[group])
            tight_low = max(low, need - (s.most[clue] - high))
            tight_high = min(high, need - (s.least[clue] - low))
            if tight_low > low or tight_high < high:
                bound(s, group, tight_low, tight_high)
    return holds


@tight_kernel
def choose(p: Parts, s: PartSearch, first: int, end: int) -> int:
    """A group of the first clue that leaves the least choice; -1 if there is no choice left."""
    best = -1
    slack = 1 << 60
    for clue in range(first, end):
        if s.least[clue] == s.most[clue]:
            continue
        here = min(p.need[clue] - s.least[clue], s.most[clue] - p.need[clue])
        if here < slack:
            best, slack = clue, here
        if slack <= 1:
            break
    if best < 0:
        return -1
    chosen = -1
    for i in range(p.clue_starts[best], p.clue_starts[best + 1]):
        group = p.clue_groups[i]
        if s.low[group] < s.high[group] and (
            chosen < 0 or s.at[group + 1] - s.at[group] > s.at[chosen + 1] - s.at[chosen]
        ):
            chosen = group
    return chosen


@kernel
def search_part(p: Parts, s: PartSearch, part: int, most_nodes: int, status: NDArray[np.int8]) -> int:
    """Search a part until it is solved, refuted, or has had `most_nodes` nodes; return the number visited."""
    first, end = p.part_clues[part], p.part_clues[part + 1]
    groups = p.part_groups[part + 1] - p.part_groups[part]
    # Decision d was made when there were sizes[d] changes; it holds a group to its least number of traps, and
    # once that has failed, to more.
    sizes = np.empty(8 * groups + 1, np.int64)
    depth = 0
    nodes = 0
    while True:
        group = choose(p, s, first, end)
        if group < 0:
            status[part] = PART_SOLVED
            return nodes
        if nodes >= most_nodes:
            undo(s, np.int64(0))
            return nodes
        sizes[depth] = s.numbers[CHANGES_MADE]
        depth += 1
        nodes += 1
        low = np.int64(s.low[group])
        bound(s, group, low, low)
        while not tighten(p, s):
            if depth == 0:
                status[part] = PART_REFUTED
                return nodes
            if nodes >= most_nodes:
                undo(s, np.int64(0))
                return nodes
            depth -= 1
            group = s.trail[sizes[depth]]
            undo(s, sizes[depth])
            nodes += 1
            bound(s, group, np.int64(s.low[group]) + 1, np.int64(s.high[group]))
