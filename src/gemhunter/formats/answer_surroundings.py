"""What stands around the rows of an answer, which can make it doubtful that these rows are the answer."""

from collections.abc import Iterable, Mapping, Sequence

from gemhunter.formats.answer_cells import (
    are_column_numbers,
    bare,
    has_empty_cell,
    is_rule,
    may_have_cells,
    readings,
)
from gemhunter.formats.answer_fits import Fit
from gemhunter.formats.answer_lists import ELLIPSES
from gemhunter.formats.rows import line_style

SHORT_ROW = 2
"""As many cells as a legend has: `T G`."""


class Surroundings:
    """The lines of a text, and the grids in it that fit a board of `cols` columns, by their first lines.

    All lines are looked at once, so that a text with thousands of grids does not take hours.
    """

    def __init__(self, lines: Sequence[str], fits: Mapping[int, Fit], cols: int) -> None:
        self._lines, self._starts, self._cols = lines, fits.keys(), cols
        self._ends = {fit.lines[-1] for fit in fits.values()}
        self._known = {line for fit in fits.values() for line in fit.lines}
        self._doubtful: frozenset[int] | None = None

    def touch_fit(self, rows: Sequence[int]) -> bool:
        """Whether rows stand right above or below a grid that fits, as a legend does."""
        return bool(rows) and (rows[0] - 1 in self._ends or rows[-1] + 1 in self._starts)

    def shift(self, rows: Sequence[int]) -> bool:
        """Whether another row, which belongs to no other grid, stands right above or below these."""
        return bool(self._rows_beside(rows))

    def lengthen(self, rows: Sequence[int]) -> bool:
        """Whether such a row is written like these, so that it is hardly a legend or a measurement."""
        style = line_style(bare(self._lines[rows[0]]))
        others = (bare(self._lines[place]) for place in self._rows_beside(rows))
        return self._cols > SHORT_ROW and any(line_style(line) == style for line in others)

    def _rows_beside(self, rows: Sequence[int]) -> list[int]:
        """The lines right above and below rows that are rows as well, but for those of other grids."""
        is_loose = any(not self._lines[place].strip() for place in range(rows[0], rows[-1]))
        ends = (self.beside(rows[0], -1, blanks=is_loose), self.beside(rows[-1], 1, blanks=is_loose))
        around = [place for place in set(ends) - self._known if place is not None]
        return [place for place in around if self._is_row(place)]

    def _is_row(self, place: int) -> bool:
        found = readings(self._lines[place], self._cols).values()
        return any(not are_column_numbers(cells) for cells in found)

    def leave_alone(self, rows: Iterable[int]) -> bool:
        """Whether there are no other cells in the whole text that can belong to these rows.

        Of a single column, any short line can be a row with a typing error.
        """
        own = set(rows)
        if self._cols <= 1 or any(has_empty_cell(self._lines[place]) for place in own):
            return False
        if self._doubtful is None:
            self._doubtful = frozenset(place for place, line in enumerate(self._lines) if _is_doubtful(line))
        return len(self._doubtful) == len(own & self._doubtful)

    def beside(self, place: int, step: int, *, blanks: bool = False) -> int | None:
        """The next line above or below this one, but for rules and, if asked for, blank lines."""
        place += step
        while 0 <= place < len(self._lines):
            text = self._lines[place]
            if not is_rule(text) and not (blanks and not text.strip()):
                return place
            place += step
        return None


def _is_doubtful(line: str) -> bool:
    """Whether cells can stand in a line, or were left out there."""
    return may_have_cells(line) or any(mark in line for mark in ELLIPSES)
