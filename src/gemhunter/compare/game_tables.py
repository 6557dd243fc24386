"""Many games or boards, counted: S5's table, the share of 0-clues, and the difficulty of a level."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import TRAP, Cell, Grid
from gemhunter.board.position import ANY_CLICK, FirstClick, Status
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.explain import Thinking
from gemhunter.explanation.steps import NEEDS_A_GUESS, Difficulty, ExplanationStep, rate
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.deal import deal
from gemhunter.play.game import Game, new_game
from gemhunter.play.game_ids import GameId
from gemhunter.play.game_names import SHARES, game_with_given, safe_cells
from gemhunter.play.levels import LEVELS, Level, read_level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.play.watched_games import play_game
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.work.estimates import Interval, mean_of, share_of

# The table of the course that the resolution player comes from: what it marks, and in how many rounds.
#
# A line is a level, a number of initial safe cells and an agent: `resolution`, which is the course's own,
# or `csp`, which plays the same games. The course played three games for each; this table has the first
# three as well, and the means of all games that were asked for.


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


# How many clues are 0: what decides how far a player comes without thinking. The course says hint.


BOARDS_AT_ONCE = 100
LARGEST_CLUE = 8


@dataclass(frozen=True, slots=True, eq=False)
class ClueShares:
    """Random boards of one level: `counts` has a row per board and how many gems have each clue 0 to 8."""

    level: str
    counts: NDArray[np.int64]

    @property
    def boards(self) -> int:
        """How many have been dealt."""
        return len(self.counts)

    @property
    def zeros(self) -> Interval:
        """The share of gems whose clue is 0, per board."""
        return mean_of(self.counts[:, 0] / self.counts.sum(axis=1))

    @property
    def ratio(self) -> float:
        """Traps per gem, which all boards of a level share."""
        size = LEVELS[self.level]
        return size.total / (size.rows * size.cols - size.total)

    @property
    def shares(self) -> list[float]:
        """The share of each clue, 0 to 8, over all boards."""
        totals = self.counts.sum(axis=0)
        return [float(share) for share in totals / totals.sum()]


def measure_clues(boards: int, seed: int) -> Iterator[list[ClueShares]]:
    """All levels so far, again and again while boards are dealt; the last one is the whole experiment."""
    done: list[ClueShares] = []
    for level in COURSE_LEVELS:
        counts = np.zeros((0, LARGEST_CLUE + 1), np.int64)
        for first in range(seed, seed + boards, BOARDS_AT_ONCE):
            seeds = range(first, min(first + BOARDS_AT_ONCE, seed + boards))
            counts = np.concatenate([counts, [_count_clues(level, each) for each in seeds]])
            yield [*done, ClueShares(level, counts)]
        done.append(ClueShares(level, counts))


def _count_clues(level: str, seed: int) -> NDArray[np.int64]:
    """How many gems of the board that a seed deals have each clue."""
    size = LEVELS[level]
    codes = np.empty((size.rows, size.cols), np.int8)
    deal(seed, ANY_CLICK, 0, size.total, codes)
    return np.bincount(codes[codes >= 0], minlength=LARGEST_CLUE + 1)


# How hard a game is for a player who thinks and never guesses.


def game_difficulty(
    game: Game,
    *,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Difficulty | GaveUp:
    """The difficulty of a game from here on: again and again the easiest deduction, and its gems are opened.

    A gem is opened before the next deduction, because its clue may make that an easier one.
    """
    run = given_run(run, Limits(time_limit, step_limit))
    steps, traps = list[ExplanationStep](), list[Cell]()
    while game.status is Status.PLAYING:
        thinking = Thinking(read_puzzle(_with_traps(game.view.grid, traps), game.level.total), run)
        gems: tuple[Cell, ...] = ()
        for step in thinking.steps():
            steps.append(step)
            traps += step.traps
            gems = step.gems
            if gems:
                break
        if thinking.gave_up is not None:
            return thinking.gave_up
        if not gems:
            return rate(steps, word=NEEDS_A_GUESS)
        for cell in gems:
            game = game.reveal(cell)
    return rate(steps)


def _with_traps(grid: Grid, traps: list[Cell]) -> Grid:
    codes = grid.cells.copy()
    for cell in traps:
        codes[cell] = TRAP
    return Grid(codes)


# How hard the games of a level are for a player who thinks and never guesses.


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
