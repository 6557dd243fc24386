"""Deals boards that need no guess: an ordinary board, repaired where a player would get stuck."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.board.position import OPENING_CLICK
from gemhunter.counting.grid_state import (
    BIT_COUNT,
    CELLS_DECIDED,
    CELLS_FOLLOWED,
    CLUE_DONE,
    CONFLICT_AT,
    HERE,
    INDEX_MASK,
    NO_CLUE,
    ROW_WIDTH,
    Int,
)
from gemhunter.counting.propagate import QUEUE_FIRST, QUEUE_LENGTH
from gemhunter.errors import InputError
from gemhunter.jit.arrays import Codes
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.jit.random_state import RandomState, below
from gemhunter.play.deal import REPAIR_STREAM, deal, set_seed
from gemhunter.play.levels import Level
from gemhunter.play.notes import (
    PlayerNotes,
    blank_notes,
    compare_next,
    decide_cell,
    index_with_margins,
    read_clue,
)
from gemhunter.printable import counted

# A board in the making, and the notes of a player who gets to know it.
#
# The player knows single clues and pairs of clues, and remembers which clues have been used: others can
# change without making anything wrong that is known.


Indices = NDArray[np.int32]

INSIDE_CELL, BORDER_CELL, CORNER_CELL, KEPT_FREE, MARGIN_CELL = range(5)
"""Kinds of cells. Those around the first cell are kept free of traps and never change."""

# What a draft counts: places in `Draft.numbers`.
CELLS_ASKED = 0  # cells of the trail that have been revealed if they are gems
REASONS_MARKED = 1  # cells of the trail whose reasons are in `used`


class Draft(NamedTuple):
    """A board in the making and a player's notes on it; all arrays have margins, like the notes.

    `truth` has clues and traps, `kind` the kind of each cell. `used` is 1 for clues that decided something
    together with another clue: nothing that the player knows depends on the clues that are 0 there and still
    have undecided cells. `pool` is scratch.
    """

    notes: PlayerNotes
    truth: Codes
    kind: Codes
    used: NDArray[np.uint8]
    numbers: NDArray[np.int64]
    pool: Indices


@kernel
def new_draft(codes: Codes, first: int) -> Draft:
    """A draft of a dealt board whose player begins at `first`."""
    rows, cols = codes.shape
    notes = blank_notes(rows, cols)
    size = notes.board.codes.size
    truth, kind = np.full(size, GEM, np.int8), np.full(size, MARGIN_CELL, np.int8)
    for cell in range(rows * cols):
        row, col = cell // cols, cell % cols
        index = index_with_margins(notes.board, cols, cell)
        truth[index] = codes[row, col]
        kind[index] = (row in (0, rows - 1)) + (col in (0, cols - 1))
        if abs(row - first // cols) <= 1 and abs(col - first % cols) <= 1:
            kind[index] = KEPT_FREE
    numbers, pool = np.zeros(2, np.int64), np.empty(size, np.int32)
    return Draft(notes, truth, kind, np.zeros(size, np.uint8), numbers, pool)


@tight_kernel
def begin(d: Draft, first: Int) -> None:
    """Forget all notes but that the cell of this index is a gem."""
    n, b = d.notes, d.notes.board
    for index in range(d.truth.size):
        b.codes[index] = HIDDEN if d.kind[index] != MARGIN_CELL else GEM
        b.clues[index] = NO_CLUE
        b.step[index] = HERE
        n.waiting[index] = 0
        d.used[index] = 0
    n.line[QUEUE_FIRST] = 0
    n.line[QUEUE_LENGTH] = 0
    b.numbers[CELLS_DECIDED] = 0
    b.numbers[CONFLICT_AT] = NONE
    d.numbers[CELLS_ASKED] = 0
    d.numbers[REASONS_MARKED] = 0
    decide_cell(b, first, GEM)
    b.numbers[CELLS_FOLLOWED] = 1  # there is no clue yet that could be updated


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
    """List the undecided cells; 0 if no gem is among them, or all are gems and the total says so."""
    codes, truth = d.notes.board.codes, d.truth
    count, traps = 0, 0
    for index in range(truth.size):
        if codes[index] == HIDDEN:
            undecided[count] = index
            count += 1
            traps += truth[index] == TRAP
    return 0 if traps == count or (with_total and traps == 0) else count


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
def change(d: Draft, cell: Int) -> None:
    """Turn a trap into a gem, or a gem into a trap; the clues around it follow."""
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
    """Note that an undecided cell has been changed."""
    b = d.notes.board
    more = 256 if d.truth[cell] == TRAP else -256
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if b.codes[near] >= 0:
            b.codes[near] = d.truth[near]
            b.clues[near] = np.uint16(np.int64(b.clues[near]) + more)


@tight_kernel
def read_again(d: Draft, cell: Int) -> None:
    """Use the clues around a cell that has been changed."""
    b = d.notes.board
    for k in range(8):
        near = (cell + b.near[k]) & INDEX_MASK
        if b.codes[near] >= 0 and b.clues[near] < CLUE_DONE:
            read_clue(d.notes, near)


# Repairs a dealt board until no guess is needed: traps and gems change places where a player gets stuck.
#
# The player of these kernels knows single clues and pairs of clues; that is enough to get through every
# board that is accepted. A trap changes places only with a gem of the same kind of cell, so that corners,
# border and inside keep as many traps as they were dealt.


MOST_IDLE_SWAPS = 10
"""The player counts as stuck after more swaps in a row that decide nothing."""

CELLS_PER_SWAP = 40
"""Where many cells are undecided, as many swaps as there are such groups of them are judged together."""

UNTOUCHED, USED, UNUSED, HELPFUL = range(4)
"""What lies around an undecided cell: no clue; a clue that has been used; only unused clues; and if one of
these would decide all its cells once the cell were changed."""


@tight_kernel
def surroundings(d: Draft, cell: Int) -> int:
    """What lies around an undecided cell."""
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
def find_cell(d: Draft, random: RandomState) -> int:
    """A random undecided cell with only unused clues around it, one that helps if there is any, or `NONE`."""
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
    """A random undecided cell that can change places with `cell`: untouched if possible, or `NONE`.

    No clue has both around it.
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
def repair(d: Draft, random: RandomState) -> bool:
    """Swap two undecided cells whose clues have not been used, so that all that is known stays proven."""
    mark_used(d)
    cell = find_cell(d, random)
    if cell == NONE:
        return False
    partner = find_partner(d, cell, random)
    if partner == NONE:
        return False
    change(d, cell)
    change(d, partner)
    note_change(d, cell)
    note_change(d, partner)
    read_again(d, cell)
    read_again(d, partner)
    return True


