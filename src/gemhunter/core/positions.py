"""A game as files show it: what is revealed, what is flagged, and how many traps there are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.board import Board
from gemhunter.core.checker import check
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.trap_maps import grid_from_traps
from gemhunter.errors import InputError


@dataclass(frozen=True, slots=True, eq=False)
class Position:
    """A grid, the flags of a player on its hidden cells, and the total if it is known."""

    grid: Grid
    flags: NDArray[np.bool_]
    total: int | None = None

    def __post_init__(self) -> None:
        flags = np.array(self.flags, dtype=bool, order="C")
        if flags.shape != self.grid.cells.shape:
            raise ValueError(f"the grid is {self.grid.cells.shape}, the flags are {flags.shape}")
        if (flags & (self.grid.cells != HIDDEN)).any():
            raise ValueError("flags stand on hidden cells only")
        flags.setflags(write=False)
        object.__setattr__(self, "flags", flags)

    def truth(self) -> Board | None:
        """The board, if the position determines it: all traps are shown, or all hidden cells are traps.

        None if it does not. Clues that conflict with that board are an `InputError`.
        """
        shown, hidden = self.grid.cells == TRAP, self.grid.cells == HIDDEN
        missing = 0 if self.total is None else self.total - int(np.count_nonzero(shown))
        if missing < 0:
            raise InputError(f"more traps are shown than the {self.total} there are")
        if not hidden.any() or (missing == 0 and self.total is not None):
            return self._checked(shown)
        return self._checked(shown | hidden) if missing == np.count_nonzero(hidden) else None

    def _checked(self, traps: NDArray[np.bool_]) -> Board:
        codes = np.where(self.grid.cells == HIDDEN, np.where(traps, TRAP, GEM), self.grid.cells)
        for violation in check(self.grid, Grid(codes), self.total):
            raise InputError(f"these traps are not the truth: {violation}")
        return Board(traps)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Position):
            return NotImplemented
        same_total = self.total == other.total
        return same_total and self.grid == other.grid and np.array_equal(self.flags, other.flags)

    def __hash__(self) -> int:
        return hash((self.grid, self.flags.tobytes(), self.total))


def bare_position(grid: Grid, total: int | None = None) -> Position:
    """A position without flags."""
    return Position(grid, np.zeros(grid.cells.shape, bool), total)


def whole_position(board: Board) -> Position:
    """The truth with every trap and every clue shown."""
    return bare_position(board.grid(), board.total)


def cleared_position(board: Board) -> Position:
    """The end of a game that is won: every clue is shown, every trap hidden."""
    return bare_position(grid_from_traps(board.traps), board.total)
