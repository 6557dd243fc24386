"""What is true of all solutions of a board, as values."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Cell, Grid

SAME = 1e-9
"""Probabilities that differ by a smaller share of themselves count as equal; 0 is equal to 0 alone."""


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities:
    """The probability that each hidden cell of `grid` is a trap; NaN where the cell is not hidden."""

    grid: Grid
    values: NDArray[np.float64]

    def __post_init__(self) -> None:
        self.values.setflags(write=False)

    def __getitem__(self, cell: tuple[int, int]) -> float:
        return float(self.values[self.grid.on_board(cell)])

    def safest(self) -> list[Cell]:
        """The hidden cells with the lowest probability, in reading order; none if all are traps."""
        return [Cell(row, col) for row, col in self.safest_places().tolist()]

    def safest_places(self) -> NDArray[np.int64]:
        """The safest cells as an array of rows and columns, for boards that have a great many."""
        least = np.fmin.reduce(self.values, axis=None)
        # Equal probabilities may have been added up in different orders, and then differ by rounding.
        return np.argwhere((self.values <= least * (1 + SAME)) & (self.values < 1.0))


@dataclass(frozen=True, slots=True, eq=False)
class Forced:
    """The hidden cells of `grid` that are the same in every solution."""

    grid: Grid
    traps: tuple[Cell, ...]
    gems: tuple[Cell, ...]

    @property
    def filled(self) -> Grid:
        """The grid with these cells filled in."""
        codes = self.grid.cells.copy()
        for cells, code in ((self.traps, TRAP), (self.gems, GEM)):
            for cell in cells:
                codes[cell] = code
        return Grid(codes)

    def __iter__(self) -> Iterator[Cell]:
        return iter(sorted(self.traps + self.gems))
