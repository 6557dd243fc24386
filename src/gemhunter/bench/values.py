"""What a comparison is made of: boards, engines, runs, and what each run came to."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.solution import Solution
from gemhunter.solving.outcomes import GaveUp, Report, StopReason
from gemhunter.work.workers import Workers

BOARD_FILE = "board.txt"
"""The board of a run, in the folder of the process that makes it."""

RUN_STAGES = ("read", "encode", "solve", "check")
"""What the time of a run is spent on, each measured apart."""

SHORT_WORDS = {
    StopReason.TIME: "time limit",
    StopReason.STEPS: "step limit",
    StopReason.ATTEMPTS: "attempt limit",
    StopReason.DEPTH: "depth limit",
    StopReason.MEMORY: "memory",
    StopReason.STUCK: "stuck",
}
"""Limits for a table; others are named in full."""

LARGEST_MAP = 10_000
"""Cells of the largest board whose result map is kept; a page could not show more."""


class Verdict(StrEnum):
    """What a run came to. `WRONG` is an answer that the independent check refused."""

    SOLVED = "solved"
    REFUTED = "refuted"
    GAVE_UP = "gave-up"
    CRASHED = "crashed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class BenchBoard:
    """A board to ask engines about, by a name that is its own within the comparison.

    `total` is how many traps the whole board has, where that is part of the question. `note` says where the
    board is from.
    """

    name: str
    grid: Grid
    total: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Boards that belong together, and how the comparison on them is run unless the user says otherwise."""

    name: str
    title: str
    boards: tuple[BenchBoard, ...]
    engines: tuple[str, ...] = ()
    runs: int = 3
    runs_of: Mapping[str, int] = field(default_factory=dict)
    """Engines that run more or fewer times than the others."""
    seconds: float = 10.0
    """The time limit of each run."""


@dataclass(frozen=True, slots=True)
class BenchLimits:
    """What each run may use. `memory` is in bytes."""

    seconds: float = 10.0
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class WorkersUsed:
    """How many runs were made side by side, on this machine or on a Dask cluster."""

    number: int
    on_dask: bool = False

    @classmethod
    def of(cls, workers: Workers) -> "WorkersUsed":
        """What a ledger keeps of these workers."""
        return cls(workers.at_once, workers.on_dask)

    @property
    def words(self) -> str:
        """As in `2 workers`, or `1 worker of a Dask cluster`."""
        where = " of a Dask cluster" if self.on_dask else ""
        return f"{counted(self.number, 'worker')}{where}"


@dataclass(frozen=True, slots=True)
class RunTask:
    """One run: an engine on a board, for the time number `run`, counted from 1."""

    board: str
    engine: str
    run: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """What became of a run.

    `reason` says in a few words why there is no answer, such as `time limit` or `attempt limit`; it is
    empty for a solution or a refutation. `seconds` has the stages that were reached; a run that was ended
    from outside has none. `memory` is the most that its process held, in bytes, where the system says so.
    `map` is the solution, `T` or `G` for each hidden cell; empty if there is none or it was not asked for.
    `cpu_seconds` is the processor time of the engine, which no ledger keeps.
    """

    task: RunTask
    verdict: Verdict
    reason: str
    seconds: Mapping[str, float]
    counters: Mapping[str, int]
    memory: int | None = None
    map: str = ""
    cpu_seconds: float | None = None

    @property
    def total(self) -> float | None:
        """Seconds of the engine: encoding, solving and checking; None if it has no answer to time."""
        return self.elapsed if self.verdict in (Verdict.SOLVED, Verdict.REFUTED) else None

    @property
    def elapsed(self) -> float | None:
        """Seconds of the engine with or without an answer; None if it was ended from outside."""
        if not self.seconds:
            return None
        return sum(taken for stage, taken in self.seconds.items() if stage not in ("read", "start"))


def short_reason(report: Report) -> str:
    """Why there is no answer, such as `time limit` or `attempt limit`; empty if there is one."""
    if not isinstance(report.outcome, GaveUp):
        return ""
    limit = report.outcome.stop_reason
    return SHORT_WORDS.get(limit, limit.value)


def limit_of(reason: str) -> StopReason | None:
    """The limit that the words of `short_reason` stand for; None for words of an engine's own."""
    named = {words: limit for limit, words in SHORT_WORDS.items()} | {
        limit.value: limit for limit in StopReason
    }
    return named.get(reason)


def has_map(grid: Grid) -> bool:
    """Whether a board is small enough for its result map to be kept."""
    return grid.cells.size <= LARGEST_MAP


def map_letters(solution: Solution, grid: Grid) -> str:
    """`T` or `G` for each hidden cell."""
    filled = solution.fill(grid).cells[grid.cells == HIDDEN]
    return "".join("T" if code == TRAP else "G" for code in filled)
