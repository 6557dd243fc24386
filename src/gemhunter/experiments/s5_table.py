"""The table of the course that the resolution player comes from: what it marks, and in how many rounds.

A line is a level, a number of initial safe cells and an agent: `resolution`, which is the course's own, or
`csp`, which plays the same games. The course played three games for each; this table has the first three as
well, and the means of all games that were asked for.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.game_ids import GameId
from gemhunter.play.initial_cells import SHARES, game_with_given, safe_cells
from gemhunter.play.levels import Level, read_level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.play.turns import play_game
from gemhunter.work.estimates import Interval, mean_of, share_of

COURSE_LEVELS = ("easy", "medium", "hard")
GAMES_OF_THE_COURSE = 3

S5_COUNTERS = {"resolution": "rounds", "csp": "backtracks"}
"""The agents of the table, and what each counts beside the cells that it marks."""

GAMES_AT_ONCE = 25
"""A second or two at most: between two looks at Ctrl-C, and at the progress."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class S5Line:
    """Games on one level with one number of initial safe cells: an entry per game, first seed first.

    `rounds` counts matching rounds; of an agent that searches, it counts backtracks.
    """

    level: str
    given: int
    cells: int
    marked: Numbers
    rounds: Numbers
    agent: str = "resolution"

    @property
    def name(self) -> str:
        """What is measured, in a few words."""
        return f"{self.agent}, {self.level}, {self.given} initial safe cells"

    @property
    def counter(self) -> str:
        """What `rounds` counts, in a word."""
        return S5_COUNTERS[self.agent]

    @property
    def mean_marked(self) -> Interval:
        """Cells marked per game."""
        return mean_of(self.marked)

    @property
    def mean_rounds(self) -> Interval:
        """Matching rounds, or backtracks, per game."""
        return mean_of(self.rounds)

    @property
    def finished(self) -> Interval:
        """The share of games in which every cell was marked."""
        return share_of(int(np.count_nonzero(self.marked == self.cells)), self.marked.size)


def lines_of_s5(
    levels: Sequence[str] = COURSE_LEVELS,
    initial: Sequence[str] = tuple(SHARES),
    agents: Sequence[str] = ("resolution",),
) -> list[S5Line]:
    """The lines of the table before any game: every level, number of initial safe cells and agent."""
    return [_no_games(level, wanted, agent) for level in levels for wanted in initial for agent in agents]


def measure_s5(lines: Sequence[S5Line], games: int, seed: int) -> Iterator[list[S5Line]]:
    """All lines so far, again and again while games are played; the last one is the whole table."""
    done: list[S5Line] = []
    for empty in lines:
        line = empty
        for first in range(seed, seed + games, GAMES_AT_ONCE):
            line = _extended(line, range(first, min(first + GAMES_AT_ONCE, seed + games)))
            yield [*done, line]
        done.append(line)


def _no_games(level: str, wanted: str, agent: str) -> S5Line:
    size, none = read_level(level), np.zeros(0, np.int64)
    return S5Line(level, safe_cells(size, wanted), size.rows * size.cols, none, none, agent)


def _extended(line: S5Line, seeds: range) -> S5Line:
    level = read_level(line.level)
    if line.agent == "csp":
        marked, rounds = np.array([_play_csp(level, line.given, seed) for seed in seeds], np.int64).T
    else:
        played = play_resolution_games(level, line.given, seeds)
        marked, rounds = played.marked, played.rounds
    return replace(line, marked=np.append(line.marked, marked), rounds=np.append(line.rounds, rounds))


def _play_csp(level: Level, given: int, seed: int) -> tuple[int, int]:
    """How many cells `csp` marks in a game, and how often it backtracks."""
    player, game = CspPlayer(seed), game_with_given(GameId(level, seed), given)
    for turn in play_game(game, player):
        game = turn.game
    counters = player.counters(game.view)
    return counters["marked cells"], counters["backtracks"]
