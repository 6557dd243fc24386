"""A part counted exactly: as remainders modulo primes, which together are the number.

Only the tables on the stack are kept, so a part can be counted whose tables would not all fit into memory.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NEXT_STEP,
    NO_PAIRS,
    NO_STATES,
    STACK_DEPTH,
    bound_by_cell,
    bound_by_pairs,
)
from gemhunter.kernels.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan
from gemhunter.kernels.counting.tables import NO_LINK, TABLE_FULL, Links, extend, join

Ints = NDArray[np.int64]

NO_VALUES = 5

STATES_MADE = 2
"""Place in `Stack.numbers`, after `NEXT_STEP` and `STACK_DEPTH`: how many states were made."""


class Stack(NamedTuple):
    """Table t on the stack has the states from `starts[t]` to `starts[t+1]`.

    State i has the remainders from row `spans[i]` of `remainders` on, one row for each number of traps
    from `fewest[i]` to `most[i]` or one for all, and one column for each prime. `gem`, `trap` and `pairs`
    are scratch space.
    """

    starts: Ints
    keys: Ints
    fewest: Links
    most: Links
    spans: Ints
    remainders: NDArray[np.uint32]
    gem: Links
    trap: Links
    pairs: Links
    numbers: Ints


@kernel
def lay_rows(s: Stack, begin: int, end: int, by_traps: bool) -> bool:
    """Give the states from `begin` to `end` their rows, all zero; false if there is no room."""
    spans, at, fewest, most = s.spans, s.spans[begin], s.fewest, s.most
    for state in range(begin, end):
        spans[state] = at
        at += np.int64(most[state]) - fewest[state] + 1 if by_traps else 1
    spans[end] = at
    if at > s.remainders.shape[0]:
        return False
    s.remainders[spans[begin] : at] = 0
    return True


@tight_kernel
def sum_cells(
    low: int,
    begin: int,
    end: int,
    by_traps: bool,
    gem: Links,
    trap: Links,
    spans: Ints,
    fewest: Links,
    remainders: NDArray[np.uint32],
    primes: Ints,
) -> None:
    """The remainders of the states from `begin` to `end`, made of those from `low` on and one more cell."""
    for state in range(begin, end):
        for value in range(2):
            link = trap[state - begin] if value else gem[state - begin]
            if link == NO_LINK:
                continue
            source = low + link
            to = spans[state]
            if by_traps:
                to += np.int64(fewest[source]) + value - fewest[state]
            for row in range(spans[source], spans[source + 1]):
                for lane in range(primes.size):
                    total = np.int64(remainders[to, lane]) + np.int64(remainders[row, lane])
                    remainders[to, lane] = total - primes[lane] if total >= primes[lane] else total
                to += 1


@kernel
def sum_pairs(s: Stack, low: int, high: int, begin: int, pairs: int, by_traps: bool, primes: Ints) -> None:
    """The remainders of the states from `begin` on, which join those from `low` and from `high` on."""
    spans, fewest, remainders, links = s.spans, s.fewest, s.remainders, s.pairs
    for pair in range(pairs):
        left, right, state = low + links[pair, 0], high + links[pair, 1], begin + links[pair, 2]
        to = spans[state]
        if by_traps:
            to += np.int64(fewest[left]) + fewest[right] - fewest[state]
        for i in range(spans[left], spans[left + 1]):
            for j in range(spans[right], spans[right + 1]):
                row = to + i - spans[left] + j - spans[right]
                for lane in range(primes.size):
                    product = np.int64(remainders[i, lane]) * np.int64(remainders[j, lane])
                    remainders[row, lane] = (remainders[row, lane] + product) % primes[lane]


@kernel
def move_down(s: Stack, to: int, begin: int, end: int) -> None:
    """Move the states from `begin` to `end`, with their remainders, to `to` and on."""
    keys, fewest, most, spans, remainders = s.keys, s.fewest, s.most, s.spans, s.remainders
    first, source, length = spans[to], spans[begin], spans[end] - spans[begin]
    for i in range(end - begin):
        keys[to + i] = keys[begin + i]
        fewest[to + i] = fewest[begin + i]
        most[to + i] = most[begin + i]
        spans[to + i] = spans[begin + i] - source + first
    spans[to + end - begin] = first + length
    for i in range(length):
        for lane in range(remainders.shape[1]):
            remainders[first + i, lane] = remainders[source + i, lane]


@kernel(estimate=lambda plan, end, *_: 1e-5 * min(1e4, plan.bound[:end].sum()))
def count_steps(plan: CountPlan, steps: int, s: Stack, by_traps: bool, primes: Ints, last: int) -> int:
    """Go through a plan up to step `steps`, until `last` states or more have been made.

    Returns `COMPLETE`, `INCOMPLETE` or what ran out of room; all but the first can be followed by another
    call. When done, the one table on the stack is that of the whole part.
    """
    starts, keys, numbers = s.starts, s.keys, s.numbers
    step, depth = numbers[NEXT_STEP], numbers[STACK_DEPTH]
    while step < steps:
        if numbers[STATES_MADE] >= last:
            return INCOMPLETE
        begin = starts[depth]
        if plan.kind[step] == BEGIN_TABLE:
            if begin + 2 > keys.size:
                return NO_STATES
            keys[begin], s.fewest[begin], s.most[begin] = 0, 0, 0
            if not lay_rows(s, begin, begin + 1, by_traps):
                return NO_VALUES
            s.remainders[s.spans[begin]] = 1
            count, low = 1, begin
            depth += 1
        elif plan.kind[step] == ADD_CELL:
            low = starts[depth - 1]
            count = extend(
                keys[low:begin],
                keys[begin : begin + s.gem.size],
                s.gem,
                s.trap,
                plan.step[step],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
            )
            if count == TABLE_FULL:
                return NO_STATES
            bound_by_cell(low, s.gem[:count], s.trap[:count], begin, s.fewest, s.most)
            if not lay_rows(s, begin, begin + count, by_traps):
                return NO_VALUES
            sum_cells(
                low, begin, begin + count, by_traps, s.gem, s.trap, s.spans, s.fewest, s.remainders, primes
            )
        else:
            low, high = starts[depth - 2], starts[depth - 1]
            count, made = join(
                keys[low:high],
                keys[high:begin],
                keys[begin : begin + s.gem.size],
                s.pairs,
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
                plan.bound[step],
            )
            if count == TABLE_FULL:
                return NO_STATES if made == 0 else NO_PAIRS
            bound_by_pairs(low, high, begin, count, s.pairs[:made], s.fewest, s.most)
            if not lay_rows(s, begin, begin + count, by_traps):
                return NO_VALUES
            sum_pairs(s, low, high, begin, made, by_traps, primes)
            depth -= 1
        if count == 0:
            return EMPTY_TABLE
        if low < begin:
            move_down(s, low, begin, begin + count)
        starts[depth] = low + count
        step += 1
        numbers[NEXT_STEP], numbers[STACK_DEPTH], numbers[STATES_MADE] = (
            step,
            depth,
            numbers[STATES_MADE] + count,
        )
    return COMPLETE
