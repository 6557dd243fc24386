"""The plan of a part, written for the order of elimination that promises the smallest tables."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.counting.elimination_orders import clues_by_group, min_fill
from gemhunter.kernels.counting.plan import (
    ADD_CELL,
    BEGIN_TABLE,
    FITS,
    JOIN_TABLES,
    TOO_WIDE,
    CountPlan,
    digit_bits,
    eliminate,
    make_plan,
    place_digits,
    post_order,
)

Ints = NDArray[np.int64]

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
