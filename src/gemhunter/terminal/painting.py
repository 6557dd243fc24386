"""What each cell of a game looks like: its sign and its style, with colours and without."""

import math
from dataclasses import dataclass

from rich.style import Style

from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.play.game import Game
from gemhunter.play.knowing import Knowledge
from gemhunter.play.view import Status

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


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A game as it is drawn: where the cursor is, which clues are marked, and the risks if they are shown."""

    game: Game
    cursor: Cell
    marked: frozenset[Cell] = frozenset()
    known: Knowledge | None = None

    @property
    def width(self) -> int:
        """Columns per cell."""
        return PLAIN_WIDTH if self.known is None else RISK_WIDTH


def paint(picture: Picture, cell: Cell, signs: Signs) -> tuple[str, Style]:
    """The text of a cell, one column narrower than the cell is, and how it is drawn."""
    text, style = _sign(picture.game, cell, signs)
    if picture.known is not None:
        if picture.game.shown[cell] == HIDDEN and text == signs.hidden:
            risk = picture.known.risk(cell)
            text, style = risk_sign(risk)
            if risk not in (0.0, 1.0) and _is_remote(picture.game, cell):
                style = STYLES["hidden"]  # all of these are equal: they should not shout
        text = text.rjust(RISK_WIDTH - 1)
    if cell == picture.cursor and cell != picture.game.exploded:
        return text, CURSOR
    return text, style + MARKED if cell in picture.marked else style


def risk_sign(risk: float) -> tuple[str, Style]:
    """A risk in two columns: `ok` and `!!` are certain, everything else is a percentage."""
    if math.isnan(risk):
        return "--", STYLES["hidden"]
    red, green, blue = (round(a + (b - a) * risk**0.5) for a, b in zip(SAFE, RISKY, strict=True))
    style = Style(color=f"#{red:02x}{green:02x}{blue:02x}", bold=risk in (0.0, 1.0))
    # Two digits always: ` 5` would look like a clue.
    text = {0.0: "ok", 1.0: "!!"}.get(risk, f"{min(max(round(100 * risk), 1), 99):02}")
    return text, style


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
