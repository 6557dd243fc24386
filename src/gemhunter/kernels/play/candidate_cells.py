"""The cells that a guess is chosen from: the safest ones, and those near clues that are nearly as safe."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.play.end_game import NO_CELL
from gemhunter.kernels.play.guess_scores import STANDOFF_WEIGHT, opening_probability
from gemhunter.kernels.play.notes import index_with_margins
from gemhunter.kernels.structure.grid_state import GridState, Int

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

SAFETY_TOLERANCE = 0.1
"""A cell is worth looking at if it is at most this share less safe than the best one; unavoidable risks of
standoffs are left out."""

MOST_SAFEST = 8
MOST_NEAR_CLUES = 12
"""How many cells are looked at because they are safe, and how many more because they are near clues."""

OPENING_WEIGHT = 0.03
"""How much the probability of an opening counts, against that of being safe, in the choice of the safest
cells."""

TOUCHING_WEIGHT = 0.003
"""How much each neighbour at a clue counts, against the probability of being safe, in the choice of cells
near clues."""

NEAR_CLUES = 9
"""Instead of a number of neighbours: a cell that is not like all others away from clues."""

ROUNDING = 1e-9
"""Differences that rounding can make decide nothing: then the first cell in reading order counts."""


@kernel
def safest(board: GridState, risks: Floats, rows: int, cols: int) -> int:
    """The cell of least risk; of several, the one with the highest probability of an opening."""
    best, least, opening = NO_CELL, 2.0, -1.0
    for cell in range(rows * cols):
        index = index_with_margins(board, cols, cell)
        if board.codes[index] != HIDDEN or risks[index] > least + ROUNDING:
            continue
        zero = opening_probability(board, risks, index)
        if risks[index] < least - ROUNDING or zero > opening + ROUNDING:
            best, least, opening = cell, risks[index], zero
    return best


@kernel
def cells_at_clues(board: GridState) -> NDArray[np.bool_]:
    """Which cells are undecided and have a clue next to them, by index with margins."""
    at_clue = np.zeros(board.codes.size, np.bool_)
    for index in range(board.codes.size):
        if board.codes[index] >= 0:
            for k in range(8):
                cell = index + board.near[k]
                at_clue[cell] = board.codes[cell] == HIDDEN
    return at_clue


@kernel
def take_best(order: Floats, cells: Ints, count: int, most: int) -> int:
    """Append up to `most` cells in falling order to the `count` cells; how many there are then.

    Cells with a negative order are not taken, and those that are taken get one.
    """
    last = count + most
    while count < last:
        cell = np.argmax(order)
        if order[cell] < 0.0:
            break
        order[cell] = -1.0
        cells[count] = cell
        count += 1
    return count


@kernel
def hidden_around(board: GridState, at_clue: NDArray[np.bool_], index: Int) -> int:
    """How many neighbours a cell has if neither it nor any of them is decided or at a clue, or `NEAR_CLUES`.

    Away from clues nothing else distinguishes one cell from another.
    """
    hidden, is_near = 0, at_clue[index]
    for k in range(8):
        neighbour = index + board.near[k]
        is_near = is_near or at_clue[neighbour] or board.codes[neighbour] == TRAP
        hidden += board.codes[neighbour] == HIDDEN
    return NEAR_CLUES if is_near else hidden


@kernel
def promising(board: GridState, risks: Floats, shares: Floats, rows: int, cols: int) -> Ints:
    """The cells to look at: the safest one first, then others that are nearly as safe.

    `shares` are those of standoffs. There is none if no cell is undecided. Early in a game hundreds of cells
    are equally safe: of those that nothing distinguishes the first one is enough, and those at most two steps
    from a clue are looked at in any case.
    """
    first = safest(board, risks, rows, cols)
    cells = np.empty(MOST_SAFEST + MOST_NEAR_CLUES, np.int64)
    if first == NO_CELL:
        return cells[:0]
    enough = (1.0 - risks[index_with_margins(board, cols, first)]) * (1.0 - SAFETY_TOLERANCE) - ROUNDING
    at_clue = cells_at_clues(board)
    order, near_order = np.full(rows * cols, -1.0), np.full(rows * cols, -1.0)
    is_known_kind = np.zeros(NEAR_CLUES, np.bool_)
    for cell in range(rows * cols):
        index = index_with_margins(board, cols, cell)
        safety = 1.0 - risks[index]
        if board.codes[index] != HIDDEN or safety + shares[index] < enough:
            continue
        kind = hidden_around(board, at_clue, index)
        if kind != NEAR_CLUES and is_known_kind[kind] and cell != first:
            continue
        if kind != NEAR_CLUES:
            is_known_kind[kind] = True
        credited = safety + STANDOFF_WEIGHT * shares[index]
        order[cell] = credited * (1.0 + OPENING_WEIGHT * opening_probability(board, risks, index))
        if kind == NEAR_CLUES:
            touching = 0
            for k in range(8):
                touching += at_clue[index + board.near[k]]
            near_order[cell] = credited + TOUCHING_WEIGHT * touching
    order[first] = np.inf
    count = take_best(order, cells, 0, MOST_SAFEST)
    for i in range(count):
        near_order[cells[i]] = -1.0
    return cells[: take_best(near_order, cells, count, MOST_NEAR_CLUES)]
