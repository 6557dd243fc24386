"""Which clues a board needs to have one solution: a SAT solver that is asked for another one."""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encodings import template
from gemhunter.core.neighbours import OFFSETS
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Run

CONFLICTS_PER_QUESTION = 2000
"""Conflicts of a question between two looks at whether to stop."""

LOCAL_RADII = (4, 10)
"""How far from a clue its surroundings reach that are asked about before the whole board."""

UNIQUENESS_SOLVER = "minisat22"
"""Of PySAT's solvers, the quickest at many questions under many assumptions."""


class StoppedError(Exception):
    """The run is to stop, and why."""

    def __init__(self, reason: StopReason) -> None:
        super().__init__(reason.value)
        self.reason = reason


class OtherSolutions:
    """All clues that a map of traps allows, and whether some of them leave a second solution.

    Cell i, in reading order, is the variable i + 1; its clue holds if the selector of i is true. A solution
    that differs from the map in at least one cell is asked for.
    """

    def __init__(self, traps: NDArray[np.bool_], shown: Iterable[int], run: Run) -> None:
        """`shown` are cells that the board shows as traps or gems without a clue."""
        from pysat.solvers import Solver

        self._run, self._size = run, traps.size
        self._shape: tuple[int, int] = (traps.shape[0], traps.shape[1])
        self._fixed: set[int] = set()
        self._solver: Any = Solver(name=UNIQUENESS_SOLVER)
        self._top = 2 * self._size
        self._truth: list[bool] = traps.ravel().tolist()
        values = [cell + 1 if is_trap else -(cell + 1) for cell, is_trap in enumerate(self._truth)]
        self._others = [-value for value in values]
        self._solver.add_clause(self._others)
        for cell in shown:
            self._solver.add_clause([values[cell]])
        self._solver.set_phases(values)
        for cell, is_trap in enumerate(self._truth):
            if not is_trap:
                self._add_clue(cell, self._neighbours(cell))

    def _add_clue(self, cell: int, around: Sequence[int]) -> None:
        selector, number = self._selector(cell), sum(self._truth[near] for near in around)
        names = [0, *(near + 1 for near in around)]
        self._solver.add_clause([-selector, -(cell + 1)])
        for clause in template("binomial", len(around), number).clauses:
            self._solver.add_clause([*(names[x] if x > 0 else -names[-x] for x in clause), -selector])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def fix(self, kept: Iterable[int], dropped: Iterable[int]) -> None:
        """Show some clues, and never again others: all further questions are about the rest."""
        for cell in kept:
            self._fixed.add(cell)
            self._solver.add_clause([self._selector(cell)])
        for cell in dropped:
            self._solver.add_clause([-self._selector(cell)])

    def exist(self, clues: Iterable[int], near: Sequence[int] = ()) -> bool:
        """Whether a second solution has these clues.

        `near` are cells whose clues were the last to be taken away. With them there was no second solution,
        so one that exists now differs around them. It is looked for there, and first with the clues of the
        surroundings alone: they often rule it out, or the change they allow breaks no other clue.
        """
        wanted = set(clues)
        if not near:
            return self._ask(wanted)
        differs = self._new_variable()
        around = {cell for each in near for cell in (each, *self._neighbours(each))}
        self._solver.add_clause([*(self._others[cell] for cell in sorted(around)), -differs])
        try:
            for radius in LOCAL_RADII:
                window = self._window(near, radius)
                if not self._ask(wanted & window, differs):
                    return False
                if self._is_local_change(window, wanted):
                    return True
            return self._ask(wanted, differs)
        finally:
            self._solver.add_clause([-differs])

    def _ask(self, clues: Iterable[int], *more: int) -> bool:
        assumptions = [self._selector(cell) for cell in sorted(clues) if cell not in self._fixed]
        answer: bool | None = None
        while answer is None:
            if reason := self._run.spend(1):
                raise StoppedError(reason)
            self._solver.conf_budget(CONFLICTS_PER_QUESTION)
            answer = self._solver.solve_limited(assumptions=[*assumptions, *more], expect_interrupt=True)
        return answer

    def _is_local_change(self, window: set[int], clues: set[int]) -> bool:
        """Whether the last solution, inside the window, and the map outside of it keep all clues."""
        model = self._solver.get_model()
        changed = {cell for cell in window if model[cell] == self._others[cell]}
        traps = {cell: (not self._truth[cell]) if cell in changed else self._truth[cell] for cell in window}
        touched = {clue for cell in changed for clue in (cell, *self._neighbours(cell))} & clues
        return all(self._holds(clue, traps) for clue in touched)

    def _holds(self, clue: int, traps: dict[int, bool]) -> bool:
        """Whether a clue holds once these cells are traps or gems."""
        around = self._neighbours(clue)
        count = sum(traps.get(cell, self._truth[cell]) for cell in around)
        return not traps.get(clue, False) and count == sum(self._truth[cell] for cell in around)

    def _window(self, cells: Sequence[int], radius: int) -> set[int]:
        """The cells at most `radius` away from some cell, up to the edges of the board."""
        rows, cols = self._shape
        found: set[int] = set()
        for cell in cells:
            row, col = divmod(cell, cols)
            across = range(max(col - radius, 0), min(col + radius + 1, cols))
            for down in range(max(row - radius, 0), min(row + radius + 1, rows)):
                found.update(down * cols + each for each in across)
        return found

    def _new_variable(self) -> int:
        self._top += 1
        return self._top

    def _selector(self, cell: int) -> int:
        return self._size + 1 + cell

    def _neighbours(self, cell: int) -> list[int]:
        rows, cols = self._shape
        row, col = divmod(cell, cols)
        return [
            (row + down) * cols + col + right
            for down, right in OFFSETS
            if 0 <= row + down < rows and 0 <= col + right < cols
        ]
