"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". Every line that is not a row of cells is a heading, a claim or a remark.
The board itself, which many programs print first, is not an answer.

A filled grid has one row below the other, with all clues in their places (`find_fits`). A row that shows
other clues does not fit, so lines with other meanings (numbers of columns, rules, measurements) are not
mistaken for rows, however a program decorates its grids.

A right answer must not be marked wrong because it was misread. A grid that shows the board's clues and breaks
a rule is wrong. A person has to judge grids that look like another board or another notation.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.checker import check
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.files.dialects import SeparatorStyle, line_style, token_fault, tokens
from gemhunter.grading.lines import (
    CELL_CODES,
    CUT_SHORT,
    ELLIPSES,
    LEGEND_CELLS,
    AnswerLine,
    Cells,
    Claim,
    RowReading,
    answer_lines,
    are_column_numbers,
    bare,
    claimant,
    codes_of,
    find_claim,
    has_empty_cell,
    index_of,
    is_bare_claim,
    is_heading,
    is_rule,
    is_state_label,
    label_of,
    may_have_cells,
    readings,
)
from gemhunter.wording import counted

ANSWER_LIMIT = 1000
"""How many answers one file may have."""

NO_ANSWER_FOUND = "no answer found; expected a filled grid or the words `no solution`"
EXTRA_ROWS = "there are more rows here than the board has; it is not clear which ones are the answer"
BOTH = "`no solution` and a solution appear together; it is not clear which one is the answer"
UNCLEAR = "this can mean that there is no solution, or that time ran out"


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One answer: whose it is, and the filled grid, the claim, or why it cannot be read.

    It was read from `lines`, counted from 0; `grid` is the grid that was read, even if its marks are unclear.
    """

    label: str
    answer: Grid | Claim | BoardError
    lines: range = field(default=range(0), compare=False)
    grid: Grid | None = field(default=None, compare=False)


def read_sections(text: str, given: Grid, *, source: str = "answer") -> list[AnswerSection]:
    """All answers to the `given` grid in a text, in order; an `InputError` if there is none, or too many.

    A copy of the `given` grid counts only if there is nothing else; an empty text is one answer.
    """
    return sections_of(answer_lines(text), given, source=source)


def sections_of(lines: Sequence[AnswerLine], given: Grid, *, source: str) -> list[AnswerSection]:
    """All answers to the `given` grid in the lines of a text; see `read_sections`."""
    passages = read_passages(lines, given, source=source)
    sections = [passage for passage in passages if passage.answer is not Claim.UNFILLED]
    require_few(sections, source)
    if sections:
        return sections
    if not any(line.text.strip() for line in lines):
        return [AnswerSection("", Claim.EMPTY)]
    copied = {place for passage in passages for place in passage.lines}
    others = [line.text for place, line in enumerate(lines) if place not in copied]
    if passages and not any(_may_answer(text, given) for text in others):
        return passages[:1]
    is_cut = any(mark in line.text for line in lines for mark in ELLIPSES)
    raise BoardError([Fault(0, 0, NO_ANSWER_FOUND + f"; {CUT_SHORT}" * is_cut)], source)


def _may_answer(line: str, given: Grid) -> bool:
    """Whether a line beside a copy of the board may be part of an answer; words and a few numbers are not."""
    if re.search(r"[^\W\d_]{2,}", line):
        return False
    is_row = any(len(set(cells)) > 1 for cells in readings(line, given.cols).values())
    return is_row or re.fullmatch(r"[\s\dx×!-/:-@\[-`{-~─-╿]*", line) is None


def require_few(answers: Sequence[object], source: str) -> None:
    """Raise `InputError` if a file has more answers than a student would hand in."""
    if len(answers) > ANSWER_LIMIT:
        count = counted(len(answers), "answer")
        raise InputError(f"{source}: {count} in one file; at most {ANSWER_LIMIT:,} are graded")


def read_passages(
    written: Sequence[AnswerLine], given: Grid, *, source: str, claims_apart: bool = False
) -> list[AnswerSection]:
    """All answers to the `given` grid in the lines of a text, and all copies of the grid itself.

    With `claims_apart`, "no solution" right above a solution is an answer to another board.
    """
    sections = [*_AnswerReader(written, given, source, claims_apart=claims_apart).read()]
    # Incomplete grids that a program printed before a complete one, or before a claim, are not answers.
    kept: list[AnswerSection] = []
    result: AnswerSection | None = None
    for section in reversed(sections):
        is_state = is_state_label(section.label) and section.grid is not None and not _is_complete(section)
        if is_state and result is not None and _is_complete(result):
            continue
        kept.append(section)
        if section.answer is not Claim.UNFILLED:
            result = section
    return kept[::-1]


def _is_complete(section: AnswerSection) -> bool:
    """Whether a section has a claim, or a grid without unknown cells."""
    if section.grid is None:
        return isinstance(section.answer, Claim)
    return HIDDEN not in section.grid.cells


class _AnswerReader:
    """Goes through the lines of an answer file.

    All lines are searched for grids first, because a text with thousands of grids would otherwise take hours.
    """

    def __init__(
        self, written: Sequence[AnswerLine], given: Grid, source: str, *, claims_apart: bool
    ) -> None:
        parted = [(place, part) for place, line in enumerate(written) for part in _parted(line, given)]
        self._places, self._lines = [place for place, _ in parted], [line for _, line in parted]
        self._texts = [line.text for line in self._lines]
        self._given, self._source, self._claims_apart = given, source, claims_apart
        # The grids that show the board's clues, by their first line.
        self._fits = {fit.lines[0]: fit for fit in find_fits(self._texts, given)}
        self._fit_ends = {fit.lines[-1] for fit in self._fits.values()}
        self._fit_rows = {line for fit in self._fits.values() for line in fit.lines}
        self._doubtful: frozenset[int] | None = None
        self._heading = ""
        # The place and the words of the claim that was just read. If a right grid follows at once, the line
        # was only a heading that contains such words.
        self._claim: tuple[int, str] | None = None
        # The lines of the current grid if it does not fit the board.
        self._rows: list[int] = []

    def read(self) -> Iterator[AnswerSection]:
        """All sections, in order."""
        inside = {line for fit in self._fits.values() for line in range(fit.lines[0], fit.lines[-1] + 1)}
        compact = not any(self._is_separated_row(place) for place in range(len(self._lines)))
        for place, line in enumerate(self._lines):
            if place in self._fits:
                yield from self._end_of_rows()
                fit = self._fits[place]
                yield from self._grid(fit, fit.lines, EXTRA_ROWS * self._is_longer(fit))
            elif place in inside:
                continue
            elif line.fault:
                yield from self._end_of_rows()
                yield from self._grid(self._error(place, line.fault), [place])
            elif self._is_separated_row(place) or (compact and self._is_compact_row(place)):
                self._rows.append(place)
            elif line.text.strip():
                if is_rule(line.text) and len(self._rows) % self._given.rows > 0:
                    continue
                yield from self._end_of_rows()
                yield from self._remark(place, line.text)
            elif len(self._rows) % self._given.rows == 0:
                yield from self._end_of_rows()
        yield from self._end_of_rows()
        yield from self._end_of_claim()

    def _is_separated_row(self, place: int) -> bool:
        """Whether a line with separators has only cells, or the board's width and half of it cells.

        A typing error in a row is then reported.
        """
        line = bare(self._texts[place])
        known = [token.text in CELL_CODES for token in tokens(line, line_style(line))]
        wide = len(known) == self._given.cols and sum(known) >= len(known) / 2
        return line_style(line) != "compact" and (wide or all(known))

    def _is_compact_row(self, place: int) -> bool:
        """Whether a line without separators has the board's width and only cells."""
        line = bare(self._texts[place])
        known = [token.text in CELL_CODES for token in tokens(line, "compact")]
        return line_style(line) == "compact" and len(known) == self._given.cols and all(known)

    def _remark(self, place: int, text: str) -> Iterator[AnswerSection]:
        line = text[:300]  # the rest of a longer line is ignored
        if is_rule(line) and self._claim is not None:
            return
        yield from self._end_of_claim()
        if find_claim(line) is not None:
            self._claim = (place, line)
        elif is_heading(line):
            self._heading = line

    def _end_of_claim(self) -> Iterator[AnswerSection]:
        if self._claim is None:
            return
        (place, line), self._claim = self._claim, None
        claimed = find_claim(line)
        assert claimed is not None  # noqa: S101 - only lines with a claim are kept
        answer = claimed[0] or self._error(place, UNCLEAR)
        yield self._section(claimant(line[: claimed[1]], self._heading), answer, [place])
        self._heading = ""

    def _end_of_rows(self) -> Iterator[AnswerSection]:
        """The grids of the current rows, none of which fits the board."""
        rows, self._rows = self._rows, []
        height = self._given.rows
        # A few rows right above or below a grid that fits are a legend.
        touches_fit = rows and (rows[0] - 1 in self._fit_ends or rows[-1] + 1 in self._fits)
        if len(rows) < height and touches_fit:
            return
        # Rows of another width are one grid of another size, not several of this height.
        first = self._parse(rows[:height]) if len(rows) > height else None
        is_other_size = isinstance(first, FoundGrid) and first.grid.cols != self._given.cols
        if len(rows) % height or is_other_size:
            height = len(rows)
        for start in range(0, len(rows), height):
            part = rows[start : start + height]
            found = self._parse(part)
            if isinstance(found, FoundGrid):
                if is_remark(found.grid, self._given):
                    continue
                is_shifted = len(rows) == height and self._rows_beside(part)
                doubt = EXTRA_ROWS if is_shifted else self._doubt_about(found.grid, part)
                found = self._error(part[0], doubt) if doubt else found
            yield from self._grid(found, part)

    def _parse(self, rows: list[int]) -> "FoundGrid | BoardError":
        texts = [bare(self._texts[place]) for place in rows]
        style: SeparatorStyle = (
            "comma" if any(line_style(text) == "comma" for text in texts) else line_style(texts[0])
        )
        cells = [list(tokens(text, style)) for text in texts]
        faults = [
            self._fault(place, token_fault(token.written), token.column)
            for place, row in zip(rows, cells, strict=True)
            for token in row
            if token.text not in CELL_CODES
        ]
        widths = [len(row) for row in cells]
        usual = max(set(widths), key=widths.count)
        faults += [
            self._fault(place, f"{width} cells here, {usual} in most rows")
            for place, width in zip(rows, widths, strict=True)
            if width != usual
        ]
        if faults:
            return BoardError(sorted(faults), self._source)
        return found_grid(rows, [[token.text for token in row] for row in cells])

    def _grid(
        self, found: "FoundGrid | BoardError", lines: Sequence[int], doubt: str = ""
    ) -> Iterator[AnswerSection]:
        """The section of a grid, unless it only shows how far a program came before it gave up."""
        grid = found.grid if isinstance(found, FoundGrid) else None
        if grid == self._given and HIDDEN in self._given.cells:
            yield self._section("", Claim.UNFILLED, lines)
            return
        if self._claim is not None and self._claim[0] == self._beside(lines[0], -1):
            if grid is not None and self._is_left_over(grid, self._claim[1]):
                return
            is_apart = self._claims_apart and grid is not None and not check(self._given, grid)
            if is_bare_claim(self._claim[1]) and not is_apart:
                doubt, lines = BOTH, [self._claim[0], *lines]
            if not is_apart:
                self._heading, self._claim = self._claim[1], None
        yield from self._end_of_claim()
        answer: Grid | BoardError
        if isinstance(found, FoundGrid):
            doubt = doubt or other_notation(found, self._given) or ""
            answer = self._error(lines[0], doubt) if doubt else found.grid
        else:
            answer = found
        yield self._section(label_of(self._heading), answer, lines, grid)
        self._heading = ""

    def _is_left_over(self, grid: Grid, claim: str) -> bool:
        """Whether a grid right below a claim shows how far a program came before it made the claim."""
        found = find_claim(claim)
        is_none = found is not None and found[0] is not Claim.GAVE_UP
        return HIDDEN in grid.cells or (is_none and bool(check(self._given, grid)))

    def _is_longer(self, fit: "FoundGrid") -> bool:
        """Whether the rows around a fit may belong to it as well.

        They do not if it is a copy of the board, or if all its rows are in one line. Around a right answer,
        only rows with its style count; others are probably legends or measurements.
        """
        if fit.grid == self._given or len(fit.lines) < self._given.rows:
            return False
        rows = self._rows_beside(fit.lines)
        if check(self._given, fit.grid):
            return bool(rows)
        style = line_style(bare(self._texts[fit.lines[0]]))
        is_alike = any(line_style(bare(self._texts[place])) == style for place in rows)
        return self._given.cols > LEGEND_CELLS and is_alike

    def _rows_beside(self, rows: Sequence[int]) -> list[int]:
        """Which lines right above and below these rows are also rows, but not of other grids."""
        is_loose = any(not self._texts[place].strip() for place in range(rows[0], rows[-1]))
        ends = self._beside(rows[0], -1, blanks=is_loose), self._beside(rows[-1], 1, blanks=is_loose)
        return [
            place
            for place in set(ends) - self._fit_rows
            if place is not None
            and any(not are_column_numbers(cells) for cells in self._readings(place).values())
        ]

    def _readings(self, place: int) -> dict[RowReading, Cells]:
        return readings(self._texts[place], self._given.cols)

    def _beside(self, place: int, step: int, *, blanks: bool = False) -> int | None:
        """The next line above or below this one that is neither a rule nor, with `blanks`, a blank line."""
        place += step
        while 0 <= place < len(self._texts):
            text = self._texts[place]
            if not is_rule(text) and not (blanks and not text.strip()):
                return place
            place += step
        return None

    def _doubt_about(self, grid: Grid, rows: Iterable[int]) -> str | None:
        """Why a grid that does not fit the board may have been misread; None if it is certainly wrong."""
        given = self._given
        if grid.cells.shape != given.cells.shape:
            if grid.cells.size < given.cells.size and self._are_alone(rows):
                return None
            return f"the board is {given.rows}×{given.cols}, the answer {grid.rows}×{grid.cols}"
        shown, hidden = given.cells != HIDDEN, given.cells == HIDDEN
        differs = shown & (grid.cells != given.cells)
        if 2 * np.count_nonzero(differs) > np.count_nonzero(shown):
            wrong = "most of the board's clues are not in their places"
            return f"{wrong}; this may be the answer to another board"
        if differs.any() and (grid.cells[differs] == HIDDEN).all() and _is_filled(grid)[hidden].all():
            return "some of the board's clues are not shown; write them as the board does"
        if not _is_filled(grid)[hidden].any():
            return "no unknown cell is filled with T or G; this may be another notation"
        return None

    def _are_alone(self, rows: Iterable[int]) -> bool:
        """Whether no other cells in the whole text can belong to these rows."""
        own = set(rows)
        # In a single column, any short line can be a row with a typing error.
        if self._given.cols <= 1 or any(has_empty_cell(self._texts[place]) for place in own):
            return False
        if self._doubtful is None:
            self._doubtful = frozenset(
                place
                for place, text in enumerate(self._texts)
                if may_have_cells(text) or any(mark in text for mark in ELLIPSES)
            )
        return self._doubtful <= own

    def _section(
        self, label: str, answer: Grid | Claim | BoardError, lines: Sequence[int], grid: Grid | None = None
    ) -> AnswerSection:
        return AnswerSection(label, answer, range(self._places[lines[0]], self._places[lines[-1]] + 1), grid)

    def _fault(self, place: int, message: str, column: int = 0) -> Fault:
        line = self._lines[place]
        return Fault(line.number, column if line.is_whole else 0, message)

    def _error(self, place: int, message: str) -> BoardError:
        return BoardError([self._fault(place, message)], self._source)


