"""Repairs a dealt board so that it needs no guess: traps and gems change places where a player gets stuck.

Read `repair_board` first. A player who reasons with single clues and pairs of clues plays the board; a board
is accepted only if this is enough. If nothing follows, an undecided trap and an undecided gem change places.
Only clues that have proven nothing yet change with them, so everything that the player knows stays proven,
and the game continues from there.

A trap changes places only with a gem of the same kind of cell, so corners, border and inside keep the numbers
of traps that they were dealt. The cells around the first click stay free of traps.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP
from gemhunter.counting.propagate import (
    BIT_COUNT,
    CELLS_DECIDED,
    CELLS_FOLLOWED,
    CLUE_DONE,
    CONFLICT_AT,
    HERE,
    INDEX_MASK,
    NO_CLUE,
    QUEUE_LENGTH,
    ROW_WIDTH,
    Int,
    index_with_margins,
)
from gemhunter.jit.kernel import Codes, kernel, tight_kernel
from gemhunter.jit.search_state import NONE, RandomState, below
from gemhunter.play.game_ids import Level
from gemhunter.play.notes import PlayerNotes, blank_notes, compare_next, decide_cell, read_clue

Indices = NDArray[np.int32]

INSIDE_CELL, BORDER_CELL, CORNER_CELL, KEPT_FREE, MARGIN_CELL = range(5)
"""Kinds of cells. Those around the first click are kept free of traps and never change."""

# What a draft counts: indices of `Draft.numbers`.
CELLS_ASKED = 0  # cells of the trail that have been revealed if they are gems
REASONS_MARKED = 1  # cells of the trail whose reasons are in `used`

UNTOUCHED, USED, UNUSED, HELPFUL = range(4)
"""What is around an undecided cell: no clue; a used clue; only unused clues; only unused clues, one of which
would decide all its cells if the cell changed."""


def repair_in_slices(codes: Codes, first: int, random: RandomState, *, with_total: bool, tries: int) -> int:
    """Repair a board in place; returns how many cells stay undecided, 0 if it needs no guess."""
    # Each call of the kernel is short, on large boards too, so that Ctrl-C works.
    at_once = max(1, min(tries, 2_000_000 // codes.size))
    left = codes.size
    for _ in range(0, tries, at_once):
        left = repair_board(codes, first, with_total, at_once, random)
        if left == 0:
            break
    return left


def prepare_no_guess(level: Level, plain_seconds: float) -> None:
    """Compile the repair of boards for all processes if that pays off for games that take this long."""
    codes, random = np.zeros((level.rows, level.cols), np.int8), np.zeros(1, np.uint64)
    repair_board.prepare(plain_seconds, codes, 0, True, 1, random)


class Draft(NamedTuple):
    """A board under repair and a player's notes on it; all arrays have margins, like the notes.

    `truth` has clues and traps, `kind` the kind of each cell. `used` is 1 for clues that decided something
    together with another clue: if it is 0 and the clue still has undecided cells, nothing that the player
    knows depends on the clue. `pool` is scratch.
    """

    notes: PlayerNotes
    truth: Codes
    kind: Codes
    used: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    pool: Indices


@kernel(estimate=lambda codes, *_: 2e-4 * codes.size)
def repair_board(codes: Codes, first: int, with_total: bool, tries: int, random: RandomState) -> int:
    """Repair a dealt board; returns how many cells stay undecided, 0 if the board needs no guess.

    `with_total` says whether the last gems may follow from the total.
    """
    rows, cols = codes.shape
    d = new_draft(codes, first)
    size = d.truth.size
    start = index_with_margins(d.notes.board, first)
    undecided, also = np.empty(size, np.int32), np.empty(size, np.int32)
    kept = np.empty(size, np.int8)
    left = play_through(d, start, with_total, True, random, undecided)
    for _ in range(tries):
        if left == 0:
            break
        # Stuck. Swap cells at random where the player got stuck, in several places if many cells are
        # undecided, and play from the beginning, with repairs on the way.
        kept[:] = d.truth
        for _ in range(1 + left // 40):
            disturb(d, random, undecided, left)
        now = play_through(d, start, with_total, True, random, also)
        # A board with as many undecided cells is kept too, as it may be easier to repair.
        if now <= left:
            left = now
            undecided, also = also, undecided
        else:
            d.truth[:] = kept
    # The repairs were made in the middle of a game; the finished board must be won without any.
    if left == 0:
        left = play_through(d, start, with_total, False, random, undecided)
    for cell in range(rows * cols):
        codes[cell // cols, cell % cols] = d.truth[index_with_margins(d.notes.board, cell)]
    return left


@kernel
def new_draft(codes: Codes, first: int) -> Draft:
    """A draft of a dealt board whose player begins at `first`."""
    rows, cols = codes.shape
    notes = blank_notes(rows, cols)
    size = notes.board.codes.size
    truth, kind = np.full(size, GEM, np.int8), np.full(size, MARGIN_CELL, np.int8)
    for cell in range(rows * cols):
        row, col = cell // cols, cell % cols
        index = index_with_margins(notes.board, cell)
        truth[index] = codes[row, col]
        kind[index] = (row in (0, rows - 1)) + (col in (0, cols - 1))
        if abs(row - first // cols) <= 1 and abs(col - first % cols) <= 1:
            kind[index] = KEPT_FREE
    numbers, pool = np.zeros(2, np.int64), np.empty(size, np.int32)
    return Draft(notes, truth, kind, np.zeros(size, np.uint8), numbers, pool)


@tight_kernel
def play_through(
    d: Draft, first: Int, with_total: bool, with_repairs: bool, random: RandomState, undecided: Indices
) -> int:
    """Play from the first cell; returns how many cells stay undecided, 0 if the game is won."""
    b = d.notes.board
    begin(d, first)
    go_on(d)
    idle = 0
    count = list_undecided(d, with_total, undecided)
    # If more than ten swaps in a row decide nothing, more would not help.
    while with_repairs and count > 0 and idle <= 10:
        before = b.numbers[CELLS_DECIDED]
        if not swap_undecided(d, random):
            return count
        go_on(d)
        idle = 0 if b.numbers[CELLS_DECIDED] > before else idle + 1
        count = list_undecided(d, with_total, undecided)
    return count


@tight_kernel
def begin(d: Draft, first: Int) -> None:
    """Reset the notes; all that is known is that the cell of this index is a gem."""
    n, b = d.notes, d.notes.board
    for index in range(d.truth.size):
        b.codes[index] = HIDDEN if d.kind[index] != MARGIN_CELL else GEM
        b.clues[index] = NO_CLUE
        b.step[index] = HERE
        n.waiting[index] = 0
        d.used[index] = 0
    n.line[:] = 0
    b.numbers[CELLS_DECIDED] = 0
    b.numbers[CONFLICT_AT] = NONE
    d.numbers[CELLS_ASKED] = 0
    d.numbers[REASONS_MARKED] = 0
    decide_cell(b, first, GEM)
    b.numbers[CELLS_FOLLOWED] = 1  # there is no clue to update yet


@tight_kernel
def go_on(d: Draft) -> None:
    """Reveal gems and compare clues until nothing follows."""
    n, b = d.notes, d.notes.board
    while True:
        while d.numbers[CELLS_ASKED] < b.numbers[CELLS_DECIDED]:
            index = np.int64(b.trail[d.numbers[CELLS_ASKED]])
            d.numbers[CELLS_ASKED] += 1
            if b.codes[index] == GEM:
                b.codes[index] = d.truth[index]
                read_clue(n, index)
        if n.line[QUEUE_LENGTH] == 0:
            return
        compare_next(n)


@tight_kernel
def list_undecided(d: Draft, with_total: bool, undecided: Indices) -> int:
    """List the undecided cells; returns how many, or 0 if all are traps, or gems by the total."""
    codes, truth = d.notes.board.codes, d.truth
    count, traps = 0, 0
    for index in range(truth.size):
        if codes[index] == HIDDEN:
            undecided[count] = index
            count += 1
            traps += truth[index] == TRAP
    return 0 if traps == count or (with_total and traps == 0) else count


@tight_kernel
def swap_undecided(d: Draft, random: RandomState) -> bool:
    """Swap two undecided cells next to unused clues only; False if there are none."""
    mark_used(d)
    cell = find_cell(d, random)
    if cell == NONE:
        return False
    partner = find_partner(d, cell, random)
    if partner == NONE:
        return False
    change(d, cell)
    change(d, partner)
    # Both must change before any clue is read.
    note_change(d, cell)
    note_change(d, partner)
    read_again(d, cell)
    read_again(d, partner)
    return True


@tight_kernel
def mark_used(d: Draft) -> None:
    """Mark the pairs of clues that have decided cells since the last call."""
    b = d.notes.board
    for at in range(d.numbers[REASONS_MARKED], b.numbers[CELLS_DECIDED]):
        cell = np.int64(b.trail[at])
        if b.step[cell] != HERE:
            clue = np.int64(b.reason[cell])
            d.used[clue] = 1
            d.used[clue + b.steps[b.step[cell]]] = 1
    d.numbers[REASONS_MARKED] = b.numbers[CELLS_DECIDED]


@tight_kernel
def find_cell(d: Draft, random: RandomState) -> int:
    """A random undecided cell with only unused clues around it, if possible one that helps, or `NONE`."""
    best, found = UNUSED, 0
    for index in range(d.truth.size):
        if d.notes.board.codes[index] != HIDDEN:
            continue
        what = surroundings(d, index)
        if what > best:
            best, found = what, 0
        if what == best:
            d.pool[found] = index
            found += 1
    return int(d.pool[below(random, found)]) if found > 0 else NONE


@tight_kernel
def find_partner(d: Draft, cell: Int, random: RandomState) -> int:
    """A random undecided cell that can change places with `cell`, if possible an untouched one, or `NONE`.

    No clue touches both.
    """
    truth, kind, width = d.truth, d.kind, d.notes.board.numbers[ROW_WIDTH]
    best, found = UNUSED, 0
    for index in range(truth.size):
        if d.notes.board.codes[index] != HIDDEN or kind[index] != kind[cell]:
            continue
        if (truth[index] == TRAP) == (truth[cell] == TRAP):
            continue
        if abs(index // width - cell // width) <= 2 and abs(index % width - cell % width) <= 2:
            continue
        what = min(surroundings(d, index), UNUSED)
        if what == UNTOUCHED and best != UNTOUCHED:
            best, found = UNTOUCHED, 0
        if what == best:
            d.pool[found] = index
            found += 1
    return int(d.pool[below(random, found)]) if found > 0 else NONE


@tight_kernel
def surroundings(d: Draft, cell: Int) -> int:
    """What is around an undecided cell: `UNTOUCHED`, `USED`, `UNUSED` or `HELPFUL`."""
    b = d.notes.board
    is_trap = d.truth[cell] == TRAP
    answer = UNTOUCHED
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if b.codes[near] < 0:
            continue
        if d.used[near]:
            return USED
        clue = np.int64(b.clues[near])
        needed, room = clue >> 8, BIT_COUNT[clue & 255]
        helpful = needed == 1 if is_trap else room - needed == 1
        answer = HELPFUL if helpful else max(answer, UNUSED)
    return answer


@tight_kernel
def change(d: Draft, cell: Int) -> None:
    """Turn a trap into a gem, or a gem into a trap, and update the clues around it."""
    truth, b = d.truth, d.notes.board
    more = -1 if truth[cell] == TRAP else 1
    traps = 0
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if truth[near] == TRAP:
            traps += 1
        elif d.kind[near] != MARGIN_CELL:
            truth[near] += more
    truth[cell] = TRAP if more == 1 else traps


@tight_kernel
def note_change(d: Draft, cell: Int) -> None:
    """Update the player's notes on the clues around an undecided cell that has been changed."""
    b = d.notes.board
    more = 256 if d.truth[cell] == TRAP else -256
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if b.codes[near] >= 0:
            b.codes[near] = d.truth[near]
            b.clues[near] = np.uint16(np.int64(b.clues[near]) + more)


@tight_kernel
def read_again(d: Draft, cell: Int) -> None:
    """Use the clues around a changed cell again."""
    b = d.notes.board
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if b.codes[near] >= 0 and b.clues[near] < CLUE_DONE:
            read_clue(d.notes, near)


@tight_kernel
def disturb(d: Draft, random: RandomState, undecided: Indices, count: int) -> None:
    """Swap a random undecided cell, or a neighbour of one, with any cell of its kind."""
    truth, kind, near = d.truth, d.kind, d.notes.board.near
    cell = np.int64(undecided[below(random, count)])
    # Half of the time a neighbour, because a decided trap or gem may be what blocks the player.
    k = below(random, 16)
    if k < 8 and kind[cell + near[k]] < KEPT_FREE:
        cell += near[k]
    found = 0
    for index in range(truth.size):
        if kind[index] == kind[cell] and (truth[index] == TRAP) != (truth[cell] == TRAP):
            d.pool[found] = index
            found += 1
    if found > 0:
        other = np.int64(d.pool[below(random, found)])
        change(d, cell)
        change(d, other)
