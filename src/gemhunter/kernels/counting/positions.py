"""From a board to the probability of every cell in one call, for boards whose tables are small."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.counting.circuit import COMPLETE, EMPTY_TABLE
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weigh_parts import (
    TOO_LARGE,
    UNSOLVABLE,
    WEIGHED,
    build_parts,
    trace_parts,
    weigh_parts,
)
from gemhunter.kernels.structure.grid_state import CONFLICT_AT, GRID_MARGIN, GridState
from gemhunter.kernels.structure.take_apart import take_apart

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

UNKNOWN_TOTAL = -1

MOST_HIDDEN = 900
"""With more hidden cells the weights of different totals may differ by more than a number can hold."""

MOST_STATES_AT_ONCE = 20_000
"""Boards with more states are weighed in slices, which can be stopped in between."""


@kernel
def fill_decided(board: GridState, grid: NDArray[np.int8], risk: Floats, untouched: float) -> tuple[int, int]:
    """Write 1 for decided traps, 0 for gems, `untouched` for hidden cells; count traps and hidden cells."""
    rows, cols = grid.shape
    wide = cols + 2 * GRID_MARGIN
    traps, hidden = 0, 0
    for row in range(rows):
        for col in range(cols):
            code = board.codes[(row + GRID_MARGIN) * wide + col + GRID_MARGIN]
            index = row * cols + col
            if code == TRAP:
                traps += 1
            elif code == HIDDEN:
                hidden += 1
            if grid[row, col] != HIDDEN:
                risk[index] = np.nan
            elif code == HIDDEN:
                risk[index] = untouched
            else:
                risk[index] = 1.0 if code == TRAP else 0.0
    return traps, hidden


@kernel(inline=True)
def weigh_position(grid: NDArray[np.int8], total: int, trap_weight: float, last: int, risk: Floats) -> int:
    """Write the probability of a trap in each hidden cell into `risk`, in reading order; NaN for other cells.

    `total` is the number of traps on the whole board or `UNKNOWN_TOTAL`; without it each trap counts
    `trap_weight`. At most `last` states are made before giving up. Returns `WEIGHED`, `UNSOLVABLE` if
    there is no solution, or `TOO_LARGE` if this kernel cannot say.
    """
    board, parts = take_apart(grid)
    if board.numbers[CONFLICT_AT] != NONE:
        return UNSOLVABLE
    traps, hidden = fill_decided(board, grid, risk, trap_weight / (1.0 + trap_weight))
    known = total != UNKNOWN_TOTAL
    if known and hidden > MOST_HIDDEN:
        return TOO_LARGE
    answer, plan, steps, circuit = build_parts(parts, last)
    if answer == EMPTY_TABLE:
        return UNSOLVABLE
    if answer != COMPLETE:
        return TOO_LARGE
    weight = 1.0 if known else trap_weight
    in_range, w = weigh_parts(plan, steps, circuit, known, weight)
    if not in_range:
        return TOO_LARGE
    counts, cells = np.ones(w.roots.size, np.float64), parts.group_cells.size
    if known:
        untouched = hidden - cells
        counts, untouched_risk, ways = shares(
            w.roots, w.bounds, untouched, total - traps - w.fewest, 1.0, False
        )
        if ways.sum() == 0.0:
            return UNSOLVABLE
        if untouched > 0:
            fill_decided(board, grid, risk, untouched_risk)
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, known, weight, w, counts, cells)
    if not certain:
        return TOO_LARGE
    for i in range(cells):
        risk[parts.group_cells[i]] = with_trap[i] / (with_trap[i] + with_gem[i])
    return WEIGHED


@kernel(estimate=lambda grids, *_: 4e-5 * grids.size)
def weigh_positions(
    grids: NDArray[np.int8],
    totals: Ints,
    trap_weight: float,
    last: int,
    risks: NDArray[np.float64],
    answers: NDArray[np.int8],
) -> None:
    """Weigh many boards of one size; `risks[i]` and `answers[i]` belong to `grids[i]`."""
    for i in range(grids.shape[0]):
        answers[i] = weigh_position(grids[i], totals[i], trap_weight, last, risks[i])
