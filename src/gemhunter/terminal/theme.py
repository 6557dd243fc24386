"""The colours of the screens: one table, from which styles and style sheets take them."""

from dataclasses import asdict, dataclass

from gemhunter.render.palette import Colour, rgb


@dataclass(frozen=True, slots=True)
class ScreenColours:
    """A theme: colours spelled `#rrggbb`. Style sheets name them `$screen-ground`, `$screen-quiet-ink`, …"""

    ground: str
    panel: str
    """The background of the status line, the keys and the page about them."""
    ink: str
    quiet_ink: str
    faint_ink: str
    """Hidden cells, and the numbers around the board."""
    edge: str
    """Scroll bars, frames, and cells that show nothing."""
    accent: str
    """Flags, keys and the cursor."""
    gem: str
    trap: str
    alarm: str
    """A lost game, the trap that was hit, and the largest risk."""
    marked_ground: str
    """The background of cells to look at."""
    clues: tuple[str, ...]
    """The clues 1 to 8."""

    def variables(self) -> dict[str, str]:
        """The single colours by the names that style sheets use; Textual has an `$accent` of its own."""
        colours = {name: colour for name, colour in asdict(self).items() if isinstance(colour, str)}
        return {f"screen-{name.replace('_', '-')}": colour for name, colour in colours.items()}

    def risk(self, risk: float) -> Colour:
        """Red, green and blue for a risk between 0 and 1; small risks differ more than large ones."""
        ends = zip(rgb(self.gem), rgb(self.alarm), strict=True)
        red, green, blue = (round(a + (b - a) * risk**0.5) for a, b in ends)
        return red, green, blue


THEME = ScreenColours(
    ground="#15181d",
    panel="#1d2127",
    ink="#cfccc4",
    quiet_ink="#8d939c",
    faint_ink="#5b636e",
    edge="#3a4048",
    accent="#f2c14e",
    gem="#7fc98b",
    trap="#f08a80",
    alarm="#f06a5f",
    marked_ground="#34506e",
    clues=("#6ea8fe", "#7fc98b", "#f08a80", "#b79cf0", "#e0a458", "#5fc4c4", "#d8d4cb", "#9aa0a8"),
)
"""The theme in use: light on dark."""
