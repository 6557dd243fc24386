"""Workers that call functions elsewhere, in processes of this machine or on a Dask cluster."""

import os
import signal
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from multiprocessing import connection, get_context, parent_process
from queue import SimpleQueue
from typing import TYPE_CHECKING, Any, cast

from gemhunter.errors import EngineError, InputError
from gemhunter.optional_packages import has_package, missing_text

if TYPE_CHECKING:
    from multiprocessing.process import BaseProcess

    from pebble import ProcessPool


TRIES = 3
"""How many workers may die of a task before it counts as failed."""

TERMINATED_WORKER = 128 + signal.SIGTERM
"""The exit code of a worker that SIGTERM ended."""


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers that call functions elsewhere: `submit(function, *arguments)` returns a future.

    They work on `at_once` calls at a time; `failures` are the errors of a future whose worker died. `on_dask`
    says whether they belong to a Dask cluster.
    """

    submit: Callable[..., Future[Any]]
    at_once: int
    failures: tuple[type[Exception], ...] = ()
    on_dask: bool = False


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
            "worker processes ended before they got work; in a script, put the code that uses them below "
            'if __name__ == "__main__"'
        ) from None


@contextmanager
def worker_pool(number: int) -> Iterator["ProcessPool"]:
    """Start up to `number` processes as tasks are scheduled, and end them at the end of the block.

    Each is a new interpreter, because forking does not exist on Windows and is unsafe with threads. So
    functions and their arguments must be picklable.
    """
    from pebble import ProcessPool

    pool = ProcessPool(number, initializer=obey_parent, context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.stop()
        pool.join()


def obey_parent() -> None:
    """In a worker process: leave Ctrl-C to the process that started it, and end as soon as that has ended."""
    ignore_interrupts()
    parent = cast("BaseProcess", parent_process())

    def wait_for_end() -> None:
        connection.wait([parent.sentinel])
        os._exit(TERMINATED_WORKER)

    threading.Thread(target=wait_for_end, daemon=True).start()


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the process that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


@contextmanager
def ending_with_children() -> Iterator[None]:
    """In a worker process: on SIGTERM, end the programs that the block has started, and then the worker.

    Otherwise their files would remain. Workers of a cluster call functions in threads, which get no signals.
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
    # Each is a process, and some have a thread that waits for it.
    if not 1 <= number <= 1000:
        raise InputError(f"{number:,} workers; expected from 1 to 1,000")


@contextmanager
def core_workers(number: int) -> Iterator[Workers]:
    """Up to `number` threads, for functions that start a child process and wait for it.

    Functions are called with two more arguments: `core`, to which the child pins itself, and `is_cancelled`,
    which returns True once the block ends. The end of the block waits for the functions to return.
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
    """A core for one child at a time; None if cores cannot be chosen."""
    return _free_cores(1).get()


def pin_to_core(core: int | None) -> None:
    """Keep this process on one core, if the system allows that."""
    if core is not None and hasattr(os, "sched_setaffinity"):
        with suppress(OSError):
            os.sched_setaffinity(0, {core})


# A Dask cluster: workers that may be on other machines.


CONNECT_SECONDS = 20


@contextmanager
def dask_cluster(address: str, workers: int) -> Iterator[Workers]:
    """The cluster of a scheduler such as `tcp://host:8786`; for `dask`, a local one of `workers` workers."""
    if not has_package("distributed"):
        raise InputError(missing_text("a Dask cluster needs", "distributed"))
    from distributed import Client, LocalCluster
    from distributed.scheduler import KilledWorker

    with ExitStack() as stack:
        scheduler: Any = address
        if address == "dask":
            # One thread per worker, as a task keeps a core busy. The scheduler's pages cannot be switched
            # off: they get a free port, on this machine only, so that two clusters do not collide.
            local = LocalCluster(
                n_workers=workers, threads_per_worker=1, dashboard_address="127.0.0.1:0", silence_logs=50
            )
            scheduler = stack.enter_context(local)
        try:
            client = stack.enter_context(Client(scheduler, timeout=CONNECT_SECONDS, set_as_default=False))
        except (OSError, ValueError) as error:
            raise InputError(f"no Dask scheduler answers at {address}: {error}") from None
        threads = sum(client.nthreads().values())
        if threads == 0:
            raise InputError(f"the Dask cluster at {address} has no workers")
        if address == "dask":
            client.run(ignore_interrupts)
        executor = client.get_executor(pure=False, retries=TRIES - 1)
        try:
            yield Workers(executor.submit, threads, (KilledWorker,), on_dask=True)
        finally:
            executor.shutdown(wait=False)
