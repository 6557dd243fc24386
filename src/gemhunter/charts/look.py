"""How charts look: their themes, fonts, marks, axes and files.

Matplotlib is used without `pyplot`, which would keep figures alive and might open windows, and without
the user's settings, so that equal numbers give equal files.
"""

import io
import re
import warnings
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import chain, count
from math import ceil, cos, floor, log10, radians, sin
from typing import TYPE_CHECKING, Any, Literal

from gemhunter.draw.themes import CHART_FONT, SIMILAR_FONTS, THEME_COLOURS, Theme, ThemeColours
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.optional_packages import has_package, missing_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.lines import Line2D


CHART_HEIGHT = 3.9
"""Inches; with letters of 10 points, about half a page of a report."""

NOTE_SIZE = 9

UNDATED_PDF = dict.fromkeys(("CreationDate", "Creator", "Producer"))
"""The metadata left out of PDF files, so that equal figures give equal bytes."""

MARKER_SHAPES = "osD^vPX<>*"
"""The 10 shapes and the 7 colours have no common factor, so each of 70 engines gets a different pair."""

TICK_CHARACTER = 0.085
"""Inches: the approximate width of a character below an axis."""

TICK_LINE_CHARACTERS = 24
"""A longer name below an axis is broken into several lines."""


@dataclass(frozen=True, slots=True)
class ChartLook:
    """The title and the look of a chart; a transparent chart shows the background of its page."""

    title: str = ""
    theme: Theme = Theme.LIGHT
    transparent: bool = False

    @property
    def colours(self) -> ThemeColours:
        """The colours of the theme."""
        return THEME_COLOURS[self.theme]


@dataclass(frozen=True, slots=True)
class EngineMark:
    """The colour, marker and line style of an engine in every chart of a summary."""

    colour: str
    shape: str
    dashes: str


