"""Numbers that options take: none too large for the arrays they end up in, and never NaN."""

from math import isnan
from typing import Any

import click

LARGEST = 2**63 - 1

SEED = click.IntRange(0, LARGEST)
FIRST_SEED = click.IntRange(0, 2**62)
"""A seed that others follow, one by one."""

AMOUNT = click.IntRange(1, LARGEST)


class RealNumber(click.FloatRange):
    """A number within bounds; Click itself lets NaN through, which is neither below nor above anything."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number
