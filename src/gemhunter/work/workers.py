"""Workers that call functions elsewhere, in processes of this machine or on a Dask cluster."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import get_context
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, TypeVar

from gemhunter.errors import EngineError, InputError
from gemhunter.extras import has_package, missing_text

if TYPE_CHECKING:
    from pebble import ProcessPool


# Workers that call functions elsewhere, and tasks that are handed out to them one after the other.


Task = TypeVar("Task")
Result = TypeVar("Result")

WAIT_SECONDS = 0.2
"""The longest wait for a result: on Windows, a wait without an end does not hear Ctrl-C."""

TRIES = 3
"""How often a task is given to a worker before the task is blamed for the deaths of its workers."""

ALONE_SECONDS = 2.0
"""Work that takes longer is shared with other processes; starting them takes a second or so."""

MOST_WORKERS = 1000
"""On one machine; each is a process, and some have a thread that waits for it."""

TERMINATED_WORKER = 128 + signal.SIGTERM
"""The exit code of a worker that SIGTERM ended."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers that call functions elsewhere: `submit(function, *arguments)` promises its result.

    They work on `at_once` calls at a time; `failures` are the errors by which a promise says that its worker
    died. `on_dask` says that they belong to a Dask cluster.
    """

    submit: Callable[..., Future[Any]]
    at_once: int
    failures: tuple[type[Exception], ...] = ()
    on_dask: bool = False


@dataclass(frozen=True, slots=True)
class WorkerDied:
    """Takes the place of a result if the worker died each time that it was given the task."""

    reason: str


def results_of(
    next_task: Callable[[], Task | None],
    submit: Callable[[Task], Future[Result]],
    workers: Workers,
    *,
    tries: int = 1,
    is_cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[tuple[Task, Result | WorkerDied]]:
    """Hand out tasks until `next_task` has none left; each comes back with its result as that is ready.

    `submit` gives a task to the workers. A task whose worker dies is handed out again, `tries` times in all.
    While results are on their way, `next_task` may have none and later another one. `is_cancelled` is asked
    several times per second; when it says so, nothing more comes.

    A worker that dies just as it takes a task can break its whole pool, and nothing says which task it was.
    All tasks of a broken pool are handed out again, and none of them has used up a try.
    """
    busy: dict[Future[Result], tuple[Task, int]] = {}
    again: list[tuple[Task, int]] = []
    broken = 0  # tasks in a row that were lost with their pool
    while True:
        while len(busy) < workers.at_once and (found := _next_try(next_task, again)) is not None:
            busy[submit(found[0])] = found
        if not busy or is_cancelled():
            return
        for future in wait(busy, timeout=WAIT_SECONDS, return_when=FIRST_COMPLETED).done:
            task, tried = busy.pop(future)
            try:
                result: Result | WorkerDied = future.result()
            except BrokenProcessPool:
                broken += 1
                if broken > TRIES * workers.at_once:
                    raise
                again.append((task, tried))
                continue
            except workers.failures as error:
                broken = 0
                if tried < tries:
                    again.append((task, tried + 1))
                    continue
                result = WorkerDied(str(error))
            broken = 0
            yield task, result


def _next_try(next_task: Callable[[], Task | None], again: list[tuple[Task, int]]) -> tuple[Task, int] | None:
    """The next task to hand out and how often that makes it; one whose worker died comes first."""
    if again:
        return again.pop()
    task = next_task()
    return None if task is None else (task, 1)


@contextmanager
def process_workers(number: int) -> Iterator[Workers]:
    """Up to `number` worker processes of this machine; functions and arguments must be picklable."""
    from pebble import ProcessExpired

    require_workers(number)
    try:
        with ExitStack() as pools:
            pool = pools.enter_context(worker_pool(number))

            def submit(function: Callable[..., Any], *arguments: Any) -> Future[Any]:
                nonlocal pool
                try:
                    return pool.schedule(function, args=arguments)
                except RuntimeError:  # the pool is broken
                    pool = pools.enter_context(worker_pool(number))
                    return pool.schedule(function, args=arguments)

            yield Workers(submit, number, (ProcessExpired,))
    except BrokenProcessPool:
        raise EngineError(
            "worker processes ended before they got work; a script that uses them starts its work below "
            'if __name__ == "__main__"'
        ) from None


@contextmanager
def worker_pool(number: int) -> Iterator["ProcessPool"]:
    """Start up to `number` processes as tasks are scheduled, and end them at once on leaving the block.

    Each starts as a fresh interpreter, as forking does not exist on Windows and is unsafe where there are
    threads. So functions and their arguments must be picklable.
    """
    from pebble import ProcessPool

    pool = ProcessPool(number, initializer=ignore_interrupts, context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.stop()
        pool.join()


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ending_with_children() -> Iterator[None]:
    """In a worker process: SIGTERM in the block ends the programs that it has started, and then the worker.

    Without that, they would go on. Workers of a cluster call functions in threads, which get no signals.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        yield
    except KeyboardInterrupt:  # Ctrl-C is ignored, so it was SIGTERM
        os._exit(TERMINATED_WORKER)
    finally:
        signal.signal(signal.SIGTERM, before)


