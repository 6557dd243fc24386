"""The table of the course that the resolution player comes from: what it marks, and in how many rounds.

A line is a level and a number of initial safe cells. The course played three games for each; this table has
the first three as well, and the means of all games that were asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemhunter.play.initial_cells import SHARES, safe_cells
from gemhunter.play.levels import read_level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.work.estimates import Interval, mean_of, share_of

COURSE_LEVELS = ("easy", "medium", "hard")
GAMES_OF_THE_COURSE = 3

GAMES_AT_ONCE = 25
"""A quarter of a second at most: between two looks at Ctrl-C, and at the progress."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class S5Line:
    """Games on one level with one number of initial safe cells: an entry per game, first seed first."""

    level: str
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


def lines_of_s5(
    levels: Sequence[str] = COURSE_LEVELS, initial: Sequence[str] = tuple(SHARES)
) -> list[S5Line]:
    """The lines of the table before any game: every level with every number of initial safe cells."""
    return [_no_games(level, wanted) for level in levels for wanted in initial]


def measure_s5(lines: Sequence[S5Line], games: int, seed: int) -> Iterator[list[S5Line]]:
    """All lines so far, again and again while games are played; the last one is the whole table."""
    done: list[S5Line] = []
    for empty in lines:
        line = empty
        for first in range(seed, seed + games, GAMES_AT_ONCE):
            line = _extended(line, range(first, min(first + GAMES_AT_ONCE, seed + games)))
            yield [*done, line]
        done.append(line)


def _no_games(level: str, wanted: str) -> S5Line:
    size, none = read_level(level), np.zeros(0, np.int64)
    return S5Line(level, safe_cells(size, wanted), size.rows * size.cols, none, none)


def _extended(line: S5Line, seeds: range) -> S5Line:
    played = play_resolution_games(read_level(line.level), line.given, seeds)
    marked, rounds = np.append(line.marked, played.marked), np.append(line.rounds, played.rounds)
    return replace(line, marked=marked, rounds=rounds)
