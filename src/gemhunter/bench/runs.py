"""The runs of a comparison: which there are, how each is made and measured, and its result.

One process makes all runs of a built-in engine, on all boards, and is replaced only after a crash or a limit;
any other engine gets a new process for each run. The code of these processes is in `run_child.py`. A new
number is measured there, gets a field in `Measurement`, which ledgers keep as it is, is averaged in
`summary.py`, and is shown in `tables.py`.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from enum import StrEnum
from functools import partial
from typing import NamedTuple

from msgspec import Struct
from msgspec import field as struct_field

from gemhunter.bench.suites import BenchBoard, Suite
from gemhunter.board.grid import HIDDEN, TRAP, Grid
from gemhunter.board.puzzle import Solution
from gemhunter.errors import InputError
from gemhunter.jit.choice import CompileCost, Mode, current_mode, is_installed, is_mostly_cached, may_compile
from gemhunter.questions.warmup import has_kernels
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.registry import is_built_in
from gemhunter.solving.run import never
from gemhunter.wording import counted
from gemhunter.work.child_process import Exit
from gemhunter.work.ledger import Positive, Seconds, Text, Whole
from gemhunter.work.pieces import WorkerDied, results_of
from gemhunter.work.timed_child import CANCELLED, STARTING_SECONDS, Stopped, TimedChild, ignore_line
from gemhunter.work.workers import TRIES, Workers, core_workers, dask_cluster

RUN_STAGES = ("read", "encode", "solve", "check")
"""The stages of a run, which are timed separately."""

SHORT_WORDS = {
    StopReason.TIME: "time limit",
    StopReason.STEPS: "step limit",
    StopReason.ATTEMPTS: "attempt limit",
    StopReason.DEPTH: "depth limit",
    StopReason.MEMORY: "memory",
    StopReason.STUCK: "stuck",
}
"""Why an engine gave up, in words for a table; other reasons are written in full."""


class Verdict(StrEnum):
    """The result of a run. `WRONG` is an answer that the independent check rejected."""

    SOLVED = "solved"
    REFUTED = "refuted"
    GAVE_UP = "gave-up"
    CRASHED = "crashed"
    WRONG = "wrong"


class RunTask(NamedTuple):
    """One run of an engine on a board; runs are numbered from 1."""

    board: str
    engine: str
    run: int


class Measurement(Struct, frozen=True, omit_defaults=True):
    """The result of a run.

    `reason` says in a few words why there is no answer, such as `time limit` or `attempt limit`; it is
    empty for a solution or a refutation. `seconds` has the stages that were reached; a run that was stopped
    from outside has none. `memory` is the peak memory of its process in bytes, if the system reports it.
    Ledgers keep neither `map`, the solution if requested (`T` or `G` for each hidden cell), nor
    `cpu_seconds`, the processor time of the engine.
    """

    board: Text
    engine: Text
    run: Positive
    verdict: Verdict
    reason: Text
    seconds: Mapping[str, Seconds]
    counters: Mapping[str, Whole]
    memory: Whole | None
    map: Text = ""
    cpu_seconds: Seconds | None = None

    @property
    def task(self) -> RunTask:
        """The run that was measured."""
        return RunTask(self.board, self.engine, self.run)

    @property
    def total(self) -> float | None:
        """Seconds of the engine: encoding, solving and checking; None if there is no answer."""
        return self.elapsed if self.verdict in (Verdict.SOLVED, Verdict.REFUTED) else None

    @property
    def elapsed(self) -> float | None:
        """Seconds of the engine with or without an answer; None if it was stopped from outside.

        `start` does not count: it is a program's time for another board, and `solve` includes starting it.
        """
        if not self.seconds:
            return None
        return sum(taken for stage, taken in self.seconds.items() if stage not in ("read", "start"))


@dataclass(frozen=True, slots=True)
class BenchLimits:
    """The limits of each run; `memory` is in bytes."""

    seconds: float = 10.0
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class RunSetting:
    """How all runs of a comparison are made: their limits, and the seed of the first run of each engine.

    With `keeps_maps`, first runs report their solutions on boards that are not too large for a page.
    `compiled` says whether all engines of Gem Hunter run compiled, or all of them as plain Python.
    """

    limits: BenchLimits
    seed: int = 0
    keeps_maps: bool = False
    compiled: bool = True


@dataclass(frozen=True, slots=True)
class EngineComparison:
    """Every engine on every board of a suite, `runs` times each unless `runs_of` says otherwise."""

    suite: Suite
    engines: tuple[str, ...]
    setting: RunSetting
    runs: int = 3
    runs_of: dict[str, int] = field(default_factory=dict)

    def __post_init__(self) -> None:
        # All runs are listed before the first is made.
        number, limit = len(self.suite.boards) * sum(map(self.runs_by, self.engines)), 1_000_000
        if number > limit:
            raise InputError(f"{number:,} runs; expected at most {limit:,}")

    def runs_by(self, engine: str) -> int:
        """The number of runs of an engine on each board."""
        return self.runs_of.get(engine, self.runs)

    def tasks(self) -> Iterator[RunTask]:
        """All runs. The first run of every engine on every board comes before any second run.

        If the machine becomes slower or faster in the meantime, that affects all engines alike.
        """
        for run in range(1, max(map(self.runs_by, self.engines), default=0) + 1):
            for board in self.suite.boards:
                for engine in self.engines:
                    if run <= self.runs_by(engine):
                        yield RunTask(board.name, engine, run)

    def missing(self, measurements: Collection[Measurement]) -> list[RunTask]:
        """The runs that have not been measured, in order."""
        measured = {measurement.task for measurement in measurements}
        return [task for task in self.tasks() if task not in measured]


class WorkersUsed(Struct, frozen=True):
    """The number of simultaneous runs, on this machine or on a Dask cluster; a line of a ledger."""

    number: Positive = struct_field(name="workers")
    on_dask: bool = struct_field(name="dask", default=False)

    @classmethod
    def of(cls, workers: Workers) -> "WorkersUsed":
        """What a ledger keeps about these workers."""
        return cls(workers.at_once, workers.on_dask)

    @property
    def words(self) -> str:
        """A text such as `2 workers` or `1 worker of a Dask cluster`."""
        where = " of a Dask cluster" if self.on_dask else ""
        return f"{counted(self.number, 'worker')}{where}"


def has_map(grid: Grid) -> bool:
    """Whether the result map of a board is kept, because a page can show this many cells."""
    return grid.cells.size <= 10_000


def map_letters(solution: Solution, grid: Grid) -> str:
    """`T` or `G` for each hidden cell."""
    filled = solution.fill(grid).cells[grid.cells == HIDDEN]
    return "".join("T" if code == TRAP else "G" for code in filled)


# Runs are made by workers: threads of this machine that wait for processes, or the workers of a cluster.


@contextmanager
def run_workers(dask: str | None, number: int) -> Iterator[Workers]:
    """The workers of the Dask cluster at an address or, without one, of this machine, each on its core."""
    with engine_processes(), dask_cluster(dask, number) if dask else core_workers(number) as workers:
        yield workers


def run_tasks(
    comparison: EngineComparison,
    tasks: Sequence[RunTask],
    workers: Workers,
    *,
    is_cancelled: Callable[[], bool] = never,
    on_compiling: Callable[[str], None] = ignore_line,
) -> Iterator[Measurement]:
    """Let the workers make these runs, and yield results as they are ready, until `is_cancelled`.

    `on_compiling` gets lines about compiling on this machine, from threads of the workers.
    """
    boards = {board.name: board for board in comparison.suite.boards}
    waiting = iter(tasks)
    make = measure if workers.on_dask else partial(measure, on_compiling=on_compiling)
    results: Iterator[tuple[RunTask, Measurement | WorkerDied | None]] = results_of(
        lambda: next(waiting, None),
        lambda task: workers.submit(make, task, boards[task.board], comparison.setting),
        workers,
        is_cancelled=is_cancelled,
    )
    for task, result in results:
        if isinstance(result, WorkerDied):
            yield _without_answer(task, Verdict.CRASHED, f"its worker died: {result.reason}")
        elif result is not None:
            yield result


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """Whether a comparison runs compiled or as plain Python, why, and the runs that were made to decide."""

    compiled: bool
    why: str = ""
    found: tuple[Measurement, ...] = ()


def choose_mode(comparison: EngineComparison, workers: Workers) -> ModeChoice:
    """Compile if most kernels are cached already, or if compiling is faster than running as plain Python.

    All engines run in one mode, because their times could not be compared otherwise. Every engine makes its
    first run on every board as plain Python, small boards first, until it is clear that compiling is faster.
    If it is not, these runs count.
    """
    engines = () if workers.on_dask else comparison.engines
    if are_compiled(engines):
        return ModeChoice(compiled=True)
    if not may_compile() or not is_installed():
        return ModeChoice(compiled=False)
    cost = compile_cost(engines)
    # A run that is stopped here takes longer than compiling, so it never counts.
    setting = comparison.setting
    limits = replace(setting.limits, seconds=min(setting.limits.seconds, 2 * cost.missing))
    plain = replace(comparison, setting=replace(setting, limits=limits, compiled=False))
    sizes = {board.name: board.grid.cells.size for board in comparison.suite.boards}
    first = sorted((task for task in comparison.tasks() if task.run == 1), key=lambda task: sizes[task.board])
    compiling = f"compiling takes about {cost.missing:.0f} s, once per machine"
    found: list[Measurement] = []
    plain_seconds = 0.0
    for run in run_tasks(plain, first, workers):
        found.append(run)
        if has_kernels(run.engine):
            seconds = limits.seconds if run.cpu_seconds is None else run.cpu_seconds
            plain_seconds += seconds * comparison.runs_by(run.engine)
        if plain_seconds > cost.missing:
            return ModeChoice(compiled=True, why=f"{compiling}; plain Python would take longer")
    why = f"engines run as plain Python for about {plain_seconds:.0f} s; {compiling}"
    return ModeChoice(compiled=False, why=why, found=tuple(found))


def are_compiled(engines: Collection[str]) -> bool:
    """Whether engines can run compiled without a wait, as three quarters of their kernels are cached."""
    if not may_compile() or not is_installed():
        return False
    return current_mode() is Mode.ALWAYS or is_mostly_cached(compile_cost(engines))


def compile_cost(engines: Collection[str]) -> CompileCost:
    """The cost of compiling these engines, as their processes report after first calls on tiny boards."""

    def ask(engine: str) -> CompileCost:
        with _PROCESSES.lent(engine) as child:
            answer = child.ask({"engine": engine}, STARTING_SECONDS, never)
        # An engine that crashes now will do so in its runs as well.
        return CompileCost(**answer) if isinstance(answer, dict) else CompileCost(0.0, 0.0)

    with ThreadPoolExecutor() as pool:
        costs = [*pool.map(ask, filter(has_kernels, engines))]
    return CompileCost(sum(cost.missing for cost in costs), sum(cost.everything for cost in costs))


# One run, in a process of its engine.


def measure(
    task: RunTask,
    board: BenchBoard,
    setting: RunSetting,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = never,
    on_compiling: Callable[[str], None] = ignore_line,
) -> Measurement | None:
    """Make one run in a process of its engine; None if it was cancelled.

    A run has a new process if it has a memory limit, or if its engine is not built in and could remember
    boards. `on_compiling` gets the lines about compiling before and during the run, the last of which is
    empty. A run whose process dies is repeated, up to `TRIES` runs in all, before it counts as crashed: a
    process that was killed says nothing about its engine.
    """
    limits = setting.limits
    question = {
        "engine": task.engine,
        "name": task.board,
        "traps": board.total,
        "seed": setting.seed + task.run - 1,
        "seconds": limits.seconds,
        "memory": limits.memory,
        "core": core,
        "map": setting.keeps_maps and task.run == 1 and has_map(board.grid),
        "compiled": setting.compiled,
    }
    failure = ""
    is_single = limits.memory is not None or not is_built_in(task.engine)
    for _ in range(TRIES):
        with _PROCESSES.lent(task.engine, once=is_single) as child:
            file = child.folder / "board.txt"
            file.write_text(f"{board.grid}\n", encoding="utf-8", newline="\n")
            answer = child.ask({**question, "board": str(file)}, limits.seconds, is_cancelled, on_compiling)
        match answer:
            case Stopped(reason):
                return None if reason == CANCELLED else _without_answer(task, Verdict.GAVE_UP, reason)
            case Exit() as ended:
                if limits.memory is not None and ended.ran_out_of_memory:
                    return _without_answer(task, Verdict.GAVE_UP, "memory")
                failure = ended.failure
            case record:
                return Measurement(*task, **{**record, "verdict": Verdict(record["verdict"])})
    return _without_answer(task, Verdict.CRASHED, failure)


def _without_answer(task: RunTask, verdict: Verdict, reason: str) -> Measurement:
    return Measurement(*task, verdict, reason, {}, {}, None)


class EngineProcesses:
    """Processes that make runs, each for one engine; they are idle between runs."""

    def __init__(self) -> None:
        self._idle: defaultdict[str, list[TimedChild]] = defaultdict(list)
        self._lock = threading.Lock()

    @contextmanager
    def lent(self, engine: str, *, once: bool = False) -> Iterator[TimedChild]:
        """A process for a run of an engine; with `once`, a new one that ends after the run."""
        with self._lock:
            child = None if once or not self._idle[engine] else self._idle[engine].pop()
        if child is not None and not child.is_alive:
            child.end()
            child = None
        child = child or TimedChild(engine, "gemhunter.bench.run_child")
        is_answered = False
        try:
            yield child
            is_answered = child.is_alive and not once
        finally:
            if is_answered:
                with self._lock:
                    self._idle[engine].append(child)
            else:
                child.end()

    def end(self) -> None:
        """End all idle processes."""
        with self._lock:
            children = [child for idle in self._idle.values() for child in idle]
            self._idle.clear()
        for child in children:
            child.end()


_PROCESSES = EngineProcesses()
"""The engine processes started by this process; in a cluster worker, they end after a long idle time."""


@contextmanager
def engine_processes() -> Iterator[None]:
    """End the processes of engines after the block, when no run is under way."""
    try:
        yield
    finally:
        _PROCESSES.end()
