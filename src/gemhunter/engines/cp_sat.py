"""`cp-sat`: OR-Tools' CP-SAT with one linear equation for each region, without clauses."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution, impossible_regions
from gemhunter.engines.pysat import SOLVER_POLL_SECONDS, SolverThread
from gemhunter.errors import EngineError, InputError
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import (
    CLUE_CANNOT_HOLD,
    GaveUp,
    Outcome,
    Refuted,
    Solved,
    StopReason,
    refuted_by_engine,
)
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings


def make_engine(argument: str) -> "CpSat":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(CpSat, "cp-sat", argument)


SearchFor: TypeAlias = Callable[[Any, Any, Run], tuple[bool | None, StopReason | None]]
"""Takes a solver, a model and a run; returns whether there is a solution and the reason to stop, or None for
what is not known."""


@dataclass(frozen=True, slots=True)
class CpSat:
    """States that the sum over the cells of each region is its number of traps.

    `linearization` says how much CP-SAT uses the linear relaxation: 2, the maximum, refutes some boards at
    once that clause learning cannot (docs/measurements.md).
    """

    workers: int = 1
    linearization: int = 2

    def __post_init__(self) -> None:
        if not 1 <= self.workers <= 256:
            raise InputError(f"cp-sat: workers must be from 1 to 256, not {self.workers}")
        if not 0 <= self.linearization <= 2:
            raise InputError(f"cp-sat: linearization must be 0, 1 or 2, not {self.linearization}")

    @property
    def info(self) -> EngineInfo:
        """What this engine is; with several workers, runs differ and conflicts are not counted."""
        return EngineInfo(
            name_with("cp-sat", self),
            "OR-Tools' CP-SAT, linear equations",
            deterministic=self.workers == 1,
            step="conflict" if self.workers == 1 else "",
            settings=defaults(CpSat),
            package="ortools",
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """State one equation per region and search."""
        if not has_package("ortools"):
            raise EngineError(missing_text(f"{self.info.name} needs", "ortools"))
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        with run.stage("import"):
            from ortools.sat.python import cp_model

        with run.stage("encode"):
            model = cp_model.CpModel()
            cells = [model.new_bool_var("") for _ in range(puzzle.hidden.size)]
            regions = [region for region in puzzle.listed if region[0]]
            for numbers, traps in regions:
                model.add(cp_model.LinearExpr.sum([cells[number - 1] for number in numbers]) == traps)
        run.count(variables=len(cells), constraints=len(regions))
        if reason := run.spend():
            return GaveUp(reason)
        is_small = puzzle.grid.cells.size < 1000
        solver, answer, reason = self._ask(_search_at_once if is_small else _search, model, run)
        if is_small and answer is None and reason is None:
            solver, answer, reason = self._ask(_search, model, run)
        if answer is None:
            return GaveUp(reason or (StopReason.UNDECIDED if run.limits.steps is None else StopReason.STEPS))
        if not answer:
            return refuted_by_engine(self.info.name)
        return Solved(Solution(np.array([solver.boolean_value(cell) for cell in cells], bool)))

    def _ask(self, search: SearchFor, model: Any, run: Run) -> tuple[Any, bool | None, StopReason | None]:
        """A solver that has searched, what it found, and the reason to stop, if there is one."""
        from ortools.sat.python import cp_model

        solver = cp_model.CpSolver()
        solver.parameters.num_workers = self.workers
        solver.parameters.linearization_level = self.linearization
        solver.parameters.random_seed = run.seed % 2**31
        solver.parameters.catch_sigint_signal = False  # Python handles Ctrl-C
        if run.steps_left is not None:
            solver.parameters.max_number_of_conflicts = min(run.steps_left, 2**63 - 1)
        answer, reason = search(solver, model, run)
        run.count(conflicts=int(solver.num_conflicts), branches=int(solver.num_branches))
        return solver, answer, reason or run.spend(int(solver.num_conflicts))


def _search_at_once(solver: Any, model: Any, _run: Run) -> tuple[bool | None, StopReason | None]:
    """Search in this thread, too briefly for limits to matter.

    Starting a thread takes half as long as solving a board of 5×5. The time is counted in CP-SAT's
    deterministic seconds, which do not depend on the clock.
    """
    solver.parameters.max_deterministic_time = 0.02
    return _verdict(solver.solve(model)), None


def _verdict(status: Any) -> bool | None:
    """Whether there is a solution; None if the search ended before that was clear."""
    from ortools.sat.python import cp_model

    return {cp_model.OPTIMAL: True, cp_model.FEASIBLE: True, cp_model.INFEASIBLE: False}.get(status)


def _search(solver: Any, model: Any, run: Run) -> tuple[bool | None, StopReason | None]:
    """Search in another thread, until the run must stop."""
    search = SolverThread(lambda: _verdict(solver.solve(model)))
    reason: StopReason | None = None
    try:
        while reason is None and not search.is_over(SOLVER_POLL_SECONDS):
            reason = run.spend()
    finally:
        # Ask repeatedly, because a search that is just starting ignores it.
        while not search.is_over(SOLVER_POLL_SECONDS if reason else 0):
            solver.stop_search()
        search.wait()
    return search.answer, reason
