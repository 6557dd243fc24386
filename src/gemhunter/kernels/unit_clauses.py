"""Unit clauses, and what follows from them."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

OPEN = -1


@kernel
def first_open(literals: NDArray[np.int32], place: int, value: NDArray[np.int8]) -> int:
    """The place of the next literal whose variable is open; there is one."""
    while value[abs(literals[place]) - 1] != OPEN:
        place += 1
    return place


@kernel(estimate=lambda literals, *_: 1e-6 * literals.size)
def propagate(
    literals: NDArray[np.int32],
    starts: NDArray[np.int64],
    clause_of: NDArray[np.int64],
    at: NDArray[np.int64],
    places: NDArray[np.int64],
    value: NDArray[np.int8],
) -> bool:
    """Give variables the values that clauses with one literal left demand; False if a clause has none left.

    Clause i is `literals[starts[i]:starts[i+1]]`, and the literal at place p belongs to clause
    `clause_of[p]`; those of variable v, counted from 0, are at `places[at[v]:at[v+1]]`. `value` is OPEN, 0
    or 1 for each variable.
    """
    clauses = starts.size - 1
    left = np.zeros(clauses, np.int64)
    holds = np.zeros(clauses, np.bool_)
    units = np.empty(clauses, np.int64)
    waiting = 0
    for clause in range(clauses):
        left[clause] = starts[clause + 1] - starts[clause]
        if left[clause] == 0:
            return False
        if left[clause] == 1:
            units[waiting] = clause
            waiting += 1
    while waiting > 0:
        waiting -= 1
        clause = units[waiting]
        if holds[clause]:
            continue
        literal = literals[first_open(literals, starts[clause], value)]
        variable = abs(literal) - 1
        value[variable] = 1 if literal > 0 else 0
        for i in range(at[variable], at[variable + 1]):
            clause = clause_of[places[i]]
            if (literals[places[i]] > 0) == (literal > 0):
                holds[clause] = True
                continue
            left[clause] -= 1
            if left[clause] == 0 and not holds[clause]:
                return False
            if left[clause] == 1 and not holds[clause]:
                units[waiting] = clause
                waiting += 1
    return True
