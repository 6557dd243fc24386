"""Bounds on the total: whether the clues allow that number of traps."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import Puzzle
from gemhunter.counting.elimination import WHOLE_NUMBERS, LinearConflict, has_total, is_linear_conflict
from gemhunter.jit.arrays import Ints
from gemhunter.jit.kernel import kernel

# Lower bounds on the number of traps of the whole board: subgradient ascent on weights of the clues.
#
# If region r has `need[r]` traps and the weight w[r], then all cells together have at least the sum of w ·
# need, plus 1 - weight for each cell whose regions weigh more than 1 together.


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


# Bounds on the total: whether the clues allow that number of traps.
#
# The bounds are nearly those of linear programming. Exact ones, from the counts of independent parts,
# belong here too.


WEIGHT_UNIT = 2**20
"""Weights are whole multiples of one part in this many."""

ROUNDING_MARGIN = 0.02
"""How far a total must be beyond a bound: more than rounding the weights can change."""

MOST_WEIGHT_ROUNDS = 2000
MOST_CELL_VISITS = 10_000_000
"""Cells of regions looked at in all rounds together, at some nanoseconds each."""


def total_conflict(puzzle: Puzzle) -> LinearConflict | None:
    """A conflict of the total with a combination of clues; None if none was found."""
    if not has_total(puzzle) or not puzzle.cells.size:
        return None
    clues = puzzle.traps.size - 1
    starts, sizes, traps = puzzle.starts[: clues + 1], puzzle.sizes[:clues], puzzle.traps[:clues]
    cells, total = puzzle.cells[: starts[-1]], int(puzzle.traps[-1])
    # Too few traps, or too few gems: the second is the first with traps and gems exchanged.
    for need, goal in ((traps, total), (sizes - traps, puzzle.hidden.size - total)):
        weights = _weights(starts, cells, need, goal)
        if weights is None:
            continue
        regions = np.append(np.flatnonzero(weights), clues)
        conflict = LinearConflict(regions, np.append(weights[weights != 0], -WEIGHT_UNIT), WHOLE_NUMBERS)
        if is_linear_conflict(puzzle, conflict):
            return conflict
    return None


def _weights(starts: Ints, cells: Ints, need: Ints, goal: int) -> Ints | None:
    """Weights, in units, that show that more than `goal` are needed; None if none were found."""
    # A puzzle's arrays are read-only, which is another type to a compiled kernel.
    starts, cells, need = starts.copy(), cells.copy(), need.copy()
    weights = np.zeros(need.size)
    rounds = min(MOST_WEIGHT_ROUNDS, MOST_CELL_VISITS // max(cells.size, 1))
    if not raise_bound(starts, cells, need, goal + ROUNDING_MARGIN, rounds, weights):
        return None
    return np.rint(weights * WEIGHT_UNIT).astype(np.int64)
