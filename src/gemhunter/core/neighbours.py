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

    Neighbours beyond the edge read as `outside`.
    """
    rows, cols = board.shape
    padded = np.full((rows + 2, cols + 2), outside, board.dtype)
    padded[1:-1, 1:-1] = board
    clue_row, clue_col = np.divmod(clues, cols)
    middle = (clue_row + 1) * (cols + 2) + clue_col + 1
    steps = np.array([down * (cols + 2) + right for down, right in OFFSETS])
    around: NDArray[Scalar] = padded.ravel()[middle[:, None] + steps]
    return around


def count_around(marked: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of each cell's neighbours are marked: sums over three rows, then over three columns."""
    rows, cols = marked.shape
    wide = np.zeros((rows + 2, cols + 2), np.int8)
    wide[1:-1, 1:-1] = marked
    in_column = wide[:-2] + wide[1:-1] + wide[2:]
    around: NDArray[np.int8] = in_column[:, :-2] + in_column[:, 1:-1] + in_column[:, 2:] - marked
    return around
