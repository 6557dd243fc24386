"""Parts of a large board around a cell, which are looked at in its place."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, Cell, Grid

FIRST_WINDOW_RADIUS = 2
"""The cells at most this far from a cell are looked at first, and then those twice as far."""

SMALL_BOARD_CELLS_EXPLAINED = 5000
"""Boards of no more cells are first looked at as a whole, which also shows whether their clues conflict."""

EASY_RADIUS = 4
"""Windows of at most this radius are small."""


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A part of a board with all clues whose neighbours it has; the others are left out."""

    grid: Grid
    corner: Cell
    total: int | None
    edges: tuple[bool, bool, bool, bool]
    """Whether the board goes on above, below, on the left and on the right."""
    keeps_traps: bool
    """Whether a solution may not change the number of traps in the window, because the total is known."""

    def inside(self, cell: Cell) -> Cell:
        """The cell of the board as a cell of the window."""
        return Cell(cell.row - self.corner.row, cell.col - self.corner.col)

    @property
    def is_whole(self) -> bool:
        """Whether this is the whole board."""
        return not any(self.edges)

    @property
    def is_small(self) -> bool:
        """Whether only easy steps are taken here."""
        return not self.is_whole and max(self.grid.cells.shape) <= 2 * EASY_RADIUS + 1

    def fixed(self) -> NDArray[np.bool_]:
        """True for each cell that clues outside the window, or left out of it, may touch."""
        rows, cols = self.grid.rows, self.grid.cols
        above, below, left, right = self.edges
        fixed = np.ones((rows, cols), bool)
        fixed[2 * above : rows - 2 * below, 2 * left : cols - 2 * right] = False
        return fixed


def windows(grid: Grid, cell: Cell, total: int | None, radius: int = FIRST_WINDOW_RADIUS) -> Iterator[Window]:
    """Ever larger windows around a cell; the last is the whole board."""
    while True:
        top, left = max(cell.row - radius, 0), max(cell.col - radius, 0)
        bottom, right = min(cell.row + radius + 1, grid.rows), min(cell.col + radius + 1, grid.cols)
        edges = (top > 0, bottom < grid.rows, left > 0, right < grid.cols)
        codes = grid.cells[top:bottom, left:right].copy()
        for border, goes_on in zip((codes[0], codes[-1], codes[:, 0], codes[:, -1]), edges, strict=True):
            if goes_on:
                border[border >= 0] = GEM
        is_whole = not any(edges)
        yield Window(Grid(codes), Cell(top, left), total if is_whole else None, edges, total is not None)
        if is_whole:
            return
        radius *= 2
