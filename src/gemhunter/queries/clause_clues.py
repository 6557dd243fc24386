"""Finds the clue that a clause comes from, without a list of all clauses."""

import numpy as np

from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, regions_by_cell
from gemhunter.solving.events import Clause


class ClauseClues:
    """Finds the region of a clause over the hidden cells, counted from 1 in reading order.

    "Exactly k of n" means that of any k+1 cells one is a gem, and that of any n-k+1 one is a trap. So the
    signs, length and cells of a clause show whether it comes from a region.
    """

    def __init__(self, puzzle: Puzzle) -> None:
        self._puzzle = puzzle
        self._at, self._regions = regions_by_cell(puzzle.starts, puzzle.cells, puzzle.hidden.size)

    def region(self, clause: Clause) -> int | None:
        """The first region, in reading order, that the clause comes from; None if there is none.

        A clause with an auxiliary variable is about the total: no clue needs one.
        """
        puzzle = self._puzzle
        if not clause:
            return None
        cells = np.abs(np.array(clause, np.int64)) - 1
        if cells.max() >= puzzle.hidden.size:
            return None if puzzle.total is None else int(np.flatnonzero(puzzle.clues == TOTAL_CLUE)[0])
        is_upper = clause[0] < 0
        if any((literal < 0) != is_upper for literal in clause):
            return None
        first = cells[0]
        for region in self._regions[self._at[first] : self._at[first + 1]].tolist():
            size, traps = int(puzzle.sizes[region]), int(puzzle.traps[region])
            length = traps + 1 if is_upper else size - traps + 1
            if len(clause) == length and np.isin(cells, puzzle.region(region)).all():
                return int(region)
        return None
