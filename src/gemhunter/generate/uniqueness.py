"""Which clues a board needs to have one solution: a SAT solver that is asked for another one."""

from collections.abc import Collection, Iterable, Sequence
from typing import Any, Self

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encodings import template
from gemhunter.core.neighbours import OFFSETS
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Run

CONFLICTS_PER_QUESTION = 2000
"""Conflicts of a question between two looks at whether to stop."""

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
        self._solver: Any = Solver(name=UNIQUENESS_SOLVER)
        self.core: frozenset[int] = frozenset()
        truth = traps.ravel().tolist()
        values = [cell + 1 if is_trap else -(cell + 1) for cell, is_trap in enumerate(truth)]
        self._solver.add_clause([-value for value in values])
        for cell in shown:
            self._solver.add_clause([values[cell]])
        for cell, is_trap in enumerate(truth):
            if not is_trap:
                self._add_clue(cell, _neighbours(cell, *traps.shape), truth)

    def _add_clue(self, cell: int, around: Sequence[int], truth: list[bool]) -> None:
        selector, number = self._selector(cell), sum(truth[near] for near in around)
        names = [0, *(near + 1 for near in around)]
        self._solver.add_clause([-selector, -(cell + 1)])
        for clause in template("binomial", len(around), number).clauses:
            self._solver.add_clause([*(names[x] if x > 0 else -names[-x] for x in clause), -selector])

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def exist(self, clues: Collection[int]) -> bool:
        """Whether a second solution has these clues; if none has, `core` are clues that rule it out."""
        assumptions = [self._selector(cell) for cell in clues]
        answer: bool | None = None
        while answer is None:
            if reason := self._run.spend(1):
                raise StoppedError(reason)
            self._solver.conf_budget(CONFLICTS_PER_QUESTION)
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if not answer:
            self.core = frozenset(literal - self._size - 1 for literal in self._solver.get_core() or [])
        return answer

    def _selector(self, cell: int) -> int:
        return self._size + 1 + cell


def _neighbours(cell: int, rows: int, cols: int) -> list[int]:
    row, col = divmod(cell, cols)
    return [
        (row + down) * cols + col + right
        for down, right in OFFSETS
        if 0 <= row + down < rows and 0 <= col + right < cols
    ]
