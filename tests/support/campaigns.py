"""Test parameters that only `./test --full` goes through."""

from collections.abc import Iterable
from typing import Any

import pytest


def first_of(values: Iterable[Any], quick: int = 1) -> list[Any]:
    """The values as test parameters; all but the first few are left to `./test --full`."""
    listed = list(values)
    return [*listed[:quick], *(pytest.param(value, marks=pytest.mark.full) for value in listed[quick:])]
