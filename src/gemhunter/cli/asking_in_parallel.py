"""Asks about several boards at a time, in worker processes; answers come in the order of the boards."""

import io
import os
import signal
import time
from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from gemhunter.cli.asking import Opened, Question, Unreadable, ask
from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.board_warnings import read_with_warnings
from gemhunter.cli.exit_codes import TERMINATED
from gemhunter.cli.interrupts import TerminatedError, listen, stop_if_pending
from gemhunter.cli.notes import note
from gemhunter.cli.progress import Progress
from gemhunter.cli.results import Failure, Result
from gemhunter.core.grid import Grid
from gemhunter.errors import InputError
from gemhunter.solving.outcomes import Report
from gemhunter.work.pool import ignore_interrupts, worker_pool

if TYPE_CHECKING:
    from concurrent.futures import Future

BOARDS_PER_WORKER = 3
"""Boards that are read before their turn, so that no worker waits for the next one."""

POLL_SECONDS = 0.1
"""How often a stop is looked for; on Windows, waiting for a process lets none through."""

Answer = Report | Failure


@dataclass(frozen=True, slots=True)
class _Asked:
    """A board that workers were asked about, with an answer per engine; reading it took `read` seconds."""

    opened: Opened
    read: float
    warnings: Sequence[str]
    answers: "Sequence[Future[Answer]]"


def parallel_answers(
    boards: Sequence[BoardFile], question: Question, workers: int
) -> Iterator[Opened | Result | Unreadable]:
    """Each board, then its results, in the order of the boards and engines, from `workers` processes.

    Closing the iterator early ends the workers and whatever they have started.
    """
    names = [engine.info.name for engine in question.engines()]
    progress = Progress(len(boards) * len(names))
    with worker_pool(workers) as pool:

        def ask_about(board: BoardFile) -> _Asked | Unreadable:
            began = time.perf_counter()
            try:
                position, warnings = read_with_warnings(board.path, question.zero, question.total)
            except InputError as error:
                return Unreadable(board, str(error))
            read = time.perf_counter() - began
            questions = (replace(question, engine=(name,), total=position.total) for name in question.engine)
            answers = [pool.schedule(_ask_here, args=(position.grid, each)) for each in questions]
            return _Asked(Opened(board, position.grid), read, warnings, answers)

        for asked in _ahead(map(ask_about, boards), BOARDS_PER_WORKER * workers):
            if isinstance(asked, Unreadable):
                yield asked
                continue
            for warning in asked.warnings:
                note(warning)
            yield asked.opened
            for name, answer in zip(names, asked.answers, strict=True):
                progress.begin(f"{asked.opened.board.path} {name}")
                found = _await(name, answer, progress)
                yield Result(asked.opened.board, asked.opened.grid, asked.read, found)


def _ahead(asked: Iterable[_Asked | Unreadable], most: int) -> Iterator[_Asked | Unreadable]:
    """All of them in the same order, with a few taken before they are needed."""
    waiting: deque[_Asked | Unreadable] = deque()
    for each in asked:
        waiting.append(each)
        if len(waiting) >= most:
            yield waiting.popleft()
    yield from waiting


def _await(name: str, answer: "Future[Answer]", progress: Progress) -> Answer:
    """What a worker says; one that dies costs this answer and no other."""
    from pebble import ProcessExpired

    began = time.monotonic()
    try:
        while True:
            stop_if_pending()
            try:
                return answer.result(timeout=POLL_SECONDS)
            except TimeoutError:
                progress.tick(time.monotonic() - began, 0)
            except ProcessExpired:
                return Failure(name, f"{name}: its worker process died")
    finally:
        progress.clear()


def _ask_here(grid: Grid, question: Question) -> Answer:
    """In a worker: what the one engine of the question says about one board."""
    before = signal.getsignal(signal.SIGTERM)
    # Being told to end has to raise something here, or programs that an engine has started would go on.
    listen()
    ignore_interrupts()
    (engine,) = question.engines()
    try:
        return ask(engine, grid, question, Progress(1, io.StringIO()))
    except TerminatedError:
        os._exit(TERMINATED)
    finally:
        signal.signal(signal.SIGTERM, before)
