"""The lines of an answer file: rows of cells in all the ways people print them, and claims in sentences.

`answer_lines` splits any text into lines. Each is a row of cells (`readings`), a claim such as "no solution"
(`find_claim`), or a heading that names a solver (`label_of`).
"""

import json
import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from enum import Enum, StrEnum
from types import MappingProxyType
from typing import Any, NamedTuple, TypeAlias

from gemhunter.board.grid import GEM, TRAP
from gemhunter.files.dialects import FLAGGED, line_style, normal_lines, token_codes, tokens
from gemhunter.files.json_boards import looks_like_json
from gemhunter.printable import printable

EMOJI_CODES = MappingProxyType(dict.fromkeys("💣💥🧨🪤💀☠🚩", TRAP) | dict.fromkeys("💎💠", GEM))
"""The pictures that programs print for traps and gems; a person has to judge others."""

CELL_CODES = MappingProxyType(
    {sign: code for sign, code in token_codes("clue").items() if code != FLAGGED} | EMOJI_CODES
)
"""The cell code of each token in an answer, in lower case."""

Cells: TypeAlias = tuple[str, ...]

LEGEND_CELLS = 2
"""How many cells a legend such as `T G` has."""

ELLIPSES = frozenset({"...", "…"})
"""Stand for cells that were left out."""

CUT_SHORT = "the grid is cut short with `...`; print all of its cells"


class Claim(StrEnum):
    """What a section without a filled grid says."""

    NO_SOLUTION = "no solution"
    GAVE_UP = "gave up"
    UNFILLED = "unfilled"
    """The board as it was given."""

    EMPTY = "empty"
    """A file without any text."""


@dataclass(frozen=True, slots=True)
class AnswerLine:
    """A line, and the number of the line in the file that it comes from; 0 if there is none.

    `is_whole` is false if the columns of the line are not those of the file. `fault` says what is wrong with
    an answer here: NumPy, for example, leaves out cells of large arrays.
    """

    number: int
    text: str
    is_whole: bool = True
    fault: str = ""


# From a text to lines. Programs print grids as a Python list in one line, as a NumPy array with rows that
# take several lines, as a pandas table in several parts: all become one line per row of cells.


_INVISIBLE = str.maketrans(
    # Blanks of other widths, signs without width, and signs that turn a digit or a sign into an emoji.
    dict.fromkeys("\xa0\u2007\u202f\u3000", " ") | dict.fromkeys("\u200b\u2060\ufeff\ufe0e\ufe0f\u20e3", "")
)
_COLOUR = re.compile(  # the escape character before it may have been lost
    r"\x1b\[[0-?]*[ -/]*[@-~]|\x1b\][^\x07\x1b\n]*(?:\x07|\x1b\\)|\x1b[@-_]|\[\d{0,3}(?:;\d{1,3})*m"
)
_NUMPY_CELL = re.compile(r"\b(?:np|numpy)\.\w+\(([^()\n]*)\)")
_ARRAY_BEGINS = re.compile(r"(?:\b(?:np|numpy|pd|pandas)\.)?\b(?:array|matrix|Matrix|DataFrame)\s*\(\s*$")
_ARRAY_ENDS = re.compile(r"(?:\s*,\s*(?:dtype|shape)\s*=\s*(?:\([^)\n]{0,80}\)|[^)\n]){0,80})?\s*\)")
_CONTINUED = re.compile(r"\s\\\s*$")


def answer_lines(text: str) -> list[AnswerLine]:
    """All lines of an answer file, ready to be read."""
    document = _load(text)
    if document is not None:
        # A document that is empty, or too deep to be read, is still not an empty file.
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
        if found.is_cut:
            lines.append(AnswerLine(number, "...", is_whole=False, fault=CUT_SHORT))
        else:
            row_number, at = number, found.start
            for start, cells in found.rows:
                row_number, at = row_number + plain.count("\n", at, start), start
                lines.append(AnswerLine(row_number, ", ".join(cells), is_whole=False))
        number += plain.count("\n", found.start, end)
        place = end
    lines += _numbered(plain[place:], number)
    return _joined_tables(lines)


