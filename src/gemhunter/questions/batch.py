"""Boards × engines, or formulas × engines: each is asked about each, here or in worker processes."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol, TypeVar

from gemhunter.board.grid import Grid
from gemhunter.board.position import Position
from gemhunter.cnf.dimacs import read_formula
from gemhunter.cnf.encodings import require_encoding
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.files.folders import BoardFile
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
    BUILT_IN_ENGINES,
    clause_engines,
    get_clause_engine,
    get_engine,
    require_installed,
)
from gemhunter.solving.run import Limits, Run, silent
from gemhunter.work.workers import TERMINATED_WORKER, TRIES, Workers, ignore_interrupts, process_workers

if TYPE_CHECKING:
    from concurrent.futures import Future


# Boards × engines: every engine is asked about every board, one after the other.


Reader = Callable[[str], tuple[Position, Sequence[str]]]
"""Reads a board file: the position with the total that counts, and what is odd about it, a line each."""

THIRD_PARTY_ENGINES = {"auto", "pysat", "cp-sat", "cmd", "grid"}
"""Built-in engines that run compiled third-party code, always or on small boards."""

Asked = TypeVar("Asked", bound=Engine)
Answer = TypeVar("Answer")


class TaskProgress(Protocol):
    """What a batch reports while it works, one task after the other."""

    def begin(self, name: str) -> None:
        """The next task starts."""

    def tick(self, seconds: float, steps: int) -> None:
        """The task has used this much so far."""

    def clear(self) -> None:
        """The task is over, or was interrupted."""


@dataclass(frozen=True, slots=True)
class Question:
    """What each engine is asked: under which limits, with which seed, and whether it writes a proof."""

    engines: tuple[str, ...]
    limits: Limits = field(default_factory=Limits)
    seed: int = 0
    proof: bool = False
    encoding: str | None = None
    """How regions become clauses, for engines that read clauses; None for their own choice."""

    def board_engines(self) -> list[Engine]:
        """The engines to ask about boards; `InputError` if one cannot do what is asked."""
        engines = [require_installed(get_engine(name, proof=self.proof)) for name in self.engines]
        if self.encoding is not None:
            engines = [_with_encoding(engine, self.encoding) for engine in engines]
        for engine in engines:
            self._require(engine)
        return engines

    def formula_engines(self) -> list[CnfEngine]:
        """The engines to ask about formulas; `InputError` if one cannot do what is asked."""
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


@dataclass(frozen=True, slots=True)
class Opened:
    """A board that has been read, and what is odd about it; the engines are asked next."""

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
    """An engine that could not do its work, and its own words about it."""

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
        """The running time, without reading the file or starting a program of others; None for an engine
        that failed."""
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


def is_written_here(name: str) -> bool:
    """Whether an engine searches by kernels of this package alone, compiled or as plain Python."""
    return name.partition(":")[0] in BUILT_IN_ENGINES.keys() - THIRD_PARTY_ENGINES


def choose_mode(
    boards: Sequence[BoardFile],
    engines: Sequence[Engine],
    question: Question,
    *,
    read: Reader,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Mode:
    """Whether engines written here run compiled (`ALWAYS`) or as plain Python (`NEVER`), on all boards alike.

    They are tried as plain Python, on small files first. If that takes more than half as long as compiling
    or loading what they use, all runs are compiled. Otherwise all of them are made again, plain, which
    together takes no longer than compiling. A single run, and engines of others, need no choice.
    """
    own = [engine for engine in engines if is_written_here(engine.info.name)]
    if not own or len(boards) * len(engines) == 1 or current_mode() is not Mode.AUTO:
        return current_mode()
    if not is_installed():
        return Mode.AUTO  # plain Python as well, but long runs say what they lack
    began, allowed = time.thread_time(), IMPORT_SECONDS / 2

    def takes_too_long() -> bool:
        nonlocal allowed
        taken = time.thread_time() - began
        if taken > allowed:  # by now, engines may use more kernels than when this was last looked at
            allowed = seconds_to_have_used_kernels() / 2
        return taken > allowed

    with compiling(Mode.NEVER):
        for board in sorted(boards, key=_file_size):
            try:
                position, _ = read(board.path)
            except InputError:
                continue
            asking = partial(ask, position)
            for _ in ask_each(
                own,
                board.path,
                asking,
                question,
                progress=progress,
                cancel=lambda: cancel() or takes_too_long(),
            ):
                pass
            if takes_too_long() and not cancel():
                return Mode.ALWAYS
            if cancel():
                break
    return Mode.NEVER


def _file_size(board: BoardFile) -> int:
    """In bytes; 0 for what is not a file, such as a board of the package."""
    try:
        return Path(board.path).stat().st_size
    except (OSError, ValueError):
        return 0


def answers(
    boards: Sequence[BoardFile],
    engines: Sequence[Engine],
    question: Question,
    *,
    read: Reader,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[BatchEvent]:
    """Each board, then its results as they come; a board that cannot be read does not stop the others.

    Ends early, without the answer that was cut short, when `cancel` says so.
    """
    for board in boards:
        began = time.perf_counter()
        try:
            position, warnings = read(board.path)
        except InputError as error:
            yield Unreadable(board, str(error))
            continue
        read_seconds = time.perf_counter() - began
        yield Opened(board, position.grid, warnings)
        asking = partial(ask, position)
        for answer in ask_each(engines, board.path, asking, question, progress=progress, cancel=cancel):
            yield Result(board, position.grid, read_seconds, answer)
        if cancel():
            return


def ask_each(
    engines: Sequence[Asked],
    name: str,
    asking: Callable[[Asked, Run], Answer],
    question: Question,
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Iterator[Answer]:
    """What each engine answers about the board or formula called `name`, one after the other.

    Ends early, without the answer that was cut short, when `cancel` says so.
    """
    for engine in engines:
        progress.begin(f"{name} {engine.info.name}")
        try:
            answer = asking(engine, question.new_run(cancel, progress.tick))
        finally:
            progress.clear()
        if cancel():
            return
        yield answer


def ask(position: Position, engine: Engine, run: Run) -> Report | Failure:
    """What one engine answers about one board, or why it failed."""
    try:
        return solve(position.grid, engine, total=position.total, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))


def _with_encoding(engine: Engine, encoding: str) -> Engine:
    """The engine with clauses made in this way; `InputError` for one that reads no clauses."""
    require_encoding(encoding)
    if isinstance(engine, CnfEngine):
        return replace(engine, encoding=encoding)
    others = ", ".join(clause_engines())
    raise InputError(f"{engine.info.name} reads no clauses, so it takes no --encoding; these do: {others}")


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
    """Results as they come; a formula that cannot be read does not stop the others.

    Ends early, without the answer that was cut short, when `cancel` says so.
    """
    for path in formulas:
        began = time.perf_counter()
        try:
            formula = read_formula(path)
        except InputError as error:
            yield error
            continue
        read_seconds = time.perf_counter() - began
        asking = partial(_ask, formula)
        for answer in ask_each(engines, path, asking, question, progress=progress, cancel=cancel):
            yield FormulaResult(path, formula, read_seconds, answer)
        if cancel():
            return


def _ask(formula: Cnf, engine: CnfEngine, run: Run) -> FormulaReport | Failure:
    """What one engine answers about one formula, or why it failed."""
    try:
        return solve_formula(formula, engine, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))


# Boards × engines in worker processes; answers come in the order of the boards.


BOARDS_PER_WORKER = 3
"""Boards that are read before their turn, so that no worker waits for the next one."""

STOP_POLL_SECONDS = 0.1
"""How often a stop is looked for; on Windows, waiting for a process lets none through."""

BoardAnswer = Report | Failure


@dataclass(frozen=True, slots=True)
class Interrupts:
    """How this program is stopped. Both functions are picklable: workers call them too.

    After `listen()`, SIGTERM raises a `KeyboardInterrupt`. `is_pending()` says whether one was raised and
    swallowed.
    """

    listen: Callable[[], None]
    is_pending: Callable[[], bool]


@dataclass(frozen=True, slots=True)
class _Asked:
    """A board that workers were asked about. For each engine, how to ask it again, and the answer to come."""

    opened: Opened
    read_seconds: float
    answers: "Sequence[tuple[Callable[[], Future[BoardAnswer]], Future[BoardAnswer]]]"


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

    Ends early when an interrupt is pending. Closing the iterator early ends the workers and whatever they
    have started.
    """
    names = [engine.info.name for engine in question.board_engines()]
    with process_workers(workers) as pool:
        asked_boards = (
            _ask_workers(pool, board, question, read=read, interrupts=interrupts) for board in boards
        )
        for asked in _ahead(asked_boards, BOARDS_PER_WORKER * workers):
            if isinstance(asked, Unreadable):
                yield asked
                continue
            yield asked.opened
            for name, (ask_again, answer) in zip(names, asked.answers, strict=True):
                progress.begin(f"{asked.opened.board.path} {name}")
                found = _await(name, answer, ask_again, progress=progress, cancel=interrupts.is_pending)
                if found is None:
                    return
                yield Result(asked.opened.board, asked.opened.grid, asked.read_seconds, found)


