"""The table of the course that the resolution player comes from: what it marks, and in how many rounds.

A line is a level and a number of initial safe cells. The course played three games for each; here
are the first three as well, and the means of all that were asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.experiments.estimates import Interval, mean_of, share_of
from gemhunter.play.giving import SHARES, safe_cells
from gemhunter.play.levels import LEVELS
from gemhunter.play.resolution_games import play_resolution_games

COURSE_LEVELS = ("easy", "medium", "hard")
GAMES_OF_THE_COURSE = 3

GAMES_AT_ONCE = 25
"""A quarter of a second at most: between two looks at Ctrl-C, and at the progress."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class Line:
    """Games on one level with one number of initial safe cells: an entry per game, first seed first."""

    level: str
    share: str
    given: int
    cells: int
    marked: Numbers
    rounds: Numbers

    @property
    def name(self) -> str:
        """What is measured, in a few words."""
        return f"{self.level}, {self.given} initial safe cells"

    @property
    def mean_marked(self) -> Interval:
        """Cells marked per game."""
        return mean_of(self.marked)

    @property
    def mean_rounds(self) -> Interval:
        """Matching rounds per game."""
        return mean_of(self.rounds)

    @property
    def finished(self) -> Interval:
        """The share of games in which every cell was marked."""
        return share_of(int(np.count_nonzero(self.marked == self.cells)), self.marked.size)


def measure_s5(games: int, seed: int) -> Iterator[list[Line]]:
    """All lines so far, again and again while games are played; the last one is the whole table."""
    done: list[Line] = []
    for level in COURSE_LEVELS:
        for share in SHARES:
            line = _no_games(level, share)
            for first in range(seed, seed + games, GAMES_AT_ONCE):
                line = _extended(line, range(first, min(first + GAMES_AT_ONCE, seed + games)))
                yield [*done, line]
            done.append(line)


def lines_of_s5() -> int:
    """How many lines the table has."""
    return len(COURSE_LEVELS) * len(SHARES)


def _no_games(level: str, share: str) -> Line:
    size, none = LEVELS[level], np.zeros(0, np.int64)
    return Line(level, share, safe_cells(size, share), size.rows * size.cols, none, none)


def _extended(line: Line, seeds: range) -> Line:
    played = play_resolution_games(LEVELS[line.level], line.given, seeds)
    marked, rounds = np.append(line.marked, played.marked), np.append(line.rounds, played.rounds)
    return Line(line.level, line.share, line.given, line.cells, marked, rounds)
