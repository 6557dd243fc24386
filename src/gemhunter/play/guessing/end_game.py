"""The end of a game, played perfectly: how many of the solutions that are left can be won.

A position is the set of its solutions. Cells that are safe in all of them are revealed first, so the set
determines what has been revealed. A cell is alive if it can show different clues. A cell that is not alive is
never worth a risk before one that is, and if no cell is alive, one solution of the set can be won.

Read `search_listed` and `search` first. Below them are the steps of the search, then `list_solutions`, which
makes the list that is searched. Agents use a small table and a small budget; where people wait for an answer,
`search_on` continues a search as long as there is time.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP
from gemhunter.counting.parts import Parts
from gemhunter.counting.plan import clues_by_group
from gemhunter.counting.propagate import GridState, index_with_margins
from gemhunter.jit.kernel import Bytes, Ints, kernel
from gemhunter.jit.search_state import draw
from gemhunter.play.risks import WeighedPosition

TRAPPED = 15
"""What a solution shows on a cell that is a trap; clues are smaller."""

ANY_NUMBER = -1
"""In place of a number of traps that is not known or does not matter."""

NO_CELL = -1
BUDGET_SPENT = -1
"""In place of the number of solutions that are won: the search was stopped before it was known."""

NOT_ANSWERED, NOT_ENTERED = -1, -2
"""Instead of the number of wins of a set: a smaller set must be answered first; it has not been looked at."""

SETS_SEEN, SETS_ALLOWED, CHOICE, DEPTH, ANSWER, TABLE_SHIFT = range(6)
"""In `EndGame.numbers`: the number of sets looked at, its limit, and the number of the cell to reveal; the
depth of the current set and what it wins, where a search that was stopped continues; and by how many bits a
key is shifted to become its place in the table."""

SET_BEGIN, SET_END, STACK_TOP = range(3)
"""In a row of `EndGame.frames`: the set at this depth is on the stack from `SET_BEGIN` to `SET_END`, and the
stack is free from `STACK_TOP` on."""

TRIED_CELL, NEXT_CLUE, CELL_WINS, SOLUTIONS_LEFT, BEST_WINS, FRAME_SIZE = range(3, 9)
"""In a row of `EndGame.frames`: the cell tried now, the clue whose class of solutions comes next, what the
classes of this cell have won so far, the number of solutions in its other classes, and the most that any cell
has won so far; then the size of a row."""

AGENT_TABLE_BITS = 14


class Listed(NamedTuple):
    """Solutions: `shows[s, i]` is the clue on cell `cells[i]`, or `TRAPPED`.

    There are none if they were too many or took too long to find.
    """

    cells: Ints
    shows: Bytes


class EndGame(NamedTuple):
    """The state of a search: `shows` as in `Listed`; the rest is working memory.

    `words` has a random word per solution; the exclusive or of those of a set is its key. `stack` has the
    sets on the way from the root. `trapped`, `low` and `high` have a row per depth: for each cell, in how
    many solutions it is a trap, and the least and the largest clue that it can show. `keys` and `wins` are a
    table of sets that have been answered.
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
def search_listed(listed: Listed, budget: int) -> tuple[int, int]:
    """The cell to reveal if these are all solutions, and how many of them are won then.

    `NO_CELL` if there is nothing to choose, or if the search would look at more than `budget` sets.
    """
    solutions, size = listed.shows.shape
    if solutions == 0:
        return NO_CELL, 0
    won, best = search(listed.shows, budget)
    if won != BUDGET_SPENT and best == NO_CELL:
        # Only one solution can be won, whatever is revealed. Of the cells with a risk, take the safest.
        fewest = solutions
        for i in range(size):
            traps = 0
            for s in range(solutions):
                traps += listed.shows[s, i] == TRAPPED
            if 0 < traps < fewest:
                best, fewest = i, traps
    return (NO_CELL, 0) if best == NO_CELL else (int(listed.cells[best]), won)


@kernel
def search(shows: Bytes, budget: int) -> tuple[int, int]:
    """How many of all solutions can be won, and the number of the cell to reveal.

    `BUDGET_SPENT` if the search would look at more than `budget` sets. The cell is `NO_CELL` then, and also
    if only one solution can be won, and it can be any of them.
    """
    e = new_end_game(shows, AGENT_TABLE_BITS)
    begin_with(e, np.arange(shows.shape[0]))
    return search_on(e, budget)


