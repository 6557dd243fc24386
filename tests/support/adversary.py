"""A game without a board: it decides what is true when it is asked, and always against the player.

Whatever can be a trap is one as soon as it is revealed. Whoever wins here, or gets stuck, has revealed
nothing that was not certain; there is no truth to peek at.
"""

from dataclasses import dataclass, replace
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, Cell, Grid, count_around
from gemhunter.board.position import Status
from gemhunter.play.game import View


@dataclass(frozen=True, slots=True, eq=False)
class Adversary:
    """`possible` has every map of traps that agrees with what has been said, one per row."""

    shown: NDArray[np.int8]
    flags: NDArray[np.bool_]
    total: int
    possible: NDArray[np.bool_]
    seed: int
    status: Status = Status.PLAYING

    @property
    def view(self) -> View:
        return View(Grid(self.shown), self.flags.copy(), self.total, self.status)

    def could_be_trap(self, cell: Cell) -> bool:
        return bool(self.possible[:, cell.row, cell.col].any())

    def must_be_trap(self, cell: Cell) -> bool:
        return bool(self.possible[:, cell.row, cell.col].all())

    def reveal(self, cell: Cell) -> "Adversary":
        if self.could_be_trap(cell) and not self.view.is_fresh:
            return replace(self, status=Status.LOST)
        left = self.possible[~self.possible[:, cell.row, cell.col]]
        clues = np.array([count_around(traps)[cell] for traps in left])
        clue = np.random.default_rng([self.seed, cell.row, cell.col]).choice(np.unique(clues))
        shown = self.shown.copy()
        shown[cell] = clue
        is_won = np.count_nonzero(shown == HIDDEN) == self.total
        status = Status.WON if is_won else Status.PLAYING
        return replace(self, shown=shown, possible=left[clues == clue], status=status)

    def flag(self, cell: Cell) -> "Adversary":
        flags = self.flags.copy()
        flags[cell] = not flags[cell]
        return replace(self, flags=flags)

    def give_up(self) -> "Adversary":
        return replace(self, status=Status.STUCK)


def adversary(rows: int, cols: int, total: int, seed: int) -> Adversary:
    """A fresh game of this size."""
    chosen = np.array(list(combinations(range(rows * cols), total)))
    possible = np.zeros((len(chosen), rows * cols), bool)
    np.put_along_axis(possible, chosen, True, axis=1)
    shape = (rows, cols)
    hidden, none = np.full(shape, HIDDEN, np.int8), np.zeros(shape, bool)
    return Adversary(hidden, none, total, possible.reshape(-1, *shape), seed)