def _plain(text: str) -> str:
    """A text without colours and invisible signs, each letter with its marks as one character."""
    return unicodedata.normalize("NFC", _COLOUR.sub("", text).translate(_INVISIBLE))


def _numbered(text: str, first: int) -> Iterator[AnswerLine]:
    return (AnswerLine(number, line) for number, line in enumerate(text.split("\n"), first))


def _joined_tables(lines: list[AnswerLine]) -> list[AnswerLine]:
    """The lines with the parts of wide pandas tables side by side again.

    A backslash ends the headings of every part but the last; a blank line stands between parts.
    """
    joined = list(lines)

    def rows_below(head: int) -> range:
        """The lines that follow without a gap or other headings."""
        end = head + 1
        while end < len(joined) and joined[end].text.strip() and not _CONTINUED.search(joined[end].text):
            end += 1
        return range(head + 1, end)

    def names(rows: range) -> list[str]:
        return [joined[row].text.split()[0] for row in rows]

    for head in range(len(joined)):
        if not _CONTINUED.search(joined[head].text):
            continue
        joined[head] = replace(joined[head], text=_CONTINUED.sub("", joined[head].text))
        rows = rows_below(head)
        part, is_continued = rows.stop, bool(rows)
        while is_continued:
            while part < len(joined) and not joined[part].text.strip():
                part += 1
            others = rows_below(part)[: len(rows)]
            if names(others) != names(rows):
                break
            # Append the rows of this part to those of the first part, and blank out what was moved.
            is_continued = _CONTINUED.search(joined[part].text) is not None
            joined[part] = replace(joined[part], text="")
            for row, other in zip(rows, others, strict=True):
                cells = " ".join(joined[other].text.split()[1:])
                joined[row] = replace(joined[row], text=f"{joined[row].text} {cells}", is_whole=False)
                joined[other] = replace(joined[other], text="")
            part = others.stop
    return joined


def _load(text: str) -> Any:
    """The document of a JSON text, or a list of one document per line; None if it is not JSON."""
    if not looks_like_json(text):
        return None
    for parts in ([text], [line for line in text.splitlines() if line.strip()]):
        try:
            documents = [json.loads(part.removeprefix("\ufeff")) for part in parts]
        except (ValueError, RecursionError):
            continue
        return documents[0] if len(documents) == 1 else documents
    return None


def _json_lines(document: Any) -> Iterator[AnswerLine]:
    """The lines of a document; a result of `solve` becomes a heading, then its claim or its grid."""
    results = document if isinstance(document, list) else [document]
    if not all(isinstance(result, dict) and "outcome" in result for result in results):
        yield from (AnswerLine(0, _plain(line), is_whole=False) for line in _document_lines(document))
        return
    claims = {"refuted": Claim.NO_SOLUTION, "gave-up": Claim.GAVE_UP, "failed": Claim.GAVE_UP}
    for result in results:
        claim, rows = claims.get(str(result["outcome"])), [*_document_lines(result.get("grid"))]
        engine = f"[{_shown_label(str(result['engine']))}] " if result.get("engine") else ""
        yield AnswerLine(0, engine + (claim or ""), is_whole=False)
        if claim is None and rows:
            yield from (AnswerLine(0, row, is_whole=False) for row in rows)
        elif claim is None:
            yield AnswerLine(0, "", is_whole=False, fault="a result without a filled grid")
        yield AnswerLine(0, "", is_whole=False)


def _document_lines(value: Any, depth: int = 0) -> Iterator[str]:
    """A row per list of cells and per text; a key is a heading."""
    if depth > 20:  # deeper lists and objects are ignored
        return
    if isinstance(value, dict):
        for key, held in value.items():
            if isinstance(held, list | dict):
                yield "" if key == "grid" else f"[{key}]"
                yield from _document_lines(held, depth + 1)
                yield ""
            else:
                yield f"{key}: {held}"
    elif isinstance(value, list) and value and not any(isinstance(entry, list | dict) for entry in value):
        cells = ["_" if entry is None else str(entry).strip() for entry in value]
        are_whole_rows = all(isinstance(entry, str) and len(entry) > 1 for entry in value)
        yield from cells if are_whole_rows else [", ".join(cells)]
    elif isinstance(value, list):
        for entry in value:
            yield from _document_lines(entry, depth + 1)
    elif value is not None:
        yield str(value)


