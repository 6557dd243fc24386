"""A game that a player plays from beginning to end, with its turns, its marks and its counters."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np

from gemhunter.core.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.game import Game
from gemhunter.play.turns import Counting, Turn, play_game

MATCHING_ROUNDS_COUNTER = "matching rounds"
"""The counter of players that match clauses."""


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


def marks_of_move(before: Game, game: Game, choice: Choice | Stuck) -> Iterator[CellMark]:
    """The marks that a move made; what is left of a won game are traps. A flag taken away is not a mark."""
    risk = choice.risk if isinstance(choice, Choice) else 0.0
    held = np.argwhere(game.held & ~before.held)
    shown = [Cell(int(row), int(col)) for row, col in np.argwhere(game.shown != before.shown)]
    if game.exploded is not None:
        yield CellMark(game.exploded, is_trap=False, risk=risk)
    elif shown:
        cell = game.moves[-1].cell
        yield CellMark(cell, is_trap=False, risk=risk, opened=tuple(c for c in shown if c != cell))
    for row, col in held:
        yield CellMark(Cell(int(row), int(col)), is_trap=True)


@dataclass(frozen=True, slots=True)
class Watched:
    """A game before its first move, all turns up to its end, all marks, and the player's counters if any."""

    start: Game
    turns: tuple[Turn[Game], ...]
    marks: tuple[CellMark, ...]
    counters: Mapping[str, int]

    @property
    def end(self) -> Game:
        """The game when it was over."""
        return self.turns[-1].game if self.turns else self.start

    @property
    def risks(self) -> list[float]:
        """The risk of each guess, in their order."""
        choices = [turn.choice for turn in self.turns if turn.is_guess]
        return [choice.risk for choice in choices if isinstance(choice, Choice)]

    @property
    def marked(self) -> int:
        """How many cells the player has revealed or holds for traps; all that is left of a won game are."""
        return int(np.count_nonzero(self.grid.cells != HIDDEN))

    @property
    def rounds(self) -> int:
        """How many matching rounds there were; 0 for players that do not match clauses."""
        return self.counters.get(MATCHING_ROUNDS_COUNTER, 0)

    @property
    def grid(self) -> Grid:
        """What the player knew in the end: clues, and traps where it put flags."""
        return Grid(np.where(self.end.held, np.int8(TRAP), self.end.shown))


def watch_game(game: Game, player: Player, after: Callable[[Game, Sequence[CellMark]], None]) -> Watched:
    """Let a player play to the end.

    `after` gets the game and its marks at the start, then after each move the game and the new marks. Those
    of a player with an order of its own come with the last move of a turn.
    """
    turns: list[Turn[Game]] = []
    marks = [] if isinstance(player, Marking) else [*marks_at_start(game)]
    after(game, marks)
    end = game
    for turn in play_game(game, player):
        turns.append(turn)
        for moved in turn.games:
            if not isinstance(player, Marking):
                new = [*marks_of_move(end, moved, turn.choice)]
            else:
                new = [*player.marks(len(marks))] if moved is turn.game else []
            after(moved, new)
            marks.extend(new)
            end = moved
    counters = player.counters(end.view) if isinstance(player, Counting) else {}
    if isinstance(player, Marking):
        new = [*player.marks(len(marks)), *_explosion(turns)]
        after(end, new)
        marks.extend(new)
    return Watched(game, tuple(turns), tuple(marks), counters)


def _explosion(turns: Sequence[Turn[Game]]) -> list[CellMark]:
    """The trap that ended a game: its player took it for safe, but did not live to mark it."""
    if not turns or turns[-1].game.exploded is None:
        return []
    choice = turns[-1].choice
    risk = choice.risk if isinstance(choice, Choice) else 0.0
    return [CellMark(turns[-1].game.exploded, is_trap=False, risk=risk)]
