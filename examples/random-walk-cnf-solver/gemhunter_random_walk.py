"""A SAT solver of your own: as long as a clause is broken, it flips one of that clause's variables.

Copy this folder, rename it, and replace the body of `solve_cnf`. A solver reads clauses and knows nothing of
boards: Gem Hunter encodes them, reads the solution off the model, and checks it.
"""

from dataclasses import dataclass

import numpy as np

from gemhunter.cnf.formula import Cnf
from gemhunter.errors import InputError
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

MOST_FLIPS = 1_000


def make_engine(argument: str) -> "RandomWalkSolver":
    """The registry calls this with what follows the colon in `random-walk:…`, or with nothing."""
    if argument:
        raise InputError(f"random-walk takes no argument, found {argument!r}")
    return RandomWalkSolver()


@dataclass(frozen=True, slots=True)
class RandomWalkSolver:
    """Begins anywhere, and flips a variable of a broken clause until none is broken."""

    @property
    def info(self) -> EngineInfo:
        """Incomplete: it cannot show that there is no model."""
        return EngineInfo("random-walk", "flips variables of broken clauses", complete=False, step="flip")

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Find a model, or give up after many flips or when `run` says so."""
        begins, ends = cnf.starts[:-1], cnf.starts[1:]
        if (begins == ends).any():
            return Unsatisfiable()  # an empty clause
        variables, wanted = np.abs(cnf.literals), cnf.literals > 0
        random = np.random.default_rng(run.seed)
        value = random.random(cnf.variables + 1) < 0.5
        for _ in range(MOST_FLIPS):
            broken = np.flatnonzero(~np.logical_or.reduceat(value[variables] == wanted, begins))
            if not broken.size:
                numbers = np.arange(1, cnf.variables + 1)
                return Satisfied(np.where(value[1:], numbers, -numbers))
            clause = random.choice(broken)
            flipped = variables[random.integers(begins[clause], ends[clause])]
            value[flipped] = not value[flipped]
            if limit := run.spend(1):
                return GaveUp(limit)
        return GaveUp(StopReason.ATTEMPTS, f"{MOST_FLIPS:,} flips made")
