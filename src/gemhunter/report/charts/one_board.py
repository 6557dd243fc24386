"""Charts of one board: the seconds of its engines, and what they counted beside them."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gemhunter.bench.summary import EngineOnBoard, Summary
from gemhunter.render.times import seconds_text
from gemhunter.report.charts.style import (
    CHART_HEIGHT,
    NOTE_SIZE,
    TICK_CHARACTER,
    ChartLook,
    decades,
    log_axis,
    name_ticks,
    new_figure,
    plain_text,
    require_name,
    room_for_ticks,
    wrapped,
    write_note,
)
from gemhunter.report.tables.summaries import Average, count_text, time_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOT_RUN = "not run"

LOG_RATIO = 30.0
"""If the largest number is this many times the smallest, only a logarithmic axis shows both."""

SHOWN_COUNTERS = ("decisions", "conflicts", "propagations", "attempts", "generations")
"""What a chart of counters shows unless it is asked for others."""

SECONDS_PANEL = "seconds"

PANELS_IN_A_ROW = 3
"""More would make letters too small on a page."""

LONGEST_ROW_LINE = 40
"""Characters. A longer name beside a row of panels has several lines."""

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
    axis instead; `line` asks for dots that a line connects. Whiskers go from the shortest run of an engine to
    its longest. An engine without a time has a label that says why. A bar is hatched and a dot is hollow if
    some runs have no answer, or another one.
    """
    look = look or ChartLook(board)
    require_name("board", board, summary.boards)
    entries = {engine: summary.of(board, engine) for engine in summary.engines}
    times = {engine: _time(entry, average) for engine, entry in entries.items()}
    known = [time for time in times.values() if time is not None]
    runs = [
        end
        for entry in entries.values()
        if entry is not None and entry.spread is not None and not line
        for end in (entry.spread.shortest, entry.spread.longest)
    ]
    is_log = needs_log([*known, *runs])
    wider, higher = room_for_ticks(summary.engines, degrees=35)
    width = max(5.2, 1.2 + 0.78 * len(entries)) + wider
    with new_figure(look, width, CHART_HEIGHT + higher) as figure:
        axes = figure.add_subplot()
        _scale_seconds(axes, [*known, *runs], is_log=is_log)
        if line:
            _draw_line(axes, times, look)
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


def _time(entry: EngineOnBoard | None, average: Average) -> float | None:
    return None if entry is None else time_of(entry, average)


def needs_log(numbers: Sequence[float]) -> bool:
    """Whether only a logarithmic axis shows both the largest number and the smallest one that is not 0."""
    positive = [number for number in numbers if number > 0]
    return bool(positive) and max(positive) > LOG_RATIO * min(positive)


def _scale_seconds(axes: "Axes", seconds: Sequence[float], *, is_log: bool) -> None:
    """The y axis, with room for labels above the longest run."""
    if is_log:
        log_axis(axes, "y", seconds, room=(1.5, 4.0))
        axes.set_ylabel("seconds (logarithmic)")
        return
    axes.set_ylim(0, (max(seconds, default=0.0) or 1.0) * 1.25)
    axes.yaxis.set_major_formatter(lambda value, _: plain_text(value))
    axes.set_ylabel("seconds")
    if not seconds:
        axes.set_yticks([])


def _draw_marks(
    axes: "Axes",
    times: Mapping[str, float | None],
    entries: Mapping[str, EngineOnBoard | None],
    look: ChartLook,
    *,
    as_bars: bool,
) -> None:
    """A bar or a dot for each engine that has a time, and whiskers."""
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


def _draw_line(axes: "Axes", times: Mapping[str, float | None], look: ChartLook) -> None:
    heights = [float("nan") if time is None else time for time in times.values()]
    (drawn,) = axes.plot(range(len(heights)), heights, "o-", color=look.colours.engines[0])
    drawn.set_gid("line")


