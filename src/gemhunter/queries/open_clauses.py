"""The open cells of a board as clauses, with the number of traps among them counted or not."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from gemhunter.cnf.encode import encode_puzzle
from gemhunter.core.puzzle import Regions
from gemhunter.errors import TooLargeError
from gemhunter.queries.open_cells import OpenCells

MOST_COUNTED_CELLS = 6000
"""Cells that a total is counted over; the clauses of more take longer to write than people wait."""


@dataclass(frozen=True, slots=True)
class Slack:
    """How many of the free cells are traps, as the variables `first` … `first + size - 1` of a formula.

    Variable `first + i` says that more than `least + i` of them are.
    """

    first: int
    least: int
    size: int

    def between(self, fewest: int, most: int) -> list[int] | None:
        """The literals that say so; None if it cannot be."""
        if fewest > self.least + self.size or most < self.least or fewest > most:
            return None
        literals = []
        if fewest > self.least:
            literals.append(self.first + fewest - self.least - 1)
        if most < self.least + self.size:
            literals.append(-(self.first + most - self.least))
        return literals


def open_clauses(cells: OpenCells) -> tuple[list[list[int]], Slack | None]:
    """What clues and total say of the touched cells, and where the free ones are counted if there is a total.

    Touched cell i is the variable i + 1. Whatever the free cells are, only their number of traps matters, so
    they are counted, not named. Raises `TooLargeError` if there are too many cells to count.
    """
    if cells.traps is None:
        return encode_puzzle(cells.puzzle).clauses(), None
    touched, free = cells.touched.size, cells.free.size
    least, most = max(cells.traps - touched, 0), min(cells.traps, free)
    size = touched + most - least
    if size > MOST_COUNTED_CELLS:
        most_counted = f"clauses count up to {MOST_COUNTED_CELLS:,}"
        raise TooLargeError(f"the total spans {size:,} open cells; {most_counted}")
    counted = _with_total(cells.puzzle, size, cells.traps - least)
    slack = Slack(touched + 1, least, most - least)
    ordered = [[-later, earlier] for earlier, later in pairwise(range(touched + 1, size + 1))]
    return [*encode_puzzle(counted).clauses(), *ordered], slack


def _with_total(regions: Regions, size: int, traps: int) -> Regions:
    """The same with cells added up to `size`, behind all others, and so many traps among all of them."""
    beyond = np.arange(size - regions.hidden.size) + regions.hidden.max(initial=-1) + 1
    return Regions(
        regions.cols,
        np.concatenate([regions.hidden, beyond]),
        np.append(regions.starts, regions.starts[-1] + size),
        np.concatenate([regions.cells, np.arange(size)]),
        np.append(regions.traps, traps),
    )
