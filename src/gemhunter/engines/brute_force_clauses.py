"""`brute-force:clauses`: every assignment of all variables of the clauses, one after the other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf
from gemhunter.engines.brute_force import attempts_text, require_attempts
from gemhunter.solving.cnf_engine import CnfEngine
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.protocols import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

NAME = "brute-force:clauses"

FIRST_SLICE = 100_000
"""Literals looked at, at most, before the clock is looked at for the first time."""


def make_clause_engine(argument: str) -> CnfEngine:
    """The engine with these settings, on the clauses over all cells of a board."""
    return CnfEngine(read_settings(ClauseBruteForce, NAME, argument), variables="all")


@dataclass(frozen=True, slots=True)
class ClauseBruteForce:
    """Tries the 2^n assignments of n variables as one counts, at most `attempts` of them; 0 is all.

    `value` is what every variable is in the first assignment; the last variable changes fastest.
    """

    value: FirstValue = "trap"
    attempts: int = 0

    def __post_init__(self) -> None:
        require_attempts(NAME, self.attempts)

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with(NAME, self),
            f"tries assignments of all cells on the clauses, {attempts_text(self.attempts)}",
            complete=not self.attempts,
            step="attempt",
            memory_limit=True,
            settings=defaults(ClauseBruteForce),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Count through the assignments."""
        if not run.fits(cnf.literals.nbytes + cnf.starts.nbytes + cnf.cell_indexes.nbytes + cnf.variables):
            return GaveUp(StopReason.MEMORY, "the clauses would not fit")
        from gemhunter.kernels import assignments as kernels

        first = int(self.value == "trap")
        value, tried = np.full(cnf.variables, first, np.int8), np.zeros(1, np.int64)
        sizes = run.slice_sizes(max(FIRST_SLICE // max(cnf.literals.size, 1), 1))
        while True:
            before = int(tried[0])
            steps = run.slice(next(sizes))
            if self.attempts:
                steps = min(steps, self.attempts - before)
            code = kernels.try_assignments(cnf.literals, cnf.starts, value, tried, first, steps)
            done = int(tried[0]) - before
            run.count(attempts=done)
            limit = run.spend(done)
            if code == kernels.FOUND:
                return Satisfied(_model(value))
            if code == kernels.EXHAUSTED:
                return Unsatisfiable()
            if limit is not None or tried[0] == self.attempts:
                detail = f"{tried[0]:,} of 2^{cnf.variables} assignments tried"
                return GaveUp(limit or StopReason.ATTEMPTS, detail)


def _model(value: NDArray[np.int8]) -> NDArray[np.int64]:
    variables = np.arange(1, value.size + 1)
    return np.where(value == 1, variables, -variables)
