"""The board on the screen: colours, what each cell looks like, and scrolling."""

import math
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from typing import Protocol, Self

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell
from gemhunter.board.position import Status
from gemhunter.draw.grids import column_numbers, row_margin, row_number
from gemhunter.draw.heat import narrow_sign
from gemhunter.draw.palette import Colour, rgb
from gemhunter.play.fill_in import FillIn
from gemhunter.play.game import Game
from gemhunter.play.risks import Risks

# The colours of the screens: one table, from which styles and style sheets take them.


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


# What each cell looks like, in a game and on a board to fill in: its sign and its style.


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


# The board on the screen, with row and column numbers, scrolled so that the cursor is visible.


CURSOR_BRACKETS, MARK_BRACKETS = "[]", "()"
"""Signs around the cell under the cursor, and around marked cells if there are no colours."""

NUMBER_STYLES = {
    "": Style(color=THEME.faint_ink),
    "won": Style(color=THEME.gem),
    "lost": Style(color=THEME.alarm),
}
"""Styles of the numbers around the board, which also show how a game ended."""

SCROLLBAR_WIDTH = 1
"""Columns that a scroll bar needs."""


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

    def __init__(self, picture: Drawn, *, plain: bool, ascii_only: bool) -> None:
        super().__init__()
        self._picture = picture
        self._plain = plain
        self._signs = ASCII if ascii_only else UNICODE
        self.cell_width = picture.widths[0]
        self.virtual_size = self._whole_size()

    @property
    def picture(self) -> Drawn:
        """What is shown."""
        return self._picture

    @property
    def margins(self) -> tuple[int, int]:
        """How many lines and columns the numbers take."""
        rows, cols = self._picture.shape
        above = 1 if len(str(cols)) < self.cell_width else len(str(cols))
        return above, row_margin(rows)

    def show(self, picture: Drawn) -> None:
        """Show another picture, with its cursor in sight."""
        self._picture = picture
        self.fit()

    def fit(self) -> None:
        """Make cells as wide as the screen allows, and scroll to the cursor."""
        rows, cols = self._picture.shape
        room = self.app.size.width - row_margin(rows) - SCROLLBAR_WIDTH
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
        """The terminal or the layout has changed."""
        self.call_after_refresh(self.follow_cursor)

    def render_line(self, y: int) -> Strip:
        """One line of the screen: column numbers, or the visible part of a row. Numbers do not scroll."""
        (above, _), ground = self.margins, self.rich_style
        row = y - above + self.scroll_offset.y
        if row >= self._picture.shape[0]:
            return Strip.blank(self.size.width, ground)
        if y < above:
            return self._numbers_line(y, ground)
        number = Segment(
            row_number(row, self._picture.shape[0]), ground + NUMBER_STYLES[self._picture.ending]
        )
        return Strip.join([Strip([number]), self._cells(row, ground)]).crop_extend(0, self.size.width, ground)

    def _numbers_line(self, y: int, ground: Style) -> Strip:
        (_, left), (_, cols) = self.margins, self._picture.shape
        line = " " + list(column_numbers(range(cols), self.cell_width - 1, 1))[y]
        text = " " * left + line[self.scroll_offset.x :]
        return Strip([Segment(text, ground + NUMBER_STYLES[self._picture.ending])]).crop_extend(
            0, self.size.width, ground
        )

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
        """The cell at x, y of this widget; None beside the board and on its numbers."""
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
