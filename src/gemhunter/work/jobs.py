"""Jobs in worker processes that are reused: each has limits, reports its progress, and can be cancelled.

A job is a call of `function(context, *arguments)` in a worker. Through its `JobContext` it sends items and
progress while it works, and learns that it was cancelled. A worker that does not stop in time is ended and
replaced, so no job can keep a worker for longer than its limit. Owners take turns; no owner has more than
half of the workers, nor do all long jobs together.
"""

import threading
import time
import traceback
from collections import Counter, deque
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from multiprocessing import get_context
from typing import TYPE_CHECKING, Any, NamedTuple, Self

from gemhunter.errors import GemHunterError
from gemhunter.work.memory import address_space, can_limit_memory, limit_address_space
from gemhunter.work.workers import obey_parent

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


JOB_POLL_SECONDS = 0.05
"""How often a worker that sends nothing is checked."""

READY = "ready"
"""The first message of a worker, before that of any job."""


class MessageKind(StrEnum):
    """A job sends progress and items while it works; its last message is a result or a failure."""

    PROGRESS = "progress"
    ITEM = "item"
    RESULT = "result"
    FAILURE = "failure"


class Message(NamedTuple):
    """A message of a job; the value of a `FAILURE` is a `GemHunterError`."""

    kind: MessageKind
    value: Any

    @property
    def is_last(self) -> bool:
        """Whether this is the last message of its job."""
        return self.kind in (MessageKind.RESULT, MessageKind.FAILURE)


class JobFaultError(GemHunterError):
    """A job failed because of a bug in this program."""


class BusyError(GemHunterError):
    """There are too many jobs."""


class StoppedJobError(GemHunterError):
    """A job was ended from outside: it took too long, needed too much memory, or was cancelled."""


CANCELLED_BEFORE = Message(MessageKind.FAILURE, StoppedJobError("cancelled"))
"""The only message of a job that is cancelled before it begins."""


