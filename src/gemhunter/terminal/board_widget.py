"""The board on the screen: colours, what each cell looks like, and scrolling."""

import math
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell
from gemhunter.board.position import Status
from gemhunter.draw.grids import narrow_sign
from gemhunter.draw.palette import Colour, rgb
from gemhunter.draw.text_maps import column_numbers, row_margin, row_number
from gemhunter.play.fill_in import FillIn
from gemhunter.play.game import Game
from gemhunter.play.risks import Risks

# The colours of the screens: one table, from which styles and style sheets take them.


@dataclass(frozen=True, slots=True)
class ScreenColours:
    """A theme of `#rrggbb` colours. Style sheets call them `$screen-ground`, `$screen-quiet-ink`, …"""

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
        """All colours but those of clues by the names in style sheets; `$accent` is one of Textual's."""
        colours = {name: colour for name, colour in asdict(self).items() if isinstance(colour, str)}
        return {f"screen-{name.replace('_', '-')}": colour for name, colour in colours.items()}

    def risk(self, risk: float) -> Colour:
        """The colour of a risk between 0 and 1; small risks differ more than large ones."""
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


# What each cell looks like, in a game and on a board to fill in: its sign and its style.


PLAIN_WIDTH, RISK_WIDTH = 2, 3
"""Columns per cell, a space included: a sign, or a percentage of two digits."""


@dataclass(frozen=True, slots=True)
class Signs:
    """The characters for cells. No two are equal, so that a board can be read without colours."""

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

OWN_MARKS = {TRAP: Style(color=THEME.trap, bold=True), GEM: Style(color=THEME.gem, bold=True)}
GIVEN_MARKS = {TRAP: Style(color=THEME.trap, underline=True), GEM: Style(color=THEME.gem, underline=True)}
"""On a board to fill in: marks of the player, and cells that the board shows."""
HINTED_MARKS = {
    code: (CELL_MARKS[code].lower(), style + Style(reverse=True)) for code, style in OWN_MARKS.items()
}
"""The signs of cells that a hint decides: lower-case letters, because the player has not marked them yet."""


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Picture(ABC):
    """What the screen shows of a board: each kind of board adds its cells.

    `marked` are cells to look at, `decided` those that a hint decides, as `TRAP` or `GEM`.
    """

    cursor: Cell
    marked: frozenset[Cell] = frozenset()
    decided: Mapping[Cell, int] = field(default_factory=dict)

    @property
    @abstractmethod
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell, including a space; the first is best, the others are for narrow screens."""
        return (PLAIN_WIDTH,)

    @property
    @abstractmethod
    def ending(self) -> str:
        """How it ended: `won`, `lost`, or empty."""

    @abstractmethod
    def sign(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The sign of a cell and its style, ignoring the cursor and marks."""

    def at(self, cursor: Cell) -> Self:
        """Move the cursor to another cell."""
        return replace(self, cursor=cursor)

    def pointing(self, marked: frozenset[Cell], decided: Mapping[Cell, int]) -> Self:
        """Mark other cells, and show the cells of a hint."""
        return replace(self, marked=marked, decided=decided)

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        text, style = self.sign(cell, signs, width)
        # The trap that was hit stands out even under the cursor.
        if cell == self.cursor and style is not STYLES["exploded"]:
            style = CURSOR_STYLE
        elif cell in self.marked:
            style += MARKED_STYLE
        return text.rjust(width - 1), style


@dataclass(frozen=True, slots=True, eq=False)
class GamePicture(Picture):
    """A game as it is drawn, with the risk of each cell if risks are shown."""

    game: Game
    known: Risks | None = None

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.game.level.rows, self.game.level.cols

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell: a risk has two digits, or is a letter on narrow screens."""
        return (PLAIN_WIDTH,) if self.known is None else (RISK_WIDTH, PLAIN_WIDTH)

    @property
    def ending(self) -> str:
        """How the game ended: `won`, `lost`, or empty."""
        status = self.game.status
        return status.value if status in (Status.WON, Status.LOST) else ""

    def sign(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The sign of a cell: what a hint decides comes before its risk."""
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
        return text, style