# Lists as Python, NumPy and JSON print them.


_LIST_OPENS = re.compile(r"[\[(]")
_LIST_PART = re.compile(
    r"\s+|,|(?P<opens>[\[(])|(?P<closes>[\])])|[bBuU]?'(?P<single>[^'\n]*)'|[bBuU]?\"(?P<double>[^\"\n]*)\""
    r"|(?P<word>[^\s,\[\]()'\"]+)"
)
Row: TypeAlias = tuple[int, Cells]
"""Where in the text a row begins, and its cells as written."""


class CellList(NamedTuple):
    """Rows of cells between two places of a text; `is_cut` says that some were left out."""

    start: int
    end: int
    rows: list[Row]
    is_cut: bool


class _Item(NamedTuple):
    """An entry of a list: a cell, or text for a whole row."""

    start: int
    text: str
    is_quoted: bool


def find_lists(text: str) -> Iterator[CellList]:
    """All lists of rows, and all rows that take several lines, from left to right.

    A row within one line is left out, because it can be read as a line.
    """
    # If brackets never close, a text is read again and again; after twenty times its length, the search ends.
    place, left = 0, 20 * len(text)
    while (found := _LIST_OPENS.search(text, place)) and left > 0:
        place = found.end()
        cells = _read_list(text, found.start())
        if isinstance(cells, CellList):
            yield cells
            place = cells.end
        else:
            left -= cells - found.start()


def _read_list(text: str, start: int) -> CellList | int:
    """The list of rows of cells that begins here, or how far the text was read if there is none."""
    stack: list[list[_Item | list[Row]]] = []
    rows: list[Row] = []
    place, is_cut, depth, words = start, False, 0, 0
    while part := _LIST_PART.match(text, place):
        place = part.end()
        if part["opens"]:
            stack.append([])
            depth = max(depth, len(stack))
            if depth > 4:  # a list of solutions, each a list of rows, in one more pair of brackets
                return place
        elif part["closes"]:
            own = _rows_of(stack.pop())
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
            if words > 20:  # 20 more words than cells: a bracket in prose
                return place
            stack[-1].append(item)
    else:
        return place
    if not _are_cells(rows) or (len(rows) == 1 and depth == 1 and "\n" not in text[start:place]):
        return place
    return CellList(start, place, rows, is_cut)


def _rows_of(items: list[_Item | list[Row]]) -> list[Row] | None:
    """The rows in the entries of one list; None if lists and cells are mixed."""
    cells = [item for item in items if isinstance(item, _Item)]
    if len(cells) < len(items):
        return [] if all(cell.text in ELLIPSES for cell in cells) else None
    if not cells:
        return None
    if all(cell.is_quoted and len(cell.text) > 1 and cell.text.lower() not in CELL_CODES for cell in cells):
        return [(cell.start, (cell.text,)) for cell in cells]
    return [(cells[0].start, tuple(cell.text for cell in cells))]


def _are_cells(rows: list[Row]) -> bool:
    """Whether at least half of the rows' content is cells, or signs for cells that were left out."""
    known = CELL_CODES.keys() | ELLIPSES
    cells = [cell for _, row in rows for cell in row]
    signs = [part for cell in cells for part in re.split(r"[\s,;]+", cell.lower()) if part]
    count = sum(sign in known or known.issuperset(sign) for sign in signs)
    return bool(signs) and 2 * count >= len(signs)


# A line as a row of cells.


_PREFIX = re.compile(  # before a row: `Row 1:`, `1 |`, `2.`, `[3,]`, `>`
    r"\s*(?:(?:row|line|r)\W{0,2}\d+\s*(?:[:.)|>=│┃║-]+|\s)|\d+\s*(?:[:)|>=│┃║]+|\.\s|->)|\[\d*,?\d*\]\s|>+\s|[-•]\s)\s*",
    re.IGNORECASE,
)
_EMPTY_CELL = re.compile(r"[|¦│┃║]\s+[|¦│┃║]|(?:^|[\s,\[(])(['\"])\s*\1(?=[\s,\])]|$)")
_CELL_SIGN = re.compile(rf"(?<![^\W_])[0-8TGtg*](?![^\W_])|[{''.join(EMOJI_CODES)}]")


