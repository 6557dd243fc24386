"""The filled grids in an answer file, and why a grid may not be a wrong answer.

An answer shows the board filled in: one row below the other, with all clues in their places. A row that shows
other clues does not fit, so lines with other meanings (numbers of columns, rules, measurements) are not taken
for rows, however a program decorates its grids.

A right answer must not be marked wrong because it was misread. A grid that shows the board's clues and breaks
a rule is wrong. One that looks like another board, or like another notation, is left to a person.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.files.answers.rows import (
    ELLIPSES,
    LEGEND_CELLS,
    Cells,
    RowReading,
    are_column_numbers,
    bare,
    codes_of,
    has_empty_cell,
    index_of,
    is_rule,
    may_have_cells,
    readings,
)
from gemhunter.files.dialects import line_style

FIRST_INDEXES = (0, 1)
"""What a program can number its first row with."""


AMBIGUOUS_MARKS = frozenset({"*", ".", "🚩"})
"""Marks with other meanings in mine maps and in games: `*` is also a star, `.` an opened cell."""


@dataclass(frozen=True, slots=True)
class FoundGrid:
    """A grid, the lines that its rows are in, and the marks that it is written with."""

    lines: tuple[int, ...]
    grid: Grid
    marks: frozenset[str]


def found_grid(lines: Sequence[int], rows: Sequence[Sequence[str]]) -> FoundGrid:
    """The grid of rows of marks."""
    codes = np.array([codes_of(row) for row in rows], np.int8)
    return FoundGrid(tuple(lines), Grid(codes), frozenset(mark for row in rows for mark in row))


def find_fits(lines: Sequence[str], given: Grid) -> list[FoundGrid]:
    """The grids in a text with the size and the clues of the given one, from top to bottom.

    No two share a line.
    """
    page = _Page(lines, given)
    found = [fit for start in page.starts() for fit in page.fits_from(start)]
    found += page.flat_fits()
    found = [fit for fit in found if fit.grid == given or not is_remark(fit.grid, given)]
    return [fit for group in _groups(found) for fit in _choose(group, given)]


class _Page:
    """The lines of a text as rows of the given grid."""

    def __init__(self, lines: Sequence[str], given: Grid) -> None:
        self._lines, self._given = lines, given
        self._rows = [readings(line, given.cols) for line in lines]
        self._shown = [
            [(place, code) for place, code in enumerate(row) if code != HIDDEN]
            for row in given.cells.tolist()
        ]

    def starts(self) -> Iterator[int]:
        """The lines that can be the first row."""
        return (place for place, row in enumerate(self._rows) if row)

    def flat_fits(self) -> Iterator[FoundGrid]:
        """The grids with all rows in one line, one after the other.

        Lines of that length one below the other are rows of a larger board, unless all of them fit.
        """
        height, width = self._given.rows, self._given.cols
        run: list[FoundGrid | None] = []
        for place, line in enumerate(self._lines):
            is_long = height > 1 and len(line) >= height * width
            if found := readings(line, height * width) if is_long else {}:
                cells = next(iter(found.values()))
                rows = [cells[start : start + width] for start in range(0, len(cells), width)]
                fits = all(map(self._shows, map(codes_of, rows), range(height)))
                run.append(found_grid([place], rows) if fits else None)
            elif not self._can_be_passed(place):
                yield from _all_or_none(run)
                run = []
        yield from _all_or_none(run)

    def fits_from(self, start: int) -> Iterator[FoundGrid]:
        """The grids whose first row is in this line, one for each way to read it."""
        for reading in self._rows[start]:
            whole = self._fit(start, reading, skips_rules=False)
            if whole is not None and whole.grid == self._given:
                yield whole
            elif fit := self._fit(start, reading, skips_rules=True) or whole:
                yield fit

    def _fit(self, start: int, reading: RowReading, *, skips_rules: bool) -> FoundGrid | None:
        """The grid that begins here; a rule is skipped, or can also be a row of unknown cells."""
        used: list[int] = []
        rows: list[Cells] = []
        for place in range(start, len(self._lines)):
            row = self._row(place, reading, len(rows), skips_rules=skips_rules)
            if row is not None:
                used.append(place)
                rows.append(row)
                if len(rows) == self._given.rows:
                    return found_grid(used, rows)
            elif not used or not self._can_be_passed(place):
                return None
        return None

    def _can_be_passed(self, place: int) -> bool:
        return not self._lines[place].strip() or is_rule(self._lines[place])

    def _row(self, place: int, reading: RowReading, number: int, *, skips_rules: bool) -> Cells | None:
        """The cells of a line if it can be this row of the given grid."""
        line, cells = self._lines[place], self._rows[place].get(reading)
        if cells is None or (skips_rules and is_rule(line) and "*" not in line):
            return None
        if reading is RowReading.INDEXED and index_of(line) - number not in FIRST_INDEXES:
            return None
        return cells if self._shows(codes_of(cells), number) else None

    def _shows(self, codes: Sequence[int], number: int) -> bool:
        """Whether a row shows all that this row of the given grid shows."""
        return all(codes[col] == code for col, code in self._shown[number])


def _all_or_none(run: list[FoundGrid | None]) -> list[FoundGrid]:
    found = [each for each in run if each is not None]
    return found if len(found) == len(run) else []


def _groups(fits: list[FoundGrid]) -> Iterator[list[FoundGrid]]:
    """Fits that overlap each other, directly or through others."""
    group: list[FoundGrid] = []
    last = -1
    for fit in sorted(fits, key=lambda fit: fit.lines):
        if group and fit.lines[0] > last:
            yield group
            group = []
        group.append(fit)
        last = max(last, fit.lines[-1])
    if group:
        yield group


def _choose(group: list[FoundGrid], given: Grid) -> list[FoundGrid]:
    """Fits of a group that share no line, and none of which lies inside another.

    If the lines are those of whole grids one below the other, these are meant. Otherwise a line before or
    after a grid could be a row as well, and a right answer or a copy of the board is believed first.
    """

    def doubt(fit: FoundGrid) -> tuple[bool, bool, tuple[int, ...]]:
        is_wrong = fit.grid != given and bool(check(given, fit.grid))
        return is_wrong, HIDDEN in fit.grid.cells, fit.lines

    best = sorted(group, key=doubt)
    lines = sorted({line for fit in group for line in fit.lines})
    wanted = [tuple(lines[start : start + given.rows]) for start in range(0, len(lines), given.rows)]
    by_lines = {fit.lines: fit for fit in reversed(best)}
    if all(part in by_lines for part in wanted):
        return [by_lines[part] for part in wanted]
    chosen: list[FoundGrid] = []
    taken: set[int] = set()
    for fit in best:
        span = range(fit.lines[0], fit.lines[-1] + 1)
        if taken.isdisjoint(span):
            chosen.append(fit)
            taken.update(span)
    return sorted(chosen, key=lambda fit: fit.lines)


def is_remark(grid: Grid, given: Grid) -> bool:
    """Whether a grid has neither a trap nor a gem, like a table of numbers, and so is not an answer."""
    return HIDDEN in given.cells and not _is_filled(grid).any()


def doubt_about(grid: Grid, given: Grid, *, is_alone: bool) -> str | None:
    """Why a grid that does not fit the board may have been misread; None if it is wrong without a doubt.

    `is_alone` says that no other cells stand around it, so that the grid is all there is.
    """
    if grid.cells.shape != given.cells.shape:
        if is_alone and grid.cells.size < given.cells.size:
            return None
        return f"the board is {given.rows}×{given.cols}, the answer {grid.rows}×{grid.cols}"
    shown, hidden = given.cells != HIDDEN, given.cells == HIDDEN
    differs = shown & (grid.cells != given.cells)
    if 2 * np.count_nonzero(differs) > np.count_nonzero(shown):
        return "most of the board's clues are not in their places; this may be the answer to another board"
    if differs.any() and (grid.cells[differs] == HIDDEN).all() and _is_filled(grid)[hidden].all():
        return "some of the board's clues are not shown; write them as the board does"
    if not _is_filled(grid)[hidden].any():
        return "no unknown cell is filled with T or G; this may be another notation"
    return None


def other_notation(found: FoundGrid, given: Grid) -> str | None:
    """Why a grid that breaks a rule may be a right answer in another notation; None if it is wrong.

    Minesweeper programs print `*` for a mine and `.` for anything else, or clues on all cells without one.
    """
    if not check(given, found.grid):
        return None
    if ambiguous := sorted(AMBIGUOUS_MARKS & found.marks):
        marks = " and ".join(f"`{mark}`" for mark in ambiguous)
        return f"{marks} can stand for traps, gems or unknown cells, and not all rules hold; write T and G"
    cells, hidden = found.grid.cells, given.cells == HIDDEN
    if cells.shape != hidden.shape:
        return None
    left = hidden & ~_is_filled(found.grid)
    missing = [kind for kind in (TRAP, GEM) if not (cells[hidden] == kind).any()]
    if not left.any() or len(missing) != 1 or check(given, Grid(np.where(left, missing[0], cells))):
        return None
    return "some cells are neither T nor G, and would be right with the kind that is missing; write T and G"


def _is_filled(grid: Grid) -> NDArray[np.bool_]:
    return np.isin(grid.cells, (TRAP, GEM))


class Surroundings:
    """The lines of a text, and the grids in it that fit a board of `cols` columns, by their first lines.

    All lines are looked at once, so that a text with thousands of grids does not take hours.
    """

    def __init__(self, lines: Sequence[str], fits: Mapping[int, FoundGrid], cols: int) -> None:
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
        """Whether a row beside these is written like them, so that it is hardly a legend or a measurement."""
        style = line_style(bare(self._lines[rows[0]]))
        others = (bare(self._lines[place]) for place in self._rows_beside(rows))
        return self._cols > LEGEND_CELLS and any(line_style(line) == style for line in others)

    def _rows_beside(self, rows: Sequence[int]) -> list[int]:
        """The lines right above and below these rows that are rows as well, except rows of other grids."""
        is_loose = any(not self._lines[place].strip() for place in range(rows[0], rows[-1]))
        ends = (self.beside(rows[0], -1, blanks=is_loose), self.beside(rows[-1], 1, blanks=is_loose))
        around = [place for place in set(ends) - self._known if place is not None]
        return [place for place in around if self._is_row(place)]

    def _is_row(self, place: int) -> bool:
        found = readings(self._lines[place], self._cols).values()
        return any(not are_column_numbers(cells) for cells in found)

    def leave_alone(self, rows: Iterable[int]) -> bool:
        """Whether no other cells in the whole text can belong to these rows.

        Of a single column, any short line can be a row with a typing error.
        """
        own = set(rows)
        if self._cols <= 1 or any(has_empty_cell(self._lines[place]) for place in own):
            return False
        if self._doubtful is None:
            self._doubtful = frozenset(place for place, line in enumerate(self._lines) if _is_doubtful(line))
        return len(self._doubtful) == len(own & self._doubtful)

    def beside(self, place: int, step: int, *, blanks: bool = False) -> int | None:
        """The next line above or below this one that is neither a rule nor, with `blanks`, a blank line."""
        place += step
        while 0 <= place < len(self._lines):
            text = self._lines[place]
            if not is_rule(text) and not (blanks and not text.strip()):
                return place
            place += step
        return None


def _is_doubtful(line: str) -> bool:
    """Whether a line can hold cells, or a sign for cells that were left out."""
    return may_have_cells(line) or any(mark in line for mark in ELLIPSES)
