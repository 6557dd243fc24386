"""A SAT solver that is asked many times about the same clauses, under changing assumptions."""

from collections.abc import Iterable, Sequence
from types import TracebackType
from typing import Any, Self

import numpy as np

from gemhunter.solving.engine import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run

SESSION_SOLVER = "minisat22"
"""The quickest of PySAT's at many small questions: see docs/benchmarks.md, by `benchmarks/forced.py`."""

FIRST_QUESTION_CONFLICTS = 2000
"""Conflicts of the first slice. MiniSat restarts after each slice, but keeps what it has learned."""

LONGEST_SLICE_SECONDS = 0.2
"""A slice that took less lets the next one be twice as long."""


class SatSession:
    """Clauses, and a solver that remembers what it has learned about them from question to question.

    A step is a question, or a conflict on the way to its answer. To be used in a `with` statement.
    """

    def __init__(self, run: Run, clauses: Iterable[list[int]]) -> None:
        with run.stage("import"):
            from pysat.solvers import Solver
        self._run = run
        self._solver: Any = Solver(name=SESSION_SOLVER)
        for clause in clauses:
            self._solver.add_clause(clause)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def close(self) -> None:
        """Give the solver's memory back."""
        self._solver.delete()

    def add(self, clause: list[int]) -> None:
        """Add a clause for all questions from now on."""
        self._solver.add_clause(clause)

    def new_variable(self) -> int:
        """A variable that no clause has used so far."""
        return int(self._solver.nof_vars()) + 1

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first when the next question leaves a choice."""
        self._solver.set_phases(literals)

    def ask(self, assumptions: Sequence[int] = ()) -> SatAnswer:
        """A model in which the assumptions hold, that there is none, or why the search stopped first."""
        if reason := self._run.spend(1):
            return GaveUp(reason)
        ask, before = FIRST_QUESTION_CONFLICTS, self._conflicts()
        while True:
            began = self._run.elapsed
            self._solver.conf_budget(self._run.slice(ask))
            # With `expect_interrupt`, PySAT leaves Ctrl-C alone: Python raises it after the slice.
            holds = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
            conflicts = self._conflicts()
            reason = self._run.spend(conflicts - before)
            before = conflicts
            if holds is not None:
                return Satisfied(np.array(self._solver.get_model(), np.int64)) if holds else Unsatisfiable()
            if reason is not None:
                return GaveUp(reason)
            if self._run.elapsed - began < LONGEST_SLICE_SECONDS:
                ask *= 2

    def _conflicts(self) -> int:
        return int(self._solver.accum_stats()["conflicts"])
