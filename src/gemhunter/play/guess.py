"""Which cell `expert` reveals when none is certain.

Read `guess` at the end first. Before it stands what it weighs: the cells worth looking at, standoffs that
have to be guessed sooner or later, and what a guess is worth.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.counting.grid_state import (
    BIT_COUNT,
    CELLS_DECIDED,
    CLUE_DONE,
    INDEX_MASK,
    ROW_WIDTH,
    GridState,
    Int,
)
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.arrays import Floats, Ints
from gemhunter.jit.kernel import kernel
from gemhunter.jit.random_state import RandomState, below
from gemhunter.play.end_game import (
    ANY_NUMBER,
    BUDGET_SPENT,
    CHOICE,
    NO_CELL,
    TRAPPED,
    Listed,
    is_closed,
    list_solutions,
    new_end_game,
    search,
    undecided_cells,
)
from gemhunter.play.luck import SHARE_NOT_KNOWN, forecast
from gemhunter.play.notes import (
    ELSEWHERE,
    END_GAME,
    EXPERT,
    FIFTY_FIFTY,
    FRONTIER,
    LOGIC_RANDOM,
    RANDOM,
    PlayerNotes,
    copy_notes,
    decide_cell,
    follow_up,
    index_with_margins,
    suppose,
    work_out,
)
from gemhunter.play.risks import WITHOUT_RISKS, WeighedPosition, left_over, risks_by_index, weigh_in_play

# What a guess is worth: whether it and the move after it are safe, and how much it opens.


SAFE_TWICE, SAFE_THEN_SECOND, LOG_NEW_GEMS, POSSIBLE_CLUES, LOOK_AHEAD_SIZE = range(5)
"""What looking ahead finds: the probability that a cell and then the safest cell are both safe; that it and
then the second safest cell are; if the cell is safe, the mean logarithm of one more than the number of cells
that become certain; how many clues it can show; and the number of these values."""

SECOND_WEIGHT = 0.4
"""How much the second safest cell after a guess counts: the safest one may reveal nothing new."""

GEMS_WEIGHT = 0.02
"""What a guess gains by making e times as many cells certain, as a probability of being safe."""

STANDOFF_WEIGHT = 0.9
"""The share by which unavoidable risks of standoffs are discounted; below 1, as some are never reached."""

EXPERT_WEIGHTS = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)

DEAD_CELL_WORTH = -1.0
"""What a cell is worth that can show one clue only, and so reveals nothing new."""


@kernel
def opening_probability(board: GridState, risks: Floats, index: Int) -> float:
    """Roughly the probability that a gem is a 0: as if its neighbours were independent."""
    probability = 1.0
    for k in range(8):
        probability *= 1.0 - risks[index + board.near[k]]
    return probability


@kernel
def new_gems(board: GridState, since: int) -> int:
    """How many cells have been found to be gems since the trail had that length, and are not revealed."""
    gems = 0
    for i in range(since, board.numbers[CELLS_DECIDED]):
        gems += board.codes[board.trail[i]] == GEM
    return gems


@kernel
def certain_gems(w: WeighedPosition) -> int:
    """How many undecided cells are a gem in every solution."""
    gems = w.untouched if w.untouched_risk == 0.0 else 0
    for risk in w.risk:
        gems += risk == 0.0
    return gems


@kernel
def two_safest(w: WeighedPosition) -> tuple[float, float]:
    """The probabilities that the safest undecided cell is safe, and the second safest.

    Both are 1 if one cell is certain, or if none is undecided, as then the game is won.
    """
    if w.untouched == 0 and w.risk.size == 0:
        return 1.0, 1.0
    least = w.untouched_risk if w.untouched > 0 else 1.0
    second = w.untouched_risk if w.untouched > 1 else 1.0
    for risk in w.risk:
        if risk < least:
            least, second = risk, least
        elif risk < second:
            second = risk
    return 1.0 - least, 1.0 - second if least > 0.0 else 1.0


@kernel(inline=True)
def look_ahead(
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    index: Int,
    total: int,
    logs: Floats,
    safety: float,
    needed: float,
    seen: Floats,
) -> bool:
    """Fill `seen` by supposing every clue that a cell can show, each with its probability.

    If a clue makes cells certain, the move after it is safe; otherwise it is as safe as the safest cells
    then. The cell is a gem with the probability `safety`. No more clues are supposed once the worth without
    standoffs cannot exceed `needed` even if each of them made the next moves safe; False if some were not.
    """
    board = n.board
    least, most = 0, 0
    for k in range(8):
        code = board.codes[index + board.near[k]]
        least += code == TRAP
        most += code in (TRAP, HIDDEN)
    seen[:] = 0.0
    left, since = safety, board.numbers[CELLS_DECIDED]
    for clue in range(least, most + 1):
        copy_notes(n, scratch)
        if not suppose(scratch, index, clue):
            continue
        gems = new_gems(scratch.board, since)
        after = weigh_in_play(scratch.board, total, w.trap_weight, gems == 0, logs)
        if after.answer != WEIGHED:
            continue
        best, second = two_safest(after) if gems == 0 else (1.0, 1.0)
        if gems == 0 and best == 1.0:
            gems = certain_gems(after)
        probability = np.exp(after.log_count - w.log_count)
        seen[SAFE_TWICE] += probability * best
        seen[SAFE_THEN_SECOND] += probability * second
        seen[LOG_NEW_GEMS] += probability * np.log(1.0 + gems)
        seen[POSSIBLE_CLUES] += 1
        left -= probability
        # What new gems could add is left out: that decides once in a thousand guesses, and costs a third.
        if weighted_worth(seen, 1.0, 0.0, EXPERT_WEIGHTS) + left <= needed:
            return False
    return True


@kernel
def worth(seen: Floats, safety: float, share: float) -> float:
    """What revealing a cell is worth, from what looking ahead has found.

    `safety` is the probability that it is a gem, `share` its share in standoffs.
    `benchmarks/guesses.py` measures what other weights lead to.
    """
    if seen[POSSIBLE_CLUES] <= 1:
        return DEAD_CELL_WORTH
    return weighted_worth(seen, safety, share, EXPERT_WEIGHTS)


@kernel
def weighted_worth(seen: Floats, safety: float, share: float, weights: tuple[float, float, float]) -> float:
    """The formula of `worth` with any weights: of the second safest cell, of new gems and of standoffs."""
    second, gems, standoffs = weights
    follow = seen[SAFE_TWICE] + second * (seen[SAFE_THEN_SECOND] - seen[SAFE_TWICE])
    return float((follow + gems * seen[LOG_NEW_GEMS]) * standoff_factor(share, safety, standoffs))


@kernel
def standoff_factor(share: float, safety: float, weight: float) -> float:
    """By how much the worth of a cell grows because the risk of its standoffs is unavoidable."""
    return 1.0 + weight * share / safety


# The cells that a guess is chosen from: the safest ones, and those near clues that are nearly as safe.


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


# Standoffs: cells that no clue will ever distinguish, so that one of them must be guessed sooner or later.
#
# Two neighbours, one of them a trap, are a standoff if whatever touches only one of them is a trap or off
# the board: its walls. So are two by two cells with traps in two opposite corners. Swapping traps and gems
# gives another solution, with the same probability.


STANDOFF_SHAPES = 3
"""Two cells side by side, two below each other, and two by two."""

SHAPE_CELLS = np.array(
    [[(0, 0), (0, 1), (0, 0), (0, 0)], [(0, 0), (1, 0), (0, 0), (0, 0)], [(0, 0), (1, 1), (0, 1), (1, 0)]]
)
"""Rows and columns from the first cell of a shape to its cells: traps, then as many gems; the rest is not
looked at."""

SHAPE_TRAPS = np.array([1, 1, 2])
"""How many of them are traps."""

SHAPE_WALLS = np.array(
    [
        [(-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)],
        [(-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)],
        [(-1, -1), (-1, 2), (2, -1), (2, 2), (2, 2), (2, 2)],
    ]
)
"""Rows and columns from the first cell to the walls; where there are fewer, the last one is repeated."""

MOST_HIDDEN_WALLS = 1
"""Where more walls are not known to be traps, a standoff is too improbable to count."""

LEAST_SHARE = 0.005
"""A standoff in a smaller share of all solutions is too improbable to count."""

HAS_CLUE = -1
"""Instead of a number of hidden walls: a wall has a clue, so this is not a standoff."""


@kernel
def hidden_walls(board: GridState, shape: int, index: Int, walls: Ints) -> int:
    """How many walls of a shape are hidden; they are put into `walls`. `HAS_CLUE` if one of them has a clue.

    Nothing is known to be a gem but what has been revealed, and the margin of the board.
    """
    width, count = board.numbers[ROW_WIDTH], 0
    for down, right in SHAPE_WALLS[shape]:
        wall = index + down * width + right
        if board.codes[wall] >= 0:
            return HAS_CLUE
        is_new = count == 0 or walls[count - 1] != wall
        if board.codes[wall] == HIDDEN and is_new:
            walls[count] = wall
            count += 1
    return count


@kernel(inline=True)
def share_with(
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    traps: Ints,
    gems: Ints,
    total: int,
    logs: Floats,
) -> float:
    """The share of all solutions that have these traps and gems."""
    copy_notes(n, scratch)
    for index in traps:
        decide_cell(scratch.board, index, TRAP)
    for index in gems:
        decide_cell(scratch.board, index, GEM)
    if not follow_up(scratch) or not work_out(scratch):
        return 0.0
    after = weigh_in_play(scratch.board, total, w.trap_weight, WITHOUT_RISKS, logs)
    return float(np.exp(after.log_count - w.log_count)) if after.answer == WEIGHED else 0.0


@kernel(inline=True)
def standoff_shares(
    n: PlayerNotes, scratch: PlayerNotes, w: WeighedPosition, risks: Floats, total: int, logs: Floats
) -> Floats:
    """For each cell, in which share of all solutions it is a trap that a standoff will cost anyway.

    A player who reveals a cell of a standoff, or a wall of it, pays for it with that risk; a player who
    reveals another cell still has to. Every second solution of a standoff is lost, so the share is
    that of solutions with traps and gems in one of the two ways.
    """
    board = n.board
    width = board.numbers[ROW_WIDTH]
    shares = np.zeros(board.codes.size, np.float64)
    cells, walls = np.empty(4, np.int64), np.empty(6, np.int64)
    for first in range(2 * width, board.codes.size - 2 * width):
        if board.codes[first] != HIDDEN:
            continue
        for shape in range(STANDOFF_SHAPES):
            half = SHAPE_TRAPS[shape]
            bound = 1.0
            for i in range(2 * half):
                down, right = SHAPE_CELLS[shape, i]
                cells[i] = first + down * width + right
                is_open = board.codes[cells[i]] == HIDDEN
                bound = min(bound, risks[cells[i]], 1.0 - risks[cells[i]]) if is_open else 0.0
            count = hidden_walls(board, shape, first, walls) if bound >= LEAST_SHARE else HAS_CLUE
            for i in range(max(count, 0)):
                bound = min(bound, risks[walls[i]])
            if count == HAS_CLUE or count > MOST_HIDDEN_WALLS or bound < LEAST_SHARE:
                continue
            traps = np.concatenate((walls[:count], cells[:half]))
            share = share_with(n, scratch, w, traps, cells[half : 2 * half], total, logs)
            for i in range(2 * half):
                shares[cells[i]] += share
            for i in range(count):
                shares[walls[i]] += share
    return np.minimum(shares, np.minimum(risks, 1.0 - risks))


# Which cell a player reveals when none is certain.


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
