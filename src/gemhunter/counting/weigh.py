"""All solutions of a board weighed: the probability of a trap in each cell, and the cells that are forced."""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import LARGEST_STORED_TOTAL
from gemhunter.counting.circuit import OUT_OF_RANGE, BoardCircuit, CompleteCircuit, Weights
from gemhunter.counting.plan import NoSolution
from gemhunter.kernels.counting.positions import MOST_HIDDEN, MOST_STATES_AT_ONCE
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weights import all_certain, root_weights
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

LARGEST_SHARES = 100_000_000
"""Weights of a total that are kept at a time."""

STEEPEST = 12.0
"""The logarithm of the steepest tilt; traps that count e^12 times as much as gems leave hardly any gems."""

TILT_ERROR = 0.1
"""How well the logarithm of a tilt needs to be known."""


@dataclass(frozen=True, slots=True, eq=False)
class WeighedBoard:
    """A circuit with the weight of every state, and how much each weight of a part counts on the whole board.

    Part p has the weights `roots[bounds[p]:bounds[p+1]]`, which count `counts[bounds[p]:bounds[p+1]]`.
    With a total, `surplus` has the weight of each number of traps that the parts can have together beyond
    their fewest, and `rest` is the number that parts and untouched cells have beyond those. Without a
    total, parts do not depend on each other.
    """

    circuit: CompleteCircuit
    weights: Weights
    roots: Floats
    bounds: Ints
    counts: Floats
    untouched_risk: float
    surplus: Floats | None = None
    rest: int = 0

    def traps_and_gems(self, run: Run) -> tuple[Floats, Floats] | GaveUp:
        """For each of `Parts.group_cells`, the weight of all solutions with a trap in it, and with a gem."""
        return self.circuit.trace_back(run, self.weights, self.bounds, self.counts)


def weigh_board(
    board: BoardCircuit, run: Run, *, total: int | None, trap_weight: float = 1.0, only_whether: bool = False
) -> WeighedBoard | NoSolution | GaveUp:
    """Weigh all solutions with `total` traps alike; without a total, a trap counts `trap_weight` gems."""
    circuit = board.complete(run)
    if not isinstance(circuit, CompleteCircuit):
        return circuit
    if total is not None:
        return _with_total(circuit, run, total, only_whether=only_whether)
    return _without_total(circuit, run, trap_weight, only_whether=only_whether)


def cell_probabilities(
    board: BoardCircuit, run: Run, *, total: int | None, trap_weight: float = 1.0
) -> Floats | NoSolution | GaveUp:
    """The probability that each hidden cell is a trap, in reading order; NaN for the other cells."""
    circuit = board.complete(run)
    if not isinstance(circuit, CompleteCircuit):
        return circuit
    weighed: WeighedBoard | NoSolution | GaveUp
    if total is None:
        weighed = _without_total(circuit, run, trap_weight)
    else:
        found = _of_small_board(circuit, run, total)
        if found is not None:
            return found
        weighed = _with_total(circuit, run, total)
    return _probabilities(weighed, run) if isinstance(weighed, WeighedBoard) else weighed


def forced_codes(board: BoardCircuit, run: Run, total: int | None) -> NDArray[np.int8] | NoSolution | GaveUp:
    """The codes of the board with every cell filled in that is the same in all solutions."""
    weighed = weigh_board(board, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    found = weighed.traps_and_gems(run)
    if isinstance(found, GaveUp):
        return found
    can_be_trap, can_be_gem = found
    plan = weighed.circuit.board
    codes = plan.codes.copy().ravel()
    codes[plan.parts.group_cells[can_be_trap == 0.0]] = GEM
    codes[plan.parts.group_cells[can_be_gem == 0.0]] = TRAP
    if weighed.surplus is not None and plan.untouched.size:
        in_untouched = weighed.rest - np.flatnonzero(weighed.surplus)
        if in_untouched.max() == 0:
            codes[plan.untouched] = GEM
        elif in_untouched.min() == plan.untouched.size:
            codes[plan.untouched] = TRAP
    return codes.reshape(plan.codes.shape)


def _probabilities(weighed: WeighedBoard, run: Run) -> Floats | GaveUp:
    plan = weighed.circuit.board
    found = weighed.traps_and_gems(run)
    if isinstance(found, GaveUp):
        return found
    with_trap, with_gem = found
    if not all_certain(with_trap, with_gem):
        return OUT_OF_RANGE
    result = np.where(plan.codes == TRAP, 1.0, 0.0).ravel()
    result[plan.grid.cells.ravel() != HIDDEN] = np.nan
    result[plan.untouched] = weighed.untouched_risk
    result[plan.parts.group_cells] = with_trap / (with_trap + with_gem)
    return result


def _independent(circuit: CompleteCircuit, weights: Weights, trap_weight: float) -> WeighedBoard:
    """Parts that do not depend on each other; all their weights count alike."""
    roots, bounds, _ = root_weights(circuit.board.plan, circuit.states, weights.spans, weights.values)
    risk = trap_weight / (1.0 + trap_weight)
    return WeighedBoard(circuit, weights, roots, bounds, np.ones(roots.size), risk)


def _without_total(
    circuit: CompleteCircuit, run: Run, trap_weight: float, *, only_whether: bool = False
) -> WeighedBoard | GaveUp:
    """Weigh all solutions, whatever their number of traps."""
    weights = circuit.weigh(run, by_traps=False, trap_weight=trap_weight, only_whether=only_whether)
    if isinstance(weights, Weights):
        return _independent(circuit, weights, trap_weight)
    if trap_weight != 1.0 and weights == OUT_OF_RANGE:
        return _by_density(circuit, run, trap_weight)
    return weights


def _by_density(circuit: CompleteCircuit, run: Run, trap_weight: float) -> WeighedBoard | GaveUp:
    """For a trap weight whose powers are out of range: solutions are sorted by traps first."""
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0)
    if isinstance(weights, GaveUp):
        return weights
    weighed = _independent(circuit, weights, trap_weight)
    counts = weighed.counts
    for low, high in pairwise(weighed.bounds.tolist()):
        with np.errstate(divide="ignore"):
            powers = np.arange(high - low) * math.log(trap_weight)
            counts[low:high] = np.exp(powers - (powers + np.log(weighed.roots[low:high])).max())
    return weighed


