"""Worker processes that call functions, and end with the block that uses them."""

import signal
from collections.abc import Iterator
from contextlib import contextmanager
from multiprocessing import get_context
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pebble import ProcessPool


@contextmanager
def worker_pool(jobs: int) -> Iterator["ProcessPool"]:
    """Start up to `jobs` processes as tasks are scheduled, and end them at once on leaving the block.

    They are started afresh, as forking does not exist on Windows and is unsafe where there are threads. So
    functions and their arguments must be picklable.
    """
    from pebble import ProcessPool

    pool = ProcessPool(jobs, initializer=ignore_interrupts, context=get_context("spawn"))
    try:
        yield pool
    finally:
        pool.stop()
        pool.join()


def ignore_interrupts() -> None:
    """Leave Ctrl-C, which reaches all processes of a terminal, to the one that started this one."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
