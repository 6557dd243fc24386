"""The puzzle: hidden cells, and regions of them with a known number of traps; and its solution."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ArrayValue, ReadOnlyArrays
from gemhunter.board.grid import (
    GEM,
    HIDDEN,
    HIDDEN_CODE,
    TRAP,
    Grid,
    clue_neighbours,
    count_around,
    require_grid,
)
from gemhunter.errors import whole_number
from gemhunter.jit.kernel import Ints
from gemhunter.wording import counted

TOTAL_CLUE = -1
"""In `clues`, stands for the total, whose region is all hidden cells."""

STORED_TOTAL_LIMIT = 2**40
"""More traps than any board has cells, but few enough for arrays to hold the number."""

SMALL_BOARD_CELLS = 200
"""On smaller boards, plain lists take less time than dozens of NumPy calls (benchmarks/small_boards.py)."""

ListedRegion: TypeAlias = tuple[list[int], int]
"""Hidden cells, counted from 1 in reading order, and how many of them are traps."""


@dataclass(frozen=True, eq=False)
class Puzzle(ReadOnlyArrays):
    """Exactly `traps[i]` of the hidden cells `cells[starts[i]:starts[i+1]]` are traps, for every region i.

    Hidden cells are numbered from 0 in reading order; `hidden` has their indices on the board. Each region
    belongs to a clue; if the total is known, the last one belongs to the total. Regions may be empty or
    impossible. The arrays are computed from `grid` and `total` on first use, because few callers need all.
    """

    grid: Grid
    total: int | None = None

    @property
    def rows(self) -> int:
        """How many rows the board has."""
        return self.grid.rows

    @property
    def cols(self) -> int:
        """How many columns the board has."""
        return self.grid.cols

    @property
    def is_small(self) -> bool:
        """Whether working with `listed` is faster than with the arrays."""
        return self.grid.cells.size < SMALL_BOARD_CELLS

    @cached_property
    def hidden(self) -> Ints:
        """The indices of the hidden cells."""
        return _frozen((self.grid.cells == HIDDEN_CODE).ravel().nonzero()[0])

    @cached_property
    def clues(self) -> Ints:
        """The index of the clue behind each region, or `TOTAL_CLUE`."""
        clues = np.flatnonzero(self.grid.cells >= 0)
        return _frozen(clues if self.total is None else np.append(clues, TOTAL_CLUE))

    @cached_property
    def traps(self) -> Ints:
        """How many hidden traps each region has."""
        codes, known = self.grid.cells, self.grid.cells == TRAP
        needed = (codes - count_around(known) if known.any() else codes)[codes >= 0].astype(np.int64)
        if self.total is not None:
            needed = np.append(needed, _hidden_traps(self.grid, self.total))
        return _frozen(needed)

    @cached_property
    def sizes(self) -> Ints:
        """How many hidden cells each region has."""
        codes = self.grid.cells
        sizes = count_around(codes == HIDDEN)[codes >= 0].astype(np.int64)
        return _frozen(sizes if self.total is None else np.append(sizes, np.count_nonzero(codes == HIDDEN)))

    @cached_property
    def starts(self) -> Ints:
        """Where in `cells` each region begins, and the end of the last."""
        return _frozen(np.concatenate([[0], np.cumsum(self.sizes)]))

    @cached_property
    def cells(self) -> Ints:
        """The hidden cells of all regions, one region after the other."""
        number = np.full(self.grid.cells.size, -1, np.int64)
        number[self.hidden] = np.arange(self.hidden.size)
        clues = self.clues if self.total is None else self.clues[:-1]
        around = clue_neighbours(number.reshape(self.grid.cells.shape), clues, outside=-1)
        cells = around[around >= 0]
        if self.total is not None:
            cells = np.concatenate([cells, np.arange(self.hidden.size)])
        return _frozen(cells)

    @cached_property
    def listed(self) -> list[ListedRegion]:
        """All regions as Python lists."""
        if not self.is_small:
            return listed_regions(self.cells + 1, self.starts, self.traps)
        regions = _listed_around(self.grid)
        if self.total is not None:
            cells = list(range(1, self.hidden.size + 1))
            regions.append((cells, _hidden_traps(self.grid, self.total)))
        return regions

    def region(self, index: int) -> Ints:
        """The hidden cells of one region."""
        return self.cells[self.starts[index] : self.starts[index + 1]]


@dataclass(frozen=True, slots=True, eq=False)
class Regions:
    """The regions of a puzzle without its grid, such as the part still unsolved; arrays as in `Puzzle`."""

    cols: int
    hidden: Ints
    starts: Ints
    cells: Ints
    traps: Ints

    @property
    def sizes(self) -> Ints:
        """How many cells each region has."""
        return np.diff(self.starts)


@dataclass(frozen=True, slots=True, eq=False)
class Solution(ArrayValue):
    """Hidden cell i of a board, in reading order, is a trap if and only if `traps[i]`."""

    traps: NDArray[np.bool_]

    def __post_init__(self) -> None:
        traps = np.array(self.traps, dtype=bool)
        traps.setflags(write=False)
        object.__setattr__(self, "traps", traps)

    @classmethod
    def of_model(cls, model: NDArray[np.int64], hidden: int) -> "Solution":
        """The solution in a SAT model, in which variable v, from 1, is true if hidden cell v is a trap."""
        traps = np.zeros(hidden, bool)
        traps[model[(model > 0) & (model <= hidden)] - 1] = True
        return cls(traps)

    def fill(self, grid: Grid) -> Grid:
        """`grid` with its hidden cells filled in."""
        is_hidden = grid.cells == HIDDEN_CODE
        hidden = int(np.count_nonzero(is_hidden))
        if hidden != self.traps.size:
            raise ValueError(f"{counted(self.traps.size, 'value')} for {counted(hidden, 'hidden cell')}")
        filled = grid.cells.copy()
        filled[is_hidden] = np.array([GEM, TRAP], np.int8)[self.traps.view(np.int8)]
        return Grid.of_codes(filled)


def read_puzzle(grid: Grid, total: int | None = None) -> Puzzle:
    """What the clues of `grid`, and the total number of traps if it is known, say about hidden cells."""
    require_grid(grid)
    return Puzzle(grid, None if total is None else require_total(total))


def require_total(total: int) -> int:
    """The number of traps on a whole board; `InputError` unless it is a whole number ≥ 0."""
    return whole_number(total, "the number of traps", 0)


def listed_regions(
    cells: NDArray[np.integer], starts: Ints, traps: NDArray[np.integer]
) -> list[ListedRegion]:
    """Regions given as flat arrays, as lists: `traps[i]` of `cells[starts[i]:starts[i+1]]` are traps."""
    flat = cells.tolist()
    ends = pairwise(starts.tolist())
    return [(flat[start:end], needed) for (start, end), needed in zip(ends, traps.tolist(), strict=True)]


def are_all_touched(puzzle: Puzzle) -> bool:
    """Whether regions mention every hidden cell; also false for large boards, where checking takes long."""
    if puzzle.total is not None:
        return True
    return puzzle.is_small and len(set().union(*[cells for cells, _ in puzzle.listed])) == puzzle.hidden.size


def untouched_cells(puzzle: Puzzle) -> NDArray[np.bool_]:
    """True for each hidden cell that no region mentions."""
    if are_all_touched(puzzle):
        return np.zeros(puzzle.hidden.size, bool)
    untouched: NDArray[np.bool_] = count_around(puzzle.grid.cells >= 0).ravel()[puzzle.hidden] == 0
    return untouched


def regions_by_cell(starts: Ints, cells: Ints, size: int) -> tuple[Ints, Ints]:
    """The regions of each of `size` cells: those of cell c are `regions[at[c]:at[c+1]]`."""
    at = np.concatenate([[0], np.cumsum(np.bincount(cells, minlength=size))])
    regions = np.repeat(np.arange(starts.size - 1), np.diff(starts))
    return at, regions[np.argsort(cells, kind="stable")]


def first_connected(starts: Ints, cells: Ints, size: int) -> Ints:
    """For each of `size` cells, the first cell that non-empty regions connect it to, even indirectly."""
    first = np.arange(size)
    while cells.size:
        least = np.repeat(np.minimum.reduceat(first[cells], starts[:-1]), np.diff(starts))
        lower = first.copy()
        np.minimum.at(lower, cells, least)
        # The cell that was first until now may be connected to an earlier one.
        np.minimum.at(lower, first[cells], least)
        lower = lower[lower]
        if np.array_equal(lower, first):
            break
        first = lower
    return first


def wrong_regions(puzzle: Puzzle, traps: NDArray[np.bool_]) -> Ints:
    """The regions that do not hold if exactly these hidden cells are traps."""
    sums = np.concatenate([[0], np.cumsum(traps[puzzle.cells], dtype=np.int64)])
    return np.flatnonzero(sums[puzzle.starts[1:]] - sums[puzzle.starts[:-1]] != puzzle.traps)


def impossible_regions(puzzle: Puzzle) -> Ints:
    """The regions that need fewer than 0 traps, or more traps than they have cells."""
    if puzzle.is_small:
        impossible = [i for i, (cells, traps) in enumerate(puzzle.listed) if not 0 <= traps <= len(cells)]
        return np.array(impossible, np.int64)
    # The whole board at once: comparing a million cells takes less time than making their regions.
    codes = puzzle.grid.cells
    known = codes == TRAP
    needed = codes - count_around(known) if known.any() else codes
    broken = np.flatnonzero((codes >= 0) & ((needed < 0) | (needed > count_around(codes == HIDDEN))))
    regions = np.searchsorted(np.flatnonzero(codes >= 0), broken) if broken.size else broken
    if puzzle.total is not None:
        hidden = np.count_nonzero(codes == HIDDEN)
        if not 0 <= _hidden_traps(puzzle.grid, puzzle.total) <= hidden:
            regions = np.append(regions, puzzle.clues.size - 1)
    return regions


def _listed_around(grid: Grid) -> list[ListedRegion]:
    """The hidden cells around each clue, and how many of them are traps, in reading order."""
    # With a column of gems between the rows, and a row of them above and below, every cell has 8 neighbours.
    width = grid.cols + 1
    codes = [GEM] * (width + 1)
    for row in grid.cells.tolist():
        codes += row
        codes.append(GEM)
    codes += [GEM] * width
    number, hidden, clues = [0] * len(codes), 0, []
    for index, code in enumerate(codes):
        if code == HIDDEN:
            hidden += 1
            number[index] = hidden
        elif code >= 0:
            clues.append(index)
    around = [_around(number, index, width) for index in clues]
    needed = [codes[index] for index in clues]
    if TRAP in codes:
        traps = [int(code == TRAP) for code in codes]
        needed = [codes[index] - sum(_around(traps, index, width)) for index in clues]
    return [([cell for cell in cells if cell], traps) for cells, traps in zip(around, needed, strict=True)]


def _around(values: list[int], index: int, width: int) -> tuple[int, ...]:
    """The values of the eight neighbours of a cell on a board with rows of this width."""
    above, below = index - width, index + width
    return (  # one by one, because slices take 1.7 times as long
        values[above - 1],
        values[above],
        values[above + 1],
        values[index - 1],
        values[index + 1],
        values[below - 1],
        values[below],
        values[below + 1],
    )


def _hidden_traps(grid: Grid, total: int) -> int:
    """How many of the `total` traps are hidden."""
    return min(total, STORED_TOTAL_LIMIT) - int(np.count_nonzero(grid.cells == TRAP))


def _frozen(array: Ints) -> Ints:
    array.setflags(write=False)
    return array
