"""Lower bounds on the number of traps of the whole board: subgradient ascent on weights of the clues.

If region r has `need[r]` traps and the weight w[r], then all cells together have at least the sum of
w · need, plus 1 - weight for each cell whose regions weigh more than 1 together.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Longs = NDArray[np.int64]
Weights = NDArray[np.float64]

ROUNDS_BEFORE_HALVING = 20
"""Rounds without a better bound after which the stride is halved."""


@kernel(estimate=lambda _, cells, *more: 5e-7 * more[2] * cells.size)
def raise_bound(starts: Longs, cells: Longs, need: Longs, goal: float, rounds: int, weights: Weights) -> bool:
    """Weigh regions so that the bound is above `goal`; return False if it is not after `rounds` rounds.

    Each round moves all weights along the slope: a region gains weight as long as it has more traps than
    cells that weigh more than 1. The stride would reach the goal if the slope stayed as it is.
    """
    regions, size = need.size, 0
    for i in range(cells.size):
        size = max(size, cells[i] + 1)
    load = np.empty(size, np.float64)
    slope = np.empty(regions, np.float64)
    tried = np.zeros(regions, np.float64)
    best = -1e300
    stride, waited = 1.0, 0
    for _ in range(rounds):
        load[:] = 1.0
        bound = 0.0
        for r in range(regions):
            bound += tried[r] * need[r]
            for i in range(starts[r], starts[r + 1]):
                load[cells[i]] -= tried[r]
        for cell in range(size):
            bound += min(load[cell], 0.0)
        waited += 1
        if bound > best:
            best, waited = bound, 0
            weights[:] = tried
            if bound > goal:
                return True
        if waited > ROUNDS_BEFORE_HALVING:
            stride, waited = stride / 2, 0
            tried[:] = weights
            continue
        steepness = 0.0
        for r in range(regions):
            slope[r] = need[r]
            for i in range(starts[r], starts[r + 1]):
                if load[cells[i]] < 0.0:
                    slope[r] -= 1.0
            steepness += slope[r] * slope[r]
        if steepness == 0.0:
            return False
        for r in range(regions):
            tried[r] += stride * (goal + 1.0 - bound) / steepness * slope[r]
    return False
