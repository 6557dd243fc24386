"""Answer files: sections, each with a label and what it claims.

Students' programs write one section per solver: a heading in their own words, then the filled grid, or
a sentence such as "No solution". Whatever is no row of cells is a heading, a claim or a remark.
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
    r"\b(gave[ -]up|limit|time[ds]?[ -]?out|exceeded|too (long|large|many)|skipped|failed)\b", re.I
)
_REMARK = re.compile(
    r"\W*((total|running|execution|solving|elapsed|run)\s*)*(time|runtime|duration|memory)\b", re.I
)
_DECORATION = " \t=-*#:[]<>|_~."
_RULE = re.compile(r"\s*([-.#])\1+\s*")
_RULE_OF_MARKS = re.compile(r"\s*([*_])\1+\s*")
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
    lines = text.removeprefix("\ufeff").splitlines()
    # In a text with separators a line of stars is a rule; without, it may be a row of traps.
    separated = any(line_style(line) != "compact" and _looks_like_row(line) for line in lines)
    rows = [_looks_like_row(line) and not (separated and _RULE_OF_MARKS.fullmatch(line)) for line in lines]
    heading = ""
    for is_row, group in groupby(enumerate(lines), key=lambda item: rows[item[0]]):
        block = list(group)
        if is_row:
            yield Section(_label(heading), _read_block(block, source))
            heading = ""
            continue
        for number, line in block:
            claim = _claim(line)
            leads_to_grid = number + 1 < len(lines) and rows[number + 1]
            if claim is not None and not leads_to_grid:
                yield Section(_claimant(line[: claim[1]], heading), claim[0])
                heading = ""
            elif line.strip(_DECORATION) and not (heading and _REMARK.match(line)):
                heading = line


def _read_block(block: list[tuple[int, str]], source: str) -> Grid | BoardError:
    try:
        return parse_rows("\n".join(line for _, line in block), source=source)
    except BoardError as error:
        shift = block[0][0]
        faults = [Fault(fault.line + shift, fault.column, fault.message) for fault in error.faults]
        return BoardError(faults, source)


def _looks_like_row(line: str) -> bool:
    """With commas, half of the cells must make sense, so that a typing error is seen; otherwise all."""
    if _RULE.fullmatch(line):
        return False
    style = line_style(line)
    row = [token.text in _CELL_TOKENS for token in tokens(line, style)]
    return bool(row) and (sum(row) >= len(row) / 2 if style == "comma" else all(row))


def _claim(line: str) -> tuple[Claim, int] | None:
    """What a line claims, and where in it the claim begins."""
    for claim, words in ((Claim.NO_SOLUTION, _NO_SOLUTION), (Claim.GAVE_UP, _GAVE_UP)):
        if found := words.search(line):
            return claim, found.start()
    return None


def _claimant(before: str, heading: str) -> str:
    """Who makes a claim: `DPLL:` in front of it, or else the heading above it, or else whatever is in front."""
    own = _label(before)
    return own if before.rstrip().endswith((":", "]", "-", "=", ">", "|")) or not heading else _label(heading)


def _label(heading: str) -> str:
    """`[pysat:g4] solved in 0.1 s` is about `pysat:g4`; `=== DPLL: 3 ms` about `DPLL`."""
    bracketed = re.match(r"\s*\[([^\]]+)\]", heading)
    if bracketed:
        return bracketed[1]
    return re.split(r":(?:\s|$)", heading.strip(_DECORATION))[0].strip(_DECORATION)


def _json_sections(text: str, source: str) -> Iterator[Section]:
    """Results as `solve` prints them: one, a list, or one per line; or just a grid."""
    results = _json_results(text)
    if not results:
        yield Section("", parse_grid(text, source=source))
    for result in results:
        yield Section(str(result.get("engine", "")), _json_answer(result, source))


def _json_results(text: str) -> list[dict[str, Any]]:
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):
        try:
            document = [json.loads(line) for line in text.splitlines() if line.strip()]
        except (ValueError, RecursionError):
            return []
    results = document if isinstance(document, list) else [document]
    return results if all(isinstance(result, dict) and "outcome" in result for result in results) else []


def _json_answer(result: dict[str, Any], source: str) -> Grid | Claim | BoardError:
    if result["outcome"] == "refuted":
        return Claim.NO_SOLUTION
    if result["outcome"] in ("gave-up", "failed"):
        return Claim.GAVE_UP
    try:
        return parse_grid(json.dumps({"grid": result.get("grid")}), source=source)
    except BoardError as error:
        return error
