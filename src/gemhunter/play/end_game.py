"""The end of a game, played perfectly: how many of the solutions that are left can be won."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP
from gemhunter.counting.grid_state import GridState
from gemhunter.counting.parts import Parts
from gemhunter.counting.plan import clues_by_group
from gemhunter.jit.arrays import Bytes, Ints
from gemhunter.jit.kernel import kernel
from gemhunter.jit.random_state import draw
from gemhunter.play.notes import index_with_margins
from gemhunter.play.risks import WeighedPosition

# Lists all solutions of a position, or of a part of it, that has few.


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


# The end of a game, played perfectly: how many of the solutions that are left can be won.
#
# A position is the set of its solutions. Cells that are safe in all of them are revealed first, so that a
# set says all about what has been revealed. A cell is alive if it can show different clues; one that cannot
# is never worth a risk before the others, and where no cell is alive, one solution of the set can be won.


SETS_SEEN, MOST_SETS_SEEN, CHOICE = range(3)
"""In `EndGame.numbers`: the sets looked at, how many may be, and the cell to reveal."""

SET_BEGIN, SET_END, STACK_TOP = range(3)
"""In a row of `EndGame.frames`: the set at this depth is on the stack from `SET_BEGIN` to `SET_END`, and the
stack is free from `STACK_TOP` on."""

TRIED_CELL, NEXT_CLUE, CELL_WINS, SOLUTIONS_LEFT, MOST_WINS = range(3, 8)
"""In a row of `EndGame.frames`: the cell tried now, the clue whose class of solutions comes next, what
the classes of this cell have won so far, the solutions in its other classes, and the most that any cell wins
so far."""

FRAME_SIZE = 8
NO_CELL = -1
BUDGET_SPENT = -1

TABLE_BITS = 14
SHIFT = np.uint64(64 - TABLE_BITS)


class EndGame(NamedTuple):
    """`shows` as in `Listed`; the rest is working memory.

    `words` has a random word per solution; those of a set together (exclusive or) are its key. `stack` has
    the sets on the way from the root. The rows of `trapped`, `low`, `high` belong to a depth: for each cell,
    in how many solutions it is a trap, and the least and largest clue that it can show. `keys` and `wins`
    are a table of sets.
    """

    shows: Bytes
    words: NDArray[np.uint64]
    stack: NDArray[np.int32]
    trapped: Ints
    low: Bytes
    high: Bytes
    tried: NDArray[np.bool_]
    starts: Ints
    frames: Ints
    set_keys: NDArray[np.uint64]
    keys: NDArray[np.uint64]
    wins: NDArray[np.int32]
    numbers: Ints


@kernel
def new_end_game(shows: Bytes, budget: int) -> EndGame:
    """Arrays for the search from the set of all solutions."""
    solutions, cells = shows.shape
    random = np.array([0x9E3779B97F4A7C15], np.uint64)
    words = np.empty(solutions, np.uint64)
    for i in range(solutions):
        words[i] = draw(random)
    return EndGame(
        shows,
        words,
        np.empty(solutions * (cells + 2), np.int32),
        np.empty((cells + 2, cells), np.int64),
        np.empty((cells + 2, cells), np.uint8),
        np.empty((cells + 2, cells), np.uint8),
        np.empty((cells + 2, cells), np.bool_),
        np.empty((cells + 2, 10), np.int64),
        np.empty((cells + 2, FRAME_SIZE), np.int64),
        np.empty(cells + 2, np.uint64),
        np.zeros(1 << TABLE_BITS, np.uint64),
        np.zeros(1 << TABLE_BITS, np.int32),
        np.array([0, budget, NO_CELL]),
    )


@kernel
def look(e: EndGame, begin: int, end: int, depth: int) -> None:
    """Fill in what the solutions of a set have on each cell."""
    trapped, low, high = e.trapped[depth], e.low[depth], e.high[depth]
    trapped[:] = 0
    low[:] = TRAPPED
    high[:] = 0
    for i in range(begin, end):
        shows = e.shows[e.stack[i]]
        for cell in range(shows.size):
            clue = shows[cell]
            if clue == TRAPPED:
                trapped[cell] += 1
            else:
                low[cell] = min(low[cell], clue)
                high[cell] = max(high[cell], clue)


@kernel
def part_by(e: EndGame, begin: int, end: int, top: int, cell: int, starts: Ints) -> None:
    """Copy the solutions in which a cell is safe to `top`, sorted by its clue; class v begins at
    `starts[v]`."""
    counts = np.zeros(10, np.int64)
    for i in range(begin, end):
        clue = e.shows[e.stack[i], cell]
        if clue != TRAPPED:
            counts[clue + 1] += 1
    starts[0] = top
    for clue in range(9):
        starts[clue + 1] = starts[clue] + counts[clue + 1]
        counts[clue] = starts[clue]
    for i in range(begin, end):
        clue = e.shows[e.stack[i], cell]
        if clue != TRAPPED:
            e.stack[counts[clue]] = e.stack[i]
            counts[clue] += 1


@kernel
def best_alive(e: EndGame, depth: int, size: int) -> int:
    """The alive cell, not tried yet, that is a trap in the fewest solutions; `NO_CELL` if there is none."""
    trapped, low, high, tried = e.trapped[depth], e.low[depth], e.high[depth], e.tried[depth]
    best, fewest = NO_CELL, size
    for cell in range(tried.size):
        if low[cell] < high[cell] and trapped[cell] < fewest and not tried[cell]:
            best, fewest = cell, trapped[cell]
    return best


@kernel
def enter(e: EndGame, depth: int) -> int:
    """Look at the set of a depth for the first time: what can be won of it, if that is known, or
    `BUDGET_SPENT`."""
    frame = e.frames[depth]
    begin, end = frame[SET_BEGIN], frame[SET_END]
    if end - begin == 1:
        return 1
    if end - begin == 2 and depth > 0:
        return won_of_two(e, begin)
    key = np.uint64(0)
    for i in range(begin, end):
        key ^= e.words[e.stack[i]]
    e.set_keys[depth] = key
    slot = np.int64(key >> SHIFT)
    if depth > 0 and e.keys[slot] == key:
        return int(e.wins[slot])
    e.numbers[SETS_SEEN] += 1
    look(e, begin, end, depth)
    e.tried[depth] = False
    frame[TRIED_CELL], frame[MOST_WINS] = NO_CELL, 1
    return BUDGET_SPENT


@kernel
def advance(e: EndGame, depth: int) -> int:
    """Go on with the set of a depth: `BUDGET_SPENT` if a set one deeper has to be answered first, or the
    answer."""
    frame, starts = e.frames[depth], e.starts[depth]
    begin, end = frame[SET_BEGIN], frame[SET_END]
    while True:
        if frame[TRIED_CELL] != NO_CELL:
            while frame[NEXT_CLUE] < 9 and frame[CELL_WINS] + frame[SOLUTIONS_LEFT] > frame[MOST_WINS]:
                clue = frame[NEXT_CLUE]
                frame[NEXT_CLUE] += 1
                count = starts[clue + 1] - starts[clue]
                if count > 0:
                    frame[SOLUTIONS_LEFT] -= count
                    below = e.frames[depth + 1]
                    below[SET_BEGIN], below[SET_END], below[STACK_TOP] = (
                        starts[clue],
                        starts[clue + 1],
                        starts[9],
                    )
                    return BUDGET_SPENT
            if frame[CELL_WINS] > frame[MOST_WINS]:
                frame[MOST_WINS] = frame[CELL_WINS]
                if depth == 0:
                    e.numbers[CHOICE] = frame[TRIED_CELL]
            if e.trapped[depth, frame[TRIED_CELL]] == 0:
                break
        cell = best_alive(e, depth, end - begin)
        if cell == NO_CELL or end - begin - e.trapped[depth, cell] <= frame[MOST_WINS]:
            break
        e.tried[depth, cell] = True
        part_by(e, begin, end, frame[STACK_TOP], cell, starts)
        frame[TRIED_CELL], frame[NEXT_CLUE], frame[CELL_WINS] = cell, 0, 0
        frame[SOLUTIONS_LEFT] = starts[9] - starts[0]
    slot = np.int64(e.set_keys[depth] >> SHIFT)
    e.keys[slot], e.wins[slot] = e.set_keys[depth], frame[MOST_WINS]
    return int(frame[MOST_WINS])


@kernel
def search(e: EndGame) -> int:
    """How many of all solutions can be won; `BUDGET_SPENT` if the budget does not suffice to say.

    Then `numbers[CHOICE]` is the cell to reveal; `NO_CELL` if a single solution can be won, whichever.
    """
    solutions = e.shows.shape[0]
    for i in range(solutions):
        e.stack[i] = i
    e.frames[0, SET_BEGIN], e.frames[0, SET_END], e.frames[0, STACK_TOP] = 0, solutions, solutions
    depth, answer = 0, enter(e, 0)
    while e.numbers[SETS_SEEN] <= e.numbers[MOST_SETS_SEEN]:
        if answer == BUDGET_SPENT:
            answer = advance(e, depth)
            if answer == BUDGET_SPENT:
                depth += 1
                answer = enter(e, depth)
            continue
        if depth == 0:
            return answer
        depth -= 1
        e.frames[depth, CELL_WINS] += answer
        answer = BUDGET_SPENT
    return BUDGET_SPENT


@kernel
def won_of_two(e: EndGame, begin: int) -> int:
    """2 if a cell that is safe in both of these solutions shows different clues, otherwise 1."""
    first, second = e.shows[e.stack[begin]], e.shows[e.stack[begin + 1]]
    for cell in range(first.size):
        if first[cell] != second[cell] and first[cell] != TRAPPED and second[cell] != TRAPPED:
            return 2
    return 1
