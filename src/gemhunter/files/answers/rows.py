"""The lines of an answer file: rows of cells in all the ways people print them, and what sentences claim."""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, TypeAlias

from gemhunter.board.grid import GEM, HIDDEN, LARGEST_DIGIT, TRAP
from gemhunter.files.dialects import GEM_MARKS, HIDDEN_MARKS, TRAP_MARKS, line_style, normal_lines, tokens
from gemhunter.files.json_boards import looks_like_json
from gemhunter.printable import printable

# Rows of cells in an answer: the ways to read a line, and lists as Python, NumPy and JSON print them.


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


# What the sentences of an answer file claim, and whose answer a heading announces.
#
# Claims are understood in English, Vietnamese and Chinese. Vietnamese is read without its marks, which many
# programs leave out: the patterns below are for lines as `_without_marks` makes them.


_GAVE_UP = re.compile(
    r"\b(?:gave[ -]up|give[sn]?[ -]up|(?:(?:time|step|memory)\s+)?limit(?!\s*[:=(]*\s*\d)"
    r"|time[ds]?[ -]?out|out of time|tle"
    r"|exceed(?:ed|s)?|too (?:long|large|many)|skipped|failed|interrupted|aborted"
    r"|(?:het|qua|vuot qua) (?:thoi gian|gio|bo nho)|qua (?:lau|lon)|vuot qua"
    r"|gioi han(?!(?: thoi gian| bo nho)?\s*[:=(]*\s*\d)|bo (?:cuoc|qua)|that bai"
    r"|chua (?:co|tim (?:thay|duoc|ra)|giai (?:xong|duoc)))\b"
    r"|[超逾][時时]|[時时][間间](?:到|用完|不足)|超[過过出]|放[棄弃]|跳[過过]|未完成|尚未|太久",
    re.I,
)
_IN_TIME = re.compile(
    r"\b(?:(?:within|before)\s+(?:the\s+)?(?:\d|time|given|allowed|allotted|available|deadline)"
    r"|in\s+(?:the\s+)?(?:(?:given|allowed|allotted|available)\s+)?time\b(?!\s*[:=\d])|so far|yet"
    r"|trong (?:thoi gian|gioi han)\b(?!\s*[:=\d])|truoc khi het|kip thoi)|[時时][間间限][內内]|限[時时]",
    re.I,
)
"""Makes "no solution found" a matter of time."""

_NO_SOLUTION = re.compile(
    r"\b(?:no\s+(?:valid\s+|feasible\s+|possible\s+)?solutions?|0\s+solutions|solutions?\s+(?:was\s+|were\s+)?not\s+found"
    r"|(?:not?|n't)\s+have\s+(?:a|any)\s+solutions?|(?:could|did|can)\s*(?:not|n't)\s+find\s+(?:a|any)\s+(?:valid\s+)?solutions?"
    r"|unsat(?:isfiable)?(?!\s+(?:clauses?|cores?|constraints?))|refuted|unsolvable|not\s+solvable"
    r"|cannot\s+be\s+solved|infeasible|impossible"
    r"|vo nghiem|kh?o(?:ng)? (?:he )?(?:co|ton tai|(?:the )?tim (?:thay|duoc|ra)|thay) (?:bat ky |mot )?"
    r"(?:loi giai|nghiem|giai phap|phuong an|cach giai|solution)|khong (?:the )?giai duoc|khong the giai"
    r")\b(?!\s*[:=?]\s*(?:false|0|no|none)\b)"
    r"|[無无]解(?![釋释析說说碼码壓压除])|(?:[沒没]有|找不到|不存在|未找到)(?:任何|可行|有效|合法)?的?解"
    r"(?![釋释析說说碼码壓压除])|[無无]法(?:求解|解[決决])|不可(?:[滿满]足|解)",
    re.I,
)
_MAYBE_TIME = re.compile(
    r"\b(?:after|in|sau|trong)\s+\d{2,}\s*(?:s|secs?|seconds?|min|mins?|minutes?|h|hours?|giay|phut|gio)\b"
    r"|(?<![\d.])\d{2,}\s*(?:秒|分[鐘钟]|小[時时])",
    re.I,
)
"""A round time that can be a limit as well as what a proof took."""

_DOUBTFUL = re.compile(
    r"\bnot\s+(?:\w+\s+)?(?:no\s+solution|unsat|refuted|unsolvable|infeasible|impossible)|\?\s*$|\btodo\b"
    r"|\bno\s+solutions?(?:\.\w+|\s+(?:method|case|file|named)\b)|\bnot\s+find\s+that\b"
    r"|\bkhong (?:phai )?(?:la )?vo nghiem\b|\bkhong phai\b|\bco (?:the|le|phai)\b|\bneu\b|\bhay khong\b"
    r"|(?:不是|不|[並并]非|有|若|如果)[無无]解|是否|可能|[嗎吗]|？\s*$",
    re.I,
)
"""A denial, a question or a remark about something else, in the words of a claim."""

_REMARK = re.compile(
    r"\W*((total|running|execution|solving|elapsed|run)\s*)*(time|runtime|duration|memory)\b"
    r"|\W*\d[\d.,]*\s*(m?s|sec\w*)?\W*$",
    re.I,
)
_BOARD_NAME = re.compile(r"\(\d+\s*[x×]\s*\d+\)\s*$")
"""Ends the name of a board above it, whatever words are in that name."""

