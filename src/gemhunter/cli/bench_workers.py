"""The workers that make the runs of a comparison, and warnings if they change while a ledger grows."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager

from gemhunter.bench.ledger import workers_record, workers_text
from gemhunter.bench.runs import run_workers
from gemhunter.bench.values import WorkersUsed
from gemhunter.cli.notes import note
from gemhunter.cli.option_types import WorkerOptions
from gemhunter.cli.options import cores
from gemhunter.work.ledger import Ledger
from gemhunter.work.workers import Workers

NOISE = "more workers make noisier times"


@contextmanager
def opened_workers(options: WorkerOptions, before: Sequence[WorkersUsed] = ()) -> Iterator[Workers]:
    """The workers asked for; by default as many on this machine as made the runs `before`, or all cores."""
    known = before[-1].number if before and not before[-1].on_dask else cores()
    with run_workers(options.dask, options.workers or known) as workers:
        yield workers


def note_new_workers(ledger: Ledger, workers: Workers, before: Sequence[WorkersUsed]) -> list[WorkersUsed]:
    """All workers that a resumed ledger knows of; new ones are recorded in it, with a warning.

    They are not refused: the answers are the same, and a cluster may finish what one machine began.
    """
    used = WorkersUsed.of(workers)
    if not before or used == before[-1]:
        return list(before)
    was, now = before[-1].words, used.words
    note(f"warning: the runs in {ledger.path} were made by {was}, the others are made by {now}; {NOISE}")
    ledger.add(workers_record(used))
    return [*before, used]


def warn_of_different_workers(names: tuple[str, str], workers: tuple[Sequence[WorkersUsed], ...]) -> None:
    """Print a warning if two ledgers name different numbers of workers."""
    first, second = workers
    if first and second and set(first) != set(second):
        made = [f"{name} was {workers_text(used)}" for name, used in zip(names, workers, strict=True)]
        note(f"warning: {', '.join(made)}; {NOISE}")