def _label(
    axes: "Axes",
    times: Mapping[str, float | None],
    entries: Mapping[str, EngineOnBoard | None],
    *,
    beside_line: bool,
) -> None:
    """The time above each bar or dot; why there is none, upright, where it would stand."""
    heights = [None, *times.values(), None]
    for place, (engine, time) in enumerate(times.items()):
        entry = entries[engine]
        if time is None or entry is None:
            words = NOT_RUN if entry is None else entry.words
            _say(axes, place, words)
            continue
        top = time if entry.spread is None or beside_line else max(time, entry.spread.longest)
        around = (heights[place], heights[place + 2]) if beside_line else (None, None)
        dx, dy, side = _label_offset(time, *around)
        text = "\n".join([seconds_text(time), *_remarks(entry)])
        write_note(axes, text, (place, top), (dx, dy), ha=side)


def _remarks(entry: EngineOnBoard) -> list[str]:
    """What a reader must know of a time that does not stand for runs that all agree."""
    some = [f"{entry.answered} of {entry.runs}"] if entry.answered < entry.runs else []
    return [*some, *(["contradicts", "itself"] if entry.contradicts_itself else [])]


def _label_offset(time: float, before: float | None, after: float | None) -> tuple[int, int, str]:
    """Points to the right and up from a point of a line, and how to align, such that the line stays free."""
    from_above, to_above = before is not None and before > time, after is not None and after > time
    if from_above and to_above:
        return 0, -15, "center"
    if from_above or to_above:
        return (6, 3, "left") if from_above else (-6, 3, "right")
    return 0, 5, "center"


def _say(axes: "Axes", place: int, words: str) -> None:
    """Words that stand upright on the x axis."""
    axes.text(
        *(place, 0.02, words),
        transform=axes.get_xaxis_transform(),
        rotation=90,
        ha="center",
        va="bottom",
        style="italic",
        size=NOTE_SIZE,
    )


def counters_chart(
    summary: Summary, board: str, look: ChartLook | None = None, *, counters: Sequence[str] = SHOWN_COUNTERS
) -> "Figure":
    """Seconds on one board, and beside them what the engines counted: a panel each, a row per engine.

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
    panels |= {name: {engine: each.counters.get(name) for engine, each in entries.items()} for name in shown}
    is_log = any(needs_log([each or 0.0 for each in numbers.values()]) for numbers in panels.values())
    rows = -(-len(panels) // PANELS_IN_A_ROW)
    columns = min(len(panels), PANELS_IN_A_ROW)
    names = [wrapped(engine, LONGEST_ROW_LINE) for engine in entries]
    left = 0.3 + TICK_CHARACTER * max((len(line) for name in names for line in name.split("\n")), default=0)
    row = 0.1 + 0.17 * max((name.count("\n") + 1 for name in names), default=1)
    size = (max(left + 1.75 * columns, 4.0), 0.6 + rows * (0.6 + row * len(names)))
    with new_figure(look, *size) as figure:
        grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
        for axes, (name, numbers) in zip(grid, panels.items(), strict=False):
            _draw_panel(axes, name, numbers, look.colours.engines[name != SECONDS_PANEL], is_log=is_log)
            reasons = (
                {engine: entry.words for engine, entry in entries.items()} if name == SECONDS_PANEL else {}
            )
            _label_panel(axes, name, numbers, reasons)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        grid[0].set_yticks(range(len(entries)), names)
        grid[0].set_ylim(len(entries) - 0.4, -0.6)
        if is_log:
            figure.supxlabel("the axes are logarithmic", size=NOTE_SIZE)
    return figure


def _draw_panel(
    axes: "Axes", name: str, numbers: Mapping[str, float | None], colour: str, *, is_log: bool
) -> None:
    """Bars to the right that start at 0, or dots on a logarithmic axis; numbers fit behind them."""
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
    axes.set_title(name, size=10)
    axes.tick_params(axis="both", length=0)
    axes.tick_params(axis="x", which="both", labelbottom=False, length=0)
    axes.spines["bottom"].set_visible(False)


def _label_panel(
    axes: "Axes", name: str, numbers: Mapping[str, float | None], reasons: Mapping[str, str]
) -> None:
    """The number behind each bar or dot; where there is none, why, or a dash."""
    low = axes.get_xlim()[0]
    for place, (engine, number) in enumerate(numbers.items()):
        words = reasons.get(engine, "") or "–"
        text = (
            words if number is None else seconds_text(number) if name == SECONDS_PANEL else count_text(number)
        )
        write_note(axes, text, (max(number or low, low), place), (6, 0), va="center")
