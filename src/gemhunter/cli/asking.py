"""Asks every engine about every board, and keeps what they say."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.board_warnings import read_and_warn
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.progress import Progress
from gemhunter.cli.results import Failure, Result
from gemhunter.cnf.encodings import require_encoding
from gemhunter.core.grid import Grid
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.formats.dialects import Zero
from gemhunter.queries.solve import require_limits, require_proofs, solve
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import Report
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import clause_engines, get_engine, require_installed
from gemhunter.solving.run import Limits, Run


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each engine about each board."""

    engine: tuple[str, ...]
    total: int | None = None
    time_limit: float | None = None
    step_limit: int | None = None
    memory_limit: int | None = None
    seed: int = 0
    zero: Zero = "clue"
    proof: bool = False
    encoding: str | None = None
    """How regions become clauses, if that was said; for engines that read clauses."""

    @property
    def limits(self) -> Limits:
        """What each of them may use."""
        return Limits(self.time_limit, self.step_limit, self.memory_limit)

    def engines(self) -> list[Engine]:
        """The engines, all of them able to do what is asked: keep the limits, write a proof, read clauses."""
        engines = [require_installed(get_engine(name, proof=self.proof)) for name in self.engine]
        if self.encoding is not None:
            engines = [_with_encoding(engine, self.encoding) for engine in engines]
        for engine in engines:
            require_limits(engine, self.limits)
            if self.proof:
                require_proofs(engine)
        return engines


@dataclass(frozen=True, slots=True)
class Opened:
    """A board that has been read; the engines are asked next."""

    board: BoardFile
    grid: Grid


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A board that could not be read, and why."""

    board: BoardFile
    message: str


def _with_encoding(engine: Engine, encoding: str) -> Engine:
    """The engine with clauses made in this way; `InputError` for one that reads no clauses."""
    require_encoding(encoding)
    if isinstance(engine, CnfEngine):
        return replace(engine, encoding=encoding)
    others = ", ".join(clause_engines())
    raise InputError(f"{engine.info.name} reads no clauses, so it takes no --encoding; these do: {others}")


def answers(
    boards: Sequence[BoardFile], engines: Sequence[Engine], question: Question
) -> Iterator[Opened | Result | Unreadable]:
    """Each board, then its results as they come; a bad board does not keep the others from being solved."""
    progress = Progress(len(boards) * len(engines))
    for board in boards:
        began = time.perf_counter()
        try:
            position = read_and_warn(board.path, question.zero, question.total)
        except InputError as error:
            yield Unreadable(board, str(error))
            continue
        read = time.perf_counter() - began
        grid = position.grid
        yield Opened(board, grid)
        for engine in engines:
            progress.begin(f"{board.path} {engine.info.name}")
            answer = ask(engine, grid, replace(question, total=position.total), progress)
            progress.clear()
            stop_if_pending()
            yield Result(board, grid, read, answer)


def ask(engine: Engine, grid: Grid, question: Question, progress: Progress) -> Report | Failure:
    """What one engine says about one board; one that fails says why."""
    run = Run(
        question.limits,
        seed=question.seed,
        cancel=is_pending,
        progress=progress.tick,
        wants_proof=question.proof,
    )
    try:
        return solve(grid, engine, total=question.total, run=run)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))
    except KeyboardInterrupt:
        progress.clear()
        raise
