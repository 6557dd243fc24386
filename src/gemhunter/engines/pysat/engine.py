"""`pysat:NAME`: every solver that PySAT ships."""

import sys
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from gemhunter.board.puzzle import Puzzle, impossible_regions
from gemhunter.board.solution import Solution
from gemhunter.cnf.drat import read_drat
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.pysat.drivers import (
    DRIVERS,
    LARGEST_BUDGET,
    SMALL_FORMULA,
    ClauseConstraints,
    Constraints,
    RegionConstraints,
    at_once,
)
from gemhunter.engines.pysat.solvers import BY_ANY_NAME, DEFAULT, PySatSolver
from gemhunter.engines.solver_program import python_program
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.extras import has_package, missing_text
from gemhunter.solving.engine import CnfSolver, Engine, EngineInfo, SatAnswer, Unsatisfiable, outcome_of
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved, StopReason
from gemhunter.solving.run import IMPORT, Run
from gemhunter.work.memory import can_limit_memory

LARGEST_HERE = 200_000
"""Constraints. With more, the search runs in a process of its own: between two conflicts, or two restarts
of Glucose, seconds can pass in which a solver looks neither at a limit nor at Ctrl-C."""

PYSAT_MODULE = "pysat.solvers"
BOUND_BYTES_PER_CELL = 32
"""What two constraints about a cell of a region take, before they are added to a solver."""


def make_engine(name: str) -> Engine | CnfSolver:
    """The engine for a PySAT solver, by its name or any alias; the default one for no name."""
    solver = BY_ANY_NAME.get((name or DEFAULT).lower())
    if solver is None:
        known = [f"pysat:{alias}" for alias in BY_ANY_NAME]
        raise UnknownNameError("engine", f"pysat:{name}", known, see="engines")
    return NativePySat(solver) if solver.native else ClausalPySat(solver)


@dataclass(frozen=True, slots=True)
class ClausalPySat:
    """A solver that reads clauses."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Load the clauses and search."""
        return _search(self.solver, ClauseConstraints(cnf), run)


@dataclass(frozen=True, slots=True)
class NativePySat:
    """A solver with native cardinality: at most k traps and at most n-k gems for each region."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Load two constraints per region and search."""
        if impossible_regions(puzzle).size:
            return outcome_of(Unsatisfiable(), puzzle, self.info)  # solvers reject a bound below 0
        if not run.fits(BOUND_BYTES_PER_CELL * puzzle.cells.size):
            return GaveUp(StopReason.MEMORY)
        with run.stage("encode"):
            constraints = RegionConstraints([region for region in puzzle.listed if region[0]])
        run.count(variables=puzzle.hidden.size, constraints=constraints.size)
        if not constraints.size:
            # Nothing to satisfy: another process would have no model to print.
            return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
        return outcome_of(_search(self.solver, constraints, run), puzzle, self.info)


@cache
def _info(solver: PySatSolver) -> EngineInfo:
    # Cached, because finding out what limits memory takes as long as solving a tiny board.
    step = "conflict" if solver.counts_conflicts else ""
    name, bounded = f"pysat:{solver.name}", can_limit_memory()
    apart = solver.control == "process"
    return EngineInfo(
        name,
        solver.about,
        step=step,
        memory_limit=bounded,
        proofs=solver.proofs,
        own_process=apart,
        package=solver.package,
    )


def _search(solver: PySatSolver, constraints: Constraints, run: Run) -> SatAnswer:
    if solver.control == "process" or constraints.size > LARGEST_HERE or run.limits.memory is not None:
        return _search_in_process(solver, constraints, run)
    return _search_here(solver, constraints, run)


def import_pysat(run: Run) -> None:
    """Import PySAT in a stage that no report has; otherwise the first engine asked would be charged."""
    if PYSAT_MODULE not in sys.modules:
        with run.stage(IMPORT):
            import_module(PYSAT_MODULE)


def _search_here(spec: PySatSolver, constraints: Constraints, run: Run) -> SatAnswer:
    """Search in this process; the solver's statistics are counted whatever the answer is."""
    import_pysat(run)
    from pysat.solvers import Solver

    proving = run.wants_proof and spec.proofs
    with Solver(name=spec.name, **({"with_proof": True} if proving else {})) as solver:
        constraints.feed(solver)
        if reason := run.spend():
            return GaveUp(reason)
        try:
            answer = _ask(spec, solver, constraints, run)
            if proving and isinstance(answer, Unsatisfiable):
                return Unsatisfiable(read_drat("\n".join(solver.get_proof()).encode("ascii")))
            return answer
        finally:
            run.count(**{name: int(count) for name, count in solver.accum_stats().items()})


def _ask(spec: PySatSolver, solver: Any, constraints: Constraints, run: Run) -> SatAnswer:
    """Search with a solver that has its constraints."""
    if spec.control == "interrupt" and constraints.size <= SMALL_FORMULA:
        answer = at_once(solver, run)
        if answer is not None:
            return answer
    return DRIVERS[spec.control](solver, run)


def _search_in_process(spec: PySatSolver, constraints: Constraints, run: Run) -> SatAnswer:
    """Search in a process that can be ended at any time."""
    name = _info(spec).name
    if spec.package and not has_package(spec.package):
        raise EngineError(missing_text(f"{name} needs", spec.package))
    conflicts = min(run.steps_left or 0, LARGEST_BUDGET)
    arguments = [spec.name, "{in}", "{out}", str(conflicts), str(run.limits.memory or 0)]
    if run.wants_proof and spec.proofs:
        arguments.append("{proof}")
    program = python_program(name, "gemhunter.engines.pysat.process", *arguments)
    return program.ask(constraints.save, run)
