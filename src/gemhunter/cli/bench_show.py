"""`gemhunter bench show`: tables and charts of what has been measured, and two ledgers side by side."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from gemhunter.bench.ledger import BenchHeading, KeptRuns, open_comparison
from gemhunter.bench.ratios import compare
from gemhunter.bench.summary import Summary, summarise
from gemhunter.cli.bench_tables import ShownRuns, TableChoices, print_summary, print_text_table, table_options
from gemhunter.cli.bench_workers import warn_of_different_workers
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import options_as
from gemhunter.formats.files import make_folder, require_writable_folder, write_atomically
from gemhunter.printable import json_text
from gemhunter.report.bench_records import RUN_COLUMNS, JsonValue, paired_records, run_records, write_json
from gemhunter.report.charts.many_boards import cactus_chart, engines_chart, scaling_chart
from gemhunter.report.charts.one_board import board_chart, counters_chart
from gemhunter.report.charts.style import ChartLook, Theme, png_of, svg_of
from gemhunter.report.tables.summaries import Average, change_table, paired_table, unpaired_table
from gemhunter.report.tables.text_table import TextTable

if TYPE_CHECKING:
    from matplotlib.figure import Figure

CHART_WRITERS: Mapping[str, Callable[..., str | bytes]] = MappingProxyType({"svg": svg_of, "png": png_of})
"""How charts are written."""


@dataclass(frozen=True, slots=True)
class ChartChoices:
    """The options about charts: their folder, kind of pictures, shape and colours."""

    charts: Path | None
    charts_format: str
    line: bool
    dark: bool


@click.command("show")
@click.argument(
    "ledgers",
    nargs=-1,
    required=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    metavar="LEDGER...",
)
@table_options
@click.option(
    "--charts",
    type=click.Path(file_okay=False, path_type=Path),
    metavar="FOLDER",
    help="Draw times and counters per board, times by size, a cactus plot and every two engines.",
)
@click.option(
    "--charts-format",
    type=click.Choice(list(CHART_WRITERS)),
    default=next(iter(CHART_WRITERS)),
    show_default=True,
    help="What kind of pictures.",
)
@click.option(
    "--every-run", is_flag=True, help="Print a row per run, of any number of ledgers, instead of averages."
)
@click.option("--line", is_flag=True, help="Charts of boards as a line with markers instead of bars.")
@click.option("--dark", is_flag=True, help="Charts for a dark page.")
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
    if pictures.charts is not None:
        require_writable_folder(pictures.charts)
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
    wrong = print_summary(_shown(found), choices)
    if pictures.charts is not None:
        make_folder(pictures.charts)
        for name, drawn in _drawn(found, pictures, choices.look.average):
            write_atomically(pictures.charts / name, drawn)
    return ENGINE_FAILED if wrong else SOLVED


def _shown(found: KeptRuns) -> ShownRuns:
    heading = found.heading
    version = heading.versions.get("gemhunter", "")
    runs = (found.measurements, found.workers)
    return ShownRuns(heading.boards, heading.engines, *runs, version, heading.setting.seed, heading.compiled)


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


def _drawn(kept: KeptRuns, pictures: ChartChoices, average: Average) -> Iterator[tuple[str, str | bytes]]:
    """All charts, as names of files and their contents."""
    heading = kept.heading
    summary = summarise(
        kept.measurements, boards=[board.name for board in heading.boards], engines=heading.engines
    )
    for name, figure in _charts(heading, summary, pictures, average).items():
        yield f"{name}.{pictures.charts_format}", CHART_WRITERS[pictures.charts_format](figure)


def _charts(
    heading: BenchHeading, summary: Summary, pictures: ChartChoices, average: Average
) -> "dict[str, Figure]":
    """Charts by the names of their files."""

    theme, limit = Theme.DARK if pictures.dark else Theme.LIGHT, heading.setting.limits.seconds
    charts = {
        f"board-{_file_name(board)}": board_chart(
            summary, board, ChartLook(board, theme), average=average, line=pictures.line
        )
        for board in summary.boards
    }
    charts |= {
        f"counters-{_file_name(board)}": counters_chart(summary, board, ChartLook(board, theme))
        for board in summary.boards
    }
    cells = {board.name: board.rows * board.cols for board in heading.boards}
    charts["scaling"] = scaling_chart(summary, cells, ChartLook(heading.title, theme), limit=limit)
    charts["cactus"] = cactus_chart(summary, ChartLook(heading.title, theme), limit=limit)
    for one, other in combinations(summary.engines, 2):
        name = f"{_file_name(one)}-against-{_file_name(other)}"
        charts[name] = engines_chart(summary, (one, other), ChartLook("", theme))
    return charts


def _file_name(text: str) -> str:
    """A name without what file systems do not like."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in text)
