"""What all generators share: the workers that make boards, and boards that come with progress."""

from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, contextmanager
from typing import TypeVar

import click

from gemhunter.cli.interrupts import is_pending
from gemhunter.cli.option_types import AT_LEAST_ONE, WorkerOptions
from gemhunter.cli.options import Command, cores, dask_option
from gemhunter.cli.progress import Progress
from gemhunter.generate.parallel import Watch, WorkersAsked
from gemhunter.work.cluster import dask_cluster
from gemhunter.work.workers import require_workers

Made = TypeVar("Made")


def generator_workers_options(command: Command) -> Command:
    """Where boards are made."""
    workers = click.option(
        "--workers",
        type=AT_LEAST_ONE,
        metavar="N",
        help="Processes that work, if it takes more than a few seconds [default: all cores].",
    )
    return workers(dask_option("Work")(command))


@contextmanager
def asked_workers(options: WorkerOptions) -> Iterator[WorkersAsked]:
    """The workers asked for: all cores of this machine, fewer of them, or those of a cluster."""
    number = options.workers or cores()
    require_workers(number)
    if options.dask is None:
        yield number
        return
    with dask_cluster(options.dask, number) as cluster:
        yield cluster


def watched_by(progress: Progress) -> Watch:
    """How a generator reports its progress, and hears of a stop that no exception reported."""
    return Watch(is_pending, progress.tick)


def with_progress(
    made: Generator[Made, None, None], names: Iterable[str], progress: Progress
) -> Iterator[Made]:
    """What a generator makes; each result has a name, which is shown until it is there."""
    try:
        with closing(made):
            for name in names:
                progress.begin(name)
                found = next(made, None)
                progress.clear()
                if found is None:
                    return
                yield found
    finally:
        progress.clear()