@kernel(estimate=lambda e, sets: 2e-8 * sets * e.shows.size)
def search_on(e: EndGame, sets: int) -> tuple[int, int]:
    """Continue a search by at most `sets` sets; the answer is that of `search`."""
    numbers = e.numbers
    numbers[SETS_ALLOWED] += sets
    # Depth first: a set is answered when all classes of each cell worth trying have been answered.
    depth, answer = int(numbers[DEPTH]), int(numbers[ANSWER])
    if answer == NOT_ENTERED:
        answer = enter(e, depth)
    while numbers[SETS_SEEN] <= numbers[SETS_ALLOWED]:
        if answer == NOT_ANSWERED:
            answer = advance(e, depth)
            if answer == NOT_ANSWERED:
                depth += 1
                answer = enter(e, depth)
        elif depth > 0:
            depth -= 1
            e.frames[depth, CELL_WINS] += answer
            answer = NOT_ANSWERED
        else:
            return answer, int(numbers[CHOICE])
    numbers[DEPTH], numbers[ANSWER] = depth, answer
    return BUDGET_SPENT, NO_CELL


@kernel
def begin_with(e: EndGame, solutions: Ints) -> None:
    """Begin a search from the set of these solutions, by their numbers; the table is kept."""
    for i in range(solutions.size):
        e.stack[i] = solutions[i]
    e.frames[0, SET_BEGIN], e.frames[0, SET_END], e.frames[0, STACK_TOP] = 0, solutions.size, solutions.size
    e.numbers[SETS_SEEN], e.numbers[SETS_ALLOWED], e.numbers[CHOICE] = 0, 0, NO_CELL
    e.numbers[DEPTH], e.numbers[ANSWER] = 0, NOT_ENTERED


@kernel(estimate=lambda shows, _: 1e-5 * len(shows))
def new_end_game(shows: Bytes, table_bits: int) -> EndGame:
    """The state before any search, with a table of 2^table_bits answered sets."""
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
        np.zeros(1 << table_bits, np.uint64),
        np.zeros(1 << table_bits, np.int32),
        np.array([0, 0, NO_CELL, 0, NOT_ENTERED, 64 - table_bits]),
    )


@kernel
def enter(e: EndGame, depth: int) -> int:
    """Look at the set of a depth for the first time: what it wins if that is known, or `NOT_ANSWERED`."""
    frame = e.frames[depth]
    begin, end = frame[SET_BEGIN], frame[SET_END]
    if end - begin == 1:
        return 1
    # At the root, the cell to reveal is wanted too, so the search cannot end here.
    if end - begin == 2 and depth > 0:
        return won_of_two(e, begin)
    key = np.uint64(0)
    for i in range(begin, end):
        key ^= e.words[e.stack[i]]
    e.set_keys[depth] = key
    slot = np.int64(key >> np.uint64(e.numbers[TABLE_SHIFT]))
    # Equal keys are taken to mean equal sets: with 64 random bits, a mistake is practically impossible.
    if depth > 0 and e.keys[slot] == key:
        return int(e.wins[slot])
    e.numbers[SETS_SEEN] += 1
    survey(e, begin, end, depth)
    e.tried[depth] = False
    # One solution can always be won, so a cell is worth trying only if it can win two.
    frame[TRIED_CELL], frame[BEST_WINS] = NO_CELL, 1
    return NOT_ANSWERED


@kernel
def won_of_two(e: EndGame, begin: int) -> int:
    """2 if a cell that is safe in both of these solutions shows different clues, otherwise 1."""
    first, second = e.shows[e.stack[begin]], e.shows[e.stack[begin + 1]]
    for cell in range(first.size):
        if first[cell] != second[cell] and first[cell] != TRAPPED and second[cell] != TRAPPED:
            return 2
    return 1


@kernel
def survey(e: EndGame, begin: int, end: int, depth: int) -> None:
    """Fill in `trapped`, `low` and `high` for the set at this depth."""
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
def advance(e: EndGame, depth: int) -> int:
    """Continue with the set of a depth: what it wins, or `NOT_ANSWERED` if a set one level deeper is next."""
    frame, starts = e.frames[depth], e.starts[depth]
    begin, end = frame[SET_BEGIN], frame[SET_END]
    while True:
        if frame[TRIED_CELL] != NO_CELL:
            # The next class of the cell that is tried, unless winning all that are left would not be enough.
            while frame[NEXT_CLUE] < 9 and frame[CELL_WINS] + frame[SOLUTIONS_LEFT] > frame[BEST_WINS]:
                clue = frame[NEXT_CLUE]
                frame[NEXT_CLUE] += 1
                count = starts[clue + 1] - starts[clue]
                if count > 0:
                    frame[SOLUTIONS_LEFT] -= count
                    below = e.frames[depth + 1]
                    below[SET_BEGIN], below[SET_END] = starts[clue], starts[clue + 1]
                    below[STACK_TOP] = starts[9]
                    return NOT_ANSWERED
            if frame[CELL_WINS] > frame[BEST_WINS]:
                frame[BEST_WINS] = frame[CELL_WINS]
                if depth == 0:
                    e.numbers[CHOICE] = frame[TRIED_CELL]
            # If a cell costs nothing to reveal, no other one needs to be tried.
            if e.trapped[depth, frame[TRIED_CELL]] == 0:
                break
        # The next cell. They come by rising risk, so the first that is safe in too few solutions is the last.
        cell = safest_alive(e, depth, end - begin)
        if cell == NO_CELL or end - begin - e.trapped[depth, cell] <= frame[BEST_WINS]:
            break
        e.tried[depth, cell] = True
        split_by_clue(e, begin, end, frame[STACK_TOP], cell, starts)
        frame[TRIED_CELL], frame[NEXT_CLUE], frame[CELL_WINS] = cell, 0, 0
        frame[SOLUTIONS_LEFT] = starts[9] - starts[0]
    slot = np.int64(e.set_keys[depth] >> np.uint64(e.numbers[TABLE_SHIFT]))
    e.keys[slot], e.wins[slot] = e.set_keys[depth], frame[BEST_WINS]
    return int(frame[BEST_WINS])


