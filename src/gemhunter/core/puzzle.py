"""The puzzle: hidden cells, and regions of them that hold so many traps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.neighbours import clue_neighbours
from gemhunter.errors import InputError

Ints = NDArray[np.int64]

TOTAL = -1
"""Stands where a clue's position would: the region of all hidden cells."""

MANY = 2**40
"""More traps than any board has cells, and still a number that arrays can hold."""


@dataclass(frozen=True, slots=True, eq=False)
class Puzzle:
    """Exactly `traps[i]` of the hidden cells `cells[starts[i]:starts[i+1]]` are traps, for every region i.

    Hidden cells are numbered from 0 in reading order; `hidden` has their positions on the board.
    `clues` has the position of the clue behind each region, or `TOTAL` for the trap count of the
    whole board, which is the last region when it is known. Regions may be empty or impossible.
    """

    rows: int
    cols: int
    hidden: Ints
    starts: Ints
    cells: Ints
    traps: Ints
    clues: Ints

    def __post_init__(self) -> None:
        for array in (self.hidden, self.starts, self.cells, self.traps, self.clues):
            array.setflags(write=False)

    @property
    def sizes(self) -> Ints:
        """How many hidden cells each region has."""
        return np.diff(self.starts)

    def region(self, index: int) -> Ints:
        """The hidden cells of one region."""
        return self.cells[self.starts[index] : self.starts[index + 1]]


def read_puzzle(grid: Grid, traps: int | None = None) -> Puzzle:
    """What the clues of `grid` say about its hidden cells, and the total number of traps if it is known."""
    if traps is not None and traps < 0:
        raise InputError(f"a number of traps is 0 or more, not {traps}")
    flat = grid.cells.ravel()
    hidden = np.flatnonzero(flat == HIDDEN)
    clues = np.flatnonzero(flat >= 0)
    number = np.full(flat.size, -1, np.int64)
    number[hidden] = np.arange(hidden.size)

    around = clue_neighbours(number.reshape(grid.cells.shape), clues, outside=-1)
    members = around >= 0
    cells = around[members]
    sizes = np.count_nonzero(members, axis=1)
    needed = flat[clues].astype(np.int64)
    known = grid.cells == TRAP
    if known.any():
        needed -= np.count_nonzero(clue_neighbours(known, clues, outside=False), axis=1)

    if traps is not None:
        cells = np.concatenate([cells, np.arange(hidden.size)])
        sizes = np.append(sizes, hidden.size)
        needed = np.append(needed, min(traps, MANY) - np.count_nonzero(flat == TRAP))
        clues = np.append(clues, TOTAL)
    starts = np.concatenate([[0], np.cumsum(sizes)])
    return Puzzle(grid.rows, grid.cols, hidden, starts, cells, needed, clues)


def untouched_cells(puzzle: Puzzle) -> NDArray[np.bool_]:
    """True for each hidden cell that no region mentions."""
    untouched = np.ones(puzzle.hidden.size, bool)
    untouched[puzzle.cells] = False
    return untouched


def regions_by_cell(starts: Ints, cells: Ints, size: int) -> tuple[Ints, Ints]:
    """The other way round: the regions of cell c, of `size` cells, are `regions[at[c]:at[c+1]]`."""
    at = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=size))])
    regions = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    return at, regions[np.argsort(cells, kind="stable")]


def impossible_regions(puzzle: Puzzle) -> Ints:
    """The regions that cannot hold by themselves: fewer than no traps, or more traps than cells."""
    return np.flatnonzero((puzzle.traps < 0) | (puzzle.traps > puzzle.sizes))
