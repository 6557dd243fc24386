"""Parts put together under a total: how much each number of traps in a part counts for the whole board.

`roots` has for each part its weights by number of traps, from `bounds[p]` to `bounds[p+1]`. The traps that
parts have beyond their fewest and the traps in untouched cells must add up to `rest`.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@kernel
def normalised(weights: Floats, only_whether: bool) -> None:
    """Make the largest weight 1, as only ratios matter; or every positive one, if only that matters."""
    largest = 0.0
    if only_whether:
        for i in range(weights.size):
            weights[i] = 1.0 if weights[i] > 0.0 else 0.0
    for weight in weights:
        largest = max(largest, weight)
    if largest > 0.0:
        for i in range(weights.size):
            weights[i] /= largest


@kernel
def untouched_weights(untouched: int, rest: int, size: int, trap_weight: float) -> Floats:
    """For 0 to `size` - 1 traps elsewhere, the number of ways to put the others into untouched cells.

    Only ratios are right. Each trap counts `trap_weight`.
    """
    weights = np.zeros(size, np.float64)
    first, last = max(0, rest - untouched), min(size - 1, rest)
    if first > last:
        return weights
    # The ratio of neighbours is simple; start where the weights are largest so that none overflows.
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
def reaches(bounds: Ints) -> tuple[Ints, Ints]:
    """How many traps beyond their fewest the parts before each can have, and where a list of these begins."""
    parts = bounds.size - 1
    reach, at = np.zeros(parts + 1, np.int64), np.zeros(parts + 2, np.int64)
    for part in range(parts):
        reach[part + 1] = reach[part] + bounds[part + 1] - bounds[part] - 1
    for part in range(parts + 1):
        at[part + 1] = at[part] + reach[part] + 1
    return reach, at


@kernel(estimate=lambda roots, *_: 5e-7 * roots.size**2)
def shares(
    roots: Floats, bounds: Ints, untouched: int, rest: int, trap_weight: float, only_whether: bool
) -> tuple[Floats, float, Floats]:
    """How much each weight of each part counts within its part, and what follows for untouched cells.

    Returns these shares, the risk of an untouched cell, and the weight of each number of traps in all parts
    together. All shares are 0 if nothing adds up. Each trap counts `trap_weight` times, in the weights and
    in untouched cells. Its value does not matter, as all solutions have the same number of traps, but it
    keeps numbers within range.
    """
    parts = bounds.size - 1
    reach, at = reaches(bounds)
    # after[at[p] + k]: the weight of all that comes from part p on, if the parts before it have k traps.
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
        normalised(result[bounds[part] : bounds[part + 1]], only_whether)
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
