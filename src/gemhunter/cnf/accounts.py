"""Where the clauses of a board come from: comments between them, and how many each clue has."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, read_puzzle, untouched_cells
from gemhunter.cnf.encode import Numbering, Untouched, encode, encode_puzzle, encoding_bytes, has_unit
from gemhunter.cnf.encodings import template
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import InputError, TooLargeError
from gemhunter.wording import counted


def clause_comments(
    grid: Grid,
    encoding: str = "binomial",
    variables: Numbering = "hidden",
    *,
    total: int | None = None,
    keep_duplicates: bool = False,
    untouched: Untouched = "none",
) -> dict[int, list[str]]:
    """Comments for the formula that `encode` makes with these arguments, by the clause that they precede.

    Every clue has one, even if all its clauses repeat those of other clues.
    """
    whole = encode(grid, encoding, variables, total=total, keep_duplicates=True, untouched=untouched)
    puzzle = read_puzzle(grid, total)
    regions = zip(puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    counts = np.array([len(template(encoding, size, traps).clauses) for size, traps in regions], np.int64)
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
            repeated = "" if end > begin else "; all its clauses already appear above"
            comments.setdefault(int(begin), []).append(f"{text}{repeated}")
    return comments


def with_comments(dimacs: str, comments: Mapping[int, Sequence[str]]) -> str:
    """The text of `write_dimacs`, which has a line per clause, with comments before some of the clauses."""
    head, problem, clauses = re.split(r"^(p cnf .*\n)", dimacs, maxsplit=1, flags=re.M)
    lines: list[str] = []
    for number, clause in enumerate([*clauses.splitlines(keepends=True), ""]):
        lines += [*(f"c {comment}\n" for comment in comments.get(number, ())), clause]
    return "".join([head, problem, *lines])


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
    clue = grid.cell(index)
    what = f"total {puzzle.total}" if index == TOTAL_CLUE else f"clue {grid[clue]} at {clue}"
    are_traps = "is a trap" if traps == 1 else "are traps"
    text = f"{what}: {traps} of {counted(cells.size, 'unknown cell')} {are_traps}"
    if not 0 < cells.size <= 8:  # a clue has at most eight cells; those of the total are not named
        return text
    return f"{text}: {' '.join(str(grid.cell(puzzle.hidden[cell])) for cell in cells)}"


@dataclass(frozen=True, slots=True)
class ClueClauses:
    """A clue next to `hidden` cells, `traps` of which are traps; known traps and gems do not count."""

    cell: Cell
    clue: int
    hidden: int
    traps: int

    @property
    def upper(self) -> int:
        """How many clauses U(k,n) has: of any k+1 cells one is a gem. For k < 0, only the empty clause."""
        return comb(self.hidden, self.traps + 1) if self.traps >= 0 else 1

    @property
    def lower(self) -> int:
        """How many clauses L(k,n) has: of any n-k+1 cells one is a trap. For k > n, only the empty clause."""
        return comb(self.hidden, self.hidden - self.traps + 1) if self.traps <= self.hidden else 1

    @property
    def clauses(self) -> int:
        """How many clauses the clue has."""
        return self.upper + self.lower


@dataclass(frozen=True, slots=True)
class ListedClauses:
    """The clauses of one clue: of each tuple in `upper` one cell is a gem, in `lower` one is a trap."""

    clue: ClueClauses
    upper: tuple[tuple[Cell, ...], ...]
    lower: tuple[tuple[Cell, ...], ...]


def clauses_of_clue(grid: Grid, cell: tuple[int, int]) -> ListedClauses:
    """The binomial clauses of a clue; a clue that cannot hold has an empty one."""
    clue = grid.on_board(cell)
    if grid[clue] < 0:
        raise InputError(f"{clue} shows no clue")
    around = grid.around(clue)
    hidden = [near for near in around if grid[near] == HIDDEN]
    traps = grid[clue] - sum(grid[near] == TRAP for near in around)
    upper = combinations(hidden, traps + 1) if traps >= 0 else ((),)
    lower = combinations(hidden, len(hidden) - traps + 1) if traps <= len(hidden) else ((),)
    return ListedClauses(ClueClauses(clue, grid[clue], len(hidden), traps), tuple(upper), tuple(lower))


@dataclass(frozen=True, slots=True)
class ClauseSum:
    """How many clauses a board has, by where they come from; duplicates count unless stated."""

    clues: tuple[ClueClauses, ...]
    shown: int
    """Unit clauses of cells that are not hidden."""
    untouched: int
    """Hidden cells that no clue touches."""
    untouched_units: int
    """Unit clauses of hidden cells that no clue touches."""
    of_total: int
    """Clauses of the total."""
    distinct: int
    """All clauses without duplicates, as `encode` writes them."""

    @property
    def of_clues(self) -> int:
        """Clauses of all clues."""
        return sum(clue.clauses for clue in self.clues)

    @property
    def total(self) -> int:
        """All clauses, duplicates included."""
        return self.of_clues + self.shown + self.untouched_units + self.of_total


def clause_sum(
    grid: Grid, variables: Numbering = "hidden", *, total: int | None = None, untouched: Untouched = "none"
) -> ClauseSum:
    """How many binomial clauses `encode` makes with these arguments, and where they come from."""
    formula = encode(grid, variables=variables, total=total, untouched=untouched)
    puzzle = read_puzzle(grid)
    regions = zip(puzzle.clues.tolist(), puzzle.sizes.tolist(), puzzle.traps.tolist(), strict=True)
    clues = tuple(
        ClueClauses(grid.cell(index), grid[grid.cell(index)], hidden, traps)
        for index, hidden, traps in regions
    )
    shown = int(np.count_nonzero(has_unit(grid, variables)))
    free = int(np.count_nonzero(untouched_cells(puzzle)))
    of_total = 0
    if total is not None:
        with_total = encode(grid, variables=variables, total=total, keep_duplicates=True).size
        of_total = with_total - encode(grid, variables=variables, keep_duplicates=True).size
    units = free if untouched == "units" else 0
    return ClauseSum(clues, shown, free, units, of_total, formula.size)


@dataclass(frozen=True, slots=True)
class ClauseCounts:
    """How many clauses a board has by default and in the encoding of S4; None if there are too many to count.

    By default, as in `gemhunter cnf BOARD`, only unknown cells are variables and no clause occurs twice. S4
    has a variable for every cell and a unit clause for each that is not hidden, and keeps duplicates.
    """

    default: int | None
    s4: int | None


def count_clauses(grid: Grid, total: int | None = None) -> ClauseCounts:
    """How many clauses a board has."""
    puzzle = read_puzzle(grid, total)
    if encoding_bytes(puzzle) > 500_000_000:  # too much for a mere count
        return ClauseCounts(None, None)
    try:
        whole = encode_puzzle(puzzle, keep_duplicates=True).size
        shown = int(np.count_nonzero(has_unit(grid, "all")))
        return ClauseCounts(encode_puzzle(puzzle).size, whole + shown)
    except TooLargeError:  # a total of too many traps
        return ClauseCounts(None, None)
