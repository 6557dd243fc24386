"""A game that a player plays turn by turn to its end, with its marks, counters and pictures."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Generic, Protocol, Self, TypeVar, runtime_checkable

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.board.position import Status
from gemhunter.draw.frames import EXPLODED, FOUND_SAFE, FRAME_PALETTE, HELD, UNMARKED, Frame, frame_pixels
from gemhunter.draw.pixels import gif_file
from gemhunter.errors import EngineError
from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.game import Game, View, new_game

# Lets a player play a game, turn by turn; the player sees views and nothing else.


class Playable(Protocol):
    """What a player's game has to offer: `Game` does, and so can a test that has no board at all."""

    @property
    def view(self) -> View:
        """What the player knows."""
        ...

    def reveal(self, cell: Cell) -> Self:
        """The game after revealing a cell."""
        ...

    def flag(self, cell: Cell) -> Self:
        """The game after putting a flag, or taking it away."""
        ...

    def give_up(self) -> Self:
        """The game ended where it stands."""
        ...


@runtime_checkable
class Counting(Protocol):
    """A player that counts what it does."""

    def counters(self, view: View) -> Mapping[str, int]:
        """Numbers by what they count, at the end of a game, of which this is the last view."""
        ...


Played = TypeVar("Played", bound=Playable)


@dataclass(frozen=True, slots=True)
class Turn(Generic[Played]):
    """What a player chose, and the game after each move that came of it."""

    choice: Choice | Stuck
    games: tuple[Played, ...]

    @property
    def game(self) -> Played:
        """The game after the turn."""
        return self.games[-1]

    @property
    def is_guess(self) -> bool:
        """Whether it could have failed."""
        return isinstance(self.choice, Choice) and self.choice.risk > 0


def play_game(game: Played, player: Player) -> Iterator[Turn[Played]]:
    """Every turn of `player` to the end, each with at least one move; a player that is stuck gives up."""
    while game.view.status is Status.PLAYING:
        turn = take_turn(game, player)
        if isinstance(turn.choice, Stuck):
            last = turn.games[-1] if turn.games else game
            turn = Turn(turn.choice, (*turn.games, last.give_up()))
        if not turn.games:
            raise EngineError("this agent chose nothing that changes the game")
        game = turn.game
        yield turn


def take_turn(game: Played, player: Player) -> Turn[Played]:
    """Ask a player, put flags on the traps it knows, and reveal what it wants to see.

    A flag is removed from a cell that is revealed. A player that is stuck only puts flags.
    """
    choice = player.choose(game.view)
    games = [game]
    for cell in choice.traps:
        if not games[-1].view.flags[cell]:
            games.append(games[-1].flag(cell))
    for cell in choice.safe if isinstance(choice, Choice) else ():
        view = games[-1].view
        if view.status is not Status.PLAYING or not view.is_hidden(cell):
            continue
        if view.flags[cell]:
            games.append(games[-1].flag(cell))
        games.append(games[-1].reveal(cell))
    return Turn(choice, tuple(games[1:]))


# A game that a player plays from beginning to end, with its turns, its marks and its counters.


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


# A game as frames: what is drawn each time a player has marked a cell or made a move.


STEP_DELAY, LAST_DELAY = 12, 300
"""Hundredths of a second that a frame, and the last one, stands."""


def film(board: Board, marks: Iterable[CellMark], *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board without a mark, then a frame for each mark, in their order."""
    truth = board.grid()
    seen = np.full((board.rows, board.cols), UNMARKED, np.uint8)
    yield Frame(truth, seen, shows_truth)
    for mark in marks:
        seen = seen.copy()
        for cell in (mark.cell, *mark.opened):
            seen[cell] = HELD if mark.is_trap else EXPLODED if board.traps[cell] else FOUND_SAFE
        yield Frame(truth, seen, shows_truth)


def film_of_moves(game: Game, *, shows_truth: bool = False) -> Iterator[Frame]:
    """The board of a game before its first move, then a frame for each move."""
    if game.board is None:
        return
    truth = game.board.grid()
    for after in accumulate(game.moves, Game.play, initial=new_game(game.board)):
        seen = np.select([after.held, after.shown != HIDDEN], [HELD, FOUND_SAFE], UNMARKED).astype(np.uint8)
        if after.exploded is not None:
            seen[after.exploded] = EXPLODED
        yield Frame(truth, seen, shows_truth)


def animation(frames: Sequence[Frame]) -> bytes:
    """All frames as one GIF file; the last one stands longer."""
    delays = [STEP_DELAY] * (len(frames) - 1) + [LAST_DELAY]
    return gif_file(zip(map(frame_pixels, frames), delays, strict=True), FRAME_PALETTE)
