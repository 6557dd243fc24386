"""Backtracking on the cells of a puzzle, in a fixed order or most constrained first.

Region r needs `need[r]` more traps and has `room[r]` open cells left; it is broken once it needs fewer
than none or more than it has room for. The regions of cell c are `regions[at[c]:at[c+1]]`, the cells of
region r are `cells[starts[r]:starts[r+1]]`. `value[c]` is OPEN, 0 for a gem or 1 for a trap.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.puzzle import regions_by_cell

OPEN = -1
FOUND, EXHAUSTED, MORE = 1, 2, 3

DEPTH, TRAIL, HEAD, NODES, BROKEN = range(5)
"""Places in `Search.numbers`: decisions, cells filled, cells followed up, nodes visited, is it broken."""


class BacktrackingState(NamedTuple):
    """Everything a search remembers between two slices.

    `trail` has the filled cells in the order they were filled; decision d filled `trail[decided[d]]`, and
    `flipped[d]` says that its other value has failed already.
    """

    at: NDArray[np.int64]
    regions: NDArray[np.int64]
    starts: NDArray[np.int64]
    cells: NDArray[np.int64]
    need: NDArray[np.int64]
    room: NDArray[np.int64]
    value: NDArray[np.int8]
    trail: NDArray[np.int64]
    decided: NDArray[np.int64]
    flipped: NDArray[np.bool_]
    numbers: NDArray[np.int64]


def new_search(
    starts: NDArray[np.int64], cells: NDArray[np.int64], traps: NDArray[np.int64], size: int
) -> BacktrackingState:
    """A search in which none of `size` cells is filled yet."""
    at, regions = regions_by_cell(starts, cells, size)
    return BacktrackingState(
        at=at,
        regions=regions,
        starts=starts.copy(),
        cells=cells.copy(),
        need=traps.copy(),
        room=np.diff(starts),
        value=np.full(size, OPEN, np.int8),
        trail=np.zeros(size, np.int64),
        decided=np.zeros(size + 1, np.int64),
        flipped=np.zeros(size + 1, bool),
        numbers=np.zeros(5, np.int64),
    )


@kernel
def fill(s: BacktrackingState, cell: int, value: int) -> bool:
    """Give a cell its value; False if a region breaks."""
    s.value[cell] = value
    s.trail[s.numbers[TRAIL]] = cell
    s.numbers[TRAIL] += 1
    holds = True
    for i in range(s.at[cell], s.at[cell + 1]):
        region = s.regions[i]
        s.need[region] -= value
        s.room[region] -= 1
        if s.need[region] < 0 or s.need[region] > s.room[region]:
            holds = False
    return holds


@kernel
def take_back(s: BacktrackingState, size: int) -> None:
    """Open the cells that were filled last, until `size` are left."""
    while s.numbers[TRAIL] > size:
        s.numbers[TRAIL] -= 1
        cell = s.trail[s.numbers[TRAIL]]
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            s.need[region] += s.value[cell]
            s.room[region] += 1
        s.value[cell] = OPEN
    s.numbers[HEAD] = min(s.numbers[HEAD], size)


@kernel
def follow(s: BacktrackingState) -> bool:
    """Fill what the cells filled so far leave no choice about; False if a region breaks."""
    while s.numbers[HEAD] < s.numbers[TRAIL]:
        cell = s.trail[s.numbers[HEAD]]
        s.numbers[HEAD] += 1
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            if s.room[region] == 0 or 0 < s.need[region] < s.room[region]:
                continue
            value = 1 if s.need[region] > 0 else 0
            for j in range(s.starts[region], s.starts[region + 1]):
                if s.value[s.cells[j]] == OPEN and not fill(s, s.cells[j], value):
                    return False
    return True


@kernel(estimate=lambda s: 3e-6 * s.cells.size)
def fill_forced(s: BacktrackingState) -> bool:
    """Fill all that single regions leave no choice about, and what follows; False if a region breaks."""
    for region in range(s.need.size):
        if 0 < s.need[region] < s.room[region]:
            continue
        value = 1 if s.need[region] > 0 else 0
        for j in range(s.starts[region], s.starts[region + 1]):
            if s.value[s.cells[j]] == OPEN and not fill(s, s.cells[j], value):
                return False
    return follow(s)


@kernel
def most_constrained(s: BacktrackingState) -> int:
    """The open cell whose tightest region has least room, of those the one in most regions."""
    best = -1
    best_room = 0
    best_degree = 0
    for cell in range(s.value.size):
        if s.value[cell] != OPEN:
            continue
        degree = s.at[cell + 1] - s.at[cell]
        least = 1 << 60
        for i in range(s.at[cell], s.at[cell + 1]):
            least = min(least, s.room[s.regions[i]])
        if best < 0 or least < best_room or (least == best_room and degree > best_degree):
            best, best_room, best_degree = cell, least, degree
    return best


@kernel(estimate=lambda s, constrained, _, nodes: (3e-7 * s.value.size if constrained else 5e-6) * nodes)
def search(s: BacktrackingState, constrained: bool, first: int, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all cells are filled, EXHAUSTED if none are left, or MORE.

    With `constrained` the most constrained cell comes next and forced cells are filled at once; without,
    cells come in order and regions are only checked. A cell gets the value `first` before the other one.
    """
    end = s.numbers[NODES] + nodes
    while s.numbers[NODES] < end:
        if s.numbers[BROKEN]:
            while s.numbers[DEPTH] > 0 and s.flipped[s.numbers[DEPTH] - 1]:
                s.numbers[DEPTH] -= 1
            if s.numbers[DEPTH] == 0:
                return EXHAUSTED
            decision = s.numbers[DEPTH] - 1
            cell = s.trail[s.decided[decision]]
            take_back(s, s.decided[decision])
            s.flipped[decision] = True
            value = 1 - first
        else:
            if s.numbers[TRAIL] == s.value.size:
                return FOUND
            cell = most_constrained(s) if constrained else s.numbers[TRAIL]
            s.decided[s.numbers[DEPTH]] = s.numbers[TRAIL]
            s.flipped[s.numbers[DEPTH]] = False
            s.numbers[DEPTH] += 1
            value = first
        s.numbers[NODES] += 1
        s.numbers[BROKEN] = not (fill(s, cell, value) and (not constrained or follow(s)))
    return MORE
