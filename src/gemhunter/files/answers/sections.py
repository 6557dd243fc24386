"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". Every line that is not a row of cells is a heading, a claim or a remark.
The board itself, which many programs print first, is not an answer.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from gemhunter.board.checker import check
from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.files.answers.grids import (
    FoundGrid,
    Surroundings,
    doubt_about,
    find_fits,
    found_grid,
    is_remark,
    other_notation,
)
from gemhunter.files.answers.rows import (
    CELL_CODES,
    CUT_SHORT,
    ELLIPSES,
    AnswerLine,
    Claim,
    answer_lines,
    bare,
    claimant,
    find_claim,
    is_bare_claim,
    is_heading,
    is_rule,
    is_state_label,
    label_of,
    readings,
)
from gemhunter.files.dialects import SeparatorStyle, line_style, token_fault, tokens
from gemhunter.printable import counted, printable, printable_lines

MOST_ANSWERS = 1000
"""In one file."""

LONGEST_REMARK = 300
"""Characters of a line that are searched for a claim or a heading."""

NO_ANSWER_FOUND = "no answer found; expected a filled grid or the words `no solution`"
EXTRA_ROWS = "more rows stand here than the board has; which ones are the answer is not clear"
BOTH = "`no solution` and a solution stand together; which one is the answer is not clear"
UNCLEAR = "this can mean that there is no solution, or that time ran out"


_WORD = re.compile(r"[^\W\d_]{2,}")
_NUMBERS_AND_RULES = re.compile(r"[\s\dx×!-/:-@\[-`{-~─-╿]*")


@dataclass(frozen=True, slots=True)
class AnswerSection:
    """One answer: whose it is, and the filled grid, the claim, or why it cannot be read.

    `lines` are those that it was read from, counted from 0; `grid` is the one that was read, even if what its
    marks mean is not clear.
    """

    label: str
    answer: Grid | Claim | BoardError
    lines: range = field(default=range(0), compare=False)
    grid: Grid | None = field(default=None, compare=False)


def read_sections(text: str, given: Grid, *, source: str = "answer") -> list[AnswerSection]:
    """All answers to the `given` grid in a text, in order; an `InputError` if there is none, or too many.

    The board as it was given is a section only if there is nothing else; and so is an empty text.
    """
    return sections_of(answer_lines(text), given, source=source)


def sections_of(lines: Sequence[AnswerLine], given: Grid, *, source: str) -> list[AnswerSection]:
    """All answers to the `given` grid in the lines of a text, as `read_sections` gives them."""
    found = read_passages(lines, given, source=source)
    sections = [section for section in found if section.answer is not Claim.UNFILLED]
    require_few(sections, source)
    if sections:
        return sections
    if not any(line.text.strip() for line in lines):
        return [AnswerSection("", Claim.EMPTY)]
    copied = {place for section in found for place in section.lines}
    if found and not any(
        _may_answer(line.text, given) for place, line in enumerate(lines) if place not in copied
    ):
        return found[:1]
    is_cut = any(mark in line.text for line in lines for mark in ELLIPSES)
    raise BoardError([Fault(0, 0, NO_ANSWER_FOUND + f"; {CUT_SHORT}" * is_cut)], source)


def _may_answer(line: str, given: Grid) -> bool:
    """Whether a line beside the board as it was given may be part of an answer in some notation.

    Words, rules and a few numbers are not.
    """
    if _WORD.search(line):
        return False
    is_row = any(len(set(cells)) > 1 for cells in readings(line, given.cols).values())
    return is_row or _NUMBERS_AND_RULES.fullmatch(line) is None


def require_few(answers: Sequence[object], source: str) -> None:
    """Raise `InputError` if a file has more answers than a student would hand in."""
    if len(answers) > MOST_ANSWERS:
        found = counted(len(answers), "answer")
        raise InputError(f"{source}: {found} in one file; at most {MOST_ANSWERS:,} are graded")


