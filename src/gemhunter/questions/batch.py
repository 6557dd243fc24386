"""Boards × engines, or formulas × engines: each engine is asked about each, in this process or in others.

`answers` asks one after the other, `parallel_answers` asks in several processes; both yield the same kinds of
events. Only the second imports what starts processes, so that solving a board loads none of it.
"""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, partial
from pathlib import Path
from typing import Protocol, TypeVar

from gemhunter.board.grid import Grid
from gemhunter.board.position import Position
from gemhunter.cnf.dimacs import read_formula
from gemhunter.cnf.encodings import require_encoding
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, GemHunterError, InputError, WrongAnswerError
from gemhunter.files.folders import BoardFile
from gemhunter.files.text import parse_grid
from gemhunter.jit.choice import (
    IMPORT_SECONDS,
    Mode,
    compiling,
    current_mode,
    is_installed,
    seconds_to_have_used_kernels,
)
from gemhunter.questions.solve import FormulaReport, require_limits, require_proofs, solve, solve_formula
from gemhunter.solving.engine import CnfEngine, Engine
from gemhunter.solving.outcomes import Report
from gemhunter.solving.registry import (
    WRITTEN_HERE,
    clause_engines,
    engine_family,
    get_clause_engine,
    get_engine,
    is_built_in,
    require_installed,
)
from gemhunter.solving.run import Limits, Run, silent

Reader = Callable[[str], tuple[Position, Sequence[str]]]
"""Reads a board file: the position, with the total to use, and warnings of one line each."""

Answer = TypeVar("Answer")


class TaskProgress(Protocol):
    """Receives the progress of a batch, one task after the other."""

    def begin(self, name: str) -> None:
        """The next task starts."""

    def tick(self, seconds: float, steps: int) -> None:
        """The task has used this much so far."""

    def clear(self) -> None:
        """The task has ended, or was interrupted."""


@dataclass(frozen=True, slots=True)
class Question:
    """What to ask each engine: under which limits, with which seed, and whether to write a proof."""

    engines: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    seed: int = 0
    proof: bool = False
    encoding: str | None = None
    """How regions become clauses, for engines that read clauses; None for their own choice."""

    def board_engines(self) -> list[Engine]:
        """The engines to ask about boards; raises `InputError` if one cannot do what is asked."""
        engines = [require_installed(get_engine(name, proof=self.proof)) for name in self.engines]
        if self.encoding is not None:
            require_encoding(self.encoding)
            engines = [_with_encoding(engine, self.encoding) for engine in engines]
        for engine in engines:
            self._require(engine)
        return engines

    def formula_engines(self) -> list[CnfEngine]:
        """The engines to ask about formulas; raises `InputError` if one cannot do what is asked."""
        engines = [get_clause_engine(name) for name in self.engines]
        for engine in engines:
            require_installed(engine)
            self._require(engine)
        return engines

    def _require(self, engine: Engine) -> None:
        require_limits(engine, self.limits)
        if self.proof:
            require_proofs(engine)

    def new_run(self, cancel: Callable[[], bool], tick: Callable[[float, int], None] = silent) -> Run:
        """A run for one engine on one board."""
        return Run(self.limits, seed=self.seed, cancel=cancel, progress=tick, wants_proof=self.proof)


def _with_encoding(engine: Engine, encoding: str) -> Engine:
    if isinstance(engine, CnfEngine):
        return replace(engine, encoding=encoding)
    others = ", ".join(clause_engines())
    raise InputError(f"{engine.info.name} reads no clauses, so it takes no --encoding; these do: {others}")


