"""How likely each open cell is a trap, and which values it can have at all, for boards of any size."""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.core.plurals import counted
from gemhunter.counting.passes import OUT_OF_RANGE, Passes, Weights
from gemhunter.counting.plan import NoSolution, Planned, build_circuit
from gemhunter.kernels.counting.positions import root_weights
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weights import all_certain
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from gemhunter.kernels.counting.circuit import Circuit

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LARGEST_SHARES = 100_000_000
"""Weights of a total that are kept at a time."""

STEEPEST = 12.0
"""The logarithm of the steepest tilt; e^12 times as much as a gem makes hardly any cell one."""

TILT_ERROR = 0.1
"""How well the logarithm of a tilt needs to be known."""


@dataclass(frozen=True, slots=True, eq=False)
class WeighedBoard:
    """A circuit with the weight of every state, and how much each weight of a part counts on the whole board.

    Part p has the weights `roots[bounds[p]:bounds[p+1]]`, which count `counts[bounds[p]:bounds[p+1]]`.
    With a total, `surplus` has the weights of all numbers of traps that the parts can have together
    beyond their fewest, and `rest` is what parts and free cells have beyond those; without, parts do not
    depend on each other.
    """

    planned: Planned
    circuit: "Circuit"
    weights: Weights
    roots: Floats
    bounds: Ints
    counts: Floats
    chance_of_free: float
    surplus: Floats | None = None
    rest: int = 0


def weigh_board(
    planned: Planned, run: Run, *, total: int | None, odds: float = 1.0, only_whether: bool = False
) -> WeighedBoard | NoSolution | GaveUp:
    """Weigh all solutions: those with `total` traps alike, or without it each trap `odds` times a gem."""
    circuit = build_circuit(planned, run)
    if isinstance(circuit, NoSolution | GaveUp):
        return circuit
    passes = Passes(planned, circuit, run)
    if total is not None:
        return _with_total(passes, total, only_whether=only_whether)
    weights = passes.weigh(by_traps=False, odds=odds, only_whether=only_whether)
    if isinstance(weights, Weights):
        return _independent(passes, weights, odds)
    return _by_density(passes, odds) if odds != 1.0 and weights == OUT_OF_RANGE else weights


def _independent(passes: Passes, weights: Weights, odds: float) -> WeighedBoard:
    """Parts that have nothing to do with each other, each weight counting the same."""
    roots, bounds, _ = root_weights(passes.planned.plan, passes.circuit, weights.spans, weights.values)
    return WeighedBoard(
        passes.planned, passes.circuit, weights, roots, bounds, np.ones(roots.size), odds / (1.0 + odds)
    )


def _by_density(passes: Passes, odds: float) -> WeighedBoard | GaveUp:
    """For odds so small or large that their powers are no numbers: solutions are sorted by traps first."""
    weights = passes.weigh(by_traps=True, odds=1.0, only_whether=False)
    if isinstance(weights, GaveUp):
        return weights
    weighed = _independent(passes, weights, odds)
    counts = weighed.counts
    for low, high in pairwise(weighed.bounds.tolist()):
        with np.errstate(divide="ignore"):
            powers = np.arange(high - low) * math.log(odds)
            counts[low:high] = np.exp(powers - (powers + np.log(weighed.roots[low:high])).max())
    return weighed


def _with_total(passes: Passes, total: int, *, only_whether: bool) -> WeighedBoard | NoSolution | GaveUp:
    """First whether the total is possible at all, then its weight, with traps counting what makes it likely.

    How much a trap counts does not matter where all solutions have the same number of them; but it keeps the
    weights that do matter from becoming too small for a number.
    """
    planned, circuit, free, odds = passes.planned, passes.circuit, passes.planned.free.size, 1.0
    weights = passes.weigh(by_traps=True, odds=odds, only_whether=True)
    if isinstance(weights, GaveUp):
        return weights
    roots, bounds, fewest = root_weights(planned.plan, circuit, weights.spans, weights.values)
    rest = total - planned.traps - fewest
    if not _adds_up(roots, bounds, free, rest):
        return NoSolution()
    if np.diff(bounds).sum() * float(bounds.size) > LARGEST_SHARES:
        return GaveUp(StopReason.MEMORY, f"the totals of {counted(bounds.size - 1, 'part')} would not fit")
    if not only_whether:
        odds = _tilt(passes, total - planned.traps)
        weights = passes.weigh(by_traps=True, odds=odds, only_whether=False)
        if isinstance(weights, GaveUp):
            return weights
        roots, bounds, fewest = root_weights(planned.plan, circuit, weights.spans, weights.values)
    counts, chance_of_free, surplus = shares(roots, bounds, free, rest, odds, only_whether)
    if surplus.sum() == 0.0:
        return OUT_OF_RANGE
    return WeighedBoard(planned, circuit, weights, roots, bounds, counts, chance_of_free, surplus, rest)


def chances(weighed: WeighedBoard, run: Run) -> Floats | GaveUp:
    """How likely each hidden cell is a trap, cell by cell in reading order; not a number for the others."""
    planned = weighed.planned
    found = traps_and_gems(weighed, run)
    if isinstance(found, GaveUp):
        return found
    trapped, spared = found
    if not all_certain(trapped, spared):
        return OUT_OF_RANGE
    result = np.where(planned.codes == TRAP, 1.0, 0.0).ravel()
    result[planned.grid.cells.ravel() != HIDDEN] = np.nan
    result[planned.free] = weighed.chance_of_free
    result[planned.parts.group_cells] = trapped / (trapped + spared)
    return result


def traps_and_gems(weighed: WeighedBoard, run: Run) -> tuple[Floats, Floats] | GaveUp:
    """For each cell of `Parts.group_cells`, the weight of all solutions with a trap in it, and with a gem."""
    passes = Passes(weighed.planned, weighed.circuit, run)
    return passes.trace_back(weighed.weights, weighed.bounds, weighed.counts)


def _adds_up(roots: Floats, bounds: Ints, free: int, rest: int) -> bool:
    """Whether parts and free cells can have `rest` traps together; `roots` says which numbers parts can have.

    Sums that are possible are the bits of a number.
    """
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


def _tilt(passes: Passes, traps: int) -> float:
    """What a trap must count for `traps` to be about their mean number; found by halving its logarithm."""
    low, high = -STEEPEST, STEEPEST
    while high - low > TILT_ERROR:
        middle = (low + high) / 2
        mean = _mean_traps(passes, math.exp(middle))
        if mean is None:
            break
        low, high = (middle, high) if mean < traps else (low, middle)
    return math.exp((low + high) / 2)


def _mean_traps(passes: Passes, odds: float) -> float | None:
    """How many undecided cells are traps on average, if each counts `odds`; None if that is out of range."""
    weights = passes.weigh(by_traps=False, odds=odds, only_whether=False)
    if isinstance(weights, GaveUp):
        return None
    weighed = _independent(passes, weights, odds)
    found = passes.trace_back(weights, weighed.bounds, weighed.counts)
    if isinstance(found, GaveUp) or not all_certain(*found):
        return None
    trapped, spared = found
    return float((trapped / (trapped + spared)).sum()) + passes.planned.free.size * weighed.chance_of_free
