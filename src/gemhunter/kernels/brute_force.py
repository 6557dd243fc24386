"""Brute force: all solutions of a few cells, or all assignments of a formula, one after another."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import EXHAUSTED, FOUND, MORE

Words = NDArray[np.uint64]


@kernel(estimate=lambda *arguments: 1.5e-6 * arguments[-1])
def try_solutions(
    change: Words, target: Words, counts: Words, number: int, counting: bool, attempts: int
) -> int:
    """Try `attempts` solutions from `number` on: the one that fits, or the one after the last tried.

    `counts` has the traps in every region, packed side by side into words; a solution fits if that is
    `target`. On return `counts` belongs to the solution whose number is returned. A solution whose number
    ends in b zeros differs from the one before by `change[b]`. In Gray-code order that is what cell b adds,
    and it is subtracted if bit b + 1 of the number is set. With `counting` it is what cell b adds less what
    all cells below b add, as a carry does.
    """
    words = target.size
    for _ in range(attempts):
        fits = True
        for word in range(words):
            if counts[word] != target[word]:
                fits = False
                break
        if fits:
            return number
        number += 1
        zeros = 0
        while not (number >> zeros) & 1:
            zeros += 1
        if not counting and ((number >> zeros) >> 1) & 1:
            for word in range(words):
                counts[word] -= change[zeros, word]
        else:
            for word in range(words):
                counts[word] += change[zeros, word]
    return number


@kernel(estimate=lambda literals, *more: (5e-6 + 1e-7 * literals.size) * more[-1])
def try_assignments(
    literals: NDArray[np.int32],
    starts: NDArray[np.int64],
    value: NDArray[np.int8],
    tried: NDArray[np.int64],
    first: int,
    attempts: int,
) -> int:
    """Try at most `attempts` assignments, beginning with `value`, and count them in `tried[0]`.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1; `value[v-1]` is 1 if v is
    true. FOUND if `value` satisfies all clauses, EXHAUSTED after the last assignment, otherwise MORE.
    """
    for _ in range(attempts):
        tried[0] += 1
        if satisfies(literals, starts, value):
            return FOUND
        if not count_on(value, first):
            return EXHAUSTED
    return MORE


@kernel
def satisfies(literals: NDArray[np.int32], starts: NDArray[np.int64], value: NDArray[np.int8]) -> bool:
    """Whether every clause has a true literal."""
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
    """Go to the next assignment, the last variable changing fastest; False after the last assignment.

    The first assignment gives every variable the value `first`.
    """
    for i in range(value.size - 1, -1, -1):
        if value[i] == first:
            value[i] = 1 - first
            return True
        value[i] = first
    return False
