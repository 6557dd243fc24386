"""All solutions of the parts of a board, weighed in one go: built, weighed forwards, traced backwards.

What Python does in slices for circuits of any size (`counting.circuit`), these kernels do for small ones.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.counting.circuit import (
    INCOMPLETE,
    NO_PAIRS,
    NO_STATES,
    Circuit,
    build,
    make_circuit,
)
from gemhunter.kernels.counting.make_plan import plan_parts
from gemhunter.kernels.counting.plan import FITS, CountPlan
from gemhunter.kernels.counting.weights import (
    all_certain,
    lay_out,
    mark_live,
    root_shares,
    root_weights,
    trace_back,
    weigh,
)
from gemhunter.kernels.structure.parts import Parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WEIGHED, UNSOLVABLE, TOO_LARGE = 0, 1, 2
"""What came of weighing a board; a board that is `TOO_LARGE` can still be weighed in slices."""

FIRST_STATE_ROOM, FIRST_PAIR_ROOM = 2_048, 512


class PartWeights(NamedTuple):
    """The weights of all states, as `weights` lays them out, and those of whole parts.

    Part p has the weights `roots[bounds[p]:bounds[p+1]]`. All parts together have at least `fewest` traps.
    """

    live: NDArray[np.bool_]
    spans: Ints
    values: Floats
    scale: Floats
    roots: Floats
    bounds: Ints
    fewest: int


@kernel(inline=True)
def build_parts(parts: Parts, last: int) -> tuple[int, CountPlan, int, Circuit]:
    """Plan the parts and build their circuit, in as much room as it takes.

    Returns `COMPLETE`, `EMPTY_TABLE` if there is no solution, or `INCOMPLETE` if the parts are too wide or
    have `last` states or more; then the plan, its number of steps, and the circuit.
    """
    fits, plan, steps = plan_parts(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    states, pairs = FIRST_STATE_ROOM, FIRST_PAIR_ROOM
    if fits != FITS:
        return INCOMPLETE, plan, steps, make_circuit(0, 0, 0)
    circuit = make_circuit(steps, states, pairs)
    answer = build(plan, steps, circuit, last)
    while answer in (NO_STATES, NO_PAIRS):
        if answer == NO_STATES:
            states *= 4
        else:
            pairs *= 4
        circuit = make_circuit(steps, states, pairs)
        answer = build(plan, steps, circuit, last)
    return answer, plan, steps, circuit


@kernel(inline=True)
def weigh_parts(
    plan: CountPlan, steps: int, circuit: Circuit, by_traps: bool, trap_weight: float
) -> tuple[bool, PartWeights]:
    """Weigh all states, each trap counting `trap_weight`; false if weights are out of range."""
    live = mark_live(plan, steps, circuit)
    spans = lay_out(circuit, circuit.starts[steps], by_traps)
    values, scale = np.zeros(spans[-1], np.float64), np.ones(steps, np.float64)
    in_range = weigh(plan, 0, steps, circuit, live, spans, by_traps, trap_weight, False, values, scale)
    roots, bounds, fewest = root_weights(plan, circuit, spans, values)
    return in_range, PartWeights(live, spans, values, scale, roots, bounds, fewest)


@kernel(inline=True)
def trace_parts(
    plan: CountPlan,
    steps: int,
    circuit: Circuit,
    by_traps: bool,
    trap_weight: float,
    w: PartWeights,
    counts: Floats,
    cells: int,
) -> tuple[bool, Floats, Floats]:
    """For each of the `cells` cells the weight of all solutions with a trap in it, and with a gem.

    Weight i of `w.roots` counts `counts[i]`. The first value is false if these weights are out of range.
    """
    share = root_shares(plan, circuit, w.spans, w.bounds, counts)
    with_trap, with_gem = np.zeros(cells, np.float64), np.zeros(cells, np.float64)
    trace_back(
        plan,
        0,
        steps,
        circuit,
        w.live,
        w.spans,
        by_traps,
        trap_weight,
        False,
        w.values,
        w.scale,
        share,
        with_trap,
        with_gem,
    )
    return all_certain(with_trap, with_gem), with_trap, with_gem
