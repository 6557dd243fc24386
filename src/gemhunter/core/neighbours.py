"""Which cells surround a clue."""

from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Scalar = TypeVar("Scalar", bound=np.generic)

OFFSETS = [(down, right) for down in (-1, 0, 1) for right in (-1, 0, 1) if (down, right) != (0, 0)]
"""The eight neighbours of a cell, in reading order."""


def clue_neighbours(
    board: NDArray[Scalar], clues: NDArray[np.int64], *, outside: int | bool
) -> NDArray[Scalar]:
    """The values of `board` on the eight neighbours of each clue, in reading order, one row per clue.

    Places beyond the edge read as `outside`.
    """
    rows, cols = board.shape
    padded = np.full((rows + 2, cols + 2), outside, board.dtype)
    padded[1:-1, 1:-1] = board
    clue_row, clue_col = np.divmod(clues, cols)
    middle = (clue_row + 1) * (cols + 2) + clue_col + 1
    steps = np.array([down * (cols + 2) + right for down, right in OFFSETS])
    around: NDArray[Scalar] = padded.ravel()[middle[:, None] + steps]
    return around
