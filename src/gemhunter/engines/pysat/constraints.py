"""The constraints for a PySAT solver: clauses, or bounds for solvers with native cardinality."""

from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import Puzzle


class Constraints(Protocol):
    """Constraints for a PySAT solver."""

    @property
    def size(self) -> int:
        """How many constraints there are."""

    def feed(self, solver: Any) -> None:
        """Add all of them to a PySAT solver."""

    def save(self, path: Path) -> None:
        """Write them to a file for another process."""


@dataclass(frozen=True, slots=True, eq=False)
class ClauseConstraints:
    """The clauses of a formula."""

    cnf: Cnf

    @property
    def size(self) -> int:
        """How many clauses there are."""
        return self.cnf.size

    def feed(self, solver: Any) -> None:
        """Add the clauses to a PySAT solver one at a time: millions of lists at once are slow."""
        solver.append_formula(self.cnf.each_clause())

    def save(self, path: Path) -> None:
        """Write the clauses to a file for another process."""
        _save(path, self.cnf.literals, self.cnf.starts, np.empty(0, np.int64))


@dataclass(frozen=True, slots=True, eq=False)
class BoundConstraints:
    """At most `bounds[i]` of `literals[starts[i]:starts[i+1]]` hold, for every i."""

    literals: NDArray[np.int32]
    starts: NDArray[np.int64]
    bounds: NDArray[np.int64]

    @property
    def size(self) -> int:
        """How many bounds there are."""
        return int(self.bounds.size)

    def feed(self, solver: Any) -> None:
        """Add the bounds to a PySAT solver."""
        flat, bounds = self.literals.tolist(), self.bounds.tolist()
        for (start, end), bound in zip(pairwise(self.starts.tolist()), bounds, strict=True):
            solver.add_atmost(flat[start:end], bound)

    def save(self, path: Path) -> None:
        """Write the bounds to a file for another process."""
        _save(path, self.literals, self.starts, self.bounds)


def bounds_of_regions(puzzle: Puzzle) -> BoundConstraints:
    """Two bounds for each region that has cells: at most k traps, and at most n-k gems."""
    sizes = puzzle.sizes[puzzle.sizes > 0]
    traps = puzzle.traps[puzzle.sizes > 0]
    cells = (puzzle.cells + 1).astype(np.int32)
    ends = np.cumsum(sizes)
    starts = np.concatenate([[0], ends, ends + cells.size])
    return BoundConstraints(np.concatenate([cells, -cells]), starts, np.concatenate([traps, sizes - traps]))


def _save(
    path: Path, literals: NDArray[np.int32], starts: NDArray[np.int64], bounds: NDArray[np.int64]
) -> None:
    with path.open("wb") as stream:
        np.savez(stream, literals=literals, starts=starts, bounds=bounds)


def read_constraints(path: Path) -> Constraints:
    """The constraints that `save` wrote."""
    with np.load(path) as saved:
        literals, starts, bounds = saved["literals"], saved["starts"], saved["bounds"]
    if bounds.size:
        return BoundConstraints(literals, starts, bounds)
    return ClauseConstraints(Cnf(literals, starts, np.arange(int(np.abs(literals).max(initial=0))), cols=1))
