"""Tables of comparisons, printed in the form that was asked for."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from gemhunter.bench.ledger import BoardFacts, workers_text
from gemhunter.bench.runs import RunSetting
from gemhunter.bench.summary import disagreements, summarise
from gemhunter.bench.values import Measurement, WorkersUsed
from gemhunter.cli.notes import complain, note
from gemhunter.cli.option_types import OutputFile
from gemhunter.cli.options import Command
from gemhunter.cli.solve_times import result_times_text
from gemhunter.cli.table_formats import DOCUMENT_FORMS, text_table_in
from gemhunter.formats.files import write_atomically
from gemhunter.queries.warmup import has_kernels
from gemhunter.report.bench_records import summary_records, write_json
from gemhunter.report.tables.bench_times import S4_HEADING, board_columns, measured_cases
from gemhunter.report.tables.result_times import mode_text
from gemhunter.report.tables.summaries import Average, TableLook, ranking_table, summary_table
from gemhunter.report.tables.text_table import TextTable


@dataclass(frozen=True, slots=True)
class TableChoices:
    """The options about tables of times: form and average, what stands beside times, a file for times."""

    form: str
    average: str
    spread: bool
    counters: str | None
    times: Path | None

    @property
    def look(self) -> TableLook:
        """How a table of times looks."""
        names = tuple(name.strip() for name in self.counters.split(",")) if self.counters else ()
        return TableLook(Average(self.average), self.form != "text", self.spread, names)


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
            type=click.Choice([average.value for average in Average]),
            default=Average.MEDIAN.value,
            show_default=True,
            help="The number that stands for all runs.",
        ),
        click.option(
            "--format",
            "form",
            type=click.Choice(DOCUMENT_FORMS),
            default="text",
            show_default=True,
            help="How to print the table.",
        ),
    ):
        command = option(command)
    return command


@dataclass(frozen=True, slots=True)
class ShownRuns:
    """What the tables and charts of a comparison are made from.

    `workers` are those that made the runs, `version` is the program's, and `compiled` says whether engines
    written here ran compiled.
    """

    title: str
    boards: Sequence[BoardFacts]
    engines: Sequence[str]
    measurements: Sequence[Measurement]
    workers: Sequence[WorkersUsed]
    version: str
    setting: RunSetting
    compiled: bool


def print_summary(runs: ShownRuns, choices: TableChoices) -> bool:
    """Print a table of times and a ranking; True, with an error line each, if answers cannot all be right."""
    boards, form = runs.boards, choices.form
    columns = board_columns(boards, runs.engines, in_file=form != "text")
    summary = summarise(runs.measurements, boards=[board.name for board in boards], engines=runs.engines)
    if form == "json":
        click.echo(write_json(summary_records(summary, boards, runs.version, runs.setting.seed)), nl=False)
    else:
        print_text_table(summary_table(summary, replace(choices.look, columns=columns)), form)
    if form == "text":
        if len(summary.engines) > 1 and len(summary.boards) > 1:
            click.echo()
            print_text_table(ranking_table(summary), form)
        click.echo()
        s4 = "; S4: with --variables all --keep-duplicates" if S4_HEADING in columns else ""
        click.echo(f"clauses: as `cnf BOARD` writes them{s4}")
        if mode := _mode_of(runs):
            click.echo(mode)
        click.echo(workers_text(runs.workers))
    if choices.times is not None:
        _write_times(runs, choices.look.average, choices.times)
    wrong = disagreements(runs.measurements)
    for each in wrong:
        complain(each.text)
    return bool(wrong)


def print_text_table(table: TextTable, form: str) -> None:
    """Print a table for people, or in one of the forms that documents are made of."""
    click.echo(text_table_in(form, table), nl=False)


def _write_times(runs: ShownRuns, average: Average, path: Path) -> None:
    """Write the table of a course report, and a note about it."""
    cases = measured_cases(runs.boards, runs.measurements, average)
    write_atomically(path, result_times_text(runs.engines, cases, _mode_of(runs)))
    note(f"written: {path}")


def _mode_of(runs: ShownRuns) -> str | None:
    """How engines written here ran; None if there are none."""
    return mode_text(compiled=runs.compiled) if any(map(has_kernels, runs.engines)) else None
