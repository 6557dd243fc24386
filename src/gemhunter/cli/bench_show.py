"""`gemhunter bench show`: tables and charts of what has been measured, and two ledgers side by side."""

from collections.abc import Mapping
from pathlib import Path

import click

from gemhunter.bench.ledger import KeptRuns, open_comparison
from gemhunter.bench.ratios import compare
from gemhunter.cli.bench_charts import ChartChoices, chart_options, write_charts
from gemhunter.cli.bench_tables import ShownRuns, TableChoices, print_summary, print_text_table, table_options
from gemhunter.cli.bench_workers import warn_of_different_workers
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import options_as
from gemhunter.printable import json_text
from gemhunter.report.bench_records import RUN_COLUMNS, JsonValue, paired_records, run_records, write_json
from gemhunter.report.tables.summaries import change_table, paired_table, unpaired_table
from gemhunter.report.tables.text_table import TextTable


@click.command("show")
@click.argument(
    "ledgers",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LEDGER...",
)
@table_options
@chart_options
@click.option(
    "--every-run", is_flag=True, help="Print a row per run, of any number of ledgers, instead of averages."
)
@quiet_option
@options_as(TableChoices, "choices")
@options_as(ChartChoices, "pictures")
def show_bench(
    ledgers: tuple[Path, ...], *, choices: TableChoices, pictures: ChartChoices, every_run: bool
) -> int:
    """Print the table of a LEDGER again, draw it, or compare two of them.

    With two ledgers, each engine on each board is compared with itself: the second median as a multiple of
    the first, and per engine the geometric mean of these ratios with its 95 % interval.

    \b
    Examples:
      gemhunter bench show bench.jsonl --format tex
      gemhunter bench show bench.jsonl --counters conflicts,nodes --charts charts/
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench show bench.jsonl --every-run --format csv > runs.csv
    """
    if len(ledgers) > 2 and not every_run:
        raise click.UsageError("show one ledger, or compare two")
    if every_run and (pictures.charts is not None or choices.times is not None):
        raise click.UsageError("--every-run prints runs only; leave out --charts and --times")
    pictures.require()
    kept = [(path, open_comparison(path)) for path in ledgers]
    if every_run:
        _print_every_run(kept, choices.form)
        return SOLVED
    if len(kept) == 2:
        if pictures.charts is not None or choices.times is not None:
            raise click.UsageError(f"--{'times' if pictures.charts is None else 'charts'} takes one ledger")
        _print_pair(*kept, form=choices.form)
        return SOLVED
    ((_, found),) = kept
    shown = _shown(found)
    wrong = print_summary(shown, choices)
    write_charts(shown, pictures, choices.look.average)
    return ENGINE_FAILED if wrong else SOLVED


def _shown(found: KeptRuns) -> ShownRuns:
    heading = found.heading
    return ShownRuns(
        heading.title,
        heading.boards,
        heading.engines,
        found.measurements,
        found.workers,
        heading.versions.get("gemhunter", ""),
        heading.setting,
        heading.compiled,
    )


def _print_every_run(kept: list[tuple[Path, KeptRuns]], form: str) -> None:
    records = [record for path, found in kept for record in run_records(path.stem, found)]
    if form == "json":
        click.echo(write_json(records), nl=False)
    else:
        rows = tuple(tuple(map(_cell, record.values())) for record in records)
        print_text_table(TextTable(RUN_COLUMNS, rows), form)


def _cell(value: JsonValue) -> str:
    if isinstance(value, Mapping):
        return json_text(value)
    return "" if value is None else str(value)


def _print_pair(before: tuple[Path, KeptRuns], after: tuple[Path, KeptRuns], *, form: str) -> None:
    names = (before[0].stem, after[0].stem)
    warn_of_different_workers((before[0].name, after[0].name), (before[1].workers, after[1].workers))
    paired = compare(before[1].measurements, after[1].measurements, names)
    if form == "json":
        click.echo(write_json(paired_records(paired)), nl=False)
        return
    print_text_table(paired_table(paired, in_file=form != "text"), form)
    click.echo()
    print_text_table(change_table(paired), form)
    if paired.only_before or paired.only_after:
        click.echo()
        print_text_table(unpaired_table(paired), form)
