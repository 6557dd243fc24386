"""The figures that the sources print, read from `sources.toml`, and charts of them beside ours."""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from gemhunter.bench.summary import Summary
from gemhunter.experiments.clue_shares import ClueShares
from gemhunter.report.charts.style import (
    CHART_HEIGHT,
    NOTE_SIZE,
    ChartLook,
    engine_marks,
    legend_width,
    log_axis,
    name_ticks,
    new_figure,
    room_for_ticks,
    show_legend,
    write_note,
)
from gemhunter.report.tables.summaries import Average, time_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

SOURCE_FIGURES = Path(__file__).with_name("sources.toml")

Series = Mapping[str, Sequence[float | None]]
"""Names in the legend, and a value per place on the x axis; None where there is no point."""

SHOWN_FOR_ZERO = 1e-4
"""Seconds: where the point of a figure of 0.000 stands, since a logarithmic axis has no 0."""


@dataclass(frozen=True, slots=True)
class SourceTimes:
    """A source's table of times.

    `methods` are its own names with the engines that stand for them here. `seconds` has a row per board with
    an entry per method: a time, or words where the source has none. `labels` are what its charts call boards.
    """

    about: str
    methods: Mapping[str, str]
    seconds: Mapping[str, tuple[float | str, ...]]
    labels: Mapping[str, str]
    has_chart_per_board: bool

    def of(self, board: str, method: str) -> float | str | None:
        """A figure; None if the source has no such board."""
        row = self.seconds.get(board)
        return None if row is None else row[list(self.methods).index(method)]


@dataclass(frozen=True, slots=True)
class SourceGames:
    """A line of S5's table: three games on one level with one number of initial safe cells."""

    level: str
    initial: int
    marked: tuple[int, ...]
    rounds: tuple[int, ...]


@cache
def source_times() -> dict[str, SourceTimes]:
    """The tables of S1 to S4, by the names of their suites."""
    return {
        name: SourceTimes(
            table["about"],
            table["methods"],
            {board: tuple(row) for board, row in table["seconds"].items()},
            table.get("labels", {}),
            table.get("charts", False),
        )
        for name, table in _figures().items()
        if name != "s5"
    }


@cache
def source_games() -> dict[tuple[str, int], SourceGames]:
    """The table of S5, by level and number of initial safe cells."""
    lines = (
        SourceGames(line["level"], line["initial"], tuple(line["marked"]), tuple(line["rounds"]))
        for line in _figures()["s5"]
    )
    return {(line.level, line.initial): line for line in lines}


def _figures() -> dict[str, Any]:
    return tomllib.loads(SOURCE_FIGURES.read_text(encoding="utf-8"))


def our_time(summary: Summary, board: str, engine: str) -> float | None:
    """The mean seconds of an engine on a board; None if half of its runs lack a time."""
    entry = summary.of(board, engine)
    return None if entry is None or entry.median is None else time_of(entry, Average.MEAN)


def boards_chart(summary: Summary, source: SourceTimes, look: ChartLook) -> "Figure":
    """Boards on the x axis, seconds on the y axis: a line per method for ours, a dashed one for theirs."""
    boards = [board for board in summary.boards if board in source.seconds]
    methods = {method: engine for method, engine in source.methods.items() if engine in summary.engines}
    theirs = {
        f"{method} (source)": [_number(source.of(board, method)) for board in boards] for method in methods
    }
    ours = {
        f"{engine} (here)": [our_time(summary, board, engine) for board in boards]
        for engine in methods.values()
    }
    places = [source.labels.get(board, board) for board in boards]
    return _lines_chart(theirs, ours, places, look)


def methods_chart(summary: Summary, source: SourceTimes, board: str, look: ChartLook) -> "Figure":
    """Methods on the x axis and seconds on the y axis, as S3 has: a line with markers for each side."""
    methods = [method for method, engine in source.methods.items() if engine in summary.engines]
    theirs = {"source": [_number(source.of(board, method)) for method in methods]}
    ours = {"here": [our_time(summary, board, source.methods[method]) for method in methods]}
    return _lines_chart(theirs, ours, methods, look)


def _number(figure: float | str | None) -> float | None:
    return None if figure is None or isinstance(figure, str) else figure or SHOWN_FOR_ZERO


def _lines_chart(theirs: Series, ours: Series, places: Sequence[str], look: ChartLook) -> "Figure":
    names = [*theirs, *ours]
    by_place = list(engine_marks(list(ours), look).values())
    wider, higher = room_for_ticks(places, degrees=30)
    width = max(4.6, 1.4 + 0.8 * len(places)) + wider + legend_width(names)
    with new_figure(look, width, CHART_HEIGHT + higher) as figure:
        axes = figure.add_subplot()
        handles = []
        for series, dashes, fill in ((theirs, "--", "none"), (ours, "-", None)):
            for mark, (name, values) in zip(by_place, series.items(), strict=True):
                heights = [float("nan") if value is None else value for value in values]
                (line,) = axes.plot(
                    range(len(heights)),
                    heights,
                    dashes,
                    color=mark.colour,
                    marker=mark.shape,
                    markerfacecolor=fill or mark.colour,
                    label=name,
                )
                handles.append(line)
        shown = [value for series in (theirs, ours) for row in series.values() for value in row if value]
        _finish_axes(axes, places, shown)
        show_legend(axes, handles)
    return figure


def _finish_axes(axes: "Axes", places: Sequence[str], shown: Sequence[float]) -> None:
    log_axis(axes, "y", shown, room=(1.5, 1.5))
    axes.set_ylabel("seconds (logarithmic)")
    name_ticks(axes, places, degrees=30)
    axes.set_xlim(-0.4, len(places) - 0.6)
    axes.grid(axis="y")


def clues_chart(levels: Sequence[ClueShares], look: ChartLook) -> "Figure":
    """Two bars for each level: the share of clues that are 0, and traps per gem."""
    series = {
        "clues of 0": [each.zeros.value for each in levels],
        "traps per gem": [each.ratio for each in levels],
    }
    with new_figure(look, 5.6 + legend_width(list(series))) as figure:
        axes = figure.add_subplot()
        handles = []
        for place, (name, values) in enumerate(series.items()):
            middle = [number + (place - 0.5) * 0.38 for number in range(len(values))]
            colour = look.colours.engines[place]
            axes.bar(middle, values, 0.36, color=colour)
            (handle,) = axes.plot([], [], "s", color=colour, label=name)
            handles.append(handle)
            for at, value in zip(middle, values, strict=True):
                write_note(axes, f"{value:.1%}", (at, value), (0, 3), ha="center")
        axes.set_xticks(range(len(levels)), [each.level for each in levels])
        axes.yaxis.set_major_formatter(lambda value, _: f"{value:.0%}")
        axes.tick_params(axis="both", length=0, labelsize=NOTE_SIZE + 1)
        axes.grid(axis="y")
        show_legend(axes, handles)
    return figure
