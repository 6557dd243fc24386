"""Whether a text is meant as a board, mistakes or not, or as something else that lies beside boards."""

import json
import re
from typing import Any

from gemhunter.formats.json_boards import looks_like_json
from gemhunter.formats.replays import looks_like_replay
from gemhunter.formats.rows import line_style, normal_lines, tokens
from gemhunter.formats.tokens import token_codes
from gemhunter.formats.total_line import is_total_line

LONGEST_TYPING_ERROR = 2
"""Signs. A longer token that stands for no cell is a word or a measurement."""

LINES_LOOKED_AT = 20
"""Of a text, to tell a table of numbers from a board."""

_HEADING = re.compile(r"[^\W\d_]{2,}.*")
_MEASUREMENT = re.compile(r"\d+(?:[-/:.]\d+)+")
_NO_CLUE = re.compile(r"\d{2,}")
_CELL_TOKENS = frozenset(token_codes("clue"))
_BEGINS_WITH_ROWS = re.compile(r"[\ufeff\s]*\[\s*[\[\"]")


def looks_like_board(text: str) -> bool:
    """Whether a person would call this text a board; its first line decides, unless it is JSON.

    A row with mistakes is a row. Tables, reports, prose and answers with a heading above each are none.
    """
    lines = [line for line in normal_lines(text).split("\n") if line.strip() and not is_total_line(line)]
    if not lines:
        return False
    if looks_like_json(text):
        return _json_looks_like_board(text)
    first, second = lines[0], lines[1] if len(lines) > 1 else ""
    if _looks_like_table(lines[:LINES_LOOKED_AT]):
        return False
    if _looks_like_row(first):
        return not (_is_rule(first) and second and not _looks_like_row(second))
    return _has_cells_like(first, second)


def _looks_like_table(lines: list[str]) -> bool:
    """Whether lines hold nothing but numbers: below a heading, with dates or fractions, or beyond clues.

    Two lines have to have such large numbers: one can give the size of a board.
    """
    first, *others = (_words(line) for line in lines)
    if not any(word in _CELL_TOKENS for word in first):
        return any(_HEADING.fullmatch(word) for word in first) and all(map(_are_numbers, others))
    if not all(map(_are_numbers, (first, *others))):
        return False
    has_measurement = any(_MEASUREMENT.fullmatch(word) for word in first)
    return has_measurement or sum(any(map(_NO_CLUE.fullmatch, words)) for words in (first, *others)) > 1


def _are_numbers(words: list[str]) -> bool:
    return all(word.isdecimal() or _MEASUREMENT.fullmatch(word) for word in words)


def _looks_like_row(line: str) -> bool:
    """Whether most cells are right, or all are as short as cells are, as in a line with the size."""
    words = _words(line)
    known = sum(word in _CELL_TOKENS for word in words)
    return 2 * known > len(words) or all(len(word) <= LONGEST_TYPING_ERROR for word in words)


def _has_cells_like(first: str, second: str) -> bool:
    """Whether a line with some cells in it has as many, and separated alike, as the row below it."""
    alike = line_style(first) == line_style(second) and len(_words(first)) == len(_words(second))
    return alike and any(word in _CELL_TOKENS for word in _words(first)) and _looks_like_row(second)


def _words(line: str) -> list[str]:
    """The cells of a line; all signs in one are one word, unless some of them are cells."""
    style = line_style(line)
    found = [token.text for token in tokens(line, style)]
    if style == "compact" and 2 * sum(word in _CELL_TOKENS for word in found) < len(found):
        return ["".join(found)]
    return found


def _is_rule(line: str) -> bool:
    """Whether a line could be drawn under or over a heading, as `-----` and `*****` are."""
    return len(set(line.strip())) == 1 and len(line.strip()) > 1


def _json_looks_like_board(text: str) -> bool:
    """Whether a JSON text has rows, or a key that a board has; results of `solve` and replays are others."""
    try:
        document: Any = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):  # broken, or only the beginning of a long one
        has_key = '"grid"' in text or '"mines"' in text
        is_other = '"outcome"' in text or looks_like_replay(text)
        return _BEGINS_WITH_ROWS.match(text) is not None or (has_key and not is_other)
    if isinstance(document, dict):
        is_other = "outcome" in document or looks_like_replay(text)
        return not is_other and any(isinstance(document.get(key), list) for key in ("grid", "mines"))
    return bool(document) and all(map(_is_json_row, document))


def _is_json_row(row: object) -> bool:
    """Whether an entry of a list is a list of cells, or a text that looks like a row."""
    return _looks_like_row(row) if isinstance(row, str) and row else isinstance(row, list) and bool(row)
