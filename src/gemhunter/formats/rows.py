"""A line of text as tokens: the three ways people separate cells, and the line that gives the size."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

from gemhunter.core.grid import LARGEST_CLUE, LARGEST_DIGIT

Style = Literal["comma", "blank", "compact"]

_COMMA = re.compile(r"[,;]")
_SIZE = re.compile(r"\s*(\d{1,9})(?:\s*[xX×,;]\s*|\s+)(\d{1,9})[\s,;]*", re.ASCII)
_COMPACT_CELL = re.compile(r"none|\S", re.IGNORECASE)
_WORD = re.compile(r"\S+")


@dataclass(frozen=True, slots=True)
class Token:
    """A cell in lower case, with its column counted from 1, and as written."""

    text: str
    column: int
    written: str


@dataclass(frozen=True, slots=True)
class Size:
    """Rows and columns as a first line states them."""

    rows: int
    cols: int


def line_style(line: str) -> Style:
    """How the cells of this line are separated."""
    if _COMMA.search(line):
        return "comma"
    return "blank" if len(line.split()) > 1 else "compact"


def tokens(line: str, style: Style) -> Iterator[Token]:
    """The cells of a line, left to right."""
    if not line.strip():
        return iter(())
    if style == "comma":
        return _between_commas(line)
    cell = _WORD if style == "blank" else _COMPACT_CELL
    return (Token(match[0].lower(), match.start() + 1, match[0]) for match in cell.finditer(line))


def stated_size(first: str, second: str, rows_after: int) -> Size | None:
    """The size that the first of several lines states, or None where that line is a row of cells.

    What can be a row is one: a first line with the size has other separators than the row below it, or a
    number that no clue can be, or it fits exactly.
    """
    match = _SIZE.fullmatch(first)
    if match is None or not second.strip():
        return None
    size = Size(int(match[1]), int(match[2]))
    width = _width(second)
    no_clue = max(size.rows, size.cols) > LARGEST_CLUE
    same_style = line_style(first) == line_style(second)
    exact = size.rows == rows_after and size.cols == width
    if same_style and not no_clue:
        return size if exact and width != 2 else None
    could_be_row = same_style and width == 2 and max(size.rows, size.cols) <= LARGEST_DIGIT
    fits = exact if could_be_row else size.rows == rows_after or size.cols == width
    return size if fits or (width != 2 and (no_clue or not same_style)) else None


def could_state_size(first: str, second: str, rows_after: int) -> bool:
    """Whether two numbers with a blank between are a row of a board, and just as well its size."""
    match = _SIZE.fullmatch(first)
    if match is None or line_style(first) != "blank" or line_style(second) != "blank":
        return False
    return int(match[1]) == rows_after and int(match[2]) == _width(second) == 2


def normal_lines(text: str) -> str:
    """The text with every line end as `\\n`, and without a BOM."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


def _width(line: str) -> int:
    return sum(1 for _ in tokens(line, line_style(line)))


def _between_commas(line: str) -> Iterator[Token]:
    start = 0
    ends = [match.start() for match in _COMMA.finditer(line)]
    if line[ends[-1] + 1 :].strip() if ends else True:
        ends.append(len(line))
    for end in ends:
        text = line[start:end]
        lead = len(text) - len(text.lstrip())
        written = text.strip()
        yield Token(written.lower(), start + (lead if written else 0) + 1, written)
        start = end + 1
