"""What the clauses of a board come from: comments between them, and how many each clue has."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import Numbering, Untouched, encode, encode_puzzle, encoding_bytes, has_unit
from gemhunter.cnf.encodings import template
from gemhunter.cnf.formula import Cnf
from gemhunter.core.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, read_puzzle, untouched_cells
from gemhunter.errors import InputError, TooLargeError

MOST_NAMED_CELLS = 8
"""Cells that a comment names; a clue has no more neighbours."""

LARGEST_COUNTED_BYTES = 500_000_000
"""Boards whose clauses take more are not encoded only to count them."""


def clause_comments(
    grid: Grid,
    encoding: str = "binomial",
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    keep_duplicates: bool = False,
    untouched: Untouched = "none",
) -> dict[int, list[str]]:
    """Comments for the formula of `encode` with these arguments, by the clause that they stand before.

    Each clue has one, even if all its clauses repeat those of other clues.
    """
    whole = encode(grid, encoding, variables, total=total, keep_duplicates=True, untouched=untouched)
    puzzle = read_puzzle(grid, total)
    counts = _clauses_of_regions(puzzle, encoding)
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    texts = [
        "cells that are shown: a trap is true, all others are false",
        *(_region_text(grid, puzzle, region) for region in range(counts.size)),
        "unknown cells that no clue touches: they are gems",
    ]
    sizes = np.array([shown, *counts, whole.size - shown - counts.sum()])
    keeps = np.ones(whole.size, bool) if keep_duplicates else _first_occurrences(whole)
    kept = np.concatenate([[0], np.cumsum(keeps)])
    begins = kept[np.concatenate([[0], np.cumsum(sizes)])]
    comments: dict[int, list[str]] = {}
    for text, size, begin, end in zip(texts, sizes, begins[:-1], begins[1:], strict=True):
        if size:
            repeated = "" if end > begin else "; its clauses have occurred above"
            comments.setdefault(int(begin), []).append(f"{text}{repeated}")
    return comments


def with_comments(dimacs: str, comments: Mapping[int, Sequence[str]]) -> str:
    """The formula that `write_dimacs` wrote, a line per clause, with comments before some of the clauses."""
    head, problem, clauses = re.split(r"^(p cnf .*\n)", dimacs, maxsplit=1, flags=re.M)
    lines: list[str] = []
    for number, clause in enumerate([*clauses.splitlines(keepends=True), ""]):
        lines += [*(f"c {comment}\n" for comment in comments.get(number, ())), clause]
    return "".join([head, problem, *lines])


def _clauses_of_regions(puzzle: Puzzle, encoding: str) -> NDArray[np.int64]:
    regions = zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    return np.array([len(template(encoding, size, traps).clauses) for size, traps in regions], np.int64)


def _first_occurrences(formula: Cnf) -> NDArray[np.bool_]:
    """Whether each clause has not occurred before."""
    seen: set[tuple[int, ...]] = set()
    keeps = np.ones(formula.size, bool)
    for number, clause in enumerate(map(tuple, formula.clauses())):
        keeps[number] = clause not in seen
        seen.add(clause)
    return keeps


def _region_text(grid: Grid, puzzle: Puzzle, region: int) -> str:
    """What a clue, or the total, says about the hidden cells."""
    index, traps, cells = puzzle.clues[region], int(puzzle.traps[region]), puzzle.region(region)
    what = f"total {puzzle.total}"
    if index != TOTAL_CLUE:
        cell = grid.cell(index)
        what = f"clue {grid[cell]} at {cell}"
    count = counted(cells.size, "unknown cell")
    verb = "is a trap" if traps == 1 else "are traps"
    names = f": {' '.join(str(grid.cell(puzzle.hidden[each])) for each in cells)}"
    return f"{what}: {traps} of {count} {verb}" + (names if 0 < cells.size <= MOST_NAMED_CELLS else "")


@dataclass(frozen=True, slots=True)
class ClueClauses:
    """A clue with `hidden` cells next to it, of which `traps` are traps: n and k of its clauses.

    Known traps and gems next to it are not counted.
    """

    cell: Cell
    clue: int
    hidden: int
    traps: int

    @property
    def upper(self) -> int:
        """The clauses of U(k,n), of any k+1 cells one is a gem; the empty one for a k below 0."""
        return comb(self.hidden, self.traps + 1) if self.traps >= 0 else 1

    @property
    def lower(self) -> int:
        """The clauses of L(k,n), of any n-k+1 cells one is a trap; the empty one for a k above n."""
        return comb(self.hidden, self.hidden - self.traps + 1) if self.traps <= self.hidden else 1

    @property
    def clauses(self) -> int:
        """All clauses of the clue."""
        return self.upper + self.lower


@dataclass(frozen=True, slots=True)
class ListedClauses:
    """The clauses of one clue in terms of cells.

    Of the cells of each clause in `upper` one is a gem, of those in `lower` one is a trap.
    """

    clue: ClueClauses
    upper: tuple[tuple[Cell, ...], ...]
    lower: tuple[tuple[Cell, ...], ...]


def clauses_of_clue(grid: Grid, cell: tuple[int, int]) -> ListedClauses:
    """The binomial clauses of a clue; one that cannot hold has an empty clause."""
    clue = grid.on_board(cell)
    if grid[clue] < 0:
        raise InputError(f"{clue} shows no clue")
    around = list(grid.around(clue))
    hidden = [near for near in around if grid[near] == HIDDEN]
    traps = grid[clue] - sum(grid[near] == TRAP for near in around)
    upper = combinations(hidden, traps + 1) if traps >= 0 else ((),)
    lower = combinations(hidden, len(hidden) - traps + 1) if traps <= len(hidden) else ((),)
    return ListedClauses(ClueClauses(clue, grid[clue], len(hidden), traps), tuple(upper), tuple(lower))


@dataclass(frozen=True, slots=True)
class ClauseSum:
    """The clauses of a board, duplicates included, by what they come from."""

    clues: tuple[ClueClauses, ...]
    shown: int
    """Unit clauses of cells that are shown."""
    untouched: int
    """Hidden cells that no clue touches."""
    untouched_units: int
    """Unit clauses of those."""
    of_total: int
    """Clauses of the total."""
    distinct: int
    """All clauses without duplicates, as `encode` writes them."""

    @property
    def of_clues(self) -> int:
        """The clauses of all clues."""
        return sum(each.clauses for each in self.clues)

    @property
    def total(self) -> int:
        """All clauses, duplicates included."""
        return self.of_clues + self.shown + self.untouched_units + self.of_total


def clause_sum(
    grid: Grid,
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    untouched: Untouched = "none",
) -> ClauseSum:
    """The sum behind the binomial clauses of `encode` with these arguments."""
    formula = encode(grid, variables=variables, total=total, untouched=untouched)
    clues = tuple(_clues(grid))
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    free = int(np.count_nonzero(untouched_cells(read_puzzle(grid))))
    of_total = 0
    if total is not None:
        with_total = encode(grid, variables=variables, total=total, keep_duplicates=True).size
        of_total = with_total - encode(grid, variables=variables, keep_duplicates=True).size
    units = free if untouched == "units" else 0
    return ClauseSum(clues, shown, free, units, of_total, formula.size)


@dataclass(frozen=True, slots=True)
class ClauseCounts:
    """How many clauses a board has in the default encoding, and in that of S4.

    `default` are the clauses that `gemhunter cnf BOARD` writes: the unknown cells are the variables, and no
    clause occurs twice. `s4` has a variable for every cell, a unit clause for each cell that is shown, and
    keeps duplicates. Both are None if there are too many clauses to count.
    """

    default: int | None
    s4: int | None


def count_clauses(grid: Grid, total: int | None = None) -> ClauseCounts:
    """How many clauses a board has."""
    puzzle = read_puzzle(grid, total)
    if encoding_bytes(puzzle) > LARGEST_COUNTED_BYTES:
        return ClauseCounts(None, None)
    try:
        whole = encode_puzzle(puzzle, keep_duplicates=True).size
        shown = int(np.count_nonzero(has_unit(grid, "all")))
        return ClauseCounts(encode_puzzle(puzzle).size, whole + shown)
    except TooLargeError:  # a total of too many traps
        return ClauseCounts(None, None)


def _clues(grid: Grid) -> Iterator[ClueClauses]:
    puzzle = read_puzzle(grid)
    columns = (puzzle.clues.tolist(), puzzle.sizes.tolist(), puzzle.traps.tolist())
    for index, hidden, needed in zip(*columns, strict=True):
        cell = grid.cell(index)
        yield ClueClauses(cell, grid[cell], hidden, needed)
