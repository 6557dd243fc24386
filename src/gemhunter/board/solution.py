"""The solution: which hidden cells are traps."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN_CODE, TRAP, Grid
from gemhunter.printable import counted

_GEM_OR_TRAP = np.array([GEM, TRAP], np.int8)


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
        is_hidden = grid.cells == HIDDEN_CODE
        hidden = int(np.count_nonzero(is_hidden))
        if hidden != self.traps.size:
            raise ValueError(f"{counted(self.traps.size, 'value')} for {counted(hidden, 'hidden cell')}")
        filled = grid.cells.copy()
        filled[is_hidden] = _GEM_OR_TRAP[self.traps.view(np.int8)]
        return Grid.of_codes(filled)
