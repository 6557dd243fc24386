"""What an experiment is: agents, levels, a rule and seeds; and what is known of its games."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.first_click import FirstClick
from gemhunter.core.game_status import PLAYING, WON
from gemhunter.core.numbers import LARGEST_SEED, whole_number
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.play.levels import Level
from gemhunter.play.many_games import Games

MOST_GAMES = 10**9
"""Of an agent at a level; 33 bytes are kept of each."""


@dataclass(frozen=True, slots=True)
class Series:
    """All games of one agent at one level."""

    agent: str
    level: Level


@dataclass(frozen=True, slots=True)
class Experiment:
    """Every agent plays every level, on the same seeds: game i has the seed `seed` + i."""

    agents: tuple[str, ...]
    levels: tuple[Level, ...]
    first_click: FirstClick = FirstClick.SAFE
    seed: int = 0

    @property
    def series(self) -> list[Series]:
        """Agents within levels, so that those to be compared stand together."""
        return [Series(agent, level) for level in self.levels for agent in self.agents]

    def require_seeds(self, games: int) -> None:
        """Raise unless that many games have seeds."""
        whole_number(games, "the number of games", 1, MOST_GAMES)
        if not 0 <= self.seed <= LARGEST_SEED + 1 - games:
            raise InputError(
                f"seeds go from 0 to {LARGEST_SEED}; {counted(games, 'game')} from {self.seed} on do not fit"
            )


@dataclass(frozen=True, slots=True, eq=False)
class Played:
    """Some games of a series, with the seconds they took: of the processor, and of the whole experiment.

    The latter pass between two results, whichever worker they come from, so that they add up with any number
    of jobs. The former are not a number if they are not known.
    """

    series: Series
    games: Games
    cpu_seconds: float
    seconds: float


class SeriesTally:
    """What is known of the first games of a series, one entry per game, and the seconds they took.

    `ends` has the codes of `Status`; a game that has not been played is not over. `luck` is that of `Games`.
    """

    def __init__(self, first_seed: int, games: int) -> None:
        self.first_seed = first_seed
        self.ends = np.zeros(games, np.int8)
        self.reveals, self.guesses, self.reason = (np.zeros(games, np.int64) for _ in range(3))
        self.luck = np.zeros(games, np.float64)
        self.cpu_seconds = self.seconds = 0.0

    @property
    def known(self) -> NDArray[np.bool_]:
        """Which games have been played."""
        known: NDArray[np.bool_] = self.ends != PLAYING
        return known

    @property
    def without_luck(self) -> NDArray[np.float64]:
        """The results of all games, 1 for a win, less the luck of their guesses."""
        results: NDArray[np.float64] = (self.ends == WON) - self.luck
        return results

    def add(self, played: Played) -> None:
        """Add games; those beyond the end are left out, with their share of the time."""
        games = played.games
        offset = games.first_seed - self.first_seed
        size = min(games.ends.size, self.ends.size - offset)
        if size <= 0:
            return
        place = slice(offset, offset + size)
        self.ends[place] = games.ends[:size]
        self.reveals[place] = games.reveals[:size]
        self.guesses[place] = games.guesses[:size]
        self.reason[place] = games.reason[:size]
        self.luck[place] = games.luck[:size]
        self.cpu_seconds += played.cpu_seconds * size / games.ends.size
        self.seconds += played.seconds * size / games.ends.size

    def missing(self) -> Iterator[range]:
        """The seeds of the games that have not been played, in as few ranges as possible."""
        edges = np.flatnonzero(np.diff(self.known, prepend=True, append=True))
        for begin, end in edges.reshape(-1, 2).tolist():
            yield range(self.first_seed + begin, self.first_seed + end)


Tallies = dict[Series, SeriesTally]


def new_tallies(experiment: Experiment, games: int) -> Tallies:
    """Empty tallies for this many games in every series."""
    experiment.require_seeds(games)
    return {series: SeriesTally(experiment.seed, games) for series in experiment.series}
