"""What experiments have in common on the screen: options, progress, Ctrl-C, and tables in four forms."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Any, TypeVar

import click

if TYPE_CHECKING:
    from gemhunter.work.estimates import Interval

Result = TypeVar("Result")
Command = TypeVar("Command", bound=Callable[..., Any])


@dataclass(frozen=True, slots=True)
class Table:
    """Rows for people under their headings, and the same as records for programs."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Sequence[dict[str, Any]]


def table_format_option(command: Command) -> Command:
    """How to print a table."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json", "csv", "md"]),
        default="text",
        show_default=True,
        help="How to print.",
    )(command)


def seed_option(command: Command) -> Command:
    """Where the seeds of an experiment begin."""
    return click.option(
        "--seed",
        type=click.IntRange(min=0, max=2**62),
        default=1,
        show_default=True,
        help="Seed of the first game or board; the others follow it.",
    )(command)


def print_table_as(form: str, table: Table) -> None:
    """Print a table for people, for programs, or for a page."""
    if form == "json":
        click.echo(json.dumps(table.records, indent=2, ensure_ascii=False))
    elif form == "csv":
        print_csv(table.records)
    else:
        print_rows(form, table.headings, table.rows)


def print_rows(form: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows for a terminal, or as `md` for a page."""
    from gemhunter.cli.screen import print_table

    if form == "md":
        lines = [headings, ["---"] * len(headings), *rows]
        click.echo("\n".join(f"| {' | '.join(line)} |" for line in lines))
    else:
        print_table(headings, rows)


def print_csv(records: Sequence[Mapping[str, Any]]) -> None:
    """Print a row per record, all of which have the same keys; a list is a cell, its entries apart."""
    text = io.StringIO()
    writer = csv.DictWriter(text, list(records[0]) if records else [], lineterminator="\n")
    if records:
        writer.writeheader()
    for record in records:
        writer.writerow({key: _cell(value) for key, value in record.items()})
    click.echo(text.getvalue(), nl=False)


def fields_of(name: str, interval: "Interval") -> dict[str, float | None]:
    """What programs get of an estimate: the value and both ends of its interval, None for an endless one."""
    ends = {name: interval.value, f"{name}_low": interval.low, f"{name}_high": interval.high}
    return {key: round(end, 6) if isfinite(end) else None for key, end in ends.items()}


@dataclass(frozen=True, slots=True)
class Pace:
    """How far an experiment is: so many tasks, and from a result the one at hand and how many units of it."""

    tasks: int
    unit: str
    at_hand: Callable[[Any], tuple[str, int]]


def run_to_end(results: Iterator[Result], pace: Pace, show: Callable[[Result], None]) -> None:
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


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value
