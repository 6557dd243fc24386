"""Repairs a dealt board until no guess is needed: traps and gems change places where a player gets stuck.

The player of these kernels knows single clues and pairs of clues; that is enough to get through every board
that is accepted. A trap changes places only with a gem of the same kind of cell, so that corners, border and
inside keep as many traps as they were dealt.
"""

import numpy as np

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.play.board_draft import (
    KEPT_FREE,
    Codes,
    Draft,
    Indices,
    begin,
    change,
    go_on,
    list_undecided,
    mark_used,
    new_draft,
    note_change,
    read_again,
)
from gemhunter.kernels.play.notes import index_with_margins
from gemhunter.kernels.random_state import RandomState, below
from gemhunter.kernels.structure.grid_state import BIT_COUNT, CELLS_DECIDED, INDEX_MASK, ROW_WIDTH, Int

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
