"""The colours of pages and charts in a light and a dark theme, and their font."""

from dataclasses import dataclass
from enum import StrEnum

CHART_FONT, SIMILAR_FONTS = "DejaVu Sans", "Verdana, sans-serif"
"""Matplotlib comes with the first. A reader of an SVG file may have only the others, which are as wide."""


class Theme(StrEnum):
    """Dark on light, as on paper, or light on dark."""

    LIGHT = "light"
    DARK = "dark"


@dataclass(frozen=True, slots=True)
class ThemeColours:
    """The colours of text, of the lines behind the data, of the background, and of the engines."""

    ink: str
    faint: str
    paper: str
    engines: tuple[str, ...]


# Okabe and Ito's palette, which colour-blind people can distinguish, except for its yellow on white and its
# dark blue on black.
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
