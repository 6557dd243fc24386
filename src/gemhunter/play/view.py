"""What a player may know of a game, and nothing else."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell, Grid


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The clues that have been revealed, the player's own flags, and how many traps there are in all.

    `grid` has clues and hidden cells only; `flags` is true where a flag stands; `first_click` is the rule
    that the game began with. There is no way from here to the truth: everything is a copy.
    """

    grid: Grid
    flags: NDArray[np.bool_]
    total: int
    status: Status
    first_click: FirstClick = FirstClick.ANY

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been revealed yet."""
        return bool((self.grid.cells == HIDDEN).all())

    @property
    def risk_of_first(self) -> float:
        """The risk of the first cell, before anything has been revealed."""
        return self.total / self.grid.cells.size if self.first_click is FirstClick.ANY else 0.0

    @property
    def counter(self) -> int:
        """The mine counter: traps less flags; wrong flags can make it negative."""
        return self.total - int(np.count_nonzero(self.flags))

    def is_hidden(self, cell: Cell) -> bool:
        """Whether this cell has not been revealed."""
        return self.grid[cell] == HIDDEN
