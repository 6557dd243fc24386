"""What experiments have in common on the screen: options, progress, Ctrl-C, and tables in four forms."""

import csv
import io
import json
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

import click

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
    from gemhunter.cli.screen import print_table

    if form == "json":
        click.echo(json.dumps(table.records, indent=2, ensure_ascii=False))
    elif form == "csv":
        click.echo(_csv(table), nl=False)
    elif form == "md":
        lines = [table.headings, ["---"] * len(table.headings), *table.rows]
        click.echo("\n".join(f"| {' | '.join(line)} |" for line in lines))
    else:
        print_table(table.headings, table.rows)


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
    from gemhunter.solving.run import Limits, Run

    progress, task, began = Progress(pace.tasks, unit=pace.unit), "", time.monotonic()
    run = Run(Limits(), notice=progress.tell)
    latest: Result | None = None
    try:
        with run.compiling():
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


def _csv(table: Table) -> str:
    text = io.StringIO()
    flat = [{key: _cell(value) for key, value in record.items()} for record in table.records]
    writer = csv.DictWriter(text, list(flat[0]) if flat else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(flat)
    return text.getvalue()


def _cell(value: Any) -> Any:
    return " ".join(map(str, value)) if isinstance(value, list) else value
