"""A game as files show it: its moves, its status, what the first click may reveal, and its position."""

from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ArrayValue
from gemhunter.board.board import Board, grid_from_traps
from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.errors import InputError

# What the first click of a game may reveal: the names that people read, and the numbers that kernels use.


class FirstClick(StrEnum):
    """What the first cell that a player reveals can be.

    `SAFE`: no trap. `OPENING`: a 0, if the traps fit elsewhere. `ANY`: anything. `NO_GUESS`: a 0, after which
    every step follows from the clues and the total; `NO_GUESS_CLUES`: from the clues alone.
    """

    SAFE = "safe"
    OPENING = "opening"
    ANY = "any"
    NO_GUESS = "no-guess"
    NO_GUESS_CLUES = "no-guess-clues"

    @property
    def code(self) -> int:
        """The number of this rule in kernels."""
        return list(FirstClick).index(self)

    @property
    def needs_no_guess(self) -> bool:
        """Whether the board can be solved without a guess."""
        return self in (FirstClick.NO_GUESS, FirstClick.NO_GUESS_CLUES)


SAFE_CLICK, OPENING_CLICK, ANY_CLICK = (rule.code for rule in list(FirstClick)[:3])


# The status of a game: the names that people read, and the numbers that kernels and tallies use.


class Status(StrEnum):
    """Whether a game is over, and how it ended; `STUCK`: its player gave up."""

    PLAYING = "playing"
    WON = "won"
    LOST = "lost"
    STUCK = "stuck"

    @property
    def code(self) -> int:
        """The number of this status in kernels and tallies; a game that is not over has 0."""
        return list(Status).index(self)

    @property
    def letter(self) -> str:
        """The letter of this status in ledgers."""
        return self.value[0].upper()


PLAYING, WON, LOST, STUCK = (status.code for status in Status)


class Action(StrEnum):
    """The three things a player can do with a cell."""

    REVEAL = "reveal"
    FLAG = "flag"
    CHORD = "chord"


@dataclass(frozen=True, slots=True)
class Move:
    """One thing done with one cell; `FLAG` places or removes a flag."""

    action: Action
    cell: Cell

    def __str__(self) -> str:
        return f"{self.action.value} {self.cell}"


@dataclass(frozen=True, slots=True)
class Replay:
    """A game that can be played again: the truth, the id it was dealt from if it has one, and every move."""

    board: Board
    moves: tuple[Move, ...]
    game_id: str | None = None
    gave_up: bool = False
    """Whether the player stopped by choice."""


@dataclass(frozen=True, slots=True, eq=False)
class Position(ArrayValue):
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
        """The board if all traps are shown or all hidden cells are traps, else None.

        Raises `InputError` if clues conflict with that board.
        """
        shown, hidden = self.grid.cells == TRAP, self.grid.cells == HIDDEN
        missing = 0 if self.total is None else self.total - int(np.count_nonzero(shown))
        if missing < 0:
            raise InputError(f"the grid shows more traps than the total of {self.total}")
        if not hidden.any() or (missing == 0 and self.total is not None):
            return self._checked(shown)
        return self._checked(shown | hidden) if missing == np.count_nonzero(hidden) else None

    def _checked(self, traps: NDArray[np.bool_]) -> Board:
        codes = np.where(self.grid.cells == HIDDEN, np.where(traps, TRAP, GEM), self.grid.cells)
        for violation in check(self.grid, Grid(codes), self.total):
            raise InputError(f"these traps do not fit the clues: {violation}")
        return Board(traps)


def bare_position(grid: Grid, total: int | None = None) -> Position:
    """A position without flags."""
    return Position(grid, np.zeros(grid.cells.shape, bool), total)


def whole_position(board: Board) -> Position:
    """The truth with every trap and every clue shown."""
    return bare_position(board.grid(), board.total)


def cleared_position(board: Board) -> Position:
    """The end of a won game: every clue is shown, every trap hidden."""
    return bare_position(grid_from_traps(board.traps), board.total)
