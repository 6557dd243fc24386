"""The plan of a count: which tables are made, in which order, and where in its keys a clue has its digit.

The order of elimination decides how large the tables get; several orders are tried, and `plan_board`
keeps the best for each part of a board.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import regions_by_cell
from gemhunter.counting.grid_state import CONFLICT_AT, GRID_MARGIN, ROW_WIDTH
from gemhunter.counting.parts import Parts, board_and_parts
from gemhunter.jit.arrays import Ints
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel
from gemhunter.printable import counted
from gemhunter.solving.outcomes import GaveUp, StopReason

# How to count a part: which tables are made, in which order, and where in its keys a clue has its digit.
#
# A table has one state for each way in which the traps chosen so far can count towards the unfinished
# clues. A state is a whole number, its key: clue c has the bits from `place[c]`, as many as `need[c]` has
# and a spare one. Tables are made on a stack. `BEGIN_TABLE` puts a table with the one state 0 on it;
# `ADD_CELL` replaces the topmost table by the one in which one more cell is decided; `JOIN_TABLES` replaces
# the two topmost by one that has both their cells. A clue is finished, and its digit cleared, as soon as
# all its cells are decided.


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


# Orders in which the clues of a part can be eliminated.


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


# The plan of a part, written for the order of elimination that promises the smallest tables.


FEW_CLUES = 3
"""Any order is as good as another for parts with no more."""


@kernel
def write_step(
    plan: CountPlan,
    at: int,
    kind: int,
    unfinished: NDArray[np.int32],
    done: Ints,
    many: int,
    need: Ints,
    size: Ints,
    place: Ints,
) -> int:
    """Write a step of the plan; `unfinished` are the clues before it. Returns how many are after it."""
    bias, least, guard, finished = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    bound = 1.0
    left = 0
    for i in range(many):
        clue = unfinished[i]
        bits = digit_bits(need[clue])
        top = np.int64(1) << (bits - 1)
        low = max(0, need[clue] - (size[clue] - done[i]))
        bias |= (top - 1 - need[clue]) << place[clue]
        least |= np.int64(low) << place[clue]
        guard |= top << place[clue]
        if done[i] == size[clue]:
            finished |= need[clue] << place[clue]
        else:
            bound *= max(1, min(need[clue], done[i]) - low + 1)
            unfinished[left] = clue
            done[left] = done[i]
            left += 1
    plan.kind[at] = kind
    plan.cell[at] = -1
    plan.step[at] = 0
    plan.bias[at] = bias
    plan.least[at] = least
    plan.guard[at] = guard
    plan.finished[at] = finished
    plan.bound[at] = bound
    return left


@kernel
def add_to(clue: int, cells: int, unfinished: NDArray[np.int32], done: Ints, many: int) -> int:
    """Note that `cells` more cells of a clue are decided; returns the number of unfinished clues."""
    for i in range(many):
        if unfinished[i] == clue:
            done[i] += cells
            return many
    unfinished[many] = clue
    done[many] = cells
    return many + 1


class Clues(NamedTuple):
    """The clues of all parts: what each needs, how many cells it has, and which groups, both ways round.

    Group g has the cells from `group_starts[g]` to `group_starts[g+1]` and is in the clues
    `clues[at[g]:at[g+1]]`. Clue c has the groups `groups[starts[c]:starts[c+1]]`.
    """

    need: Ints
    size: Ints
    starts: Ints
    groups: Ints
    group_starts: Ints
    at: Ints
    clues: Ints


@kernel
def write_part(plan: CountPlan, start: int, low: int, order: Ints, c: Clues) -> tuple[int, float]:
    """Write the plan of one part from step `start` on: the step after its last, and its cost; -1 if too wide.

    `order` counts the clues of the part from `low`, and so does everything here.
    """
    clue_starts, clue_groups, group_starts, at, clues = c.starts, c.groups, c.group_starts, c.at, c.clues
    need, size = c.need[low : low + order.size], c.size[low : low + order.size]
    parent, bags, many, fits = eliminate(order, low, clue_starts, clue_groups, at, clues)
    if not fits:
        return -1, 0.0
    place, fits = place_digits(order, need, bags, many)
    if not fits:
        return -1, 0.0
    rank = np.empty(order.size, np.int64)
    for i in range(order.size):
        rank[order[i]] = i
    done = np.zeros(bags.shape, np.int64)
    many[:] = 0
    begun = np.zeros(order.size, np.bool_)
    step, cost = start, 0.0
    for clue in post_order(order, parent):
        if not begun[clue]:
            write_step(plan, step, BEGIN_TABLE, bags[clue], done[clue], 0, need, size, place)
            step += 1
        for i in range(clue_starts[low + clue], clue_starts[low + clue + 1]):
            group = clue_groups[i]
            change = np.int64(0)
            mine = True
            for j in range(at[group], at[group + 1]):
                other = clues[j] - low
                change |= np.int64(1) << place[other]
                mine = mine and rank[other] >= rank[clue]
            if not mine:
                continue
            for cell in range(group_starts[group], group_starts[group + 1]):
                for j in range(at[group], at[group + 1]):
                    many[clue] = add_to(clues[j] - low, 1, bags[clue], done[clue], many[clue])
                many[clue] = write_step(
                    plan, step, ADD_CELL, bags[clue], done[clue], many[clue], need, size, place
                )
                plan.cell[step] = cell
                plan.step[step] = change
                cost += plan.bound[step]
                step += 1
        above = parent[clue]
        if above < 0:
            continue
        before = plan.bound[step - 1]
        for i in range(many[clue]):
            many[above] = add_to(bags[clue, i], done[clue, i], bags[above], done[above], many[above])
        if begun[above]:
            many[above] = write_step(
                plan, step, JOIN_TABLES, bags[above], done[above], many[above], need, size, place
            )
            cost += before * max(1.0, plan.bound[step]) + plan.bound[step]
            step += 1
        begun[above] = True
    return step, cost


@kernel
def plan_parts(
    part_clues: Ints, group_starts: Ints, clue_starts: Ints, clue_groups: Ints, need: Ints
) -> tuple[int, CountPlan, int]:
    """The plan of all parts of a board, one after the other, and its number of steps.

    Returns `FITS`, or `TOO_WIDE` with the plan as far as it goes and, in place of the steps, the part
    that does not fit. Of two orders of elimination, reading order and few new neighbours, the cheaper one
    is taken.
    """
    parts, groups = part_clues.size - 1, group_starts.size - 1
    at, clues = clues_by_group(clue_starts, clue_groups, groups)
    size = np.zeros(need.size, np.int64)
    for clue in range(need.size):
        for i in range(clue_starts[clue], clue_starts[clue + 1]):
            size[clue] += group_starts[clue_groups[i] + 1] - group_starts[clue_groups[i]]
    c = Clues(need, size, clue_starts, clue_groups, group_starts, at, clues)
    plan = make_plan(group_starts[groups] + 2 * need.size, parts)
    step = 0
    for part in range(parts):
        low, high = part_clues[part], part_clues[part + 1]
        order = np.arange(high - low)
        end, cost = write_part(plan, step, low, order, c)
        if high - low > FEW_CLUES:
            other = min_fill(low, high, clue_starts, clue_groups, at, clues)
            other_end, other_cost = write_part(plan, step, low, other, c) if other.size > 0 else (-1, 0.0)
            if end < 0 or (other_end >= 0 and other_cost < cost):
                end = other_end
            elif other.size > 0:
                write_part(plan, step, low, order, c)
        if end < 0:
            return TOO_WIDE, plan, part
        step = end
        plan.roots[part] = step - 1
    return FITS, plan, step


@kernel(estimate=lambda *arrays: 2e-5 * arrays[3].size)
def plan_parts_flat(
    part_clues: Ints, group_starts: Ints, clue_starts: Ints, clue_groups: Ints, need: Ints
) -> tuple[Any, ...]:
    """What `plan_parts` returns, for Python: the two numbers, then the arrays of the plan, in one tuple."""
    fits, plan, steps = plan_parts(part_clues, group_starts, clue_starts, clue_groups, need)
    return (fits, steps) + plan[:]  # noqa: RUF005 - Numba unpacks no NamedTuple


# A board taken apart, and the plan by which its parts are counted.


@dataclass(frozen=True, slots=True)
class NoSolution:
    """The clues of the board, or its clues and its total, are in conflict."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlan:
    """A board with all filled in that follows at once, its independent parts, and the plan to count them.

    `codes` is the board with the decided cells filled in. `untouched` are the hidden cells next to no clue
    that has anything left to say. The plan has `steps` steps.
    """

    grid: Grid
    codes: NDArray[np.int8]
    untouched: Ints
    parts: Parts
    plan: CountPlan
    steps: int

    @property
    def traps(self) -> int:
        """The number of known traps, on the board or by what follows at once."""
        return int(np.count_nonzero(self.codes == TRAP))

    @property
    def cost(self) -> float:
        """An upper bound on the number of states."""
        return float(self.plan.bound[: self.steps].sum())

    @property
    def width(self) -> str:
        """How large the largest table can be, in words."""
        return f"up to 2^{math.log2(self.plan.bound[: self.steps].max(initial=1)):.0f} states at once"


