"""Who is compared with whom, and on which boards: other people's libraries, and our engines and questions."""

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from typing import TypeAlias

import numpy as np

from gemhunter.bench.peers.programs import (
    MS_TOOLLIB_HIDDEN,
    MULTI_PUZZLE_MARKS,
    Marks,
    certain_with_multi_puzzle_solver,
    count_with_pyganak,
    probabilities_with_ms_toollib,
    solve_with_cp_sat,
    solve_with_pysat,
)
from gemhunter.bench.suites import load_boards
from gemhunter.bench.values import BenchBoard
from gemhunter.core.grid import HIDDEN, Cell, Grid
from gemhunter.core.trap_maps import random_grid
from gemhunter.play.agents.registry import new_player
from gemhunter.play.game import new_game
from gemhunter.play.turns import play_game
from gemhunter.queries.count import count
from gemhunter.queries.forced import forced
from gemhunter.queries.probability import probabilities
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import Report, Solved
from gemhunter.solving.registry import get_engine

PEER_SUITES = ("s1", "s2", "s3")

PEER_RANDOM_SIDES = (40, 100)

PEER_GAMES = ("expert#4:opening", "expert#12:opening", "expert#21:opening")

FIRST_CELL = Cell(8, 15)
"""Where games begin."""


class PeerQuestion(StrEnum):
    """What both sides of a comparison are asked."""

    SOLUTION = "solution"
    COUNT = "count"
    PROBABILITIES = "probabilities"
    CERTAIN = "certain cells"


Prepare: TypeAlias = Callable[[Grid, int | None, float], Callable[[], object]]
"""Takes a grid, its total and a time limit; returns what is timed.

What that returns is an answer. A peer's answer is a filled board, a count, a probability per cell, or certain
gems and traps; None says that there is no solution. Ours are what our own functions return.
"""


@dataclass(frozen=True, slots=True)
class Contestant:
    """One side of a comparison: a name, the question it answers, and how it is asked.

    `package` is what it imports, and `distribution` what that is called where it is installed from; both are
    empty for what needs nothing beyond this package.
    """

    name: str
    question: PeerQuestion
    prepare: Prepare
    package: str = ""
    distribution: str = ""

    @property
    def is_installed(self) -> bool:
        """Whether it can be asked here."""
        return not self.package or find_spec(self.package) is not None

    @property
    def version(self) -> str:
        """The version of its package; empty if that is unknown."""
        try:
            return version(self.distribution) if self.distribution else ""
        except PackageNotFoundError:
            return ""

    def can_answer(self, grid: Grid, total: int | None) -> bool:
        """Whether a board is of the kind that it is asked about.

        Probabilities are those of a Minesweeper position: at least one trap, and nothing shown but clues.
        """
        if self.question is not PeerQuestion.PROBABILITIES:
            return True
        return total is not None and total >= 1 and bool(np.all(grid.cells >= HIDDEN))


def _plain(program: Callable[[Marks, int | None], object]) -> Prepare:
    """A program that takes rows of marks."""

    def prepare(grid: Grid, total: int | None, _seconds: float) -> Callable[[], object]:
        return partial(program, [line.split(", ") for line in str(grid).splitlines()], total)

    return prepare


def _ms_toollib(grid: Grid, total: int | None, _seconds: float) -> Callable[[], object]:
    rows = np.where(grid.cells == HIDDEN, MS_TOOLLIB_HIDDEN, grid.cells).tolist()
    return partial(probabilities_with_ms_toollib, rows, total or 0)


def _multi_puzzle_solver(grid: Grid, total: int | None, _seconds: float) -> Callable[[], object]:
    rows = [line.split(", ") for line in str(grid).splitlines()]
    board = np.array([[MULTI_PUZZLE_MARKS.get(mark, mark) for mark in row] for row in rows])
    return partial(certain_with_multi_puzzle_solver, board, total)


def _engine(name: str) -> Prepare:
    """One of our engines."""

    def prepare(grid: Grid, total: int | None, seconds: float) -> Callable[[], object]:
        engine = get_engine(name)
        return lambda: _answer(solve(grid, engine, total=total, time_limit=seconds))

    return prepare


def _answer(report: Report) -> object:
    """The filled board, as peers return it, or else the outcome."""
    return report.filled if isinstance(report.outcome, Solved) else report.outcome


def _count(grid: Grid, total: int | None, seconds: float) -> Callable[[], object]:
    return lambda: count(grid, total=total, time_limit=seconds)


def _probabilities(grid: Grid, total: int | None, seconds: float) -> Callable[[], object]:
    return lambda: probabilities(grid, total=total, time_limit=seconds)


def _forced(grid: Grid, total: int | None, seconds: float) -> Callable[[], object]:
    return lambda: forced(grid, total=total, time_limit=seconds)


GLUCOSE = Contestant(
    "plain PySAT, Glucose 3",
    PeerQuestion.SOLUTION,
    _plain(partial(solve_with_pysat, "glucose3")),
    "pysat",
    "python-sat",
)

