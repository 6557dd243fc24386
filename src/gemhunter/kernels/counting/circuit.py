"""All tables of a count and how their states arise from each other: what every question is answered from."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan
from gemhunter.kernels.counting.tables import NO_LINK, TABLE_FULL, Links, extend, join

Ints = NDArray[np.int64]

COMPLETE, INCOMPLETE, NO_STATES, NO_PAIRS, EMPTY_TABLE = 0, 1, 2, 3, 4

NEXT_STEP, STACK_DEPTH = 0, 1
"""Places in `Circuit.numbers`: the step to make next, and the number of tables on the stack."""


class Circuit(NamedTuple):
    """Step s makes the states from `starts[s]` to `starts[s+1]`, of the table that step `below[s]` has made.

    For a cell, state i arises from `gem[i]` with a gem and from `trap[i]` with a trap, counted in the
    table below. For a join with the table of step `beside[s]`, row p of `pairs`, from `pair_starts[s]` to
    `pair_starts[s+1]`, is a state of the table below, one of the table beside it and the state that
    arises. State i has at least `fewest[i]` and at most `most[i]` traps.
    """

    starts: Ints
    below: Ints
    beside: Ints
    pair_starts: Ints
    keys: Ints
    gem: Links
    trap: Links
    fewest: Links
    most: Links
    pairs: Links
    stack: Ints
    numbers: Ints


@kernel
def make_circuit(steps: int, states: int, pairs: int) -> Circuit:
    """An empty circuit with room for `states` states and `pairs` pairs."""
    return Circuit(
        np.zeros(steps + 1, np.int64),
        np.full(steps, NO_LINK, np.int64),
        np.full(steps, NO_LINK, np.int64),
        np.zeros(steps + 1, np.int64),
        np.empty(states, np.int64),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty(states, np.int32),
        np.empty((pairs, 3), np.int32),
        np.empty(steps + 1, np.int64),
        np.zeros(2, np.int64),
    )


@kernel(
    estimate=lambda plan, steps, circuit, last: (
        1e-5 * min(last - circuit.starts[circuit.numbers[NEXT_STEP]], plan.bound[:steps].sum())
    )
)
def build(plan: CountPlan, steps: int, circuit: Circuit, last: int) -> int:
    """Make the tables of a plan one after the other, until there are `last` states or more.

    Returns `COMPLETE`, `INCOMPLETE`, or what ran out of room; the last two can be followed by another call.
    `EMPTY_TABLE` says that there is no solution: the table of the step that would be next has no states.
    """
    starts, pair_starts, keys = circuit.starts, circuit.pair_starts, circuit.keys
    gem, trap, fewest, most, pairs = circuit.gem, circuit.trap, circuit.fewest, circuit.most, circuit.pairs
    stack, numbers = circuit.stack, circuit.numbers
    step, depth = numbers[NEXT_STEP], numbers[STACK_DEPTH]
    while step < steps:
        begin, first = starts[step], pair_starts[step]
        if begin >= last:
            return INCOMPLETE
        made = 0
        if plan.kind[step] == BEGIN_TABLE:
            if begin == keys.size:
                return NO_STATES
            keys[begin], gem[begin], trap[begin], fewest[begin], most[begin] = 0, NO_LINK, NO_LINK, 0, 0
            count = 1
            depth += 1
        elif plan.kind[step] == ADD_CELL:
            source = stack[depth - 1]
            low, high = starts[source], starts[source + 1]
            count = extend(
                keys[low:high],
                keys[begin:],
                gem[begin:],
                trap[begin:],
                plan.step[step],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
            )
            if count == TABLE_FULL:
                return NO_STATES
            bound_by_cell(low, gem[begin : begin + count], trap[begin : begin + count], begin, fewest, most)
            circuit.below[step] = source
        else:
            left, right = stack[depth - 2], stack[depth - 1]
            low, high = starts[left], starts[right]
            count, made = join(
                keys[low : starts[left + 1]],
                keys[high : starts[right + 1]],
                keys[begin:],
                pairs[first:],
                plan.bias[step],
                plan.least[step],
                plan.guard[step],
                plan.finished[step],
                plan.bound[step],
            )
            if count == TABLE_FULL:
                return NO_STATES if made == 0 else NO_PAIRS
            bound_by_pairs(low, high, begin, count, pairs[first : first + made], fewest, most)
            circuit.below[step], circuit.beside[step] = left, right
            depth -= 1
        if count == 0:
            numbers[NEXT_STEP] = step
            return EMPTY_TABLE
        stack[depth - 1] = step
        starts[step + 1] = begin + count
        pair_starts[step + 1] = first + made
        step += 1
        numbers[NEXT_STEP], numbers[STACK_DEPTH] = step, depth
    return COMPLETE


@kernel
def bound_by_cell(low: int, gem: Links, trap: Links, begin: int, fewest: Links, most: Links) -> None:
    """The fewest and most traps of the states from `begin` on, which arise from the table at `low`."""
    for i in range(gem.size):
        state = begin + i
        if gem[i] == NO_LINK:
            fewest[state] = fewest[low + trap[i]] + 1
            most[state] = most[low + trap[i]] + 1
        elif trap[i] == NO_LINK:
            fewest[state] = fewest[low + gem[i]]
            most[state] = most[low + gem[i]]
        else:
            fewest[state] = min(fewest[low + gem[i]], fewest[low + trap[i]] + 1)
            most[state] = max(most[low + gem[i]], most[low + trap[i]] + 1)


@kernel
def bound_by_pairs(
    low: int, high: int, begin: int, count: int, pairs: Links, fewest: Links, most: Links
) -> None:
    """The fewest and most traps of `count` states from `begin` on, which join those at `low` and `high`."""
    most[begin : begin + count] = -1
    for pair in range(pairs.shape[0]):
        left, right, state = low + pairs[pair, 0], high + pairs[pair, 1], begin + pairs[pair, 2]
        few, many = fewest[left] + fewest[right], most[left] + most[right]
        if most[state] < 0:
            fewest[state], most[state] = few, many
        else:
            fewest[state] = min(fewest[state], few)
            most[state] = max(most[state], many)
