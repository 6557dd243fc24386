"""Solutions of a board drawn at random, or one of them chosen, from its circuit."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, TRAP, Grid
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.counting.plan import NoSolution
from gemhunter.counting.weigh import WeighedBoard, weigh_board
from gemhunter.kernels.counting.samples import draw_index, draw_surplus, draw_traps, sums_before
from gemhunter.kernels.random_state import new_random_state
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
