"""Marks: the cells of a game in the order in which a player made up its mind about them."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.play.agents.player import Choice
from gemhunter.play.game import Game
from gemhunter.play.turns import Turn


@dataclass(frozen=True, slots=True)
class CellMark:
    """A cell marked as safe or as a trap, after `rounds` matching rounds, with a `risk` if it was a guess.

    `opened` are the cells that the game showed along with it, as it does around a 0.
    """

    cell: Cell
    is_trap: bool
    rounds: int = 0
    risk: float = 0.0
    opened: tuple[Cell, ...] = ()


@runtime_checkable
class Marking(Protocol):
    """A player that marks cells in an order of its own, whatever the game shows."""

    def marks(self, first: int) -> Sequence[CellMark]:
        """The cells marked so far, from number `first` on, counted from 0."""
        ...


def marks_at_start(game: Game) -> Iterator[CellMark]:
    """The cells that are shown or flagged before the first turn, in reading order."""
    for row, col in np.argwhere((game.shown != HIDDEN) | game.flags):
        yield CellMark(Cell(int(row), int(col)), is_trap=bool(game.flags[row, col]))


def marks_of_turn(before: Game, turn: Turn[Game]) -> Iterator[CellMark]:
    """The moves of a turn as marks; what is left of a won game are traps. A flag taken away is not a mark."""
    risk = turn.choice.risk if isinstance(turn.choice, Choice) else 0.0
    for game in turn.games:
        held = np.argwhere(game.held & ~before.held)
        shown = [Cell(int(row), int(col)) for row, col in np.argwhere(game.shown != before.shown)]
        if game.exploded is not None:
            yield CellMark(game.exploded, is_trap=False, risk=risk)
        elif shown:
            cell = game.moves[-1].cell
            yield CellMark(cell, is_trap=False, risk=risk, opened=tuple(c for c in shown if c != cell))
        for row, col in held:
            yield CellMark(Cell(int(row), int(col)), is_trap=True)
        before = game
