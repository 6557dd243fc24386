"""How likely each open cell is a trap, and which values it can have at all, for boards of any size."""

import math
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.positions import root_weights
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weights import lay_out, trace_back, weigh
from gemhunter.solving.outcomes import GaveUp, Limit
from gemhunter.solving.run import Run
from gemhunter.structure.planning import NoSolution, Planned, build_circuit, tiny_plan

if TYPE_CHECKING:
    from gemhunter.kernels.counting.circuit import Circuit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LARGEST_SHARES = 100_000_000
"""Weights of a total that are kept at a time."""

STEEPEST = 30.0
"""The logarithm of the steepest tilt; traps that count e^30 times as much as gems are all there is."""


@dataclass(frozen=True, slots=True, eq=False)
class Weighed:
    """A circuit with the weight of every state, and how much each weight of a part counts on the whole board.

    `odds` is what a trap counts. With a total, `by_traps` is set, the traps in all parts beyond their
    fewest have the weights `surplus`, and `rest` is what parts and free cells have together beyond the
    fewest.
    """

    planned: Planned
    circuit: "Circuit"
    spans: Ints
    values: Floats
    scale: Floats
    by_traps: bool
    odds: float
    only_whether: bool
    counts: Floats
    chance_of_free: float
    surplus: Floats
    rest: int


def weigh_board(
    planned: Planned, run: Run, *, total: int | None, odds: float = 1.0, only_whether: bool = False
) -> Weighed | NoSolution | GaveUp:
    """Weigh all solutions: those with `total` traps alike, or without it each trap `odds` times a gem."""
    run.ready(compile_weighing)
    return _weigh_board(planned, run, total=total, odds=odds, only_whether=only_whether)


@cache
def compile_weighing() -> None:
    """Use the kernels of this file on a tiny board, so that none has to be compiled later."""
    weighed = _weigh_board(tiny_plan(), Run(), total=1, odds=1.0, only_whether=False)
    if isinstance(weighed, Weighed):
        traps_and_gems(weighed)


def _weigh_board(
    planned: Planned, run: Run, *, total: int | None, odds: float, only_whether: bool
) -> Weighed | NoSolution | GaveUp:
    circuit = build_circuit(planned, run)
    if isinstance(circuit, NoSolution | GaveUp):
        return circuit
    plan, steps, by_traps = planned.plan, planned.steps, total is not None
    spans = lay_out(circuit, int(circuit.starts[steps]), by_traps)
    if not run.fits(8 * 3 * int(spans[-1])):
        return GaveUp(Limit.MEMORY, f"{spans[-1]} weights would not fit")
    values, scale = weigh(plan, steps, circuit, spans, by_traps, odds, only_whether)
    roots, bounds, fewest = root_weights(plan, circuit, spans, values)
    if limit := run.spend():
        return GaveUp(limit)
    free = planned.free.size
    if total is None:
        parts = (np.ones(roots.size), odds / (1.0 + odds), np.ones(1), 0)
        return Weighed(planned, circuit, spans, values, scale, False, odds, only_whether, *parts)
    rest = total - planned.traps - fewest
    if not _adds_up(roots, bounds, free, rest):
        return NoSolution()
    if np.diff(bounds).sum() * float(bounds.size) > LARGEST_SHARES:
        return GaveUp(Limit.MEMORY, f"the totals of {bounds.size - 1} parts would not fit")
    if not only_whether:
        # A trap may count anything where the total is known; counting it so that the total is likely keeps
        # the weights that matter from becoming too small for a number.
        odds = _tilt(roots, bounds, free, rest)
        values, scale = weigh(plan, steps, circuit, spans, by_traps, odds, only_whether)
        roots, bounds, fewest = root_weights(plan, circuit, spans, values)
    counts, chance_of_free, surplus = shares(roots, bounds, free, rest, odds, only_whether)
    if surplus.sum() == 0.0:
        return GaveUp(Limit.UNDECIDED, "the weights of so rare a total are too small for a number")
    parts = (counts, chance_of_free, surplus, rest)
    return Weighed(planned, circuit, spans, values, scale, True, odds, only_whether, *parts)


def chances(weighed: Weighed) -> Floats:
    """How likely each hidden cell is a trap, cell by cell in reading order; not a number for the others."""
    planned = weighed.planned
    trapped, spared = traps_and_gems(weighed)
    result = np.where(planned.codes == TRAP, 1.0, 0.0).ravel()
    result[planned.grid.cells.ravel() != HIDDEN] = np.nan
    result[planned.free] = weighed.chance_of_free
    result[planned.parts.group_cells] = trapped / (trapped + spared)
    return result


def traps_and_gems(weighed: Weighed) -> tuple[Floats, Floats]:
    """For each cell of `Parts.group_cells`, the weight of all solutions with a trap in it, and with a gem."""
    planned, circuit, spans = weighed.planned, weighed.circuit, weighed.spans
    plan, steps = planned.plan, planned.steps
    share = np.zeros(weighed.values.size)
    _, bounds, _ = root_weights(plan, circuit, spans, weighed.values)
    first = spans[circuit.starts[plan.roots]]
    share[np.repeat(first - bounds[:-1], np.diff(bounds)) + np.arange(bounds[-1])] = weighed.counts
    return trace_back(
        plan,
        steps,
        circuit,
        spans,
        weighed.by_traps,
        weighed.odds,
        weighed.only_whether,
        weighed.values,
        weighed.scale,
        share,
        planned.parts.group_cells.size,
    )


def _adds_up(roots: Floats, bounds: Ints, free: int, rest: int) -> bool:
    """Whether parts and free cells can have `rest` traps together; possible sums are bits of a number."""
    if rest < 0:
        return False
    sums = 1
    for low, high in pairwise(bounds.tolist()):
        sums = _moved(sums, np.flatnonzero(roots[low:high] > 0.0).tolist())
    wanted = sums >> max(0, rest - free) & (1 << min(rest, free) + 1) - 1
    return wanted != 0


def _moved(sums: int, steps: list[int]) -> int:
    """The numbers that are one of `steps` above one of `sums`."""
    result = 0
    for step in steps:
        result |= sums << step
    return result


def _tilt(roots: Floats, bounds: Ints, free: int, rest: int) -> float:
    """What a trap must count for `rest` to be the mean number of traps; found by halving its logarithm."""
    sizes = np.diff(bounds)
    traps = np.arange(bounds[-1]) - np.repeat(bounds[:-1], sizes)
    with np.errstate(divide="ignore"):
        logarithms = np.log(roots)

    def mean(tilt: float) -> float:
        tilted = logarithms + tilt * traps
        if not sizes.size:
            return free / (1.0 + math.exp(-tilt))
        tilted = np.exp(tilted - np.repeat(np.maximum.reduceat(tilted, bounds[:-1]), sizes))
        means = np.add.reduceat(tilted * traps, bounds[:-1]) / np.add.reduceat(tilted, bounds[:-1])
        return float(means.sum() + free / (1.0 + math.exp(-tilt)))

    low, high = -STEEPEST, STEEPEST
    while high - low > 1e-3:
        middle = (low + high) / 2
        low, high = (middle, high) if mean(middle) < rest else (low, middle)
    return math.exp((low + high) / 2)