def plan_board(grid: Grid) -> BoardPlan | NoSolution | GaveUp:
    """Take a board apart and plan how to count its parts."""
    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return NoSolution()
    wide = board.codes.reshape(-1, board.numbers[ROW_WIDTH])
    codes = wide[GRID_MARGIN : GRID_MARGIN + grid.rows, GRID_MARGIN : GRID_MARGIN + grid.cols]
    untouched = codes.ravel() == HIDDEN
    untouched[parts.group_cells] = False
    fits, steps, *arrays = plan_parts_flat(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    if fits != FITS:
        width = _open_at_once(parts, int(steps))
        return GaveUp(
            StopReason.STATES, f"too wide: about {counted(width, 'clue')} would be unfinished at once"
        )
    return BoardPlan(grid, codes, np.flatnonzero(untouched), parts, CountPlan(*arrays), int(steps))


def _open_at_once(parts: Parts, part: int) -> int:
    """The most clues of a part that are partly decided at once, if cells are decided in reading order."""
    at, clues = regions_by_cell(parts.clue_starts, parts.clue_groups, parts.group_starts.size - 1)
    first = np.arange(parts.need.size)
    np.minimum.at(first, clues, np.repeat(clues[at[:-1]], np.diff(at)))
    low, high = parts.part_clues[part], parts.part_clues[part + 1]
    opened = np.bincount(first[low:high] - low, minlength=high - low)
    return int((np.cumsum(opened) - np.arange(high - low)).max())
