"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". What is no row of cells is a heading, a claim or a remark. The board
itself, which many programs print first, is no answer.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.json_boards import looks_like_json
from gemhunter.formats.rows import line_style, normal_lines, tokens
from gemhunter.formats.text import parse_grid, parse_rows
from gemhunter.formats.tokens import token_codes

_GAVE_UP = re.compile(
    r"\b(gave[ -]up|limit|time[ds]?[ -]?out|exceed(ed|s)?|too (long|large|many)|skipped|failed)\b", re.I
)
_NO_SOLUTION = re.compile(
    r"\b(no\s+(valid\s+|feasible\s+)?solutions?|0\s+solutions|solutions?\s+not\s+found|not?\s+have\s+a\s+solution"
    r"|unsat(isfiable)?|refuted|unsolvable|not\s+solvable|cannot\s+be\s+solved|infeasible|impossible)\b",
    re.I,
)
_REMARK = re.compile(
    r"\W*((total|running|execution|solving|elapsed|run)\s*)*(time|runtime|duration|memory)\b"
    r"|\W*\d[\d.,]*\s*(m?s|sec\w*)?\W*$",
    re.I,
)
_BOARD_NAME = re.compile(r"\(\d+\s*[x×]\s*\d+\)\s*$")
"""Ends the name of a board above it, whatever words are in that name."""

_DECORATION = " \t=-*#:[]<>|_~."
_WRAPPING = re.compile(r"[\[\]()'\"|]")
_CELL_TOKENS = frozenset(token_codes("clue"))


class Claim(StrEnum):
    """What a section says when it shows no grid."""

    NO_SOLUTION = "no solution"
    GAVE_UP = "gave up"


@dataclass(frozen=True, slots=True)
class Section:
    """One answer: whose it is, and the filled grid, the claim, or why it cannot be read."""

    label: str
    answer: Grid | Claim | BoardError


def read_sections(text: str, board: Grid, *, source: str = "answer") -> list[Section]:
    """All answers to `board` in a text, in order; raises `BoardError` if there is none."""
    document = _json(text)
    if document is None:
        sections = list(_Reader(board, source).read(normal_lines(text).split("\n")))
    else:
        sections = list(_json_sections(document, source))
    if not sections:
        message = "no answer found; expected a filled grid or the words `no solution`"
        raise BoardError([Fault(0, 0, message)], source)
    return sections


def write_section(label: str, status: str, filled: Grid | None = None) -> str:
    """A section the way this program writes it; `read_sections` reads it back."""
    return f"[{label}] {status}\n" + (f"{filled}\n" if filled is not None else "")


