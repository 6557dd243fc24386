"""One sitting at a game: the way back, the help that was taken, and the time."""

from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import accumulate

from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN
from gemhunter.play.game import Game, new_game

MOST_CELLS_KEPT = 100_000_000
"""Of all earlier positions together: two hundred thousand moves of an Expert game."""


class Aid(StrEnum):
    """What a player can be helped by."""

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
        """The game before its last move, unless it is forgotten."""
        return self.games[-2] if len(self.games) > 1 else None

    def after(self, *games: Game) -> "Sitting":
        """With these positions added; the oldest are forgotten when there is no room."""
        kept = max(2, MOST_CELLS_KEPT // self.game.shown.size)
        return replace(self, games=(*self.games, *games)[-kept:])

    def undone(self) -> "Sitting":
        """Before the last move; the same sitting if there is none."""
        return Sitting(self.games[:-1], self.aids | {Aid.UNDO}) if self.before else self

    def helped(self, aid: Aid) -> "Sitting":
        """With a help noted."""
        return replace(self, aids=self.aids | {aid})


def sit_down(game: Game) -> Sitting:
    """A sitting at a game that may have been begun: its moves can be undone as well."""
    if game.board is None or not game.moves:
        return Sitting((game,))
    fresh = replace(new_game(game.board), game_id=game.game_id)
    *earlier, last = accumulate(game.moves, Game.play, initial=fresh)
    gave_up = [last] * (game.status is Status.STUCK)
    return Sitting((fresh,)).after(*earlier[1:], *gave_up, game)


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Seconds spent so far, and since when it has been running if it is."""

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
