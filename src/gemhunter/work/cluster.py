"""A Dask cluster as a place to work: functions are called on its workers, wherever these are."""

from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from gemhunter.errors import InputError
from gemhunter.extras import missing_text
from gemhunter.work.pool import ignore_interrupts

LOCAL = "local"
"""In place of an address: a cluster on this machine, for as long as it is used."""

TRIES = 3
"""How often a task is given to a worker before its death is put down to the task."""

CONNECT_SECONDS = 20


@dataclass(frozen=True, slots=True)
class Workers:
    """Workers that call functions elsewhere: `submit(function, *arguments)` promises its result.

    Function and arguments must be picklable. `at_once` of them are worked on at a time; `failures` are the
    errors by which a promise says that its worker died.
    """

    submit: Callable[..., Future[Any]]
    at_once: int
    failures: tuple[type[Exception], ...]


@contextmanager
def dask_cluster(address: str, workers: int) -> Iterator[Workers]:
    """The cluster of a scheduler such as `tcp://host:8786`, or a `local` one with that many workers."""
    if find_spec("distributed") is None:
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
                yield Workers(executor.submit, threads, (KilledWorker,))
            finally:
                executor.shutdown(wait=False)


@contextmanager
def _scheduler(address: str, workers: int) -> Iterator[Any]:
    """The address, or a cluster on this machine that ends with the block."""
    if address != LOCAL:
        yield address
        return
    from distributed import LocalCluster

    # One thread each: a task is worth a core. No dashboard: it would open a port.
    with LocalCluster(
        n_workers=workers, threads_per_worker=1, dashboard_address=None, silence_logs=50
    ) as cluster:
        yield cluster
