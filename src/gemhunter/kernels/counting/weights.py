"""The states of a circuit weighed in floating point, forwards and backwards.

A state has a weight, or with `by_traps` one for each number of traps that it can have: state i has
`most[i] - fewest[i] + 1` of them from `values[spans[i]]` on. Those of step s are multiplied by
`scale[s]`, a power of two. All are positive, so errors stay relative. With `only_whether` every positive
weight becomes 1, so that no possibility is lost by being too small for a number. Only states that a
solution goes through are weighed.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.counting.circuit import Circuit
from gemhunter.kernels.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan
from gemhunter.kernels.counting.tables import NO_LINK

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGE = 2.0**200

SMALLEST = 2.0**-960
"""A state whose weights are all smaller, beside one of 1, has lost precision."""


@kernel(estimate=lambda _, steps, circuit: 1e-6 * circuit.starts[steps])
def mark_live(plan: CountPlan, steps: int, circuit: Circuit) -> NDArray[np.bool_]:
    """Which states a solution goes through."""
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    pairs = circuit.pairs
    live = np.zeros(starts[steps], np.bool_)
    for root in plan.roots:
        live[starts[root]] = True
    for step in range(steps - 1, -1, -1):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            continue
        low = starts[circuit.below[step]]
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if live[state] and gem[state] != NO_LINK:
                    live[low + gem[state]] = True
                if live[state] and trap[state] != NO_LINK:
                    live[low + trap[state]] = True
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                if live[begin + pairs[pair, 2]]:
                    live[low + pairs[pair, 0]] = True
                    live[high + pairs[pair, 1]] = True
    return live


@kernel(estimate=lambda _, states, __: 2e-7 * states)
def lay_out(circuit: Circuit, states: int, by_traps: bool) -> Ints:
    """Where the weights of each state begin; behind the last state, the number of weights."""
    spans = np.empty(states + 1, np.int64)
    at = 0
    for state in range(states):
        spans[state] = at
        at += circuit.most[state] - circuit.fewest[state] + 1 if by_traps else 1
    spans[states] = at
    return spans


@kernel
def rescale(
    live: NDArray[np.bool_], begin: int, end: int, spans: Ints, values: Floats, only_whether: bool
) -> float:
    """Bring the weights of the states from `begin` to `end` into range; returns what they are multiplied by.

    That is 0 if a live state has become too small for a number.
    """
    largest, scale = 0.0, 1.0
    for i in range(spans[begin], spans[end]):
        if only_whether and values[i] > 0.0:
            values[i] = 1.0
        largest = max(largest, values[i])
    while largest > LARGE:
        largest /= LARGE
        scale /= LARGE
    while 0.0 < largest < 1.0 / LARGE:
        largest *= LARGE
        scale *= LARGE
    for state in range(begin, end):
        heaviest = 0.0
        for i in range(spans[state], spans[state + 1]):
            values[i] *= scale
            heaviest = max(heaviest, values[i])
        if live[state] and heaviest < SMALLEST:
            return 0.0
    return scale


@kernel(
    estimate=lambda _, first, last, circuit, __, spans, *___: (
        2e-6 * (spans[circuit.starts[last]] - spans[circuit.starts[first]])
    )
)
def weigh(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    live: NDArray[np.bool_],
    spans: Ints,
    by_traps: bool,
    trap_weight: float,
    only_whether: bool,
    values: Floats,
    scale: Floats,
) -> bool:
    """Weigh the states of the steps from `first` to `last`, summed over the ways to reach them.

    Each trap counts `trap_weight`. False if weights differ by more than a number can hold.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    for step in range(first, last):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            values[spans[begin]] = 1.0
            continue
        low = starts[circuit.below[step]]
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if not live[state]:
                    continue
                to = spans[state]
                if gem[state] != NO_LINK:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i]
                if trap[state] != NO_LINK:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i] * trap_weight
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    factor = values[i]
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        values[at + j] += factor * values[j]
        scale[step] = rescale(live, begin, end, spans, values, only_whether)
        if scale[step] == 0.0:
            return False
    return True


@kernel(estimate=lambda _, __, ___, values: 1e-7 * values.size)
def root_weights(plan: CountPlan, circuit: Circuit, spans: Ints, values: Floats) -> tuple[Floats, Ints, int]:
    """The weights of all parts one after the other, where each begins, and the fewest traps of all."""
    parts = plan.roots.size
    bounds = np.zeros(parts + 1, np.int64)
    fewest = 0
    for part in range(parts):
        step = plan.roots[part]
        first, last = circuit.starts[step], circuit.starts[step + 1]
        bounds[part + 1] = bounds[part] + spans[last] - spans[first]
        fewest += circuit.fewest[first]
    roots = np.empty(bounds[parts], np.float64)
    for part in range(parts):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            roots[bounds[part] + i] = values[first + i]
    return roots, bounds, fewest


@kernel(estimate=lambda _, __, ___, ____, counts: 1e-7 * counts.size)
def root_shares(plan: CountPlan, circuit: Circuit, spans: Ints, bounds: Ints, counts: Floats) -> Floats:
    """What `trace_back` begins with: how much each weight of a root counts, and 0 for all others."""
    share = np.zeros(spans[-1], np.float64)
    for part in range(plan.roots.size):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            share[first + i] = counts[bounds[part] + i]
    return share


@kernel(
    estimate=lambda _, first, last, circuit, __, spans, *___: (
        4e-6 * (spans[circuit.starts[last]] - spans[circuit.starts[first]])
    )
)
def trace_back(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    live: NDArray[np.bool_],
    spans: Ints,
    by_traps: bool,
    trap_weight: float,
    only_whether: bool,
    values: Floats,
    scale: Floats,
    share: Floats,
    with_traps: Floats,
    with_gems: Floats,
) -> None:
    """Go through the steps from `last` back to `first`, and find what the traps and gems of a cell weigh.

    For each cell, `with_traps` gets the weight of all solutions with a trap in it, and `with_gems` that of
    all with a gem. `share` has for each weight of a root how much it counts; the rest of it is filled in
    with what a weight adds to the sum over all solutions.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    for step in range(last - 1, first - 1, -1):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            continue
        low, factor = starts[circuit.below[step]], scale[step]
        if only_whether:
            for i in range(spans[begin], spans[end]):
                if share[i] > 0.0:
                    share[i] = 1.0
        if plan.kind[step] == ADD_CELL:
            with_trap, with_gem = 0.0, 0.0
            for state in range(begin, end):
                if not live[state]:
                    continue
                to = spans[state]
                if gem[state] != NO_LINK:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor
                        share[i] += passed
                        with_gem += passed * values[i]
                if trap[state] != NO_LINK:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor * trap_weight
                        share[i] += passed
                        with_trap += passed * values[i]
            with_traps[plan.cell[step]], with_gems[plan.cell[step]] = with_trap, with_gem
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        passed = share[at + j] * factor
                        share[i] += passed * values[j]
                        share[j] += passed * values[i]


@kernel(estimate=lambda with_traps, _: 2e-7 * with_traps.size)
def all_certain(with_traps: Floats, with_gems: Floats) -> bool:
    """Whether every cell has a weight that is positive and finite."""
    sums = with_traps + with_gems
    return bool(np.all((sums > 0.0) & (sums < np.inf)))
