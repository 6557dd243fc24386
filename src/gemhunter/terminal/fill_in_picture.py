"""What each cell of a board that is filled in looks like."""

from dataclasses import dataclass

from rich.style import Style

from gemhunter.core.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell
from gemhunter.play.fill_in import FillIn
from gemhunter.terminal.cell_styles import CURSOR, MARKED, PLAIN_WIDTH, STYLES, Signs

OWN = {TRAP: Style(color="#f08a80", bold=True), GEM: Style(color="#7fc98b", bold=True)}
GIVEN = {TRAP: Style(color="#f08a80", underline=True), GEM: Style(color="#7fc98b", underline=True)}
"""Marks of the player, and cells that the board shows."""


@dataclass(frozen=True, slots=True, eq=False)
class FillInPicture:
    """A board as it is drawn: where the cursor is, and which cells are to be looked at."""

    board: FillIn
    cursor: Cell
    marked: frozenset[Cell] = frozenset()

    @property
    def shape(self) -> tuple[int, int]:
        """Rows and columns."""
        return self.board.grid.rows, self.board.grid.cols

    @property
    def widths(self) -> tuple[int, ...]:
        """Columns per cell."""
        return (PLAIN_WIDTH,)

    def paint(self, cell: Cell, signs: Signs, width: int) -> tuple[str, Style]:
        """The text of a cell, one column narrower than `width`, and how it is drawn."""
        text, style = self._sign(cell, signs)
        if cell == self.cursor:
            style = CURSOR
        elif cell in self.marked:
            style += MARKED
        return text.rjust(width - 1), style

    def _sign(self, cell: Cell, signs: Signs) -> tuple[str, Style]:
        given, own = self.board.grid[cell], int(self.board.marks[cell])
        if own != HIDDEN:
            return CELL_MARKS[own], OWN[own]
        if given == HIDDEN:
            return signs.hidden, STYLES["hidden"]
        return CELL_MARKS[given], GIVEN.get(given) or STYLES.get(f"clue {given}", STYLES["zero"])
