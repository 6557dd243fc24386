"""How many clauses a board has, clue by clue, without writing them: C(n, k+1) + C(n, n-k+1) for each clue."""

from collections.abc import Iterator
from dataclasses import dataclass
from math import comb

import numpy as np

from gemhunter.cnf.encode import Numbering, Untouched, encode
from gemhunter.core.grid import HIDDEN, Cell, Grid
from gemhunter.core.puzzle import read_puzzle, untouched_cells


@dataclass(frozen=True, slots=True)
class ClueClauses:
    """A clue with `hidden` cells next to it, of which `traps` are traps: n and k of its clauses.

    Known traps and gems next to it are taken off already.
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
class ClauseSum:
    """The clauses of a board, duplicates included, by what they come from."""

    clues: tuple[ClueClauses, ...]
    shown: int
    """Unit clauses of cells that are shown."""
    untouched: int
    """Unknown cells that no clue touches."""
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
    shown = int(np.count_nonzero(grid.cells != HIDDEN)) if variables == "all" else 0
    free = int(np.count_nonzero(untouched_cells(read_puzzle(grid))))
    of_total = 0
    if total is not None:
        with_total = encode(grid, variables=variables, total=total, keep_duplicates=True).size
        of_total = with_total - encode(grid, variables=variables, keep_duplicates=True).size
    units = free if untouched == "units" else 0
    return ClauseSum(clues, shown, free, units, of_total, formula.size)


def _clues(grid: Grid) -> Iterator[ClueClauses]:
    puzzle = read_puzzle(grid)
    columns = (puzzle.clues.tolist(), puzzle.sizes.tolist(), puzzle.traps.tolist())
    for place, hidden, needed in zip(*columns, strict=True):
        cell = grid.cell(place)
        yield ClueClauses(cell, grid[cell], hidden, needed)
