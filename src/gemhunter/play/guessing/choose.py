"""How `expert` chooses a cell when none is certain; and the simpler agents, which share its risks.

Read `choose` first, then `exact_choice` and `best_ahead`: the end of a game is played exactly; before that,
the agent looks one move ahead from the most promising cells and takes the one that is worth most. Ties go to
the first cell in reading order. Below: looking ahead and the worth of a cell, the choice of cells to look at,
standoffs, and guesses without looking ahead.

An `index` is that of a cell on the board with margins.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.counting.propagate import (
    BIT_COUNT,
    CELLS_DECIDED,
    CLUE_DONE,
    INDEX_MASK,
    ROW_WIDTH,
    GridState,
    Int,
    index_with_margins,
)
from gemhunter.counting.weigh import WEIGHED
from gemhunter.jit.kernel import Floats, Ints, kernel
from gemhunter.jit.search_state import RandomState, below
from gemhunter.play.guessing.end_game import (
    ANY_NUMBER,
    NO_CELL,
    is_closed,
    list_solutions,
    search_listed,
    undecided_cells,
)
from gemhunter.play.notes import PlayerNotes, copy_notes, decide_cell, follow_up, suppose, work_out
from gemhunter.play.player import ELSEWHERE, END_GAME, FIFTY_FIFTY, FRONTIER, RANDOM
from gemhunter.play.risks import WITHOUT_RISKS, WeighedPosition, left_over, risks_by_index, weigh_in_play

LOGIC, LOGIC_RANDOM, FAST, EXPERT, CLUE_LOGIC = range(5)
"""Agents: the first never guesses, the second guesses at random, the third takes the least risk, the fourth
looks ahead. The last never guesses and does not know the total; it only checks boards."""

EXACT_SOLUTIONS = 500
EXACT_SETS = 2_000
"""A game is searched to its end if at most EXACT_SOLUTIONS solutions are left and the search looks at no more
than EXACT_SETS sets of solutions."""

SHARE_NOT_KNOWN = -1.0
"""In place of the share of solutions that are won."""

ROUNDING = 1e-9
"""A smaller difference can be due to rounding: then the first cell in reading order is better."""


@kernel(inline=True)
def choose(
    agent: int,
    n: PlayerNotes,
    scratch: PlayerNotes,
    w: WeighedPosition,
    total: int,
    logs: Floats,
    random: RandomState,
) -> tuple[int, int, float, float]:
    """The index of the cell that an agent guesses, why, its risk, and the share of solutions won.

    The share is `SHARE_NOT_KNOWN` if the rest of the game is not played exactly. `scratch` is notes on a
    board of the same size, `logs` the logarithms of factorials.
    """
    board = n.board
    weighed = w.answer == WEIGHED
    risks = risks_by_index(board, w) if weighed else rough_risks(board, total)
    index, why, won = NO_CELL, RANDOM, SHARE_NOT_KNOWN
    if agent == LOGIC_RANDOM:
        index = guess_at_random(board, random)
    elif agent == EXPERT and weighed:
        index, why, won = exact_choice(n, w, total)
        if index == NO_CELL:
            index, why = best_ahead(n, scratch, w, risks, total, logs), FRONTIER
    else:
        index, why = safest(board, risks), FRONTIER
    if why == FRONTIER:
        why = ELSEWHERE
        for k in range(8):
            if board.codes[index + board.near[k]] >= 0:
                why = FRONTIER
    return index, why, float(risks[index]), won


@kernel(inline=True)
def exact_choice(n: PlayerNotes, w: WeighedPosition, total: int) -> tuple[int, int, float]:
    """The index of the best cell by exact search, why, and the share of all solutions that are won.

    The index is `NO_CELL` if the search would take too long, and the share can be `SHARE_NOT_KNOWN`.
    """
    board = n.board
    # Few solutions are left, so the whole rest of the game can be searched.
    if w.log_count <= np.log(EXACT_SOLUTIONS + 0.5):
        known, _ = left_over(board)
        cells = undecided_cells(board, w)
        listed = list_solutions(board, w.parts, 0, cells, total - known, EXACT_SOLUTIONS)
        cell, won = search_listed(listed, EXACT_SETS)
        if cell != NO_CELL:
            solutions = listed.shows.shape[0]
            why = FIFTY_FIFTY if solutions == 2 else END_GAME
            return int(index_with_margins(board, cell)), why, won / solutions
    index, why = closed_choice(n, w)
    return index, why, SHARE_NOT_KNOWN


@kernel
def closed_choice(n: PlayerNotes, w: WeighedPosition) -> tuple[int, int]:
    """The index of the best cell in a closed part with a known number of traps, and why; or `NO_CELL`.

    No clue elsewhere will ever say more about such a part, so waiting cannot help: it is played now.
    """
    board, parts = n.board, w.parts
    for part in range(w.spread.size):
        if w.spread[part] > 0:
            continue
        first = parts.group_starts[parts.part_groups[part]]
        cells = parts.group_cells[first : parts.group_starts[parts.part_groups[part + 1]]].copy()
        if not is_closed(board, cells):
            continue
        listed = list_solutions(board, parts, first, cells, ANY_NUMBER, EXACT_SOLUTIONS)
        cell, _ = search_listed(listed, EXACT_SETS)
        if cell != NO_CELL:
            why = FIFTY_FIFTY if listed.shows.shape[0] == 2 else END_GAME
            return int(index_with_margins(board, cell)), why
    return NO_CELL, END_GAME


@kernel(inline=True)
def best_ahead(
    n: PlayerNotes, scratch: PlayerNotes, w: WeighedPosition, risks: Floats, total: int, logs: Floats
) -> int:
    """The index of the cell that looking ahead finds worth most."""
    shares = standoff_shares(n, scratch, w, risks, total, logs)
    seen = np.empty(LOOK_AHEAD_SIZE, np.float64)
    best, most = NO_CELL, -np.inf
    # The most promising cells come first, so that the search can stop early at later ones: `needed` is what a
    # cell must be worth, before its standoffs count, to become the best.
    for index in promising(n.board, risks, shares):
        safety, share = 1.0 - risks[index], shares[index]
        needed = most / standoff_factor(share, safety, STANDOFF_WEIGHT)
        look_ahead(n, scratch, w, index, total, logs, safety, needed, seen)
        value = worth(seen, safety, share)
        if value > most + ROUNDING:
            best, most = int(index), value
    return best


# Looking ahead: what a guess is worth depends on how safe it and the next move are, and on what it opens.


SAFE_TWICE, SAFE_THEN_SECOND, LOG_NEW_GEMS, POSSIBLE_CLUES, LOOK_AHEAD_SIZE = range(5)
"""What looking ahead finds: the probability that a cell and then the safest cell are both safe; that the cell
and then the second safest cell are; the mean logarithm, if the cell is safe, of one more than the number of
gems that become certain; how many clues the cell can show; and the number of these values."""

SECOND_WEIGHT = 0.4
"""How much the second safest cell after a guess counts: the safest one may reveal nothing new."""

GEMS_WEIGHT = 0.02
"""The value of making e times as many cells certain, as a probability of being safe."""

STANDOFF_WEIGHT = 0.9
"""The share by which unavoidable risks of standoffs are discounted; below 1, as some are never reached."""

EXPERT_WEIGHTS = (SECOND_WEIGHT, GEMS_WEIGHT, STANDOFF_WEIGHT)


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

    If a clue makes gems certain, the next move is safe; otherwise it is as safe as the safest cells then. The
    cell is a gem with the probability `safety`. Returns False and stops early once the worth without
    standoffs cannot exceed `needed`, even if each further clue made the next moves safe.
    """
    board = n.board
    # The clue is from the number of known traps around the cell to the number of cells that may be traps.
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
        # If the clue makes a gem certain at once, the risks after it are not needed.
        gems = new_gems(scratch.board, since)
        after = weigh_in_play(scratch.board, total, w.trap_weight, gems == 0, logs)
        if after.answer != WEIGHED:
            continue
        best, second = two_safest(after) if gems == 0 else (1.0, 1.0)
        if gems == 0 and best == 1.0:
            gems = certain_gems(after)
        # The share of all solutions in which the cell is a gem and shows this clue; over all clues, these
        # add up to `safety`.
        probability = np.exp(after.log_count - w.log_count)
        seen[SAFE_TWICE] += probability * best
        seen[SAFE_THEN_SECOND] += probability * second
        seen[LOG_NEW_GEMS] += probability * np.log(1.0 + gems)
        seen[POSSIBLE_CLUES] += 1
        left -= probability
        # The bound leaves out what new gems could add: counting that would change one guess in a thousand,
        # and take a third longer.
        if weighted_worth(seen, 1.0, 0.0, EXPERT_WEIGHTS) + left <= needed:
            return False
    return True