@kernel
def safest_alive(e: EndGame, depth: int, size: int) -> int:
    """Of the alive cells not tried yet, the one that is a trap in the fewest solutions, or `NO_CELL`."""
    trapped, low, high, tried = e.trapped[depth], e.low[depth], e.high[depth], e.tried[depth]
    best, fewest = NO_CELL, size
    for cell in range(tried.size):
        if low[cell] < high[cell] and trapped[cell] < fewest and not tried[cell]:
            best, fewest = cell, trapped[cell]
    return best


@kernel
def split_by_clue(e: EndGame, begin: int, end: int, top: int, cell: int, starts: Ints) -> None:
    """Copy the solutions in which a cell is safe to `top`, sorted by clue: class v begins at `starts[v]`."""
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


# The solutions of a position or of a part of it, if they are few. Cells are reading indices.


@kernel(estimate=lambda *arguments: 3e-5 * arguments[-1])
def list_solutions(board: GridState, parts: Parts, first: int, cells: Ints, traps: int, limit: int) -> Listed:
    """All solutions with `traps` traps (or `ANY_NUMBER`) in `cells`, if there are no more than `limit`.

    `cells` are those of `parts.group_cells` from `first` on, in whole parts, and then untouched cells. This
    is backtracking, cell by cell: a gem is tried first, then a trap.
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
    found = np.empty((limit, size), np.uint8)
    # What has been tried on each cell: nothing, 1 for a gem, 2 for a trap.
    tried = np.zeros(size + 1, np.int64)
    rest, depth, count = traps, 0, 0
    # 200 steps per solution are plenty, unless most branches are dead ends.
    steps_left = 200 * limit
    while depth >= 0:
        if steps_left == 0:
            return Listed(cells, found[:0])
        steps_left -= 1
        if depth == size:
            if traps == ANY_NUMBER or rest == 0:
                if count == limit:
                    return Listed(cells, found[:0])
                for i in range(size):
                    found[count, i] = tried[i] - 1
                count += 1
            depth -= 1
            continue
        last = tried[depth]
        tried[depth] = 0 if last == 2 else last + 1
        # Take back what was tried; a trap follows a gem. `change` is the difference in the number of traps.
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
    return Listed(cells, shown_by(board, cells, found[:count]))


@kernel(estimate=lambda _, __, traps: 2e-6 * traps.size)
def shown_by(board: GridState, cells: Ints, traps: Bytes) -> Bytes:
    """What each solution shows, by its traps among the cells and the known traps of the board."""
    number = np.full(board.codes.size, -1, np.int64)
    for i in range(cells.size):
        number[index_with_margins(board, cells[i])] = i
    shows = np.zeros(traps.shape, np.uint8)
    for i in range(cells.size):
        index = index_with_margins(board, cells[i])
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
def undecided_cells(board: GridState, w: WeighedPosition) -> Ints:
    """All undecided cells: those of the parts in their order, then the untouched ones."""
    cells = np.empty(w.parts.group_cells.size + w.untouched, np.int64)
    touched = np.zeros(board.codes.size, np.bool_)
    count = 0
    for cell in w.parts.group_cells:
        cells[count] = cell
        touched[index_with_margins(board, cell)] = True
        count += 1
    cell = 0
    while count < cells.size:
        index = index_with_margins(board, cell)
        if board.codes[index] == HIDDEN and not touched[index]:
            cells[count] = cell
            count += 1
        cell += 1
    return cells


@kernel
def is_closed(board: GridState, cells: Ints) -> bool:
    """Whether no other undecided cell touches these, so that no clue elsewhere says more about them."""
    mine = np.zeros(board.codes.size, np.bool_)
    for cell in cells:
        mine[index_with_margins(board, cell)] = True
    for cell in cells:
        index = index_with_margins(board, cell)
        for k in range(8):
            other = index + board.near[k]
            if board.codes[other] == HIDDEN and not mine[other]:
                return False
    return True
