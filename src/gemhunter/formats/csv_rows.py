"""Rows as CSV in which a spreadsheet finds no formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence

from gemhunter.printable import printable

_SPREADSHEET_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r]")
_SPREADSHEET_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?")
_LONE_SIGN = frozenset("+-")


def csv_rows(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; an apostrophe precedes a text that could be a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value as it is written: numbers unchanged, text without control characters."""
    if not isinstance(value, str):
        return value
    is_formula = (
        _SPREADSHEET_FORMULA.match(value)
        and value not in _LONE_SIGN
        and not _SPREADSHEET_NUMBER.fullmatch(value)
    )
    return f"'{printable(value)}" if is_formula else printable(value)