def require_workers(number: int) -> None:
    """Raise `InputError` if one machine cannot have this number of workers."""
    if not 1 <= number <= MOST_WORKERS:
        raise InputError(f"{number:,} workers; expected from 1 to {MOST_WORKERS:,}")


@contextmanager
def core_workers(number: int) -> Iterator[Workers]:
    """Up to `number` threads, for functions that start a child process and wait for it.

    Functions are called with two more arguments: `core`, to which the child pins itself, and `is_cancelled`,
    which turns true on leaving the block; the block waits for the functions to return.
    """
    cores, is_over = _free_cores(number), threading.Event()

    def call(function: Callable[..., Any], *arguments: Any) -> Any:
        core = cores.get()
        try:
            return function(*arguments, core=core, is_cancelled=is_over.is_set)
        finally:
            cores.put(core)

    with ThreadPoolExecutor(number) as pool:
        try:
            yield Workers(lambda function, *arguments: pool.submit(call, function, *arguments), number)
        finally:
            is_over.set()


def _free_cores(workers: int) -> "SimpleQueue[int | None]":
    """A core for each worker; None if there are more workers than cores, or cores cannot be chosen."""
    require_workers(workers)
    known = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    free: SimpleQueue[int | None] = SimpleQueue()
    for worker in range(workers):
        free.put(known[worker] if workers <= len(known) else None)
    return free


def first_core() -> int | None:
    """A core for the only child at a time; None if cores cannot be chosen."""
    return _free_cores(1).get()


def pin_to_core(core: int | None) -> None:
    """Keep this process on one core, where the system lets a process choose."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {core})


# A Dask cluster: workers that may be on other machines.


LOCAL = "local"
"""In place of an address: a cluster on this machine, for as long as it is used."""

CONNECT_SECONDS = 20


@contextmanager
def dask_cluster(address: str, workers: int) -> Iterator[Workers]:
    """The cluster of a scheduler such as `tcp://host:8786`, or a `local` one with `workers` workers."""
    if not has_package("distributed"):
        raise InputError(missing_text("--dask needs", "distributed"))
    from distributed import Client
    from distributed.scheduler import KilledWorker

    with _scheduler(address, workers) as scheduler:
        try:
            client = Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False)
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
        with client:
            threads = sum(client.nthreads().values())
            if threads == 0:
                raise InputError(f"the Dask cluster at {address} has no workers")
            if address == LOCAL:
                client.run(ignore_interrupts)
            executor = client.get_executor(pure=False, retries=TRIES - 1)
            try:
                yield Workers(executor.submit, threads, (KilledWorker,), on_dask=True)
            finally:
                executor.shutdown(wait=False)


@contextmanager
def _scheduler(address: str, workers: int) -> Iterator[Any]:
    """The address, or a cluster on this machine that ends with the block."""
    if address != LOCAL:
        yield address
        return
    from distributed import LocalCluster

    # One thread each: a task is worth a core. The scheduler's pages cannot be switched off: they get a free
    # port, for this machine only, so that two clusters do not get in each other's way.
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
    ) as cluster:
        yield cluster