@dataclass(frozen=True, slots=True)
class Opened:
    """A board that has been read, with warnings about it; the engines are asked next."""

    board: BoardFile
    grid: Grid
    warnings: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A board that could not be read, and why."""

    board: BoardFile
    message: str


@dataclass(frozen=True, slots=True)
class Failure:
    """An engine that could not do its work, and its error message."""

    engine: str
    message: str


class Answered:
    """Which engine gave the answer of a result, about a board or a formula, and how long it took."""

    __slots__ = ()
    answer: Report | FormulaReport | Failure

    @property
    def engine(self) -> str:
        """The engine that answered."""
        return self.answer.engine

    @property
    def seconds(self) -> float | None:
        """The running time without reading the file; None after a failure. `start` is about another board."""
        if isinstance(self.answer, Failure):
            return None
        return sum(taken for stage, taken in self.answer.seconds.items() if stage != "start")


@dataclass(frozen=True, slots=True)
class Result(Answered):
    """What one engine answered about one board, and how long reading the board took."""

    board: BoardFile
    grid: Grid
    read_seconds: float
    answer: Report | Failure


BatchEvent = Opened | Result | Unreadable


def answers(
    boards: Sequence[BoardFile],
    engines: Sequence[Engine],
    question: Question,
    *,
    read: Reader,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[BatchEvent]:
    """Each board, then its results as they arrive; a board that cannot be read does not stop the others.

    Engines make their first calls before, unless there is just one answer, which is compared with no other.
    Ends early when `cancel` says so, without the answer that was cut short.
    """
    if len(boards) * len(engines) > 1:
        for engine in engines:
            make_first_calls(engine)
    for board in boards:
        opened = _open(board, read)
        if isinstance(opened, Unreadable):
            yield opened
            continue
        position, warnings, read_seconds = opened
        yield Opened(board, position.grid, warnings)
        asking = partial(solve, position.grid, total=position.total)
        for answer in _ask_each(engines, board.path, asking, question, progress=progress, cancel=cancel):
            yield Result(board, position.grid, read_seconds, answer)
        if cancel():
            return


def _open(board: BoardFile, read: Reader) -> tuple[Position, Sequence[str], float] | Unreadable:
    """The position in a board file, warnings about it, and the seconds that reading it took."""
    began = time.perf_counter()
    try:
        position, warnings = read(board.path)
    except InputError as error:
        return Unreadable(board, str(error))
    return position, warnings, time.perf_counter() - began


def _ask_each(
    engines: Sequence[Engine],
    name: str,
    asking: Callable[..., Answer],
    question: Question,
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[Answer | Failure]:
    """The answers that `asking` gets from each engine about the board or formula called `name`.

    Ends early when `cancel` says so, without the answer that was cut short.
    """
    for engine in engines:
        progress.begin(f"{name} {engine.info.name}")
        try:
            answer = _ask(asking, engine, question.new_run(cancel, progress.tick))
        finally:
            progress.clear()
        if cancel():
            return
        yield answer


def _ask(asking: Callable[..., Answer], engine: Engine, run: Run) -> Answer | Failure:
    """The answer of an engine, or why it failed."""
    try:
        return asking(engine, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))


# Boards × engines in worker processes; answers come in the order of the boards.


@dataclass(frozen=True, slots=True)
class Interrupts:
    """How this program is stopped. Both functions are picklable: workers call them too.

    After `listen()`, SIGTERM raises a `KeyboardInterrupt`. `is_pending()` says whether one was raised and
    suppressed.
    """

    listen: Callable[[], None]
    is_pending: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _BoardQuestion:
    """A question to one engine about one board."""

    board: BoardFile
    position: Position
    read_seconds: float
    engine: str
    question: Question


_Task = Opened | Unreadable | _BoardQuestion
_Answer = Report | Failure | None


def parallel_answers(
    boards: Sequence[BoardFile],
    question: Question,
    workers: int,
    *,
    read: Reader,
    progress: TaskProgress,
    interrupts: Interrupts,
) -> Iterator[BatchEvent]:
    """Each board, then its results, in the order of the boards and engines, from `workers` processes.

    Ends early when an interrupt is pending. Closing the iterator early ends the workers and every program
    that they have started.
    """
    from gemhunter.work.pieces import WorkerDied, results_of
    from gemhunter.work.workers import process_workers

    engines = [engine.info.name for engine in question.board_engines()]
    unanswered: deque[_BoardQuestion] = deque()
    began: float | None = None  # when the line of progress began to show the first of them

    def tasks() -> Iterator[_Task]:
        for board in boards:
            opened = _open(board, read)
            if isinstance(opened, Unreadable):
                yield opened
                continue
            position, warnings, read_seconds = opened
            yield Opened(board, position.grid, warnings)
            for engine, name in zip(engines, question.engines, strict=True):
                each = replace(question, engines=(name,))
                unanswered.append(_BoardQuestion(board, position, read_seconds, engine, each))
                yield unanswered[-1]

    def submit(task: _Task) -> Future[_Answer | WorkerDied]:
        if isinstance(task, _BoardQuestion):
            return pool.submit(_ask_here, task.position, task.question, interrupts)
        # A board without a question has nothing to compute; it keeps its place in the order.
        nothing: Future[_Answer | WorkerDied] = Future()
        nothing.set_result(None)
        return nothing

    def tick() -> None:
        nonlocal began
        if unanswered and began is None:
            began = time.monotonic()
            progress.begin(f"{unanswered[0].board.path} {unanswered[0].engine}")
        if began is not None:
            progress.tick(time.monotonic() - began, 0)

    def is_cancelled() -> bool:
        tick()
        return interrupts.is_pending()

    waiting = tasks()
    try:
        with process_workers(workers) as pool:
            # More questions than workers are under way, so that no worker waits while an answer is printed.
            queue = replace(pool, at_once=3 * workers)
            results: Iterator[tuple[_Task, _Answer | WorkerDied]] = results_of(
                lambda: next(waiting, None),
                submit,
                queue,
                is_cancelled=is_cancelled,
                ahead=3 * workers * (len(engines) + 1),
                survives_broken_pools=True,
            )
            for task, answer in results:
                if not isinstance(task, _BoardQuestion):
                    progress.clear()
                    yield task
                    continue
                tick()
                progress.clear()
                unanswered.popleft()
                began = None
                # If a worker dies, only this answer is lost.
                died = Failure(task.engine, f"{task.engine}: its worker process died")
                found = died if answer is None or isinstance(answer, WorkerDied) else answer
                yield Result(task.board, task.position.grid, task.read_seconds, found)
    finally:
        progress.clear()


def _ask_here(position: Position, question: Question, interrupts: Interrupts) -> Report | Failure:
    """In a worker process: the answer of the question's only engine about one board."""
    from gemhunter.work.workers import TERMINATED_WORKER, ignore_interrupts

    before = signal.getsignal(signal.SIGTERM)
    # SIGTERM has to raise something here, or temporary files of programs would remain.
    interrupts.listen()
    ignore_interrupts()
    (engine,) = question.board_engines()
    try:
        _make_first_calls_here(*question.engines)
        asking = partial(solve, position.grid, total=position.total)
        return _ask(asking, engine, question.new_run(interrupts.is_pending))
    except KeyboardInterrupt:  # Ctrl-C is ignored, so it was SIGTERM
        os._exit(TERMINATED_WORKER)
    finally:
        signal.signal(signal.SIGTERM, before)


