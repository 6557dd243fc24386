"""The formula: clauses in flat arrays, and the cell that each variable stands for."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Cell

Ints = NDArray[np.int64]
Literals = NDArray[np.int32]

AUXILIARY = -1
"""In `Cnf.positions`: a variable that an encoding added and that stands for no cell."""


@dataclass(frozen=True, slots=True, eq=False)
class Cnf:
    """Clause i is `literals[starts[i]:starts[i+1]]`; literal v says that variable v is true, -v the opposite.

    Variable v, counted from 1, is true exactly if the cell at `positions[v-1]` of a board with `cols`
    columns is a trap; auxiliary variables come last.
    """

    literals: Literals
    starts: Ints
    positions: Ints
    cols: int

    @property
    def variables(self) -> int:
        """How many variables there are, auxiliary ones included."""
        return int(self.positions.size)

    @property
    def size(self) -> int:
        """How many clauses there are."""
        return int(self.starts.size - 1)

    def clauses(self) -> list[list[int]]:
        """The clauses as lists of Python integers, the way PySAT wants them."""
        flat, starts = self.literals.tolist(), self.starts.tolist()
        return [flat[start:end] for start, end in pairwise(starts)]

    def cell(self, variable: int) -> Cell | None:
        """The cell of a variable, or None for an auxiliary one."""
        position = int(self.positions[variable - 1])
        return None if position == AUXILIARY else Cell(*divmod(position, self.cols))


def without_duplicates(literals: Literals, starts: Ints) -> tuple[Literals, Ints]:
    """The same clauses, each once, in order of first occurrence; the literals of each must be sorted."""
    sizes = np.diff(starts)
    keep = np.zeros(sizes.size, bool)
    for size in np.unique(sizes):
        same_size = np.flatnonzero(sizes == size)
        rows = literals[starts[same_size][:, None] + np.arange(size)]
        keep[same_size[_first_of_each(rows)]] = True
    literals = literals[np.repeat(keep, sizes)]
    return literals, np.concatenate([[0], np.cumsum(sizes[keep])])


def _first_of_each(rows: Literals) -> Ints:
    """The index of the first of each group of equal rows.

    Sorting by a fingerprint is several times faster than sorting by all columns. Should two different
    rows ever share one, equal rows might not end up side by side, so then all columns decide.
    """
    if rows.shape[1] == 0:
        return np.arange(min(1, rows.shape[0]))
    odd = (np.arange(rows.shape[1], dtype=np.uint64) * np.uint64(2) + np.uint64(1)) * np.uint64(
        0x9E3779B97F4A7C15
    )
    prints = np.zeros(rows.shape[0], np.uint64)
    for column, factor in zip(rows.T, odd, strict=True):
        prints = (prints ^ column.astype(np.int64).view(np.uint64)) * factor
        prints ^= prints >> np.uint64(29)
    order = np.argsort(prints, kind="stable")
    repeats = (rows[order[1:]] == rows[order[:-1]]).all(axis=1)
    if np.count_nonzero(prints[order[1:]] == prints[order[:-1]]) != np.count_nonzero(repeats):
        order = np.lexsort(rows.T[::-1])
        repeats = (rows[order[1:]] == rows[order[:-1]]).all(axis=1)
    firsts: Ints = order[np.concatenate([[True], ~repeats])]
    return firsts
