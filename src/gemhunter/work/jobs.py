"""Jobs in worker processes that stay: each has limits, reports how far it is, and can be cancelled."""

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
from gemhunter.work.workers import ignore_interrupts

if TYPE_CHECKING:
    from multiprocessing.connection import Connection


# The worker's side of a job: the loop that waits for jobs, and the desk at which one is done.


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


# Jobs in worker processes that stay: each has limits, says how far it is, and can be cancelled.
#
# A job is a call of `function(desk, *arguments)` in a worker. Through its desk it sends items and progress
# while it works, and learns that it was cancelled. A worker that does not stop in time is ended and
# replaced, so no job can hold a worker for longer than its limit. Owners take turns; none of them has more
# than half of the workers, nor have all long jobs together.


JOB_POLL_SECONDS = 0.05
"""How often a worker that says nothing is looked at."""

WORKER_START_SECONDS = 120.0
"""How long a worker may take to start and to prepare itself; no job is charged for it."""

GRACE_SECONDS = 1.5
"""How long a worker may take to stop after a job was cancelled; then it is ended."""


class Message(NamedTuple):
    """Something that a job sent; the value of a `FAILURE` is a `GemHunterError`."""

    kind: News
    value: Any

    @property
    def is_last(self) -> bool:
        """Whether nothing follows."""
        return self.kind in (News.RESULT, News.FAILURE)


class BusyError(GemHunterError):
    """There are too many jobs already."""


class StoppedJobError(GemHunterError):
    """A job was ended from outside: it took too long, needed too much memory, or was cancelled."""


CANCELLED_BEFORE = Message(News.FAILURE, StoppedJobError("cancelled"))
"""The only message of a job that was cancelled before it began."""


@dataclass(frozen=True, slots=True)
class JobLimits:
    """What each job may use, and how many jobs may wait.

    `seconds` are counted from the start of the job, and again after each item and each `Desk.pause`; `memory`
    is in bytes, for systems that can limit it.
    """

    seconds: float = 60.0
    memory: int | None = None
    waiting: int = 400
    waiting_per_owner: int = 64


@dataclass(eq=False, slots=True)
class Job:
    """A call to be made; `tell` gets its messages, from a thread of the pool.

    A job that `is_long` has many parts, so it may take long though none of them does.
    """

    owner: str
    function: Callable[..., Any]
    arguments: tuple[Any, ...]
    tell: Callable[[Message], None]
    seconds: float
    is_long: bool = False
    _cancelled: threading.Event = field(default_factory=threading.Event)

    def cancel(self) -> None:
        """Let it stop soon; its last message is a `FAILURE` unless it was done before."""
        self._cancelled.set()

    @property
    def is_cancelled(self) -> bool:
        """Whether `cancel` was called."""
        return self._cancelled.is_set()


class JobPool:
    """Workers for jobs, each a process and the thread that looks after it.

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
        tell: Callable[[Message], None],
        owner: str = "",
        seconds: float | None = None,
        is_long: bool = False,
    ) -> Job:
        """Have a job done; functions and arguments must be picklable. `BusyError` if too many wait."""
        limit = self.limits.seconds if seconds is None else seconds
        job = Job(owner, function, arguments, tell, limit, is_long)
        with self._changed:
            self._drop_cancelled()
            own = self._waiting.get(owner, ())
            if len(own) >= self.limits.waiting_per_owner or self.waiting >= self.limits.waiting:
                raise BusyError("the server has too much to do; try again in a moment")
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
                job.tell(CANCELLED_BEFORE)
            if not jobs:
                del self._waiting[owner]

    def cancel_all(self) -> None:
        """Let all jobs stop soon, those that wait included."""
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
                finally:
                    self._is_done(job)
                job.tell(last)
        finally:
            worker.end()

    def _next_job(self) -> Job | None:
        """Wait for a job; of several owners, the one that has waited longest is next. None if it is over."""
        with self._changed:
            while True:
                if self._is_over:
                    return None
                if (job := self._take()) is not None:
                    return job
                self._changed.wait()

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

    def _is_done(self, job: Job) -> None:
        with self._changed:
            self._at_work.remove(job)
            self._changed.notify_all()


class _Worker:
    """A process that does one job after the other, started when there is something to do."""

    def __init__(self, prepare: Callable[[], None] | None, memory: int | None) -> None:
        self._settings = (prepare, memory)
        self._process: Any = None
        self._connection: Connection | None = None
        self._is_ready = False
        self._start()

    def do(self, job: Job, is_over: Callable[[], bool]) -> Message:
        """Have a job done, and pass on what it sends but the last message, which is returned."""
        if self._connection is None:
            self._start()
        try:
            self._send((job.function, job.arguments))
            for message in self._messages(job, is_over):
                if message.is_last:
                    return message
                job.tell(message)
        except (EOFError, OSError):
            code = self.end()
            return Message(News.FAILURE, StoppedJobError(_why_it_died(code, self._settings[1])))
        self.end()
        stopped = "cancelled" if job.is_cancelled or is_over() else f"time limit of {job.seconds:g} s"
        return Message(News.FAILURE, StoppedJobError(stopped))

    def _messages(self, job: Job, is_over: Callable[[], bool]) -> Iterator[Message]:
        """What the worker sends, until the job has to be ended."""
        connection, asked = self._connection, False
        deadline = time.monotonic() + (job.seconds if self._is_ready else WORKER_START_SECONDS)
        if connection is None:
            raise EOFError
        while time.monotonic() < deadline:
            if (job.is_cancelled or is_over()) and not asked:
                asked, deadline = True, time.monotonic() + GRACE_SECONDS
                self._send(None)
            if not connection.poll(JOB_POLL_SECONDS):
                continue
            kind, value = connection.recv()
            begins_again = kind in (READY, News.ITEM) or (kind == News.PROGRESS and "note" in value)
            if begins_again and not asked:
                deadline = time.monotonic() + job.seconds
            if kind == READY:
                self._is_ready = True
            else:
                yield Message(News(kind), value)

    def _send(self, value: object) -> None:
        if self._connection is not None:
            self._connection.send(value)

    def _start(self) -> None:
        context = get_context("spawn")
        self._connection, theirs = context.Pipe()
        self._is_ready = False
        self._process = context.Process(target=serve_jobs, args=(theirs, *self._settings), daemon=True)
        self._process.start()
        theirs.close()

    def end(self) -> int | None:
        """End the process; its exit code, if it had ended by itself."""
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


def _why_it_died(code: int | None, memory: int | None) -> str:
    """What to say of a worker that ended in the middle of a job."""
    limit = "" if memory is None else f"; a job may use {memory / 2**30:.1f} GiB of memory"
    return f"the process that worked on it died (exit code {code}){limit}"
