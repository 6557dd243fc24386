"""All solutions of a board weighed: the probability of a trap in each cell, and the forced cells.

The Python functions work in slices on circuits of any size. Of the kernels after them, `weigh_positions` goes
from small boards to their probabilities in one call, and `shares` combines parts under a known total.
"""

import math
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.board.puzzle import STORED_TOTAL_LIMIT
from gemhunter.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NO_PAIRS,
    NO_STATES,
    OUT_OF_RANGE,
    BoardCircuit,
    Circuit,
    CompleteCircuit,
    Weights,
    all_certain,
    build,
    make_circuit,
    mark_live,
    place_weights,
    root_shares,
    root_weights,
    sweep,
)
from gemhunter.counting.parts import Parts, propagate_and_split
from gemhunter.counting.plan import FITS, CountPlan, NoSolution, plan_parts
from gemhunter.counting.propagate import CONFLICT_AT, GRID_MARGIN, GridState
from gemhunter.jit.kernel import Floats, Ints, kernel
from gemhunter.jit.search_state import NONE
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


# From a board to the probability of every cell in one call, for boards with small tables. These kernels do at
# once what the methods of `CompleteCircuit` do in slices.


class PartWeights(NamedTuple):
    """The weights of all states, and those of the parts: `roots[bounds[p]:bounds[p+1]]` for part p.

    All parts together have at least `fewest` traps.
    """

    weights: Weights
    roots: Floats
    bounds: Ints
    fewest: int


@kernel(estimate=lambda grids, *_: 4e-5 * grids.size)
def weigh_positions(
    grids: NDArray[np.int8],
    totals: Ints,
    trap_weight: float,
    last: int,
    risks: NDArray[np.float64],
    answers: NDArray[np.int8],
) -> None:
    """Weigh many boards of one size; `risks[i]` and `answers[i]` belong to `grids[i]`."""
    for i in range(grids.shape[0]):
        answers[i] = weigh_position(grids[i], totals[i], trap_weight, last, risks[i])


@kernel(inline=True)
def weigh_position(grid: NDArray[np.int8], total: int, trap_weight: float, last: int, risk: Floats) -> int:
    """Write the probability of a trap in each hidden cell into `risk`, in reading order; NaN for other cells.

    `total` is the number of traps on the whole board or `UNKNOWN_TOTAL`; without a total each trap counts
    `trap_weight` times. Return `WEIGHED`, `UNSOLVABLE` if there is no solution, or `TOO_LARGE` if that takes
    `last` states or more, or numbers are out of range.
    """
    board, parts = propagate_and_split(grid)
    if board.numbers[CONFLICT_AT] != NONE:
        return UNSOLVABLE
    traps, hidden = fill_decided(board, grid, risk, trap_weight / (1.0 + trap_weight))
    known = total != UNKNOWN_TOTAL
    if known and hidden > EXACT_TOTAL_CELLS:
        return TOO_LARGE
    answer, plan, steps, circuit = build_parts(parts, last)
    if answer == EMPTY_TABLE:
        return UNSOLVABLE
    if answer != COMPLETE:
        return TOO_LARGE
    weight = 1.0 if known else trap_weight
    in_range, w = weigh_parts(plan, steps, circuit, known, weight)
    if not in_range:
        return TOO_LARGE
    counts, cells = np.ones(w.roots.size, np.float64), parts.group_cells.size
    if known:
        untouched = hidden - cells
        counts, untouched_risk, ways = shares(
            w.roots, w.bounds, untouched, total - traps - w.fewest, 1.0, False
        )
        if ways.sum() == 0.0:
            return UNSOLVABLE
        if untouched > 0:
            fill_decided(board, grid, risk, untouched_risk)
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, w, counts, cells)
    if not certain:
        return TOO_LARGE
    for i in range(cells):
        risk[parts.group_cells[i]] = with_trap[i] / (with_trap[i] + with_gem[i])
    return WEIGHED


