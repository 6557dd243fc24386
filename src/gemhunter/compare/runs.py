"""The runs of a comparison: which there are, which are missing, and how each is made and measured.

One process makes all runs of an engine, on all boards, and is replaced only after a crash or a limit.
"""

import threading
from collections import defaultdict
from collections.abc import Callable, Collection, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

from gemhunter.compare.suites import (
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
from gemhunter.jit.choice import CompileCost, Mode, current_mode, is_installed, is_mostly_cached, may_compile
from gemhunter.questions.warmup import has_kernels
from gemhunter.solving.run import never
from gemhunter.work.child import Exit
from gemhunter.work.timed_child import CANCELLED, STARTING_SECONDS, Stopped, TimedChild, ignore_line
from gemhunter.work.workers import TRIES, WorkerDied, Workers, core_workers, dask_cluster, results_of

RUN_MODULE = "gemhunter.compare.run_process"
MOST_BENCH_RUNS = 1_000_000
"""The most runs of one comparison: all of them are listed before the first is made."""


@dataclass(frozen=True, slots=True)
class RunSetting:
    """How all runs of a comparison are made: their limits, and the seed of the first run of each engine.

    `keeps_maps` asks for the solutions of first runs on boards that are not too large for a page. `compiled`
    says whether all engines written here run compiled, or all of them as plain Python.
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


class EngineProcesses:
    """Processes that make runs, each of one engine; between two runs they are idle."""

    def __init__(self) -> None:
        self._idle: defaultdict[str, list[TimedChild]] = defaultdict(list)
        self._lock = threading.Lock()

    @contextmanager
    def lent(self, engine: str, *, once: bool = False) -> Iterator[TimedChild]:
        """A process for a run of an engine; `once` asks for a new one, which ends after the run."""
        with self._lock:
            child = None if once or not self._idle[engine] else self._idle[engine].pop()
        if child is not None and not child.is_alive:
            child.end()
            child = None
        child = child or TimedChild(engine, RUN_MODULE)
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
        """End all that are idle."""
        with self._lock:
            children = [child for idle in self._idle.values() for child in idle]
            self._idle.clear()
        for child in children:
            child.end()


_PROCESSES = EngineProcesses()
"""Those of this process, which may be the worker of a cluster; there they end when they are idle for long."""


@contextmanager
def engine_processes() -> Iterator[None]:
    """On leaving, the processes that have made runs are ended; runs under way have to be over."""
    try:
        yield
    finally:
        _PROCESSES.end()


@contextmanager
def run_workers(dask: str | None, number: int) -> Iterator[Workers]:
    """The workers of the Dask cluster at an address, or without one of this machine, each on a core."""
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
    """Let the workers make these runs; results come as they are ready, until `is_cancelled` says so.

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
    for task, found in results:
        if isinstance(found, WorkerDied):
            yield _without_answer(task, Verdict.CRASHED, f"its worker died: {found.reason}")
        elif found is not None:
            yield found


@dataclass(frozen=True, slots=True)
class ModeChoice:
    """Whether a comparison runs compiled or as plain Python, why, and the runs that were made to find out."""

    compiled: bool
    why: str = ""
    found: tuple[Measurement, ...] = ()


def choose_mode(comparison: EngineComparison, workers: Workers) -> ModeChoice:
    """Compile if three quarters of it are cached, or if that is faster than to make all runs plain.

    All engines are in one mode, as their times could not be compared otherwise. Every engine makes its first
    run on every board as plain Python, small boards first, until it is clear that compiling is faster. If it
    is not, these runs count.
    """
    engines = () if workers.on_dask else comparison.engines
    if are_compiled(engines):
        return ModeChoice(compiled=True)
    if not may_compile() or not is_installed():
        return ModeChoice(compiled=False)
    cost = compile_cost(engines)
    # A run that is stopped here takes longer than compiling, so it never counts.
    limits = replace(
        comparison.setting.limits, seconds=min(comparison.setting.limits.seconds, 2 * cost.missing)
    )
    plain = replace(comparison, setting=replace(comparison.setting, limits=limits, compiled=False))
    sizes = {board.name: board.grid.cells.size for board in comparison.suite.boards}
    first = sorted((task for task in comparison.tasks() if task.run == 1), key=lambda task: sizes[task.board])
    compiling = f"compiling takes about {cost.missing:.0f} s, once per machine"
    found: list[Measurement] = []
    plain_seconds = 0.0
    for run in run_tasks(plain, first, workers):
        found.append(run)
        if has_kernels(run.task.engine):
            seconds = limits.seconds if run.cpu_seconds is None else run.cpu_seconds
            plain_seconds += seconds * comparison.runs_by(run.task.engine)
        if plain_seconds > cost.missing:
            return ModeChoice(compiled=True, why=f"{compiling}; plain Python would take longer")
    why = f"engines run as plain Python for about {plain_seconds:.0f} s; {compiling}"
    return ModeChoice(compiled=False, why=why, found=tuple(found))


def are_compiled(engines: Collection[str]) -> bool:
    """Whether engines can run compiled without a wait: three quarters of their kernels are cached."""
    if not may_compile() or not is_installed():
        return False
    return current_mode() is Mode.ALWAYS or is_mostly_cached(compile_cost(engines))


def compile_cost(engines: Collection[str]) -> CompileCost:
    """What it costs to compile these engines, as their processes say after first calls on tiny boards."""

    def ask(engine: str) -> CompileCost:
        with _PROCESSES.lent(engine) as child:
            answer = child.ask({"engine": engine}, STARTING_SECONDS, never)
        # An engine that crashes now will do so in its runs as well.
        return CompileCost(**answer) if isinstance(answer, dict) else CompileCost(0.0, 0.0)

    with ThreadPoolExecutor() as pool:
        costs = [*pool.map(ask, filter(has_kernels, engines))]
    return CompileCost(sum(each.missing for each in costs), sum(each.everything for each in costs))


def measure(
    task: RunTask,
    board: BenchBoard,
    setting: RunSetting,
    *,
    core: int | None = None,
    is_cancelled: Callable[[], bool] = never,
    on_compiling: Callable[[str], None] = ignore_line,
) -> Measurement | None:
    """What becomes of one run in a process of its engine; None if it was cancelled.

    A run under a memory limit has a new process. `on_compiling` gets the lines about compiling before the run
    and during it, the last of which is empty. A run whose process dies is made again, up to `TRIES` times in
    all, before it counts as crashed: a process that is killed says nothing about its engine.
    """
    limits = setting.limits
    asked = {
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
    for _ in range(TRIES):
        with _PROCESSES.lent(task.engine, once=limits.memory is not None) as child:
            file = child.folder / BOARD_FILE
            file.write_text(f"{board.grid}\n", encoding="utf-8", newline="\n")
            answer = child.ask({**asked, "board": str(file)}, limits.seconds, is_cancelled, on_compiling)
        match answer:
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
        record.get("cpu_seconds"),
    )


def _without_answer(task: RunTask, verdict: Verdict, reason: str) -> Measurement:
    return Measurement(task, verdict, reason, {}, {})