# Formulas × engines: every engine is asked about every formula, one after the other.


@dataclass(frozen=True, slots=True)
class FormulaResult(Answered):
    """What one engine answered about one formula, and how long reading the formula took."""

    path: str
    formula: Cnf
    read_seconds: float
    answer: FormulaReport | Failure


def formula_answers(
    formulas: Sequence[str],
    engines: Sequence[CnfEngine],
    question: Question,
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[FormulaResult | InputError]:
    """Results as they arrive; a formula that cannot be read does not stop the others.

    Ends early when `cancel` says so, without the answer that was cut short.
    """
    for path in formulas:
        began = time.perf_counter()
        try:
            formula = read_formula(path)
        except InputError as error:
            yield error
            continue
        read_seconds = time.perf_counter() - began
        asking = partial(solve_formula, formula)
        for answer in _ask_each(engines, path, asking, question, progress=progress, cancel=cancel):
            yield FormulaResult(path, formula, read_seconds, answer)
        if cancel():
            return


# What is done before times are measured that are compared.


FIRST_CALL_BOARDS = (
    parse_grid("3, _, 2, _\n_, _, 2, _\n_, 3, 1, _"),
    parse_grid("1, _, 1\n_, _, _\n1, _, 1"),
)
"""Single clues decide the first; the second needs a search."""

WARM_UP_ROUNDS = 4
"""For about this number of rounds, Python and the processor run the same code faster and faster."""


def make_first_calls(engine: Engine) -> None:
    """Let an engine make its first calls in this process, which are slow, on tiny boards.

    They import modules, fill caches, and make NumPy and PySAT load code: that takes several milliseconds, and
    a small board only a few hundred microseconds. Plug-ins and files are left out because nothing is known
    about them, and engines that start a process per call because a first call would not help them.
    """
    info = engine.info
    if info.own_process or not is_built_in(info.name):
        return
    for grid in FIRST_CALL_BOARDS * WARM_UP_ROUNDS:
        with suppress(GemHunterError):  # the run itself reports any error
            solve(grid, engine, step_limit=500 if info.step else None)


@cache
def _make_first_calls_here(name: str) -> None:
    """In a worker process: let an engine make its first calls before its first question."""
    make_first_calls(get_engine(name))


# Compiled or plain: one mode for all engines whose times are compared.


def is_written_here(name: str) -> bool:
    """Whether an engine searches only with kernels of this package, compiled or as plain Python."""
    # `auto` also lets solvers of PySAT race.
    return engine_family(name) == WRITTEN_HERE and name.partition(":")[0] != "auto"


def choose_mode(
    boards: Sequence[BoardFile],
    engines: Sequence[Engine],
    question: Question,
    *,
    read: Reader,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Mode:
    """Whether our own engines run compiled (`ALWAYS`) or as plain Python (`NEVER`), on all boards alike.

    They are tried as plain Python, on small files first. If that takes more than half as long as compiling
    or loading what they use, all runs are compiled. Otherwise all of them are repeated as plain Python, so
    that both passes together take no longer than compiling. A single run and third-party engines need no
    choice.
    """
    own = [engine for engine in engines if is_written_here(engine.info.name)]
    if not own or len(boards) * len(engines) == 1 or current_mode() is not Mode.AUTO:
        return current_mode()
    if not is_installed():
        return Mode.AUTO  # this is plain Python too, but long runs name the missing package
    began, allowed = time.thread_time(), IMPORT_SECONDS / 2

    def takes_too_long() -> bool:
        nonlocal allowed
        taken = time.thread_time() - began
        if taken > allowed:  # engines may have used more kernels since the last look
            allowed = seconds_to_have_used_kernels() / 2
        return taken > allowed

    def is_over() -> bool:
        return cancel() or takes_too_long()

    with compiling(Mode.NEVER):
        for board in sorted(boards, key=_file_size):
            try:
                position, _ = read(board.path)
            except InputError:
                continue
            asking = partial(solve, position.grid, total=position.total)
            for _ in _ask_each(own, board.path, asking, question, progress=progress, cancel=is_over):
                pass
            if takes_too_long() and not cancel():
                return Mode.ALWAYS
            if cancel():
                break
    return Mode.NEVER


def _file_size(board: BoardFile) -> int:
    """The size in bytes; 0 for a board that is not a file, such as one of the package."""
    try:
        return Path(board.path).stat().st_size
    except (OSError, ValueError):
        return 0
