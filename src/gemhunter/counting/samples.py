"""Solutions of a board drawn at random."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, TRAP, Grid
from gemhunter.counting.weighing import WeighedBoard
from gemhunter.kernels.counting.samples import draw_index, draw_surplus, draw_traps, sums_before
from gemhunter.kernels.random_state import new_random_state


class Urn:
    """Solutions of a weighed board, drawn one after the other with the chance that a seed gives."""

    def __init__(self, weighed: WeighedBoard, seed: int) -> None:
        self._weighed = weighed
        self._chance = new_random_state(seed)
        self._generator = np.random.default_rng([seed % 2**64, 2])
        self._before = np.empty(0)
        if weighed.surplus is not None:
            self._before = sums_before(weighed.roots, weighed.bounds, weighed.weights.only_whether)

    def draw(self) -> Grid | None:
        """One solution, each as likely as its weight says; None if these are too small for numbers."""
        weighed, planned, weights = self._weighed, self._weighed.planned, self._weighed.weights
        surplus = self._surplus()
        if np.any(surplus < 0):
            return None
        traps = np.zeros(planned.parts.group_cells.size, bool)
        draw_traps(
            planned.plan,
            planned.steps,
            weighed.circuit,
            weights.spans,
            weights.values,
            weights.by_traps,
            weights.odds,
            surplus,
            self._chance,
            traps,
        )
        codes = planned.codes.copy().ravel()
        codes[planned.parts.group_cells] = np.where(traps, TRAP, GEM)
        codes[planned.free] = np.where(self._free_traps(int(surplus.sum())), TRAP, GEM)
        return Grid(codes.reshape(planned.codes.shape))

    def _surplus(self) -> NDArray[np.int64]:
        """How many traps beyond its fewest each part gets, where traps are told apart; -1 for unknown."""
        weighed = self._weighed
        roots, bounds, parts = weighed.roots, weighed.bounds, weighed.bounds.size - 1
        if weighed.surplus is not None:
            surplus, traps = draw_surplus(roots, bounds, self._before, weighed.surplus, self._chance)
            return surplus if traps >= 0 else np.full(max(parts, 1), -1)
        if not weighed.weights.by_traps:
            return np.zeros(parts, np.int64)
        likely = roots * weighed.counts
        ranges = pairwise(bounds.tolist())
        return np.array([draw_index(likely[low:high], self._chance) for low, high in ranges], np.int64)

    def _free_traps(self, more: int) -> NDArray[np.bool_]:
        """Which of the free cells are traps, if the parts have so many beyond their fewest."""
        weighed, free = self._weighed, self._weighed.planned.free.size
        if weighed.surplus is None:
            return self._generator.random(free) < weighed.chance_of_free
        traps = np.zeros(free, bool)
        traps[self._generator.permutation(free)[: weighed.rest - more]] = True
        return traps