class RowReading(Enum):
    """How a line is read: whole, without a prefix such as `Row 1:`, or without the number of the row."""

    PLAIN = "plain"
    PREFIXED = "prefixed"
    INDEXED = "indexed"


def readings(line: str, width: int) -> dict[RowReading, Cells]:
    """The ways in which a line is a row of `width` cells."""
    plain = _cells(bare(line), width)
    found = {RowReading.PLAIN: plain}
    if prefix := _PREFIX.match(line):
        found[RowReading.PREFIXED] = _cells(bare(line[prefix.end() :]), width)
    # A number of more than nine digits is no index.
    if line_style(bare(line)) != "compact" and plain[0].isdecimal() and len(plain[0]) <= 9:
        found[RowReading.INDEXED] = _split(plain[1:], width)
    return {
        reading: cells
        for reading, cells in found.items()
        if len(cells) == width and all(cell in CELL_CODES for cell in cells)
    }


def index_of(line: str) -> int:
    """The number that begins an indexed row."""
    return int(_cells(bare(line), 0)[0])


def codes_of(cells: Sequence[str]) -> list[int]:
    """The codes of tokens that are cells."""
    return [CELL_CODES[cell] for cell in cells]


def bare(line: str) -> str:
    """A line without brackets, quotes and the sides of boxes."""
    return re.sub(r"[\[\](){}'\"`|¦│┃║]", " ", line).rstrip()


def is_rule(line: str) -> bool:
    """Whether a line could separate rows: it has no letter, no digit and no picture of a cell."""
    return bool(line.strip()) and not any(sign.isalnum() or sign in EMOJI_CODES for sign in line)


def may_have_cells(line: str) -> bool:
    """Whether a line has at least two signs for cells that stand alone, or nothing but such signs."""
    signs = [sign for sign in line.lower() if sign.isalnum() or sign == "*" or sign in EMOJI_CODES]
    return len(_CELL_SIGN.findall(line)) > 1 or (bool(signs) and all(sign in CELL_CODES for sign in signs))


def filled_cells(line: str) -> int:
    """The number of cells in a line if half of it is cells, with a trap or a gem among them; else 0."""
    text = bare(line)
    codes = [CELL_CODES.get(token.text) for token in tokens(text, line_style(text))]
    is_filled = 2 * codes.count(None) <= len(codes) and not {TRAP, GEM}.isdisjoint(codes)
    return len(codes) if is_filled else 0


def has_empty_cell(line: str) -> bool:
    """Whether the space between the sides of a box or between quotes, where a cell could be, is empty."""
    return _EMPTY_CELL.search(line) is not None


def are_column_numbers(cells: Cells) -> bool:
    """Whether a row numbers its columns, from 0 or 1, perhaps with the last digits only."""
    counts = (tuple(str((first + col) % 10) for col in range(len(cells))) for first in (0, 1))
    return len(cells) > 2 and cells in counts


def _cells(line: str, width: int) -> Cells:
    return _split(tuple(token.text for token in tokens(line, line_style(line))), width)


def _split(cells: Cells, width: int) -> Cells:
    """The cells of a row; a single word can be a row without separators."""
    if len(cells) == 1 and width > 1 and len(cells[0]) == width:
        return tuple(cells[0])
    return cells


# Claims in the sentences of an answer file, and the names in its headings.
#
# Claims are understood in English, Vietnamese and Chinese. The patterns are for Vietnamese without its marks,
# which many programs leave out and `_without_marks` removes.


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
"""With these words, "no solution found" means that time ran out."""

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
"""A time that can be the limit as well as the running time of a proof."""