def _parted(line: AnswerLine, given: Grid) -> list[AnswerLine]:
    """The line, or a heading and the row or rows after it if one line has both: `Solution: 3 T 2 G`."""
    heading, colon, row = line.text.partition(": ")
    widths = {given.cols, given.cells.size}
    if not colon or not any(readings(row, width) and not readings(line.text, width) for width in widths):
        return [line]
    return [replace(line, text=heading + colon), replace(line, text=row, is_whole=False)]


# The filled grids in a text, and why one may be in another notation.


@dataclass(frozen=True, slots=True)
class FoundGrid:
    """A grid, the lines of its rows, and the marks that it is written with."""

    lines: tuple[int, ...]
    grid: Grid
    marks: frozenset[str]


def found_grid(lines: Sequence[int], rows: Sequence[Sequence[str]]) -> FoundGrid:
    """A grid from rows of marks."""
    codes = np.array([codes_of(row) for row in rows], np.int8)
    return FoundGrid(tuple(lines), Grid(codes), frozenset(mark for row in rows for mark in row))


def find_fits(lines: Sequence[str], given: Grid) -> list[FoundGrid]:
    """The grids in a text with the size and the clues of the given one, in order; no two share a line."""
    page = _Page(lines, given)
    fits = (*page.fits(), *page.flat_fits())
    possible = [fit for fit in fits if fit.grid == given or not is_remark(fit.grid, given)]
    return [fit for group in _groups(possible) for fit in _choose(group, given)]


