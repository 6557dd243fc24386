"""Estimates from samples: a value and its 95 % confidence interval."""

from dataclasses import dataclass
from functools import cache
from math import atan, cos, inf, isfinite, pi, sin, sqrt

import numpy as np
from numpy.typing import NDArray

NORMAL_QUANTILE = 1.959963984540054
"""A standard normal variable is within ± this with a probability of 95 %."""


@dataclass(frozen=True, slots=True)
class Interval:
    """An estimate, and the ends of its 95 % confidence interval."""

    value: float
    low: float
    high: float

    @property
    def margin(self) -> float:
        """Half the width of the interval: the number after `±`."""
        return (self.high - self.low) / 2

    def clipped(self, low: float, high: float) -> "Interval":
        """The interval without values below `low` or above `high`; an unbounded interval is unchanged."""
        if not isfinite(self.margin):
            return self
        value, first, last = (min(max(end, low), high) for end in (self.value, self.low, self.high))
        return Interval(value, first, last)

    def text(self, digits: int, *, percent: bool = False) -> str:
        """The value and the margin, as in `3.0 ±2.1` or `41.2% ±0.6%`; without a margin if unbounded."""
        form = f".{digits}{'%' if percent else 'f'}"
        margin = f" ±{self.margin:{form}}" if isfinite(self.margin) else ""
        return f"{self.value:{form}}{margin}"


def share_of(successes: int, trials: int) -> Interval:
    """A share with Wilson's score interval, which stays within 0 and 1 and is reliable near them."""
    if not 0 <= successes <= trials or trials == 0:
        raise ValueError(f"{successes} of {trials} is not a share")
    share, square = successes / trials, NORMAL_QUANTILE**2 / trials
    middle = (share + square / 2) / (1 + square)
    margin = sqrt(square * share * (1 - share) + square**2 / 4) / (1 + square)
    # Rounding must not move the ends past a share of 0 or 1.
    low = 0.0 if successes == 0 else middle - margin
    return Interval(share, low, 1.0 if successes == trials else middle + margin)


def mean_of(values: NDArray[np.integer | np.floating]) -> Interval:
    """A mean with Student's interval, which is unbounded for a single value, whose spread is unknown."""
    if values.size == 0:
        raise ValueError("a mean needs at least one value")
    mean = float(np.mean(values))
    if values.size == 1:
        return Interval(mean, -inf, inf)
    error = float(np.std(values, ddof=1)) / sqrt(values.size)
    margin = student_quantile(values.size - 1) * error
    return Interval(mean, mean - margin, mean + margin)


def paired_difference(only_first: int, only_second: int, pairs: int) -> Interval:
    """The share that the first wins less the share that the second wins, from pairs that both tried.

    Only pairs that exactly one of the two won distinguish them. The interval is Bonett and Price's: the
    normal one as if each had won alone once more, which keeps its coverage even for few pairs.
    """
    if min(only_first, only_second) < 0 or only_first + only_second > pairs or pairs == 0:
        raise ValueError(f"{only_first} and {only_second} of {pairs} are not pairs")
    first, second = (only_first + 1) / (pairs + 2), (only_second + 1) / (pairs + 2)
    margin = NORMAL_QUANTILE * sqrt((first + second - (first - second) ** 2) / (pairs + 2))
    low, high = first - second - margin, first - second + margin
    return Interval((only_first - only_second) / pairs, max(low, -1.0), min(high, 1.0))


@cache
def student_quantile(freedom: int) -> float:
    """The bound that |t| stays below with a probability of 95 %, for `freedom` degrees of freedom."""
    if freedom > 100:  # the expansion is right to nine digits from here on
        z = NORMAL_QUANTILE
        first = (z**3 + z) / 4
        second = (5 * z**5 + 16 * z**3 + 3 * z) / 96
        third = (3 * z**7 + 19 * z**5 + 17 * z**3 - 15 * z) / 384
        return z + first / freedom + second / freedom**2 + third / freedom**3
    low, high = 1.0, 20.0
    while (middle := (low + high) / 2) not in (low, high):
        low, high = (middle, high) if _student_within(middle, freedom) < 0.95 else (low, middle)
    return middle


def _student_within(bound: float, freedom: int) -> float:
    """The probability that Student's t is at most `bound` in absolute value: a finite sum in the angle."""
    angle = atan(bound / sqrt(freedom))
    if freedom == 1:
        return 2 * angle / pi
    is_odd = freedom % 2
    term = total = cos(angle) if is_odd else 1.0
    for k in range(2 + is_odd, freedom, 2):
        term *= cos(angle) ** 2 * (k - 1) / k
        total += term
    return 2 / pi * (angle + sin(angle) * total) if is_odd else sin(angle) * total
