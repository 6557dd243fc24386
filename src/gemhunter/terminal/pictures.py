"""What each cell looks like, in a game and on a board to fill in: its sign and its style."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Protocol, Self

from rich.style import Style

from gemhunter.core.game_status import Status
from gemhunter.core.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell
from gemhunter.play.fill_in import FillIn
from gemhunter.play.game import Game
from gemhunter.play.risks import Risks
from gemhunter.render.heat import narrow_sign
from gemhunter.terminal.theme import THEME

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

STYLES = {
    "blank": Style(color=THEME.edge),
    "zero": Style(color=THEME.quiet_ink),
    "hidden": Style(color=THEME.faint_ink),
    "flag": Style(color=THEME.accent, bold=True),
    "trap": Style(color=THEME.trap),
    "exploded": Style(color=THEME.ground, bgcolor=THEME.alarm, bold=True),
    "wrong flag": Style(color=THEME.accent, bold=True, underline=True),
    **{f"clue {clue}": Style(color=ink, bold=True) for clue, ink in enumerate(THEME.clues, 1)},
}
CURSOR_STYLE = Style(color=THEME.ground, bgcolor=THEME.accent, bold=True)
MARKED_STYLE = Style(bgcolor=THEME.marked_ground, bold=True, underline=True)

REVERSED = Style(reverse=True)
OWN_MARKS = {TRAP: Style(color=THEME.trap, bold=True), GEM: Style(color=THEME.gem, bold=True)}
GIVEN_MARKS = {TRAP: Style(color=THEME.trap, underline=True), GEM: Style(color=THEME.gem, underline=True)}
"""On a board to fill in: marks of the player, and cells that the board shows."""
HINTED_MARKS = {code: (CELL_MARKS[code].lower(), style + REVERSED) for code, style in OWN_MARKS.items()}
"""The signs of cells that a hint decides: small letters, as the player has not marked them yet."""


class Drawn(Protocol):
    """What the board on the screen shows: cells, the cursor, cells that are marked, and cells of a hint."""

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

    @property
    def ending(self) -> str:
        """How it ended: `won`, `lost`, or empty."""
        ...

    def at(self, cursor: Cell) -> Self:
        """With the cursor on another cell, and what is marked unchanged."""
        ...

    def pointing(self, marked: frozenset[Cell], decided: Mapping[Cell, int]) -> Self:
        """With these cells marked, and those of a hint shown as `TRAP` or `GEM`."""
        ...

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        ...


@dataclass(frozen=True, slots=True, eq=False)
class Picture:
    """A game as it is drawn: where the cursor is, which clues are marked, and the risks if they are shown.

    `decided` are the cells that a hint decides, as `TRAP` or `GEM`.
    """

    game: Game
    cursor: Cell
    marked: frozenset[Cell] = frozenset()
    known: Risks | None = None
    decided: Mapping[Cell, int] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.level.rows, self.game.level.cols

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell: risks have two digits, or a letter on narrow screens."""
        return (PLAIN_WIDTH,) if self.known is None else (RISK_WIDTH, PLAIN_WIDTH)

    @property
    def ending(self) -> str:
        """How the game ended: `won`, `lost`, or empty."""
        status = self.game.status
        return status.value if status in (Status.WON, Status.LOST) else ""

    def at(self, cursor: Cell) -> Self:
        """With the cursor on another cell, and what is marked unchanged."""
        return replace(self, cursor=cursor)

    def pointing(self, marked: frozenset[Cell], decided: Mapping[Cell, int]) -> Self:
        """With these cells marked, and those of a hint shown as `TRAP` or `GEM`."""
        return replace(self, marked=marked, decided=decided)

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        text, style = _sign(self.game, cell, signs)
        if text == signs.hidden and cell in self.decided:
            text, style = risk_sign(float(self.decided[cell] == TRAP), width)
        elif self.decided.get(cell) == GEM:
            text, style = signs.wrong_flag, STYLES["wrong flag"]
        elif text == signs.hidden and self.known is not None:
            risk = self.known.risk(cell)
            text, style = risk_sign(risk, width)
            if risk not in (0.0, 1.0) and _is_untouched(self.game, cell):
                style = STYLES["hidden"]  # these all have one risk, so they are faint
        if cell == self.cursor and cell != self.game.exploded:
            style = CURSOR_STYLE
        elif cell in self.marked:
            style += MARKED_STYLE
        return text.rjust(width - 1), style


@dataclass(frozen=True, slots=True, eq=False)
class FillInPicture:
    """A board as it is drawn: where the cursor is, and which cells are to be looked at.

    `decided` are the cells that a hint decides, as `TRAP` or `GEM`.
    """

    board: FillIn
    cursor: Cell
    marked: frozenset[Cell] = frozenset()
    decided: Mapping[Cell, int] = field(default_factory=dict)

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.board.grid.rows, self.board.grid.cols

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell."""
        return (PLAIN_WIDTH,)

    @property
    def ending(self) -> str:
        """`won` if the board is filled in and right, otherwise empty."""
        return "won" if self.board.is_right else ""

    def at(self, cursor: Cell) -> Self:
        """With the cursor on another cell, and what is marked unchanged."""
        return replace(self, cursor=cursor)

    def pointing(self, marked: frozenset[Cell], decided: Mapping[Cell, int]) -> Self:
        """With these cells marked, and those of a hint shown as `TRAP` or `GEM`."""
        return replace(self, marked=marked, decided=decided)

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        text, style = self._sign(cell, signs)
        if cell == self.cursor:
            style = CURSOR_STYLE
        elif cell in self.marked:
            style += MARKED_STYLE
        return text.rjust(width - 1), style

    def _sign(self, cell: Cell, signs: Signs) -> tuple[str, Style]:
        given, own = self.board.grid[cell], int(self.board.marks[cell])
        if own != HIDDEN:
            return CELL_MARKS[own], OWN_MARKS[own]
        if given == HIDDEN and cell in self.decided:
            return HINTED_MARKS[self.decided[cell]]
        if given == HIDDEN:
            return signs.hidden, STYLES["hidden"]
        return CELL_MARKS[given], GIVEN_MARKS.get(given) or STYLES.get(f"clue {given}", STYLES["zero"])


def risk_sign(risk: float, width: int) -> tuple[str, Style]:
    """A risk in two columns: `ok` and `!!` are certain, else a percentage. In one: as in narrow maps."""
    is_narrow = width < RISK_WIDTH
    if math.isnan(risk):
        return "-" if is_narrow else "--", STYLES["hidden"]
    red, green, blue = THEME.risk(risk)
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


def _is_untouched(game: Game, cell: Cell) -> bool:
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
