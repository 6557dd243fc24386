"""How hard the games of a level are for a player who thinks and never guesses."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.core.first_click import FirstClick
from gemhunter.core.grid import Cell
from gemhunter.deduce.difficulty import NEEDS_A_GUESS, Difficulty
from gemhunter.play.game import new_game
from gemhunter.play.game_difficulty import game_difficulty
from gemhunter.play.game_ids import GameId
from gemhunter.play.levels import read_level
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from gemhunter.work.estimates import Interval, mean_of, share_of

GAMES_BETWEEN_RESULTS = 10

MOST_STEPS_PER_GAME = 1_000_000
"""Steps of a game, deductions and questions to a solver; a limit in seconds would depend on the machine."""


@dataclass(frozen=True, slots=True)
class LevelDifficulties:
    """The difficulties of games of one level; None for a game that took more than `MOST_STEPS_PER_GAME`."""

    level: str
    games: tuple[Difficulty | None, ...]

    def share(self, word: str) -> Interval:
        """The share of games with this difficulty."""
        return share_of(self.counts[word], len(self.games))

    @property
    def counts(self) -> Counter[str]:
        """How many games have each difficulty."""
        return Counter(game.word for game in self.games if game is not None)

    @property
    def score(self) -> Interval | None:
        """The mean score of the games that need no guess; None without such a game."""
        solved = [game for game in self.games if game is not None and game.word != NEEDS_A_GUESS]
        return mean_of(np.array([game.score for game in solved])) if solved else None


def measure_difficulties(
    levels: Sequence[str], games: int, seed: int, first_click: FirstClick
) -> Iterator[list[LevelDifficulties]]:
    """All levels so far, again and again while games are played; the last is the whole experiment."""
    done: list[LevelDifficulties] = []
    for level in levels:
        found: list[Difficulty | None] = []
        for each in range(seed, seed + games):
            found.append(_difficulty(level, each, first_click))
            if len(found) % GAMES_BETWEEN_RESULTS == 0 or len(found) == games:
                yield [*done, LevelDifficulties(level, tuple(found))]
        done.append(LevelDifficulties(level, tuple(found)))


def _difficulty(level: str, seed: int, first_click: FirstClick) -> Difficulty | None:
    """The difficulty of the game that a seed deals, after a first click in the middle."""
    size = read_level(level)
    game = new_game(GameId(size, seed, first_click)).reveal(Cell(size.rows // 2, size.cols // 2))
    found = game_difficulty(game, run=Run(Limits(steps=MOST_STEPS_PER_GAME)))
    return None if isinstance(found, GaveUp) else found
