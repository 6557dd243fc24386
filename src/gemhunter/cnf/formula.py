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
        flat = self.literals.tolist()
        return [flat[start:end] for start, end in pairwise(self.starts.tolist())]

    def cell(self, variable: int) -> Cell | None:
        """The cell of a variable, or None for an auxiliary one."""
        position = int(self.positions[variable - 1])
        return None if position == AUXILIARY else Cell(*divmod(position, self.cols))


def without_duplicates(literals: Literals, starts: Ints) -> tuple[Literals, Ints]:
    """The same clauses, each once, in order of first occurrence; the literals of each must be sorted."""
    sizes = np.diff(starts)
    keep = np.ones(sizes.size, bool)
    for size in np.flatnonzero(np.bincount(sizes)):
        same_size = np.flatnonzero(sizes == size)
        rows = literals[starts[same_size][:, None] + np.arange(size)]
        keep[same_size] = ~_repeats(rows)
    literals = literals[np.repeat(keep, sizes)]
    return literals, np.concatenate([[0], np.cumsum(sizes[keep])])


def _repeats(rows: Literals) -> NDArray[np.bool_]:
    """True for each row that has occurred before.

    Sorting by fingerprints is several times faster than sorting by all columns, so only the few rows
    that share theirs with another are sorted by all columns.
    """
    prints = _fingerprints(rows)
    order = np.argsort(prints)
    alike = prints[order[1:]] == prints[order[:-1]]
    suspects = np.sort(order[np.append(alike, False) | np.append(False, alike)])
    exact = suspects[np.lexsort(rows[suspects].T)] if rows.shape[1] else suspects
    repeated = (rows[exact[1:]] == rows[exact[:-1]]).all(axis=1)
    repeats = np.zeros(len(rows), bool)
    repeats[exact[1:][repeated]] = True
    return repeats


def _fingerprints(rows: Literals) -> NDArray[np.uint64]:
    """A number for each row; equal rows have equal ones, others rarely do."""
    prints = np.zeros(len(rows), np.uint64)
    for column in rows.T:
        prints = (prints ^ column.astype(np.int64).view(np.uint64)) * np.uint64(0x9E3779B97F4A7C15)
        prints ^= prints >> np.uint64(29)
    return prints