def _job_fault() -> Message:
    """The last message of a job in which an error is being handled that is a bug; print its traceback."""
    traceback.print_exc()
    fault = JobFaultError("something went wrong; the server's output has the details")
    return Message(MessageKind.FAILURE, fault)


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What each job may use, and how many jobs may wait.

    `seconds` are counted from the start of the job, and again from each item and each `JobContext.pause`.
    `memory` is in bytes, for systems that can limit it.
    """

    seconds: float = 60.0
    memory: int | None = None
    waiting: int = 400
    waiting_per_owner: int = 64


@dataclass(eq=False, slots=True)
class Job:
    """A call to make; `on_message` receives its messages, in a thread of the pool.

    A job that `is_long` has many quick parts, so it can take long in total.
    """

    owner: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    on_message: Callable[[Message], None]
    seconds: float
    is_long: bool = False
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Ask the job to stop; its last message is a `FAILURE` unless it was already done."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()


class JobPool:
    """Workers for jobs, each a process and a thread that supervises it.

    `prepare` is called in each worker before its first job. Use it in a `with` block, which ends the workers.
    """

    def __init__(
        self, workers: int, limits: JobLimits | None = None, prepare: Callable[[], None] | None = None
    ) -> None:
        self.limits = limits or JobLimits()
        self._prepare = prepare
        self._changed = threading.Condition()
        self._waiting: dict[str, deque[Job]] = {}
        self._at_work: list[Job] = []
        self._most_at_work = max(workers // 2, 1)
        self._is_over = False
        self._threads = [threading.Thread(target=self._work, daemon=True) for _ in range(workers)]

    def __enter__(self) -> Self:
        for thread in self._threads:
            thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        for thread in self._threads:
            thread.join()

    def submit(
        self,
        function: Callable[..., Any],
        *arguments: Any,
        on_message: Callable[[Message], None],
        owner: str = "",
        seconds: float | None = None,
        is_long: bool = False,
    ) -> Job:
        """Queue a job; functions and arguments must be picklable. `BusyError` if too many wait."""
        limit = self.limits.seconds if seconds is None else seconds
        job = Job(owner, function, arguments, on_message, limit, is_long)
        with self._changed:
            self._drop_cancelled()
            own = self._waiting.get(owner, ())
            if len(own) >= self.limits.waiting_per_owner or self.waiting >= self.limits.waiting:
                raise BusyError("the server is busy; try again in a moment")
            self._waiting.setdefault(owner, deque()).append(job)
            self._changed.notify()
        return job

    @property
    def waiting(self) -> int:
        """How many jobs have not begun."""
        return sum(map(len, self._waiting.values()))

    def _drop_cancelled(self) -> None:
        """End waiting jobs that were cancelled."""
        for owner, jobs in list(self._waiting.items()):
            for job in [job for job in jobs if job.is_cancelled]:
                jobs.remove(job)
                _finish(job, CANCELLED_BEFORE)
            if not jobs:
                del self._waiting[owner]

    def cancel_all(self) -> None:
        """Ask all jobs to stop, including those that wait."""
        with self._changed:
            for job in chain(self._at_work, *self._waiting.values()):
                job.cancel()

    def _work(self) -> None:
        """Do jobs until the pool is over."""
        worker = _Worker(self._prepare, self.limits.memory)
        try:
            while (job := self._next_job()) is not None:
                try:
                    last = CANCELLED_BEFORE if job.is_cancelled else worker.do(job, lambda: self._is_over)
                except BaseException:  # noqa: BLE001 - a message that cannot be read, or one whose receiver fails
                    last = _job_fault()
                    worker.end()
                with self._changed:
                    self._at_work.remove(job)
                    self._changed.notify_all()
                _finish(job, last)
        finally:
            worker.end()

    def _next_job(self) -> Job | None:
        """Wait for a job; the owner that has waited longest is next. None if the pool is over."""
        with self._changed:
            while not self._is_over:
                if (job := self._take()) is not None:
                    return job
                self._changed.wait()
        return None

    def _take(self) -> Job | None:
        owners = Counter(job.owner for job in self._at_work)
        may_be_long = sum(job.is_long for job in self._at_work) < self._most_at_work
        for owner in list(self._waiting):
            jobs = self._waiting[owner]
            fitting = (job for job in jobs if may_be_long or not job.is_long)
            job = next(fitting, None) if owners[owner] < self._most_at_work else None
            if job is None:
                continue
            jobs.remove(job)
            del self._waiting[owner]
            if jobs:
                self._waiting[owner] = jobs  # now behind all others
            self._at_work.append(job)
            return job
        return None


def _finish(job: Job, last: Message) -> None:
    try:
        job.on_message(last)
    except BaseException:  # noqa: BLE001 - the pool survives a bug in the receiver of one job
        traceback.print_exc()


class _Worker:
    """A process that does one job after another, restarted when it was ended."""

    def __init__(self, prepare: Callable[[], None] | None, memory: int | None) -> None:
        self._settings = (prepare, memory)
        self._process: Any = None
        self._connection: Connection | None = None
        self._is_ready = False
        with suppress(Exception):  # the first job tries again, and fails if the process cannot be started
            self._start()

    def do(self, job: Job, is_over: Callable[[], bool]) -> Message:
        """Let the process do a job; pass on its messages, except the last, which is returned."""
        connection = self._connection or self._start()
        try:
            connection.send((job.function, job.arguments))
            for message in self._messages(connection, job, is_over):
                if message.is_last:
                    return message
                job.on_message(message)
        except (EOFError, OSError):
            code, memory = self.end(), self._settings[1]
            limit = "" if memory is None else f"; a job may use {memory / 2**30:.1f} GiB of memory"
            died = f"the process that worked on it died (exit code {code}){limit}"
            return Message(MessageKind.FAILURE, StoppedJobError(died))
        self.end()
        stopped = "cancelled" if job.is_cancelled or is_over() else f"time limit of {job.seconds:g} s"
        return Message(MessageKind.FAILURE, StoppedJobError(stopped))

    def _messages(self, connection: "Connection", job: Job, is_over: Callable[[], bool]) -> Iterator[Message]:
        """The messages of the worker, until the job must be ended."""
        asked = False
        # The start of the worker, which imports and prepares what jobs need, does not count for the job.
        deadline = time.monotonic() + (job.seconds if self._is_ready else 120.0)
        while time.monotonic() < deadline:
            if (job.is_cancelled or is_over()) and not asked:
                asked, deadline = True, time.monotonic() + 1.5  # a worker that stops in time is kept
                connection.send(None)
            if not connection.poll(JOB_POLL_SECONDS):
                continue
            kind, value = connection.recv()
            is_pause = kind == MessageKind.PROGRESS and "note" in value
            if (is_pause or kind in (READY, MessageKind.ITEM)) and not asked:
                deadline = time.monotonic() + job.seconds
            if kind == READY:
                self._is_ready = True
            else:
                yield Message(MessageKind(kind), value)

    def _start(self) -> "Connection":
        context = get_context("spawn")
        connection, theirs = context.Pipe()
        process = context.Process(target=serve_jobs, args=(theirs, *self._settings), daemon=True)
        process.start()
        theirs.close()
        self._process, self._connection, self._is_ready = process, connection, False
        return connection

    def end(self) -> int | None:
        """End the process; returns its exit code if it had already ended."""
        process, connection = self._process, self._connection
        self._process = self._connection = None
        if process is None or connection is None:
            return None
        connection.close()
        process.join(JOB_POLL_SECONDS)
        code: int | None = process.exitcode
        with suppress(OSError):
            process.kill()
        process.join()
        process.close()
        return code


# In the worker process.


class JobContext:
    """The first argument of a job's function: it sends messages, and says whether the job was cancelled."""

    def __init__(self, connection: "Connection") -> None:
        self._connection = connection
        self._polled = self._reported = time.monotonic()
        self._cancelled = False

    def is_cancelled(self) -> bool:
        """Whether to stop; cheap, as the connection is polled at most every 20 ms."""
        now = time.monotonic()
        if not self._cancelled and now - self._polled > 0.02:
            self._polled = now
            if self._connection.poll():
                self._connection.recv()
                self._cancelled = True
        return self._cancelled

    def tick(self, seconds: float, steps: int) -> None:
        """Report progress; it can be called often, and sends at most five messages a second."""
        now = time.monotonic()
        if now - self._reported > 0.2:
            self._reported = now
            self._connection.send((MessageKind.PROGRESS, {"seconds": round(seconds, 1), "steps": steps}))

    def send(self, item: Any) -> None:
        """Send a part of the result."""
        self._connection.send((MessageKind.ITEM, item))

    def pause(self, note: str) -> None:
        """Report what delays the job, such as compiling, and restart its time limit."""
        self._connection.send((MessageKind.PROGRESS, {"note": note}))


def serve_jobs(connection: "Connection", prepare: Callable[[], None] | None, memory: int | None) -> None:
    """In a worker process: do jobs until the other end of the connection is closed."""
    obey_parent()
    if prepare is not None:
        prepare()
    if memory is not None and can_limit_memory():
        limit_address_space(address_space() + memory)
    with suppress(EOFError, OSError):
        connection.send((READY, None))
        while True:
            call = connection.recv()
            if call is not None:  # None is a cancel that came too late for its job
                connection.send(_do(connection, *call))


def _do(connection: "Connection", function: Callable[..., Any], arguments: tuple[Any, ...]) -> Message:
    try:
        return Message(MessageKind.RESULT, function(JobContext(connection), *arguments))
    except GemHunterError as error:
        return Message(MessageKind.FAILURE, error)
    except MemoryError:
        return Message(MessageKind.FAILURE, StoppedJobError("not enough memory"))
    except Exception:  # noqa: BLE001 - the worker survives a bug in one job
        return _job_fault()
