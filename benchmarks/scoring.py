"""PAR2: a family of boards as one number, where a board not decided counts as twice the limit.

Seconds are those of the processor, limits too, so that a busy machine changes them little.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.connection import Connection
from statistics import geometric_mean
from unittest.mock import patch

import pysat.card
import pysat.solvers  # noqa: F401 -- both once here, so that no answer pays for them

from boards import Board
from gemhunter.compiling.progress import working_cpu_clock
from gemhunter.engines.pysat import engine as pysat_engines
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run

PATIENCE = 2.0
"""Some solvers look at the clock late, or never; after so many times the limit their process is ended."""


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


def score(
    engine: str,
    boards: Sequence[Board],
    verdicts: dict[Board, str],
    *,
    limit: float,
    stages: Sequence[str] = ("encode", "solve"),
) -> Score:
    """The score of an engine that runs in our process, counting the seconds of some stages.

    `verdicts` collects what was said about each board; raises if an answer contradicts an earlier one.
    """
    decided, seconds = 0, 0.0
    for board in boards:
        answer = ask_in_process(engine, board, limit)
        if answer.verdict is None:
            seconds += 2 * limit
            continue
        if verdicts.setdefault(board, answer.verdict) != answer.verdict:
            raise AssertionError(f"{board.name}: {engine} says {answer.verdict}, others {verdicts[board]}")
        decided += 1
        seconds += sum(answer.seconds[stage] for stage in stages)
    return Score(decided, len(boards), seconds)


def ask_in_process(engine: str, board: Board, limit: float) -> Answer:
    """The answer of an engine; one that crashes, or cannot be stopped, has decided nothing."""
    fork = get_context("fork")
    receiver, sender = fork.Pipe(duplex=False)
    process = fork.Process(target=_send_answer, args=(sender, engine, board, limit))
    process.start()
    sender.close()
    try:
        answered = receiver.poll(PATIENCE * limit + 1)
        answer: Answer = receiver.recv() if answered else Answer(None, {})
    except EOFError:
        answer = Answer(None, {})
    finally:
        process.kill()
        process.join()
    return answer


def _send_answer(sender: Connection, engine: str, board: Board, limit: float) -> None:
    run = Run(Limits(seconds=limit), clock=working_cpu_clock)
    # This is a process of its own already: large formulas need no further one.
    with patch.object(pysat_engines, "LARGEST_HERE", sys.maxsize):
        report = solve(board.grid, engine, total=board.traps, run=run)
    verdict = None if isinstance(report.outcome, GaveUp) else type(report.outcome).__name__
    sender.send(Answer(verdict, dict(report.seconds)))


def ratios_to_best(families: Sequence[Sequence[Score]]) -> list[float]:
    """The geometric mean of each competitor's ratios to the best; one row per family, one column per name."""
    best = [min(score.seconds for score in family) for family in families]
    return [
        geometric_mean(score.seconds / least for score, least in zip(column, best, strict=True))
        for column in zip(*families, strict=True)
    ]
