"""Boards × engines: every engine is asked about every board, one after the other."""

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Protocol, TypeVar

from gemhunter.cnf.encodings import require_encoding
from gemhunter.compiling.choice import (
    IMPORT_SECONDS,
    Mode,
    compiling,
    current_mode,
    is_installed,
    seconds_to_have_used_kernels,
)
from gemhunter.core.grid import Grid
from gemhunter.core.positions import Position
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.formats.board_files import BoardFile
from gemhunter.queries.formulas import FormulaReport
from gemhunter.queries.solve import require_limits, require_proofs, solve
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import Report
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import (
    BUILT_IN_ENGINES,
    clause_engines,
    get_clause_engine,
    get_engine,
    require_installed,
)
from gemhunter.solving.run import Limits, Run, silent

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
        return Mode.NEVER
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
