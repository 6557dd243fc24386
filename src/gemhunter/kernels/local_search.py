"""Local search on the regions of a puzzle: cells are flipped where a clue is wrong, until none is.

The regions of cell c are `regions[at[c]:at[c+1]]`, the cells of region r are `cells[starts[r]:starts[r+1]]`.
`surplus[r]` is how many traps too many region r has, below 0 if it has too few.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.random_state import RandomState, below, share

BROKEN = 0
"""Place in `Walk.numbers`: how many regions are wrong."""

MOST_WEIGHED = 64
"""Of a region with more cells, such as the total, so many are drawn and only those are weighed."""


class LocalSearchState(NamedTuple):
    """Everything a local search remembers between two slices.

    `traps[c]` is 1 for a trap and 0 for a gem. `broken` has the regions that are wrong, in no order, and
    region r is `broken[place[r]]` if it is one of them.
    """

    at: NDArray[np.int64]
    regions: NDArray[np.int64]
    starts: NDArray[np.int64]
    cells: NDArray[np.int64]
    surplus: NDArray[np.int64]
    traps: NDArray[np.int8]
    broken: NDArray[np.int64]
    place: NDArray[np.int64]
    numbers: NDArray[np.int64]
    chance: RandomState


@kernel
def change_of_errors(
    at: NDArray[np.int64], regions: NDArray[np.int64], surplus: NDArray[np.int64], cell: int, step: int
) -> int:
    """What `step` more traps in a cell, 1 or -1, add to the sum of all errors."""
    change = 0
    for i in range(at[cell], at[cell + 1]):
        change += 1 if surplus[regions[i]] * step >= 0 else -1
    return change


@kernel(estimate=lambda _, __, flips: 1e-5 * flips)
def walk(w: LocalSearchState, odds: NDArray[np.float64], flips: int) -> int:
    """Flip at most `flips` cells, or until no region is wrong; how many flips were made.

    Each flip is in a region drawn from the wrong ones, of a cell that puts it less wrong. Cells are drawn
    by weight: one that changes the sum of all errors by e has `odds[e + odds.size // 2]`.
    """
    at, regions, starts, cells = w.at, w.regions, w.starts, w.cells
    surplus, traps, broken, place, chance = w.surplus, w.traps, w.broken, w.place, w.chance
    weighed = np.empty(MOST_WEIGHED, np.int64)
    sums = np.empty(MOST_WEIGHED, np.float64)
    middle = odds.size // 2
    wrong = w.numbers[BROKEN]
    made = 0
    while made < flips and wrong > 0:
        made += 1
        region = broken[below(chance, wrong)]
        step = 1 if surplus[region] < 0 else -1
        before = 1 if step < 0 else 0
        start, size = starts[region], starts[region + 1] - starts[region]
        found = 0
        total = 0.0
        for i in range(min(size, MOST_WEIGHED)):
            cell = cells[start + (i if size <= MOST_WEIGHED else below(chance, size))]
            if traps[cell] == before:
                total += odds[middle + change_of_errors(at, regions, surplus, cell, step)]
                weighed[found] = cell
                sums[found] = total
                found += 1
        if found == 0:
            continue
        drawn = share(chance) * total
        chosen = 0
        while chosen < found - 1 and sums[chosen] <= drawn:
            chosen += 1
        cell = weighed[chosen]
        traps[cell] += step
        for i in range(at[cell], at[cell + 1]):
            region = regions[i]
            if surplus[region] == 0:
                broken[wrong] = region
                place[region] = wrong
                wrong += 1
            surplus[region] += step
            if surplus[region] == 0:
                wrong -= 1
                last = broken[wrong]
                broken[place[region]] = last
                place[last] = place[region]
    w.numbers[BROKEN] = wrong
    return made
