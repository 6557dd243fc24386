"""Weighs the states of a circuit in floating point, forwards and backwards.

A state has a weight, or with `by_traps` one for each number of traps that it can have: state i of step s
has `most[i] - fewest[i] + 1` of them from `values[spans[i]]` on. All are multiplied by `scale[s]`, a
power of two that keeps them within range; with positive numbers only, errors stay relative. With
`only_whether` every positive weight becomes 1, so that no possibility can be lost by being too small for
a number.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.kernels.compiling import kernel
from gemhunter.kernels.counting.circuit import Circuit
from gemhunter.kernels.counting.plan import BEGIN, CELL, Plan
from gemhunter.kernels.counting.tables import NONE

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

LARGE = 2.0**200


@kernel
def lay_out(circuit: Circuit, states: int, by_traps: bool) -> Ints:
    """Where the weights of each state are, and behind the last one how many there are."""
    spans = np.empty(states + 1, np.int64)
    at = 0
    for state in range(states):
        spans[state] = at
        at += circuit.most[state] - circuit.fewest[state] + 1 if by_traps else 1
    spans[states] = at
    return spans


@kernel
def weigh(
    plan: Plan, steps: int, circuit: Circuit, spans: Ints, by_traps: bool, odds: float, only_whether: bool
) -> tuple[Floats, Floats]:
    """The weight of every state, summed over the ways to reach it, each trap counting `odds`; the scales."""
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    values = np.zeros(spans[spans.size - 1], np.float64)
    scale = np.ones(steps, np.float64)
    for step in range(steps):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN:
            values[spans[begin]] = 1.0
            continue
        low = starts[circuit.below[step]]
        if plan.kind[step] == CELL:
            for state in range(begin, end):
                to = spans[state]
                if gem[state] != NONE:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i]
                if trap[state] != NONE:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        values[to + shift + i - spans[source]] += values[i] * odds
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    factor = values[i]
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        values[at + j] += factor * values[j]
        largest = 0.0
        for i in range(spans[begin], spans[end]):
            if only_whether and values[i] > 0.0:
                values[i] = 1.0
            largest = max(largest, values[i])
        while largest > LARGE:
            largest /= LARGE
            scale[step] /= LARGE
        while 0.0 < largest < 1.0 / LARGE:
            largest *= LARGE
            scale[step] *= LARGE
        if scale[step] != 1.0:
            for i in range(spans[begin], spans[end]):
                values[i] *= scale[step]
    return values, scale


@kernel
def trace_back(
    plan: Plan,
    steps: int,
    circuit: Circuit,
    spans: Ints,
    by_traps: bool,
    odds: float,
    only_whether: bool,
    values: Floats,
    scale: Floats,
    share: Floats,
    cells: int,
) -> tuple[Floats, Floats]:
    """For each of so many cells, the weight of all solutions with a trap in it, and of those with a gem.

    `share` has for each weight of a root how much it counts; the rest of it is filled in: what a weight
    adds to the sum over all solutions.
    """
    starts, pair_starts, gem, trap = circuit.starts, circuit.pair_starts, circuit.gem, circuit.trap
    fewest, pairs = circuit.fewest, circuit.pairs
    trapped, spared = np.zeros(cells, np.float64), np.zeros(cells, np.float64)
    for step in range(steps - 1, -1, -1):
        begin, end = starts[step], starts[step + 1]
        if plan.kind[step] == BEGIN:
            continue
        low, factor = starts[circuit.below[step]], scale[step]
        if only_whether:
            for i in range(spans[begin], spans[end]):
                if share[i] > 0.0:
                    share[i] = 1.0
        if plan.kind[step] == CELL:
            with_trap, with_gem = 0.0, 0.0
            for state in range(begin, end):
                to = spans[state]
                if gem[state] != NONE:
                    source = low + gem[state]
                    shift = fewest[source] - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor
                        share[i] += passed
                        with_gem += passed * values[i]
                if trap[state] != NONE:
                    source = low + trap[state]
                    shift = fewest[source] + 1 - fewest[state] if by_traps else 0
                    for i in range(spans[source], spans[source + 1]):
                        passed = share[to + shift + i - spans[source]] * factor * odds
                        share[i] += passed
                        with_trap += passed * values[i]
            trapped[plan.cell[step]], spared[plan.cell[step]] = with_trap, with_gem
        else:
            high = starts[circuit.beside[step]]
            for pair in range(pair_starts[step], pair_starts[step + 1]):
                left, right = low + pairs[pair, 0], high + pairs[pair, 1]
                state = begin + pairs[pair, 2]
                to = spans[state]
                if by_traps:
                    to += fewest[left] + fewest[right] - fewest[state]
                for i in range(spans[left], spans[left + 1]):
                    at = to + i - spans[left] - spans[right]
                    for j in range(spans[right], spans[right + 1]):
                        passed = share[at + j] * factor
                        share[i] += passed * values[j]
                        share[j] += passed * values[i]
    return trapped, spared