@kernel
def fill_decided(board: GridState, grid: NDArray[np.int8], risk: Floats, untouched: float) -> tuple[int, int]:
    """Write the risk 1 for traps, 0 for gems and `untouched` elsewhere; count traps and undecided cells."""
    rows, cols = grid.shape
    wide = cols + 2 * GRID_MARGIN
    traps, hidden = 0, 0
    for row in range(rows):
        for col in range(cols):
            code = board.codes[(row + GRID_MARGIN) * wide + col + GRID_MARGIN]
            index = row * cols + col
            if code == TRAP:
                traps += 1
            elif code == HIDDEN:
                hidden += 1
            if grid[row, col] != HIDDEN:
                risk[index] = np.nan
            elif code == HIDDEN:
                risk[index] = untouched
            else:
                risk[index] = 1.0 if code == TRAP else 0.0
    return traps, hidden


@kernel(inline=True)
def build_parts(parts: Parts, last: int) -> tuple[int, CountPlan, int, Circuit]:
    """Plan the parts and build their circuit, with more room whenever it runs out.

    Return `COMPLETE`, `EMPTY_TABLE` if there is no solution, or `INCOMPLETE` if the parts are too wide or
    have `last` states or more; then the plan, its number of steps, and the circuit.
    """
    fits, plan, steps = plan_parts(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    states, pairs = 2_048, 512
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
    """Weigh all states, where each trap counts `trap_weight` times; false if weights are out of range."""
    live = mark_live(plan, steps, circuit)
    spans = place_weights(circuit, circuit.starts[steps], by_traps)
    values, scale = np.zeros(spans[-1], np.float64), np.ones(steps, np.float64)
    weights, none = Weights(live, spans, values, scale, by_traps, trap_weight, False), np.empty(0, np.float64)
    in_range = sweep(plan, 0, steps, circuit, weights, none, none, none, False)
    roots, bounds, fewest = root_weights(plan, circuit, weights)
    return in_range, PartWeights(weights, roots, bounds, fewest)


@kernel(inline=True)
def trace_parts(
    plan: CountPlan, steps: int, circuit: Circuit, w: PartWeights, counts: Floats, cells: int
) -> tuple[bool, Floats, Floats]:
    """The weight of all solutions with a trap in each of the `cells` cells, and with a gem.

    Weight `w.roots[i]` counts `counts[i]` times. The first value is false if the results are out of range.
    """
    share = root_shares(plan, circuit, w.weights.spans, w.bounds, counts)
    with_trap, with_gem = np.zeros(cells, np.float64), np.zeros(cells, np.float64)
    sweep(plan, 0, steps, circuit, w.weights, share, with_trap, with_gem, True)
    return all_certain(with_trap, with_gem), with_trap, with_gem


# Parts combined under a total: how often each weight of a part counts for the whole board.
#
# `roots[bounds[p]:bounds[p+1]]` are the weights of part p by number of traps. The traps of the parts beyond
# their fewest and the traps in untouched cells must add up to `rest`.


@kernel(estimate=lambda roots, *_: 5e-7 * roots.size**2)
def shares(
    roots: Floats, bounds: Ints, untouched: int, rest: int, trap_weight: float, only_whether: bool
) -> tuple[Floats, float, Floats]:
    """How much each weight counts among those of its part, and what follows for untouched cells.

    Return these shares, the risk of an untouched cell, and the weight of each number of traps in all parts
    together. All shares are 0 if the total is impossible. Each trap counts `trap_weight` times, in the
    weights and in untouched cells. Its value does not matter, because all solutions have the same number of
    traps, but it keeps numbers within range.

    A part's weight for i traps is multiplied by the number of ways to place the rest elsewhere.
    So the weights of the parts before it are convolved with those of the parts after it.
    """
    parts = bounds.size - 1
    reach, at = reaches(bounds)
    # after[at[p] + k]: the weight of part p and all after it, if the parts before it have k traps.
    after = np.zeros(at[parts + 1], np.float64)
    after[at[parts] :] = untouched_weights(untouched, rest, reach[parts] + 1, trap_weight)
    normalised(after[at[parts] :], only_whether)
    for part in range(parts - 1, -1, -1):
        for k in range(reach[part] + 1):
            total = 0.0
            for i in range(bounds[part + 1] - bounds[part]):
                total += roots[bounds[part] + i] * after[at[part + 1] + k + i]
            after[at[part] + k] = total
        normalised(after[at[part] : at[part + 1]], only_whether)
    # before[k]: the weight of k traps in the parts before this one.
    result = np.zeros(roots.size, np.float64)
    before = np.zeros(reach[parts] + 1, np.float64)
    before[0] = 1.0
    for part in range(parts):
        width = bounds[part + 1] - bounds[part]
        for i in range(width):
            total = 0.0
            for k in range(reach[part] + 1):
                total += before[k] * after[at[part + 1] + k + i]
            result[bounds[part] + i] = total
        # A probability divides by the sum for its own part, so each part may be scaled separately.
        normalised(result[bounds[part] : bounds[part + 1]], only_whether)
        # From the top down, because `before` is overwritten in place.
        for k in range(reach[part + 1], -1, -1):
            total = 0.0
            for i in range(max(0, k - reach[part]), min(width, k + 1)):
                total += before[k - i] * roots[bounds[part] + i]
            before[k] = total
        normalised(before[: reach[part + 1] + 1], only_whether)
    ways, traps = 0.0, 0.0
    for k in range(reach[parts] + 1):
        before[k] *= after[at[parts] + k]
        ways += before[k]
        traps += before[k] * (rest - k)
    return result, traps / (ways * untouched) if ways > 0.0 and untouched > 0 else 0.0, before


@kernel
def reaches(bounds: Ints) -> tuple[Ints, Ints]:
    """The most surplus traps of the parts before each part, and where its list in `after` begins."""
    parts = bounds.size - 1
    reach, at = np.zeros(parts + 1, np.int64), np.zeros(parts + 2, np.int64)
    for part in range(parts):
        reach[part + 1] = reach[part] + bounds[part + 1] - bounds[part] - 1
    for part in range(parts + 1):
        at[part + 1] = at[part] + reach[part] + 1
    return reach, at


@kernel
def untouched_weights(untouched: int, rest: int, size: int, trap_weight: float) -> Floats:
    """For 0 to `size` - 1 of `rest` traps elsewhere, in how many ways untouched cells can have the others.

    Each trap counts `trap_weight` times. Only the ratios are right.
    """
    weights = np.zeros(size, np.float64)
    first, last = max(0, rest - untouched), min(size - 1, rest)
    if first > last:
        return weights
    # Neighbouring binomials have a simple ratio. Start where they are largest, so that none overflows.
    middle = min(max(rest - int(untouched * trap_weight / (1.0 + trap_weight)), first), last)
    weights[middle] = 1.0
    for i in range(middle - 1, first - 1, -1):
        traps = rest - i
        weights[i] = weights[i + 1] * trap_weight * (untouched - traps + 1) / traps
    for i in range(middle + 1, last + 1):
        traps = rest - i
        weights[i] = weights[i - 1] * (traps + 1) / (trap_weight * (untouched - traps))
    return weights


@kernel
def normalised(weights: Floats, only_whether: bool) -> None:
    """Scale weights so that the largest is 1; with `only_whether`, make every positive one 1."""
    largest = 0.0
    if only_whether:
        for i in range(weights.size):
            weights[i] = 1.0 if weights[i] > 0.0 else 0.0
    for weight in weights:
        largest = max(largest, weight)
    if largest > 0.0:
        for i in range(weights.size):
            weights[i] /= largest