@dataclass(slots=True)
class _Reader:
    """Goes through the lines of an answer file.

    `rows` are those of the grid at hand, by line number. `claim` is one that was just read, with its line
    number: if a grid follows at once, it was only a heading with such words in it.
    """

    board: Grid
    source: str
    heading: str = ""
    claim: tuple[int, str] | None = None
    rows: dict[int, str] = field(default_factory=dict)

    def read(self, lines: list[str]) -> Iterator[Section]:
        """All sections, in order."""
        bare = [_WRAPPING.sub(" ", line).rstrip() for line in lines]
        compact = not any(self._is_separated_row(line) for line in bare)
        for number, line in enumerate(lines):
            if self._is_separated_row(bare[number]) or (compact and self._is_compact_row(bare[number])):
                self.rows[number] = bare[number]
            elif line.strip():
                yield from self._end_of_grid()
                yield from self._remark(number, line)
            elif len(self.rows) % self.board.rows == 0:
                yield from self._end_of_grid()
        yield from self._end_of_grid()
        yield from self._end_of_claim()

    def _is_separated_row(self, line: str) -> bool:
        """As wide as the board with half its cells known, so that a typing error is seen; or all known."""
        style = line_style(line)
        known = [token.text in _CELL_TOKENS for token in tokens(line, style)]
        wide = len(known) == self.board.cols and sum(known) >= len(known) / 2
        return style != "compact" and (wide or all(known))

    def _is_compact_row(self, line: str) -> bool:
        known = [token.text in _CELL_TOKENS for token in tokens(line, "compact")]
        return line_style(line) == "compact" and len(known) == self.board.cols and all(known)

    def _end_of_grid(self) -> Iterator[Section]:
        numbers, self.rows = list(self.rows.items()), {}
        height = self.board.rows if len(numbers) % self.board.rows == 0 else max(len(numbers), 1)
        for start in range(0, len(numbers), height):
            grid = self._parse(numbers[start : start + height])
            if grid == self.board and HIDDEN in self.board.cells:
                continue
            if self._is_partial(grid, numbers[start][0]):
                continue
            if self.claim is not None and self.claim[0] == numbers[start][0] - 1:
                self.heading, self.claim = self.claim[1], None
            yield from self._end_of_claim()
            yield Section(_label(self.heading), grid)
            self.heading = ""

    def _is_partial(self, grid: Grid | BoardError, line: int) -> bool:
        """Whether a grid that begins in this line shows what was known when somebody gave up."""
        gave_up = self.claim is not None and self.claim[0] == line - 1 and _GAVE_UP.search(self.claim[1])
        return bool(gave_up) and isinstance(grid, Grid) and HIDDEN in grid.cells

    def _parse(self, rows: list[tuple[int, str]]) -> Grid | BoardError:
        try:
            return parse_rows("\n".join(line for _, line in rows), source=self.source, sized=False)
        except BoardError as error:
            faults = [Fault(rows[max(f.line, 1) - 1][0] + 1, f.column, f.message) for f in error.faults]
            return BoardError(faults, self.source)

    def _remark(self, number: int, line: str) -> Iterator[Section]:
        yield from self._end_of_claim()
        if _claimed(line) is not None:
            self.claim = (number, line)
        elif line.strip(_DECORATION) and not _REMARK.match(line):
            self.heading = line

    def _end_of_claim(self) -> Iterator[Section]:
        if self.claim is None:
            return
        line, self.claim = self.claim[1], None
        claimed = _claimed(line)
        assert claimed is not None  # noqa: S101 - only lines with a claim are kept
        yield Section(_claimant(line[: claimed[1]], self.heading), claimed[0])
        self.heading = ""


def _claimed(line: str) -> tuple[Claim, int] | None:
    """What a line claims, and where in it; "limit reached, no solution found" claims a limit."""
    if _BOARD_NAME.search(line):
        return None
    for claim, words in ((Claim.GAVE_UP, _GAVE_UP), (Claim.NO_SOLUTION, _NO_SOLUTION)):
        if found := words.search(line):
            return claim, found.start()
    return None


def _claimant(before: str, heading: str) -> str:
    """Who makes a claim: `DPLL:` in front of it, or the heading above it, or whatever is in front."""
    own = _label(before)
    return own if before.rstrip().endswith((":", "]", "-", "=", ">", "|")) or not heading else _label(heading)


def _label(heading: str) -> str:
    """`[pysat:g4] solved in 0.1 s` is about `pysat:g4`; `=== DPLL: 3 ms` about `DPLL`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return bracketed[1]
    return re.split(r":(?:\s|$)", heading.strip(_DECORATION))[0].strip(_DECORATION)


def _json(text: str) -> Any:
    """The JSON document in a text, or a list of them where there is one per line; None if it is not JSON."""
    if not looks_like_json(text):
        return None
    for parts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            documents = [json.loads(part) for part in parts]
        except (ValueError, RecursionError):
            continue
        return documents[0] if len(documents) == 1 else documents
    return None


def _json_sections(document: Any, source: str) -> Iterator[Section]:
    """Results as `solve` prints them, or just a grid."""
    results = document if isinstance(document, list) else [document]
    if not all(isinstance(result, dict) and "outcome" in result for result in results):
        yield Section("", _json_grid(document, source))
        return
    for result in results:
        claim = {"refuted": Claim.NO_SOLUTION, "gave-up": Claim.GAVE_UP, "failed": Claim.GAVE_UP}
        answer = claim.get(result["outcome"]) or _json_grid(result, source)
        yield Section(str(result.get("engine", "")), answer)


def _json_grid(document: Any, source: str) -> Grid | BoardError:
    try:
        return parse_grid(json.dumps(document), source=source)
    except BoardError as error:
        return error
