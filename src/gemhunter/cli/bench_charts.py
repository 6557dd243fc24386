"""Charts of comparisons: the options about them, and the files."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import click

from gemhunter.bench.summary import Summary, summarise
from gemhunter.cli.bench_tables import ShownRuns
from gemhunter.cli.notes import note
from gemhunter.cli.options import Command
from gemhunter.core.plurals import counted
from gemhunter.formats.files import make_folder, require_writable_folder, write_atomically
from gemhunter.report.charts.many_boards import cactus_chart, engines_chart, scaling_chart
from gemhunter.report.charts.one_board import board_chart, counters_chart
from gemhunter.report.charts.style import ChartLook, Theme, png_of, require_matplotlib, svg_of
from gemhunter.report.tables.summaries import Average

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

    def require(self) -> None:
        """Report before any work is done that charts cannot be drawn, or not be written to their folder."""
        if self.charts is not None:
            require_matplotlib()
            require_writable_folder(self.charts)


def chart_options(command: Command) -> Command:
    """Which charts are drawn."""
    for option in (
        click.option("--dark", is_flag=True, help="Charts for a dark page."),
        click.option("--line", is_flag=True, help="Charts of boards as a line with markers."),
        click.option(
            "--charts-format",
            type=click.Choice(list(CHART_WRITERS)),
            default=next(iter(CHART_WRITERS)),
            show_default=True,
            help="What kind of pictures.",
        ),
        click.option(
            "--charts",
            type=click.Path(file_okay=False, path_type=Path),
            metavar="FOLDER",
            help="Draw times and counters per board, times by size, a cactus plot and every two engines.",
        ),
    ):
        command = option(command)
    return command


def write_charts(runs: ShownRuns, choices: ChartChoices, average: Average) -> None:
    """Write all charts to the folder that was asked for, if there is one."""
    if choices.charts is None:
        return
    names = [board.name for board in runs.boards]
    summary = summarise(runs.measurements, boards=names, engines=runs.engines)
    make_folder(choices.charts)
    drawn = _charts(runs, summary, choices, average)
    for name, figure in drawn.items():
        picture = CHART_WRITERS[choices.charts_format](figure)
        write_atomically(choices.charts / f"{name}.{choices.charts_format}", picture)
    note(f"written: {counted(len(drawn), 'chart')} in {choices.charts}")


def _charts(
    runs: ShownRuns, summary: Summary, choices: ChartChoices, average: Average
) -> "dict[str, Figure]":
    """Charts by the names of their files."""
    theme, limit = Theme.DARK if choices.dark else Theme.LIGHT, runs.setting.limits.seconds
    charts = {
        f"board-{_file_name(board)}": board_chart(
            summary, board, ChartLook(board, theme), average=average, line=choices.line
        )
        for board in summary.boards
    }
    charts |= {
        f"counters-{_file_name(board)}": counters_chart(summary, board, ChartLook(board, theme))
        for board in summary.boards
    }
    cells = {board.name: board.rows * board.cols for board in runs.boards}
    charts["scaling"] = scaling_chart(summary, cells, ChartLook(runs.title, theme), limit=limit)
    charts["cactus"] = cactus_chart(summary, ChartLook(runs.title, theme), limit=limit)
    for one, other in combinations(summary.engines, 2):
        name = f"{_file_name(one)}-against-{_file_name(other)}"
        charts[name] = engines_chart(summary, (one, other), ChartLook("", theme))
    return charts


def _file_name(text: str) -> str:
    """A name without what file systems do not like."""
    return "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in text)
