"""Random solutions of a board, drawn from its weighed circuit with the probability that their weights give.

The number of traps of each part is drawn first. Then each part is traversed from its last step to its first,
and at each step one of the ways in which its state arises is drawn.
"""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Grid
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.circuit import NO_LINK, Circuit
from gemhunter.counting.combine import normalised, reaches
from gemhunter.counting.plan import ADD_CELL, BEGIN_TABLE, CountPlan, NoSolution
from gemhunter.counting.sweep import Weights
from gemhunter.counting.weigh import WeighedBoard, weigh_board
from gemhunter.jit.kernel import Floats, Ints, kernel
from gemhunter.jit.search_state import RandomState, new_random_state, share
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run


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
        """Draw a solution with probability proportional to its weight; None if weights are too small."""
        weights, circuit = self._weighed.weights, self._weighed.circuit
        plan = circuit.board
        surplus = self._surplus()
        if np.any(surplus < 0):
            return None
        traps = np.zeros(plan.parts.group_cells.size, bool)
        draw_traps(plan.plan, plan.steps, circuit.states, weights, surplus, self._random, traps)
        codes = plan.codes.copy().ravel()
        codes[plan.parts.group_cells] = np.where(traps, TRAP, GEM)
        codes[plan.untouched] = np.where(self._untouched_traps(int(surplus.sum())), TRAP, GEM)
        return Grid(codes.reshape(plan.codes.shape))

    def _surplus(self) -> NDArray[np.int64]:
        """Draw how many traps beyond its fewest each part gets; -1 if unknown, 0 if traps are not counted."""
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
        """Draw which untouched cells are traps if the parts have `surplus` traps beyond their fewest."""
        weighed, cells = self._weighed, self._weighed.circuit.board.untouched.size
        if weighed.surplus is None:
            return self._generator.random(cells) < weighed.untouched_risk
        traps = np.zeros(cells, bool)
        traps[self._generator.permutation(cells)[: weighed.rest - surplus]] = True
        return traps


def choose_solution(board: BoardCircuit, total: int | None, run: Run) -> Grid | NoSolution | GaveUp:
    """A solution, with `total` traps if that is given; gives up if the board is too wide."""
    weighed = weigh_board(board, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    drawn = Urn(weighed, run.seed).draw()
    if drawn is None:
        raise TypeError("with `only_whether`, no weight is too small")
    return drawn


@kernel(estimate=lambda roots, *_: 2e-7 * roots.size**2)
def sums_before(roots: Floats, bounds: Ints, only_whether: bool) -> Floats:
    """For each part, and for the end, the weight of each number of traps in the earlier parts."""
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
    """Draw how many traps beyond its fewest each part gets; return these and their sum, -1 if impossible.

    `weights` has the weight of each sum. The sum is drawn first, then the last part's share, and so on.
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
    w: Weights,
    surplus: Ints,
    random: RandomState,
    traps: NDArray[np.bool_],
) -> None:
    """Draw a solution of all parts into `traps`, cell by cell as in `Parts.group_cells`.

    Part p has `surplus[p]` traps more than its fewest, or any number if traps are not counted. Each table is
    used by only one later step, so going through the steps backwards chooses one state in each table.
    """
    starts, gem, trap, fewest = circuit.starts, circuit.gem, circuit.trap, circuit.fewest
    pairs, pair_starts = circuit.pairs, circuit.pair_starts
    spans, values, by_traps = w.spans, w.values, w.by_traps
    # In each table one state is chosen, and `chosen` says which of its weights.
    state_of, chosen = np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    for part in range(plan.roots.size):
        root = plan.roots[part]
        state_of[root] = starts[root]
        chosen[root] = spans[starts[root]] + (surplus[part] if by_traps else 0)
    for step in range(steps - 1, -1, -1):
        if plan.kind[step] == BEGIN_TABLE:
            continue
        state, source = state_of[step], circuit.below[step]
        more = chosen[step] - spans[state]
        low = starts[source]
        if plan.kind[step] == ADD_CELL:
            # Draw one of the two ways in which this state arises: with a gem in the cell, or with a trap.
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
                    within = values[other] * w.trap_weight
            is_trap = share(random) * (without + within) >= without
            traps[plan.cell[step]] = is_trap
            state_of[source] = low + (trap[state] if is_trap else gem[state])
            chosen[source] = other if is_trap else place
            continue
        high = starts[circuit.beside[step]]
        total = 0.0
        # Draw a pair in one pass: each replaces the one drawn so far with probability weight / total.
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
