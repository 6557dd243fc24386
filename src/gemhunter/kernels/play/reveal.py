"""Reveals a cell, and around a 0 all that it opens."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP

Codes = NDArray[np.int8]


@kernel(estimate=lambda truth, *_: 3e-6 * truth.size)
def reveal(truth: Codes, shown: Codes, held: NDArray[np.bool_], cell: int, opened: NDArray[np.int32]) -> int:
    """Show a hidden cell; a 0 shows its neighbours too, and so on. How many cells have been shown.

    These are in `opened`, in the order of showing; it has room for every cell. A trap is not shown: then
    the answer is -1. A cell that is `held`, by a flag, is never shown by others.
    """
    rows, cols = truth.shape
    if truth[cell // cols, cell % cols] == TRAP:
        return -1
    shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]
    opened[0] = cell
    count, at = 1, 0
    while at < count:
        row, col = opened[at] // cols, opened[at] % cols
        at += 1
        if truth[row, col] != 0:
            continue
        for r in range(max(row - 1, 0), min(row + 2, rows)):
            for c in range(max(col - 1, 0), min(col + 2, cols)):
                if shown[r, c] == HIDDEN and not held[r, c]:
                    shown[r, c] = truth[r, c]
                    opened[count] = r * cols + c
                    count += 1
    return count