def write_section(label: str, status: str, filled: Grid | None = None) -> str:
    """A section the way this program writes it; `read_sections` reads it back."""
    return f"[{printable(label)}] {printable_lines(status)}\n" + (f"{filled}\n" if filled is not None else "")


def read_passages(
    written: Sequence[AnswerLine], given: Grid, *, source: str, claims_apart: bool = False
) -> list[AnswerSection]:
    """All answers to the `given` grid in the lines of a text, and every copy of the grid itself.

    With `claims_apart`, "no solution" right above a solution is the answer to another board.
    """
    parted = [(place, part) for place, line in enumerate(written) for part in _parted(line, given)]
    lines = [line for _, line in parted]
    texts = [line.text for line in lines]
    fits = {fit.lines[0]: fit for fit in find_fits(texts, given)}
    around = Surroundings(texts, fits, given.cols)
    reader = _AnswerReader(lines, given, source, fits, around, claims_apart)
    return [
        AnswerSection(
            each.label,
            reader.answer_of(each),
            range(parted[each.lines[0]][0], parted[each.lines[-1]][0] + 1),
            each.found.grid if isinstance(each.found, FoundGrid) else None,
        )
        for each in _without_states(list(reader.read()))
    ]


@dataclass(frozen=True, slots=True)
class _Passage:
    """What was found in some lines, and why it may have been misread; other notations come later."""

    label: str
    found: FoundGrid | Claim | BoardError
    lines: Sequence[int]
    doubt: str = ""

    @property
    def is_partial(self) -> bool:
        """Whether it is a grid with unknown cells."""
        return isinstance(self.found, FoundGrid) and HIDDEN in self.found.grid.cells


def _without_states(passages: list[_Passage]) -> list[_Passage]:
    """Passages but for grids that a program printed on its way to a complete one, or to a claim."""
    kept: list[_Passage] = []
    result: _Passage | None = None
    for passage in reversed(passages):
        is_state = is_state_label(passage.label) and passage.is_partial
        is_on_its_way = (
            result is not None and not result.is_partial and not isinstance(result.found, BoardError)
        )
        if is_state and is_on_its_way:
            continue
        kept.append(passage)
        if passage.found is not Claim.UNFILLED:
            result = passage
    return kept[::-1]


