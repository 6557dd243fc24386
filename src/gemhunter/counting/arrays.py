"""More room for arrays that have become too short."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)


def longer(array: NDArray[Scalar], length: int) -> NDArray[Scalar]:
    """The same array with room for `length` rows."""
    grown = np.empty((length, *array.shape[1:]), array.dtype)
    grown[: array.shape[0]] = array
    return grown
