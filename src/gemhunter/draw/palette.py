"""The colours of pictures and of maps in the terminal."""

from typing import NamedTuple, TypeAlias

Colour: TypeAlias = tuple[int, int, int]
"""Red, green and blue, from 0 to 255."""

Ink: TypeAlias = str | int | Colour | None
"""A colour for a terminal: a name, a number below 256, or red, green and blue."""

CLUE_COLOURS = (
    *("#8a8f98", "#1d4ed8", "#15803d", "#b91c1c", "#6d28d9"),
    *("#9a3412", "#0e7490", "#111827", "#4b5563", "#000000"),
)
"""The colours of the clues 0 to 9."""

PAPER_COLOUR, CLUE_GROUND, HIDDEN_GROUND = "#ffffff", "#f8fafc", "#cbd5e1"
TRAP_GROUND, GEM_GROUND, PRESUMED_GROUND, EXPLODED_GROUND = "#fecaca", "#bbf7d0", "#fde047", "#f87171"
LINE_COLOUR, INK_COLOUR, NUMBER_COLOUR, CROSS_COLOUR = "#94a3b8", "#1e293b", "#64748b", "#dc2626"

ARROW_COLOUR = "#475569"
"""The colour of lines around boxes, and of the arrow between a grid and its answer."""

SURE_GEM, SURE_TRAP, SURE_INK = "#15803d", "#b91c1c", "#ffffff"
"""The colours of certain cells; no other cell has them, so that an uncertain one never looks certain."""

BAR_COLOURS = ("#22c55e", "#eab308", "#3b82f6", "#a855f7")
"""The colours of the series of a bar chart, in order."""

GIVEN_NODE, UIP_NODE, CONFLICT_NODE, CUT_COLOUR = "#e2e8f0", "#fde68a", "#fecaca", "#b91c1c"
"""The colours of the nodes of an implication graph, and of the cut through it."""

COLD, WARM, HOT = (134, 239, 172), (254, 240, 138), (248, 113, 113)
"""The colours of cells whose risk is nearly 0, one half, and nearly 1."""

TRUE_COLOURS, CUBE_COLOURS, NAMED_COLOURS, NO_COLOURS = 1 << 24, 256, 16, 0
"""How many colours a terminal can have."""


class Look(NamedTuple):
    """How a terminal shows a sign."""

    fg: Ink = None
    bg: Ink = None
    bold: bool = False
    dim: bool = False


PLAIN, FAINT = Look(), Look(dim=True)
SHOWN_TRAP, SHOWN_GEM, JUST_CHANGED = Look("red", bold=True), Look("green"), Look("black", "yellow")


def rgb(colour: str) -> Colour:
    """Red, green and blue of a colour such as `#1d4ed8`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


def heat_colour(risk: float) -> Colour:
    """Red, green and blue for a risk between 0 and 1."""
    low, high, share = (COLD, WARM, 2 * risk) if risk < 0.5 else (WARM, HOT, 2 * risk - 1)
    red, green, blue = (round(a + (b - a) * share) for a, b in zip(low, high, strict=True))
    return red, green, blue


def risk_look(risk: float, depth: int) -> Look:
    """The look of a risk: at any `depth`, only certain cells are bold on strong colours."""
    is_sure = risk in (0.0, 1.0)
    if depth <= NAMED_COLOURS:
        name = "green" if risk < 0.25 else "yellow" if risk < 0.75 else "red"
        return Look("white", name, bold=True) if is_sure else Look(name)
    if is_sure:
        return Look(_ink(SURE_INK, depth), _ink(SURE_TRAP if risk else SURE_GEM, depth), bold=True)
    return Look(_ink(INK_COLOUR, depth), _ink(heat_colour(risk), depth))


def _ink(colour: str | Colour, depth: int) -> Ink:
    """A colour for a terminal; with 256 colours, the nearest in their cube of 6×6×6."""
    wanted = rgb(colour) if isinstance(colour, str) else colour
    if depth >= TRUE_COLOURS:
        return wanted
    levels = (0, 95, 135, 175, 215, 255)
    red, green, blue = (min(range(6), key=lambda step: abs(levels[step] - value)) for value in wanted)
    return 16 + 36 * red + 6 * green + blue
