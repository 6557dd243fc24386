"""Bar charts of measurements: engines on one board, and what they counted beside their seconds."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from gemhunter.bench.summary import EngineOnBoard, Summary
from gemhunter.render.times import seconds_text
from gemhunter.report.charts.style import (
    NOTE_SIZE,
    ChartLook,
    decades,
    log_axis,
    name_ticks,
    new_figure,
    plain_text,
    require_name,
    write_note,
)
from gemhunter.report.tables.summaries import Average, count_text, time_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

NOT_RUN = "not run"

LOG_RATIO = 30.0
"""If the longest time is this many times the shortest, only a logarithmic axis shows both."""

SHOWN_COUNTERS = ("decisions", "conflicts", "propagations", "attempts", "generations")
"""What a chart of counters shows unless it is asked for others."""

SECONDS_PANEL = "seconds"

PANELS_IN_A_ROW = 3
"""More would make letters too small on a page."""

ENGINE_BAR_WIDTH = 0.62


def board_chart(
    summary: Summary,
    board: str,
    look: ChartLook | None = None,
    *,
    average: Average = Average.MEDIAN,
    line: bool = False,
) -> "Figure":
    """Engines on the x axis and their seconds on one board on the y axis, as bars or as a line with markers.

    An engine without a time has no bar and no point; a label says why. The whiskers of a bar go from its
    shortest run to its longest. A bar is hatched if some runs have no answer, or another one.
    """
    look = look or ChartLook(board)
    require_name("board", board, summary.boards)
    entries = {engine: summary.of(board, engine) for engine in summary.engines}
    times = {engine: _time(entry, average) for engine, entry in entries.items()}
    with new_figure(look, max(5.2, 1.2 + 0.78 * len(entries))) as figure:
        axes = figure.add_subplot()
        _scale_seconds(axes, [time for time in times.values() if time is not None], entries)
        if line:
            _draw_line(axes, times, look)
        else:
            _draw_bars(axes, times, entries, look)
        _label(axes, times, entries, beside_line=line)
        margin = 0.8 if line else 0.6
        axes.set_xlim(-margin, len(entries) - 1 + margin)
        name_ticks(axes, summary.engines, degrees=35)
        axes.tick_params(axis="x", length=0)
        axes.grid(axis="y")
    return figure


def _time(entry: EngineOnBoard | None, average: Average) -> float | None:
    return None if entry is None else time_of(entry, average)


def _scale_seconds(axes: "Axes", times: Sequence[float], entries: Mapping[str, EngineOnBoard | None]) -> None:
    """The y axis: logarithmic if times differ much, with room for labels above the longest run."""
    runs = [entry.spread.longest for entry in entries.values() if entry is not None and entry.spread]
    top = max([*times, *runs], default=1.0) or 1.0
    if times and max(times) > LOG_RATIO * max(min(times), 1e-9):
        # The shortest bar must be a bar, too.
        log_axis(axes, "y", [*(time / 2 for time in times), top], room=(1.0, 4.0))
        axes.set_ylabel("seconds (logarithmic)")
    else:
        axes.set_ylim(0, top * 1.25)
        axes.yaxis.set_major_formatter(lambda value, _: plain_text(value))
        axes.set_ylabel("seconds")


def _draw_bars(
    axes: "Axes",
    times: Mapping[str, float | None],
    entries: Mapping[str, EngineOnBoard | None],
    look: ChartLook,
) -> None:
    for place, (engine, time) in enumerate(times.items()):
        entry = entries[engine]
        if time is None or entry is None or entry.spread is None:
            continue
        (bar,) = axes.bar([place], [time], ENGINE_BAR_WIDTH, color=look.colours.engines[0])
        bar.set_gid(f"bar-{engine}")
        if _remarks(entry):
            bar.set(hatch="///", facecolor="none", edgecolor=look.colours.engines[0])
        if entry.answered > 1:
            ends = [[time - entry.spread.shortest], [max(entry.spread.longest - time, 0)]]
            axes.errorbar([place], [time], ends, ecolor=look.colours.ink, elinewidth=1, capsize=3)


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
    """The time above each bar or point; why there is none, upright, where it would stand."""
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
    """Seconds on one board, and beside them what the engines counted: a panel each, a bar per engine."""
    look = look or ChartLook(board)
    require_name("board", board, summary.boards)
    entries = {engine: entry for engine in summary.engines if (entry := summary.of(board, engine))}
    shown = [name for name in counters if any(name in entry.counters for entry in entries.values())]
    panels: dict[str, dict[str, float | None]] = {
        SECONDS_PANEL: {engine: entry.median for engine, entry in entries.items()}
    }
    panels |= {name: {engine: each.counters.get(name) for engine, each in entries.items()} for name in shown}
    rows = -(-len(panels) // PANELS_IN_A_ROW)
    columns = min(len(panels), PANELS_IN_A_ROW)
    with new_figure(look, 1.6 + 1.75 * columns, 0.6 + rows * (0.6 + 0.27 * len(entries))) as figure:
        grid = figure.subplots(rows, columns, sharey=True, squeeze=False).ravel()
        for axes, (name, numbers) in zip(grid, panels.items(), strict=False):
            _draw_panel(axes, name, numbers, look.colours.engines[name != SECONDS_PANEL])
            reasons = (
                {engine: entry.words for engine, entry in entries.items()} if name == SECONDS_PANEL else {}
            )
            _label_panel(axes, name, numbers, reasons)
        for axes in grid[len(panels) :]:
            axes.set_visible(False)
        grid[0].set_yticks(range(len(entries)), list(entries))
        grid[0].set_ylim(len(entries) - 0.4, -0.6)
        figure.supxlabel("lengths of bars are logarithmic", size=NOTE_SIZE)
    return figure


def _draw_panel(axes: "Axes", name: str, numbers: Mapping[str, float | None], colour: str) -> None:
    """Bars to the right. Their lengths are logarithmic, as counters differ by powers of ten."""
    positive = [number for number in numbers.values() if number]
    low, high = decades([number / 2 for number in positive])
    log_axis(axes, "x", [low, high], room=(1.0, (high / low) ** 0.55))
    for place, (engine, number) in enumerate(numbers.items()):
        if number:
            (bar,) = axes.barh([place], [number - low], ENGINE_BAR_WIDTH, left=low, color=colour)
            bar.set_gid(f"{name}-{engine}")
    axes.set_title(name, size=10)
    axes.tick_params(axis="both", length=0)
    axes.tick_params(axis="x", which="both", labelbottom=False, length=0)
    axes.spines["bottom"].set_visible(False)


def _label_panel(
    axes: "Axes", name: str, numbers: Mapping[str, float | None], reasons: Mapping[str, str]
) -> None:
    """The number behind each bar; where there is none, why, or a dash."""
    low = axes.get_xlim()[0]
    for place, (engine, number) in enumerate(numbers.items()):
        words = reasons.get(engine, "") or "–"
        text = (
            words if number is None else seconds_text(number) if name == SECONDS_PANEL else count_text(number)
        )
        write_note(axes, text, (max(number or low, low), place), (4, 0), va="center")
