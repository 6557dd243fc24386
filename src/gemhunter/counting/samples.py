"""Solutions of a board drawn at random, or one of them chosen, from its weighed circuit."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Grid
from gemhunter.counting.circuit import NO_LINK, BoardCircuit, Circuit
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan, NoSolution
from gemhunter.counting.weigh import WeighedBoard, normalised, reaches, weigh_board
from gemhunter.jit.arrays import Floats, Ints
from gemhunter.jit.kernel import kernel
from gemhunter.jit.random_state import RandomState, new_random_state, share
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run

# Solutions drawn at random from a weighed circuit, each as often as its weight says.


@kernel
def draw_index(weights: Floats, random: RandomState) -> int:
    """A random index of `weights`, drawn with these weights; -1 if all are 0."""
    left = share(random) * weights.sum()
    last = -1
    for i in range(weights.size):
        if weights[i] > 0.0:
            last = i
            if left < weights[i]:
                return i
            left -= weights[i]
    return last


@kernel(estimate=lambda roots, *_: 2e-7 * roots.size**2)
def sums_before(roots: Floats, bounds: Ints, only_whether: bool) -> Floats:
    """For each part, and for the end, the weight of each number of traps in the parts before."""
    reach, at = reaches(bounds)
    before = np.zeros(at[-1], np.float64)
    before[0] = 1.0
    for part in range(bounds.size - 1):
        for k in range(reach[part + 1] + 1):
            for i in range(max(0, k - reach[part]), min(bounds[part + 1] - bounds[part], k + 1)):
                before[at[part + 1] + k] += before[at[part] + k - i] * roots[bounds[part] + i]
        normalised(before[at[part + 1] : at[part + 2]], only_whether)
    return before


@kernel(estimate=lambda roots, *_: 1e-6 * roots.size)
def draw_surplus(
    roots: Floats, bounds: Ints, before: Floats, weights: Floats, random: RandomState
) -> tuple[Ints, int]:
    """How many traps beyond its fewest each part gets, and how many all get together; -1 if none is possible.

    `weights` has the weight of each sum. The parts get theirs from the last to the first.
    """
    reach, at = reaches(bounds)
    parts = bounds.size - 1
    traps = draw_index(weights, random)
    surplus = np.zeros(parts, np.int64)
    left = traps
    for part in range(parts - 1, -1, -1):
        width = bounds[part + 1] - bounds[part]
        ways = np.zeros(width, np.float64)
        for i in range(max(0, left - reach[part]), min(width, left + 1)):
            ways[i] = roots[bounds[part] + i] * before[at[part] + left - i]
        surplus[part] = draw_index(ways, random)
        if surplus[part] < 0:
            return surplus, -1
        left -= surplus[part]
    return surplus, traps


@kernel(estimate=lambda _, steps, *__: 1e-6 * steps)
def draw_traps(
    plan: CountPlan,
    steps: int,
    circuit: Circuit,
    spans: Ints,
    values: Floats,
    by_traps: bool,
    trap_weight: float,
    surplus: Ints,
    random: RandomState,
    traps: NDArray[np.bool_],
) -> None:
    """Write one solution of all parts into `traps`, cell by cell as in `Parts.group_cells`.

    Part p has `surplus[p]` traps more than its fewest, or any number if traps are not counted. Only
    one later step uses each table, so the steps are gone through backwards, with one state chosen in each.
    """
    starts, gem, trap, fewest = circuit.starts, circuit.gem, circuit.trap, circuit.fewest
    pairs, pair_starts = circuit.pairs, circuit.pair_starts
    chosen = np.zeros(steps, np.int64)
    for part in range(plan.roots.size):
        chosen[plan.roots[part]] = spans[starts[plan.roots[part]]] + (surplus[part] if by_traps else 0)
    state_of = np.zeros(steps, np.int64)
    for part in range(plan.roots.size):
        state_of[plan.roots[part]] = starts[plan.roots[part]]
    for step in range(steps - 1, -1, -1):
        if plan.kind[step] == BEGIN_TABLE:
            continue
        state, source = state_of[step], circuit.below[step]
        more = chosen[step] - spans[state]
        low = starts[source]
        if plan.kind[step] == ADD_CELL:
            without, within = 0.0, 0.0
            place, other = np.int64(0), np.int64(0)
            if gem[state] != NO_LINK:
                place = spans[low + gem[state]] + more
                place += fewest[state] - fewest[low + gem[state]] if by_traps else 0
                if spans[low + gem[state]] <= place < spans[low + gem[state] + 1]:
                    without = values[place]
            if trap[state] != NO_LINK:
                other = spans[low + trap[state]] + more
                other += fewest[state] - 1 - fewest[low + trap[state]] if by_traps else 0
                if spans[low + trap[state]] <= other < spans[low + trap[state] + 1]:
                    within = values[other] * trap_weight
            is_trap = share(random) * (without + within) >= without
            traps[plan.cell[step]] = is_trap
            state_of[source] = low + (trap[state] if is_trap else gem[state])
            chosen[source] = other if is_trap else place
            continue
        high = starts[circuit.beside[step]]
        total = 0.0
        # Each way is drawn against all before it, so that one pass is enough.
        for pair in range(pair_starts[step], pair_starts[step + 1]):
            if starts[step] + pairs[pair, 2] != state:
                continue
            left, right = low + pairs[pair, 0], high + pairs[pair, 1]
            rest = more + (fewest[state] - fewest[left] - fewest[right] if by_traps else 0)
            for i in range(spans[left], spans[left + 1]):
                j = spans[right] + rest - (i - spans[left])
                if not spans[right] <= j < spans[right + 1]:
                    continue
                weight = values[i] * values[j]
                total += weight
                if share(random) * total < weight:
                    state_of[source], chosen[source] = left, i
                    state_of[circuit.beside[step]], chosen[circuit.beside[step]] = right, j


# Solutions of a board drawn at random, or one of them chosen, from its circuit.


class Urn:
    """Solutions of a weighed board, drawn one after the other; the seed decides which."""

    def __init__(self, weighed: WeighedBoard, seed: int) -> None:
        self._weighed = weighed
        self._random = new_random_state(seed)
        self._generator = np.random.default_rng([seed % 2**64, 2])
        self._before = np.empty(0)
        if weighed.surplus is not None:
            self._before = sums_before(weighed.roots, weighed.bounds, weighed.weights.only_whether)

    def draw(self) -> Grid | None:
        """One solution, as likely as its weight says; None if the weights are too small for numbers."""
        weights, circuit = self._weighed.weights, self._weighed.circuit
        plan = circuit.board
        surplus = self._surplus()
        if np.any(surplus < 0):
            return None
        traps = np.zeros(plan.parts.group_cells.size, bool)
        draw_traps(
            plan.plan,
            plan.steps,
            circuit.states,
            weights.spans,
            weights.values,
            weights.by_traps,
            weights.trap_weight,
            surplus,
            self._random,
            traps,
        )
        codes = plan.codes.copy().ravel()
        codes[plan.parts.group_cells] = np.where(traps, TRAP, GEM)
        codes[plan.untouched] = np.where(self._untouched_traps(int(surplus.sum())), TRAP, GEM)
        return Grid(codes.reshape(plan.codes.shape))

    def _surplus(self) -> NDArray[np.int64]:
        """How many traps beyond its fewest each part gets, where traps are counted; -1 for unknown."""
        weighed = self._weighed
        roots, bounds, parts = weighed.roots, weighed.bounds, weighed.bounds.size - 1
        if weighed.surplus is not None:
            surplus, traps = draw_surplus(roots, bounds, self._before, weighed.surplus, self._random)
            return surplus if traps >= 0 else np.full(max(parts, 1), -1)
        if not weighed.weights.by_traps:
            return np.zeros(parts, np.int64)
        weights = roots * weighed.counts
        ranges = pairwise(bounds.tolist())
        return np.array([draw_index(weights[low:high], self._random) for low, high in ranges], np.int64)

    def _untouched_traps(self, surplus: int) -> NDArray[np.bool_]:
        """Which untouched cells are traps, if the parts have `surplus` traps beyond their fewest."""
        weighed, cells = self._weighed, self._weighed.circuit.board.untouched.size
        if weighed.surplus is None:
            return self._generator.random(cells) < weighed.untouched_risk
        traps = np.zeros(cells, bool)
        traps[self._generator.permutation(cells)[: weighed.rest - surplus]] = True
        return traps


def choose_solution(board: BoardCircuit, total: int | None, run: Run) -> Grid | NoSolution | GaveUp:
    """A solution, with `total` traps if that is given, of a board that is narrow enough for its tables."""
    weighed = weigh_board(board, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    drawn = Urn(weighed, run.seed).draw()
    if drawn is None:
        raise TypeError("whether a total is possible is never too small for a number")
    return drawn
