"""A board in the making, and the notes of a player who gets to know it.

The player knows single clues and pairs of clues, and remembers which clues have been used: others can change
without making anything wrong that is known.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.core.grid import GEM, HIDDEN, TRAP
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.play.notes import (
    PlayerNotes,
    blank_notes,
    compare_next,
    decide_cell,
    index_with_margins,
    read_clue,
)
from gemhunter.kernels.structure.grid_state import (
    CELLS_DECIDED,
    CELLS_FOLLOWED,
    CLUE_DONE,
    CONFLICT_AT,
    HERE,
    INDEX_MASK,
    NO_CLUE,
    Int,
)
from gemhunter.kernels.structure.propagate import QUEUE_FIRST, QUEUE_LENGTH

Codes = NDArray[np.int8]
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
