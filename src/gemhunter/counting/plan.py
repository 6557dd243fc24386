"""The plan of a count: which tables to make, in which order, and where in their keys each clue has its digit.

Solutions are counted by variable elimination. Cells are decided one after the other. What the decided cells
mean for the others is only how many traps they give to each unfinished clue, one with undecided cells. So
assignments that agree in these numbers are one *state*, and the states after a step are a *table*. On the
board `a 1 b 1 c`, where a, b and c are hidden:

    decide a   first clue: 0 or 1               2 states
    decide b   second clue: 1 (a gem, b trap)   2 states; the first clue is finished
               or 0 (a trap, b gem)
    decide c   both clues are finished          1 state, which arises in 2 ways: 2 solutions

A state is stored as a whole number, its key, with a digit for each unfinished clue: the traps it has so far.
The digit of clue c begins at bit `place[c]`; it has the bits that `need[c]` takes, and a spare bit that shows
an overflow. When a clue is finished, its digit is cleared, and another clue can use the place.

Tables are made on a stack, like the values of an expression in postfix notation. `BEGIN_TABLE` pushes a table
with the single state 0, `ADD_CELL` decides a cell in the topmost table, and `JOIN_TABLES` replaces the two
topmost tables by one for the cells of both. The steps follow an elimination tree (a tree decomposition) of
the clues. The order of elimination decides how many clues are unfinished at once, and so how large tables
get. Two orders are tried for each part of a board, and the cheaper one is kept.
"""

import math
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np

from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import regions_by_cell
from gemhunter.counting.parts import Parts, board_and_parts
from gemhunter.counting.propagate import CONFLICT_AT, GRID_MARGIN, ROW_WIDTH
from gemhunter.jit.kernel import Codes, Floats, Ints, Shorts, kernel
from gemhunter.jit.search_state import NONE
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.wording import counted

BEGIN_TABLE, ADD_CELL, JOIN_TABLES = 0, 1, 2
"""Kinds of steps."""

FITS, TOO_WIDE = 0, 1
"""Whether there is a plan."""

KEY_BITS = 62
UNFINISHED_LIMIT = 32
"""More clues do not fit into a key, because each digit takes at least two bits."""

NEIGHBOUR_LIMIT = 48
"""A part in which a clue has more neighbours is far too wide to count."""

HIGHEST_SCORE = 4095
"""Min-fill scores from this one up are treated as equal."""


class CountPlan(NamedTuple):
    """One row for each step, and for each part the step that completes it, `roots`.

    `ADD_CELL` decides the cell `Parts.group_cells[cell]`; a trap adds `step`, a one in the digit of each of
    its clues, to a key. Then all digits are checked at once. `guard` has the spare bit of each digit. Adding
    `bias` sets the spare bit of a clue with too many traps. Subtracting `least` from the key with all spare
    bits set clears that of a clue with too few traps, which its undecided cells cannot make up for. Keys that
    pass lose `finished`, the digits of finished clues. The table has at most `bound` states.
    """

    kind: Codes
    cell: Ints
    step: Ints
    bias: Ints
    least: Ints
    guard: Ints
    finished: Ints
    bound: Floats
    roots: Ints


