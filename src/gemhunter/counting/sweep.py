"""Weighing a circuit: forwards, the ways to reach each state; backwards, what each adds to the whole."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.counting.circuit import NO_LINK, Circuit
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan
from gemhunter.jit.kernel import Flags, Floats, Ints, kernel


class Weights(NamedTuple):
    """The weight of every live state: the number of ways to reach it, each trap counted `trap_weight` times.

    A live state is one that a solution goes through. A state has one weight, or with `by_traps` one for each
    number of traps it can have: the weights of state i begin at `values[spans[i]]`, that for `fewest[i]`
    traps first. The weights of step s are multiplied by `scale[s]`, a power of two, to stay within range.
    Nothing is subtracted, so relative errors stay small. With `only_whether` every positive weight becomes 1,
    so that no possibility is lost because it is too small for a floating-point number.
    """

    live: Flags
    spans: Ints
    values: Floats
    scale: Floats
    by_traps: bool
    trap_weight: float
    only_whether: bool


# Weighing: forwards, the ways to reach each state; backwards, what each state adds to the whole.


@kernel(estimate=lambda _, steps, circuit: 1e-6 * circuit.starts[steps])
def mark_live(plan: CountPlan, steps: int, circuit: Circuit) -> NDArray[np.bool_]:
    """Mark the states that a solution goes through, from the roots of the parts backwards."""
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
def place_weights(circuit: Circuit, states: int, by_traps: bool) -> Ints:
    """Where the weights of each state begin; after the last state, the number of weights."""
    spans = np.empty(states + 1, np.int64)
    at = 0
    for state in range(states):
        spans[state] = at
        at += circuit.most[state] - circuit.fewest[state] + 1 if by_traps else 1
    spans[states] = at
    return spans


@kernel(
    estimate=lambda _, first, last, circuit, w, *more: (
        (4e-6 if more[-1] else 2e-6) * (w.spans[circuit.starts[last]] - w.spans[circuit.starts[first]])
    )
)
def sweep(
    plan: CountPlan,
    first: int,
    last: int,
    circuit: Circuit,
    w: Weights,
    share: Floats,
    with_trap: Floats,
    with_gem: Floats,
    backwards: bool,
) -> bool:
    """Follow every link between the states of the steps from `first` to `last`, forwards or backwards.

    Forwards, each state sums the weights of the states that it arises from. Return false if weights exceed
    the range of floating-point numbers. Backwards (the chain rule), `share` says at first how much each
    weight of a root counts. Each state passes its share on to the states that it arises from, until `share`
    says how much each weight counts in the sum over all solutions. For each cell, `with_trap` gets the weight
    of all solutions with a trap in it, and `with_gem` of those with a gem. Forwards these three arrays are
    not used.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    live, spans, values, scale, by_traps = w.live, w.spans, w.values, w.scale, w.by_traps
    for number in range(last - first):
        step = last - 1 - number if backwards else first + number
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN_TABLE:
            if not backwards:
                values[spans[begin]] = 1.0
            continue
        # Forwards, this step's weights were multiplied by `factor`, so backwards its shares are too.
        low, factor = starts[circuit.below[step]], scale[step]
        if backwards and w.only_whether:
            for i in range(spans[begin], spans[end]):
                if share[i] > 0.0:
                    share[i] = 1.0
        if plan.kind[step] == ADD_CELL:
            for state in range(begin, end):
                if not live[state]:
                    continue
                for is_trap in range(2):
                    link = trap[state] if is_trap else gem[state]
                    if link == NO_LINK:
                        continue
                    source = low + link
                    # Weight i of the source goes into weight `to + i` of the state: with `by_traps`, the one
                    # for as many traps, or one more.
                    to = spans[state] - spans[source]
                    if by_traps:
                        to += fewest[source] + is_trap - fewest[state]
                    cell_weight = w.trap_weight if is_trap else 1.0
                    if backwards:
                        sums = with_trap if is_trap else with_gem
                        total = sums[plan.cell[step]]
                        for i in range(spans[source], spans[source + 1]):
                            passed = share[to + i] * factor * cell_weight
                            share[i] += passed
                            total += passed * values[i]
                        sums[plan.cell[step]] = total
                    else:
                        for i in range(spans[source], spans[source + 1]):
                            values[to + i] += values[i] * cell_weight
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                if not live[state]:
                    continue
                # Weights i and j of the two states go into weight `to + i + j` of the state they make.
                to = spans[state] - spans[left] - spans[right]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    if backwards:
                        for j in range(spans[right], spans[right + 1]):
                            passed = share[to + i + j] * factor
                            share[i] += passed * values[j]
                            share[j] += passed * values[i]
                    else:
                        weight = values[i]
                        for j in range(spans[right], spans[right + 1]):
                            values[to + i + j] += weight * values[j]
        if not backwards:
            scale[step] = rescale(live, begin, end, spans, values, w.only_whether)
            if scale[step] == 0.0:
                return False
    return True


@kernel
def rescale(
    live: NDArray[np.bool_], begin: int, end: int, spans: Ints, values: Floats, only_whether: bool
) -> float:
    """Multiply the weights of the states from `begin` to `end` to bring them into range; return the factor.

    It is 0 if the weights of a live state are too small for a floating-point number.
    """
    large = 2.0**200
    largest, scale = 0.0, 1.0
    for i in range(spans[begin], spans[end]):
        if only_whether and values[i] > 0.0:
            values[i] = 1.0
        largest = max(largest, values[i])
    while largest > large:
        largest /= large
        scale /= large
    while 0.0 < largest < 1.0 / large:
        largest *= large
        scale *= large
    for state in range(begin, end):
        heaviest = 0.0
        for i in range(spans[state], spans[state + 1]):
            values[i] *= scale
            heaviest = max(heaviest, values[i])
        # Below this, parts of the sum may have fallen below the smallest normal number and lost precision.
        if live[state] and heaviest < 2.0**-960:
            return 0.0
    return scale


@kernel(estimate=lambda *arguments: 1e-7 * arguments[-1].values.size)
def root_weights(plan: CountPlan, circuit: Circuit, w: Weights) -> tuple[Floats, Ints, int]:
    """The weights of the roots of all parts, where those of each part begin, and the fewest traps in all."""
    parts = plan.roots.size
    bounds = np.zeros(parts + 1, np.int64)
    fewest = 0
    for part in range(parts):
        step = plan.roots[part]
        first, last = circuit.starts[step], circuit.starts[step + 1]
        bounds[part + 1] = bounds[part] + w.spans[last] - w.spans[first]
        fewest += circuit.fewest[first]
    roots = np.empty(bounds[parts], np.float64)
    for part in range(parts):
        first = w.spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            roots[bounds[part] + i] = w.values[first + i]
    return roots, bounds, fewest


@kernel(estimate=lambda _, __, ___, ____, counts: 1e-7 * counts.size)
def root_shares(plan: CountPlan, circuit: Circuit, spans: Ints, bounds: Ints, counts: Floats) -> Floats:
    """The shares with which `sweep` begins backwards: those of the roots, and 0 for all other weights."""
    share = np.zeros(spans[-1], np.float64)
    for part in range(plan.roots.size):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            share[first + i] = counts[bounds[part] + i]
    return share


@kernel(estimate=lambda with_traps, _: 2e-7 * with_traps.size)
def all_certain(with_traps: Floats, with_gems: Floats) -> bool:
    """Whether the weight of all solutions is positive and finite at every cell."""
    sums = with_traps + with_gems
    return bool(np.all((sums > 0.0) & (sums < np.inf)))
