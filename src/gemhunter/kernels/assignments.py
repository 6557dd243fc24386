"""All assignments of the variables of a formula, one after the other.

Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1; `value[v-1]` is 1 if v is true.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

FOUND, EXHAUSTED, MORE = 1, 2, 3


@kernel
def holds(literals: NDArray[np.int32], starts: NDArray[np.int64], value: NDArray[np.int8]) -> bool:
    """Whether every clause has a literal that is true."""
    for clause in range(starts.size - 1):
        is_true = False
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            is_true = (value[abs(literal) - 1] == 1) == (literal > 0)
            if is_true:
                break
        if not is_true:
            return False
    return True


@kernel
def count_on(value: NDArray[np.int8], first: int) -> bool:
    """Go to the next assignment, the last variable changing fastest; False if there was none left.

    The first assignment gives every variable the value `first`.
    """
    for i in range(value.size - 1, -1, -1):
        if value[i] == first:
            value[i] = 1 - first
            return True
        value[i] = first
    return False


@kernel(estimate=lambda literals, *more: (5e-6 + 1e-7 * literals.size) * more[-1])
def try_assignments(
    literals: NDArray[np.int32],
    starts: NDArray[np.int64],
    value: NDArray[np.int8],
    tried: NDArray[np.int64],
    first: int,
    attempts: int,
) -> int:
    """Try at most `attempts` assignments, that in `value` to begin with, and count them in `tried[0]`.

    FOUND if all clauses hold under `value`, EXHAUSTED if that was the last one, otherwise MORE.
    """
    for _ in range(attempts):
        tried[0] += 1
        if holds(literals, starts, value):
            return FOUND
        if not count_on(value, first):
            return EXHAUSTED
    return MORE
