"""The grid: what a board shows."""

from collections.abc import Iterator
from dataclasses import dataclass
from importlib import import_module
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

HIDDEN, TRAP, GEM = -1, -2, -3
"""Cell codes beside the clues 0 to 8."""

LARGEST_CLUE = 8
MARKS = {**{clue: str(clue) for clue in range(LARGEST_CLUE + 1)}, HIDDEN: "_", TRAP: "T", GEM: "G"}
"""The puzzle's own notation for each cell code."""

_MARK_BYTES = np.array([ord(MARKS[code]) for code in [*range(LARGEST_CLUE + 1), GEM, TRAP, HIDDEN]], np.uint8)
"""Indexed by cell code: the three negative codes count from the end."""

Codes = NDArray[np.int8]


class Cell(NamedTuple):
    """A place on the board, counted from 0; people read it as `r1c1`."""

    row: int
    col: int

    def __str__(self) -> str:
        return f"r{self.row + 1}c{self.col + 1}"


@dataclass(frozen=True, slots=True, eq=False)
class Grid:
    """Rows × cols cell codes: a clue 0-8, `HIDDEN`, a known `TRAP` or a known `GEM`."""

    cells: Codes

    def __post_init__(self) -> None:
        codes = np.asarray(self.cells)
        if codes.ndim != 2 or codes.size == 0:
            raise ValueError(f"a grid has rows and columns, not the shape {codes.shape}")
        if not np.issubdtype(codes.dtype, np.integer) or codes.min() < GEM or codes.max() > LARGEST_CLUE:
            raise ValueError(f"cell codes are whole numbers from {GEM} to {LARGEST_CLUE}")
        codes = np.array(codes, dtype=np.int8, order="C")
        codes.setflags(write=False)
        object.__setattr__(self, "cells", codes)

    @property
    def rows(self) -> int:
        """How many rows."""
        return int(self.cells.shape[0])

    @property
    def cols(self) -> int:
        """How many columns."""
        return int(self.cells.shape[1])

    def cell(self, position: int) -> Cell:
        """The cell at a position counted in reading order from 0."""
        return Cell(*divmod(int(position), self.cols))

    def where(self, code: int) -> Iterator[Cell]:
        """All cells that show `code`, in reading order."""
        return (Cell(int(row), int(col)) for row, col in np.argwhere(self.cells == code))

    def around(self, cell: Cell) -> list[Cell]:
        """The neighbours of a cell, in reading order."""
        rows = range(max(cell.row - 1, 0), min(cell.row + 2, self.rows))
        cols = range(max(cell.col - 1, 0), min(cell.col + 2, self.cols))
        return [Cell(row, col) for row in rows for col in cols if (row, col) != cell]

    def __getitem__(self, cell: tuple[int, int]) -> int:
        return int(self.cells[cell])

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Grid) and np.array_equal(self.cells, other.cells)

    def __hash__(self) -> int:
        return hash((self.cells.shape, self.cells.tobytes()))

    def __reduce__(self) -> tuple[type["Grid"], tuple[Codes]]:
        return Grid, (self.cells,)

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
        """The picture that notebooks show; core knows the room that draws it only by name."""
        return str(import_module("gemhunter.render.svg").draw_grid(self))
