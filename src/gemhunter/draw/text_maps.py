"""Grids as lines of text with row and column numbers, in bands that fit the terminal."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gemhunter.board.grid import CELL_MARKS, GEM, TRAP, Grid
from gemhunter.draw.palette import FAINT, PLAIN, SHOWN_GEM, SHOWN_TRAP, Look


class StyledText(NamedTuple):
    """Some text and how it looks."""

    text: str
    look: Look = PLAIN


StyledLine: TypeAlias = list[StyledText]
Rows: TypeAlias = Sequence[Sequence[StyledText]]


def grid_pieces(grid: Grid) -> list[StyledLine]:
    """The cells of a grid, row by row, in the puzzle's own notation."""
    return sign_pieces([CELL_MARKS[code] for code in codes] for codes in grid.cells.tolist())


def sign_pieces(rows: Iterable[Iterable[str]]) -> list[StyledLine]:
    """Signs, row by row, with the looks of traps, gems, flags (`F`) and an exploded trap (`X`)."""
    looks = {CELL_MARKS[TRAP]: SHOWN_TRAP, CELL_MARKS[GEM]: SHOWN_GEM, "F": SHOWN_TRAP, "X": SHOWN_TRAP}
    return [[StyledText(sign, looks.get(sign, PLAIN)) for sign in row] for row in rows]


def fits(rows: Rows, columns: int | None, *, gap: int = 1) -> bool:
    """Whether a grid fits into lines of `columns` characters; None is any width."""
    return columns is None or map_width(rows, gap) <= columns


def map_width(rows: Rows, gap: int = 1) -> int:
    """How many characters a line has, including its row number."""
    return row_margin(len(rows)) + len(rows[0]) * (_cell_width(rows) + gap) - gap


def map_lines(
    rows: Rows, columns: int | None = None, corner: tuple[int, int] = (0, 0)
) -> Iterator[StyledLine]:
    """A grid with its numbers; `corner` is the cell of the board that it begins with.

    Cells have spaces between them, unless the grid fits into `columns` only without them. A grid that does
    not fit at all comes in bands of columns, one below the other.
    """
    gap = 1 if fits(rows, columns) or not fits(rows, columns, gap=0) else 0
    top, left = corner
    last_row = top + len(rows)
    width, margin = _cell_width(rows), row_margin(last_row)
    cols = len(rows[0])
    band = cols if columns is None else max((columns - margin + gap) // (width + gap), 1)
    for first in range(0, cols, band):
        shown = range(first, min(first + band, cols))
        if first:
            yield []
        numbered = range(left + shown.start, left + shown.stop)
        for numbers in column_numbers(numbered, width, gap):
            yield [StyledText(" " * margin + numbers, FAINT)]
        for row, cells in enumerate(rows):
            line = [StyledText(row_number(top + row, last_row), FAINT)]
            for col in shown:
                line.append(StyledText(" " * (gap if col > first else 0)))
                line.append(StyledText(cells[col].text.rjust(width), cells[col].look))
            yield line


def row_margin(rows: int) -> int:
    """How many characters the row numbers take, including the space after them."""
    return len(str(rows)) + 1


def row_number(row: int, rows: int) -> str:
    """The text on the left of a row, counted from 0."""
    return f"{row + 1:>{row_margin(rows) - 1}} "


def column_numbers(columns: range, width: int, gap: int) -> Iterator[str]:
    """The lines above columns, counted from 0, of cells that are `width` wide with a `gap` between them.

    Numbers that are wider than a cell are written downwards, one digit below the other.
    """
    digits = len(str(columns.stop))
    numbers = [str(col + 1).rjust(digits) for col in columns]
    if digits <= width:
        yield (" " * gap).join(number.rjust(width) for number in numbers)
        return
    for place in range(digits):
        yield (" " * gap).join(number[place].rjust(width) for number in numbers).rstrip()


def plain_text(lines: Iterable[StyledLine]) -> str:
    """The text of lines, without their looks."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def _cell_width(rows: Rows) -> int:
    return max(len(piece.text) for row in rows for piece in row)