CADICAL = Contestant(
    "plain PySAT, CaDiCaL 1.5.3",
    PeerQuestion.SOLUTION,
    _plain(partial(solve_with_pysat, "cadical153")),
    "pysat",
    "python-sat",
)

CP_SAT = Contestant("plain CP-SAT", PeerQuestion.SOLUTION, _plain(solve_with_cp_sat), "ortools", "ortools")

PYGANAK = Contestant("pyganak", PeerQuestion.COUNT, _plain(count_with_pyganak), "pyganak", "pyganak")

MS_TOOLLIB = Contestant("ms_toollib", PeerQuestion.PROBABILITIES, _ms_toollib, "ms_toollib", "ms_toollib")

MULTI_PUZZLE_SOLVER = Contestant(
    "multi-puzzle-solver", PeerQuestion.CERTAIN, _multi_puzzle_solver, "puzzle_solver", "multi-puzzle-solver"
)

OWN_AUTO, OWN_PYSAT, OWN_PYSAT_GLUCOSE = (
    Contestant(name, PeerQuestion.SOLUTION, _engine(name)) for name in ("auto", "pysat", "pysat:glucose3")
)

OWN_CP_SAT = Contestant("cp-sat", PeerQuestion.SOLUTION, _engine("cp-sat"), "ortools", "ortools")

OWN_COUNT = Contestant("count", PeerQuestion.COUNT, _count)

OWN_PROBABILITIES = Contestant("probabilities", PeerQuestion.PROBABILITIES, _probabilities)

OWN_FORCED = Contestant("forced", PeerQuestion.CERTAIN, _forced)

PEERS_BY_KEY = {
    "glucose3": GLUCOSE,
    "cadical153": CADICAL,
    "cp-sat": CP_SAT,
    "pyganak": PYGANAK,
    "ms_toollib": MS_TOOLLIB,
    "multi-puzzle-solver": MULTI_PUZZLE_SOLVER,
}
"""Peers by the names that commands take."""

PEERS = tuple(PEERS_BY_KEY.values())

PEER_PAIRS = (
    (GLUCOSE, OWN_PYSAT_GLUCOSE),
    (GLUCOSE, OWN_AUTO),
    (CADICAL, OWN_PYSAT),
    (CADICAL, OWN_AUTO),
    (CP_SAT, OWN_CP_SAT),
    (CP_SAT, OWN_AUTO),
    (PYGANAK, OWN_COUNT),
    (MS_TOOLLIB, OWN_PROBABILITIES),
    (MULTI_PUZZLE_SOLVER, OWN_FORCED),
)
"""A peer, and what of ours it is compared with."""

CONTESTANTS = {each.name: each for pair in PEER_PAIRS for each in pair}

Pair: TypeAlias = tuple[Contestant, Contestant]


def chosen_pairs(questions: Collection[PeerQuestion] = (), peers: Collection[str] = ()) -> list[Pair]:
    """The pairs that are asked one of these questions and whose peer has one of these keys; empty for all."""
    wanted = [PEERS_BY_KEY[key] for key in peers] or PEERS
    return [
        pair for pair in PEER_PAIRS if pair[0] in wanted and (not questions or pair[0].question in questions)
    ]


def installed_pairs(pairs: Sequence[Pair]) -> list[Pair]:
    """Those of which both sides can be asked here."""
    return [pair for pair in pairs if all(each.is_installed for each in pair)]


def missing_packages(pairs: Sequence[Pair]) -> list[str]:
    """Names of the packages that are not installed, in the order of the pairs."""
    return list(dict.fromkeys(each.distribution for pair in pairs for each in pair if not each.is_installed))


def peer_versions() -> dict[str, str]:
    """The versions of the packages that peers are made of, as far as they are installed."""
    return {each.distribution: each.version for each in CONTESTANTS.values() if each.version}


def default_boards() -> list[BenchBoard]:
    """The boards of S1 to S3, each once, random ones, and positions of Expert games with their total."""
    found = [
        *load_boards(PEER_SUITES).boards,
        *map(_random_board, PEER_RANDOM_SIDES),
        *map(stuck_position, PEER_GAMES),
    ]
    different = {(str(board.grid), board.total): board for board in reversed(found)}
    return [board for board in found if different[str(board.grid), board.total] is board]


def stuck_position(game_id: str) -> BenchBoard:
    """The position of a game in which the agent `logic` is stuck: nothing but probabilities helps on."""
    game = new_game(game_id).reveal(FIRST_CELL)
    for turn in play_game(game, new_player("logic")):
        game = turn.game
    return BenchBoard(game_id, game.view.grid, game.view.total, "where the agent logic is stuck")


def _random_board(side: int) -> BenchBoard:
    grid = random_grid(side, side, density=0.2, shown=0.5, seed=0)
    return BenchBoard(f"random-{side}x{side}", grid, note="20 % traps, 50 % shown, seed 0")
