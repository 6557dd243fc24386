"""A mean and how far it can be trusted."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt

import numpy as np
from numpy.typing import NDArray

Z95 = 1.959963984540054
"""A normal variable is within so many standard deviations of its mean in 95 cases of 100."""


@dataclass(frozen=True, slots=True)
class Mean:
    """The mean of `count` numbers; the true mean is within `margin` of it in 95 experiments of 100.

    The margin is the normal approximation, so it is too small for a handful of numbers; one has none.
    """

    value: float
    margin: float | None
    count: int

    def text(self, digits: int) -> str:
        """For people, with so many digits behind the point."""
        margin = "" if self.margin is None else f" ±{self.margin:.{digits}f}"
        return f"{self.value:.{digits}f}{margin}"


def mean_of(numbers: Sequence[float] | NDArray[np.generic]) -> Mean:
    """The mean of at least one number."""
    values = np.asarray(numbers, np.float64)
    margin = Z95 * float(values.std(ddof=1)) / sqrt(values.size) if values.size > 1 else None
    return Mean(float(values.mean()), margin, int(values.size))
