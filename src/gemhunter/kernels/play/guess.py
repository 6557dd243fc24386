"""Which cell a player reveals when none is certain."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.codes import (
    ELSEWHERE,
    END_GAME,
    EXPERT,
    FIFTY_FIFTY,
    FRONTIER,
    LOGIC_RANDOM,
    RANDOM,
)
from gemhunter.kernels.play.end_game import BUDGET_SPENT, CHOICE, NO_CELL, new_end_game, search
from gemhunter.kernels.play.guess_scores import (
    LOOK_AHEAD_SIZE,
    STANDOFF_WEIGHT,
    look_ahead,
    opening_probability,
    worth,
)
from gemhunter.kernels.play.list_solutions import (
    ANY_NUMBER,
    TRAPPED,
    Listed,
    is_closed,
    list_solutions,
    undecided_cells,
)
from gemhunter.kernels.play.notes import PlayerNotes, index_with_margins
from gemhunter.kernels.play.risks import WeighedPosition, left_over, risks_by_index
from gemhunter.kernels.play.standoffs import standoff_shares
from gemhunter.kernels.random_state import RandomState, below
from gemhunter.kernels.structure.grid_state import BIT_COUNT, CLUE_DONE, INDEX_MASK, GridState

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_SOLUTIONS = 500
MOST_SETS = 2_000
"""With no more solutions, looking at no more sets of them, a game is played to its end exactly."""

SAFETY_TOLERANCE = 0.1
"""A cell is worth looking at if it is at most this share less safe than the best one; unavoidable risks of
standoffs are left out."""

MOST_CANDIDATES = 8

OPENING_WEIGHT = 0.03
"""How much the probability of an opening counts, against that of being safe, in the choice of
cells to look at."""

ROUNDING = 1e-9
"""Differences that rounding can make decide nothing: then the first cell in reading order counts."""


@kernel
def guess_at_random(board: GridState, rows: int, cols: int, random: RandomState) -> int:
    """Any undecided cell, all with the same probability."""
    _, hidden = left_over(board)
    skip = below(random, hidden)
    for cell in range(rows * cols):
        if board.codes[index_with_margins(board, cols, cell)] == HIDDEN:
            if skip == 0:
                return cell
            skip -= 1
    return NO_CELL


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
def rough_risks(board: GridState, total: int) -> Floats:
    """Risks without weighing: the largest that a single clue says; the average where no clue does."""
    known, hidden = left_over(board)
    risks = np.full(board.codes.size, (total - known) / max(hidden, 1))
    seen = np.zeros(board.codes.size, np.bool_)
    for index in range(board.codes.size):
        if not 0 < board.clues[index] < CLUE_DONE:
            continue
        bits = np.int64(board.clues[index]) & 255
        share = (np.int64(board.clues[index]) >> 8) / BIT_COUNT[bits]
        for k in range(8):
            cell = (index + board.near[k]) & INDEX_MASK
            if bits >> k & 1:
                risks[cell] = max(risks[cell], share) if seen[cell] else share
                seen[cell] = True
    return risks


@kernel
def search_listed(listed: Listed) -> int:
    """The cell to reveal if these are all solutions; `NO_CELL` if there are none or it takes too long to
    say."""
    solutions, size = listed.shows.shape
    if solutions == 0:
        return NO_CELL
    game = new_end_game(listed.shows, MOST_SETS)
    if search(game) == BUDGET_SPENT:
        return NO_CELL
    if game.numbers[CHOICE] != NO_CELL:
        return int(listed.cells[game.numbers[CHOICE]])
    # One solution can be won, whichever: go for one of those that have most in common.
    best, fewest = NO_CELL, solutions
    for i in range(size):
        traps = 0
        for s in range(solutions):
            traps += listed.shows[s, i] == TRAPPED
        if 0 < traps < fewest:
            best, fewest = i, traps
    return NO_CELL if best == NO_CELL else int(listed.cells[best])


@kernel(inline=True)
def exact_choice(n: PlayerNotes, w: WeighedPosition, cols: int, total: int) -> tuple[int, int]:
    """The best cell where that can be said exactly, and why; `NO_CELL` elsewhere.

    That is at the end of the game, and in closed parts with a known number of traps: no clue elsewhere will
    ever say more about these, so they may as well be tried now.
    """
    board, parts = n.board, w.parts
    if w.log_count <= np.log(MOST_SOLUTIONS + 0.5):
        known, _ = left_over(board)
        listed = list_solutions(
            board, parts, 0, undecided_cells(board, w, cols), cols, total - known, MOST_SOLUTIONS
        )
        cell = search_listed(listed)
        if cell != NO_CELL:
            return cell, FIFTY_FIFTY if listed.shows.shape[0] == 2 else END_GAME
    for part in range(w.spread.size):
        first = parts.group_starts[parts.part_groups[part]]
        last = parts.group_starts[parts.part_groups[part + 1]]
        if w.spread[part] > 0 or not is_closed(board, parts, part, cols):
            continue
        listed = list_solutions(
            board, parts, first, parts.group_cells[first:last].copy(), cols, ANY_NUMBER, MOST_SOLUTIONS
        )
        cell = search_listed(listed)
        if cell != NO_CELL:
            return cell, FIFTY_FIFTY if listed.shows.shape[0] == 2 else END_GAME
    return NO_CELL, END_GAME


@kernel
def promising(board: GridState, risks: Floats, shares: Floats, rows: int, cols: int) -> Ints:
    """The cells to look at: the safest one first, then others that are nearly as safe.

    `shares` are those of standoffs. There is none if no cell is undecided.
    """
    first = safest(board, risks, rows, cols)
    cells = np.empty(MOST_CANDIDATES, np.int64)
    if first == NO_CELL:
        return cells[:0]
    enough = (1.0 - risks[index_with_margins(board, cols, first)]) * (1.0 - SAFETY_TOLERANCE) - ROUNDING
    order = np.full(rows * cols, -1.0)
    for cell in range(rows * cols):
        index = index_with_margins(board, cols, cell)
        safety = 1.0 - risks[index]
        if board.codes[index] == HIDDEN and safety + shares[index] >= enough:
            opening = opening_probability(board, risks, index)
            order[cell] = (safety + STANDOFF_WEIGHT * shares[index]) * (1.0 + OPENING_WEIGHT * opening)
    order[first] = np.inf
    count = 0
    while count < MOST_CANDIDATES:
        cells[count] = np.argmax(order)
        if order[cells[count]] < 0.0:
            break
        order[cells[count]] = -1.0
        count += 1
    return cells[:count]


@kernel(inline=True)
def best_ahead(
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    risks: Floats,
    rows: int,
    cols: int,
    total: int,
    logs: Floats,
) -> int:
    """The cell that is worth most by looking ahead."""
    board = n.board
    shares = standoff_shares(n, scratch, w, risks, total, logs)
    seen = np.empty(LOOK_AHEAD_SIZE, np.float64)
    best, most = NO_CELL, -np.inf
    for cell in promising(board, risks, shares, rows, cols):
        index = index_with_margins(board, cols, cell)
        look_ahead(n, scratch, w, index, total, logs, seen)
        value = worth(seen, 1.0 - risks[index], shares[index])
        if value > most + ROUNDING:
            best, most = int(cell), value
    return best


@kernel(inline=True)
def choose(
    agent: int,
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    rows: int,
    cols: int,
    total: int,
    logs: Floats,
    random: RandomState,
) -> tuple[int, int, float]:
    """The cell that an agent reveals where it has to guess, why, and the risk."""
    board = n.board
    weighed = w.answer == WEIGHED
    risks = risks_by_index(board, w, cols) if weighed else rough_risks(board, total)
    cell, why = NO_CELL, RANDOM
    if agent == LOGIC_RANDOM:
        cell = guess_at_random(board, rows, cols, random)
    elif agent == EXPERT and weighed:
        cell, why = exact_choice(n, w, cols, total)
        if cell == NO_CELL:
            cell, why = best_ahead(n, scratch, w, risks, rows, cols, total, logs), FRONTIER
    else:
        cell, why = safest(board, risks, rows, cols), FRONTIER
    index = index_with_margins(board, cols, cell)
    if why == FRONTIER:
        why = ELSEWHERE
        for k in range(8):
            if board.codes[index + board.near[k]] >= 0:
                why = FRONTIER
    return cell, why, float(risks[index])
