"""`pysat:NAME`: every solver that PySAT ships."""

from dataclasses import dataclass
from importlib.util import find_spec
from typing import Any

from gemhunter.algorithms.program import Program, python_program
from gemhunter.algorithms.pysat_drivers import DRIVERS
from gemhunter.algorithms.pysat_solvers import BY_ANY_NAME, DEFAULT, PySatSolver
from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.errors import EngineError, UnknownNameError
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved
from gemhunter.solving.protocols import CnfSolver, Engine, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run


def make_engine(name: str) -> Engine | CnfSolver:
    """The engine for a PySAT solver, by its name or any alias; the default one for no name."""
    solver = BY_ANY_NAME.get((name or DEFAULT).lower())
    if solver is None:
        known = [f"pysat:{alias}" for alias in BY_ANY_NAME]
        raise UnknownNameError("engine", f"pysat:{name}", known, see="gemhunter engines")
    if solver.native:
        return NativePySat(solver)
    return SeparatePySat(solver) if solver.control == "process" else ClausalPySat(solver)


def _info(solver: PySatSolver) -> EngineInfo:
    step = "conflict" if solver.counts_conflicts else ""
    return EngineInfo(f"pysat:{solver.name}", solver.about, step=step)


@dataclass(frozen=True, slots=True)
class ClausalPySat:
    """A solver in this process, fed with clauses."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Load the clauses and search."""
        from pysat.solvers import Solver

        with Solver(name=self.solver.known_as, bootstrap_with=cnf.clauses()) as solver:
            return _search(self.solver, solver, run)


@dataclass(frozen=True, slots=True)
class NativePySat:
    """A solver in this process that takes regions as they are: at most k traps, at most n-k gems."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Load two constraints per region and search."""
        from pysat.solvers import Solver

        with Solver(name=self.solver.known_as) as solver:
            with run.stage("encode"):
                _add_regions(solver, puzzle)
            run.count(variables=puzzle.hidden.size, constraints=2 * puzzle.traps.size)
            answer = _search(self.solver, solver, run)
        match answer:
            case Satisfied(model):
                return Solved(Solution.of_model(model, puzzle.hidden.size))
            case Unsatisfiable():
                return Refuted(f"no filling satisfies all clues (shown by {self.info.name})")
            case GaveUp() as gave_up:
                return gave_up


@dataclass(frozen=True, slots=True)
class SeparatePySat:
    """A solver that cannot be stopped from here, in a process that can."""

    solver: PySatSolver

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return _info(self.solver)

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Let a Python process of its own load the clauses and search."""
        if self.solver.package and find_spec(self.solver.package) is None:
            raise EngineError(
                f"{self.info.name} needs the package {self.solver.package}, which is not installed"
            )
        arguments = [self.solver.known_as, "{in}", "{out}", str(run.steps_left or 0)]
        program = python_program("gemhunter.algorithms.pysat_process", arguments)
        return Program(self.info.name, program).ask(cnf, run)


def _add_regions(solver: Any, puzzle: Puzzle) -> None:
    variables = (puzzle.cells + 1).tolist()
    bounds = zip(puzzle.starts.tolist(), puzzle.starts[1:].tolist(), puzzle.traps.tolist(), strict=False)
    for start, end, traps in bounds:
        region = variables[start:end]
        if region:
            solver.add_atmost(region, traps)
            solver.add_atmost([-variable for variable in region], len(region) - traps)


def _search(spec: PySatSolver, solver: Any, run: Run) -> SatAnswer:
    """Search, and count what the solver did whatever the answer."""
    if limit := run.spend():
        return GaveUp(limit)
    try:
        return DRIVERS[spec.control](solver, run)
    finally:
        run.count(**{name: int(amount) for name, amount in solver.accum_stats().items()})
