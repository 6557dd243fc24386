"""The workers of `bench` and `report`: how many, where, and what a resumed ledger says about them."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gemhunter.bench.runs import WorkersUsed, run_workers
from gemhunter.cli.exit_codes import note
from gemhunter.cli.options import cores
from gemhunter.work.ledger import Ledger
from gemhunter.work.workers import Workers

NOISE = "more workers make noisier times"


@contextmanager
def opened_workers(workers: int | str | None, before: Sequence[WorkersUsed] = ()) -> Iterator[Workers]:
    """A number of workers on this machine, or the cluster at an address.

    By default, as many workers as made the runs `before` on this machine, or else one, because runs at the
    same time share caches and memory; a cluster started here gets one per core.
    """
    known = before[-1].number if before and not before[-1].on_dask else 1
    address = workers if isinstance(workers, str) else None
    number = workers if isinstance(workers, int) else cores() if address else known
    with run_workers(address, number) as opened:
        yield opened


def note_new_workers(ledger: Ledger, workers: Workers, before: Sequence[WorkersUsed]) -> list[WorkersUsed]:
    """All workers of a resumed ledger; if they have changed, the ledger and a warning name the new ones.

    Other workers are allowed, because answers stay the same, and a cluster may finish what one machine began.
    """
    used = WorkersUsed.of(workers)
    if not before or used == before[-1]:
        return list(before)
    was, now = before[-1].words, used.words
    note(f"warning: the runs in {ledger.path} were made by {was}, the others are made by {now}; {NOISE}")
    ledger.add(used)
    return [*before, used]
