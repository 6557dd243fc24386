"""Charts of a comparison: each board, counters, growth with size, all boards, and two engines."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from math import inf, nan
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

from gemhunter.bench.runs import Verdict
from gemhunter.bench.summary import EngineOnBoard, Summary
from gemhunter.bench.tables import Average, count_text, time_of
from gemhunter.charts.look import (
    CHART_HEIGHT,
    NOTE_SIZE,
    TICK_CHARACTER,
    ChartLook,
    decades,
    engine_marks,
    legend_width,
    log_axis,
    longest_line,
    name_ticks,
    new_figure,
    plain_text,
    require_name,
    room_for_ticks,
    show_legend,
    wrapped,
    write_note,
)
from gemhunter.wording import seconds_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure


# Charts of one board: the seconds of its engines, and their counters.


SHOWN_COUNTERS = ("decisions", "conflicts", "propagations", "attempts", "generations")

SECONDS_PANEL = "seconds"

ENGINE_BAR_WIDTH = 0.62


def board_chart(
    summary: Summary,
    board: str,
    look: ChartLook | None = None,
    *,
    average: Average = Average.MEDIAN,
    line: bool = False,
) -> "Figure":
    """Engines on the x axis and their seconds on one board on the y axis.

    Bars start at 0. If times differ so much that short bars would vanish, there are dots on a logarithmic
    axis instead; with `line` there are always dots, joined by a line. Whiskers go from the shortest run of an
    engine to its longest. An engine without a time has a label that says why. A bar is hatched and a dot is
    hollow if some runs have no answer or a different one.
    """
    look = look or ChartLook(board)
    require_name("board", board, summary.boards)
    entries = {engine: summary.of(board, engine) for engine in summary.engines}
    times = {engine: None if entry is None else time_of(entry, average) for engine, entry in entries.items()}
    shown = [time for time in times.values() if time is not None]
    spreads = [entry.spread for entry in entries.values() if entry and entry.spread and not line]
    shown += [end for spread in spreads for end in (spread.shortest, spread.longest)]
    is_log = needs_log(shown)
    wider, higher = room_for_ticks(summary.engines, degrees=35)
    width = max(5.2, 1.2 + 0.78 * len(entries)) + wider
    with new_figure(look, width, CHART_HEIGHT + higher) as figure:
        axes = figure.add_subplot()
        # There is room for labels above the longest run.
        if is_log:
            log_axis(axes, "y", shown, room=(1.5, 4.0))
        else:
            axes.set_ylim(0, (max(shown, default=0.0) or 1.0) * 1.25)
            axes.yaxis.set_major_formatter(lambda value, _: plain_text(value))
            if not shown:
                axes.set_yticks([])
        axes.set_ylabel("seconds (logarithmic)" if is_log else "seconds")
        if line:
            heights = [nan if time is None else time for time in times.values()]
            axes.plot(range(len(heights)), heights, "o-", color=look.colours.engines[0], gid="line")
        else:
            _draw_marks(axes, times, entries, look, as_bars=not is_log)
        _label(axes, times, entries, beside_line=line)
        # A single engine has a bar as wide as it would be among others.
        margin = max(0.8 if line else 0.6, (4 - len(entries)) / 2)
        axes.set_xlim(-margin, len(entries) - 1 + margin)
        name_ticks(axes, summary.engines, degrees=35)
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="y")
    return figure


def needs_log(numbers: Sequence[float]) -> bool:
    """Whether the largest number and the smallest above 0 can only be seen together on a logarithmic axis."""
    positive = [number for number in numbers if number > 0]
    return bool(positive) and max(positive) > 30 * min(positive)


def _draw_marks(
    axes: "Axes",
    times: Mapping[str, float | None],
    entries: Mapping[str, EngineOnBoard | None],
    look: ChartLook,
    *,
    as_bars: bool,
) -> None:
    """Draw a bar or a dot, and whiskers, for each engine that has a time."""
    colour = look.colours.engines[0]
    for place, (engine, time) in enumerate(times.items()):
        entry = entries[engine]
        if time is None or entry is None or entry.spread is None:
            continue
        if as_bars:
            (bar,) = axes.bar([place], [time], ENGINE_BAR_WIDTH, color=colour, gid=f"bar-{engine}")
            if _remarks(entry):
                bar.set(hatch="///", facecolor="none", edgecolor=colour)
        else:
            fill = "none" if _remarks(entry) else colour
            gid = f"dot-{engine}"
            axes.plot([place], [time], "o", color=colour, markerfacecolor=fill, markersize=8, gid=gid)
        if entry.answered > 1:
            ends = [[max(time - entry.spread.shortest, 0)], [max(entry.spread.longest - time, 0)]]
            axes.errorbar([place], [time], ends, ecolor=look.colours.ink, elinewidth=1, capsize=3, zorder=1.5)


def _label(
    axes: "Axes",
    times: Mapping[str, float | None],
    entries: Mapping[str, EngineOnBoard | None],
    *,
    beside_line: bool,
) -> None:
    """Write the time above each bar or dot, or the reason for a missing time upright on the axis."""
    heights = [None, *times.values(), None]
    for place, (engine, time) in enumerate(times.items()):
        entry = entries[engine]
        if time is None or entry is None:
            axes.text(
                *(place, 0.02, "not run" if entry is None else entry.words),
                transform=axes.get_xaxis_transform(),
                rotation=90,
                ha="center",
                va="bottom",
                style="italic",
                size=NOTE_SIZE,
            )
            continue
        top = time if entry.spread is None or beside_line else max(time, entry.spread.longest)
        around = (heights[place], heights[place + 2]) if beside_line else (None, None)
        dx, dy, side = _label_offset(time, *around)
        text = "\n".join([seconds_text(time), *_remarks(entry)])
        write_note(axes, text, (place, top), (dx, dy), ha=side)


def _remarks(entry: EngineOnBoard) -> list[str]:
    """Remarks on a time if some runs have no answer or contradict the others."""
    some = [f"{entry.answered} of {entry.runs}"] if entry.answered < entry.runs else []
    return [*some, *(["contradicts", "itself"] if entry.contradicts_itself else [])]


def _label_offset(time: float, before: float | None, after: float | None) -> tuple[int, int, str]:
    """The offset of a label in points, to the right and up, and its alignment, so that it clears the line."""
    from_above, to_above = before is not None and before > time, after is not None and after > time
    if from_above and to_above:
        return 0, -15, "center"
    if from_above or to_above:
        return (6, 3, "left") if from_above else (-6, 3, "right")
    return 0, 5, "center"


def counters_chart(
    summary: Summary, board: str, look: ChartLook | None = None, *, counters: Sequence[str] = SHOWN_COUNTERS
) -> "Figure":
    """Seconds and counters on one board: a panel for each, with a row per engine.

    Bars start at 0. If the numbers of a panel differ so much that short bars would vanish, all panels have
    dots on a logarithmic axis instead.
    """
    look = look or ChartLook(board)
    require_name("board", board, summary.boards)
    entries = {engine: entry for engine in summary.engines if (entry := summary.of(board, engine))}
    shown = [name for name in counters if any(name in entry.counters for entry in entries.values())]
    panels: dict[str, dict[str, float | None]] = {
        SECONDS_PANEL: {engine: entry.median for engine, entry in entries.items()}
    }
    panels |= {
        name: {engine: entry.counters.get(name) for engine, entry in entries.items()} for name in shown
    }
    is_log = any(needs_log([number or 0.0 for number in numbers.values()]) for numbers in panels.values())
    # With more than three panels in a row, letters would be too small on a page.
    columns = min(len(panels), 3)
    rows = -(-len(panels) // columns)
    names = [wrapped(engine, 40) for engine in entries]
    left = 0.3 + TICK_CHARACTER * longest_line(names)
    row = 0.1 + 0.17 * max((name.count("\n") + 1 for name in names), default=1)
    size = (max(left + 1.75 * columns, 4.0), 0.6 + rows * (0.6 + row * len(names)))
    reasons = {engine: entry.words for engine, entry in entries.items()}
    with new_figure(look, *size) as figure:
        grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
        for axes, (name, numbers) in zip(grid, panels.items(), strict=False):
            _draw_panel(axes, name, numbers, reasons, look, is_log=is_log)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        grid[0].set_yticks(range(len(entries)), names)
        grid[0].set_ylim(len(entries) - 0.4, -0.6)
        if is_log:
            figure.supxlabel("the axes are logarithmic", size=NOTE_SIZE)
    return figure


def _draw_panel(
    axes: "Axes",
    name: str,
    numbers: Mapping[str, float | None],
    reasons: Mapping[str, str],
    look: ChartLook,
    *,
    is_log: bool,
) -> None:
    """Draw horizontal bars from 0, or dots on a logarithmic axis, with their numbers to the right.

    A missing number of seconds is replaced by the reason, and any other by a dash.
    """
    is_seconds = name == SECONDS_PANEL
    colour = look.colours.engines[0 if is_seconds else 1]
    positive = [number for number in numbers.values() if number]
    low, high = decades(positive)
    if is_log:
        log_axis(axes, "x", [low, high], room=((high / low) ** 0.05, (high / low) ** 0.8))
    else:
        axes.set_xlim(0, 1.9 * max(positive, default=1.0))
    for place, (engine, number) in enumerate(numbers.items()):
        if number and is_log:
            axes.plot([low, number], [place, place], ":", color=colour, linewidth=1)
            axes.plot([number], [place], "o", color=colour, gid=f"{name}-{engine}")
        elif number:
            axes.barh([place], [number], ENGINE_BAR_WIDTH, color=colour, gid=f"{name}-{engine}")
        if number is None:
            text = (is_seconds and reasons[engine]) or "–"
        else:
            text = seconds_text(number) if is_seconds else count_text(number)
        write_note(axes, text, (max(number or 0, axes.get_xlim()[0]), place), (6, 0), va="center")
    axes.set_title(name, size=10)
    axes.tick_params(axis="both", length=0)
    axes.tick_params(axis="x", which="both", labelbottom=False, length=0)
    axes.spines["bottom"].set_visible(False)


# Charts of many boards: how times grow, how many boards are answered, and one engine against another.


Point = tuple[float, float]

NO_TIME = "no time"

CHART_SIDE = 5.0
"""Inches: the width of a chart without its legend."""

LEGEND_LINE_CHARACTERS = 40
"""A longer name in a legend is broken into several lines."""

BORDER_ROOM = 4.0
"""The strip for boards without a time extends to this multiple of the largest value on the axis."""

SHORT_TIME = 1e-7
"""Seconds: shorter times are drawn here, because a logarithmic axis has no 0."""


def scaling_chart(
    summary: Summary, cells: Mapping[str, int], look: ChartLook | None = None, *, limit: float | None = None
) -> "Figure":
    """Seconds by number of cells, both logarithmic, with a line per engine; `limit` is the time limit.

    A point is the median over all boards of one size. A line ends where its engine has no more times.
    """
    look = look or ChartLook()
    lines = {engine: _points_by_size(summary, engine, cells) for engine in summary.engines}
    with _lines_figure(summary, lines, look, limit) as (figure, axes):
        log_axis(axes, "x", list(cells.values()), room=(1.3, 1.3))
        axes.set(xlabel="cells", ylabel="seconds")
    return figure


def cactus_chart(
    summary: Summary, look: ChartLook | None = None, *, summed: bool = False, limit: float | None = None
) -> "Figure":
    """How many boards each engine answers within a given time: its boards, sorted by median seconds.

    With `summed`, a point is as high as the times of all boards up to there together.
    """
    look = look or ChartLook()
    lines: dict[str, list[Point]] = {}
    for engine in summary.engines:
        medians = (summary.median(board, engine) for board in summary.boards)
        times = sorted(max(time, SHORT_TIME) for time in medians if time is not None)
        lines[engine] = list(enumerate(accumulate(times) if summed else times, 1))
    with _lines_figure(summary, lines, look, None if summed else limit) as (figure, axes):
        from matplotlib.ticker import MaxNLocator

        axes.set_xlim(0, len(summary.boards) * 1.02)
        axes.xaxis.set_major_locator(MaxNLocator(integer=True))
        seconds = "seconds for all of them" if summed else "seconds for each board"
        axes.set(xlabel=f"boards answered, of {len(summary.boards)}", ylabel=seconds)
    return figure


@contextmanager
def _lines_figure(
    summary: Summary, lines: Mapping[str, Sequence[Point]], look: ChartLook, limit: float | None
) -> Iterator[tuple["Figure", "Axes"]]:
    """A figure with a line per engine, the time limit and a legend; the block scales the x axis."""
    names = [engine if points else f"{engine} ({NO_TIME})" for engine, points in lines.items()]
    names = [wrapped(name, LEGEND_LINE_CHARACTERS) for name in names]
    marks = engine_marks(summary.engines, look)
    with new_figure(look, CHART_SIDE + legend_width(names)) as figure:
        axes = figure.add_subplot()
        drawn = []
        for (engine, points), name in zip(lines.items(), names, strict=True):
            if not points:
                drawn.append((inf, axes.plot([], [], linestyle="", label=name)[0]))
                continue
            mark, every = marks[engine], 1 + len(points) // 25
            (line,) = axes.plot(
                *zip(*points, strict=True),
                marker=mark.shape,
                color=mark.colour,
                linestyle=mark.dashes,
                label=name,
                # Counted from the end, so that the last point has a marker.
                markevery=((len(points) - 1) % every, every),
                gid=f"line-{engine}",
            )
            drawn.append((points[len(points) // 2][1], line))
        times = [y for points in lines.values() for _, y in points]
        log_axis(axes, "y", [*times, *([limit] if limit else [])], room=(1.5, 2.5))
        if limit is not None:
            axes.axhline(limit, color=look.colours.ink, linestyle=(0, (4, 3)), linewidth=1, gid="limit")
            place: dict[str, Any] = {"xycoords": ("axes fraction", "data"), "ha": "right"}
            write_note(axes, "time limit", (1, limit), (-3, 3), **place)
        yield figure, axes
        axes.grid()
        # Engines without a time come first, then slow ones.
        show_legend(axes, [line for _, line in sorted(drawn, key=lambda pair: -pair[0])])


def _points_by_size(summary: Summary, engine: str, cells: Mapping[str, int]) -> list[Point]:
    by_size: dict[int, list[float]] = {}
    for board in summary.boards:
        time = summary.median(board, engine)
        if time is not None:
            by_size.setdefault(cells[board], []).append(max(time, SHORT_TIME))
    return [(size, median(by_size[size])) for size in sorted(by_size)]


class _Group(NamedTuple):
    """The boards with one outcome: its name in the legend, their points, and the look of their markers."""

    name: str
    points: list[Point]
    shape: str
    colour: str
    is_filled: bool

    @property
    def label(self) -> str:
        """The name and the number of boards, broken into the lines of a legend."""
        return wrapped(f"{self.name} ({len(self.points)})", LEGEND_LINE_CHARACTERS)


def engines_chart(summary: Summary, pair: tuple[str, str], look: ChartLook | None = None) -> "Figure":
    """Two engines against each other on logarithmic axes: a point per board.

    On the diagonal both take equally long; on the dashed lines one takes ten times as long as the other.
    A board on which an engine has no time is on the border.
    """
    look = look or ChartLook()
    for engine in pair:
        require_name("engine", engine, summary.engines)
    both = [board for board in summary.boards if all(summary.of(board, engine) for engine in pair)]
    times = [time for board in both for engine in pair if (time := summary.median(board, engine)) is not None]
    shown = [max(time, SHORT_TIME) for time in times]
    low, high = decades(shown)
    groups = [group for group in _groups(summary, pair, both, look, high * BORDER_ROOM**0.5) if group.points]
    width = CHART_SIDE + legend_width([group.label for group in groups])
    with new_figure(look, width, CHART_SIDE) as figure:
        figure.set_layout_engine("compressed")
        axes = figure.add_subplot()
        log_axis(axes, "x", shown, room=(1.0, BORDER_ROOM))
        log_axis(axes, "y", shown, room=(1.0, BORDER_ROOM))
        axes.set_aspect("equal")
        _draw_guides(axes, low, high, look.colours.faint)
        handles = []
        for group in groups:
            handles += axes.plot(
                *zip(*group.points, strict=True),
                linestyle="",
                marker=group.shape,
                color=group.colour,
                markerfacecolor=group.colour if group.is_filled else "none",
                label=group.label,
                alpha=0.85,
                clip_on=False,
                gid=group.name.replace(" ", "-").replace(":", ""),
            )
        names = [wrapped(f"{name}, seconds", 44) for name in pair]
        # Below the numbers there is a line about boards without a time.
        axes.set_xlabel(names[0], labelpad=16)
        axes.set_ylabel(names[1])
        show_legend(axes, handles)
    return figure


def _groups(
    summary: Summary, pair: tuple[str, str], boards: Sequence[str], look: ChartLook, border: float
) -> list[_Group]:
    """The boards by outcome, some groups empty; `border` stands in for a missing time."""
    blue, orange, *_ = look.colours.engines
    solved = _Group("solved", [], "o", blue, is_filled=True)
    refuted = _Group("no solution", [], "s", orange, is_filled=True)
    first, second, neither = (
        _Group(f"{NO_TIME}: {name}", [], shape, orange, is_filled=False)
        for name, shape in zip((*pair, "both"), ">^X", strict=True)
    )
    for board in boards:
        x, y = (summary.median(board, engine) for engine in pair)
        if x is None:
            group = neither if y is None else first
        elif y is None:
            group = second
        else:
            group = refuted if Verdict.REFUTED in summary.entries[board, pair[0]].verdicts else solved
        group.points.append(
            (border if x is None else max(x, SHORT_TIME), border if y is None else max(y, SHORT_TIME))
        )
    return [solved, refuted, first, second, neither]


def _draw_guides(axes: "Axes", low: float, high: float, colour: str) -> None:
    """Draw the diagonal, a factor of ten on both sides of it, and the border, behind the points."""
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
