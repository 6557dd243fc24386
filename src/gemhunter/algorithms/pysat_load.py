"""What a PySAT solver is given: clauses, or "at most so many of these" for those that take it as it is."""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import Puzzle


@dataclass(frozen=True, slots=True, eq=False)
class Load:
    """Constraint i is about `literals[starts[i]:starts[i+1]]`.

    Without `bounds` it is a clause: one of them holds. With `bounds`, at most `bounds[i]` of them hold.
    """

    literals: NDArray[np.int32]
    starts: NDArray[np.int64]
    bounds: NDArray[np.int64] | None = None

    @classmethod
    def of_regions(cls, puzzle: Puzzle) -> "Load":
        """Two constraints per region that has cells: at most k traps, and at most n-k gems."""
        sizes = puzzle.sizes[puzzle.sizes > 0]
        traps = puzzle.traps[puzzle.sizes > 0]
        cells = (puzzle.cells + 1).astype(np.int32)
        ends = np.cumsum(sizes)
        starts = np.concatenate([[0], ends, ends + cells.size])
        return cls(np.concatenate([cells, -cells]), starts, np.concatenate([traps, sizes - traps]))

    @property
    def size(self) -> int:
        """How many constraints there are."""
        return int(self.starts.size - 1)

    def feed(self, solver: Any) -> None:
        """Hand everything to a PySAT solver, one constraint at a time: millions of lists at once are slow."""
        if self.bounds is None:
            for clause in self:
                solver.add_clause(clause)
            return
        for literals, bound in zip(self, self.bounds.tolist(), strict=True):
            solver.add_atmost(literals, bound)

    def __iter__(self) -> Iterator[list[int]]:
        flat = self.literals.tolist()
        return (flat[start:end] for start, end in pairwise(self.starts.tolist()))

    def save(self, path: Path) -> None:
        """Write it to a file for another process."""
        bounds = np.empty(0, np.int64) if self.bounds is None else self.bounds
        with path.open("wb") as stream:
            np.savez(stream, literals=self.literals, starts=self.starts, bounds=bounds)

    @classmethod
    def read(cls, path: Path) -> "Load":
        """What `save` wrote."""
        with np.load(path) as saved:
            bounds = saved["bounds"]
            return cls(saved["literals"], saved["starts"], bounds if bounds.size else None)
