"""Asks every engine about every board, and keeps what they say."""

import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.board_warnings import read_and_warn
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.results import Failure, Result
from gemhunter.cli.screen import Progress
from gemhunter.core.grid import Grid
from gemhunter.errors import EngineError, InputError, WrongAnswerError
from gemhunter.formats.tokens import Zero
from gemhunter.queries.solve import require_limits, require_proofs, solve_in
from gemhunter.solving.outcomes import Report
from gemhunter.solving.protocols import Engine
from gemhunter.solving.registry import get_engine
from gemhunter.solving.run import Limits, Run


@dataclass(frozen=True, slots=True)
class Question:
    """What is asked of each engine about each board."""

    engine: tuple[str, ...]
    traps: int | None = None
    time_limit: float | None = None
    step_limit: int | None = None
    memory_limit: int | None = None
    seed: int = 0
    zero: Zero = "clue"
    proof: bool = False

    @property
    def limits(self) -> Limits:
        """What each of them may use."""
        return Limits(self.time_limit, self.step_limit, self.memory_limit)

    def engines(self) -> list[Engine]:
        """The engines, all of them able to keep the limits and to write a proof if one is wanted."""
        engines = [get_engine(name, proof=self.proof) for name in self.engine]
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


def answers(
    boards: Sequence[BoardFile], engines: Sequence[Engine], question: Question
) -> Iterator[Opened | Result | Unreadable]:
    """Each board, then its results as they come; a bad board does not keep the others from being solved."""
    progress = Progress(len(boards) * len(engines))
    for board in boards:
        began = time.perf_counter()
        try:
            grid = read_and_warn(board.path, question.zero)
        except InputError as error:
            yield Unreadable(board, str(error))
            continue
        read = time.perf_counter() - began
        yield Opened(board, grid)
        for engine in engines:
            progress.begin(f"{board.path} {engine.info.name}")
            answer = _ask(engine, grid, question, progress)
            progress.clear()
            stop_if_pending()
            yield Result(board, grid, read, answer)


def _ask(engine: Engine, grid: Grid, question: Question, progress: Progress) -> Report | Failure:
    run = Run(
        question.limits,
        seed=question.seed,
        cancel=is_pending,
        progress=progress.tick,
        wants_proof=question.proof,
    )
    try:
        return solve_in(run, grid, engine, traps=question.traps)
    except (EngineError, WrongAnswerError) as error:
        return Failure(engine.info.name, str(error))
    except KeyboardInterrupt:
        progress.clear()
        raise
