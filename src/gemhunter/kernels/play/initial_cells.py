"""Gives a game its initial safe cells: gems, drawn by chance and shown before the first move."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import TRAP
from gemhunter.kernels.play.deal import seeded
from gemhunter.kernels.random_state import below

GIVING = 5
"""What chance is for here, so that it has nothing to do with how the board was dealt."""

Codes = NDArray[np.int8]


@kernel(estimate=lambda _, __, truth, ___: 2e-6 * truth.size)
def give(seed: int, wanted: int, truth: Codes, shown: Codes) -> None:
    """Show so many gems of `truth`, or all if there are fewer; a 0 opens nothing."""
    cols = truth.shape[1]
    gems = np.empty(truth.size, np.int64)
    count = 0
    for cell in range(truth.size):
        if truth[cell // cols, cell % cols] != TRAP:
            gems[count] = cell
            count += 1
    chance = np.empty(1, np.uint64)
    seeded(seed, GIVING, chance)
    for i in range(min(wanted, count)):
        other = i + below(chance, count - i)
        cell = gems[other]
        gems[other] = gems[i]
        shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]
