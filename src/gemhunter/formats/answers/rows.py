"""Rows of cells in an answer: the ways to read a line, and lists as Python, NumPy and JSON print them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from types import MappingProxyType
from typing import TypeAlias

from gemhunter.core.grid import GEM, HIDDEN, LARGEST_DIGIT, TRAP
from gemhunter.formats.dialects import GEM_MARKS, HIDDEN_MARKS, TRAP_MARKS, line_style, tokens

EMOJI_CODES = MappingProxyType(dict.fromkeys("💣💥🧨🪤💀☠🚩", TRAP) | dict.fromkeys("💎💠", GEM))
"""The pictures that programs print for traps and gems; others are left to a person."""

CELL_CODES = MappingProxyType(
    {str(clue): clue for clue in range(LARGEST_DIGIT + 1)}
    | dict.fromkeys(HIDDEN_MARKS, HIDDEN)
    | dict.fromkeys(TRAP_MARKS, TRAP)
    | dict.fromkeys(GEM_MARKS, GEM)
    | EMOJI_CODES
)
"""What each token stands for in an answer, lower case."""

Cells: TypeAlias = tuple[str, ...]


LEGEND_CELLS = 2
"""In a line such as `T G`."""

LONGEST_INDEX = 9
"""Digits of the number of a row."""

_WRAPPING = re.compile(r"[\[\](){}'\"`|¦│┃║]")
_PREFIX = re.compile(
    r"\s*(?:(?:row|line|r)\W{0,2}\d+\s*(?:[:.)|>=│┃║-]+|\s)|\d+\s*(?:[:)|>=│┃║]+|\.\s|->)|\[\d*,?\d*\]\s|>+\s|[-•]\s)\s*",
    re.IGNORECASE,
)
"""What stands before a row: `Row 1:`, `1 |`, `2.`, `[3,]`, `>`."""

_EMPTY = re.compile(r"[|¦│┃║]\s+[|¦│┃║]|(?:^|[\s,\[(])(['\"])\s*\1(?=[\s,\])]|$)")
_CELL_SIGN = re.compile(rf"(?<![^\W_])[0-8TGtg*](?![^\W_])|[{''.join(EMOJI_CODES)}]")
ELLIPSES = frozenset({"...", "…"})
"""What stands for cells that were left out."""

MOST_WORDS = 20
"""How many more entries may be something else than cells; with more, a bracket belongs to prose."""

DEEPEST_LIST = 4
"""Brackets inside each other: a list of solutions, each a list of rows, in one more pair."""

MOST_READINGS = 20
"""How often a text is read, on average, in search of the ends of lists."""

_OPENS = re.compile(r"[\[(]")
_PART = re.compile(
    r"\s+|,|(?P<opens>[\[(])|(?P<closes>[\])])|[bBuU]?'(?P<single>[^'\n]*)'|[bBuU]?\"(?P<double>[^\"\n]*)\""
    r"|(?P<word>[^\s,\[\]()'\"]+)"
)


class RowReading(Enum):
    """A way to read a line: whole, without a prefix such as `Row 1:`, or without the number of the row."""

    PLAIN = "plain"
    PREFIXED = "prefixed"
    INDEXED = "indexed"


def bare(line: str) -> str:
    """A line without brackets, quotes and the sides of boxes."""
    return _WRAPPING.sub(" ", line).rstrip()


def is_rule(line: str) -> bool:
    """Whether a line could be drawn between rows: it has no letter, no digit and no picture of a cell."""
    return bool(line.strip()) and not any(sign.isalnum() or sign in EMOJI_CODES for sign in line)


def may_have_cells(line: str) -> bool:
    """Whether a line has signs for cells: two that stand alone, or nothing but such signs."""
    signs = [sign for sign in line.lower() if sign.isalnum() or sign == "*" or sign in EMOJI_CODES]
    return len(_CELL_SIGN.findall(line)) > 1 or (bool(signs) and all(sign in CELL_CODES for sign in signs))


def filled_cells(line: str) -> int:
    """The number of cells in a line if at least half of it are cells, a trap or a gem among them; else 0."""
    text = bare(line)
    codes = [CELL_CODES.get(token.text) for token in tokens(text, line_style(text))]
    is_filled = 2 * codes.count(None) <= len(codes) and not {TRAP, GEM}.isdisjoint(codes)
    return len(codes) if is_filled else 0


def has_empty_cell(line: str) -> bool:
    """Whether nothing stands between the sides of a box or between quotes, where a cell could be."""
    return _EMPTY.search(line) is not None


def readings(line: str, width: int) -> dict[RowReading, Cells]:
    """The ways in which a line is a row of `width` cells."""
    plain = _cells(bare(line), width)
    found = {RowReading.PLAIN: plain}
    if prefix := _PREFIX.match(line):
        found[RowReading.PREFIXED] = _cells(bare(line[prefix.end() :]), width)
    if line_style(bare(line)) != "compact" and plain[0].isdecimal() and len(plain[0]) <= LONGEST_INDEX:
        found[RowReading.INDEXED] = _split(plain[1:], width)
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


@dataclass(frozen=True, slots=True)
class CellRow:
    """The cells of one row as written, and where in the text the first of them stands."""

    start: int
    cells: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CellList:
    """Rows of cells between two places of a text; `is_cut` if some were left out."""

    start: int
    end: int
    rows: tuple[CellRow, ...]
    is_cut: bool


@dataclass(frozen=True, slots=True)
class _Item:
    """An entry of a list: a cell, or text for a whole row."""

    start: int
    text: str
    is_quoted: bool


def find_lists(text: str) -> Iterator[CellList]:
    """All lists of rows, and all rows that go on in the next line, from left to right.

    A text that had to be read too often, because brackets in it never close, has no further lists.

    A single row within one line is left out: it can be read as a line.
    """
    place, left = 0, MOST_READINGS * len(text)
    while (found := _OPENS.search(text, place)) and left > 0:
        place = found.end()
        cells = _read_list(text, found.start())
        if isinstance(cells, CellList):
            yield cells
            place = cells.end
        else:
            left -= cells - found.start()


def _read_list(text: str, start: int) -> CellList | int:
    """The list that begins here if it is one of rows of cells, else how far the text was read."""
    stack: list[list[_Item | list[CellRow]]] = []
    rows: list[CellRow] = []
    place, is_cut, depth, words = start, False, 0, 0
    while part := _PART.match(text, place):
        place = part.end()
        if part["opens"]:
            stack.append([])
            depth = max(depth, len(stack))
            if depth > DEEPEST_LIST:
                return place
        elif part["closes"]:
            items = stack.pop()
            own = _rows_of(items)
            if own is None:
                return place
            rows += own
            if not stack:
                break
            stack[-1].append(own)
        elif part.lastgroup is not None:
            item = _Item(part.start(), part[part.lastgroup].strip(), part.lastgroup != "word")
            is_cut = is_cut or item.text in ELLIPSES
            words += 1 if len(item.text) > 1 and not item.is_quoted else -1
            if words > MOST_WORDS:
                return place
            stack[-1].append(item)
    else:
        return place
    if not _are_cells(rows) or (len(rows) == 1 and depth == 1 and "\n" not in text[start:place]):
        return place
    return CellList(start, place, tuple(rows), is_cut)


def _rows_of(items: list[_Item | list[CellRow]]) -> list[CellRow] | None:
    """The rows that the entries of one list make; None if lists and cells stand side by side."""
    cells = [item for item in items if isinstance(item, _Item)]
    if len(cells) < len(items):
        return [] if all(cell.text in ELLIPSES for cell in cells) else None
    if not cells:
        return None
    if all(cell.is_quoted and len(cell.text) > 1 and cell.text.lower() not in CELL_CODES for cell in cells):
        return [CellRow(cell.start, (cell.text,)) for cell in cells]
    return [CellRow(cells[0].start, tuple(cell.text for cell in cells))]


def _are_cells(rows: list[CellRow]) -> bool:
    """Whether at least half of what stands in the rows are cells, or signs for left-out ones."""
    known = CELL_CODES.keys() | ELLIPSES
    cells = [cell for row in rows for cell in row.cells]
    signs = [part for cell in cells for part in re.split(r"[\s,;]+", cell.lower()) if part]
    count = sum(sign in known or all(each in known for each in sign) for sign in signs)
    return bool(signs) and 2 * count >= len(signs)
