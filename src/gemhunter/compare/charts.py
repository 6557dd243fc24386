"""Charts by Matplotlib: their look, one board, many boards, and the genetic algorithm's fitness."""

import io
import re
import textwrap
import warnings
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from itertools import accumulate, islice
from math import ceil, cos, floor, inf, log10, radians, sin
from statistics import median
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

from gemhunter.board.grid import Grid
from gemhunter.compare.suites import Verdict
from gemhunter.compare.summary import EngineOnBoard, Summary
from gemhunter.compare.tables import Average, count_text, time_of
from gemhunter.draw.graphs import NODE_COLOURS, Graph, place_nodes
from gemhunter.draw.palette import ARROW_COLOUR, CUT_COLOUR, INK_COLOUR, NUMBER_COLOUR
from gemhunter.draw.text_maps import seconds_text
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.extras import has_package, missing_text
from gemhunter.questions.trace import trace
from gemhunter.solving.events import Bred
from gemhunter.solving.run import Run

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


# How charts look, whatever they show: themes, marks of engines, axes in seconds, SVG and PNG files.
#
# Matplotlib is used without `pyplot`, which would keep figures alive and might open windows, and without
# the settings of the user, so that equal numbers give equal files.


CHART_HEIGHT = 3.9
"""Inches: with letters of 10 points, about half a page of a report."""

PRINT_DPI = 200

NOTE_SIZE = 9

CHART_FONT, SIMILAR_FONTS = "DejaVu Sans", "Verdana, sans-serif"
"""Matplotlib brings the first one. A reader of an SVG file may have only the second, which is as wide."""

MARKER_SHAPES = "osD^vPX<>*"
"""The shapes of markers: not as many as colours, so that 70 engines differ in one or the other."""

NAMES_IN_A_COLUMN = 16
"""A legend with more names has several columns."""

LINE_DASHES = ("-", "--", ":")
"""Engines that come after all colours have been used once have dashed lines."""

TITLE_CHARACTER, TICK_CHARACTER = 0.115, 0.085
"""Inches: about how wide a character is in a title and below an axis."""

LONGEST_TICK_LINE = 24
"""Characters. A longer name below an axis has several lines."""

LEAST_WRITTEN_OUT, MOST_WRITTEN_OUT = 1e-4, 1e6
"""An axis that goes further shows powers of ten."""

SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")


