"""The board on the screen, with row and column numbers, scrolled so that the cursor is visible."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gemhunter.core.grid import Cell
from gemhunter.render.coordinates import column_numbers, row_margin, row_number
from gemhunter.terminal.pictures import ASCII, UNICODE, Drawn
from gemhunter.terminal.theme import THEME

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
