"""Fields of records from a file that may have been edited: each is what it should be, or an error.

`bool` is an `int` in Python, JSON as Python reads it has `Infinity`, and 1e999 is one: all are refused.
"""

import re
from collections.abc import Mapping
from math import isfinite
from typing import Any

from gemhunter.printable import shown

LARGEST_WHOLE = 2**63 - 1

_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def text_field(record: Mapping[str, Any], name: str) -> str:
    """A string that can be written to a file and name one: no NUL, no lone surrogate."""
    value = record[name]
    if not isinstance(value, str) or _NO_TEXT.search(value):
        raise ValueError(f"{name} is {shown(value)}, expected a text")
    return value


def whole_field(record: Mapping[str, Any], name: str, low: int = 0, high: int = LARGEST_WHOLE) -> int:
    """A whole number from `low` to `high`."""
    return _whole(record[name], name, low, high)


def seconds_field(record: Mapping[str, Any], name: str) -> float:
    """A number of seconds, which is finite and not negative."""
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise ValueError(f"{name} is {shown(value)}, expected seconds")
    return float(value)


def texts_field(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of strings, at least one."""
    return tuple(text_field({name: each}, name) for each in list_field(record, name))


def wholes_field(record: Mapping[str, Any], name: str, low: int = 0, high: int = LARGEST_WHOLE) -> list[int]:
    """A list of whole numbers from `low` to `high`, at least one."""
    return [_whole(each, name, low, high) for each in list_field(record, name)]


def list_field(record: Mapping[str, Any], name: str) -> list[Any]:
    """A list with at least one entry."""
    value = record[name]
    if not isinstance(value, list) or not value:
        raise ValueError(f"{name} is {shown(value)}, expected a list")
    return value


def _whole(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} is {shown(value)}, expected a whole number from {low} to {high}")
    return value
