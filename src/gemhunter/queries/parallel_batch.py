"""Boards × engines in worker processes; answers come in the order of the boards."""

import os
import signal
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from gemhunter.core.positions import Position
from gemhunter.errors import InputError
from gemhunter.formats.board_files import BoardFile
from gemhunter.queries.batch import (
    BatchEvent,
    Failure,
    Opened,
    Question,
    Reader,
    Result,
    TaskProgress,
    Unreadable,
    ask,
)
from gemhunter.solving.outcomes import Report
from gemhunter.work.workers import TERMINATED_WORKER, TRIES, Workers, ignore_interrupts, process_workers

if TYPE_CHECKING:
    from concurrent.futures import Future

BOARDS_PER_WORKER = 3
"""Boards that are read before their turn, so that no worker waits for the next one."""

STOP_POLL_SECONDS = 0.1
"""How often a stop is looked for; on Windows, waiting for a process lets none through."""

Answer = Report | Failure


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
    answers: "Sequence[tuple[Callable[[], Future[Answer]], Future[Answer]]]"


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
    answer: "Future[Answer]",
    ask_again: "Callable[[], Future[Answer]]",
    *,
    progress: TaskProgress,
    cancel: Callable[[], bool],
) -> Answer | None:
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


def _ask_here(position: Position, question: Question, interrupts: Interrupts) -> Answer:
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