def _of_small_board(circuit: CompleteCircuit, run: Run, total: int) -> Floats | NoSolution | GaveUp | None:
    """The probabilities that the kernel `weigh_position` would find; None if it would not find any."""
    plan = circuit.board
    begun = circuit.states.starts[: plan.steps].max(initial=0)
    if np.count_nonzero(plan.codes == HIDDEN) > MOST_HIDDEN or begun >= MOST_STATES_AT_ONCE:
        return None
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0)
    if isinstance(weights, GaveUp):
        return None if weights == OUT_OF_RANGE else weights
    weighed = _with_shares(circuit, weights, min(total, LARGEST_STORED_TOTAL) - plan.traps)
    if weighed.surplus is None or weighed.surplus.sum() == 0.0:
        return NoSolution()
    found = _probabilities(weighed, run)
    return None if isinstance(found, GaveUp) and found == OUT_OF_RANGE else found


def _with_shares(circuit: CompleteCircuit, weights: Weights, traps: int) -> WeighedBoard:
    """Parts and untouched cells that have `traps` traps together."""
    roots, bounds, fewest = root_weights(circuit.board.plan, circuit.states, weights.spans, weights.values)
    untouched, rest = circuit.board.untouched.size, traps - fewest
    counts, risk, surplus = shares(roots, bounds, untouched, rest, weights.trap_weight, weights.only_whether)
    return WeighedBoard(circuit, weights, roots, bounds, counts, risk, surplus, rest)


def _with_total(
    circuit: CompleteCircuit, run: Run, total: int, *, only_whether: bool = False
) -> WeighedBoard | NoSolution | GaveUp:
    """First whether the total is possible at all, then its weight, with traps counting what makes it likely.

    How much a trap counts does not matter where all solutions have the same number of them, but it keeps
    the weights that do matter from becoming too small for a number.
    """
    plan = circuit.board
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0, only_whether=True)
    if isinstance(weights, GaveUp):
        return weights
    roots, bounds, fewest = root_weights(plan.plan, circuit.states, weights.spans, weights.values)
    traps = total - plan.traps
    if not _adds_up(roots, bounds, plan.untouched.size, traps - fewest):
        return NoSolution()
    if np.diff(bounds).sum() * float(bounds.size) > LARGEST_SHARES:
        return GaveUp(StopReason.MEMORY, f"the totals of {counted(bounds.size - 1, 'part')} would not fit")
    if not only_whether:
        weights = circuit.weigh(run, by_traps=True, trap_weight=_tilt(circuit, run, traps))
        if isinstance(weights, GaveUp):
            return weights
    weighed = _with_shares(circuit, weights, traps)
    return OUT_OF_RANGE if weighed.surplus is None or weighed.surplus.sum() == 0.0 else weighed


def _adds_up(roots: Floats, bounds: Ints, untouched: int, rest: int) -> bool:
    """Whether parts and untouched cells can have `rest` traps; `roots` says which numbers parts can have.

    Sums that are possible are the bits of a number.
    """
    if rest < 0:
        return False
    sums = 1
    for low, high in pairwise(bounds.tolist()):
        moved = 0
        for more in np.flatnonzero(roots[low:high] > 0.0).tolist():
            moved |= sums << more
        sums = moved
    wanted = sums >> max(0, rest - untouched) & (1 << min(rest, untouched) + 1) - 1
    return wanted != 0


def _tilt(circuit: CompleteCircuit, run: Run, traps: int) -> float:
    """What a trap must weigh for `traps` to be about their mean number; found by halving its logarithm."""
    low, high = -STEEPEST, STEEPEST
    while high - low > TILT_ERROR:
        middle = (low + high) / 2
        mean = _mean_traps(circuit, run, math.exp(middle))
        if mean is None:
            break
        low, high = (middle, high) if mean < traps else (low, middle)
    return math.exp((low + high) / 2)


def _mean_traps(circuit: CompleteCircuit, run: Run, trap_weight: float) -> float | None:
    """The mean number of traps in undecided cells with this trap weight; None if it is out of range."""
    weights = circuit.weigh(run, by_traps=False, trap_weight=trap_weight)
    if isinstance(weights, GaveUp):
        return None
    weighed = _independent(circuit, weights, trap_weight)
    found = weighed.traps_and_gems(run)
    if isinstance(found, GaveUp) or not all_certain(*found):
        return None
    with_trap, with_gem = found
    in_parts = float((with_trap / (with_trap + with_gem)).sum())
    return in_parts + circuit.board.untouched.size * weighed.untouched_risk
