"""Parts combined under a total: how often each weight of a part counts for the whole board.

`roots[bounds[p]:bounds[p+1]]` are the weights of part p by number of traps. The traps of the parts beyond
their fewest and the traps in untouched cells must add up to `rest`.
"""

import numpy as np

from gemhunter.jit.kernel import Floats, Ints, kernel


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
