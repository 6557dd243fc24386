"""A Dask cluster: workers that may be on other machines."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from gemhunter.errors import InputError
from gemhunter.extras import has_package, missing_text
from gemhunter.work.workers import TRIES, Workers, ignore_interrupts

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
