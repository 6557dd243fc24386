"""The constraints for a PySAT solver: clauses, or bounds for solvers with native cardinality."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate, chain
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import ListedRegion, listed_regions


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
class RegionConstraints:
    """Two bounds for each region: at most k of its n cells are traps, and at most n-k are gems."""

    regions: Sequence[ListedRegion]

    @property
    def size(self) -> int:
        """How many bounds there are."""
        return 2 * len(self.regions)

    def feed(self, solver: Any) -> None:
        """Add the bounds to a PySAT solver."""
        for cells, traps in self.regions:
            solver.add_atmost(cells, traps)
            solver.add_atmost([-cell for cell in cells], len(cells) - traps)

    def save(self, path: Path) -> None:
        """Write the regions to a file for another process."""
        starts = np.fromiter(accumulate((len(cells) for cells, _ in self.regions), initial=0), np.int64)
        flat = np.fromiter(chain.from_iterable(cells for cells, _ in self.regions), np.int32)
        _save(path, flat, starts, np.array([traps for _, traps in self.regions], np.int64))


def _save(
    path: Path, literals: NDArray[np.int32], starts: NDArray[np.int64], traps: NDArray[np.int64]
) -> None:
    with path.open("wb") as stream:
        np.savez(stream, literals=literals, starts=starts, traps=traps)


def read_constraints(path: Path) -> Constraints:
    """The constraints that `save` wrote."""
    with np.load(path) as saved:
        literals, starts, traps = saved["literals"], saved["starts"], saved["traps"]
    if traps.size:
        return RegionConstraints(listed_regions(literals, starts, traps))
    return ClauseConstraints(Cnf(literals, starts, np.arange(int(np.abs(literals).max(initial=0))), cols=1))