@dataclass(frozen=True, slots=True, eq=False)
class FillInPicture(Picture):
    """A board to fill in as it is drawn."""

    board: FillIn

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.board.grid.rows, self.board.grid.cols

    @property
    def ending(self) -> str:
        """`won` if the board is filled in and right, otherwise empty."""
        return "won" if self.board.is_right else ""

    def sign(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:  # noqa: ARG002 - one column
        """The sign of a cell: the player's mark, what a hint decides, or what the board shows."""
        given, own = self.board.grid[cell], int(self.board.marks[cell])
        if own != HIDDEN:
            return CELL_MARKS[own], OWN_MARKS[own]
        if given == HIDDEN and cell in self.decided:
            return HINTED_MARKS[self.decided[cell]]
        if given == HIDDEN:
            return signs.hidden, STYLES["hidden"]
        return CELL_MARKS[given], GIVEN_MARKS.get(given) or STYLES.get(f"clue {given}", STYLES["zero"])


def risk_sign(risk: float, width: int) -> tuple[str, Style]:
    """A risk in two columns: `ok`, `!!` or a percentage; or in one column, as in narrow maps."""
    is_narrow = width < RISK_WIDTH
    if math.isnan(risk):
        return "-" if is_narrow else "--", STYLES["hidden"]
    red, green, blue = THEME.risk(risk)
    is_sure = risk in (0.0, 1.0)
    style = Style(color=f"#{red:02x}{green:02x}{blue:02x}", bold=is_sure, reverse=is_sure)
    if is_narrow:
        return narrow_sign(HIDDEN, risk), style
    # Always two digits, because ` 5` would look like a clue.
    text = {0.0: "ok", 1.0: "!!"}.get(risk, f"{min(max(round(100 * risk), 1), 99):02}")
    return text, style


def risk_legend(width: int) -> str:
    """What the signs of risks mean, in cells of this width."""
    if width < RISK_WIDTH:
        return "risks: a below 10 %, b below 20 % and so on; G no trap, T trap, - unknown"
    return "risks: ok no trap, !! trap, -- unknown, else percent"


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


# The board on the screen, with row and column numbers, scrolled so that the cursor is visible.


CURSOR_BRACKETS, MARK_BRACKETS = "[]", "()"
"""Around the cell under the cursor, and around marked cells if there are no colours."""

NUMBER_STYLES = {
    "": Style(color=THEME.faint_ink),
    "won": Style(color=THEME.gem),
    "lost": Style(color=THEME.alarm),
}
"""The numbers around the board also show how a game ended."""


class BoardWidget(ScrollView, can_focus=False):
    """Shows a board, and reports which cell was clicked."""

    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; max-width: 100%; max-height: 100%; }
    """

    class Clicked(Message):
        """A mouse button was pressed on a cell: 1 is the left one, 2 the middle one, 3 the right one."""

        def __init__(self, cell: Cell, button: int) -> None:
            super().__init__()
            self.cell, self.button = cell, button

    def __init__(self, picture: Picture, *, plain: bool, ascii_only: bool) -> None:
        super().__init__()
        self._picture = picture
        self._plain = plain
        self._signs = ASCII if ascii_only else UNICODE
        self.cell_width = picture.widths[0]
        self.virtual_size = self._whole_size()

    @property
    def margins(self) -> tuple[int, int]:
        """The lines and columns that the numbers take."""
        rows, cols = self._picture.shape
        above = 1 if len(str(cols)) < self.cell_width else len(str(cols))
        return above, row_margin(rows)

    def show(self, picture: Picture) -> None:
        """Show another picture, with its cursor in sight."""
        self._picture = picture
        self.fit()

    def fit(self) -> None:
        """Make cells as wide as the screen allows, and scroll to the cursor."""
        rows, cols = self._picture.shape
        room = self.app.size.width - row_margin(rows) - 1  # the scroll bar takes a column
        fitting = [width for width in self._picture.widths if cols * width + 1 <= room]
        self.cell_width = (fitting or list(self._picture.widths))[0]
        if self._whole_size() == self.virtual_size:
            self.refresh()
            self.follow_cursor()
            return
        self.virtual_size = self._whole_size()
        self.refresh(layout=True)
        self.call_after_refresh(self.follow_cursor)

    def follow_cursor(self) -> None:
        """Scroll as little as it takes to see the cursor and a cell around it."""
        width, cell, (above, left) = self.cell_width, self._picture.cursor, self.margins
        shown = Region(left + cell.col * width, above + cell.row, width + 1, 1)
        spacing = Spacing(1 + above, width, 1, width + left)
        self.scroll_to_region(shown, spacing=spacing, animate=False, immediate=True)

    def on_resize(self) -> None:
        """Scroll to the cursor after the terminal or the layout has changed."""
        self.call_after_refresh(self.follow_cursor)

    def render_line(self, y: int) -> Strip:
        """One line of the screen: column numbers, or a row number and the visible part of the row."""
        (above, left), (rows, cols), ground = self.margins, self._picture.shape, self.rich_style
        row, style = y - above + self.scroll_offset.y, ground + NUMBER_STYLES[self._picture.ending]
        if row >= rows:
            return Strip.blank(self.size.width, ground)
        if y < above:
            numbers = " " + list(column_numbers(range(cols), self.cell_width - 1, 1))[y]
            line = Strip([Segment(" " * left + numbers[self.scroll_offset.x :], style)])
        else:
            line = Strip.join([Strip([Segment(row_number(row, rows), style)]), self._cells(row, ground)])
        return line.crop_extend(0, self.size.width, ground)

    def _cells(self, row: int, ground: Style) -> Strip:
        """The visible part of a row without its number."""
        picture, width = self._picture, self.cell_width
        room = self.size.width - self.margins[1]
        first = self.scroll_offset.x // width
        last = min(first + room // width + 2, picture.shape[1])
        segments = [Segment(self._between(row, first), self._edge(row, first, ground))]
        for col in range(first, last):
            text, style = picture.paint(Cell(row, col), self._signs, width)
            segments.append(Segment(text, ground + style))
            segments.append(Segment(self._between(row, col + 1), self._edge(row, col + 1, ground)))
        begin = self.scroll_offset.x - first * width
        return Strip(segments).crop_extend(begin, begin + room, ground)

    def _between(self, row: int, col: int) -> str:
        """The character to the left of a column."""
        left, right = Cell(row, col - 1), Cell(row, col)
        if self._picture.cursor in (left, right):
            return CURSOR_BRACKETS[self._picture.cursor == left]
        if self._plain and (left in self._picture.marked or right in self._picture.marked):
            return MARK_BRACKETS[left in self._picture.marked]
        return " "

    def _edge(self, row: int, col: int, ground: Style) -> Style:
        near = self._picture.cursor in (Cell(row, col - 1), Cell(row, col))
        return ground + Style(color=THEME.accent, bold=True) if near else ground

    def on_click(self, event: events.Click) -> None:
        """Report which cell was clicked."""
        cell = self.cell_at(event.x, event.y)
        if cell is not None:
            self.post_message(self.Clicked(cell, event.button))

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at `x` and `y` of this widget; None beside the board and on its numbers."""
        (above, left), (rows, cols) = self.margins, self._picture.shape
        inside = self.content_region.contains(x + self.region.x, y + self.region.y)
        if not inside or x < left or y < above:
            return None
        across = max(x - left + self.scroll_offset.x - 1, 0)
        cell = Cell(y - above + self.scroll_offset.y, across // self.cell_width)
        return cell if cell.row < rows and cell.col < cols else None

    def _whole_size(self) -> Size:
        (rows, cols), (above, left) = self._picture.shape, self.margins
        return Size(left + cols * self.cell_width + 1, above + rows)