@dataclass(frozen=True, slots=True)
class NoSolution:
    """The clues of the board, or its clues and its total, conflict."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlan:
    """A board, its independent parts, and the plan to count their solutions, which has `steps` steps.

    `codes` is the board after propagation. `untouched` are its hidden cells in no part, which no clue limits.
    """

    grid: Grid
    codes: Codes
    untouched: Ints
    parts: Parts
    plan: CountPlan
    steps: int

    @property
    def traps(self) -> int:
        """The number of traps known after propagation."""
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
    """Split a board into parts and plan how to count them."""
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
        width = counted(_unfinished_at_once(parts, int(steps)), "clue")
        return GaveUp(StopReason.STATES, f"too wide: about {width} would be unfinished at once")
    return BoardPlan(grid, codes, np.flatnonzero(untouched), parts, CountPlan(*arrays), int(steps))


def _unfinished_at_once(parts: Parts, part: int) -> int:
    """The largest number of unfinished clues in a part if its cells are decided in reading order."""
    at, clues = regions_by_cell(parts.clue_starts, parts.clue_groups, parts.group_starts.size - 1)
    first = np.arange(parts.need.size)
    np.minimum.at(first, clues, np.repeat(clues[at[:-1]], np.diff(at)))
    low, high = parts.part_clues[part], parts.part_clues[part + 1]
    opened = np.bincount(first[low:high] - low, minlength=high - low)
    return int((np.cumsum(opened) - np.arange(high - low)).max())


# The kernels, from the plan of a board down to its steps. Clues and groups are numbered as in `Parts`.


class Clues(NamedTuple):
    """The clues of all parts.

    Clue c needs `need[c]` traps in its `size[c]` cells, those of the groups `groups[starts[c]:starts[c+1]]`.
    Group g has the cells from `group_starts[g]` to `group_starts[g+1]` and is in the clues
    `clues[at[g]:at[g+1]]`.
    """

    need: Ints
    size: Ints
    starts: Ints
    groups: Ints
    group_starts: Ints
    at: Ints
    clues: Ints


@kernel(estimate=lambda *arrays: 2e-5 * arrays[3].size)
def plan_parts_flat(
    part_clues: Ints, group_starts: Ints, clue_starts: Ints, clue_groups: Ints, need: Ints
) -> tuple[Any, ...]:
    """Call `plan_parts` from Python: its two numbers and the arrays of the plan, in one tuple."""
    fits, plan, steps = plan_parts(part_clues, group_starts, clue_starts, clue_groups, need)
    return (fits, steps) + plan[:]  # noqa: RUF005 - Numba unpacks no NamedTuple


@kernel
def plan_parts(
    part_clues: Ints, group_starts: Ints, clue_starts: Ints, clue_groups: Ints, need: Ints
) -> tuple[int, CountPlan, int]:
    """Plan all parts of a board: `FITS`, the plan, and its number of steps.

    If a part does not fit, return `TOO_WIDE`, an incomplete plan, and that part.
    """
    parts, groups = part_clues.size - 1, group_starts.size - 1
    at, clues = clues_by_group(clue_starts, clue_groups, groups)
    size = np.zeros(need.size, np.int64)
    for clue in range(need.size):
        for i in range(clue_starts[clue], clue_starts[clue + 1]):
            size[clue] += group_starts[clue_groups[i] + 1] - group_starts[clue_groups[i]]
    c = Clues(need, size, clue_starts, clue_groups, group_starts, at, clues)
    # Each cell is added once, and each clue begins a table and joins it to another at most once.
    steps = group_starts[groups] + 2 * need.size
    plan = CountPlan(
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
    step = 0
    for part in range(parts):
        low, high = part_clues[part], part_clues[part + 1]
        # Reading order is good for narrow parts, and up to three clues have no bad order. In larger parts,
        # min-fill is tried too. Its plan overwrites the other one, which is written again if it was cheaper.
        order = np.arange(high - low)
        end, cost = write_part(plan, step, low, order, c)
        if high - low > 3:
            other = min_fill(low, high, c)
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


@kernel
def write_part(plan: CountPlan, start: int, low: int, order: Ints, c: Clues) -> tuple[int, float]:
    """Write the plan of one part from step `start` on; return the step after its last, and its cost.

    The step is -1 if the part is too wide. `order` eliminates the clues; they are counted from `low` here.
    """
    group_starts, at, clues = c.group_starts, c.at, c.clues
    need, size = c.need[low : low + order.size], c.size[low : low + order.size]
    parent, bags, many, fits = elimination_tree(order, low, c)
    if not fits:
        return -1, 0.0
    place, fits = place_digits(order, need, bags, many)
    if not fits:
        return -1, 0.0
    rank = np.empty(order.size, np.int64)
    for i in range(order.size):
        rank[order[i]] = i
    # The tree is known; now write its steps. From here on `bags[clue, :many[clue]]` are the unfinished clues
    # in the table of a clue, and `done` counts the decided cells of each. The table is begun by the clue's
    # first child, or by the clue itself if it has none.
    done = np.zeros(bags.shape, np.int64)
    many[:] = 0
    begun = np.zeros(order.size, np.bool_)
    step, cost = start, 0.0
    for clue in post_order(order, parent):
        if not begun[clue]:
            write_step(plan, step, BEGIN_TABLE, bags[clue], done[clue], 0, need, size, place)
            step += 1
        # Add those cells of the clue that no earlier clue has, its bucket. This finishes the clue.
        for i in range(c.starts[low + clue], c.starts[low + clue + 1]):
            group = c.groups[i]
            change = np.int64(0)
            is_new = True
            for j in range(at[group], at[group + 1]):
                other = clues[j] - low
                change |= np.int64(1) << place[other]
                is_new = is_new and rank[other] >= rank[clue]
            if not is_new:
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
        # The table, with the clues that are still unfinished, goes to the parent. If the parent has a table
        # already, the two are joined. Each pair of states is visited then, which the cost takes into account.
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
def write_step(
    plan: CountPlan,
    at: int,
    kind: int,
    unfinished: Shorts,
    done: Ints,
    many: int,
    need: Ints,
    size: Ints,
    place: Ints,
) -> int:
    """Write a step; `unfinished` are the clues before it. Return the number of unfinished clues after it."""
    bias, least, guard, finished = np.int64(0), np.int64(0), np.int64(0), np.int64(0)
    bound = 1.0
    left = 0
    for i in range(many):
        clue = unfinished[i]
        bits = digit_bits(need[clue])
        top = np.int64(1) << (bits - 1)
        # With fewer traps than this by now, the undecided cells are not enough.
        low = max(0, need[clue] - (size[clue] - done[i]))
        bias |= (top - 1 - need[clue]) << place[clue]
        least |= np.int64(low) << place[clue]
        guard |= top << place[clue]
        if done[i] == size[clue]:
            finished |= need[clue] << place[clue]
        else:
            # The digit is at least `low`; at most, it is what the clue needs, or the number of decided cells.
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
def add_to(clue: int, cells: int, unfinished: Shorts, done: Ints, many: int) -> int:
    """Note that `cells` more cells of a clue are decided; return the number of unfinished clues."""
    for i in range(many):
        if unfinished[i] == clue:
            done[i] += cells
            return many
    unfinished[many] = clue
    done[many] = cells
    return many + 1


@kernel
def elimination_tree(order: Ints, low: int, c: Clues) -> tuple[Ints, Shorts, Ints, bool]:
    """The elimination tree of an order: each clue's parent, and its bag with the number of clues in it.

    The bag of a clue holds the clues that are unfinished when it is finished. Clues are counted from `low`.
    The last value is false if a bag is too large.
    """
    size = order.size
    rank = np.empty(size, np.int64)
    for i in range(size):
        rank[order[i]] = i
    bags = np.empty((size, UNFINISHED_LIMIT), np.int32)
    many = np.zeros(size, np.int64)
    parent = np.full(size, -1, np.int64)
    child, sibling = np.full(size, -1, np.int64), np.full(size, -1, np.int64)
    mark = np.full(size, -1, np.int64)
    for clue in order:
        # In the bag are the later clues that share a cell with this one ...
        mark[clue] = clue
        for i in range(c.starts[low + clue], c.starts[low + clue + 1]):
            for j in range(c.at[c.groups[i]], c.at[c.groups[i] + 1]):
                other = c.clues[j] - low
                if mark[other] != clue and rank[other] > rank[clue]:
                    if many[clue] == UNFINISHED_LIMIT:
                        return parent, bags, many, False
                    mark[other] = clue
                    bags[clue, many[clue]] = other
                    many[clue] += 1
        # ... and the clues in the bags of its children, except itself.
        below = child[clue]
        while below >= 0:
            for i in range(many[below]):
                other = int(bags[below, i])
                if mark[other] != clue:
                    if many[clue] == UNFINISHED_LIMIT:
                        return parent, bags, many, False
                    mark[other] = clue
                    bags[clue, many[clue]] = other
                    many[clue] += 1
            below = sibling[below]
        # The parent is the clue of the bag that is eliminated first.
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
def place_digits(order: Ints, need: Ints, bags: Shorts, many: Ints) -> tuple[Ints, bool]:
    """The bit at which each clue has its digit, and whether all digits fit into a key.

    Going backwards, each clue takes the first place that no clue of its bag has: greedy colouring along a
    perfect elimination order.
    """
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
def digit_bits(need: int) -> int:
    """The number of bits of `need`, and one more for the spare bit."""
    bits = 1
    while need > 0:
        need >>= 1
        bits += 1
    return bits


@kernel
def post_order(order: Ints, parent: Ints) -> Ints:
    """The clues in post-order: each after its children and all below them, so that a stack is enough."""
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
            # Go down to a leaf. Children are taken off the list, so their parent becomes a leaf in the end.
            while child[clue] >= 0:
                below = child[clue]
                child[clue] = -1
                clue = below
            result[count] = clue
            count += 1
            if clue == root:
                break
            clue = sibling[clue] if sibling[clue] >= 0 else parent[clue]
    return result


@kernel
def clues_by_group(clue_starts: Ints, clue_groups: Ints, groups: int) -> tuple[Ints, Ints]:
    """The clues of each group: those of group g are `clues[at[g]:at[g+1]]`, in ascending order."""
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


# An order of elimination.


@kernel
def min_fill(low: int, high: int, c: Clues) -> Ints:
    """The clues from `low` to `high`, counted from `low`, in the order of the min-fill heuristic.

    Eliminating a clue makes all its neighbours neighbours of each other. The next clue is always one that
    makes the fewest pairs new neighbours. The result is empty if a clue gets too many neighbours.
    """
    near, many, fits = neighbouring_clues(low, high, c)
    size = high - low
    if not fits:
        return np.empty(0, np.int64)
    # There is a list of clues for each score, linked by `after` and `before`. Lists below `lowest` are empty.
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
        # Each neighbour of the chosen clue loses it, and gets its other neighbours.
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
                    if many[clue] == NEIGHBOUR_LIMIT:
                        return np.empty(0, np.int64)
                    near[clue, many[clue]] = other
                    many[clue] += 1
            for j in range(many[clue]):
                mark[near[clue, j]] = -1
            mark[clue] = -1
            mark[chosen] = -1
        # The scores of the neighbours have changed. If pairs became neighbours, which a score of 8 or more
        # means, so have the scores of clues next to these. Compute them again.
        touches = 0
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


@kernel
def neighbouring_clues(low: int, high: int, c: Clues) -> tuple[Shorts, Ints, bool]:
    """The clues with which each clue from `low` to `high` shares a cell; false if they are too many."""
    size = high - low
    near = np.empty((size, NEIGHBOUR_LIMIT), np.int32)
    many = np.zeros(size, np.int64)
    mark = np.full(size, -1, np.int64)
    for clue in range(size):
        mark[clue] = clue
        for i in range(c.starts[low + clue], c.starts[low + clue + 1]):
            for j in range(c.at[c.groups[i]], c.at[c.groups[i] + 1]):
                other = c.clues[j] - low
                if mark[other] == clue:
                    continue
                if many[clue] == NEIGHBOUR_LIMIT:
                    return near, many, False
                mark[other] = clue
                near[clue, many[clue]] = other
                many[clue] += 1
    return near, many, True


@kernel
def score_of(clue: int, near: Shorts, many: Ints, mark: Ints) -> int:
    """Eight times the number of pairs of a clue's neighbours that are not neighbours yet; to break ties, plus
    the number of its neighbours up to 7."""
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
    """Put a clue at the front of the list for its score."""
    after[clue] = first[score]
    before[clue] = -1
    if first[score] >= 0:
        before[first[score]] = clue
    first[score] = clue


@kernel
def remove(clue: int, score: int, first: Ints, after: Ints, before: Ints) -> None:
    """Take a clue out of the list for its score."""
    if before[clue] >= 0:
        after[before[clue]] = after[clue]
    else:
        first[score] = after[clue]
    if after[clue] >= 0:
        before[after[clue]] = before[clue]
