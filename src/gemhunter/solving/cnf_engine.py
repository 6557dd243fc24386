"""The adapter from clauses to boards: it makes any SAT solver an engine."""

from dataclasses import dataclass

import numpy as np

from gemhunter.cnf.encode import Numbering, encode, encode_puzzle, encoding_bytes
from gemhunter.cnf.formula import Cnf
from gemhunter.core.puzzle import Puzzle
from gemhunter.core.solution import Solution
from gemhunter.errors import TooLargeError
from gemhunter.solving.outcomes import GaveUp, Outcome, Solved, StopReason, refuted_by_engine
from gemhunter.solving.protocols import CnfSolver, EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run


@dataclass(frozen=True, slots=True)
class CnfEngine:
    """Encodes the puzzle, lets the solver find a model, and reads the solution off it.

    With `variables="all"` every cell has a variable, shown cells have a unit clause each, and repeated
    clauses are kept.
    """

    solver: CnfSolver
    encoding: str = "binomial"
    variables: Numbering = "hidden"

    @property
    def info(self) -> EngineInfo:
        """What the solver says about itself."""
        return self.solver.info

    def encode(self, puzzle: Puzzle) -> Cnf:
        """The clauses for the solver."""
        if self.variables == "hidden":
            return encode_puzzle(puzzle, self.encoding)
        return encode(puzzle.grid, self.encoding, "all", total=puzzle.total, keep_duplicates=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Solve by way of clauses; a formula that would exceed the memory limit is not built."""
        if run.limits.memory is not None and not run.fits(encoding_bytes(puzzle, self.encoding)):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        try:
            with run.stage("encode"):
                cnf = self.encode(puzzle)
        except TooLargeError as error:
            return GaveUp(StopReason.MEMORY, str(error))
        run.count(variables=cnf.variables, clauses=cnf.size)
        if reason := run.spend():
            return GaveUp(reason)
        if not cnf.size:
            # Nothing to satisfy, nothing to ask: MapleSAT crashes on a formula without clauses.
            return Solved(Solution(np.zeros(puzzle.hidden.size, bool)))
        answer = self.solver.solve_cnf(cnf, run)
        if self.variables == "all" and isinstance(answer, Satisfied):
            return Solved(Solution(np.isin(puzzle.hidden + 1, answer.model)))
        return outcome_of(answer, puzzle, self.info)


def outcome_of(answer: SatAnswer, puzzle: Puzzle, engine: EngineInfo) -> Outcome:
    """The outcome for a puzzle whose hidden cells are the variables 1..n of a solver's answer."""
    match answer:
        case Satisfied(model):
            return Solved(Solution.of_model(model, puzzle.hidden.size))
        case Unsatisfiable(proof):
            return refuted_by_engine(engine.name, proof)
        case GaveUp() as gave_up:
            return gave_up