_DECORATION = " \t=-*#:：[]<>|_~.+─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯"
_KIND = re.compile(
    r"(?:(?:algorithm|algo|solver|method|engine|approach|strategy|technique)s?|using"
    r"|solved (?:by|with|using))(?:\s+(?:used|name))?\s*#?\d*\s*[:=]+\s*(?=\S)",
    re.I,
)
"""Words before a colon that say what kind of thing the name after it is."""

_MEASURED = re.compile(
    r"\s*[,;|–(-]\s*(?:(?:total|running|execution|elapsed)\s+)?(?:time|took|runtime|in \d).*", re.I
)

_CLAIM_PREFIX = re.compile(r"\W*(?:\[[^\]]*\]|[^:：]*[:：])?\s*")
"""What stands before a claim: nothing, `[pysat]` or `DPLL:`."""

_BASE_LETTERS = {"đ": "d", "Đ": "D"}
"""Of letters that Unicode does not decompose."""

LONGEST_LABEL = 80
"""Characters of a label that are kept."""

_STATE = re.compile(
    r"|.*\b(?:steps?|iterations?|rounds?|states?|after|initial|current|progress|level)\b.*", re.I
)


class Claim(StrEnum):
    """What a section says when it shows no filled grid."""

    NO_SOLUTION = "no solution"
    GAVE_UP = "gave up"
    UNFILLED = "unfilled"
    """The board as it was given."""

    EMPTY = "empty"
    """A file without any text."""


def find_claim(line: str) -> tuple[Claim | None, int] | None:
    """What a line claims, and where in it; None in place of the claim if it can be either.

    "Limit reached, no solution found" claims a limit.
    """
    line = _without_marks(line)
    if _BOARD_NAME.search(line):
        return None
    gave_up, none = _GAVE_UP.search(line), _NO_SOLUTION.search(line)
    if none is not None and _DOUBTFUL.search(line):
        return None, none.start()
    if none is None:
        return (Claim.GAVE_UP, gave_up.start()) if gave_up else None
    if gave_up or _IN_TIME.search(line):
        return Claim.GAVE_UP, min(none.start(), gave_up.start() if gave_up else none.start())
    return (None if _MAYBE_TIME.search(line) else Claim.NO_SOLUTION), none.start()


def _without_marks(line: str) -> str:
    """A line with as many characters, each without the marks around it: `Vô nghiệm` becomes `Vo nghiem`."""
    if line.isascii():
        return line
    return "".join(_BASE_LETTERS.get(sign) or unicodedata.normalize("NFD", sign)[0] for sign in line)


def is_bare_claim(line: str) -> bool:
    """Whether a line says "no solution", perhaps after a solver's name, and so is not a grid's heading."""
    found = find_claim(line)
    return (
        found is not None
        and found[0] is Claim.NO_SOLUTION
        and bool(_CLAIM_PREFIX.fullmatch(line[: found[1]]))
    )


def is_heading(line: str) -> bool:
    """Whether a line that claims nothing has words other than a measurement."""
    return bool(line.strip(_DECORATION)) and not _REMARK.match(line)


def claimant(before: str, heading: str) -> str:
    """Who makes a claim: `DPLL:` in front of it, or the heading above it, or whatever is in front."""
    own = label_of(before)
    is_own = before.rstrip().endswith((":", "：", "]", "-", "=", ">", "|", "–", "—"))
    return own if is_own or not heading else label_of(heading)


def label_of(heading: str) -> str:
    """`[pysat:g4] solved` is about `pysat:g4`; `=== DPLL: 3 ms` and `Algorithm: DPLL` are about `DPLL`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return shown_label(bracketed[1])
    words = heading.strip(_DECORATION)
    if kind := _KIND.match(words):
        return shown_label(_MEASURED.sub("", words[kind.end() :]).strip(_DECORATION))
    return shown_label(re.split(r":(?:\s|$)|：", words)[0].strip(_DECORATION))


def shown_label(label: str) -> str:
    """A label as tables have it: printable, and not too long."""
    shown = printable(label)
    return shown if len(shown) <= LONGEST_LABEL else f"{shown[: LONGEST_LABEL - 1]}…"


def is_state_label(label: str) -> bool:
    """Whether a label names no solver, but at most a step on its way: nothing at all, or `Step 3`."""
    return _STATE.fullmatch(label) is not None


# The lines of an answer file: plain text, lists and wide tables row by row, and JSON.
#
# Programs print grids in many ways: as a Python list in one line, as a NumPy array whose rows go on in the
# next line, as a pandas table in several parts. Here each becomes one line per row of cells.


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
        yield from [", ".join(map(_cell, value))] if _is_list_of_cells(value) else map(_cell, value)
    elif isinstance(value, list):
        for entry in value:
            yield from _lines(entry, depth + 1)
    elif value is not None:
        yield str(value)


def _is_list_of_cells(entries: list[Any]) -> bool:
    """Whether a list holds cells, and not texts for whole rows."""
    return not all(isinstance(entry, str) and len(entry) > 1 for entry in entries)


def _cell(entry: Any) -> str:
    return "_" if entry is None else str(entry).strip()
