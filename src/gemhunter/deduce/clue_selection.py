"""A SAT solver that is asked whether some of the clues of a board, and its total, can all hold."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Self

import numpy as np

from gemhunter.cnf.encodings import FOR_THE_TOTAL, IMPOSSIBLE, template
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.core.neighbours import OFFSETS, clue_neighbours

CONFLICTS_PER_LOOK = 100
"""Between two looks at whether to stop: some hundredths of a second, even where a total is counted."""

CONFLICT_SET_SOLVER = "glucose4"
"""Of PySAT's solvers, one that is quick when it is asked again under other assumptions."""

Clauses = Iterable[Iterable[int]]


class ClueSelection:
    """A solver that is asked about some of the suspects: the clues by their index, then the total.

    Suspect i holds if the variable `_selector(i)` does; before those come the cells next to clues.
    """

    def __init__(
        self,
        grid: Grid,
        clues: Sequence[Cell],
        total: int | None,
        *,
        budget: int,
        stop: Callable[[], bool],
    ) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=CONFLICT_SET_SOLVER)
        self._budget, self._stop = budget, stop
        self.core: list[int] = []
        self.size = len(clues) + (total is not None)
        regions, traps = _regions(grid, clues)
        cells = sorted({cell for region in regions for cell in region})
        variable_of = {cell: variable for variable, cell in enumerate(cells, 1)}
        self._cells = len(cells)
        for index, (region, needed) in enumerate(zip(regions, traps, strict=True)):
            names = [0, *(variable_of[cell] for cell in region)]
            clauses = template("binomial", len(region), needed).clauses
            self._add([[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses], index)
        if total is not None:
            self._add(self._total_clauses(grid, total), len(clues))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def can_hold(self, chosen: list[int]) -> bool | None:
        """Whether these suspects can all hold; None if the budget is used up or it is time to stop.

        If they cannot, `core` has some of them that conflict.
        """
        assumptions = [self._selector(index) for index in chosen]
        answer: bool | None = None
        while answer is None:
            left = self._budget - int(self._solver.accum_stats()["conflicts"])
            if left <= 0 or self._stop():
                return None
            self._solver.conf_budget(min(left, CONFLICTS_PER_LOOK))
            # With `expect_interrupt`, PySAT leaves Ctrl-C to Python.
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if answer is False:
            self.core = [literal - self._selector(0) for literal in self._solver.get_core() or []]
        return answer

    def _selector(self, index: int) -> int:
        return self._cells + 1 + index

    def _add(self, clauses: Clauses, index: int) -> None:
        for clause in clauses:
            self._solver.add_clause([*clause, -self._selector(index)])

    def _total_clauses(self, grid: Grid, total: int) -> Clauses:
        """The total, as far as it concerns cells next to clues: all other hidden cells may be anything."""
        from pysat.card import CardEnc, EncType

        needed = total - int(np.count_nonzero(grid.cells == TRAP))
        least = needed - (int(np.count_nonzero(grid.cells == HIDDEN)) - self._cells)
        if needed < 0 or least > self._cells:
            return IMPOSSIBLE.clauses
        cells, top = list(range(1, self._cells + 1)), self._cells + self.size
        clauses: list[list[int]] = []
        if needed < self._cells:
            most = CardEnc.atmost(cells, needed, top_id=top, encoding=getattr(EncType, FOR_THE_TOTAL))
            clauses, top = clauses + most.clauses, max(top, most.nv)
        if least > 0:
            clauses += CardEnc.atleast(
                cells, least, top_id=top, encoding=getattr(EncType, FOR_THE_TOTAL)
            ).clauses
        return clauses


def _regions(grid: Grid, clues: Sequence[Cell]) -> tuple[list[list[int]], list[int]]:
    """For each clue the indices of the hidden cells next to it, and how many of them are traps."""
    indices = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, indices, outside=GEM)
    beside = indices[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[indices] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()
