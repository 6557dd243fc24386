"""The runs of a comparison: which there are, which are missing, and how each is made and measured."""

from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any

from gemhunter.bench.values import (
    BOARD_FILE,
    BenchBoard,
    BenchLimits,
    Measurement,
    RunTask,
    Suite,
    Verdict,
    has_map,
)
from gemhunter.errors import InputError
from gemhunter.solving.run import never
from gemhunter.work.child import Exit
from gemhunter.work.cluster import dask_cluster
from gemhunter.work.timed_child import CANCELLED, Stopped, TimedTask, run_timed_child
from gemhunter.work.workers import TRIES, WorkerDied, Workers, core_workers, results_of

RUN_MODULE = "gemhunter.bench.child"
MOST_BENCH_RUNS = 1_000_000
"""The most runs of one comparison: all of them are listed before the first is made."""


@dataclass(frozen=True, slots=True)
class RunSetting:
    """How all runs of a comparison are made: their limits, and the seed of the first run of each engine.

    `keeps_maps` asks for the solutions of first runs on boards that are not too large for a page.
    """

    limits: BenchLimits
    seed: int = 0
    keeps_maps: bool = False


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """Every engine on every board of a suite, `runs` times each unless `runs_of` says otherwise."""

    suite: Suite
    engines: tuple[str, ...]
    setting: RunSetting
    runs: int = 3
    runs_of: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        asked = len(self.suite.boards) * sum(map(self.runs_by, self.engines))
        if asked > MOST_BENCH_RUNS:
            raise InputError(f"{asked:,} runs; expected at most {MOST_BENCH_RUNS:,}")

    def runs_by(self, engine: str) -> int:
        """How often an engine is asked about each board."""
        return self.runs_of.get(engine, self.runs)

    def tasks(self) -> Iterator[RunTask]:
        """All runs. The first run of all engines on all boards comes before the second of any.

        If the machine becomes slower or faster meanwhile, that affects all engines alike.
        """
        most = max(map(self.runs_by, self.engines), default=0)
        for run in range(1, most + 1):
            for board in self.suite.boards:
                for engine in self.engines:
                    if run <= self.runs_by(engine):
                        yield RunTask(board.name, engine, run)

    def missing(self, done: Collection[RunTask]) -> list[RunTask]:
        """The runs that have not been made, in order."""
        made = set(done)
        return [task for task in self.tasks() if task not in made]


def run_workers(dask: str | None, number: int) -> AbstractContextManager[Workers]:
    """The workers of the Dask cluster at an address, or without one of this machine, each on a core.

    Each makes its runs in processes of their own.
    """
    return dask_cluster(dask, number) if dask else core_workers(number)


def run_tasks(
    comparison: EngineComparison,
    tasks: Sequence[RunTask],
    workers: Workers,
    *,
    is_cancelled: Callable[[], bool] = never,
) -> Iterator[Measurement]:
    """Let the workers make these runs; results come as they are ready, until `is_cancelled` says so."""
    boards = {board.name: board for board in comparison.suite.boards}
    waiting = iter(tasks)
    results: Iterator[tuple[RunTask, Measurement | WorkerDied | None]] = results_of(
        lambda: next(waiting, None),
        lambda task: workers.submit(measure, task, boards[task.board], comparison.setting),
        workers,
        is_cancelled=is_cancelled,
    )
    for task, found in results:
        if isinstance(found, WorkerDied):
            yield _without_answer(task, Verdict.CRASHED, f"its worker died: {found.reason}")
        elif found is not None:
            yield found


def measure(
    task: RunTask,
    board: BenchBoard,
    setting: RunSetting,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = never,
) -> Measurement | None:
    """What becomes of one run in a fresh process; None if it was cancelled.

    A run whose process dies is made again, up to `TRIES` times in all, before it counts as crashed: a process
    that is killed says nothing about its engine.
    """
    limits = setting.limits
    asked = {
        "engine": task.engine,
        "traps": board.total,
        "seed": setting.seed + task.run - 1,
        "seconds": limits.seconds,
        "memory": limits.memory,
        "core": core,
        "map": setting.keeps_maps and task.run == 1 and has_map(board.grid),
    }
    timed = TimedTask(task.engine, RUN_MODULE, asked, limits.seconds, {BOARD_FILE: f"{board.grid}\n"})
    failure = ""
    for _ in range(TRIES):
        match run_timed_child(timed, is_cancelled):
            case Stopped(reason):
                cancelled = reason == CANCELLED
                return None if cancelled else _without_answer(task, Verdict.GAVE_UP, reason)
            case Exit() as ended:
                if limits.memory is not None and ended.ran_out_of_memory:
                    return _without_answer(task, Verdict.GAVE_UP, "memory")
                failure = ended.failure
            case record:
                return _read_result(task, record)
    return _without_answer(task, Verdict.CRASHED, failure)


def _read_result(task: RunTask, record: dict[str, Any]) -> Measurement:
    seconds, counters, memory = record["seconds"], record["counters"], record.get("memory")
    if not (isinstance(seconds, dict) and isinstance(counters, dict)):
        raise TypeError("a run wrote down something other than its result")
    return Measurement(
        task,
        Verdict(str(record["verdict"])),
        str(record["reason"]),
        seconds,
        counters,
        memory if isinstance(memory, int) else None,
        str(record.get("map", "")),
    )


def _without_answer(task: RunTask, verdict: Verdict, reason: str) -> Measurement:
    return Measurement(task, verdict, reason, {}, {})
