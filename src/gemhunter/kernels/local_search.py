"""Local search on the regions of a puzzle: cells of wrong regions are flipped until no region is wrong.

The regions of cell c are `regions[at[c]:at[c+1]]`, the cells of region r are `cells[starts[r]:starts[r+1]]`.
`surplus[r]` is the number of traps that region r has too many, negative if it has too few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.random_state import RandomState, below, share

WRONG_COUNT = 0
"""A place in `LocalSearchState.numbers`: how many regions are wrong."""

LARGEST_WEIGHED = 64
"""The most cells of a region that are weighed; of a larger one, such as the total, this many are drawn."""


class LocalSearchState(NamedTuple):
    """Everything a local search remembers between two slices.

    `traps[c]` is 1 for a trap and 0 for a gem. `wrong` has the regions that are wrong, in no order, and
    region r is `wrong[place[r]]` if it is one of them.
    """

    at: NDArray[np.int64]
    regions: NDArray[np.int64]
    starts: NDArray[np.int64]
    cells: NDArray[np.int64]
    surplus: NDArray[np.int64]
    traps: NDArray[np.int8]
    wrong: NDArray[np.int64]
    place: NDArray[np.int64]
    numbers: NDArray[np.int64]
    random: RandomState


@kernel
def change_of_errors(
    at: NDArray[np.int64], regions: NDArray[np.int64], surplus: NDArray[np.int64], cell: int, step: int
) -> int:
    """What `step` more traps in a cell, 1 or -1, change about the sum of all errors."""
    change = 0
    for i in range(at[cell], at[cell + 1]):
        change += 1 if surplus[regions[i]] * step >= 0 else -1
    return change


@kernel(estimate=lambda _, __, flips: 1e-5 * flips)
def walk(w: LocalSearchState, weights: NDArray[np.float64], flips: int) -> int:
    """Flip at most `flips` cells, until no region is wrong; how many flips were made.

    Each flip draws a wrong region, and one of the cells whose flip makes it less wrong. Cells are drawn by
    weight: a cell that changes the sum of all errors by e has `weights[e + weights.size // 2]`.
    """
    at, regions, starts, cells = w.at, w.regions, w.starts, w.cells
    surplus, traps, wrong, place, random = w.surplus, w.traps, w.wrong, w.place, w.random
    weighed = np.empty(LARGEST_WEIGHED, np.int64)
    sums = np.empty(LARGEST_WEIGHED, np.float64)
    middle = weights.size // 2
    wrong_count = w.numbers[WRONG_COUNT]
    made = 0
    while made < flips and wrong_count > 0:
        made += 1
        region = wrong[below(random, wrong_count)]
        step = 1 if surplus[region] < 0 else -1
        before = 1 if step < 0 else 0
        start, size = starts[region], starts[region + 1] - starts[region]
        found = 0
        total = 0.0
        for i in range(min(size, LARGEST_WEIGHED)):
            cell = cells[start + (i if size <= LARGEST_WEIGHED else below(random, size))]
            if traps[cell] == before:
                total += weights[middle + change_of_errors(at, regions, surplus, cell, step)]
                weighed[found] = cell
                sums[found] = total
                found += 1
        if found == 0:
            continue
        drawn = share(random) * total
        chosen = 0
        while chosen < found - 1 and sums[chosen] <= drawn:
            chosen += 1
        cell = weighed[chosen]
        traps[cell] += step
        for i in range(at[cell], at[cell + 1]):
            region = regions[i]
            if surplus[region] == 0:
                wrong[wrong_count] = region
                place[region] = wrong_count
                wrong_count += 1
            surplus[region] += step
            if surplus[region] == 0:
                wrong_count -= 1
                last = wrong[wrong_count]
                wrong[place[region]] = last
                place[last] = place[region]
    w.numbers[WRONG_COUNT] = wrong_count
    return made
