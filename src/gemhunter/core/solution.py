"""The solution: which hidden cells are traps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid


@dataclass(frozen=True, slots=True, eq=False)
class Solution:
    """Hidden cell i of a board, in reading order, is a trap exactly if `traps[i]`."""

    traps: NDArray[np.bool_]

    def __post_init__(self) -> None:
        traps = np.array(self.traps, dtype=bool)
        traps.setflags(write=False)
        object.__setattr__(self, "traps", traps)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Solution) and np.array_equal(self.traps, other.traps)

    def __hash__(self) -> int:
        return hash(self.traps.tobytes())

    def __reduce__(self) -> tuple[type["Solution"], tuple[NDArray[np.bool_]]]:
        return Solution, (self.traps,)

    @classmethod
    def of_model(cls, model: NDArray[np.int64], hidden: int) -> "Solution":
        """The solution in a SAT model whose literal v says that hidden cell v, counted from 1, is a trap."""
        traps = np.zeros(hidden, bool)
        traps[model[(model > 0) & (model <= hidden)] - 1] = True
        return cls(traps)

    def fill(self, grid: Grid) -> Grid:
        """`grid` with its hidden cells filled in."""
        hidden = np.flatnonzero(grid.cells == HIDDEN)
        if hidden.size != self.traps.size:
            raise ValueError(f"{self.traps.size} values for {hidden.size} hidden cells")
        filled = grid.cells.copy()
        filled.ravel()[hidden] = np.where(self.traps, np.int8(TRAP), np.int8(GEM))
        return Grid(filled)
