"""Lists of cells as Python, NumPy and JSON print them, wherever they stand in a text."""

import re
from collections.abc import Iterator
from dataclasses import dataclass

from gemhunter.formats.answer_cells import CELL_CODES

ELLIPSES = frozenset({"...", "…"})
"""What stands for cells that were left out."""

MOST_WORDS = 20
"""Entries that are no cells, beyond those that are; with more, a bracket belongs to prose."""

DEEPEST = 4
"""Brackets inside each other: a list of solutions, each a list of rows, in one more pair."""

MOST_READINGS = 20
"""How often a text is read, on average, in search of the ends of lists."""

_OPENS = re.compile(r"[\[(]")
_PART = re.compile(
    r"\s+|,|(?P<opens>[\[(])|(?P<closes>[\])])|[bBuU]?'(?P<single>[^'\n]*)'|[bBuU]?\"(?P<double>[^\"\n]*)\""
    r"|(?P<word>[^\s,\[\]()'\"]+)"
)


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
            if depth > DEEPEST:
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
