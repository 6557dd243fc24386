"""The worker's side of a job: the loop that waits for jobs, and the desk at which one is done."""

import time
import traceback
from collections.abc import Callable
from contextlib import suppress
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from gemhunter.errors import GemHunterError
from gemhunter.work.memory import address_space, can_limit_memory, limit_address_space
from gemhunter.work.workers import ignore_interrupts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


class News(StrEnum):
    """What a job sends: on the way, and last of all."""

    PROGRESS = "progress"
    ITEM = "item"
    RESULT = "result"
    FAILURE = "failure"


READY = "ready"
"""The first message of a worker, before that of any job."""

CANCEL_POLL_SECONDS = 0.02
"""How often a job looks whether it was cancelled."""

PROGRESS_SECONDS = 0.2
"""How often a job says how far it is."""


class JobFaultError(GemHunterError):
    """A job failed by a fault of ours."""


class Desk:
    """Where a job is done: what it sends on the way, and whether it was cancelled."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._looked = self._told = time.monotonic()
        self._cancelled = False

    def is_cancelled(self) -> bool:
        """Whether to stop; to be called often."""
        now = time.monotonic()
        if not self._cancelled and now - self._looked > CANCEL_POLL_SECONDS:
            self._looked = now
            if self._connection.poll():
                self._connection.recv()
                self._cancelled = True
        return self._cancelled

    def tick(self, seconds: float, steps: int) -> None:
        """Say how far the job is, now and then; to be called often."""
        now = time.monotonic()
        if now - self._told > PROGRESS_SECONDS:
            self._told = now
            self._connection.send((News.PROGRESS, {"seconds": round(seconds, 1), "steps": steps}))

    def send(self, item: Any) -> None:
        """Send a part of the answer."""
        self._connection.send((News.ITEM, item))

    def pause(self, note: str) -> None:
        """Say what keeps the job from its work, such as compiling; its time limit begins again."""
        self._connection.send((News.PROGRESS, {"note": note}))


def serve_jobs(connection: "Connection", prepare: Callable[[], None] | None, memory: int | None) -> None:
    """In a worker process: do jobs until the other end of the connection is closed."""
    ignore_interrupts()
    if prepare is not None:
        prepare()
    if memory is not None and can_limit_memory():
        limit_address_space(address_space() + memory)
    with suppress(EOFError, OSError):
        connection.send((READY, None))
        while True:
            found = connection.recv()
            if found is not None:  # a cancel that came too late for its job
                connection.send(_done(connection, *found))


def _done(
    connection: "Connection", function: Callable[..., Any], arguments: tuple[Any, ...]
) -> tuple[News, Any]:
    desk = Desk(connection)
    try:
        return News.RESULT, function(desk, *arguments)
    except GemHunterError as error:
        return News.FAILURE, error
    except MemoryError:
        return News.FAILURE, GemHunterError("gave up: not enough memory")
    except Exception:  # noqa: BLE001 - a fault in one job is not to cost the next one its worker
        traceback.print_exc()
        return News.FAILURE, JobFaultError("something went wrong; the server has printed where")
