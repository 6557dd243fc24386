"""Fill in the parts that were solved, and lay out the others for a local search."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import GEM, TRAP
from gemhunter.kernels.local_search import WRONG_COUNT, LocalSearchState
from gemhunter.kernels.random_state import RandomState, below
from gemhunter.kernels.structure.part_search import PART_SOLVED, PART_UNDECIDED
from gemhunter.kernels.structure.parts import Parts


@kernel(estimate=lambda p, *_: 2e-6 * p.group_cells.size)
def fill_solved(p: Parts, status: NDArray[np.int8], traps: NDArray[np.int8], codes: NDArray[np.int8]) -> None:
    """Fill the cells of all solved parts: the first `traps[g]` of each group g become traps, the others gems.

    `codes` are those of the board in reading order.
    """
    for part in range(status.size):
        if status[part] != PART_SOLVED:
            continue
        for group in range(p.part_groups[part], p.part_groups[part + 1]):
            start = p.group_starts[group]
            for i in range(start, p.group_starts[group + 1]):
                codes[p.group_cells[i]] = TRAP if i - start < traps[group] else GEM


@kernel(estimate=lambda p, *_: 1e-5 * p.group_cells.size)
def new_walk(p: Parts, status: NDArray[np.int8], random: RandomState) -> LocalSearchState:
    """A walk over all unsolved parts: their clues are its regions and their cells its cells, in order.

    Cells are filled at random, clue by clue, with as many traps as the clue still needs.
    """
    cells, clues, entries = 0, 0, 0
    number = np.zeros(p.group_starts.size, np.int64)
    for part in range(status.size):
        if status[part] == PART_UNDECIDED:
            for group in range(p.part_groups[part], p.part_groups[part + 1]):
                number[group] = cells
                cells += p.group_starts[group + 1] - p.group_starts[group]
            for clue in range(p.part_clues[part], p.part_clues[part + 1]):
                clues += 1
                for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
                    group = p.clue_groups[i]
                    entries += p.group_starts[group + 1] - p.group_starts[group]
    starts, members = np.zeros(clues + 1, np.int64), np.empty(entries, np.int64)
    surplus, traps = np.empty(clues, np.int64), np.full(cells, -1, np.int8)
    at = np.zeros(cells + 1, np.int64)
    region = 0
    for part in range(status.size):
        if status[part] != PART_UNDECIDED:
            continue
        for clue in range(p.part_clues[part], p.part_clues[part + 1]):
            end = starts[region]
            for i in range(p.clue_starts[clue], p.clue_starts[clue + 1]):
                group = p.clue_groups[i]
                for j in range(p.group_starts[group + 1] - p.group_starts[group]):
                    members[end] = number[group] + j
                    at[members[end] + 1] += 1
                    end += 1
            starts[region + 1] = end
            missing, room = p.need[clue], 0
            for i in range(starts[region], end):
                if traps[members[i]] < 0:
                    room += 1
                else:
                    missing -= traps[members[i]]
            for i in range(starts[region], end):
                if traps[members[i]] < 0:
                    traps[members[i]] = below(random, room) < missing
                    missing -= traps[members[i]]
                    room -= 1
            surplus[region] = -missing
            region += 1
    for cell in range(cells):
        at[cell + 1] += at[cell]
    next_entry, regions = at.copy(), np.empty(entries, np.int64)
    broken, place = np.zeros(clues, np.int64), np.zeros(clues, np.int64)
    wrong = 0
    for region in range(clues):
        for i in range(starts[region], starts[region + 1]):
            regions[next_entry[members[i]]] = region
            next_entry[members[i]] += 1
        if surplus[region] != 0:
            broken[wrong] = region
            place[region] = wrong
            wrong += 1
    numbers = np.zeros(1, np.int64)
    numbers[WRONG_COUNT] = wrong
    return LocalSearchState(at, regions, starts, members, surplus, traps, broken, place, numbers, random)


@kernel(estimate=lambda p, *_: 2e-6 * p.group_cells.size)
def fill_walked(
    p: Parts,
    status: NDArray[np.int8],
    surplus: NDArray[np.int64],
    traps: NDArray[np.int8],
    codes: NDArray[np.int8],
) -> None:
    """Fill the unsolved parts in which no clue is wrong as the walk left them, and mark them as solved."""
    cell, region = 0, 0
    for part in range(status.size):
        if status[part] != PART_UNDECIDED:
            continue
        first, end = p.group_starts[p.part_groups[part]], p.group_starts[p.part_groups[part + 1]]
        clues = p.part_clues[part + 1] - p.part_clues[part]
        holds = True
        for i in range(region, region + clues):
            holds = holds and surplus[i] == 0
        if holds:
            status[part] = PART_SOLVED
            for i in range(first, end):
                codes[p.group_cells[i]] = TRAP if traps[cell + i - first] else GEM
        cell += end - first
        region += clues
