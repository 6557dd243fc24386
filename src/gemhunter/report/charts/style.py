"""How charts look, whatever they show: themes, marks of engines, axes in seconds, SVG and PNG files.

Matplotlib is used without `pyplot`, which would keep figures alive and might open windows, and without the
settings of the user, so that equal numbers give equal files.
"""

import io
import re
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from enum import StrEnum
from math import ceil, cos, floor, log10, radians, sin
from typing import TYPE_CHECKING, Any, Literal

from gemhunter.errors import InputError, UnknownNameError
from gemhunter.extras import has_package, missing_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D

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
