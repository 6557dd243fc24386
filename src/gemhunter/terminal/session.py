"""A session of play: its settings, the positions to undo to, the help used, the time and the agent's pace."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from pathlib import Path

from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import Replay, Status
from gemhunter.play.fill_in import FillIn
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import new_seed
from gemhunter.play.player import Player

PACES = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds between two choices of an agent."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game needs from outside: the agent, how replays are saved, and what the terminal can show.

    `new_player` makes a player from a seed. `plain` means no colours, `ascii_only` no signs beyond ASCII,
    `watch` that the agent begins to play at once.
    """

    agent: str
    new_player: Callable[[int], Player]
    save: Callable[[Replay], Path]
    watch: bool = False
    plain: bool = False
    ascii_only: bool = False
    seeds: Callable[[], int] = new_seed
    clock: Callable[[], float] = time.monotonic


@dataclass(frozen=True, slots=True)
class FillInSetting:
    """What filling in needs from outside: a name, how boards are saved, and what the terminal can show."""

    name: str
    save: Callable[[FillIn], Path]
    clock: Callable[[], float]
    plain: bool = False
    ascii_only: bool = False


class Aid(StrEnum):
    """A kind of help."""

    HINTS = "hints"
    RISKS = "risks shown"
    UNDO = "undo"
    AGENT = "an agent"
    CHECKS = "checks"


@dataclass(frozen=True, slots=True, eq=False)
class PlaySession:
    """The positions of a game up to the present one, oldest first, and the help that the player used."""

    games: tuple[Game, ...]
    aids: frozenset[Aid] = frozenset()

    @property
    def game(self) -> Game:
        """The present position."""
        return self.games[-1]

    @property
    def before(self) -> Game | None:
        """The position before the last move, if it was kept."""
        return self.games[-2] if len(self.games) > 1 else None

    def after(self, *games: Game) -> "PlaySession":
        """Add positions; the oldest are dropped when there are too many."""
        # 100 million cells in all: about two hundred thousand positions of an Expert game
        kept = max(2, 100_000_000 // self.game.shown.size)
        return replace(self, games=(*self.games, *games)[-kept:])

    def undone(self) -> "PlaySession":
        """Undo the last move, if there is one."""
        return PlaySession(self.games[:-1], self.aids | {Aid.UNDO}) if self.before else self

    def helped(self, aid: Aid) -> "PlaySession":
        """Note that the player used this help."""
        return replace(self, aids=self.aids | {aid})


def begin_session(game: Game) -> PlaySession:
    """A session that begins with a game, whose moves can be undone."""
    if game.board is None or not game.moves:
        return PlaySession((game,))
    fresh = replace(new_game(game.board), game_id=game.game_id)
    *earlier, last = accumulate(game.moves, Game.play, initial=fresh)
    gave_up = [last] * (game.status is Status.STUCK)
    return PlaySession((fresh,)).after(*earlier[1:], *gave_up, game)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Seconds spent so far, and when it was started if it is running."""

    spent: float = 0.0
    since: float | None = None

    def read(self, now: float) -> float:
        """The total number of seconds."""
        return self.spent if self.since is None else self.spent + now - self.since

    def at(self, now: float, game: Game) -> "Stopwatch":
        """Let it run while a game is played, from the first revealed cell on."""
        return self.set(now, runs=game.status is Status.PLAYING and bool((game.shown != HIDDEN).any()))

    def set(self, now: float, *, runs: bool) -> "Stopwatch":
        """Start or stop it."""
        if runs == (self.since is not None):
            return self
        return Stopwatch(self.read(now), now if runs else None)


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether an agent plays continuously, and at which of the `PACES`."""

    running: bool = False
    speed: int = 3

    @property
    def seconds(self) -> float:
        """The time before the next choice."""
        return PACES[self.speed]

    def changed(self, by: int) -> "Pace":
        """Faster by `by` steps, or slower if it is negative, within `PACES`."""
        return replace(self, speed=min(max(self.speed + by, 0), len(PACES) - 1))