_DOUBTFUL = re.compile(
    r"\bnot\s+(?:\w+\s+)?(?:no\s+solution|unsat|refuted|unsolvable|infeasible|impossible)|\?\s*$|\btodo\b"
    r"|\bno\s+solutions?(?:\.\w+|\s+(?:method|case|file|named)\b)|\bnot\s+find\s+that\b"
    r"|\bkhong (?:phai )?(?:la )?vo nghiem\b|\bkhong phai\b|\bco (?:the|le|phai)\b|\bneu\b|\bhay khong\b"
    r"|(?:不是|不|[並并]非|有|若|如果)[無无]解|是否|可能|[嗎吗]|？\s*$",
    re.I,
)
"""A denial, a question or a remark about something else, which uses the words of a claim."""

_REMARK = re.compile(
    r"\W*((total|running|execution|solving|elapsed|run)\s*)*(time|runtime|duration|memory)\b"
    r"|\W*\d[\d.,]*\s*(m?s|sec\w*)?\W*$",
    re.I,
)
_DECORATION = " \t=-*#:：[]<>|_~.+─━═│┃║┌┐└┘├┤┬┴┼╔╗╚╝╠╣╦╩╬╭╮╰╯"
_KIND = re.compile(
    r"(?:(?:algorithm|algo|solver|method|engine|approach|strategy|technique)s?|using"
    r"|solved (?:by|with|using))(?:\s+(?:used|name))?\s*#?\d*\s*[:=]+\s*(?=\S)",
    re.I,
)
"""Words before a colon and the name of a solver."""

_MEASURED = re.compile(
    r"\s*[,;|–(-]\s*(?:(?:total|running|execution|elapsed)\s+)?(?:time|took|runtime|in \d).*", re.I
)


def find_claim(line: str) -> tuple[Claim | None, int] | None:
    """The claim of a line, None if it is ambiguous, and where in the line it stands.

    "Limit reached, no solution found" means that time ran out.
    """
    line = _without_marks(line)
    if re.search(r"\(\d+\s*[x×]\s*\d+\)\s*$", line):  # the name of a board, even with words of a claim
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
    """The line with each character replaced by its base letter: `Vô nghiệm` becomes `Vo nghiem`."""
    if line.isascii():
        return line
    without_stroke = line.translate({ord("đ"): "d", ord("Đ"): "D"})  # which Unicode does not decompose
    return "".join(unicodedata.normalize("NFD", sign)[0] for sign in without_stroke)


def is_bare_claim(line: str) -> bool:
    """Whether a line says "no solution", perhaps after a solver's name, and so is not a grid's heading."""
    claim, place = find_claim(line) or (None, 0)
    # Before the claim may stand `[pysat]` or `DPLL:`.
    before = re.fullmatch(r"\W*(?:\[[^\]]*\]|[^:：]*[:：])?\s*", line[:place])
    return claim is Claim.NO_SOLUTION and before is not None


def is_heading(line: str) -> bool:
    """Whether a line without a claim has words other than a measurement."""
    return bool(line.strip(_DECORATION)) and not _REMARK.match(line)


def claimant(before: str, heading: str) -> str:
    """Who makes a claim: `DPLL:` before it, or else the heading above it, or else any words before it."""
    own = label_of(before)
    is_own = before.rstrip().endswith((":", "：", "]", "-", "=", ">", "|", "–", "—"))
    return own if is_own or not heading else label_of(heading)


def label_of(heading: str) -> str:
    """The solver in a heading: `pysat:g4` in `[pysat:g4] solved`, `DPLL` in `=== DPLL: 3 ms`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return _shown_label(bracketed[1])
    words = heading.strip(_DECORATION)
    if kind := _KIND.match(words):
        return _shown_label(_MEASURED.sub("", words[kind.end() :]).strip(_DECORATION))
    return _shown_label(re.split(r":(?:\s|$)|：", words)[0].strip(_DECORATION))


def _shown_label(label: str) -> str:
    """A label for tables: printable, and at most 80 characters."""
    shown = printable(label)
    return shown if len(shown) <= 80 else f"{shown[:79]}…"


def is_state_label(label: str) -> bool:
    """Whether a label is empty or names only a step of a solver, such as `Step 3`."""
    steps = r"|.*\b(?:steps?|iterations?|rounds?|states?|after|initial|current|progress|level)\b.*"
    return re.fullmatch(steps, label, re.I) is not None
