"""A game that a player has played from beginning to end, with all that can be said of it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

import numpy as np

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.play.agents.player import Choice, Player
from gemhunter.play.game import Game
from gemhunter.play.playing import Counting, Turn, play_game


@dataclass(frozen=True, slots=True)
class Watched:
    """A game before its first move, all turns up to its end, and what the player counted if it does."""

    start: Game
    turns: tuple[Turn[Game], ...]
    counters: Mapping[str, int]

    @property
    def end(self) -> Game:
        """The game when it was over."""
        return self.turns[-1].game if self.turns else self.start

    @property
    def risks(self) -> list[float]:
        """How likely each guess was a trap, in their order."""
        choices = [turn.choice for turn in self.turns if turn.is_guess]
        return [choice.risk for choice in choices if isinstance(choice, Choice)]

    @property
    def marked(self) -> int:
        """How many cells the player has revealed or holds for traps; all that is left of a won game are."""
        return int(np.count_nonzero(self.grid.cells != HIDDEN))

    @property
    def grid(self) -> Grid:
        """What the player knew in the end: clues, and traps where it put flags."""
        return Grid(np.where(self.end.held, np.int8(TRAP), self.end.shown))


def watch_game(game: Game, player: Player, after: Callable[[Turn[Game]], None]) -> Watched:
    """Let a player play to the end; `after` is told of every turn."""
    turns = []
    for turn in play_game(game, player):
        turns.append(turn)
        after(turn)
    end = turns[-1].game if turns else game
    counters = player.counters(end.view) if isinstance(player, Counting) else {}
    return Watched(game, tuple(turns), counters)
