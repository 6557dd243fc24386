"""Where runs are made: on the cores of this machine, or on a Dask cluster."""

import os
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue

from gemhunter.bench.measure import RunSetting, measure
from gemhunter.bench.values import BenchBoard, Measurement, RunTask, WorkersUsed
from gemhunter.errors import InputError
from gemhunter.work.cluster import dask_cluster

MOST_WORKERS = 1000
"""Each is a thread that waits for a process."""

Submit = Callable[[RunTask, BenchBoard, RunSetting], "Future[Measurement | None]"]


@dataclass(frozen=True, slots=True)
class Place:
    """Takes runs and promises measurements, `at_once` of them; None is a run that was cancelled.

    `failures` are the errors by which a promise says that its workers died, one after the other.
    """

    submit: Submit
    at_once: int
    failures: tuple[type[Exception], ...] = ()
    is_dask: bool = False

    @property
    def workers(self) -> WorkersUsed:
        """What a ledger keeps of this place."""
        return WorkersUsed(self.at_once, self.is_dask)


def place_for(dask: str | None, workers: int) -> AbstractContextManager[Place]:
    """The Dask cluster at an address, or without one this machine."""
    return on_dask(dask, workers) if dask else this_machine(workers)


@contextmanager
def this_machine(workers: int) -> Iterator[Place]:
    """Up to `workers` runs side by side, each pinned to a core; leaving the block ends those under way."""
    cores, is_over = free_cores(workers), threading.Event()

    def make(task: RunTask, board: BenchBoard, setting: RunSetting) -> Measurement | None:
        core = cores.get()
        try:
            return measure(task, board, setting, core=core, is_cancelled=is_over.is_set)
        finally:
            cores.put(core)

    with ThreadPoolExecutor(workers) as pool:
        try:
            yield Place(lambda *run: pool.submit(make, *run), workers)
        finally:
            is_over.set()


@contextmanager
def on_dask(address: str, workers: int) -> Iterator[Place]:
    """The workers of a Dask cluster; each makes a run in a process of its own, as this machine does."""
    with dask_cluster(address, workers) as cluster:
        yield Place(
            lambda *run: cluster.submit(measure, *run), cluster.at_once, cluster.failures, is_dask=True
        )


def free_cores(workers: int) -> "SimpleQueue[int | None]":
    """A core for each worker; None if there are more workers than cores, or cores cannot be chosen."""
    if workers > MOST_WORKERS:
        raise InputError(f"{workers:,} workers; expected at most {MOST_WORKERS:,}")
    known = sorted(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else []
    free: SimpleQueue[int | None] = SimpleQueue()
    for place in range(workers):
        free.put(known[place] if workers <= len(known) else None)
    return free