@kernel
def two_safest(w: WeighedPosition) -> tuple[float, float]:
    """The probabilities that the safest undecided cell is safe, and that the second safest is.

    Both are 1 if a cell is certain, or if no cell is undecided, as then the game is won.
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


@kernel
def certain_gems(w: WeighedPosition) -> int:
    """How many undecided cells are a gem in every solution."""
    gems = w.untouched if w.untouched_risk == 0.0 else 0
    for risk in w.risk:
        gems += risk == 0.0
    return gems


@kernel
def new_gems(board: GridState, since: int) -> int:
    """How many gems the trail has from place `since` on that have not been revealed."""
    gems = 0
    for i in range(since, board.numbers[CELLS_DECIDED]):
        gems += board.codes[board.trail[i]] == GEM
    return gems


@kernel
def worth(seen: Floats, safety: float, share: float) -> float:
    """What revealing a cell is worth, from what looking ahead has found.

    `safety` is the probability that it is a gem, `share` its share in standoffs.
    """
    # A cell that can show only one clue reveals nothing new.
    if seen[POSSIBLE_CLUES] <= 1:
        return -1.0
    return weighted_worth(seen, safety, share, EXPERT_WEIGHTS)


@kernel
def weighted_worth(seen: Floats, safety: float, share: float, weights: tuple[float, float, float]) -> float:
    """The formula of `worth`, with weights of the second safest cell, of new gems and of standoffs."""
    second, gems, standoffs = weights
    follow = seen[SAFE_TWICE] + second * (seen[SAFE_THEN_SECOND] - seen[SAFE_TWICE])
    return float((follow + gems * seen[LOG_NEW_GEMS]) * standoff_factor(share, safety, standoffs))


@kernel
def standoff_factor(share: float, safety: float, weight: float) -> float:
    """The factor by which the worth of a cell grows because the risk of its standoffs is unavoidable."""
    # The cell's safety s, which is a factor of its worth, is raised to s + weight · share.
    return 1.0 + weight * share / safety


# The cells from which a guess is chosen: the safest ones, and those near clues that are nearly as safe.


SAFETY_TOLERANCE = 0.1
"""A cell is considered if it is at most this share less safe than the best one; unavoidable risks of
standoffs are left out."""

SAFE_CANDIDATES = 8
CANDIDATES_NEAR_CLUES = 12
"""How many cells are considered because they are safe, and how many more because they are near clues."""

OPENING_WEIGHT = 0.03
"""The weight of the probability of an opening, against that of being safe, in the choice of safe cells."""

TOUCHING_WEIGHT = 0.003
"""The weight of each neighbour at a clue, against the probability of being safe, among cells near clues."""

NEAR_CLUES = 9
"""In place of a number of neighbours: a cell that is near clues."""


@kernel
def promising(board: GridState, risks: Floats, shares: Floats) -> Ints:
    """The indices of the cells to consider: the safest one first, then others that are nearly as safe.

    `shares` are those of standoffs. There are no cells if none is undecided. Early in a game hundreds of
    cells are equally safe: of those that nothing distinguishes, only the first is considered; cells at most
    two steps from a clue always are.
    """
    first = safest(board, risks)
    indices = np.empty(SAFE_CANDIDATES + CANDIDATES_NEAR_CLUES, np.int64)
    if first == NO_CELL:
        return indices[:0]
    enough = (1.0 - risks[first]) * (1.0 - SAFETY_TOLERANCE) - ROUNDING
    at_clue = cells_at_clues(board)
    # `order` ranks all cells that are safe enough, `near_order` only those near clues.
    order, near_order = np.full(board.codes.size, -1.0), np.full(board.codes.size, -1.0)
    is_known_kind = np.zeros(NEAR_CLUES, np.bool_)
    for index in range(board.codes.size):
        safety = 1.0 - risks[index]
        if board.codes[index] != HIDDEN or safety + shares[index] < enough:
            continue
        kind = hidden_around(board, at_clue, index)
        if kind != NEAR_CLUES and is_known_kind[kind] and index != first:
            continue
        if kind != NEAR_CLUES:
            is_known_kind[kind] = True
        credited = safety + STANDOFF_WEIGHT * shares[index]
        order[index] = credited * (1.0 + OPENING_WEIGHT * opening_probability(board, risks, index))
        if kind == NEAR_CLUES:
            touching = 0
            for k in range(8):
                touching += at_clue[index + board.near[k]]
            near_order[index] = credited + TOUCHING_WEIGHT * touching
    # The safest cell comes first, then other safe cells, then cells near clues.
    order[first] = np.inf
    count = take_best(order, indices, 0, SAFE_CANDIDATES)
    for i in range(count):
        near_order[indices[i]] = -1.0
    return indices[: take_best(near_order, indices, count, CANDIDATES_NEAR_CLUES)]


@kernel
def take_best(order: Floats, indices: Ints, count: int, more: int) -> int:
    """Append up to `more` cells to the first `count` of `indices`, by falling `order`; the new count.

    Cells with a negative order are not taken, and those that are taken get one.
    """
    last = count + more
    while count < last:
        index = np.argmax(order)
        if order[index] < 0.0:
            break
        order[index] = -1.0
        indices[count] = index
        count += 1
    return count


@kernel
def cells_at_clues(board: GridState) -> NDArray[np.bool_]:
    """Whether each cell is undecided and has a clue next to it, by index with margins."""
    at_clue = np.zeros(board.codes.size, np.bool_)
    for index in range(board.codes.size):
        if board.codes[index] >= 0:
            for k in range(8):
                cell = index + board.near[k]
                at_clue[cell] = board.codes[cell] == HIDDEN
    return at_clue


@kernel
def hidden_around(board: GridState, at_clue: NDArray[np.bool_], index: Int) -> int:
    """How many neighbours a cell has; `NEAR_CLUES` if it or one of them is at a clue, or one is a known trap.

    Away from clues, nothing else distinguishes one cell from another.
    """
    hidden, is_near = 0, at_clue[index]
    for k in range(8):
        neighbour = index + board.near[k]
        is_near = is_near or at_clue[neighbour] or board.codes[neighbour] == TRAP
        hidden += board.codes[neighbour] == HIDDEN
    return NEAR_CLUES if is_near else hidden


@kernel
def opening_probability(board: GridState, risks: Floats, index: Int) -> float:
    """Roughly the probability that a gem is a 0, as if its neighbours were independent."""
    probability = 1.0
    for k in range(8):
        probability *= 1.0 - risks[index + board.near[k]]
    return probability


# Standoffs: cells that no clue will ever distinguish, so that one of them must be guessed sooner or later.
#
# Two neighbours, one of them a trap, are a standoff if every cell that touches only one of them, a wall, is a
# trap or off the board. So are two by two cells with traps in opposite corners. Swapping traps and gems gives
# another solution, with the same probability.


SHAPE_CELLS = np.array(
    [[(0, 0), (0, 1), (0, 0), (0, 0)], [(0, 0), (1, 0), (0, 0), (0, 0)], [(0, 0), (1, 1), (0, 1), (1, 0)]]
)
"""Two cells side by side, two below each other, and two by two: rows and columns from the first cell of a
shape to its cells, the traps and then as many gems; the rest is not used."""

SHAPE_TRAPS = np.array([1, 1, 2])
"""How many of them are traps."""

SHAPE_WALLS = np.array(
    [
        [(-1, -1), (0, -1), (1, -1), (-1, 2), (0, 2), (1, 2)],
        [(-1, -1), (-1, 0), (-1, 1), (2, -1), (2, 0), (2, 1)],
        [(-1, -1), (-1, 2), (2, -1), (2, 2), (2, 2), (2, 2)],
    ]
)
"""Rows and columns from the first cell to the walls; if there are fewer than six, the last is repeated."""

HIDDEN_WALLS_ALLOWED = 1
"""If more walls are not known to be traps, a standoff is too improbable to count."""

LEAST_SHARE = 0.005
"""A standoff in a smaller share of all solutions is too improbable to count."""

HAS_CLUE = -1
"""In place of a number of hidden walls: a wall has a clue, so this is not a standoff."""


@kernel(inline=True)
def standoff_shares(
    n: PlayerNotes, scratch: PlayerNotes, w: WeighedPosition, risks: Floats, total: int, logs: Floats
) -> Floats:
    """For each cell, the share of all solutions in which it is a trap of an unavoidable standoff.

    A player who reveals a cell of a standoff, or a wall of it, takes that risk now; a player who reveals
    another cell still has to take it later. Half of the solutions of a standoff are lost, so the share is
    that of solutions with traps and gems in one of the two ways.
    """
    board = n.board
    width = board.numbers[ROW_WIDTH]
    shares = np.zeros(board.codes.size, np.float64)
    cells, walls = np.empty(4, np.int64), np.empty(6, np.int64)
    for first in range(2 * width, board.codes.size - 2 * width):
        if board.codes[first] != HIDDEN:
            continue
        for shape in range(SHAPE_TRAPS.size):
            half = SHAPE_TRAPS[shape]
            # No share can exceed the risk of its traps, nor the safety of its gems. This bound rules out
            # nearly all shapes before anything is weighed.
            bound = 1.0
            for i in range(2 * half):
                down, right = SHAPE_CELLS[shape, i]
                cells[i] = first + down * width + right
                is_open = board.codes[cells[i]] == HIDDEN
                bound = min(bound, risks[cells[i]], 1.0 - risks[cells[i]]) if is_open else 0.0
            count = hidden_walls(board, shape, first, walls) if bound >= LEAST_SHARE else HAS_CLUE
            for i in range(max(count, 0)):
                bound = min(bound, risks[walls[i]])
            if count == HAS_CLUE or count > HIDDEN_WALLS_ALLOWED or bound < LEAST_SHARE:
                continue
            # One of the two ways: traps in the walls and in the first half of the cells.
            traps = np.concatenate((walls[:count], cells[:half]))
            share = share_with(n, scratch, w, traps, cells[half : 2 * half], total, logs)
            for i in range(2 * half):
                shares[cells[i]] += share
            for i in range(count):
                shares[walls[i]] += share
    # A cell can be in several standoffs, whose solutions may overlap, so the sum can be too large.
    return np.minimum(shares, np.minimum(risks, 1.0 - risks))


@kernel
def hidden_walls(board: GridState, shape: int, index: Int, walls: Ints) -> int:
    """How many walls of a shape are hidden; they are put into `walls`. `HAS_CLUE` if a wall has a clue.

    Only revealed cells and the margin of the board are known to be gems.
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


