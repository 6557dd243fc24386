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


class Selection:
    """Suspects, by their index, of a solver in which each holds if its selector, a variable, is true."""

    def __init__(
        self,
        solver: Any,
        selectors: Sequence[int],
        *,
        budget: int,
        stop: Callable[[], bool],
        supposed: Sequence[int] = (),
    ) -> None:
        """`supposed` are literals that are true whatever is asked; `budget` is a number of conflicts."""
        self.core: list[int] = []
        self.size = len(selectors)
        self._solver, self._selectors, self._supposed = solver, selectors, supposed
        self._index = {selector: index for index, selector in enumerate(selectors)}
        self._end, self._stop = self._conflicts() + budget, stop
        # The solver then finds solutions in which more suspects hold than were asked for.
        solver.set_phases(list(selectors))

    def can_hold(self, chosen: Iterable[int]) -> bool | None:
        """Whether these suspects can all hold; None if the budget is used up or it is time to stop.

        If they cannot, `core` has some of them that conflict; if they can, see `held`.
        """
        assumptions = [*self._supposed, *(self._selectors[index] for index in chosen)]
        answer: bool | None = None
        while answer is None:
            left = self._end - self._conflicts()
            if left <= 0 or self._stop():
                return None
            self._solver.conf_budget(min(left, CONFLICTS_PER_LOOK))
            # With `expect_interrupt`, PySAT leaves Ctrl-C to Python.
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if answer is False:
            core = self._solver.get_core() or []
            self.core = [self._index[literal] for literal in core if literal in self._index]
        return answer

    def held(self) -> set[int]:
        """The suspects that hold in the solution that answered the last question."""
        model = self._solver.get_model()
        # A selector that no clause mentions can be missing at the end of the model.
        return {
            i for i, selector in enumerate(self._selectors) if model[selector - 1 : selector] == [selector]
        }

    def _conflicts(self) -> int:
        return int(self._solver.accum_stats()["conflicts"])


class ClueSelection(Selection):
    """The clues of a grid as suspects, and after them the total; it owns its solver."""

    def __init__(
        self,
        grid: Grid,
        clues: Sequence[Cell],
        total: int | None,
        *,
        budget: int,
        stop: Callable[[], bool],
    ) -> None:
        regions, traps = _regions(grid, clues)
        cells = sorted({cell for region in regions for cell in region})
        variable_of = {cell: variable for variable, cell in enumerate(cells, 1)}
        selectors = range(len(cells) + 1, len(cells) + len(clues) + (total is not None) + 1)
        solver = new_solver()
        for selector, region, needed in zip(selectors, regions, traps, strict=False):
            add_under(solver, selector, exactly([variable_of[cell] for cell in region], needed))
        if total is not None:
            needed = total - int(np.count_nonzero(grid.cells == TRAP))
            others = int(np.count_nonzero(grid.cells == HIDDEN)) - len(cells)
            counted = between(range(1, len(cells) + 1), needed - others, needed, top=selectors[-1])
            add_under(solver, selectors[-1], counted)
        super().__init__(solver, selectors, budget=budget, stop=stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()


def new_solver() -> Any:
    """A solver without clauses."""
    from pysat.solvers import Solver

    return Solver(name=CONFLICT_SET_SOLVER)


def add_under(solver: Any, selector: int, clauses: Clauses) -> None:
    """Add clauses that hold if the selector does."""
    for clause in clauses:
        solver.add_clause([*clause, -selector])


def exactly(variables: Sequence[int], traps: int) -> list[list[int]]:
    """Clauses that hold if exactly `traps` of these cells are traps."""
    names = [0, *variables]
    clauses = template("binomial", len(variables), traps).clauses
    return [[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses]


def between(variables: Sequence[int], least: int, most: int, *, top: int) -> list[list[int]]:
    """Clauses that hold if from `least` to `most` of these cells are traps; new variables follow `top`."""
    from pysat.card import CardEnc, EncType

    if most < 0 or least > len(variables):
        return [list(clause) for clause in IMPOSSIBLE.clauses]
    cells, encoding = list(variables), getattr(EncType, FOR_THE_TOTAL)
    clauses: list[list[int]] = []
    if most < len(cells):
        upper = CardEnc.atmost(cells, most, top_id=top, encoding=encoding)
        clauses, top = clauses + upper.clauses, max(top, upper.nv)
    if least > 0:
        clauses += CardEnc.atleast(cells, least, top_id=top, encoding=encoding).clauses
    return clauses


def _regions(grid: Grid, clues: Sequence[Cell]) -> tuple[list[list[int]], list[int]]:
    """For each clue the indices of the hidden cells next to it, and how many of them are traps."""
    indices = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, indices, outside=GEM)
    beside = indices[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[indices] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()
