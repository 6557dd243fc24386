"""A line of an answer as cells, in each way in which it can be read."""

import re
from collections.abc import Sequence
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from gemhunter.core.grid import GEM, HIDDEN, LARGEST_DIGIT, TRAP
from gemhunter.formats.rows import line_style, tokens
from gemhunter.formats.tokens import GEM_MARKS, HIDDEN_MARKS, TRAP_MARKS

CELL_CODES = MappingProxyType(
    {str(clue): clue for clue in range(LARGEST_DIGIT + 1)}
    | dict.fromkeys(HIDDEN_MARKS, HIDDEN)
    | dict.fromkeys(TRAP_MARKS, TRAP)
    | dict.fromkeys(GEM_MARKS, GEM)
)
"""What each token stands for in an answer, lower case."""

Cells: TypeAlias = tuple[str, ...]


class Reading(Enum):
    """A way to read a line: as it is, without a prefix such as `Row 1:`, or without the number of the row."""

    PLAIN = "plain"
    PREFIXED = "prefixed"
    INDEXED = "indexed"


LONGEST_INDEX = 9
"""Digits of the number of a row."""

_WRAPPING = re.compile(r"[\[\](){}'\"`|¦│┃║]")
_PREFIX = re.compile(
    r"\s*(?:(?:row|line|r)\W{0,2}\d+\s*(?:[:.)|>=│┃║-]+|\s)|\d+\s*(?:[:)|>=│┃║]+|\.\s|->)|\[\d*,?\d*\]\s|>+\s|[-•]\s)\s*",
    re.IGNORECASE,
)
"""What stands before a row: `Row 1:`, `1 |`, `2.`, `[3,]`, `>`."""

_EMPTY = re.compile(r"[|¦│┃║]\s+[|¦│┃║]|(?:^|[\s,\[(])(['\"])\s*\1(?=[\s,\])]|$)")
_CELL_SIGN = re.compile(r"(?<![^\W_])[0-8TGtg*](?![^\W_])")


def bare(line: str) -> str:
    """A line without brackets, quotes and the sides of boxes."""
    return _WRAPPING.sub(" ", line).rstrip()


def is_rule(line: str) -> bool:
    """Whether a line could be drawn between rows: it has neither a letter nor a digit."""
    return bool(line.strip()) and not any(sign.isalnum() for sign in line)


def may_have_cells(line: str) -> bool:
    """Whether a line has signs for cells: two that stand by themselves, or no others than such signs."""
    signs = [sign for sign in line.lower() if sign.isalnum() or sign == "*"]
    return len(_CELL_SIGN.findall(line)) > 1 or (bool(signs) and all(sign in CELL_CODES for sign in signs))


def has_empty_cell(line: str) -> bool:
    """Whether nothing stands between the sides of a box or between quotes, where a cell could be."""
    return _EMPTY.search(line) is not None


def readings(line: str, width: int) -> dict[Reading, Cells]:
    """The ways in which a line is a row of `width` cells."""
    plain = _cells(bare(line), width)
    found = {Reading.PLAIN: plain}
    if prefix := _PREFIX.match(line):
        found[Reading.PREFIXED] = _cells(bare(line[prefix.end() :]), width)
    if line_style(bare(line)) != "compact" and plain[0].isdecimal() and len(plain[0]) <= LONGEST_INDEX:
        found[Reading.INDEXED] = _split(plain[1:], width)
    return {reading: cells for reading, cells in found.items() if _is_row(cells, width)}


def are_column_numbers(cells: Cells) -> bool:
    """Whether a row counts its columns, from 0 or 1 and perhaps with the last digits only."""
    counts = (tuple(str((first + col) % 10) for col in range(len(cells))) for first in (0, 1))
    return len(cells) > 2 and cells in counts


def index_of(line: str) -> int:
    """The number that begins an indexed row."""
    return int(_cells(bare(line), 0)[0])


def codes_of(cells: Sequence[str]) -> list[int]:
    """The codes of tokens that are cells."""
    return [CELL_CODES[cell] for cell in cells]


def _is_row(cells: Cells, width: int) -> bool:
    return len(cells) == width and all(cell in CELL_CODES for cell in cells)


def _cells(line: str, width: int) -> Cells:
    return _split(tuple(token.text for token in tokens(line, line_style(line))), width)


def _split(cells: Cells, width: int) -> Cells:
    """One word for a row without separators is as many cells as it has signs."""
    if len(cells) == 1 and width > 1 and len(cells[0]) == width:
        return tuple(cells[0])
    return cells