# Guesses without looking ahead, and risks where there are too many solutions to weigh.


@kernel
def safest(board: GridState, risks: Floats) -> int:
    """The index of the cell of least risk; of several, the one with the highest probability of an opening."""
    best, least, opening = NO_CELL, 2.0, -1.0
    for index in range(board.codes.size):
        if board.codes[index] != HIDDEN or risks[index] > least + ROUNDING:
            continue
        zero = opening_probability(board, risks, index)
        if risks[index] < least - ROUNDING or zero > opening + ROUNDING:
            best, least, opening = index, risks[index], zero
    return best


@kernel
def guess_at_random(board: GridState, random: RandomState) -> int:
    """The index of any undecided cell, all with the same probability."""
    hidden = np.flatnonzero(board.codes == HIDDEN)
    return int(hidden[below(random, hidden.size)]) if hidden.size > 0 else NO_CELL


@kernel
def rough_risks(board: GridState, total: int) -> Floats:
    """Risks without weighing: the largest by any single clue, or the average of all cells away from clues."""
    known, hidden = left_over(board)
    risks = np.full(board.codes.size, (total - known) / max(hidden, 1))
    seen = np.zeros(board.codes.size, np.bool_)
    for index in range(board.codes.size):
        if not 0 < board.clues[index] < CLUE_DONE:
            continue
        bits = np.int64(board.clues[index]) & 255
        # A clue in conflict can need more traps than it has cells left, or have no cells left.
        share = min((np.int64(board.clues[index]) >> 8) / max(BIT_COUNT[bits], 1), 1.0)
        for k in range(8):
            cell = (index + board.near[k]) & INDEX_MASK
            if bits >> k & 1:
                risks[cell] = max(risks[cell], share) if seen[cell] else share
                seen[cell] = True
    return risks
