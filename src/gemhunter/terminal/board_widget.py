"""The board on the screen: drawn line by line, scrolled so that the cursor is visible."""

from rich.segment import Segment
from rich.style import Style
from textual import events
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from gemhunter.core.grid import HIDDEN, Cell
from gemhunter.core.moves import Action, Move
from gemhunter.terminal.painting import ASCII, UNICODE, Picture, paint

LEFT, MIDDLE, RIGHT = 1, 2, 3
"""Mouse buttons."""

BRACKETS, MARKS = "[]", "()"
"""Around the cell under the cursor; around marked clues where there are no colours."""


class BoardWidget(ScrollView, can_focus=False):
    """Shows a picture; says which move a click means."""

    DEFAULT_CSS = """
    BoardWidget { width: auto; height: auto; max-width: 100%; max-height: 100%; }
    """

    class Clicked(Message):
        """Somebody clicked on a cell, which means a move."""

        def __init__(self, move: Move) -> None:
            super().__init__()
            self.move = move

    def __init__(self, picture: Picture, *, plain: bool, ascii_only: bool) -> None:
        super().__init__()
        self._picture = picture
        self._plain = plain
        self._signs = ASCII if ascii_only else UNICODE
        self.virtual_size = _size(picture)

    @property
    def picture(self) -> Picture:
        """What is shown."""
        return self._picture

    def show(self, picture: Picture) -> None:
        """Show another picture, with its cursor in sight."""
        size = _size(picture)
        resized = size != self.virtual_size
        self._picture = picture
        if resized:
            self.virtual_size = size
            self.refresh(layout=True)
            self.call_after_refresh(self.follow_cursor)
        else:
            self.refresh()
            self.follow_cursor()

    def follow_cursor(self) -> None:
        """Scroll as little as it takes to see the cursor and a cell around it."""
        width, cell = self._picture.width, self._picture.cursor
        place = Region(cell.col * width, cell.row, width + 1, 1)
        self.scroll_to_region(place, spacing=Spacing(1, width, 1, width), animate=False, immediate=True)

    def on_resize(self) -> None:
        """The terminal or the layout has changed."""
        self.call_after_refresh(self.follow_cursor)

    def render_line(self, y: int) -> Strip:
        """One line of the screen: the visible part of a row."""
        row = y + self.scroll_offset.y
        picture, ground = self._picture, self.rich_style
        if row >= picture.game.level.rows:
            return Strip.blank(self.size.width, ground)
        first = self.scroll_offset.x // picture.width
        last = min(first + self.size.width // picture.width + 2, picture.game.level.cols)
        segments = [Segment(self._between(row, first), self._edge(row, first, ground))]
        for col in range(first, last):
            text, style = paint(picture, Cell(row, col), self._signs)
            segments.append(Segment(text, ground + style))
            segments.append(Segment(self._between(row, col + 1), self._edge(row, col + 1, ground)))
        begin = self.scroll_offset.x - first * picture.width
        return Strip(segments).crop_extend(begin, begin + self.size.width, ground)

    def _between(self, row: int, col: int) -> str:
        """The character to the left of a column."""
        left, right = Cell(row, col - 1), Cell(row, col)
        if self._picture.cursor in (left, right):
            return BRACKETS[self._picture.cursor == left]
        if self._plain and (left in self._picture.marked or right in self._picture.marked):
            return MARKS[left in self._picture.marked]
        return " "

    def _edge(self, row: int, col: int, ground: Style) -> Style:
        near = self._picture.cursor in (Cell(row, col - 1), Cell(row, col))
        return ground + Style(color="#f2c14e", bold=True) if near else ground

    def on_click(self, event: events.Click) -> None:
        """A click means a move: left reveals, on a clue it chords; right flags; the middle button chords."""
        cell = self.cell_at(event.x, event.y)
        if cell is None:
            return
        shown = self._picture.game.shown[cell] != HIDDEN
        left = Action.CHORD if shown else Action.REVEAL
        action = {LEFT: left, MIDDLE: Action.CHORD, RIGHT: Action.FLAG}.get(event.button)
        if action is not None:
            self.post_message(self.Clicked(Move(action, cell)))

    def cell_at(self, x: int, y: int) -> Cell | None:
        """The cell at a place within this widget, its border included; None beside the board."""
        inside = self.content_region.contains(x + self.region.x, y + self.region.y)
        across = x - self.gutter.left + self.scroll_offset.x - 1
        cell = Cell(y - self.gutter.top + self.scroll_offset.y, max(across, 0) // self._picture.width)
        level = self._picture.game.level
        return cell if inside and cell.row < level.rows and cell.col < level.cols else None


def _size(picture: Picture) -> Size:
    return Size(picture.game.level.cols * picture.width + 1, picture.game.level.rows)
