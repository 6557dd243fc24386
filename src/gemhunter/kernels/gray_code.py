"""All fillings of a few cells, one flip apart from each other."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Words = NDArray[np.uint64]


@kernel(estimate=lambda _, __, ___, number, last, attempts: 1.5e-6 * min(attempts, last - number))
def try_fillings(change: Words, target: Words, counts: Words, number: int, last: int, attempts: int) -> int:
    """Go on from filling `number` until one fits, at most `attempts` further and never beyond `last`.

    In Gray-code order filling i has a trap in cell c exactly if bit c of i ^ (i >> 1) is set, so that
    each differs from the one before in one cell. `counts` has the traps in every region, packed into
    words side by side; a trap in cell c adds `change[c]`. It fits if `counts` is `target`. Returns the
    filling at hand, whose counts are in `counts`.
    """
    words = target.size
    for _ in range(attempts):
        fits = True
        for word in range(words):
            if counts[word] != target[word]:
                fits = False
                break
        if fits or number == last:
            break
        number += 1
        cell = 0
        while not (number >> cell) & 1:
            cell += 1
        if ((number >> cell) >> 1) & 1:
            for word in range(words):
                counts[word] -= change[cell, word]
        else:
            for word in range(words):
                counts[word] += change[cell, word]
    return number
