"""What each cell of a game looks like: its sign and its style, with colours and without."""

import math
from dataclasses import dataclass
from typing import Protocol

from rich.style import Style

from gemhunter.core.game_status import Status
from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.play.game import Game
from gemhunter.play.risks import Risks
from gemhunter.render.heat import narrow_sign

PLAIN_WIDTH, RISK_WIDTH = 2, 3
"""Columns per cell, a space included: a sign, or a percentage of two digits."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters for cells; all differ, so that colours only repeat what they say."""

    hidden: str
    flag: str
    trap: str = "*"
    exploded: str = "X"
    wrong_flag: str = "?"
    blank: str = " "


UNICODE = Signs(hidden="■", flag="⚑")
ASCII = Signs(hidden="#", flag="F")

CLUES = ("", "#6ea8fe", "#7fc98b", "#f08a80", "#b79cf0", "#e0a458", "#5fc4c4", "#d8d4cb", "#9aa0a8")
STYLES = {
    "blank": Style(color="#3a4048"),
    "zero": Style(color="#8d939c"),
    "hidden": Style(color="#5b636e"),
    "flag": Style(color="#f2c14e", bold=True),
    "trap": Style(color="#f08a80"),
    "exploded": Style(color="#15181d", bgcolor="#f06a5f", bold=True),
    "wrong flag": Style(color="#f2c14e", bold=True, underline=True),
    **{f"clue {clue}": Style(color=CLUES[clue], bold=True) for clue in range(1, 9)},
}
CURSOR = Style(color="#15181d", bgcolor="#f2c14e", bold=True)
MARKED = Style(bgcolor="#34506e", bold=True, underline=True)
SAFE, RISKY = (127, 201, 139), (240, 106, 95)
"""The two ends of the scale of risks, as red, green and blue."""


class Drawn(Protocol):
    """What the board on the screen shows: cells, the cursor, and cells that are marked."""

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        ...

    @property
    def cursor(self) -> Cell:
        """Where the next move goes."""
        ...

    @property
    def marked(self) -> frozenset[Cell]:
        """Cells to look at."""
        ...

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell, a space included, the best first and those for narrow screens after it."""
        ...

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A game as it is drawn: where the cursor is, which clues are marked, and the risks if they are shown."""

    game: Game
    cursor: Cell
    marked: frozenset[Cell] = frozenset()
    known: Risks | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.level.rows, self.game.level.cols

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell: risks have two digits, or a letter on narrow screens."""
        return (PLAIN_WIDTH,) if self.known is None else (RISK_WIDTH, PLAIN_WIDTH)

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        text, style = _sign(self.game, cell, signs)
        if self.known is not None and self.game.shown[cell] == HIDDEN and text == signs.hidden:
            risk = self.known.risk(cell)
            text, style = risk_sign(risk, width)
            if risk not in (0.0, 1.0) and _is_remote(self.game, cell):
                style = STYLES["hidden"]  # all of these are equal: they should not shout
        if cell == self.cursor and cell != self.game.exploded:
            style = CURSOR
        elif cell in self.marked:
            style += MARKED
        return text.rjust(width - 1), style


def risk_sign(risk: float, width: int) -> tuple[str, Style]:
    """A risk in two columns: `ok` and `!!` are certain, else a percentage. In one: as in narrow maps."""
    is_narrow = width < RISK_WIDTH
    if math.isnan(risk):
        return "-" if is_narrow else "--", STYLES["hidden"]
    red, green, blue = (round(a + (b - a) * risk**0.5) for a, b in zip(SAFE, RISKY, strict=True))
    is_sure = risk in (0.0, 1.0)
    style = Style(color=f"#{red:02x}{green:02x}{blue:02x}", bold=is_sure, reverse=is_sure)
    if is_narrow:
        return narrow_sign(HIDDEN, risk), style
    # Two digits always: ` 5` would look like a clue.
    text = {0.0: "ok", 1.0: "!!"}.get(risk, f"{min(max(round(100 * risk), 1), 99):02}")
    return text, style


def risk_legend(width: int) -> str:
    """What the signs of risks mean, in cells of this width."""
    if width < RISK_WIDTH:
        return "risks: a below 10 %, b below 20 % and so on; G no trap, T trap, - unknown"
    return "risks: ok cannot be a trap, !! is one, -- not known, else percent"


def _is_remote(game: Game, cell: Cell) -> bool:
    """Whether no clue is next to a hidden cell."""
    near = game.shown[max(cell.row - 1, 0) : cell.row + 2, max(cell.col - 1, 0) : cell.col + 2]
    return bool((near == HIDDEN).all())


def _sign(game: Game, cell: Cell, signs: Signs) -> tuple[str, Style]:
    clue = int(game.shown[cell])
    if clue != HIDDEN:
        return (str(clue), STYLES[f"clue {clue}"]) if clue else (signs.blank, STYLES["blank"])
    flagged = bool(game.flags[cell])
    if game.status is Status.LOST and game.board is not None:
        trapped = bool(game.board.traps[cell])
        if cell == game.exploded:
            return signs.exploded, STYLES["exploded"]
        if flagged and not trapped:
            return signs.wrong_flag, STYLES["wrong flag"]
        if trapped and not flagged:
            return signs.trap, STYLES["trap"]
    if flagged or game.status is Status.WON:
        return signs.flag, STYLES["flag"]
    return signs.hidden, STYLES["hidden"]
