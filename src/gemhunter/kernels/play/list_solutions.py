"""Lists all solutions of a position, or of a part of it, that has few."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.elimination_orders import clues_by_group
from gemhunter.kernels.play.notes import index_with_margins
from gemhunter.kernels.play.risks import WeighedPosition
from gemhunter.kernels.structure.grid_state import GridState
from gemhunter.kernels.structure.parts import Parts

Ints = NDArray[np.int64]
Bytes = NDArray[np.uint8]

TRAPPED = 15
"""What a solution shows on a cell that is a trap; clues are smaller."""

ANY_NUMBER = -1
"""Instead of a number of traps that is not known, or does not matter."""

STEPS_PER_SOLUTION = 200
"""Listing stops when it has taken more steps than this for each solution that there may be."""


class Listed(NamedTuple):
    """Solutions: `shows[s, i]` is the clue on cell `cells[i]`, or `TRAPPED`.

    There are none if there were too many or it took too long to find them.
    """

    cells: Ints
    shows: Bytes


@kernel
def undecided_cells(board: GridState, w: WeighedPosition, cols: int) -> Ints:
    """All undecided cells: those of the parts in their order, then the untouched ones."""
    cells = np.empty(w.parts.group_cells.size + w.untouched, np.int64)
    touched = np.zeros(board.codes.size, np.bool_)
    count = 0
    for cell in w.parts.group_cells:
        cells[count] = cell
        touched[index_with_margins(board, cols, cell)] = True
        count += 1
    cell = 0
    while count < cells.size:
        index = index_with_margins(board, cols, cell)
        if board.codes[index] == HIDDEN and not touched[index]:
            cells[count] = cell
            count += 1
        cell += 1
    return cells


@kernel
def list_solutions(
    board: GridState, parts: Parts, first: int, cells: Ints, cols: int, traps: int, most: int
) -> Listed:
    """All solutions with this number of traps in `cells`, or `ANY_NUMBER`, if there are no more than `most`.

    `cells` are those of `parts.group_cells` from `first` on, whole parts of them, and then untouched
    cells.
    """
    size, end = cells.size, parts.group_cells.size - first
    groups = parts.group_starts.size - 1
    at, clues = clues_by_group(parts.clue_starts, parts.clue_groups, groups)
    group_of = np.empty(parts.group_cells.size, np.int64)
    room = np.zeros(parts.need.size, np.int64)
    for group in range(groups):
        for i in range(parts.group_starts[group], parts.group_starts[group + 1]):
            group_of[i] = group
            for j in range(at[group], at[group + 1]):
                room[clues[j]] += 1
    need = parts.need.copy()
    found = np.empty((most, size), np.uint8)
    # What has been tried on each cell: nothing, 1 for a gem, 2 for a trap.
    tried = np.zeros(size + 1, np.int64)
    rest, depth, count, steps = traps, 0, 0, 0
    while depth >= 0:
        steps += 1
        if steps > STEPS_PER_SOLUTION * most:
            return Listed(cells, found[:0])
        if depth == size:
            if traps == ANY_NUMBER or rest == 0:
                if count == most:
                    return Listed(cells, found[:0])
                for i in range(size):
                    found[count, i] = tried[i] - 1
                count += 1
            depth -= 1
            continue
        last = tried[depth]
        tried[depth] = 0 if last == 2 else last + 1
        # What was tried is taken back, and a trap follows a gem; `change` is how many traps more there are.
        change = (1 if last == 1 else 0) - (1 if last == 2 else 0)
        taken = (1 if last == 0 else 0) - (1 if last == 2 else 0)
        rest -= change
        fits = traps == ANY_NUMBER or 0 <= rest <= size - depth - 1
        if depth < end:
            group = group_of[first + depth]
            for j in range(at[group], at[group + 1]):
                clue = clues[j]
                need[clue] -= change
                room[clue] -= taken
                fits = fits and 0 <= need[clue] <= room[clue]
        if last == 2:
            depth -= 1
        elif fits:
            depth += 1
    return Listed(cells, shown_by(board, cells, cols, found[:count]))


@kernel
def shown_by(board: GridState, cells: Ints, cols: int, traps: Bytes) -> Bytes:
    """What each solution shows, from the traps that it has among the cells; others are as the board knows."""
    number = np.full(board.codes.size, -1, np.int64)
    for i in range(cells.size):
        number[index_with_margins(board, cols, cells[i])] = i
    shows = np.zeros(traps.shape, np.uint8)
    for i in range(cells.size):
        index = index_with_margins(board, cols, cells[i])
        known = 0
        for k in range(8):
            other = index + board.near[k]
            known += board.codes[other] == TRAP
            if number[other] >= 0:
                for s in range(traps.shape[0]):
                    shows[s, i] += traps[s, number[other]]
        for s in range(traps.shape[0]):
            shows[s, i] = TRAPPED if traps[s, i] else shows[s, i] + known
    return shows


@kernel
def is_closed(board: GridState, parts: Parts, part: int, cols: int) -> bool:
    """Whether no clue outside a part can say more about it: no undecided cell touches one of its cells."""
    first, last = parts.group_starts[parts.part_groups[part]], parts.group_starts[parts.part_groups[part + 1]]
    mine = np.zeros(board.codes.size, np.bool_)
    for i in range(first, last):
        mine[index_with_margins(board, cols, parts.group_cells[i])] = True
    for i in range(first, last):
        index = index_with_margins(board, cols, parts.group_cells[i])
        for k in range(8):
            other = index + board.near[k]
            if board.codes[other] == HIDDEN and not mine[other]:
                return False
    return True
