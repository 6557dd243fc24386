"""Tables of comparisons, printed in the form that was asked for."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.notes import complain, note
from gemhunter.cli.option_types import OutputFile
from gemhunter.cli.options import Command

if TYPE_CHECKING:
    from gemhunter.bench.ledger import BoardFacts
    from gemhunter.bench.runs import EngineComparison
    from gemhunter.bench.values import Measurement, WorkersUsed
    from gemhunter.report.tables.summaries import Average
    from gemhunter.report.tables.text_table import TextTable

FORMATS = ("text", "csv", "md", "tex", "json")
LOOKS = ("form", "average", "spread", "counters", "times")
"""The parameters of `table_options`."""


def table_options(command: Command) -> Command:
    """How a table of times looks."""
    for option in (
        click.option(
            "--times",
            type=OutputFile(),
            metavar="FILE",
            help="Write the times to FILE as well, laid out like S2's result_times.txt.",
        ),
        click.option("--counters", metavar="LIST", help="Counters beside times, such as conflicts,nodes."),
        click.option("--spread", is_flag=True, help="Show how far the runs are apart."),
        click.option(
            "--average",
            type=click.Choice(["median", "mean"]),
            default="median",
            show_default=True,
            help="The number that stands for all runs.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(FORMATS),
            default="text",
            show_default=True,
            help="How to print the table.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class ShownRuns:
    """What the tables of a comparison are made from.

    `workers` are those that made the runs, `version` is the program's, `seed` that of first runs.
    """

    boards: "Sequence[BoardFacts]"
    engines: Sequence[str]
    measurements: "Sequence[Measurement]"
    workers: "Sequence[WorkersUsed]"
    version: str
    seed: int


def print_summary(
    runs: ShownRuns,
    *,
    form: str,
    average: str = "median",
    spread: bool = False,
    counters: str | None = None,
    times: Path | None = None,
) -> bool:
    """Print a table of times and a ranking; True, with an error line each, if answers cannot all be right."""
    from gemhunter.bench.ledger import workers_text
    from gemhunter.bench.summary import disagreements, summarise
    from gemhunter.report.json_records import summary_records, write_json
    from gemhunter.report.tables.summaries import Average, TableLook, ranking_table, summary_table

    boards = runs.boards
    summary = summarise(runs.measurements, boards=[board.name for board in boards], engines=runs.engines)
    if form == "json":
        click.echo(write_json(summary_records(summary, runs.version, runs.seed)), nl=False)
    else:
        sizes = {board.name: f"{board.rows}×{board.cols}" for board in boards}
        names = tuple(name.strip() for name in counters.split(",")) if counters else ()
        look = TableLook(Average(average), form != "text", spread, names, {"size": sizes})
        print_text_table(summary_table(summary, look), form)
        if form == "text" and len(summary.engines) > 1 and len(summary.boards) > 1:
            click.echo()
            print_text_table(ranking_table(summary), form)
        if form == "text":
            click.echo(f"\n{workers_text(runs.workers)}")
    if times is not None:
        write_times(runs, Average(average), times)
    wrong = disagreements(runs.measurements)
    for each in wrong:
        complain(each.text)
    return bool(wrong)


def write_times(runs: ShownRuns, average: "Average", path: Path) -> None:
    """Write the table of a course report, and say so."""
    from gemhunter.cli.solve_times import result_times_text
    from gemhunter.formats.files import write_atomically
    from gemhunter.report.tables.bench_times import measured_cases

    cases = measured_cases(runs.boards, runs.measurements, average)
    write_atomically(path, result_times_text(runs.engines, cases))
    note(f"written: {path}")


def print_text_table(table: "TextTable", form: str) -> None:
    """A table for people, or for one of the formats that documents are made of."""
    from gemhunter.cli.screen import aligned
    from gemhunter.report.tables.text_table import write_csv, write_latex, write_markdown

    writers: dict[str, Callable[[Any], str]] = {"csv": write_csv, "md": write_markdown, "tex": write_latex}
    if form in writers:
        click.echo(writers[form](table), nl=False)
    else:
        click.echo("\n".join(aligned([table.headings, *table.rows])))


def board_facts(comparison: "EngineComparison") -> "list[BoardFacts]":
    """What the tables say of the boards of a comparison."""
    from gemhunter.bench.ledger import facts_of

    return [facts_of(board) for board in comparison.suite.boards]
