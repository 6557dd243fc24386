"""The lines of an answer file: plain text, lists and wide tables row by row, and JSON.

Programs print grids in many ways: as a Python list in one line, as a NumPy array whose rows go on in the next
line, as a pandas table in several parts. Here each becomes one line per row of cells.
"""

import json
import re
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from gemhunter.formats.answers.claims import Claim, shown_label
from gemhunter.formats.answers.rows import CellList, find_lists
from gemhunter.formats.dialects import normal_lines
from gemhunter.formats.json_boards import looks_like_json

_COLOUR = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-_]|\[\d{0,3}(?:;\d{1,3})*m"
)
"""What terminals turn into colours, also where the escape sign in front of it was lost."""

_UNSEEN = str.maketrans(
    {"\xa0": " ", "\u2007": " ", "\u202f": " ", "\u3000": " "}
    | dict.fromkeys("\u200b\u2060\ufeff", "")
    | dict.fromkeys("\ufe0e\ufe0f\u20e3", "")
)
"""Blanks of other widths, signs without any width, and what makes a digit or a sign an emoji."""

_NUMPY_CELL = re.compile(r"\b(?:np|numpy)\.\w+\(([^()\n]*)\)")
_CONTINUED = re.compile(r"\s\\\s*$")
_ARRAY_BEGINS = re.compile(r"(?:\b(?:np|numpy|pd|pandas)\.)?\b(?:array|matrix|Matrix|DataFrame)\s*\(\s*$")
_ARRAY_ENDS = re.compile(r"(?:\s*,\s*(?:dtype|shape)\s*=\s*(?:\([^)\n]{0,80}\)|[^)\n]){0,80})?\s*\)")


CUT_SHORT = "the grid is cut short with `...`; print all of its cells"

DEEPEST_DOCUMENT = 20
"""Levels of lists and objects inside each other; anything deeper is ignored."""

CLAIMS = MappingProxyType({"refuted": Claim.NO_SOLUTION, "gave-up": Claim.GAVE_UP, "failed": Claim.GAVE_UP})
"""What the outcomes of a result claim; `solved` comes with a grid."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line, and the number of the line in the file that it comes from; 0 if there is none.

    `is_whole` is false for a row that was put together, so that its columns are not those of the file.
    `fault` says what is wrong with an answer here, such as cells left out, as NumPy does with large arrays.
    """

    number: int
    text: str
    is_whole: bool = True
    fault: str = ""


def answer_lines(text: str) -> list[AnswerLine]:
    """All lines of an answer file, ready to be read."""
    document = _load(text)
    if document is not None:
        # A document that says nothing, or too deep to be read, is still not an empty file.
        return [*_json_lines(document)] or [AnswerLine(0, "JSON", is_whole=False)]
    plain = _NUMPY_CELL.sub(r"\1", _plain(normal_lines(text)))
    lines: list[AnswerLine] = []
    place, number = 0, 1
    for found in find_lists(plain):
        before = _ARRAY_BEGINS.sub("", plain[place : found.start])
        end = found.end
        if len(before) < found.start - place and (rest := _ARRAY_ENDS.match(plain, end)):
            end = rest.end()
        lines += _numbered(before, number)
        number += plain.count("\n", place, found.start)
        lines += _rows(plain, found, number)
        number += plain.count("\n", found.start, end)
        place = end
    lines += _numbered(plain[place:], number)
    return _joined_tables(lines)


def _plain(text: str) -> str:
    """A text without colours and unseen signs, each letter with its marks as one character."""
    return unicodedata.normalize("NFC", _COLOUR.sub("", text).translate(_UNSEEN))


def _numbered(text: str, first: int) -> Iterator[AnswerLine]:
    return (AnswerLine(number, line) for number, line in enumerate(text.split("\n"), first))


def _rows(text: str, found: CellList, number: int) -> list[AnswerLine]:
    """A line per row of a list that begins in a line, or one line that says that the list is cut short."""
    if found.is_cut:
        return [AnswerLine(number, "...", is_whole=False, fault=CUT_SHORT)]
    place, lines = found.start, []
    for row in found.rows:
        number, place = number + text.count("\n", place, row.start), row.start
        lines.append(AnswerLine(number, ", ".join(row.cells), is_whole=False))
    return lines