class Theme(StrEnum):
    """Dark on light, for paper, or light on dark."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class ThemeColours:
    """The colours of text, of lines behind the data, of the background, and of engines."""

    ink: str
    faint: str
    paper: str
    engines: tuple[str, ...]


# Okabe and Ito's palette, which colour-blind people can distinguish, without its yellow on white and
# without its dark blue on black.
THEME_COLOURS = {
    Theme.LIGHT: ThemeColours(
        "#1e293b",
        "#cbd5e1",
        "#ffffff",
        ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#4d4d4d"),
    ),
    Theme.DARK: ThemeColours(
        "#e2e8f0",
        "#3f4d63",
        "#0f172a",
        ("#56b4e9", "#e69f00", "#2fc79b", "#e58cb9", "#f0e442", "#ff8a5b", "#cbd5e1"),
    ),
}


@dataclass(frozen=True, slots=True)
class ChartLook:
    """What a chart is called and how it looks; a transparent one takes the background of its page."""

    title: str = ""
    theme: Theme = Theme.LIGHT
    transparent: bool = False

    @property
    def colours(self) -> ThemeColours:
        """The colours of the theme."""
        return THEME_COLOURS[self.theme]


@dataclass(frozen=True, slots=True)
class EngineMark:
    """The colour, the shape and the line that stand for an engine in every chart of a summary."""

    colour: str
    shape: str
    dashes: str


def engine_marks(engines: Sequence[str], look: ChartLook) -> dict[str, EngineMark]:
    """A mark for each engine, by its place in the summary."""
    colours = look.colours.engines
    return {
        engine: EngineMark(
            colours[place % len(colours)],
            MARKER_SHAPES[place % len(MARKER_SHAPES)],
            LINE_DASHES[place // len(colours) % len(LINE_DASHES)],
        )
        for place, engine in enumerate(engines)
    }


@contextmanager
def new_figure(look: ChartLook, width: float, height: float = CHART_HEIGHT) -> Iterator["Figure"]:
    """A figure of that size in inches, to be filled within the block."""
    require_matplotlib()
    from matplotlib.figure import Figure

    title = wrapped(look.title, round((width - 0.2) / TITLE_CHARACTER))
    with chart_settings(look):
        figure = Figure(figsize=(width, height + 0.2 * title.count("\n")), layout="constrained")
        if title:
            figure.suptitle(title, fontsize=12, fontweight="bold")
        yield figure


def wrapped(text: str, most: int) -> str:
    """Text in lines of at most `most` characters, which end after a blank or a sign if that is possible."""
    lines = [""]
    for word in re.split(r"(?<=[\s/:,;=_])|(?<=\w-)(?=\w)", text):
        for piece in (word[begin : begin + most] for begin in range(0, len(word), most)):
            if len(lines[-1]) + len(piece.rstrip()) > most:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def svg_of(figure: "Figure", name: str = "") -> str:
    """A figure as an SVG document with its text as text.

    `name` comes before all ids in it, so that a page can hold several charts.
    """
    text = io.StringIO()
    with chart_settings():
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue().replace(f"'{CHART_FONT}'", f"'{CHART_FONT}', {SIMILAR_FONTS}")
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg) if name else svg


def png_of(figure: "Figure", dpi: int = PRINT_DPI) -> bytes:
    """A figure as a PNG file, by default fine enough for print."""
    content = io.BytesIO()
    with chart_settings():
        figure.savefig(content, format="png", dpi=dpi, metadata={"Software": None})
    return content.getvalue()


def require_matplotlib(what: str = "charts need") -> None:
    """Report a missing package before any work is done; `what` needs it."""
    if not has_package("matplotlib"):
        raise InputError(missing_text(what, "matplotlib"))


def require_name(kind: str, name: str, known: Sequence[str]) -> None:
    """Raise an error if a chart is asked for a board or engine that the summary does not have."""
    if name not in known:
        raise UnknownNameError(kind, name, known)


@contextmanager
def chart_settings(look: ChartLook | None = None) -> Iterator[None]:
    """Matplotlib's own settings and ours, instead of those in a file of the user's."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # An SVG file keeps characters that the font lacks.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "gemhunter",
                "font.family": CHART_FONT,
                "font.size": 10,
                "text.parse_math": False,  # a dollar in a name is a dollar
            }
        )
        if look is not None:
            matplotlib.rcParams.update(_colour_settings(look))
        yield


def _colour_settings(look: ChartLook) -> dict[Any, Any]:
    colours = look.colours
    paper = "none" if look.transparent else colours.paper
    inked = ("text.color", "axes.labelcolor", "axes.titlecolor", "xtick.labelcolor", "ytick.labelcolor")
    lines = ("axes.edgecolor", "xtick.color", "ytick.color", "grid.color")
    return {
        **dict.fromkeys(inked, colours.ink),
        **dict.fromkeys(lines, colours.faint),
        **dict.fromkeys(("figure.facecolor", "axes.facecolor"), paper),
        **dict.fromkeys(("figure.constrained_layout.h_pad", "figure.constrained_layout.w_pad"), 0.09),
        "axes.spines.top": False,
        "axes.spines.right": False,
        "axes.axisbelow": True,
        "grid.linewidth": 0.6,
        "lines.linewidth": 1.6,
        "lines.markersize": 5.5,
        "legend.frameon": False,
        "hatch.linewidth": 0.8,
    }


def write_note(
    axes: "Axes", text: str, at: tuple[float, float], offset: tuple[float, float], **options: Any
) -> None:
    """Small text next to a point of the chart, moved to the right and up by `offset`, in points."""
    axes.annotate(text, at, offset, textcoords="offset points", size=NOTE_SIZE, **options)


