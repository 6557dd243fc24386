"""A SAT solver that answers many questions about the same clauses under changing assumptions.

Questions, conflict sets, explanations and the generator all use PySAT through this session.
"""

from collections.abc import Iterable, Sequence
from typing import Any, Self

import numpy as np

from gemhunter.solving.engine import SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import IMPORT, Run

SESSION_SOLVER = "minisat22"
"""Usually the fastest for many small questions (docs/measurements.md, measured by `benchmarks/forced.py`)."""

FIRST_QUESTION_CONFLICTS = 2000
"""Conflicts of the first slice. MiniSat restarts after each slice, but keeps its learned clauses."""


class SatSession:
    """A solver, used in a `with` statement, that keeps its learned clauses from question to question.

    `solver` is PySAT's name for it, `SESSION_SOLVER` if empty.
    """

    def __init__(self, run: Run, clauses: Iterable[list[int]] = (), *, solver: str = "") -> None:
        with run.stage(IMPORT):
            from pysat.solvers import Solver
        self._run = run
        self._solver: Any = Solver(name=solver or SESSION_SOLVER)
        for clause in clauses:
            self._solver.add_clause(clause)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Free the solver's memory."""
        self._solver.delete()

    def add(self, clause: list[int]) -> None:
        """Add a clause for all later questions."""
        self._solver.add_clause(clause)

    def new_variable(self) -> int:
        """A variable that no clause uses yet."""
        return int(self._solver.nof_vars()) + 1

    def prefer(self, literals: Sequence[int]) -> None:
        """Try these values first where the clauses leave a choice."""
        self._solver.set_phases(literals)

    @property
    def conflicts(self) -> int:
        """The number of conflicts in all questions so far."""
        return int(self._solver.accum_stats()["conflicts"])

    def model(self) -> list[int]:
        """The true literals of the last answer; a variable in no clause can be missing."""
        model: list[int] = self._solver.get_model()
        return model

    def core(self) -> list[int]:
        """Those assumptions of the last question that conflict (the final conflict)."""
        return list(self._solver.get_core() or [])

    def ask(self, assumptions: Sequence[int] = ()) -> SatAnswer:
        """A model in which the assumptions hold, or `Unsatisfiable`, or why the search stopped.

        Each question and each conflict is a step of the run.
        """
        if reason := self._run.spend(1):
            return GaveUp(reason)
        size = FIRST_QUESTION_CONFLICTS
        while True:
            began, before = self._run.elapsed, self.conflicts
            answer = self._search(assumptions, self._run.slice(size))
            reason = self._run.spend(self.conflicts - before)
            if answer is not None:
                return Satisfied(np.array(self.model(), np.int64)) if answer else Unsatisfiable()
            if reason is not None:
                return GaveUp(reason)
            # Look at the clock less often, as long as that does not make the user wait.
            if self._run.elapsed - began < 0.2:
                size *= 2

    def decide(self, assumptions: Sequence[int], slices: Iterable[int]) -> bool | None:
        """Whether the clauses have a model in which the assumptions hold, for callers with their own limits.

        Each of `slices` is a number of conflicts. The answer is None if they are used up first.
        """
        answers = (self._search(assumptions, conflicts) for conflicts in slices)
        return next((answer for answer in answers if answer is not None), None)

    def _search(self, assumptions: Sequence[int], conflicts: int) -> bool | None:
        self._solver.conf_budget(conflicts)
        # With `expect_interrupt`, PySAT does not handle Ctrl-C: Python raises it after the slice.
        answer: bool | None = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        return answer
