"""One sitting at a board: its setting, the positions to go back to, the help taken, the time and the pace."""

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate
from pathlib import Path

from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import Replay, Status
from gemhunter.play.agents.player import Player
from gemhunter.play.fill_in import FillIn
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import new_seed

PACES = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds between two choices of an agent."""

MOST_CELLS_KEPT = 100_000_000
"""The most cells of all earlier positions together: two hundred thousand moves of an Expert game."""


@dataclass(frozen=True, slots=True)
class Setting:
    """What a game needs from outside: who plays along, where replays go, and what the terminal can show.

    `new_player` makes a fresh player for a game with a seed. `plain` means no colours, `ascii_only` no signs
    beyond ASCII, `watch` that the agent begins to play at once.
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
    """What filling in needs from outside: a name, where boards are saved, the time, and the terminal."""

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
class Sitting:
    """The positions of a game up to the present one, oldest first, and the help taken on the way."""

    games: tuple[Game, ...]
    aids: frozenset[Aid] = frozenset()

    @property
    def game(self) -> Game:
        """The game as it stands."""
        return self.games[-1]

    @property
    def before(self) -> Game | None:
        """The game before its last move, if it was kept."""
        return self.games[-2] if len(self.games) > 1 else None

    def after(self, *games: Game) -> "Sitting":
        """With these positions added; the oldest are dropped when there are too many."""
        kept = max(2, MOST_CELLS_KEPT // self.game.shown.size)
        return replace(self, games=(*self.games, *games)[-kept:])

    def undone(self) -> "Sitting":
        """The sitting before the last move; itself if there is none."""
        return Sitting(self.games[:-1], self.aids | {Aid.UNDO}) if self.before else self

    def helped(self, aid: Aid) -> "Sitting":
        """With this help noted."""
        return replace(self, aids=self.aids | {aid})


def sit_down(game: Game) -> Sitting:
    """A sitting at a game; if the game has moves, they can be undone as well."""
    if game.board is None or not game.moves:
        return Sitting((game,))
    fresh = replace(new_game(game.board), game_id=game.game_id)
    *earlier, last = accumulate(game.moves, Game.play, initial=fresh)
    gave_up = [last] * (game.status is Status.STUCK)
    return Sitting((fresh,)).after(*earlier[1:], *gave_up, game)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Seconds spent so far, and when it was started if it is running."""

    spent: float = 0.0
    since: float | None = None

    def read(self, now: float) -> float:
        """Seconds in all."""
        return self.spent if self.since is None else self.spent + now - self.since

    def at(self, now: float, game: Game) -> "Stopwatch":
        """Running while a game is played in which something has been revealed, else standing."""
        return self.set(now, runs=game.status is Status.PLAYING and bool((game.shown != HIDDEN).any()))

    def set(self, now: float, *, runs: bool) -> "Stopwatch":
        """Running or standing from now on."""
        if runs == (self.since is not None):
            return self
        return Stopwatch(self.read(now), now if runs else None)


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether an agent goes on without being asked, and which of `PACES` it keeps."""

    running: bool = False
    speed: int = 3

    @property
    def seconds(self) -> float:
        """How long to wait before the next choice."""
        return PACES[self.speed]

    def changed(self, by: int) -> "Pace":
        """Faster by this many steps, or slower if negative, within `PACES`."""
        return replace(self, speed=min(max(self.speed + by, 0), len(PACES) - 1))
