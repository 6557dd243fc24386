"""PAR2: a family of boards as one number, where a board not decided counts as twice the limit.

Seconds are those of the processor, limits too, so that a busy machine changes them little.
"""

import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from statistics import geometric_mean
from typing import Protocol
from unittest.mock import patch

from pebble import ProcessExpired

from gemhunter.bench.suites import BenchBoard
from gemhunter.cnf import encodings
from gemhunter.engines import pysat as pysat_engines
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import Mode, compiling, working_cpu_clock
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run
from gemhunter.work.workers import worker_pool

PATIENCE = 2.0
"""Some solvers look at the clock late, or never; after this many times the limit their process is ended."""

TINY = parse_grid("_, 1, _")


@dataclass(frozen=True, slots=True)
class Answer:
    """What an engine said about a board, None if it did not decide it, and how long each stage took."""

    verdict: str | None
    seconds: dict[str, float]


@dataclass(frozen=True, slots=True)
class Score:
    """How many boards of a family were decided, and the seconds it took, twice the limit for all others."""

    decided: int
    boards: int
    seconds: float

    def __str__(self) -> str:
        return f"{self.decided}/{self.boards} {self.seconds:7.3f}"


class Ask(Protocol):
    """Asks an engine about a board, in a process that is ended if it takes too long."""

    def __call__(self, engine: str, board: BenchBoard, limit: float, total_encoding: str = "") -> Answer:
        """The answer; an engine that crashes, or cannot be stopped, has decided nothing.

        `total_encoding` replaces the encoding that counts the traps of the whole board.
        """
        ...


@contextmanager
def asking() -> Iterator[Ask]:
    """A function that asks engines in a worker process, one after the other."""
    with worker_pool(1) as pool:

        def ask(engine: str, board: BenchBoard, limit: float, total_encoding: str = "") -> Answer:
            question = (engine, board, limit, total_encoding)
            # The process may have been started for this question, which takes a second or so.
            future = pool.schedule(answer_of, args=question, timeout=PATIENCE * limit + 5)
            try:
                found: Answer = future.result()
            except (TimeoutError, ProcessExpired):
                return Answer(None, {})
            return found

        yield ask


def answer_of(engine: str, board: BenchBoard, limit: float, total_encoding: str) -> Answer:
    """In the worker: the answer of an engine, after a first call on a tiny board, which does not count."""
    # This is a process of its own already: large formulas need no further one.
    with (
        compiling(Mode.ALWAYS),
        patch.object(pysat_engines, "CONSTRAINTS_HERE", sys.maxsize),
        patch.object(encodings, "FOR_THE_TOTAL", total_encoding or encodings.FOR_THE_TOTAL),
    ):
        solve(TINY, engine, total=1)
        run = Run(Limits(seconds=limit), clock=working_cpu_clock)
        report = solve(board.grid, engine, total=board.total, run=run)
    verdict = None if isinstance(report.outcome, GaveUp) else type(report.outcome).__name__
    return Answer(verdict, dict(report.seconds))


def score(
    ask: Ask,
    engine: str,
    boards: Sequence[BenchBoard],
    verdicts: dict[BenchBoard, str],
    *,
    limit: float,
    stages: Sequence[str] = ("encode", "solve"),
    total_encoding: str = "",
) -> Score:
    """The score of an engine, counting the seconds of some stages.

    `verdicts` collects what was said about each board; raises if an answer contradicts an earlier one.
    """
    decided, seconds = 0, 0.0
    for board in boards:
        answer = ask(engine, board, limit, total_encoding)
        if answer.verdict is None:
            seconds += 2 * limit
            continue
        if verdicts.setdefault(board, answer.verdict) != answer.verdict:
            raise AssertionError(f"{board.name}: {engine} says {answer.verdict}, others {verdicts[board]}")
        decided += 1
        seconds += sum(answer.seconds[stage] for stage in stages)
    return Score(decided, len(boards), seconds)


def ratios_to_best(families: Sequence[Sequence[Score]]) -> list[float]:
    """The geometric mean of each competitor's ratios to the best; one row per family, one column per name."""
    best = [min(score.seconds for score in family) for family in families]
    return [
        geometric_mean(score.seconds / least for score, least in zip(column, best, strict=True))
        for column in zip(*families, strict=True)
    ]
