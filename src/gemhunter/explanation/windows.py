"""Windows: parts of a large board around a cell, which are searched instead of the board."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, Cell, Grid


@dataclass(frozen=True, slots=True, eq=False)
class Window:
    """A part of a board with the clues whose neighbours it all contains; other clues are left out."""

    grid: Grid
    corner: Cell
    total: int | None
    edges: tuple[bool, bool, bool, bool]
    """Whether the board continues above, below, on the left and on the right."""
    keeps_traps: bool
    """Whether the number of traps in the window is fixed, because the total is known."""

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
        return not self.is_whole and max(self.grid.cells.shape) <= 9

    def fixed(self) -> NDArray[np.bool_]:
        """True for each cell that clues outside the window, or left out of it, can touch."""
        rows, cols = self.grid.rows, self.grid.cols
        above, below, left, right = self.edges
        fixed = np.ones((rows, cols), bool)
        fixed[2 * above : rows - 2 * below, 2 * left : cols - 2 * right] = False
        return fixed


def windows(grid: Grid, cell: Cell, total: int | None, radius: int = 2) -> Iterator[Window]:
    """Windows around a cell: the first has this radius, each next one twice that, the last is the board."""
    while True:
        top, left = max(cell.row - radius, 0), max(cell.col - radius, 0)
        bottom, right = min(cell.row + radius + 1, grid.rows), min(cell.col + radius + 1, grid.cols)
        edges = (top > 0, bottom < grid.rows, left > 0, right < grid.cols)
        codes = grid.cells[top:bottom, left:right].copy()
        for border, continues in zip((codes[0], codes[-1], codes[:, 0], codes[:, -1]), edges, strict=True):
            if continues:
                border[border >= 0] = GEM
        is_whole = not any(edges)
        yield Window(Grid(codes), Cell(top, left), total if is_whole else None, edges, total is not None)
        if is_whole:
            return
        radius *= 2