@tight_kernel
def play_through(
    d: Draft, first: Int, with_total: bool, with_repairs: bool, random: RandomState, undecided: Indices
) -> int:
    """Play from the first cell on; the number of cells that stay undecided, 0 if the game is won."""
    b = d.notes.board
    begin(d, first)
    go_on(d)
    idle = 0
    count = list_undecided(d, with_total, undecided)
    while with_repairs and count > 0 and idle <= MOST_IDLE_SWAPS:
        before = b.numbers[CELLS_DECIDED]
        if not repair(d, random):
            return count
        go_on(d)
        idle = 0 if b.numbers[CELLS_DECIDED] > before else idle + 1
        count = list_undecided(d, with_total, undecided)
    return count


@tight_kernel
def disturb(d: Draft, random: RandomState, undecided: Indices, count: int) -> None:
    """Let a random undecided cell, or a neighbour of it, change places with any cell of the board."""
    truth, kind, near = d.truth, d.kind, d.notes.board.near
    cell = np.int64(undecided[below(random, count)])
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


@kernel(estimate=lambda codes, *_: 2e-4 * codes.size)
def repair_board(codes: Codes, first: int, with_total: bool, tries: int, random: RandomState) -> int:
    """Repair a dealt board; the number of cells that stay undecided, 0 if the board needs no guess.

    `with_total` says whether the last gems may follow from the total. Each try disturbs what is stuck,
    plays again, repairs on the way, and is kept unless more cells stay undecided than before.
    """
    rows, cols = codes.shape
    d = new_draft(codes, first)
    size = d.truth.size
    start = index_with_margins(d.notes.board, cols, first)
    undecided, also = np.empty(size, np.int32), np.empty(size, np.int32)
    kept = np.empty(size, np.int8)
    left = play_through(d, start, with_total, True, random, undecided)
    for _ in range(tries):
        if left == 0:
            break
        kept[:] = d.truth
        for _ in range(1 + left // CELLS_PER_SWAP):
            disturb(d, random, undecided, left)
        now = play_through(d, start, with_total, True, random, also)
        if now <= left:
            left = now
            undecided, also = also, undecided
        else:
            d.truth[:] = kept
    if left == 0:
        left = play_through(d, start, with_total, False, random, undecided)
    for cell in range(rows * cols):
        codes[cell // cols, cell % cols] = d.truth[index_with_margins(d.notes.board, cols, cell)]
    return left


# Deals boards that need no guess: an ordinary board, repaired where a player would get stuck.


FEWEST_DEALS, MOST_DEALS = 5, 100
"""Boards that are tried for one game before it counts as impossible: fewer where a board takes longer."""

FEWEST_REPAIRS, MOST_REPAIRS = 20, 500
"""Tries to repair a board, one for each cell within these bounds."""

CELLS_OF_DEALS = 20_000_000
"""Cells times tries, over all deals, beyond which only the fewest deals are made."""

CELLS_PER_CALL = 2_000_000
"""Cells times tries of one call of the kernel, so that Ctrl-C is answered on large boards too."""

SEEDS_OF_DEALS = 2**31


def deal_no_guess(level: Level, seed: int, first: int, *, with_total: bool) -> Codes:
    """Clues and traps of a board on which every step follows by logic, from the cell `first` on.

    `with_total` says whether the total may be used. The board of the rule `opening` is repaired; if that
    fails, another one, whose seed follows from this one. An `InputError` if no board can be repaired.
    """
    _require_room(level, first)
    codes = np.empty((level.rows, level.cols), np.int8)
    random = np.empty(1, np.uint64)
    set_seed(seed, REPAIR_STREAM, random)
    fewest, tries = codes.size, min(max(codes.size, FEWEST_REPAIRS), MOST_REPAIRS)
    deals = min(max(CELLS_OF_DEALS // (codes.size * tries), FEWEST_DEALS), MOST_DEALS)
    for _ in range(deals):
        deal(seed, OPENING_CLICK, first, level.total, codes)
        left = _repaired(codes, first, random, with_total=with_total, tries=tries)
        if left == 0:
            return codes
        fewest = min(fewest, left)
        seed = below(random, SEEDS_OF_DEALS)
    raise InputError(
        f"no {level} game that needs no guess was found for a first click at {_cell(level, first)}: the best "
        f"of {deals} repaired boards leaves {counted(fewest, 'cell')} undecided; try fewer traps"
    )


def prepare_no_guess(level: Level, plain_seconds: float) -> None:
    """Compile the repair of boards if that pays off for games that take plain Python this long.

    Other processes then find it in the cache.
    """
    codes, random = np.zeros((level.rows, level.cols), np.int8), np.zeros(1, np.uint64)
    repair_board.prepare(plain_seconds, codes, 0, True, 1, random)


def _repaired(codes: Codes, first: int, random: RandomState, *, with_total: bool, tries: int) -> int:
    """Repair a board in place; the number of cells that stay undecided."""
    at_once = max(1, min(tries, CELLS_PER_CALL // codes.size))
    left = codes.size
    for _ in range(0, tries, at_once):
        left = repair_board(codes, first, with_total, at_once, random)
        if left == 0:
            break
    return left


def _require_room(level: Level, first: int) -> None:
    """The traps leave the first cell and its neighbours free, or leave nothing to decide."""
    cells = level.rows * level.cols
    row, col = divmod(first, level.cols)
    high = min(row + 2, level.rows) - max(row - 1, 0)
    wide = min(col + 2, level.cols) - max(col - 1, 0)
    if cells - high * wide < level.total < cells - 1:
        most = counted(cells - high * wide, "trap")
        raise InputError(
            f"a {level} game needs a guess: a first click at {_cell(level, first)} that shows a 0 "
            f"leaves room for at most {most}"
        )


def _cell(level: Level, first: int) -> Cell:
    return Cell(*divmod(first, level.cols))
