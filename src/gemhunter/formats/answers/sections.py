"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". Every line that is not a row of cells is a heading, a claim or a remark.
The board itself, which many programs print first, is not an answer.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from gemhunter.core.checker import check
from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.plurals import counted
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.formats.answers.claims import (
    Claim,
    claimant,
    find_claim,
    is_bare_claim,
    is_heading,
    is_state_label,
    label_of,
    shown_label,
)
from gemhunter.formats.answers.grids import (
    Fit,
    Surroundings,
    doubt_about,
    find_fits,
    is_remark,
    leaves_one_kind_out,
)
from gemhunter.formats.answers.lines import AnswerLine, JsonAnswer, answer_lines, json_answers
from gemhunter.formats.answers.rows import (
    CELL_CODES,
    ELLIPSES,
    bare,
    codes_of,
    is_rule,
    readings,
)
from gemhunter.formats.dialects import SeparatorStyle, line_style, token_fault, tokens
from gemhunter.printable import printable, printable_lines

MOST_ANSWERS = 1000
"""In one file."""

LONGEST_REMARK = 300
"""Characters of a line that are searched for a claim or a heading."""

NO_ANSWER_FOUND = "no answer found; expected a filled grid or the words `no solution`"
CUT_SHORT = "the grid is cut short with `...`; print all of its cells"
EXTRA_ROWS = "more rows stand here than the board has; which ones are the answer is not clear"
ONE_KIND = "some cells are left unknown, and would be right with the kind that is missing; write T and G"
BOTH = "`no solution` and a solution stand together; which one is the answer is not clear"
UNCLEAR = "this can mean that there is no solution, or that time ran out"


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One answer: whose it is, and the filled grid, the claim, or why it cannot be read."""

    label: str
    answer: Grid | Claim | BoardError


def read_sections(text: str, given: Grid, *, source: str = "answer") -> list[AnswerSection]:
    """All answers to the `given` grid in a text, in order; an `InputError` if there is none, or too many."""
    documents = json_answers(text)
    if documents is None:
        sections = _sections(answer_lines(text), given, source)
    else:
        sections = [section for document in documents for section in _json_sections(document, given, source)]
    require_few(sections, source)
    if not sections:
        is_cut = any(mark in text for mark in ELLIPSES)
        raise BoardError([Fault(0, 0, NO_ANSWER_FOUND + f"; {CUT_SHORT}" * is_cut)], source)
    return sections


def require_few(answers: Sequence[object], source: str) -> None:
    """Raise `InputError` if a file has more answers than a student would hand in."""
    if len(answers) > MOST_ANSWERS:
        found = counted(len(answers), "answer")
        raise InputError(f"{source}: {found} in one file; at most {MOST_ANSWERS:,} are graded")


def write_section(label: str, status: str, filled: Grid | None = None) -> str:
    """A section the way this program writes it; `read_sections` reads it back."""
    return f"[{printable(label)}] {printable_lines(status)}\n" + (f"{filled}\n" if filled is not None else "")


def _sections(written: list[AnswerLine], given: Grid, source: str) -> list[AnswerSection]:
    lines = [part for line in written for part in _parted(line, given.cols)]
    texts = [line.text for line in lines]
    fits = {fit.lines[0]: fit for fit in find_fits(texts, given)}
    around = Surroundings(texts, fits, given.cols)
    return _without_states(list(_AnswerReader(lines, given, source, fits, around).read()))


def _without_states(sections: list[AnswerSection]) -> list[AnswerSection]:
    """Sections but for grids that a program printed on its way to a complete one."""
    kept: list[AnswerSection] = []
    for section in reversed(sections):
        is_state = is_state_label(section.label) and _has_unknown_cells(section)
        if not (is_state and kept and isinstance(kept[-1].answer, Grid) and not _has_unknown_cells(kept[-1])):
            kept.append(section)
    return kept[::-1]


def _has_unknown_cells(section: AnswerSection) -> bool:
    return isinstance(section.answer, Grid) and HIDDEN in section.answer.cells


def _parted(line: AnswerLine, width: int) -> list[AnswerLine]:
    """A heading and the first row below it, where both are in one line: `Solution: 3 T 2 G`."""
    heading, colon, row = line.text.partition(": ")
    if not colon or not readings(row, width) or readings(line.text, width):
        return [line]
    return [replace(line, text=heading + colon), replace(line, text=row, is_whole=False)]


def _json_sections(document: JsonAnswer, given: Grid, source: str) -> list[AnswerSection]:
    """A result of `solve` is one section; whatever else is read line by line."""
    if document.claim is not None:
        return [AnswerSection(shown_label(document.label), document.claim)]
    lines = [AnswerLine(0, line, is_whole=False) for line in document.lines]
    found = _sections(lines, given, source)
    if not document.is_result:
        return found
    missing = BoardError([Fault(0, 0, "a result without a filled grid")], source)
    return [AnswerSection(shown_label(document.label), found[0].answer if found else missing)]


@dataclass(slots=True)
class _AnswerReader:
    """Goes through the lines of an answer file.

    `fits` are the grids that show the board's clues, by their first line. `rows` are the lines of another
    grid at hand. `claim` is one that was just read, with its place: if a right grid follows at once, it was
    only a heading with such words in it.
    """

    lines: Sequence[AnswerLine]
    given: Grid
    source: str
    fits: dict[int, Fit]
    around: Surroundings
    heading: str = ""
    claim: tuple[int, str] | None = None
    rows: list[int] = field(default_factory=list)

    def read(self) -> Iterator[AnswerSection]:
        """All sections, in order."""
        inside = {line for fit in self.fits.values() for line in range(fit.lines[0], fit.lines[-1] + 1)}
        compact = not any(self._is_separated_row(place) for place in range(len(self.lines)))
        for place, line in enumerate(self.lines):
            if place in self.fits:
                yield from self._end_of_rows()
                yield from self._grid(self._sure(self.fits[place]), place)
            elif place in inside:
                continue
            elif line.is_cut:
                yield from self._end_of_rows()
                yield from self._grid(self._error(place, CUT_SHORT), place)
            elif self._is_separated_row(place) or (compact and self._is_compact_row(place)):
                self.rows.append(place)
            elif line.text.strip():
                if self._is_between_rows(line.text):
                    continue
                yield from self._end_of_rows()
                yield from self._remark(place, line.text)
            elif len(self.rows) % self.given.rows == 0:
                yield from self._end_of_rows()
        yield from self._end_of_rows()
        yield from self._end_of_claim()

    def _is_between_rows(self, line: str) -> bool:
        return is_rule(line) and bool(self.rows) and len(self.rows) % self.given.rows > 0

    def _is_separated_row(self, place: int) -> bool:
        """As wide as the board with half its cells known, so that a typing error is seen; or all known."""
        line = bare(self.lines[place].text)
        known = [token.text in CELL_CODES for token in tokens(line, line_style(line))]
        wide = len(known) == self.given.cols and sum(known) >= len(known) / 2
        return line_style(line) != "compact" and (wide or all(known))

    def _is_compact_row(self, place: int) -> bool:
        line = bare(self.lines[place].text)
        known = [token.text in CELL_CODES for token in tokens(line, "compact")]
        return line_style(line) == "compact" and len(known) == self.given.cols and all(known)

    def _end_of_rows(self) -> Iterator[AnswerSection]:
        """The grids that the rows at hand make, none of which fits the board."""
        rows, self.rows = self.rows, []
        if len(rows) < self.given.rows and self.around.touch_fit(rows):
            return
        height = self.given.rows if len(rows) % self.given.rows == 0 else max(len(rows), 1)
        for start in range(0, len(rows), height):
            part = rows[start : start + height]
            grid = self._parse(part)
            if isinstance(grid, Grid):
                if is_remark(grid, self.given):
                    continue
                shifted = len(rows) == height and self.around.shift(part)
                doubt = EXTRA_ROWS if shifted else self._doubt(grid, part)
                grid = self._error(part[0], doubt) if doubt else grid
            yield from self._grid(grid, part[0])

    def _doubt(self, grid: Grid, rows: list[int]) -> str | None:
        return doubt_about(grid, self.given, is_alone=self.around.leave_alone(rows))

    def _sure(self, fit: Fit) -> Grid | BoardError:
        """The grid of a fit, unless rows around it may belong to it as well."""
        is_wrong = bool(check(self.given, fit.grid))
        is_doubtful = self.around.shift(fit.lines) if is_wrong else self.around.lengthen(fit.lines)
        return self._error(fit.lines[0], EXTRA_ROWS) if is_doubtful else fit.grid

    def _grid(self, grid: Grid | BoardError, place: int) -> Iterator[AnswerSection]:
        """The section of a grid, unless it is the board itself or what was known when a program gave up."""
        if isinstance(grid, Grid) and grid == self.given and HIDDEN in self.given.cells:
            return
        if self.claim is not None and self.claim[0] == self.around.beside(place, -1):
            if self._is_left_over(grid, self.claim[1]):
                return
            if is_bare_claim(self.claim[1]):
                grid = self._error(place, BOTH)
            self.heading, self.claim = self.claim[1], None
        yield from self._end_of_claim()
        if isinstance(grid, Grid) and leaves_one_kind_out(grid, self.given):
            grid = self._error(place, ONE_KIND)
        yield AnswerSection(label_of(self.heading), grid)
        self.heading = ""

    def _is_left_over(self, grid: Grid | BoardError, claim: str) -> bool:
        """Whether a grid right below a claim shows how far a program came before it made the claim."""
        found = find_claim(claim)
        if found is None or not isinstance(grid, Grid):
            return False
        is_none = found[0] is not Claim.GAVE_UP
        return HIDDEN in grid.cells or (is_none and bool(check(self.given, grid)))

    def _parse(self, rows: list[int]) -> Grid | BoardError:
        texts = [bare(self.lines[place].text) for place in rows]
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
            return BoardError(sorted(faults), self.source)
        return Grid(np.array([codes_of([token.text for token in row]) for row in cells], np.int8))

    def _fault(self, place: int, message: str, column: int = 0) -> Fault:
        line = self.lines[place]
        return Fault(line.number, column if line.is_whole else 0, message)

    def _error(self, place: int, message: str) -> BoardError:
        return BoardError([self._fault(place, message)], self.source)

    def _remark(self, place: int, text: str) -> Iterator[AnswerSection]:
        line = text[:LONGEST_REMARK]
        if is_rule(line) and self.claim is not None:
            return
        yield from self._end_of_claim()
        if find_claim(line) is not None:
            self.claim = (place, line)
        elif is_heading(line):
            self.heading = line

    def _end_of_claim(self) -> Iterator[AnswerSection]:
        if self.claim is None:
            return
        (place, line), self.claim = self.claim, None
        claimed = find_claim(line)
        assert claimed is not None  # noqa: S101 - only lines with a claim are kept
        answer = claimed[0] or self._error(place, UNCLEAR)
        yield AnswerSection(claimant(line[: claimed[1]], self.heading), answer)
        self.heading = ""
