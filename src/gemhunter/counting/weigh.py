"""All solutions of a board weighed: the probability of a trap in each cell, and the forced cells.

The functions work in slices on circuits of any size. `positions` does the same at once on small boards, and
`combine` puts parts together under a known total.
"""

import math
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.board.puzzle import STORED_TOTAL_LIMIT
from gemhunter.counting.board_circuit import OUT_OF_RANGE, BoardCircuit, CompleteCircuit
from gemhunter.counting.combine import shares
from gemhunter.counting.plan import NoSolution
from gemhunter.counting.sweep import Weights, all_certain, root_weights
from gemhunter.jit.kernel import Floats, Ints
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.wording import counted

WEIGHED, UNSOLVABLE, TOO_LARGE = 0, 1, 2
"""Results of weighing a board in one call; one that is `TOO_LARGE` can still be weighed in slices."""

UNKNOWN_TOTAL = -1

EXACT_TOTAL_CELLS = 900
"""With more hidden cells, the weights of different totals may exceed the range of floating-point numbers."""

STATES_AT_ONCE = 20_000
"""Boards with more states are weighed in slices, so that they can be stopped."""


@dataclass(frozen=True, slots=True, eq=False)
class WeighedBoard:
    """A circuit with the weight of every state, and how much each weight of a part counts on the whole board.

    Part p has the weights `roots[bounds[p]:bounds[p+1]]`, which count `counts[bounds[p]:bounds[p+1]]` times.
    With a total, `rest` is the number of traps in parts and untouched cells beyond the fewest that the parts
    can have, and `surplus[k]` is the weight of all ways in which the parts have k of these. Without a total,
    parts do not depend on each other.
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
        """The weight of all solutions with a trap in each of `Parts.group_cells`, and with a gem."""
        return self.circuit.trace_back(run, self.weights, self.bounds, self.counts)


def weigh_board(
    board: BoardCircuit, run: Run, *, total: int | None, trap_weight: float = 1.0, only_whether: bool = False
) -> WeighedBoard | NoSolution | GaveUp:
    """Weigh all solutions with `total` traps equally; without a total, a trap counts `trap_weight` times."""
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
    elif (exact := _of_small_board(circuit, run, total)) is not None:
        return exact
    else:
        weighed = _with_total(circuit, run, total)
    return _probabilities(weighed, run) if isinstance(weighed, WeighedBoard) else weighed


def _of_small_board(circuit: CompleteCircuit, run: Run, total: int) -> Floats | NoSolution | GaveUp | None:
    """The probabilities that the kernel `weigh_position` would compute; None for boards too large for it."""
    plan = circuit.board
    begun = circuit.states.starts[: plan.steps].max(initial=0)
    if np.count_nonzero(plan.codes == HIDDEN) > EXACT_TOTAL_CELLS or begun >= STATES_AT_ONCE:
        return None
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0)
    if isinstance(weights, GaveUp):
        return None if weights == OUT_OF_RANGE else weights
    weighed = _with_shares(circuit, weights, min(total, STORED_TOTAL_LIMIT) - plan.traps)
    if weighed.surplus is None or weighed.surplus.sum() == 0.0:
        return NoSolution()
    probabilities = _probabilities(weighed, run)
    return None if isinstance(probabilities, GaveUp) and probabilities == OUT_OF_RANGE else probabilities


def _probabilities(weighed: WeighedBoard, run: Run) -> Floats | GaveUp:
    plan = weighed.circuit.board
    sums = weighed.traps_and_gems(run)
    if isinstance(sums, GaveUp):
        return sums
    with_trap, with_gem = sums
    if not all_certain(with_trap, with_gem):
        return OUT_OF_RANGE
    result = np.where(plan.codes == TRAP, 1.0, 0.0).ravel()
    result[plan.grid.cells.ravel() != HIDDEN] = np.nan
    result[plan.untouched] = weighed.untouched_risk
    result[plan.parts.group_cells] = with_trap / (with_trap + with_gem)
    return result


def forced_codes(board: BoardCircuit, run: Run, total: int | None) -> NDArray[np.int8] | NoSolution | GaveUp:
    """The codes of the board, with every cell filled in that all solutions agree on."""
    weighed = weigh_board(board, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    sums = weighed.traps_and_gems(run)
    if isinstance(sums, GaveUp):
        return sums
    can_be_trap, can_be_gem = sums
    plan = weighed.circuit.board
    codes = plan.codes.copy().ravel()
    codes[plan.parts.group_cells[can_be_trap == 0.0]] = GEM
    codes[plan.parts.group_cells[can_be_gem == 0.0]] = TRAP
    if weighed.surplus is not None and plan.untouched.size:
        # The numbers of traps that untouched cells can have. These cells are interchangeable, so all of them
        # are forced or none is.
        in_untouched = weighed.rest - np.flatnonzero(weighed.surplus)
        if in_untouched.max() == 0:
            codes[plan.untouched] = GEM
        elif in_untouched.min() == plan.untouched.size:
            codes[plan.untouched] = TRAP
    return codes.reshape(plan.codes.shape)


def _without_total(
    circuit: CompleteCircuit, run: Run, trap_weight: float, *, only_whether: bool = False
) -> WeighedBoard | GaveUp:
    """Weigh all solutions with any number of traps."""
    weights = circuit.weigh(run, by_traps=False, trap_weight=trap_weight, only_whether=only_whether)
    if isinstance(weights, Weights):
        return _independent(circuit, weights, trap_weight)
    if trap_weight == 1.0 or weights != OUT_OF_RANGE:
        return weights
    # Powers of this trap weight are out of range, so count solutions by traps, and scale the powers.
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0)
    if isinstance(weights, GaveUp):
        return weights
    weighed = _independent(circuit, weights, trap_weight)
    for low, high in pairwise(weighed.bounds.tolist()):
        with np.errstate(divide="ignore"):
            powers = np.arange(high - low) * math.log(trap_weight)
            largest = (powers + np.log(weighed.roots[low:high])).max()
            weighed.counts[low:high] = np.exp(powers - largest)
    return weighed


def _independent(circuit: CompleteCircuit, weights: Weights, trap_weight: float) -> WeighedBoard:
    """A board without a total: its parts do not depend on each other, and all their weights count once."""
    roots, bounds, _ = root_weights(circuit.board.plan, circuit.states, weights)
    risk = trap_weight / (1.0 + trap_weight)
    return WeighedBoard(circuit, weights, roots, bounds, np.ones(roots.size), risk)


def _with_total(
    circuit: CompleteCircuit, run: Run, total: int, *, only_whether: bool = False
) -> WeighedBoard | NoSolution | GaveUp:
    """Weigh all solutions with `total` traps, if there are any.

    All of them have the same number of traps, so any trap weight gives the same probabilities. The one for
    which this number is the mean keeps their weights within the range of floating-point numbers.
    """
    plan = circuit.board
    weights = circuit.weigh(run, by_traps=True, trap_weight=1.0, only_whether=True)
    if isinstance(weights, GaveUp):
        return weights
    roots, bounds, fewest = root_weights(plan.plan, circuit.states, weights)
    traps = total - plan.traps
    if not _adds_up(roots, bounds, plan.untouched.size, traps - fewest):
        return NoSolution()
    # `shares` keeps a weight for each part and each number of traps in the parts before it.
    if np.diff(bounds).sum() * float(bounds.size) > 100_000_000:
        return GaveUp(StopReason.MEMORY, f"the totals of {counted(bounds.size - 1, 'part')} would not fit")
    if not only_whether:
        weights = circuit.weigh(run, by_traps=True, trap_weight=_tilt(circuit, run, traps))
        if isinstance(weights, GaveUp):
            return weights
    weighed = _with_shares(circuit, weights, traps)
    return OUT_OF_RANGE if weighed.surplus is None or weighed.surplus.sum() == 0.0 else weighed


def _adds_up(roots: Floats, bounds: Ints, untouched: int, rest: int) -> bool:
    """Whether parts and untouched cells can have `rest` traps together.

    `roots` is positive for the numbers of traps that each part can have. The possible sums are bits of
    `sums`.
    """
    if rest < 0:
        return False
    sums = 1
    for low, high in pairwise(bounds.tolist()):
        moved = 0
        for more in np.flatnonzero(roots[low:high] > 0.0).tolist():
            moved |= sums << more
        sums = moved
    # Untouched cells can take up to `untouched` traps, so parts must have from rest - untouched to rest.
    wanted = sums >> max(0, rest - untouched) & (1 << min(rest, untouched) + 1) - 1
    return wanted != 0


def _tilt(circuit: CompleteCircuit, run: Run, traps: int) -> float:
    """The trap weight for which the mean number of traps is `traps` (exponential tilting), by bisection."""
    # Traps that weigh e^12 leave hardly any gems. A logarithm to a tenth is precise enough.
    low, high = -12.0, 12.0
    while high - low > 0.1:
        middle = (low + high) / 2
        mean = _mean_traps(circuit, run, math.exp(middle))
        if mean is None:
            break
        low, high = (middle, high) if mean < traps else (low, middle)
    return math.exp((low + high) / 2)


def _mean_traps(circuit: CompleteCircuit, run: Run, trap_weight: float) -> float | None:
    """The mean number of traps in undecided cells with this trap weight; None if weights are out of range."""
    weights = circuit.weigh(run, by_traps=False, trap_weight=trap_weight)
    if isinstance(weights, GaveUp):
        return None
    weighed = _independent(circuit, weights, trap_weight)
    sums = weighed.traps_and_gems(run)
    if isinstance(sums, GaveUp) or not all_certain(*sums):
        return None
    with_trap, with_gem = sums
    in_parts = float((with_trap / (with_trap + with_gem)).sum())
    return in_parts + circuit.board.untouched.size * weighed.untouched_risk


def _with_shares(circuit: CompleteCircuit, weights: Weights, traps: int) -> WeighedBoard:
    """A board whose parts and untouched cells have `traps` traps together."""
    roots, bounds, fewest = root_weights(circuit.board.plan, circuit.states, weights)
    untouched, rest = circuit.board.untouched.size, traps - fewest
    counts, risk, surplus = shares(roots, bounds, untouched, rest, weights.trap_weight, weights.only_whether)
    return WeighedBoard(circuit, weights, roots, bounds, counts, risk, surplus, rest)