def show_legend(axes: "Axes", handles: Sequence["Line2D"]) -> None:
    """A legend on the right of the axes, where it hides nothing."""
    axes.legend(
        handles=list(handles),
        loc="upper left",
        bbox_to_anchor=(1.01, 1.0),
        ncols=_legend_columns(len(handles)),
    )


def legend_width(names: Sequence[str]) -> float:
    """About how many inches a legend with these names takes."""
    longest = max((len(line) for name in names for line in name.split("\n")), default=0)
    return _legend_columns(len(names)) * (0.6 + 0.085 * longest)


def _legend_columns(names: int) -> int:
    return max(-(-names // NAMES_IN_A_COLUMN), 1)


def log_axis(
    axes: "Axes", which: Literal["x", "y"], values: Sequence[float], *, room: tuple[float, float] = (1.0, 1.0)
) -> None:
    """Make an axis logarithmic, from the power of ten below all values to the one above them.

    `room` is left below and above, as factors.
    """
    low, high = decades(values)
    written_out = low >= LEAST_WRITTEN_OUT and high <= MOST_WRITTEN_OUT
    text = plain_text if written_out else power_text
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low / room[0], high * room[1])})
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(lambda value, _: text(value))
    axis.set_minor_formatter(lambda *_: "")


def name_ticks(axes: "Axes", names: Sequence[str], *, degrees: int) -> None:
    """Write names below an axis, tilted if they would run into each other side by side."""
    tilted = max(map(len, names), default=0) > 9
    axes.set_xticks(
        range(len(names)),
        [wrapped(name, LONGEST_TICK_LINE) for name in names],
        rotation=degrees if tilted else 0,
        ha="right" if tilted else "center",
        rotation_mode="anchor",
    )


def room_for_ticks(names: Sequence[str], *, degrees: int) -> tuple[float, float]:
    """Inches by which a chart is wider and higher for the names that `name_ticks` writes below it."""
    lines = [wrapped(name, LONGEST_TICK_LINE) for name in names]
    longest = max((len(line) for name in lines for line in name.split("\n")), default=0) * TICK_CHARACTER
    across, down = longest * cos(radians(degrees)), longest * sin(radians(degrees))
    # A chart has room for names of about twelve characters.
    return max(across - 0.9, 0.0), max(down - 0.6, 0.0)


def decades(values: Sequence[float]) -> tuple[float, float]:
    """The largest power of ten below all values, and the smallest that is above them."""
    positive = [value for value in values if value > 0] or [1.0]
    # A value that is a power of ten must not become the next one by an error of rounding.
    low, high = floor(log10(min(positive)) + 1e-9), ceil(log10(max(positive)) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


def power_text(value: float) -> str:
    """A power of ten, as a power unless it is 1 or 10."""
    power = round(log10(value))
    return plain_text(value) if power in (0, 1) else "10" + str(power).translate(SUPERSCRIPTS)


def plain_text(value: float) -> str:
    """A number written out, without a power of ten and without zeros behind the point."""
    return f"{value:,.9f}".rstrip("0").rstrip(".")


# Charts of one board: the seconds of its engines, and what they counted beside them.


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


# Charts over many boards: how times grow, how many boards are answered, and one engine against another.


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


# The fitness curve of the genetic algorithm: clauses that its best chromosome satisfies.


MOST_GENERATIONS = 400


@dataclass(frozen=True, slots=True)
class FitnessCurve:
    """The best fitness after each generation, and the number of clauses that are left without units."""

    fitness: tuple[int, ...]
    clauses: int


def fitness_curve(grid: Grid, seed: int) -> FitnessCurve | None:
    """The curve of one run on a board; None if propagating unit clauses leaves nothing to breed for."""
    steps = islice(trace(grid, "genetic", run=Run(seed=seed)), MOST_GENERATIONS + 1)
    bred = [step.event for step in steps if isinstance(step.event, Bred)]
    if not bred:
        return None
    return FitnessCurve(tuple(each.fitness for each in bred), bred[0].clauses)


def fitness_chart(curve: FitnessCurve, look: ChartLook) -> "Figure":
    """Generations on the x axis, clauses that hold on the y axis, a dashed line at all of them."""
    from matplotlib.ticker import MaxNLocator

    with new_figure(look, 6.4, 3.2) as figure:
        axes = figure.add_subplot()
        axes.axhline(curve.clauses, color=look.colours.faint, linestyle="--")
        marker = "o" if len(curve.fitness) <= 30 else ""
        axes.plot(range(len(curve.fitness)), curve.fitness, color=look.colours.engines[2], marker=marker)
        axes.set_xlabel("generation")
        axes.set_ylabel("clauses that hold")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(integer=True))
        axes.grid(axis="y")
    return figure


