"""Where an answer file shows the board filled in: one row below the other, with all clues in their places.

A row that shows other clues than the board does not fit. So lines with other meanings (numbers of columns,
rules, measurements) are not taken for rows, however a program decorates its grids.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.formats.answer_cells import Reading, codes_of, index_of, is_rule, readings
from gemhunter.formats.answer_doubts import is_remark

FIRST_INDEXES = (0, 1)
"""What a program can number its first row with."""


@dataclass(frozen=True, slots=True)
class Fit:
    """A grid with the size and the clues of the board, and the lines that its rows stand in."""

    lines: tuple[int, ...]
    grid: Grid


def find_fits(lines: Sequence[str], board: Grid) -> list[Fit]:
    """The grids in a text that fit a board, from top to bottom, no two of them with a line in common."""
    page = _Page(lines, board)
    found = [fit for start in page.starts() for fit in page.fits_from(start)]
    found = [fit for fit in found if fit.grid == board or not is_remark(fit.grid, board)]
    return [fit for group in _groups(found) for fit in _choose(group, board)]


class _Page:
    """The lines of a text as rows of a board."""

    def __init__(self, lines: Sequence[str], board: Grid) -> None:
        self._lines, self._board = lines, board
        self._rows = [readings(line, board.cols) for line in lines]
        self._shown = [
            [(place, code) for place, code in enumerate(row) if code != HIDDEN]
            for row in board.cells.tolist()
        ]

    def starts(self) -> Iterator[int]:
        """The lines that can be the first row."""
        return (place for place, row in enumerate(self._rows) if row)

    def fits_from(self, start: int) -> Iterator[Fit]:
        """The grids whose first row is in this line, each in another reading."""
        for reading in self._rows[start]:
            for skips_rules in (True, False):
                fit = self._fit(start, reading, skips_rules=skips_rules)
                if fit is not None:
                    yield fit
                    break

    def _fit(self, start: int, reading: Reading, *, skips_rules: bool) -> Fit | None:
        """The grid that begins here; a rule is passed over, or may be a row of unknown cells as well."""
        used: list[int] = []
        codes: list[list[int]] = []
        for place in range(start, len(self._lines)):
            row = self._row(place, reading, len(codes), skips_rules=skips_rules)
            if row is not None:
                used.append(place)
                codes.append(row)
                if len(codes) == self._board.rows:
                    return Fit(tuple(used), Grid(np.array(codes, np.int8)))
            elif not used or not self._can_be_passed(place):
                return None
        return None

    def _can_be_passed(self, place: int) -> bool:
        return not self._lines[place].strip() or is_rule(self._lines[place])

    def _row(self, place: int, reading: Reading, number: int, *, skips_rules: bool) -> list[int] | None:
        """The codes of a line if it can be this row of the board."""
        line, cells = self._lines[place], self._rows[place].get(reading)
        if cells is None or (skips_rules and is_rule(line) and "*" not in line):
            return None
        if reading is Reading.INDEXED and index_of(line) - number not in FIRST_INDEXES:
            return None
        codes = codes_of(cells)
        return codes if all(codes[col] == code for col, code in self._shown[number]) else None


def _groups(fits: list[Fit]) -> Iterator[list[Fit]]:
    """Fits that overlap each other, directly or through others."""
    group: list[Fit] = []
    last = -1
    for fit in sorted(fits, key=lambda fit: fit.lines):
        if group and fit.lines[0] > last:
            yield group
            group = []
        group.append(fit)
        last = max(last, fit.lines[-1])
    if group:
        yield group


def _choose(group: list[Fit], board: Grid) -> list[Fit]:
    """Fits of a group that share no line, and none of which lies inside another.

    If the lines are those of whole grids one below the other, these are meant. Otherwise a line before or
    after a grid could be a row as well, and a right answer is believed first.
    """
    best = sorted(group, key=lambda fit: (bool(check(board, fit.grid)), HIDDEN in fit.grid.cells, fit.lines))
    lines = sorted({line for fit in group for line in fit.lines})
    wanted = [tuple(lines[start : start + board.rows]) for start in range(0, len(lines), board.rows)]
    by_lines = {fit.lines: fit for fit in reversed(best)}
    if all(part in by_lines for part in wanted):
        return [by_lines[part] for part in wanted]
    chosen: list[Fit] = []
    taken: set[int] = set()
    for fit in best:
        span = range(fit.lines[0], fit.lines[-1] + 1)
        if taken.isdisjoint(span):
            chosen.append(fit)
            taken.update(span)
    return sorted(chosen, key=lambda fit: fit.lines)
