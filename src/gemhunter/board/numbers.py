"""Numbers from callers: each is valid, or an error says what was expected."""

from numbers import Real
from operator import index
from typing import Any

import numpy as np

from gemhunter.errors import InputError
from gemhunter.printable import shown

LARGEST_SEED = 2**63 - 1


def whole_number(value: Any, what: str, low: int, high: int | None = None) -> int:
    """A whole number from `low` to `high` as an `int`, whether Python's or NumPy's; `what` names it."""
    try:
        number = None if isinstance(value, bool | np.bool_) else index(value)
    except TypeError:
        number = None
    if number is None or number < low or (high is not None and number > high):
        expected = f"of {low} or more" if high is None else f"from {low} to {high}"
        raise InputError(f"{what} is a whole number {expected}, not {shown(value)}")
    return number


def require_seconds(value: Any) -> None:
    """Raise unless this is a number of seconds above 0; infinity is one."""
    is_number = isinstance(value, Real) and not isinstance(value, bool)
    if not is_number or not float(value) > 0:
        raise InputError(f"a time limit is a number of seconds above 0, not {shown(value)}")
