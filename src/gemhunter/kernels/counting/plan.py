"""How to count a part: which tables are made, in which order, and where in its keys a clue has its digit.

A table has one state for each way in which the traps chosen so far can count towards the unfinished clues. A
state is a whole number, its key: clue c has the bits from `place[c]`, as many as `need[c]` has and a
spare one. Tables are made on a stack. `BEGIN_TABLE` puts a table with the one state 0 on it; `ADD_CELL`
replaces the topmost table by the one in which one more cell is decided; `JOIN_TABLES` replaces the two
topmost by one that has both their cells. A clue is finished, and its digit cleared, as soon as all its cells
are decided.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Ints = NDArray[np.int64]

BEGIN_TABLE, ADD_CELL, JOIN_TABLES = 0, 1, 2

KEY_BITS = 62
MOST_UNFINISHED = 32
"""The most clues whose digits fit into a key, as each takes at least two bits."""

FITS, TOO_WIDE = 0, 1


class CountPlan(NamedTuple):
    """One row for each step.

    `cell` is the place of the decided cell in `Parts.group_cells`. A key is good if adding `bias` sets no
    bit of `guard` (no clue has too many traps) and taking `least` away with these bits set clears none
    (no clue has too few). From good keys `finished` is taken away. A trap adds `step`. `bound` is how many
    states a table can have at most, and `roots` the step after which each part is done.
    """

    kind: NDArray[np.int8]
    cell: Ints
    step: Ints
    bias: Ints
    least: Ints
    guard: Ints
    finished: Ints
    bound: NDArray[np.float64]
    roots: Ints


@kernel
def make_plan(steps: int, parts: int) -> CountPlan:
    """An empty plan with room for `steps` steps."""
    return CountPlan(
        np.empty(steps, np.int8),
        np.empty(steps, np.int64),
        np.empty(steps, np.int64),
        np.empty(steps, np.int64),
        np.empty(steps, np.int64),
        np.empty(steps, np.int64),
        np.empty(steps, np.int64),
        np.empty(steps, np.float64),
        np.empty(parts, np.int64),
    )


@kernel
def eliminate(
    order: Ints, low: int, clue_starts: Ints, clue_groups: Ints, at: Ints, clues: Ints
) -> tuple[Ints, NDArray[np.int32], Ints, bool]:
    """The tree of an elimination: each clue's parent, and which clues are unfinished when it is finished.

    Clues are counted from `low`. The last value is false if too many are unfinished at once.
    """
    size = order.size
    rank = np.empty(size, np.int64)
    for place in range(size):
        rank[order[place]] = place
    bags = np.empty((size, MOST_UNFINISHED), np.int32)
    many = np.zeros(size, np.int64)
    parent = np.full(size, -1, np.int64)
    child, sibling = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    mark = np.full(size, -1, np.int64)
    for clue in order:
        mark[clue] = clue
        for i in range(clue_starts[low + clue], clue_starts[low + clue + 1]):
            for j in range(at[clue_groups[i]], at[clue_groups[i] + 1]):
                other = clues[j] - low
                if mark[other] != clue and rank[other] > rank[clue]:
                    if many[clue] == MOST_UNFINISHED:
                        return parent, bags, many, False
                    mark[other] = clue
                    bags[clue, many[clue]] = other
                    many[clue] += 1
        below = child[clue]
        while below >= 0:
            for i in range(many[below]):
                other = int(bags[below, i])
                if mark[other] != clue:
                    if many[clue] == MOST_UNFINISHED:
                        return parent, bags, many, False
                    mark[other] = clue
                    bags[clue, many[clue]] = other
                    many[clue] += 1
            below = sibling[below]
        above = -1
        for i in range(many[clue]):
            other = int(bags[clue, i])
            if above < 0 or rank[other] < rank[above]:
                above = other
        parent[clue] = above
        if above >= 0:
            sibling[clue] = child[above]
            child[above] = clue
    return parent, bags, many, True


@kernel
def digit_bits(need: int) -> int:
    """The bits of a number up to `need`, and one more."""
    bits = 1
    while need > 0:
        need >>= 1
        bits += 1
    return bits


@kernel
def place_digits(order: Ints, need: Ints, bags: NDArray[np.int32], many: Ints) -> tuple[Ints, bool]:
    """Where in a key each clue has its digit, apart from all unfinished at that time; false if too wide."""
    place = np.zeros(order.size, np.int64)
    for i in range(order.size - 1, -1, -1):
        clue = order[i]
        taken = np.int64(0)
        for j in range(many[clue]):
            other = bags[clue, j]
            taken |= ((np.int64(1) << digit_bits(need[other])) - 1) << place[other]
        digit = (np.int64(1) << digit_bits(need[clue])) - 1
        at = 0
        while (taken >> at) & digit:
            at += 1
        if at + digit_bits(need[clue]) > KEY_BITS:
            return place, False
        place[clue] = at
    return place, True


@kernel
def post_order(order: Ints, parent: Ints) -> Ints:
    """The clues such that each stands after its children and their descendants, and no others in between."""
    size = order.size
    child, sibling = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    for i in range(size - 1, -1, -1):
        clue = order[i]
        if parent[clue] >= 0:
            sibling[clue] = child[parent[clue]]
            child[parent[clue]] = clue
    result = np.empty(size, np.int64)
    count = 0
    for root in order:
        clue = root if parent[root] < 0 else -1
        while clue >= 0:
            while child[clue] >= 0:
                below = child[clue]
                child[clue] = -1
                clue = below
            result[count] = clue
            count += 1
            clue = (
                sibling[clue] if clue != root and sibling[clue] >= 0 else parent[clue] if clue != root else -1
            )
    return result