def _parted(line: AnswerLine, given: Grid) -> list[AnswerLine]:
    """A heading and the row after it, or all rows, where both are in one line: `Solution: 3 T 2 G`."""
    heading, colon, row = line.text.partition(": ")
    widths = {given.cols, given.cells.size}
    if not colon or not any(readings(row, width) and not readings(line.text, width) for width in widths):
        return [line]
    return [replace(line, text=heading + colon), replace(line, text=row, is_whole=False)]


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
    fits: dict[int, FoundGrid]
    around: Surroundings
    claims_apart: bool
    heading: str = ""
    claim: tuple[int, str] | None = None
    rows: list[int] = field(default_factory=list)

    def answer_of(self, passage: _Passage) -> Grid | Claim | BoardError:
        """What a passage says; a grid that may be right in another notation is an error."""
        if not isinstance(passage.found, FoundGrid):
            return passage.found
        doubt = passage.doubt or other_notation(passage.found, self.given)
        return self._error(passage.lines[0], doubt) if doubt else passage.found.grid

    def read(self) -> Iterator[_Passage]:
        """All passages, in order."""
        inside = {line for fit in self.fits.values() for line in range(fit.lines[0], fit.lines[-1] + 1)}
        compact = not any(self._is_separated_row(place) for place in range(len(self.lines)))
        for place, line in enumerate(self.lines):
            if place in self.fits:
                yield from self._end_of_rows()
                fit = self.fits[place]
                yield from self._grid(fit, fit.lines, EXTRA_ROWS * self._is_longer(fit))
            elif place in inside:
                continue
            elif line.fault:
                yield from self._end_of_rows()
                yield from self._grid(self._error(place, line.fault), [place])
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

    def _end_of_rows(self) -> Iterator[_Passage]:
        """The grids that the rows at hand make, none of which fits the board."""
        rows, self.rows = self.rows, []
        if len(rows) < self.given.rows and self.around.touch_fit(rows):
            return
        height = self.given.rows if len(rows) % self.given.rows == 0 else max(len(rows), 1)
        for start in range(0, len(rows), height):
            part = rows[start : start + height]
            found = self._parse(part)
            if isinstance(found, FoundGrid):
                if is_remark(found.grid, self.given):
                    continue
                shifted = len(rows) == height and self.around.shift(part)
                doubt = EXTRA_ROWS if shifted else self._doubt(found.grid, part)
                found = self._error(part[0], doubt) if doubt else found
            yield from self._grid(found, part)

    def _doubt(self, grid: Grid, rows: list[int]) -> str | None:
        return doubt_about(grid, self.given, is_alone=self.around.leave_alone(rows))

    def _is_longer(self, fit: FoundGrid) -> bool:
        """Whether rows around a fit may belong to it as well.

        That cannot be for a copy of the board, or if all rows are in one line.
        """
        if fit.grid == self.given or len(fit.lines) < self.given.rows:
            return False
        is_wrong = bool(check(self.given, fit.grid))
        return self.around.shift(fit.lines) if is_wrong else self.around.lengthen(fit.lines)

    def _grid(
        self, found: FoundGrid | BoardError, lines: Sequence[int], doubt: str = ""
    ) -> Iterator[_Passage]:
        """The passage of a grid, unless it shows what was known when a program gave up."""
        grid = found.grid if isinstance(found, FoundGrid) else None
        if grid == self.given and HIDDEN in self.given.cells:
            yield _Passage("", Claim.UNFILLED, lines)
            return
        if self.claim is not None and self.claim[0] == self.around.beside(lines[0], -1):
            if grid is not None and self._is_left_over(grid, self.claim[1]):
                return
            is_apart = self.claims_apart and grid is not None and not check(self.given, grid)
            if is_bare_claim(self.claim[1]) and not is_apart:
                doubt, lines = BOTH, [self.claim[0], *lines]
            if not is_apart:
                self.heading, self.claim = self.claim[1], None
        yield from self._end_of_claim()
        yield _Passage(label_of(self.heading), found, lines, doubt)
        self.heading = ""

    def _is_left_over(self, grid: Grid, claim: str) -> bool:
        """Whether a grid right below a claim shows how far a program came before it made the claim."""
        found = find_claim(claim)
        if found is None:
            return False
        is_none = found[0] is not Claim.GAVE_UP
        return HIDDEN in grid.cells or (is_none and bool(check(self.given, grid)))

    def _parse(self, rows: list[int]) -> FoundGrid | BoardError:
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
        return found_grid(rows, [[token.text for token in row] for row in cells])

    def _fault(self, place: int, message: str, column: int = 0) -> Fault:
        line = self.lines[place]
        return Fault(line.number, column if line.is_whole else 0, message)

    def _error(self, place: int, message: str) -> BoardError:
        return BoardError([self._fault(place, message)], self.source)

    def _remark(self, place: int, text: str) -> Iterator[_Passage]:
        line = text[:LONGEST_REMARK]
        if is_rule(line) and self.claim is not None:
            return
        yield from self._end_of_claim()
        if find_claim(line) is not None:
            self.claim = (place, line)
        elif is_heading(line):
            self.heading = line

    def _end_of_claim(self) -> Iterator[_Passage]:
        if self.claim is None:
            return
        (place, line), self.claim = self.claim, None
        claimed = find_claim(line)
        assert claimed is not None  # noqa: S101 - only lines with a claim are kept
        answer = claimed[0] or self._error(place, UNCLEAR)
        yield _Passage(claimant(line[: claimed[1]], self.heading), answer, [place])
        self.heading = ""
