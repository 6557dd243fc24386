"""The grid: what a board shows, and which cells surround a clue."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from operator import index as as_index
from os import PathLike
from typing import NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ArrayValue
from gemhunter.jit.kernel import Codes

Scalar = TypeVar("Scalar", bound=np.generic)

HIDDEN, TRAP, GEM = -1, -2, -3
"""Cell codes beside the clues."""

HIDDEN_CODE, TRAP_CODE = np.array(HIDDEN, np.int8), np.array(TRAP, np.int8)
"""For tiny boards: NumPy compares codes with these twice as fast as with Python's numbers."""

LARGEST_CLUE = 8
"""A cell has at most 8 neighbours."""

LARGEST_DIGIT = 9
"""The largest clue that a grid can show: a 9 can be written, but never holds."""

CELL_MARKS = {**{clue: str(clue) for clue in range(LARGEST_DIGIT + 1)}, HIDDEN: "_", TRAP: "T", GEM: "G"}
"""The puzzle's own notation for each cell code."""

_MARK_BYTES = np.array(
    [ord(CELL_MARKS[code]) for code in [*range(LARGEST_DIGIT + 1), GEM, TRAP, HIDDEN]], np.uint8
)
"""Indexed by cell code: the three negative codes count from the end."""


class Cell(NamedTuple):
    """A row and a column of the board, counted from 0; people read it as `r1c1`."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"r{self.row + 1}c{self.col + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class Grid(ArrayValue):
    """Rows × cols cell codes: a clue 0-9 (a 9 never holds), `HIDDEN`, a known `TRAP` or a known `GEM`."""

    cells: Codes

    def __post_init__(self) -> None:
        codes = np.asarray(self.cells)
        if codes.ndim != 2 or codes.size == 0:
            raise ValueError(f"a grid must have rows and columns, not the shape {codes.shape}")
        if codes.dtype.kind not in "iu" or codes.min() < GEM or codes.max() > LARGEST_DIGIT:
            raise ValueError(f"cell codes must be whole numbers from {GEM} to {LARGEST_DIGIT}")
        codes = np.array(codes, dtype=np.int8, order="C")
        codes.setflags(write=False)
        object.__setattr__(self, "cells", codes)

    @classmethod
    def of_codes(cls, codes: Codes) -> "Grid":
        """The grid of an array that is known to be valid and will not change; it is not copied."""
        grid = cls.__new__(cls)
        codes.setflags(write=False)
        object.__setattr__(grid, "cells", codes)
        return grid

    @property
    def rows(self) -> int:
        """How many rows."""
        return int(self.cells.shape[0])

    @property
    def cols(self) -> int:
        """How many columns."""
        return int(self.cells.shape[1])

    def cell(self, index: int) -> Cell:
        """The cell with an index in reading order, counted from 0."""
        return Cell(*divmod(int(index), self.cols))

    def where(self, code: int) -> Iterator[Cell]:
        """All cells that show `code`, in reading order."""
        return (Cell(int(row), int(col)) for row, col in np.argwhere(self.cells == code))

    def around(self, cell: tuple[int, int]) -> list[Cell]:
        """The neighbours of a cell that are on the board, in reading order; 3, 5 or 8 unless it is narrow."""
        middle = self.on_board(cell)
        rows = range(max(middle.row - 1, 0), min(middle.row + 2, self.rows))
        cols = range(max(middle.col - 1, 0), min(middle.col + 2, self.cols))
        return [Cell(row, col) for row in rows for col in cols if (row, col) != middle]

    def __getitem__(self, cell: tuple[int, int]) -> int:
        return int(self.cells[self.on_board(cell)])

    def on_board(self, cell: tuple[int, int]) -> Cell:
        """The cell, or an `IndexError` if it is not on the board: NumPy would read row -1 as the last one."""
        try:
            row, col = map(as_index, cell)
        except (TypeError, ValueError):
            raise TypeError(
                f"expected a row and a column, as in grid[0, 2], found {cell!r}; slices are for grid.cells"
            ) from None
        if not (0 <= row < self.rows and 0 <= col < self.cols):
            raise IndexError(
                f"no row {row}, column {col} on a board of {self.rows}×{self.cols}; both count from 0"
            )
        return Cell(row, col)

    def __str__(self) -> str:
        # One array assignment instead of a join per row: a million cells in milliseconds.
        text = np.full((self.rows, 3 * self.cols), ord(" "), np.uint8)
        text[:, 0::3] = _MARK_BYTES[self.cells]
        text[:, 1::3] = ord(",")
        text[:, -2] = ord("\n")
        return text[:, :-1].tobytes().decode("ascii").removesuffix("\n")

    def __repr__(self) -> str:
        hidden = int(np.count_nonzero(self.cells == HIDDEN))
        return f"<Grid {self.rows}×{self.cols}, {hidden} hidden>"

    def _repr_svg_(self) -> str:
        """The picture that notebooks show; `draw` is imported by name, because it builds on this module."""
        return str(import_module("gemhunter.draw.grids").draw_grid(self))


def require_grid(given: object) -> None:
    """Raise a `TypeError` that says what to call, unless this is a grid."""
    if isinstance(given, Grid):
        return
    if isinstance(given, str | PathLike) and "\n" not in str(given) and "," not in str(given):
        how = f"read the file with read_grid({str(given)!r:.60}), or a text with parse_grid(text)"
    elif isinstance(given, str):
        how = "read a text with parse_grid(text), or a file with read_grid(path)"
    elif isinstance(given, list | tuple):
        how = "read rows of cells with parse_grid(json.dumps(rows))"
    else:
        how = "make one with read_grid(path), parse_grid(text) or Grid(codes)"
    raise TypeError(f"expected a Grid, not {type(given).__name__}; {how}")


# Which cells surround a clue.


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


def cells_where(marked: NDArray[np.bool_]) -> list[Cell]:
    """The cells that are marked, in reading order."""
    return [Cell(row, col) for row, col in np.argwhere(marked).tolist()]


def count_around(marked: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of each cell's neighbours are marked: sums over three rows, then over three columns."""
    rows, cols = marked.shape
    wide = np.zeros((rows + 2, cols + 2), np.int8)
    wide[1:-1, 1:-1] = marked
    in_column = wide[:-2] + wide[1:-1] + wide[2:]
    around: NDArray[np.int8] = in_column[:, :-2] + in_column[:, 1:-1] + in_column[:, 2:] - marked
    return around
