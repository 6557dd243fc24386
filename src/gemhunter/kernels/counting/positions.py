"""From a board to the probability of every cell in one call, for boards whose tables are small."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.circuit import DONE, EMPTY, NO_PAIRS, NO_STATES, Circuit, build, make_circuit
from gemhunter.kernels.counting.make_plan import plan_parts
from gemhunter.kernels.counting.plan import FITS, CountPlan
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weights import all_certain, lay_out, mark_live, trace_back, weigh
from gemhunter.kernels.structure.grid_state import CONFLICT_AT, GRID_MARGIN, NONE, GridState
from gemhunter.kernels.structure.parts import Parts
from gemhunter.kernels.structure.take_apart import take_apart

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

WEIGHED, CONTRADICTORY, TOO_LARGE = 0, 1, 2

UNKNOWN_TOTAL = -1

MOST_HIDDEN = 900
"""With more hidden cells the weights of different totals may differ by more than a number can hold."""

MOST_STATES = 20_000
"""More are left to those who count in slices, and ask in between whether to go on."""

FIRST_STATES, FIRST_PAIRS = 2_048, 512


@kernel
def built(plan: CountPlan, steps: int, last: int) -> tuple[int, Circuit]:
    """The circuit of a plan, in as much room as it takes; `MORE` if it has `last` states or more."""
    states, pairs = FIRST_STATES, FIRST_PAIRS
    circuit = make_circuit(steps, states, pairs)
    answer = build(plan, steps, circuit, last)
    while answer in (NO_STATES, NO_PAIRS):
        if answer == NO_STATES:
            states *= 4
        else:
            pairs *= 4
        circuit = make_circuit(steps, states, pairs)
        answer = build(plan, steps, circuit, last)
    return answer, circuit


@kernel(estimate=lambda _, __, ___, values: 1e-7 * values.size)
def root_weights(plan: CountPlan, circuit: Circuit, spans: Ints, values: Floats) -> tuple[Floats, Ints, int]:
    """The weights of all parts one after the other, where each begins, and the fewest traps of all."""
    parts = plan.roots.size
    bounds = np.zeros(parts + 1, np.int64)
    fewest = 0
    for part in range(parts):
        step = plan.roots[part]
        first, last = circuit.starts[step], circuit.starts[step + 1]
        bounds[part + 1] = bounds[part] + spans[last] - spans[first]
        fewest += circuit.fewest[first]
    roots = np.empty(bounds[parts], np.float64)
    for part in range(parts):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            roots[bounds[part] + i] = values[first + i]
    return roots, bounds, fewest


@kernel
def root_shares(plan: CountPlan, circuit: Circuit, spans: Ints, bounds: Ints, counts: Floats) -> Floats:
    """What `trace_back` begins with: how much each weight of a root counts, and 0 for all others."""
    share = np.zeros(spans[-1], np.float64)
    for part in range(plan.roots.size):
        first = spans[circuit.starts[plan.roots[part]]]
        for i in range(bounds[part + 1] - bounds[part]):
            share[first + i] = counts[bounds[part] + i]
    return share


@kernel
def fill_decided(board: GridState, grid: NDArray[np.int8], chance: Floats, free: float) -> tuple[int, int]:
    """Write 1 for decided traps, 0 for gems, `free` for hidden cells; how many traps and hidden cells."""
    rows, cols = grid.shape
    wide = cols + 2 * GRID_MARGIN
    traps, hidden = 0, 0
    for row in range(rows):
        for col in range(cols):
            code = board.codes[(row + GRID_MARGIN) * wide + col + GRID_MARGIN]
            at = row * cols + col
            if code == TRAP:
                traps += 1
            elif code == HIDDEN:
                hidden += 1
            if grid[row, col] != HIDDEN:
                chance[at] = np.nan
            elif code == HIDDEN:
                chance[at] = free
            else:
                chance[at] = 1.0 if code == TRAP else 0.0
    return traps, hidden


@kernel
def fill_parts(parts: Parts, trapped: Floats, spared: Floats, chance: Floats) -> None:
    """Write the probability of each open cell."""
    for i in range(parts.group_cells.size):
        chance[parts.group_cells[i]] = trapped[i] / (trapped[i] + spared[i])


@kernel(inline=True)
def weigh_position(grid: NDArray[np.int8], total: int, odds: float, last: int, chance: Floats) -> int:
    """Write into `chance` how likely each hidden cell is a trap, in reading order; NaN for other cells.

    `total` is the number of traps on the whole board or `UNKNOWN_TOTAL`; without it each trap counts
    `odds`. No more than `last` states are made before giving up. Returns `WEIGHED`, `CONTRADICTORY` if
    there is no solution, or `TOO_LARGE` if that is not for this kernel to say.
    """
    board, parts = take_apart(grid)
    if board.numbers[CONFLICT_AT] != NONE:
        return CONTRADICTORY
    traps, hidden = fill_decided(board, grid, chance, odds / (1.0 + odds))
    known = total != UNKNOWN_TOTAL
    if known and hidden > MOST_HIDDEN:
        return TOO_LARGE
    fits, plan, steps = plan_parts(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    if fits != FITS:
        return TOO_LARGE
    answer, circuit = built(plan, steps, last)
    if answer == EMPTY:
        return CONTRADICTORY
    if answer != DONE:
        return TOO_LARGE
    weight = 1.0 if known else odds
    live = mark_live(plan, steps, circuit)
    spans = lay_out(circuit, circuit.starts[steps], known)
    values, scale = np.zeros(spans[-1], np.float64), np.ones(steps, np.float64)
    if not weigh(plan, 0, steps, circuit, live, spans, known, weight, False, values, scale):
        return TOO_LARGE
    roots, bounds, fewest = root_weights(plan, circuit, spans, values)
    counts, cells = np.ones(roots.size, np.float64), parts.group_cells.size
    if known:
        free = hidden - cells
        counts, chance_of_free, ways = shares(roots, bounds, free, total - traps - fewest, 1.0, False)
        if ways.sum() == 0.0:
            return CONTRADICTORY
        if free > 0:
            fill_decided(board, grid, chance, chance_of_free)
    share = root_shares(plan, circuit, spans, bounds, counts)
    trapped, spared = np.zeros(cells, np.float64), np.zeros(cells, np.float64)
    trace_back(
        plan, 0, steps, circuit, live, spans, known, weight, False, values, scale, share, trapped, spared
    )
    if not all_certain(trapped, spared):
        return TOO_LARGE
    fill_parts(parts, trapped, spared, chance)
    return WEIGHED


@kernel(estimate=lambda grids, *_: 4e-5 * grids.size)
def weigh_positions(
    grids: NDArray[np.int8],
    totals: Ints,
    odds: float,
    last: int,
    chances: NDArray[np.float64],
    answers: NDArray[np.int8],
) -> None:
    """The same for many boards of one size: `chances[i]` and `answers[i]` are about `grids[i]`."""
    for i in range(grids.shape[0]):
        answers[i] = weigh_position(grids[i], totals[i], odds, last, chances[i])
