"""Grids as lines of text with row and column numbers, and running times as text."""

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple, TypeAlias

from gemhunter.board.grid import CELL_MARKS, GEM, TRAP, Grid
from gemhunter.draw.grids import column_numbers, row_margin, row_number
from gemhunter.draw.palette import FAINT, PLAIN, SHOWN_GEM, SHOWN_TRAP, Look

# Grids as lines of text with row and column numbers, as narrow as the terminal.


class StyledText(NamedTuple):
    """Some text and how it looks."""

    text: str
    look: Look = PLAIN


StyledLine: TypeAlias = list[StyledText]
Rows: TypeAlias = Sequence[Sequence[StyledText]]

MARK_LOOKS = {CELL_MARKS[TRAP]: SHOWN_TRAP, CELL_MARKS[GEM]: SHOWN_GEM, "F": SHOWN_TRAP, "X": SHOWN_TRAP}


def grid_pieces(grid: Grid) -> list[StyledLine]:
    """The cells of a grid, row by row, in the puzzle's own notation."""
    return sign_pieces([CELL_MARKS[code] for code in codes] for codes in grid.cells.tolist())


def sign_pieces(rows: Iterable[Iterable[str]]) -> list[StyledLine]:
    """Signs, row by row, with the looks of traps, gems, flags (`F`) and the trap that was hit (`X`)."""
    return [[StyledText(sign, MARK_LOOKS.get(sign, PLAIN)) for sign in row] for row in rows]


def fits(rows: Rows, columns: int | None, *, gap: int = 1) -> bool:
    """Whether all columns of a grid fit side by side in `columns` characters; None is any width."""
    return columns is None or map_width(rows, gap) <= columns


def map_width(rows: Rows, gap: int = 1) -> int:
    """How many characters a line has, with its row number."""
    return row_margin(len(rows)) + len(rows[0]) * (_cell_width(rows) + gap) - gap


def map_lines(
    rows: Rows, columns: int | None = None, corner: tuple[int, int] = (0, 0)
) -> Iterator[StyledLine]:
    """A grid with its numbers; nothing is cut off. `corner` is the cell of the board that it begins with.

    Cells have a space between them, unless only that makes them too wide for `columns`. Boards that are wider
    still come in bands of columns, one below the other.
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


def plain_text(lines: Iterable[StyledLine]) -> str:
    """Lines without looks."""
    return "\n".join("".join(piece.text for piece in line).rstrip() for line in lines)


def _cell_width(rows: Rows) -> int:
    return max(len(piece.text) for row in rows for piece in row)


# Running times as text: for people in the unit that suits them, for files in seconds.


TIME_UNITS = (("µs", 1e6), ("ms", 1e3), ("s", 1.0))
"""Units of running times with how many of them are a second; each is used below 1,000 of it."""

SHORTEST_TIME = 1e-6
"""Seconds. The clock cannot measure shorter times."""


def seconds_text(seconds: float) -> str:
    """A running time for the screen: three significant digits, in the unit that suits it."""
    if seconds < SHORTEST_TIME:
        return "<1 µs"
    for unit, per_second in TIME_UNITS:
        rounded = float(f"{seconds * per_second:.3g}")
        if rounded < 1000:
            decimals = 2 if rounded < 10 else 1 if rounded < 100 else 0
            return f"{rounded:.{decimals}f} {unit}"
    return f"{seconds:,.0f} s"


def seconds_in_file(seconds: float) -> str:
    """A running time for files: seconds with six decimals."""
    return f"{seconds:.6f}"
