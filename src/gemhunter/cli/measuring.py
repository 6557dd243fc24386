"""What experiments have in common on the screen: options, progress and Ctrl-C."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

from gemhunter.cli.ranges import FIRST_SEED

if TYPE_CHECKING:
    from gemhunter.work.estimates import Interval

Result = TypeVar("Result")
Command = TypeVar("Command", bound=Callable[..., Any])


def seed_option(command: Command) -> Command:
    """Where the seeds of an experiment begin."""
    return click.option(
        "--seed",
        type=FIRST_SEED,
        default=1,
        show_default=True,
        help="Seed of the first game or board; the others follow it.",
    )(command)


def fields_of(name: str, interval: "Interval") -> dict[str, float | None]:
    """What programs get of an estimate: the value and both ends of its interval, None for an endless one."""
    ends = {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return {key: round(end, 6) if isfinite(end) else None for key, end in ends.items()}


@dataclass(frozen=True, slots=True)
class ExperimentProgress:
    """How far an experiment is: so many tasks, and from a result the one at hand and how many units of it."""

    tasks: int
    unit: str
    at_hand: Callable[[Any], tuple[str, int]]


def run_to_end(results: Iterator[Result], pace: ExperimentProgress, show: Callable[[Result], None]) -> None:
    """Show the last of ever more complete results or, after Ctrl-C, what there is; meanwhile, progress."""
    from gemhunter.cli.interrupts import stop_if_pending
    from gemhunter.cli.screen import Progress

    progress, task, began = Progress(pace.tasks, unit=pace.unit), "", time.monotonic()
    latest: Result | None = None
    try:
        for latest in results:
            stop_if_pending()
            name, count = pace.at_hand(latest)
            if name != task:
                task, began = name, time.monotonic()
                progress.begin(name)
            progress.tick(time.monotonic() - began, count)
    finally:
        progress.clear()
        if latest is not None:
            show(latest)
