"""What is left of a formula when its unit clauses, and what follows from them, have been taken out."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.formula import Cnf, Ints, Literals


@dataclass(frozen=True, slots=True, eq=False)
class Remainder:
    """Clauses of two literals or more, over the variables 1..m that stand for `variables` of the formula.

    `decided` has the literals that unit clauses made true.
    """

    literals: Literals
    starts: Ints
    variables: Ints
    decided: Ints

    def model(self, values: NDArray[np.bool_]) -> Ints:
        """The model of the whole formula in which the variables that are left have these values."""
        return np.concatenate([self.decided, np.where(values, self.variables, -self.variables)])


def without_units(cnf: Cnf) -> Remainder | None:
    """What unit clauses leave open, or None if they contradict each other."""
    from gemhunter.kernels.unit_clauses import OPEN, propagate

    sizes = np.diff(cnf.starts)
    clause_of = np.repeat(np.arange(cnf.size), sizes)
    variable = np.abs(cnf.literals).astype(np.int64) - 1
    at = np.concatenate([[0], np.cumsum(np.bincount(variable, minlength=cnf.variables))])
    value = np.full(cnf.variables, OPEN, np.int8)
    places = np.argsort(variable, kind="stable")
    if not propagate(cnf.literals, cnf.starts, clause_of, at, places, value):
        return None
    true = value[variable] == (cnf.literals > 0)
    satisfied = np.bincount(clause_of[true], minlength=cnf.size) > 0
    kept = ~satisfied[clause_of] & (value[variable] == OPEN)
    left = np.bincount(clause_of[kept], minlength=cnf.size)[~satisfied]
    variables, numbers = np.unique(variable[kept], return_inverse=True)
    literals = np.where(cnf.literals[kept] > 0, numbers + 1, -numbers - 1).astype(np.int32)
    decided = np.flatnonzero(value != OPEN)
    signed = np.where(value[decided] == 1, decided + 1, -decided - 1)
    return Remainder(literals, np.concatenate([[0], np.cumsum(left)]), variables + 1, signed)
