"""Which cell a player reveals when none is certain."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN
from gemhunter.kernels.counting.weigh_parts import WEIGHED
from gemhunter.kernels.play.candidate_cells import ROUNDING, promising, safest
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
    standoff_factor,
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
from gemhunter.kernels.play.luck import SHARE_NOT_KNOWN, forecast
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
def search_listed(listed: Listed) -> tuple[int, int]:
    """The cell to reveal if these are all solutions, and how many of them are won then.

    `NO_CELL` if there are none or it takes too long to say.
    """
    solutions, size = listed.shows.shape
    if solutions == 0:
        return NO_CELL, 0
    game = new_end_game(listed.shows, MOST_SETS)
    won = search(game)
    if won == BUDGET_SPENT:
        return NO_CELL, 0
    if game.numbers[CHOICE] != NO_CELL:
        return int(listed.cells[game.numbers[CHOICE]]), won
    # One solution can be won, whichever: go for one of those that have most in common.
    best, fewest = NO_CELL, solutions
    for i in range(size):
        traps = 0
        for s in range(solutions):
            traps += listed.shows[s, i] == TRAPPED
        if 0 < traps < fewest:
            best, fewest = i, traps
    return (NO_CELL, 0) if best == NO_CELL else (int(listed.cells[best]), won)


@kernel(inline=True)
def exact_choice(n: PlayerNotes, w: WeighedPosition, cols: int, total: int) -> tuple[int, int, float]:
    """The best cell where that can be said exactly, and why; `NO_CELL` elsewhere.

    The last number is the share of all solutions that are won then, or `SHARE_NOT_KNOWN`. Exact choices are
    made at the end of the game, and in closed parts with a known number of traps: no clue elsewhere will ever
    say more about these, so they may as well be tried now.
    """
    board, parts = n.board, w.parts
    if w.log_count <= np.log(MOST_SOLUTIONS + 0.5):
        known, _ = left_over(board)
        listed = list_solutions(
            board, parts, 0, undecided_cells(board, w, cols), cols, total - known, MOST_SOLUTIONS
        )
        cell, won = search_listed(listed)
        if cell != NO_CELL:
            solutions = listed.shows.shape[0]
            return cell, FIFTY_FIFTY if solutions == 2 else END_GAME, won / solutions
    for part in range(w.spread.size):
        first = parts.group_starts[parts.part_groups[part]]
        last = parts.group_starts[parts.part_groups[part + 1]]
        if w.spread[part] > 0 or not is_closed(board, parts, part, cols):
            continue
        listed = list_solutions(
            board, parts, first, parts.group_cells[first:last].copy(), cols, ANY_NUMBER, MOST_SOLUTIONS
        )
        cell, _ = search_listed(listed)
        if cell != NO_CELL:
            return cell, FIFTY_FIFTY if listed.shows.shape[0] == 2 else END_GAME, SHARE_NOT_KNOWN
    return NO_CELL, END_GAME, SHARE_NOT_KNOWN


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
        safety, share = 1.0 - risks[index], shares[index]
        needed = most / standoff_factor(share, safety, STANDOFF_WEIGHT)
        look_ahead(n, scratch, w, index, total, logs, safety, needed, seen)
        value = worth(seen, safety, share)
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
) -> tuple[int, int, float, float]:
    """The cell that an agent reveals where it has to guess, why, the risk, and the forecast of `luck`."""
    board = n.board
    weighed = w.answer == WEIGHED
    risks = risks_by_index(board, w, cols) if weighed else rough_risks(board, total)
    cell, why, won = NO_CELL, RANDOM, SHARE_NOT_KNOWN
    if agent == LOGIC_RANDOM:
        cell = guess_at_random(board, rows, cols, random)
    elif agent == EXPERT and weighed:
        cell, why, won = exact_choice(n, w, cols, total)
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
    return cell, why, float(risks[index]), forecast(board, w, total, float(risks[index]), won)
