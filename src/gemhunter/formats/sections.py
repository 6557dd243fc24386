"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". Whatever is no row of cells is a heading.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from itertools import groupby
from typing import Any

from gemhunter.core.grid import Grid
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.json_boards import looks_like_json
from gemhunter.formats.rows import line_style, tokens
from gemhunter.formats.text import parse_grid, parse_rows
from gemhunter.formats.tokens import token_codes

_NO_SOLUTION = re.compile(
    r"\b(no\s+(valid\s+)?solutions?|unsat(isfiable)?|refuted|unsolvable|not\s+solvable)\b", re.I
)
_GAVE_UP = re.compile(
    r"\b(gave[ -]up|limit|time[ds]?[ -]?out|exceeded|too (long|large|many)|skipped)\b", re.I
)
_DECORATION = " \t=-*#:[]<>|_~"
_RULE = re.compile(r"\s*(-{2,}|\.{2,}|#{2,})\s*")
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


def read_sections(text: str, *, source: str = "answer") -> list[Section]:
    """All answers in a text, in order; raises `BoardError` if there is none."""
    sections = list(_json_sections(text, source) if looks_like_json(text) else _text_sections(text, source))
    if not sections:
        message = "no answer found; expected a filled grid or the words `no solution`"
        raise BoardError([Fault(0, 0, message)], source)
    return sections


def write_section(label: str, status: str, filled: Grid | None = None) -> str:
    """A section the way this program writes it; `read_sections` reads it back."""
    return f"[{label}] {status}\n" + (f"{filled}\n" if filled is not None else "")


def _text_sections(text: str, source: str) -> Iterator[Section]:
    heading = ""
    numbered = enumerate(text.removeprefix("\ufeff").split("\n"), 1)
    for is_row, group in groupby(numbered, key=lambda item: _looks_like_row(item[1])):
        lines = list(group)
        if is_row:
            yield Section(_label(heading), _read_block(lines, source))
            heading = ""
            continue
        for line in (line for _, line in lines if line.strip(_DECORATION)):
            claim = _claim(line)
            if claim is not None:
                yield Section(_label(heading if _is_bare(line) and heading else line), claim)
            heading = "" if claim is not None else line


def _read_block(lines: list[tuple[int, str]], source: str) -> Grid | BoardError:
    try:
        return parse_rows("\n".join(line for _, line in lines), source=source)
    except BoardError as error:
        shift = lines[0][0] - 1
        faults = [Fault(fault.line + shift, fault.column, fault.message) for fault in error.faults]
        return BoardError(faults, source)


def _looks_like_row(line: str) -> bool:
    """With commas, half of the cells must make sense, so that a typing error is seen; otherwise all."""
    if _RULE.fullmatch(line):
        return False
    style = line_style(line)
    row = [token.text in _CELL_TOKENS for token in tokens(line, style)]
    return bool(row) and (sum(row) >= len(row) / 2 if style == "comma" else all(row))


def _claim(line: str) -> Claim | None:
    if _NO_SOLUTION.search(line):
        return Claim.NO_SOLUTION
    return Claim.GAVE_UP if _GAVE_UP.search(line) else None


def _is_bare(line: str) -> bool:
    """A claim that stands alone, so that its label is the heading above it."""
    return "[" not in line and ":" not in line.rstrip(_DECORATION)


def _label(heading: str) -> str:
    """`[pysat:g4] solved in 0.1 s` is about `pysat:g4`; `=== DPLL: 3 ms` about `DPLL`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return bracketed[1]
    return re.split(r":(?:\s|$)", heading.strip(_DECORATION))[0].strip(_DECORATION)


def _json_sections(text: str, source: str) -> Iterator[Section]:
    try:
        document = json.loads(text)
    except (json.JSONDecodeError, RecursionError):
        document = None
    results = document if isinstance(document, list) else [document]
    if not all(isinstance(result, dict) and "outcome" in result for result in results):
        yield Section("", parse_grid(text, source=source))
        return
    for result in results:
        yield Section(str(result.get("engine", "")), _json_answer(result, source))


def _json_answer(result: dict[str, Any], source: str) -> Grid | Claim | BoardError:
    if result["outcome"] == "refuted":
        return Claim.NO_SOLUTION
    if result["outcome"] == "gave-up":
        return Claim.GAVE_UP
    try:
        return parse_grid(json.dumps({"grid": result.get("grid")}), source=source)
    except BoardError as error:
        return error
