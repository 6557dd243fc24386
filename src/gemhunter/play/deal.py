"""Deals a board from a seed, draws the initial safe cells of a game, and reveals cells."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP
from gemhunter.board.position import OPENING_CLICK, SAFE_CLICK
from gemhunter.jit.arrays import Codes
from gemhunter.jit.kernel import kernel
from gemhunter.jit.random_state import RandomState, below

# Deals a board from a seed, and draws the initial safe cells of a game.


BOARD_STREAM, PLAYER_STREAM, INITIAL_CELLS_STREAM, REPAIR_STREAM = 0, 1, 5, 6
"""What random numbers of a seed are for; each purpose has a sequence of its own."""

STRIDE = np.uint64(0x9E3779B97F4A7C15)
MIX, MIX_AGAIN = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)


@kernel
def set_seed(seed: int, purpose: int, random: RandomState) -> None:
    """Set a random state for a seed and a purpose (SplitMix64), identical on every machine."""
    random[0] = seed
    for _ in range(2):
        # On the array, not on its number: plain NumPy warns of numbers that overflow, and they are meant to.
        random += STRIDE
        random ^= random >> FIRST_SHIFT
        random *= MIX
        random ^= random >> SECOND_SHIFT
        random *= MIX_AGAIN
        random ^= random >> THIRD_SHIFT
        random += np.uint64(purpose)
    if random[0] == 0:
        random[0] = STRIDE


@kernel(estimate=lambda *arguments: 3e-6 * arguments[-1].size)
def deal(seed: int, first_click: int, first: int, total: int, codes: Codes) -> None:
    """Fill `codes`, rows × cols, with `TRAP` and clues, if `first` is the first cell that is revealed.

    The order of the cells depends on the seed alone. Cells that the rule keeps free come last in it, `first`
    last of all, so every board that the rule allows has the same probability.
    """
    rows, cols = codes.shape
    random = np.empty(1, np.uint64)
    set_seed(seed, BOARD_STREAM, random)
    order = np.arange(rows * cols)
    codes[:] = 0
    spared = np.empty(9, np.int64)
    left, kept, at = total, 0, 0
    first_row, first_col = first // cols, first % cols
    while left > 0 and at < order.size:
        other = at + below(random, order.size - at)
        cell = order[other]
        order[other] = order[at]
        at += 1
        row, col = cell // cols, cell % cols
        near = abs(row - first_row) <= 1 and abs(col - first_col) <= 1
        if (first_click == OPENING_CLICK and near) or (first_click == SAFE_CLICK and cell == first):
            if cell != first:
                spared[kept] = cell
                kept += 1
            continue
        codes[row, col] = TRAP
        left -= 1
    for i in range(min(left, kept)):
        codes[spared[i] // cols, spared[i] % cols] = TRAP
    write_clues(codes)


@kernel
def write_clues(codes: Codes) -> None:
    """Write into every gem how many traps are around it."""
    rows, cols = codes.shape
    for row in range(rows):
        for col in range(cols):
            if codes[row, col] == TRAP:
                continue
            around = 0
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    around += codes[r, c] == TRAP
            codes[row, col] = around


@kernel(estimate=lambda _, __, truth, ___: 2e-6 * truth.size)
def show_initial_cells(seed: int, wanted: int, truth: Codes, shown: Codes) -> None:
    """Show `wanted` random gems of `truth`, or all if there are fewer; a 0 opens nothing."""
    cols = truth.shape[1]
    gems = np.empty(truth.size, np.int64)
    count = 0
    for cell in range(truth.size):
        if truth[cell // cols, cell % cols] != TRAP:
            gems[count] = cell
            count += 1
    random = np.empty(1, np.uint64)
    set_seed(seed, INITIAL_CELLS_STREAM, random)
    for i in range(min(wanted, count)):
        other = i + below(random, count - i)
        cell = gems[other]
        gems[other] = gems[i]
        shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]


# Reveals a cell, and around a 0 all that it opens.


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
