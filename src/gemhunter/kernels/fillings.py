"""All fillings of a few cells, one after the other, in Gray-code order or counted."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Words = NDArray[np.uint64]


@kernel(estimate=lambda *arguments: 1.5e-6 * arguments[-1])
def try_fillings(
    change: Words, target: Words, counts: Words, number: int, counting: bool, attempts: int
) -> int:
    """Try `attempts` fillings from `number` on: the one that fits, or the one after the last tried.

    `counts` has the traps in every region, packed into words side by side; a filling fits if that is
    `target`. On return `counts` belongs to the filling that is returned. A filling whose number ends in b
    zeros differs from the one before by `change[b]`. In Gray-code order that is what cell b adds, and it is
    subtracted if bit b + 1 of the number is set. With `counting` it is what cell b adds less what all cells
    below b add, as a carry does.
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