def engine_marks(engines: Sequence[str], look: ChartLook) -> dict[str, EngineMark]:
    """A mark for each engine, chosen by its place in the summary."""
    # Once all colours have been used, lines are dashed.
    colours, dashes, shapes = look.colours.engines, ("-", "--", ":"), MARKER_SHAPES
    return {
        engine: EngineMark(
            colours[i % len(colours)], shapes[i % len(shapes)], dashes[i // len(colours) % len(dashes)]
        )
        for i, engine in enumerate(engines)
    }


@contextmanager
def new_figure(look: ChartLook, width: float, height: float = CHART_HEIGHT) -> Iterator["Figure"]:
    """A figure of this size in inches, to be filled within the block."""
    require_matplotlib()
    from matplotlib.figure import Figure

    # A character of a title is about 0.115 inches wide.
    title = wrapped(look.title, round((width - 0.2) / 0.115))
    with chart_settings(look):
        figure = Figure(figsize=(width, height + 0.2 * title.count("\n")), layout="constrained")
        if title:
            figure.suptitle(title, fontsize=12, fontweight="bold")
        yield figure


def wrapped(text: str, width: int) -> str:
    """Text in lines of at most `width` characters, broken after a blank or a punctuation mark if possible."""
    lines = [""]
    for word in re.split(r"(?<=[\s/:,;=_])|(?<=\w-)(?=\w)", text):
        for piece in (word[begin : begin + width] for begin in range(0, len(word), width)):
            if len(lines[-1]) + len(piece.rstrip()) > width:
                lines.append("")
            lines[-1] += piece
    return "\n".join(line.rstrip() for line in lines)


def svg_of(figure: "Figure", name: str = "") -> str:
    """A figure as an SVG document that keeps text as text.

    `name` is put before every id, so that a page can hold several charts.
    """
    text = io.StringIO()
    with chart_settings():
        figure.savefig(text, format="svg", metadata={"Date": None, "Creator": None})
    svg = text.getvalue().replace(f"'{CHART_FONT}'", f"'{CHART_FONT}', {SIMILAR_FONTS}")
    return re.sub(r'( id="|href="#|url\(#)', rf"\g<1>{name}-", svg) if name else svg


def png_of(figure: "Figure", dpi: int = 200) -> bytes:
    """A figure as a PNG file; the default resolution is fine enough for print."""
    content = io.BytesIO()
    with chart_settings():
        figure.savefig(content, format="png", dpi=dpi, metadata={"Software": None})
    return content.getvalue()


def chart_file_names(titles: Iterable[str]) -> list[str]:
    """A file name for each title, without an ending; no two are equal, even where case does not count."""
    names: list[str] = []
    taken: set[str] = set()
    for title in titles:
        # Names of boards and engines can be long, and have characters that file systems reject.
        plain = "".join(sign if sign.isalnum() or sign in "-_." else "-" for sign in title)[:80]
        numbered = (f"{plain}-{number}" for number in count(2))
        names.append(next(name for name in chain([plain], numbered) if name.casefold() not in taken))
        taken.add(names[-1].casefold())
    return names


def require_matplotlib(what: str = "charts need") -> None:
    """Raise an error that begins with `what`, such as "charts need", if Matplotlib is missing."""
    if not has_package("matplotlib"):
        raise InputError(missing_text(what, "matplotlib"))


def require_name(kind: str, name: str, known: Sequence[str]) -> None:
    """Raise an error unless the summary has the board or engine that the chart is about."""
    if name not in known:
        raise UnknownNameError(kind, name, known)


@contextmanager
def chart_settings(look: ChartLook | None = None) -> Iterator[None]:
    """Matplotlib's defaults and our settings, instead of those in the user's configuration file."""
    import matplotlib

    with matplotlib.rc_context(), warnings.catch_warnings():
        # The warning is wrong for SVG, which keeps text as text even if this font lacks a character.
        warnings.filterwarnings("ignore", message="Glyph .* missing from font")
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(
            {
                "svg.fonttype": "none",
                "svg.hashsalt": "gemhunter",
                # Text in TrueType fonts can be searched and copied; type 3, the default, looks worse.
                "pdf.fonttype": 42,
                "font.family": CHART_FONT,
                "font.size": 10,
                "text.parse_math": False,  # a dollar in a name begins no formula
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
    """Write small text at a point of the chart, moved right and up by `offset`, in points."""
    axes.annotate(text, at, offset, textcoords="offset points", size=NOTE_SIZE, **options)


def show_legend(axes: "Axes", handles: Sequence["Line2D"]) -> None:
    """Put a legend to the right of the axes, where it hides nothing."""
    columns = _legend_columns(len(handles))
    axes.legend(handles=list(handles), loc="upper left", bbox_to_anchor=(1.01, 1.0), ncols=columns)


def legend_width(names: Sequence[str]) -> float:
    """The approximate width of a legend with these names, in inches."""
    return _legend_columns(len(names)) * (0.6 + 0.085 * longest_line(names))


def _legend_columns(names: int) -> int:
    return max(-(-names // 16), 1)


def longest_line(names: Sequence[str]) -> int:
    """The number of characters in the longest line of these names."""
    return max((len(line) for name in names for line in name.split("\n")), default=0)


def log_axis(
    axes: "Axes", which: Literal["x", "y"], values: Sequence[float], *, room: tuple[float, float] = (1.0, 1.0)
) -> None:
    """Make an axis logarithmic, from the power of ten below all values to the one above them.

    `room` has the factors by which it extends further down and up.
    """
    low, high = decades(values)
    text = plain_text if low >= 1e-4 and high <= 1e6 else power_text
    axes.set(**{f"{which}scale": "log", f"{which}lim": (low / room[0], high * room[1])})
    axis = axes.xaxis if which == "x" else axes.yaxis
    axis.set_major_formatter(lambda value, _: text(value))
    axis.set_minor_formatter(lambda *_: "")


def name_ticks(axes: "Axes", names: Sequence[str], *, degrees: int) -> None:
    """Write names below an axis, tilted if they would otherwise overlap."""
    tilted = max(map(len, names), default=0) > 9
    axes.set_xticks(
        range(len(names)),
        [wrapped(name, TICK_LINE_CHARACTERS) for name in names],
        rotation=degrees if tilted else 0,
        ha="right" if tilted else "center",
        rotation_mode="anchor",
    )


def room_for_ticks(names: Sequence[str], *, degrees: int) -> tuple[float, float]:
    """The width and height in inches that the names written by `name_ticks` add to a chart."""
    longest = longest_line([wrapped(name, TICK_LINE_CHARACTERS) for name in names]) * TICK_CHARACTER
    across, down = longest * cos(radians(degrees)), longest * sin(radians(degrees))
    # A chart has room for names of about twelve characters.
    return max(across - 0.9, 0.0), max(down - 0.6, 0.0)


def decades(values: Sequence[float]) -> tuple[float, float]:
    """The powers of ten next below and next above all positive values."""
    positive = [value for value in values if value > 0] or [1.0]
    # A rounding error must not turn a power of ten into the next one.
    low, high = floor(log10(min(positive)) + 1e-9), ceil(log10(max(positive)) - 1e-9)
    return 10.0**low, 10.0 ** max(high, low + 1)


def power_text(value: float) -> str:
    """A power of ten, such as `10⁻³`; 1 and 10 are written out."""
    power = round(log10(value))
    superscripts = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
    return plain_text(value) if power in (0, 1) else "10" + str(power).translate(superscripts)


def plain_text(value: float) -> str:
    """A number written out, without an exponent and without trailing zeros."""
    return f"{value:,.9f}".rstrip("0").rstrip(".")