class _Page:
    """The lines of a text as rows of the given grid."""

    def __init__(self, lines: Sequence[str], given: Grid) -> None:
        self._lines, self._given = lines, given
        self._rows = [readings(line, given.cols) for line in lines]
        self._shown = [
            [(place, code) for place, code in enumerate(row) if code != HIDDEN]
            for row in given.cells.tolist()
        ]
        # The most rows that a grid can have from each line on, for each way to read its rows.
        self._most_rows: list[dict[RowReading, int]] = [{} for _ in range(len(lines) + 1)]
        for place in reversed(range(len(lines))):
            row, below = self._rows[place], self._most_rows[place + 1]
            goes_on = RowReading if self._can_be_passed(place) else row
            self._most_rows[place] = {each: below.get(each, 0) + (each in row) for each in goes_on}

    def fits(self) -> Iterator[FoundGrid]:
        """The grids with one row below the other: at most one for each way to read each line as first row."""
        for start, row in enumerate(self._rows):
            for reading in row:
                whole = self._fit(start, reading, skips_rules=False)
                if whole is not None and whole.grid == self._given:
                    yield whole
                elif fit := self._fit(start, reading, skips_rules=True) or whole:
                    yield fit

    def _fit(self, start: int, reading: RowReading, *, skips_rules: bool) -> FoundGrid | None:
        """The grid that begins here; a rule is skipped, or else it may be a row of unknown cells."""
        used: list[int] = []
        rows: list[Cells] = []
        if self._most_rows[start][reading] < self._given.rows:
            return None
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

    def _row(self, place: int, reading: RowReading, number: int, *, skips_rules: bool) -> Cells | None:
        """The cells of a line if it can be this row of the given grid."""
        line, cells = self._lines[place], self._rows[place].get(reading)
        if cells is None or (skips_rules and is_rule(line) and "*" not in line):
            return None
        if reading is RowReading.INDEXED and index_of(line) - number not in (0, 1):
            return None  # programs number the first row 0 or 1
        return cells if self._shows(codes_of(cells), number) else None

    def flat_fits(self) -> Iterator[FoundGrid]:
        """The grids with all rows in one line.

        Several such lines, one below the other, are rows of a larger board unless all of them fit.
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

    def _can_be_passed(self, place: int) -> bool:
        return not self._lines[place].strip() or is_rule(self._lines[place])

    def _shows(self, codes: Sequence[int], number: int) -> bool:
        """Whether a row shows all that this row of the given grid shows."""
        return all(codes[col] == code for col, code in self._shown[number])


def _all_or_none(run: list[FoundGrid | None]) -> list[FoundGrid]:
    fits = [fit for fit in run if fit is not None]
    return fits if len(fits) == len(run) else []


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
    """Fits of a group that neither share a line nor lie inside each other.

    If the lines make whole grids, one below the other, these are meant. Otherwise a line before or after a
    grid could also be a row, and right answers and copies of the board are preferred.
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
    """Whether a grid is not an answer, because it has neither traps nor gems, like a table of numbers."""
    return HIDDEN in given.cells and not _is_filled(grid).any()


def other_notation(found: FoundGrid, given: Grid) -> str | None:
    """Why a grid that breaks a rule may be a right answer in another notation; None if it is wrong.

    Minesweeper programs print `*` for a mine and `.` for other cells, or clues on all cells without a mine.
    """
    if not check(given, found.grid):
        return None
    # These marks have other meanings in mine maps and in games.
    if ambiguous := sorted({"*", ".", "🚩"} & found.marks):
        marks = " and ".join(f"`{mark}`" for mark in ambiguous)
        return f"{marks} can stand for traps, gems or unknown cells, and not all rules hold; write T and G"
    cells, hidden = found.grid.cells, given.cells == HIDDEN
    if cells.shape != hidden.shape:
        return None
    left = hidden & ~_is_filled(found.grid)
    missing = [kind for kind in (TRAP, GEM) if not (cells[hidden] == kind).any()]
    if not left.any() or len(missing) != 1 or check(given, Grid(np.where(left, missing[0], cells))):
        return None
    return "some cells are neither T nor G, but would be right as the missing kind; write T and G"


def _is_filled(grid: Grid) -> NDArray[np.bool_]:
    return np.isin(grid.cells, (TRAP, GEM))
