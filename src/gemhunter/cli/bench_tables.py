"""Tables of comparisons, printed in the form that was asked for."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.options import Command

if TYPE_CHECKING:
    from gemhunter.bench.ledger import BoardFacts
    from gemhunter.bench.runs import EngineComparison
    from gemhunter.bench.values import Measurement
    from gemhunter.report.tables import TextTable

FORMATS = ("text", "csv", "md", "tex", "json")


def table_options(command: Command) -> Command:
    """How a table of times looks."""
    for option in (
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


def print_summary(
    boards: "Sequence[BoardFacts]",
    engines: Sequence[str],
    measurements: "Sequence[Measurement]",
    *,
    form: str,
    average: str = "median",
    spread: bool = False,
    counters: str | None = None,
) -> bool:
    """Print a table of times and a ranking; True, with an error line each, if answers cannot all be right."""
    from gemhunter.bench.summary import disagreements, summarise
    from gemhunter.report.json_records import summary_records, write_json
    from gemhunter.report.tables import Average, TableLook, ranking_table, summary_table

    summary = summarise(measurements, boards=[board.name for board in boards], engines=engines)
    if form == "json":
        click.echo(write_json(summary_records(summary)), nl=False)
    else:
        sizes = {board.name: f"{board.rows}×{board.cols}" for board in boards}
        names = tuple(name.strip() for name in counters.split(",")) if counters else ()
        look = TableLook(Average(average), form != "text", spread, names, {"size": sizes})
        print_text_table(summary_table(summary, look), form)
        if form == "text" and len(summary.engines) > 1 and len(summary.boards) > 1:
            click.echo()
            print_text_table(ranking_table(summary), form)
    wrong = disagreements(measurements)
    for each in wrong:
        click.echo(f"error: {each.text}", err=True)
    return bool(wrong)


def print_text_table(table: "TextTable", form: str) -> None:
    """A table for people, or for one of the formats that documents are made of."""
    from gemhunter.cli.screen import aligned
    from gemhunter.report.table_formats import write_csv, write_latex, write_markdown

    writers: dict[str, Callable[[Any], str]] = {"csv": write_csv, "md": write_markdown, "tex": write_latex}
    if form in writers:
        click.echo(writers[form](table), nl=False)
    else:
        click.echo("\n".join(aligned([table.headings, *table.rows])))


def board_facts(comparison: "EngineComparison") -> "list[BoardFacts]":
    """What the tables say of the boards of a comparison."""
    from gemhunter.bench.ledger import facts_of

    return [facts_of(board) for board in comparison.suite.boards]
