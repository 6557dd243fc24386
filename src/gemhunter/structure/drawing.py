"""Solutions of a board drawn at random."""

from functools import cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, TRAP, Grid
from gemhunter.kernels.chance import new_chance
from gemhunter.kernels.counting.drawing import draw_surplus, draw_traps, sums_before
from gemhunter.kernels.counting.positions import root_weights
from gemhunter.solving.run import Run
from gemhunter.structure.planning import tiny_plan
from gemhunter.structure.weighing import Weighed, weigh_board


@cache
def compile_drawing() -> None:
    """Draw from a tiny board, so that no kernel has to be compiled later."""
    weighed = weigh_board(tiny_plan(), Run(), total=1)
    if isinstance(weighed, Weighed):
        Urn(weighed, 0).draw()


class Urn:
    """Solutions of a weighed board, drawn one after the other with the chance that a seed gives."""

    def __init__(self, weighed: Weighed, seed: int) -> None:
        self._weighed = weighed
        self._chance = new_chance(seed)
        self._generator = np.random.default_rng([seed % 2**64, 2])
        planned = weighed.planned
        roots, self._bounds, _ = root_weights(planned.plan, weighed.circuit, weighed.spans, weighed.values)
        self._roots, self._before = roots, sums_before(roots, self._bounds)

    def draw(self) -> Grid:
        """One solution; each is as likely as its weight says."""
        weighed, planned = self._weighed, self._weighed.planned
        surplus = np.zeros(planned.plan.roots.size, np.int64)
        more = 0
        if weighed.by_traps:
            surplus, more = draw_surplus(
                self._roots, self._bounds, self._before, weighed.surplus, self._chance
            )
        traps = np.zeros(planned.parts.group_cells.size, bool)
        draw_traps(
            planned.plan,
            planned.steps,
            weighed.circuit,
            weighed.spans,
            weighed.values,
            weighed.by_traps,
            weighed.odds,
            surplus,
            self._chance,
            traps,
        )
        codes = planned.codes.copy().ravel()
        codes[planned.parts.group_cells] = np.where(traps, TRAP, GEM)
        codes[planned.free] = np.where(self._free_traps(more), TRAP, GEM)
        return Grid(codes.reshape(planned.codes.shape))

    def _free_traps(self, more: int) -> NDArray[np.bool_]:
        """Which of the free cells are traps, if the parts have so many beyond their fewest."""
        weighed, free = self._weighed, self._weighed.planned.free.size
        if not weighed.by_traps:
            return self._generator.random(free) < weighed.chance_of_free
        traps = np.zeros(free, bool)
        traps[self._generator.permutation(free)[: weighed.rest - more]] = True
        return traps
