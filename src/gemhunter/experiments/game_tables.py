"""Tables made from many games or boards: S5's table, the share of 0-clues, and the difficulty of a level.

`_in_batches` extends the lines of each table one after the other, in batches of seeds.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import TRAP, Cell, Grid
from gemhunter.board.position import ANY_CLICK, FirstClick, Status
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.deductions import DeductionSearch
from gemhunter.explanation.steps import DIFFICULTY_WORDS, NEEDS_A_GUESS, Difficulty, ExplanationStep, rate
from gemhunter.play.agents.csp import CspPlayer
from gemhunter.play.deal import deal
from gemhunter.play.game import SHARES, Game, game_with_given, new_game, safe_cells
from gemhunter.play.game_ids import LEVELS, GameId, Level, read_level
from gemhunter.play.many_games import play_resolution_games
from gemhunter.play.player import play_game
from gemhunter.records.engines import interval_fields
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from gemhunter.work.confidence_intervals import Interval, mean_of, share_of

Line = TypeVar("Line")


def _in_batches(
    lines: Sequence[Line], extended: Callable[[Line, range], Line], seeds: range, size: int
) -> Iterator[list[Line]]:
    """The lines so far, after each batch of seeds; the last result is the whole table.

    `extended` adds the games or boards of some seeds to a line.
    """
    done: list[Line] = []
    for line in lines:
        for first in range(0, len(seeds), size):
            line = extended(line, seeds[first : first + size])  # noqa: PLW2901 - it grows batch by batch
            yield [*done, line]
        done.append(line)


# The table of S5, the course program that `resolution` comes from: marked cells and matching rounds.
#
# A line is a level, a number of initial safe cells and an agent: `resolution`, which is the course's own,
# or `csp`, which plays the same games. The course played three games for each; this table has the first
# three as well, and the means of all games.


COURSE_LEVELS = ("easy", "medium", "hard")
GAMES_OF_THE_COURSE = 3

S5_COUNTERS = {"resolution": "rounds", "csp": "backtracks"}
"""The agents of the table, and what each counts besides the cells that it marks."""

GAMES_AT_ONCE = 25
"""The games between two results, which take a second or two at most."""

Numbers = NDArray[np.int64]


@dataclass(frozen=True, slots=True, eq=False)
class S5Line:
    """Games of an agent on one level with one number of initial safe cells, an entry per game by seed.

    `rounds` counts matching rounds or, for `csp`, backtracks.
    """

    level: str
    given: int
    cells: int
    marked: Numbers
    rounds: Numbers
    agent: str = "resolution"

    @property
    def name(self) -> str:
        """The agent, the level and the number of initial safe cells, for people."""
        return f"{self.agent}, {self.level}, {self.given} initial safe cells"

    @property
    def counter(self) -> str:
        """The name of what `rounds` counts."""
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
    """The lines of the table before any game: every level, number of initial safe cells and agent, once."""
    none, lines = np.zeros(0, np.int64), []
    for size, level in distinct_levels(levels).items():
        for given in dict.fromkeys(safe_cells(size, wanted) for wanted in initial):
            lines += [S5Line(level, given, size.rows * size.cols, none, none, agent) for agent in agents]
    return lines


def distinct_levels(names: Sequence[str]) -> dict[Level, str]:
    """Every level once, with the first of its names."""
    levels: dict[Level, str] = {}
    for name in names:
        levels.setdefault(read_level(name), name)
    return levels


def measure_s5(lines: Sequence[S5Line], games: int, seed: int) -> Iterator[list[S5Line]]:
    """The table so far, after each batch of games."""
    return _in_batches(lines, _with_games, range(seed, seed + games), GAMES_AT_ONCE)


def _with_games(line: S5Line, seeds: range) -> S5Line:
    level = read_level(line.level)
    if line.agent == "csp":
        marked, rounds = np.array([_play_csp(level, line.given, seed) for seed in seeds], np.int64).T
    else:
        played = play_resolution_games(level, line.given, seeds)
        marked, rounds = played.marked, played.rounds
    return replace(line, marked=np.append(line.marked, marked), rounds=np.append(line.rounds, rounds))


def _play_csp(level: Level, given: int, seed: int) -> tuple[int, int]:
    """The number of cells that `csp` marks in a game, and of its backtracks."""
    player, game = CspPlayer(seed), game_with_given(GameId(level, seed), given)
    for turn in play_game(game, player):
        game = turn.game
    counters = player.counters(game.view)
    return counters["marked cells"], counters["backtracks"]


def marked_cells_record(line: S5Line) -> dict[str, Any]:
    """The marked cells, and the rounds or backtracks, of a line; the counter of the other agent is null."""
    counts: dict[str, Any] = {}
    for counter in S5_COUNTERS.values():
        is_own = counter == line.counter
        counts |= interval_fields(counter, line.mean_rounds if is_own else None, 6)
        counts[f"first_{counter}"] = line.rounds[:GAMES_OF_THE_COURSE].tolist() if is_own else None
    return {
        "level": line.level,
        "initial": line.given,
        "agent": line.agent,
        "cells": line.cells,
        "games": int(line.marked.size),
        **interval_fields("finished", line.finished, 6),
        **interval_fields("marked", line.mean_marked, 6),
        "first_marked": line.marked[:GAMES_OF_THE_COURSE].tolist(),
        **counts,
    }


# How many clues are 0, which decides how far a player gets without thinking. The course calls clues hints.


BOARDS_AT_ONCE = 100
"""The boards between two results."""


@dataclass(frozen=True, slots=True, eq=False)
class ClueShares:
    """Random boards of one level: `counts` has a row per board, the number of gems with each clue 0 to 8."""

    level: str
    counts: NDArray[np.int64]

    @property
    def boards(self) -> int:
        """The number of boards."""
        return len(self.counts)

    @property
    def zeros(self) -> Interval:
        """The mean share of gems whose clue is 0."""
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
    """The levels of the course so far, after each batch of boards."""
    levels = [ClueShares(level, np.zeros((0, 9), np.int64)) for level in COURSE_LEVELS]
    return _in_batches(levels, _with_boards, range(seed, seed + boards), BOARDS_AT_ONCE)


def _with_boards(line: ClueShares, seeds: range) -> ClueShares:
    size, counts = LEVELS[line.level], []
    codes = np.empty((size.rows, size.cols), np.int8)
    for seed in seeds:
        deal(seed, ANY_CLICK, 0, size.total, codes)
        counts.append(np.bincount(codes[codes >= 0], minlength=9))
    return ClueShares(line.level, np.concatenate([line.counts, counts]))


def clue_shares_record(level: ClueShares) -> dict[str, Any]:
    """The share of each clue on random boards of a level."""
    return {
        "level": level.level,
        "boards": level.boards,
        **interval_fields("zeros", level.zeros, 6),
        "traps_per_gem": level.ratio,
        "shares": level.shares,
    }


# How hard games are for a player who thinks and never guesses.


@dataclass(frozen=True, slots=True)
class LevelDifficulties:
    """The difficulties of the games of a level; None for a game that took too many steps."""

    level: str
    games: tuple[Difficulty | None, ...]

    def share(self, word: str) -> Interval:
        """The share of games with this difficulty."""
        return share_of(self.counts[word], len(self.games))

    @property
    def counts(self) -> Counter[str]:
        """The number of games of each difficulty."""
        return Counter(game.word for game in self.games if game is not None)

    @property
    def score(self) -> Interval | None:
        """The mean score of the games that need no guess; None if there are none."""
        solved = [game for game in self.games if game is not None and game.word != NEEDS_A_GUESS]
        return mean_of(np.array([game.score for game in solved])) if solved else None


def measure_difficulties(
    levels: Sequence[str], games: int, seed: int, first_click: FirstClick
) -> Iterator[list[LevelDifficulties]]:
    """The levels so far, after each batch of games."""
    lines = [LevelDifficulties(level, ()) for level in levels]
    return _in_batches(lines, partial(_with_difficulties, first_click), range(seed, seed + games), 10)


def _with_difficulties(first_click: FirstClick, line: LevelDifficulties, seeds: range) -> LevelDifficulties:
    """Add the games with these seeds, after a first click in the middle."""
    size = read_level(line.level)
    middle, games = size.middle, list(line.games)
    for seed in seeds:
        game = new_game(GameId(size, seed, first_click)).reveal(middle)
        # Steps are deductions and questions to a solver; a limit in seconds would depend on the machine.
        difficulty = game_difficulty(game, Run(Limits(steps=1_000_000)))
        games.append(None if isinstance(difficulty, GaveUp) else difficulty)
    return replace(line, games=tuple(games))


def game_difficulty(game: Game, run: Run | None = None) -> Difficulty | GaveUp:
    """The difficulty of the rest of a game for a player who always makes the easiest deduction.

    Gems are opened before the next deduction, because their clues may make it easier.
    """
    run = run or Run(Limits())
    steps, traps = list[ExplanationStep](), list[Cell]()
    while game.status is Status.PLAYING:
        codes = game.view.grid.cells.copy()
        for trap in traps:
            codes[trap] = TRAP
        search = DeductionSearch(read_puzzle(Grid(codes), game.level.total), run)
        gems: tuple[Cell, ...] = ()
        for step in search.steps():
            steps.append(step)
            traps += step.traps
            gems = step.gems
            if gems:
                break
        if search.gave_up is not None:
            return search.gave_up
        if not gems:
            return rate(steps, word=NEEDS_A_GUESS)
        for cell in gems:
            game = game.reveal(cell)
    return rate(steps)


def difficulties_record(level: LevelDifficulties) -> dict[str, Any]:
    """The difficulties of the games of a level; `score` is null if every game needs a guess."""
    shares: dict[str, Any] = {}
    for word in DIFFICULTY_WORDS:
        shares |= interval_fields(word, level.share(word), 6)
    gave_up = sum(game is None for game in level.games)
    score = None if level.score is None else round(level.score.value, 6)
    return {"level": level.level, "games": len(level.games), **shares, "score": score, "gave_up": gave_up}
