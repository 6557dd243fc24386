"""`gemhunter bench show`: tables and charts of what has been measured, and two ledgers side by side."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.bench_places import warn_of_difference
from gemhunter.cli.bench_tables import LOOKS, ShownRuns, print_summary, print_text_table, table_options
from gemhunter.cli.exit_codes import ENGINE_FAILED, SOLVED
from gemhunter.cli.notes import note, quiet_option
from gemhunter.cli.option_types import OutputFile

if TYPE_CHECKING:
    from gemhunter.bench.ledger import BenchHeading, KeptRuns
    from gemhunter.bench.summary import Summary


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
    type=click.Choice(["svg", "png"]),
    default="svg",
    show_default=True,
    help="What kind of pictures.",
)
@click.option("--sql", metavar="QUERY", help="Print the answer to a query about the table `runs` instead.")
@click.option(
    "--parquet", type=OutputFile(), metavar="FILE", help="Write the table `runs` to a Parquet FILE."
)
@click.option("--line", is_flag=True, help="Charts of boards as a line with markers instead of bars.")
@click.option("--dark", is_flag=True, help="Charts for a dark page.")
@quiet_option
def show_bench(ledgers: tuple[Path, ...], *, charts: Path | None, **how: Any) -> int:
    """Print the table of a LEDGER again, draw it, or compare two of them.

    With two ledgers, each engine on each board is compared with itself: the second median as a multiple of
    the first, and per engine the geometric mean of these ratios with its 95 % interval.

    \b
    Examples:
      gemhunter bench show bench.jsonl --format tex
      gemhunter bench show bench.jsonl --counters conflicts,nodes --charts charts/
      gemhunter bench show before.jsonl after.jsonl
      gemhunter bench show bench.jsonl --sql "SELECT engine, count(*) FROM runs GROUP BY engine"
    """
    from gemhunter.bench.ledger import open_comparison
    from gemhunter.formats.files import require_writable_folder

    sql, parquet = how.pop("sql"), how.pop("parquet")
    if len(ledgers) > 2 and sql is None and parquet is None:
        raise click.UsageError("show one ledger, or compare two")
    if charts is not None:
        require_writable_folder(charts)
    kept = [(path, open_comparison(path)) for path in ledgers]
    if sql is not None or parquet is not None:
        _use_database(kept, sql, parquet, how["form"])
        return SOLVED
    if len(kept) == 2:
        if charts is not None or how["times"] is not None:
            raise click.UsageError(f"--{'times' if charts is None else 'charts'} takes one ledger")
        _print_pair(*kept, form=how["form"])
        return SOLVED
    ((path, found),) = kept
    heading = _heading(path, found)
    wrong = print_summary(_shown(heading, found), **{name: how[name] for name in LOOKS})
    if charts is not None:
        _draw(heading, found, charts, how)
    return ENGINE_FAILED if wrong else SOLVED


def _shown(heading: "BenchHeading", found: "KeptRuns") -> ShownRuns:
    version = heading.versions.get("gemhunter", "")
    runs = (found.measurements, found.workers)
    return ShownRuns(heading.boards, heading.engines, *runs, version, heading.setting.seed)


def _use_database(
    kept: "list[tuple[Path, KeptRuns]]", sql: str | None, parquet: Path | None, form: str
) -> None:
    """Answer a query about all runs, and write them to a file."""
    from gemhunter.report.database import query, write_parquet

    ledgers = [(path.stem, found) for path, found in kept]
    answer = None if sql is None else query(ledgers, sql)  # a query that is refused leaves no file behind
    if parquet is not None:
        write_parquet(ledgers, parquet)
        note(f"written: {parquet}")
    if answer is not None:
        print_text_table(answer, form)


def _heading(path: Path, kept: "KeptRuns") -> "BenchHeading":
    from gemhunter.errors import InputError

    if kept.heading is None:
        raise InputError(f"{path} is empty")
    return kept.heading


def _print_pair(before: "tuple[Path, KeptRuns]", after: "tuple[Path, KeptRuns]", *, form: str) -> None:
    from gemhunter.bench.ratios import compare
    from gemhunter.report.json_records import paired_records, write_json
    from gemhunter.report.tables.summaries import change_table, paired_table, unpaired_table

    names = (before[0].stem, after[0].stem)
    warn_of_difference((before[0].name, after[0].name), (before[1].workers, after[1].workers))
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


def _draw(heading: "BenchHeading", kept: "KeptRuns", folder: Path, how: dict[str, Any]) -> None:
    """Write all charts; what is in the folder under other names stays."""
    from gemhunter.bench.summary import summarise
    from gemhunter.formats.files import make_folder, write_atomically
    from gemhunter.report.charts.style import png_of, svg_of

    summary = summarise(
        kept.measurements, boards=[board.name for board in heading.boards], engines=heading.engines
    )
    make_folder(folder)
    for name, figure in _charts(heading, summary, how).items():
        drawn = svg_of(figure) if how["charts_format"] == "svg" else png_of(figure)
        write_atomically(folder / f"{name}.{how['charts_format']}", drawn)


def _charts(heading: "BenchHeading", summary: "Summary", how: dict[str, Any]) -> dict[str, Any]:
    """Charts by the names of their files."""
    from itertools import combinations

    from gemhunter.report.charts.many_boards import cactus_chart, engines_chart, scaling_chart
    from gemhunter.report.charts.one_board import board_chart, counters_chart
    from gemhunter.report.charts.style import ChartLook, Theme
    from gemhunter.report.tables.summaries import Average

    theme, limit = Theme.DARK if how["dark"] else Theme.LIGHT, heading.setting.limits.seconds
    average = Average(how["average"])
    charts = {
        f"board-{_file_name(board)}": board_chart(
            summary, board, ChartLook(board, theme), average=average, line=how["line"]
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
