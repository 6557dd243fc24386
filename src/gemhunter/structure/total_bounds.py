"""Bounds on the total: whether the clues allow that number of traps.

The bounds are nearly those of linear programming. Exact ones, from the counts of independent parts, belong
here too.
"""

import numpy as np

from gemhunter.core.puzzle import Ints, Puzzle
from gemhunter.kernels.structure.total_bounds import raise_bound
from gemhunter.structure.elimination import WHOLE_NUMBERS, LinearConflict, has_total, is_linear_conflict

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