# A graph with a cut through it, drawn for paper: no wider than a page, its letters large enough to read.


PAGE_POINTS, LETTER_POINTS = 450.0, 8.0
"""Points: the width of a page, and the size of letters, which is smaller only if the graph is too wide."""

NODE_LETTER_WIDTH, BOX_HEIGHT, GAP_ACROSS, GAP_DOWN = 0.64, 2.0, 3.2, 1.1
"""In sizes of a letter, as is everything that is drawn."""


def graph_chart(graph: Graph, look: ChartLook) -> "Figure":
    """The figure; it shows what the SVG picture of `draw/graphs.py` shows."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

    places, cut = place_nodes(graph)
    columns, rows = (max(ends) + 1 for ends in zip(*places.values(), strict=True))
    box_width = NODE_LETTER_WIDTH * max(len(node.label) for node in graph.nodes) + 1.4
    width = columns * (box_width + GAP_ACROSS) - GAP_ACROSS + 1
    letter = min(LETTER_POINTS, PAGE_POINTS / width)
    title = textwrap.wrap(graph.title, int(max(width, PAGE_POINTS / letter / 2) / NODE_LETTER_WIDTH))
    top = 1.5 * len(title) + 1.6
    # Every second column stands lower, so that edges pass between nodes rather than behind them.
    height = top + rows * (BOX_HEIGHT + GAP_DOWN) + BOX_HEIGHT / 2
    corners = {
        name: (
            0.5 + column * (box_width + GAP_ACROSS),
            top + row * (BOX_HEIGHT + GAP_DOWN) + column % 2 * (BOX_HEIGHT + GAP_DOWN) / 2,
        )
        for name, (column, row) in places.items()
    }

    width = max(width, NODE_LETTER_WIDTH * max(map(len, title), default=0))
    with new_figure(look, width * letter / 72, height * letter / 72) as figure:
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        axes.text(0.5, 1.2, "\n".join(title), size=letter, color=INK_COLOUR, va="top", linespacing=1.3)
        middle = BOX_HEIGHT / 2
        for node in graph.nodes:
            x, y = corners[node.name]
            for before in node.after:
                start = corners[before][0] + box_width, corners[before][1] + middle
                arrow = FancyArrowPatch(
                    start,
                    (x, y + middle),
                    arrowstyle="-|>",
                    mutation_scale=letter * 0.8,
                    shrinkA=0,
                    shrinkB=0,
                )
                arrow.set(color=NUMBER_COLOUR, linewidth=0.6)
                axes.add_patch(arrow)
            shape = FancyBboxPatch((x, y), box_width, BOX_HEIGHT, boxstyle="round,pad=0,rounding_size=0.35")
            shape.set(facecolor=NODE_COLOURS[node.kind], edgecolor=ARROW_COLOUR, linewidth=0.6, zorder=2)
            axes.add_patch(shape)
            axes.text(
                *(x + box_width / 2, y + middle, node.label),
                size=letter,
                color=INK_COLOUR,
                ha="center",
                va="center_baseline",
                zorder=3,
            )
        across = 0.5 + cut * (box_width + GAP_ACROSS) - GAP_ACROSS / 2
        axes.plot([across, across], [top - 0.8, height - 0.3], "--", color=CUT_COLOUR, linewidth=1.2)
    return figure
