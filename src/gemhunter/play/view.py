"""What a player may know of a game, and nothing else."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, Cell, Grid


class Status(StrEnum):
    """How a game stands; `STUCK` is the end of a game that its player gave up."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"


@dataclass(frozen=True, slots=True, eq=False)
class View:
    """The clues that have been revealed, the player's own flags, and how many traps there are in all.

    `grid` has clues and hidden cells only; `flags` is true where a flag stands. There is no way from here to
    the truth: everything is a copy.
    """

    grid: Grid
    flags: NDArray[np.bool_]
    total: int
    status: Status

    @property
    def is_fresh(self) -> bool:
        """Whether nothing has been revealed yet."""
        return bool((self.grid.cells == HIDDEN).all())

    @property
    def counter(self) -> int:
        """The mine counter: traps less flags; wrong flags can make it negative."""
        return self.total - int(np.count_nonzero(self.flags))

    def is_hidden(self, cell: Cell) -> bool:
        """Whether this cell has not been revealed."""
        return self.grid[cell] == HIDDEN