def _joined_tables(lines: list[AnswerLine]) -> list[AnswerLine]:
    """The parts of a pandas table that is too wide for one, side by side again.

    A backslash ends the headings of every part but the last; a blank line stands between parts.
    """
    joined, place = list(lines), 0
    while place < len(joined):
        if _CONTINUED.search(joined[place].text):
            _join_table(joined, place)
        place += 1
    return joined


def _join_table(lines: list[AnswerLine], head: int) -> None:
    """Append the rows of each further part to those of the first, and blank out what was moved."""
    height = _height(lines, head)
    continued = True
    part = head
    lines[head] = replace(lines[head], text=_CONTINUED.sub("", lines[head].text))
    while continued:
        part = part + height + 1
        while part < len(lines) and not lines[part].text.strip():
            part += 1
        if not height or not _is_part(lines, head, part, height):
            return
        continued = _CONTINUED.search(lines[part].text) is not None
        lines[part] = replace(lines[part], text="")
        for row in range(1, height + 1):
            first, more = lines[head + row], lines[part + row]
            cells = " ".join(more.text.split()[1:])
            lines[head + row] = replace(first, text=f"{first.text} {cells}", is_whole=False)
            lines[part + row] = replace(more, text="")


def _is_part(lines: list[AnswerLine], head: int, part: int, height: int) -> bool:
    """Whether rows with the same names as in the first part stand below this line."""
    if _height(lines, part) < height:
        return False
    rows = range(1, height + 1)
    return all(lines[head + row].text.split()[0] == lines[part + row].text.split()[0] for row in rows)


def _height(lines: list[AnswerLine], head: int) -> int:
    """How many lines follow this one without a gap or other headings."""
    end = head + 1
    while end < len(lines) and lines[end].text.strip() and not _CONTINUED.search(lines[end].text):
        end += 1
    return end - head - 1


def _json_lines(document: Any) -> Iterator[AnswerLine]:
    """Lines that say what a document says; a result of `solve` has a heading, then its claim or its grid."""
    results = document if isinstance(document, list) else [document]
    if not all(isinstance(result, dict) and "outcome" in result for result in results):
        yield from (AnswerLine(0, _plain(line), is_whole=False) for line in _lines(document))
        return
    for result in results:
        claim, rows = CLAIMS.get(str(result["outcome"])), [*_lines(result.get("grid"))]
        engine = f"[{shown_label(str(result['engine']))}] " if result.get("engine") else ""
        yield AnswerLine(0, engine + (claim or ""), is_whole=False)
        if claim is None and rows:
            yield from (AnswerLine(0, row, is_whole=False) for row in rows)
        elif claim is None:
            yield AnswerLine(0, "", is_whole=False, fault="a result without a filled grid")
        yield AnswerLine(0, "", is_whole=False)


def _load(text: str) -> Any:
    if not looks_like_json(text):
        return None
    for parts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            documents = [json.loads(part.removeprefix("\ufeff")) for part in parts]
        except (ValueError, RecursionError):
            continue
        return documents[0] if len(documents) == 1 else documents
    return None


def _lines(value: Any, depth: int = 0) -> Iterator[str]:
    """A row per list of cells and per text; a key is the heading of what it holds."""
    if depth > DEEPEST_DOCUMENT:
        return
    if isinstance(value, dict):
        for key, held in value.items():
            if isinstance(held, list | dict):
                yield "" if key == "grid" else f"[{key}]"
                yield from _lines(held, depth + 1)
                yield ""
            else:
                yield f"{key}: {held}"
    elif isinstance(value, list) and value and not any(isinstance(entry, list | dict) for entry in value):
        yield from [", ".join(map(_cell, value))] if _is_row(value) else map(_cell, value)
    elif isinstance(value, list):
        for entry in value:
            yield from _lines(entry, depth + 1)
    elif value is not None:
        yield str(value)


def _is_row(entries: list[Any]) -> bool:
    """Whether a list holds cells, and not texts for whole rows."""
    return not all(isinstance(entry, str) and len(entry) > 1 for entry in entries)


def _cell(entry: Any) -> str:
    return "_" if entry is None else str(entry).strip()
