"""What is known of a board while it is explained: its regions, and which of their cells are decided."""

from collections.abc import Iterable
from itertools import pairwise

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle
from gemhunter.solving.run import Run

UNDECIDED, IS_GEM, IS_TRAP = -1, 0, 1
"""What is known of a hidden cell."""


class Knowledge:
    """The undecided cells of every region, and how many traps are among them.

    Cells and regions are numbered as in the puzzle. The total is kept as two counters beside the regions,
    because its region is all undecided cells.
    """

    def __init__(self, puzzle: Puzzle, origin: tuple[int, int] = (0, 0), *, run: Run | None = None) -> None:
        """`origin` is where the puzzle's first cell is on the board, if the puzzle is cut out of a board.

        A run that ends leaves the regions incomplete.
        """
        self.puzzle = puzzle
        self._down, self._right = origin
        self._clues = [clue for clue in puzzle.clues.tolist() if clue != TOTAL_CLUE]
        needed = puzzle.traps.tolist()
        self.traps: list[int] = needed[: len(self._clues)]
        """The number of traps among the undecided cells of each region."""
        hidden = puzzle.hidden.size
        self.value = [UNDECIDED] * hidden
        """`UNDECIDED`, `IS_GEM` or `IS_TRAP` for each hidden cell."""
        self.cells: list[set[int]] = []
        """The undecided cells of each region."""
        self.regions_of: list[list[int]] = [[] for _ in range(hidden)]
        """The regions of each cell."""
        self.stop_reason = None if run is None else run.spend()
        """Why the run ended before all regions were known, if it did."""
        starts, cells = puzzle.starts.tolist(), puzzle.cells.tolist()
        bounds = pairwise(starts[: len(self._clues) + 1])
        for region, (start, end) in enumerate(bounds):
            self.cells.append(set(cells[start:end]))
            for cell in self.cells[region]:
                self.regions_of[cell].append(region)
            # A board of a million cells takes seconds.
            if run is not None and region % 4096 == 0:
                self.stop_reason = run.spend()
                if self.stop_reason is not None:
                    break
        self.undecided = hidden
        """How many cells are undecided."""
        self.traps_left: int | None = None if puzzle.total is None else needed[-1]
        """How many of them are traps, if the total is known."""
        self._hidden: list[int] = puzzle.hidden.tolist()

    def decide(self, cell: int, value: int) -> None:
        """Take a cell out of its regions, without checking that they can still hold."""
        self.value[cell] = value
        self.undecided -= 1
        if self.traps_left is not None:
            self.traps_left -= value
        for region in self.regions_of[cell]:
            self.cells[region].discard(cell)
            self.traps[region] -= value

    def can_hold(self, region: int) -> bool:
        """Whether the region alone allows a solution."""
        return 0 <= self.traps[region] <= len(self.cells[region])

    def total_can_hold(self) -> bool:
        """Whether the total alone allows a solution; true if there is none."""
        return self.traps_left is None or 0 <= self.traps_left <= self.undecided

    def overlapping(self, region: int) -> set[int]:
        """The other regions that share an undecided cell with this one."""
        regions_of = self.regions_of
        found = {other for cell in self.cells[region] for other in regions_of[cell]}
        found.discard(region)
        return found

    def undecided_cells(self) -> list[int]:
        """All undecided cells, in reading order."""
        return [cell for cell, value in enumerate(self.value) if value == UNDECIDED]

    def unfinished_regions(self) -> list[int]:
        """The regions that have undecided cells."""
        return [region for region, cells in enumerate(self.cells) if cells]

    def grid(self) -> Grid:
        """The puzzle's grid with the decided cells filled in."""
        codes, values = self.puzzle.grid.cells.copy(), np.array(self.value, np.int8)
        codes.flat[self.puzzle.hidden] = np.select([values == IS_TRAP, values == IS_GEM], [TRAP, GEM], HIDDEN)
        return Grid(codes)

    def place(self, cell: int) -> tuple[int, int]:
        """The row and column of a hidden cell on the puzzle's own grid."""
        return divmod(self._hidden[cell], self.puzzle.cols)

    def name(self, cell: int) -> Cell:
        """A hidden cell as people name it."""
        row, col = self.place(cell)
        return Cell(row + self._down, col + self._right)

    def names(self, cells: Iterable[int]) -> tuple[Cell, ...]:
        """Hidden cells as people name them, in reading order."""
        return tuple(map(self.name, sorted(cells)))

    def clue(self, region: int) -> Cell:
        """The clue that a region belongs to, as people name it."""
        row, col = divmod(self._clues[region], self.puzzle.cols)
        return Cell(row + self._down, col + self._right)

    def clue_number(self, region: int) -> int:
        """The number that the clue of a region shows."""
        return int(self.puzzle.grid.cells.flat[self._clues[region]])
