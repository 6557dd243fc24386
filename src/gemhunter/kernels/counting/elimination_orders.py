"""Orders in which the clues of a part can be eliminated."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Ints = NDArray[np.int64]

MOST_NEIGHBOURS = 48
"""A part in which a clue has more neighbours is far too wide to count."""

HIGHEST_SCORE = 4095


@kernel
def clues_by_group(clue_starts: Ints, clue_groups: Ints, groups: int) -> tuple[Ints, Ints]:
    """The clues of each group: those of group g are `clues[at[g]:at[g+1]]`, in increasing order."""
    at = np.zeros(groups + 1, np.int64)
    for group in clue_groups:
        at[group + 1] += 1
    for group in range(groups):
        at[group + 1] += at[group]
    clues = np.empty(clue_groups.size, np.int64)
    free = at[:-1].copy()
    for clue in range(clue_starts.size - 1):
        for i in range(clue_starts[clue], clue_starts[clue + 1]):
            clues[free[clue_groups[i]]] = clue
            free[clue_groups[i]] += 1
    return at, clues


@kernel
def score_of(clue: int, near: NDArray[np.int32], many: NDArray[np.int64], mark: Ints) -> int:
    """How many pairs of a clue's neighbours are not neighbours yet; of equals, fewer neighbours first."""
    count = many[clue]
    for i in range(count):
        mark[near[clue, i]] = clue
    linked = 0
    for i in range(count):
        other = near[clue, i]
        for j in range(many[other]):
            if mark[near[other, j]] == clue:
                linked += 1
    for i in range(count):
        mark[near[clue, i]] = -1
    missing = (count * (count - 1) - linked) // 2
    return int(min(missing * 8 + min(count, 7), HIGHEST_SCORE))


@kernel
def insert(clue: int, score: int, first: Ints, after: Ints, before: Ints) -> None:
    """Put a clue first into the list of its score."""
    after[clue] = first[score]
    before[clue] = -1
    if first[score] >= 0:
        before[first[score]] = clue
    first[score] = clue


@kernel
def remove(clue: int, score: int, first: Ints, after: Ints, before: Ints) -> None:
    """Take a clue out of the list of its score."""
    if before[clue] >= 0:
        after[before[clue]] = after[clue]
    else:
        first[score] = after[clue]
    if after[clue] >= 0:
        before[after[clue]] = before[clue]


@kernel
def neighbours(
    low: int, high: int, clue_starts: Ints, clue_groups: Ints, at: Ints, clues: Ints
) -> tuple[NDArray[np.int32], Ints, bool]:
    """Which clues from `low` to `high` share a cell, counted from `low`; false if one has too many."""
    size = high - low
    near = np.empty((size, MOST_NEIGHBOURS), np.int32)
    many = np.zeros(size, np.int64)
    mark = np.full(size, -1, np.int64)
    for clue in range(size):
        mark[clue] = clue
        for i in range(clue_starts[low + clue], clue_starts[low + clue + 1]):
            for j in range(at[clue_groups[i]], at[clue_groups[i] + 1]):
                other = clues[j] - low
                if mark[other] == clue:
                    continue
                if many[clue] == MOST_NEIGHBOURS:
                    return near, many, False
                mark[other] = clue
                near[clue, many[clue]] = other
                many[clue] += 1
    return near, many, True


@kernel
def min_fill(low: int, high: int, clue_starts: Ints, clue_groups: Ints, at: Ints, clues: Ints) -> Ints:
    """The clues from `low` to `high`, counted from `low`, such that few new neighbours arise.

    None at all if they are too wide. Eliminating a clue makes its neighbours neighbours of each other.
    The clue next in order is one for which the fewest pairs become so.
    """
    near, many, fits = neighbours(low, high, clue_starts, clue_groups, at, clues)
    size = high - low
    if not fits:
        return np.empty(0, np.int64)
    order = np.empty(size, np.int64)
    mark = np.full(size, -1, np.int64)
    first = np.full(HIGHEST_SCORE + 1, -1, np.int64)
    after, before = np.empty(size, np.int64), np.empty(size, np.int64)
    score = np.empty(size, np.int64)
    lowest = HIGHEST_SCORE
    for clue in range(size - 1, -1, -1):
        score[clue] = score_of(clue, near, many, mark)
        insert(clue, score[clue], first, after, before)
        lowest = min(lowest, score[clue])
    stale = np.zeros(size, np.bool_)
    touched = np.empty(size, np.int64)
    for step in range(size):
        while first[lowest] < 0:
            lowest += 1
        chosen = first[lowest]
        remove(chosen, lowest, first, after, before)
        order[step] = chosen
        touches = 0
        for i in range(many[chosen]):
            clue = near[chosen, i]
            for j in range(many[clue]):
                mark[near[clue, j]] = clue
            mark[clue] = clue
            for j in range(many[clue]):
                if near[clue, j] == chosen:
                    many[clue] -= 1
                    near[clue, j] = near[clue, many[clue]]
                    break
            for j in range(many[chosen]):
                other = near[chosen, j]
                if mark[other] != clue:
                    if many[clue] == MOST_NEIGHBOURS:
                        return np.empty(0, np.int64)
                    near[clue, many[clue]] = other
                    many[clue] += 1
            for j in range(many[clue]):
                mark[near[clue, j]] = -1
            mark[clue] = -1
            mark[chosen] = -1
        for i in range(many[chosen]):
            clue = near[chosen, i]
            if not stale[clue]:
                stale[clue] = True
                touched[touches] = clue
                touches += 1
            for j in range(many[clue]):
                other = near[clue, j]
                if lowest >= 8 and not stale[other]:
                    stale[other] = True
                    touched[touches] = other
                    touches += 1
        for i in range(touches):
            clue = touched[i]
            stale[clue] = False
            remove(clue, score[clue], first, after, before)
            score[clue] = score_of(clue, near, many, mark)
            insert(clue, score[clue], first, after, before)
            lowest = min(lowest, score[clue])
    return order
