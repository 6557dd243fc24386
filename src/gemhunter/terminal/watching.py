"""Letting an agent play: one choice at a time, at a speed that can be changed."""

from dataclasses import dataclass, replace
from itertools import pairwise

from gemhunter.play.agents.player import Choice, Player, Stuck
from gemhunter.play.game import Game
from gemhunter.play.view import Status

SPEEDS = (4.0, 2.0, 1.0, 0.5, 0.25, 0.1, 0.0)
"""Seconds between two choices."""


@dataclass(frozen=True, slots=True)
class Step:
    """What an agent chose, and the game after each move that makes it so."""

    choice: Choice | Stuck
    games: tuple[Game, ...]


@dataclass(frozen=True, slots=True)
class Pace:
    """Whether an agent goes on by itself, and which of `SPEEDS` it has."""

    running: bool = False
    speed: int = 3

    @property
    def seconds(self) -> float:
        """How long to wait before the next choice."""
        return SPEEDS[self.speed]

    def changed(self, by: int) -> "Pace":
        """So much faster, or slower if negative, as far as there are speeds."""
        return replace(self, speed=min(max(self.speed + by, 0), len(SPEEDS) - 1))


def step(player: Player, game: Game) -> Step:
    """Ask a player and do what it says: flags on the traps it knows, then every cell to reveal."""
    choice = player.choose(game.view)
    games = [game]
    for cell in choice.traps:
        if not games[-1].flags[cell]:
            games.append(games[-1].flag(cell))
    for cell in choice.safe if isinstance(choice, Choice) else ():
        if games[-1].status is Status.PLAYING and games[-1].flags[cell]:
            games.append(games[-1].flag(cell))
        games.append(games[-1].reveal(cell))
    changed = [after for before, after in pairwise(games) if after is not before]
    return Step(choice, tuple(changed))