def _ask_workers(
    pool: Workers,
    board: BoardFile,
    question: Question,
    *,
    read: Reader,
    interrupts: Interrupts,
) -> _Asked | Unreadable:
    """Read a board, and let workers ask each engine about it."""
    began = time.perf_counter()
    try:
        position, warnings = read(board.path)
    except InputError as error:
        return Unreadable(board, str(error))
    read_seconds = time.perf_counter() - began
    questions = (replace(question, engines=(name,)) for name in question.engines)
    asks = [partial(pool.submit, _ask_here, position, each, interrupts) for each in questions]
    return _Asked(Opened(board, position.grid, warnings), read_seconds, [(ask, ask()) for ask in asks])


def _ahead(asked: Iterable[_Asked | Unreadable], most: int) -> Iterator[_Asked | Unreadable]:
    """All of them in their order, with a few taken before they are needed."""
    waiting: deque[_Asked | Unreadable] = deque()
    for each in asked:
        waiting.append(each)
        if len(waiting) >= most:
            yield waiting.popleft()
    yield from waiting


def _await(
    name: str,
    answer: "Future[BoardAnswer]",
    ask_again: "Callable[[], Future[BoardAnswer]]",
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> BoardAnswer | None:
    """What a worker answers, None when `cancel` says to stop. A worker that dies costs this answer only."""
    from pebble import ProcessExpired  # a heavy package

    began, tries = time.monotonic(), 1
    try:
        while not cancel():
            try:
                return answer.result(timeout=STOP_POLL_SECONDS)
            except TimeoutError:
                progress.tick(time.monotonic() - began, 0)
            except (ProcessExpired, BrokenProcessPool) as error:
                # A worker that dies just as it takes a question breaks its pool, and all answers are lost.
                if isinstance(error, ProcessExpired) or tries == TRIES:
                    return Failure(name, f"{name}: its worker process died")
                tries += 1
                answer = ask_again()
        return None
    finally:
        progress.clear()


def _ask_here(position: Position, question: Question, interrupts: Interrupts) -> BoardAnswer:
    """In a worker: what the one engine of the question answers about one board."""
    before = signal.getsignal(signal.SIGTERM)
    # SIGTERM has to raise something here, or programs that an engine has started would go on.
    interrupts.listen()
    ignore_interrupts()
    (engine,) = question.board_engines()
    try:
        return ask(position, engine, question.new_run(interrupts.is_pending))
    except KeyboardInterrupt:  # Ctrl-C is ignored, so it was SIGTERM
        os._exit(TERMINATED_WORKER)
    finally:
        signal.signal(signal.SIGTERM, before)
