"""Charts over many boards: how times grow, how many boards are answered, and one engine against another."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import accumulate
from math import inf
from statistics import median
from typing import TYPE_CHECKING, Literal, NamedTuple

from gemhunter.bench.summary import Summary
from gemhunter.bench.values import Verdict
from gemhunter.report.charts.style import (
    ChartLook,
    EngineMark,
    decades,
    engine_marks,
    legend_width,
    log_axis,
    new_figure,
    require_name,
    show_legend,
    wrapped,
    write_note,
)

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

Point = tuple[float, float]

NO_TIME = "no time"

LINES_WIDTH, SQUARE_SIDE = 5.0, 5.0
"""Inches: the width of charts with lines, without their legend, and the side of a chart that is a square."""

LONGEST_SIDE_NAME, LONGEST_LEGEND_LINE = 44, 40
"""Characters. A longer name beside a square, or in a legend, has several lines."""

BORDER_ROOM = 4.0
"""The strip for boards without a time goes up to this multiple of the longest time."""

MOST_MARKERS = 25
"""A line with more points has markers on some of them only."""

SHORT_TIME = 1e-7
"""Seconds. Where a time of nothing is drawn on a logarithmic axis."""


def scaling_chart(
    summary: Summary,
    cells: Mapping[str, int],
    look: ChartLook | None = None,
    *,
    limit: float | None = None,
) -> "Figure":
    """Seconds by number of cells, both logarithmic, with a line per engine; `limit` is the time limit.

    Boards of one size are one point, their median. A line ends where its engine has no more times.
    """
    look = look or ChartLook()
    lines = {engine: _points_by_size(summary, engine, cells) for engine in summary.engines}
    with new_figure(look, LINES_WIDTH + legend_width(_legend_names(lines))) as figure:
        axes = figure.add_subplot()
        handles = _draw_lines(axes, lines, engine_marks(summary.engines, look))
        log_axis(axes, "x", list(cells.values()), room=(1.3, 1.3))
        _scale_and_limit(axes, lines, limit, look)
        axes.set(xlabel="cells", ylabel="seconds")
        axes.grid()
        show_legend(axes, handles)
    return figure


def cactus_chart(
    summary: Summary,
    look: ChartLook | None = None,
    *,
    summed: bool = False,
    limit: float | None = None,
) -> "Figure":
    """How many boards each engine answers within which time: its boards, sorted by their median seconds.

    With `summed`, the height is the time for all boards up to there, one after the other.
    """
    look = look or ChartLook()
    lines = {engine: _cactus_points(summary, engine, summed=summed) for engine in summary.engines}
    with new_figure(look, LINES_WIDTH + legend_width(_legend_names(lines))) as figure:
        from matplotlib.ticker import MaxNLocator

        axes = figure.add_subplot()
        handles = _draw_lines(axes, lines, engine_marks(summary.engines, look))
        _scale_and_limit(axes, lines, None if summed else limit, look)
        axes.set_xlim(0, len(summary.boards) * 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        seconds = "seconds for all of them" if summed else "seconds for each board"
        axes.set(xlabel=f"boards answered, of {len(summary.boards)}", ylabel=seconds)
        axes.grid()
        show_legend(axes, handles)
    return figure


def _points_by_size(summary: Summary, engine: str, cells: Mapping[str, int]) -> list[Point]:
    by_size: dict[int, list[float]] = {}
    for board in summary.boards:
        time = summary.median(board, engine)
        if time is not None:
            by_size.setdefault(cells[board], []).append(max(time, SHORT_TIME))
    return [(size, median(by_size[size])) for size in sorted(by_size)]


def _cactus_points(summary: Summary, engine: str, *, summed: bool) -> list[Point]:
    found = (summary.median(board, engine) for board in summary.boards)
    times: Iterable[float] = sorted(max(time, SHORT_TIME) for time in found if time is not None)
    return [(float(place), time) for place, time in enumerate(accumulate(times) if summed else times, 1)]


def _legend_names(lines: Mapping[str, Sequence[Point]]) -> list[str]:
    """What the legend calls each engine."""
    names = [engine if points else f"{engine} ({NO_TIME})" for engine, points in lines.items()]
    return [wrapped(name, LONGEST_LEGEND_LINE) for name in names]


def _draw_lines(
    axes: "Axes", lines: Mapping[str, Sequence[Point]], marks: Mapping[str, EngineMark]
) -> list["Line2D"]:
    """A line per engine that has points; what the legend shows, engines without a time first."""
    drawn = []
    for (engine, points), name in zip(lines.items(), _legend_names(lines), strict=True):
        mark = marks[engine]
        if not points:
            drawn.append((inf, axes.plot([], [], linestyle="", label=name)[0]))
        else:
            xs, ys = zip(*points, strict=True)
            every = 1 + len(points) // MOST_MARKERS
            (line,) = axes.plot(
                *(xs, ys),
                marker=mark.shape,
                color=mark.colour,
                linestyle=mark.dashes,
                label=name,
                # Counted from the end, so that the last point has a marker.
                markevery=((len(points) - 1) % every, every),
                gid=f"line-{engine}",
            )
            drawn.append((points[len(points) // 2][1], line))
    return [line for _, line in sorted(drawn, key=lambda pair: -pair[0])]


def _scale_and_limit(
    axes: "Axes", lines: Mapping[str, Sequence[Point]], limit: float | None, look: ChartLook
) -> None:
    """The y axis, and a dashed line at the time limit if there is one."""
    times = [y for line in lines.values() for _, y in line]
    log_axis(axes, "y", [*times, *([limit] if limit else [])], room=(1.5, 2.5))
    if limit is None:
        return
    axes.axhline(limit, color=look.colours.ink, linestyle=(0, (4, 3)), linewidth=1, gid="limit")
    write_note(axes, "time limit", (1, limit), (-3, 3), xycoords=("axes fraction", "data"), ha="right")


class _Group(NamedTuple):
    """Boards with one outcome, under a name for the legend, a shape, and whether it is filled."""

    name: str
    shape: str
    filled: bool
    points: list[Point]

    @property
    def label(self) -> str:
        """The name, in lines of a legend, and the number of boards."""
        return wrapped(f"{self.name} ({len(self.points)})", LONGEST_LEGEND_LINE)


def engines_chart(summary: Summary, pair: tuple[str, str], look: ChartLook | None = None) -> "Figure":
    """Two engines against each other: a point per board, the first's seconds to the right, both logarithmic.

    On the diagonal both take as long, on the dashed lines one takes ten times as long. Boards that an engine
    has no time for are on the border.
    """
    look = look or ChartLook()
    for engine in pair:
        require_name("engine", engine, summary.engines)
    marks: tuple[Literal["x"], Literal["y"]] = ("x", "y")
    both = [board for board in summary.boards if all(summary.of(board, engine) for engine in pair)]
    times = [time for board in both for engine in pair if (time := summary.median(board, engine)) is not None]
    shown = [max(time, SHORT_TIME) for time in times]
    low, high = decades(shown)
    groups = [group for group in _groups(summary, pair, both, high * BORDER_ROOM**0.5) if group.points]
    width = SQUARE_SIDE + legend_width([group.label for group in groups])
    with new_figure(look, width, SQUARE_SIDE) as figure:
        figure.set_layout_engine("compressed")
        axes = figure.add_subplot()
        for which in marks:
            log_axis(axes, which, shown, room=(1.0, BORDER_ROOM))
        axes.set_aspect("equal")
        _draw_guides(axes, (low, high), look)
        handles = [_draw_group(axes, group, look) for group in groups]
        names = [wrapped(f"{name}, seconds", LONGEST_SIDE_NAME) for name in pair]
        # Below the numbers there is a line about boards without a time.
        axes.set_xlabel(names[0], labelpad=16)
        axes.set_ylabel(names[1])
        show_legend(axes, handles)
    return figure


def _groups(summary: Summary, pair: tuple[str, str], boards: Sequence[str], border: float) -> list[_Group]:
    solved = _Group("solved", "o", filled=True, points=[])
    refuted = _Group("no solution", "s", filled=True, points=[])
    first = _Group(f"{NO_TIME}: {pair[0]}", ">", filled=False, points=[])
    second = _Group(f"{NO_TIME}: {pair[1]}", "^", filled=False, points=[])
    neither = _Group(f"{NO_TIME}: both", "X", filled=False, points=[])
    for board in boards:
        x, y = (summary.median(board, engine) for engine in pair)
        entry = summary.of(board, pair[0])
        is_refuted = entry is not None and Verdict.REFUTED in entry.verdicts
        timed = refuted if is_refuted else solved
        group = {(True, True): timed, (False, True): first, (True, False): second}.get(
            (x is not None, y is not None), neither
        )
        group.points.append(
            (border if x is None else max(x, SHORT_TIME), border if y is None else max(y, SHORT_TIME))
        )
    return [solved, refuted, first, second, neither]


def _draw_group(axes: "Axes", group: _Group, look: ChartLook) -> "Line2D":
    colour = look.colours.engines[0 if group.filled and group.shape == "o" else 1]
    xs, ys = zip(*group.points, strict=True)
    (drawn,) = axes.plot(
        *(xs, ys),
        linestyle="",
        marker=group.shape,
        color=colour,
        markerfacecolor=colour if group.filled else "none",
        label=group.label,
        alpha=0.85,
        clip_on=False,
        gid=group.name.replace(" ", "-").replace(":", ""),
    )
    return drawn


def _draw_guides(axes: "Axes", ends: tuple[float, float], look: ChartLook) -> None:
    """The diagonal, a factor of ten on both sides of it, and the border, behind the points."""
    low, high = ends
    colour = look.colours.faint
    axes.plot([low, high], [low, high], linewidth=1.2, color=colour, zorder=0.5)
    axes.plot([low, high, high], [high, high, low], linewidth=0.8, color=colour, zorder=0.5)
    middle = high * BORDER_ROOM**0.5
    write_note(axes, NO_TIME, (low, middle), (-6, 0), ha="right", va="center", style="italic")
    write_note(axes, NO_TIME, (middle, low), (0, -20), ha="center", va="top", style="italic")
    for factor in (10.0, 0.1) if high > 10 * low else ():
        xs = [max(low, low / factor), min(high, high / factor)]
        axes.plot(xs, [x * factor for x in xs], linestyle="--", linewidth=1, color=colour, zorder=0.5)
        offset = (6, 14) if factor > 1 else (14, 6)
        write_note(axes, "×10", (xs[0], xs[0] * factor), offset, rotation=45, rotation_mode="anchor")
