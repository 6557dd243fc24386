"""The probability of every cell in one call, for the positions of a game, whose tables are small.

These kernels do at once what the methods of `CompleteCircuit` do in slices.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP
from gemhunter.counting.circuit import (
    COMPLETE,
    EMPTY_TABLE,
    INCOMPLETE,
    NO_PAIRS,
    NO_STATES,
    Circuit,
    build,
    make_circuit,
)
from gemhunter.counting.combine import shares
from gemhunter.counting.parts import Parts, propagate_and_split
from gemhunter.counting.plan import FITS, CountPlan, plan_parts
from gemhunter.counting.propagate import CONFLICT_AT, GRID_MARGIN, GridState
from gemhunter.counting.sweep import (
    Weights,
    all_certain,
    mark_live,
    place_weights,
    root_shares,
    root_weights,
    sweep,
)
from gemhunter.counting.weigh import EXACT_TOTAL_CELLS, TOO_LARGE, UNKNOWN_TOTAL, UNSOLVABLE, WEIGHED
from gemhunter.jit.kernel import Floats, Ints, kernel
from gemhunter.jit.search_state import NONE


class PartWeights(NamedTuple):
    """The weights of all states, and those of the parts: `roots[bounds[p]:bounds[p+1]]` for part p.

    All parts together have at least `fewest` traps.
    """

    weights: Weights
    roots: Floats
    bounds: Ints
    fewest: int


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


@kernel(inline=True)
def weigh_position(grid: NDArray[np.int8], total: int, trap_weight: float, last: int, risk: Floats) -> int:
    """Write the probability of a trap in each hidden cell into `risk`, in reading order; NaN for other cells.

    `total` is the number of traps on the whole board or `UNKNOWN_TOTAL`; without a total each trap counts
    `trap_weight` times. Return `WEIGHED`, `UNSOLVABLE` if there is no solution, or `TOO_LARGE` if that takes
    `last` states or more, or numbers are out of range.
    """
    board, parts = propagate_and_split(grid)
    if board.numbers[CONFLICT_AT] != NONE:
        return UNSOLVABLE
    traps, hidden = fill_decided(board, grid, risk, trap_weight / (1.0 + trap_weight))
    known = total != UNKNOWN_TOTAL
    if known and hidden > EXACT_TOTAL_CELLS:
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
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, w, counts, cells)
    if not certain:
        return TOO_LARGE
    for i in range(cells):
        risk[parts.group_cells[i]] = with_trap[i] / (with_trap[i] + with_gem[i])
    return WEIGHED


@kernel
def fill_decided(board: GridState, grid: NDArray[np.int8], risk: Floats, untouched: float) -> tuple[int, int]:
    """Write the risk 1 for traps, 0 for gems and `untouched` elsewhere; count traps and undecided cells."""
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
def build_parts(parts: Parts, last: int) -> tuple[int, CountPlan, int, Circuit]:
    """Plan the parts and build their circuit, with more room whenever it runs out.

    Return `COMPLETE`, `EMPTY_TABLE` if there is no solution, or `INCOMPLETE` if the parts are too wide or
    have `last` states or more; then the plan, its number of steps, and the circuit.
    """
    fits, plan, steps = plan_parts(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    states, pairs = 2_048, 512
    if fits != FITS:
        return INCOMPLETE, plan, steps, make_circuit(0, 0, 0)
    circuit = make_circuit(steps, states, pairs)
    answer = build(plan, steps, circuit, last)
    while answer in (NO_STATES, NO_PAIRS):
        if answer == NO_STATES:
            states *= 4
        else:
            pairs *= 4
        circuit = make_circuit(steps, states, pairs)
        answer = build(plan, steps, circuit, last)
    return answer, plan, steps, circuit


@kernel(inline=True)
def weigh_parts(
    plan: CountPlan, steps: int, circuit: Circuit, by_traps: bool, trap_weight: float
) -> tuple[bool, PartWeights]:
    """Weigh all states, where each trap counts `trap_weight` times; false if weights are out of range."""
    live = mark_live(plan, steps, circuit)
    spans = place_weights(circuit, circuit.starts[steps], by_traps)
    values, scale = np.zeros(spans[-1], np.float64), np.ones(steps, np.float64)
    weights, none = Weights(live, spans, values, scale, by_traps, trap_weight, False), np.empty(0, np.float64)
    in_range = sweep(plan, 0, steps, circuit, weights, none, none, none, False)
    roots, bounds, fewest = root_weights(plan, circuit, weights)
    return in_range, PartWeights(weights, roots, bounds, fewest)


@kernel(inline=True)
def trace_parts(
    plan: CountPlan, steps: int, circuit: Circuit, w: PartWeights, counts: Floats, cells: int
) -> tuple[bool, Floats, Floats]:
    """The weight of all solutions with a trap in each of the `cells` cells, and with a gem.

    Weight `w.roots[i]` counts `counts[i]` times. The first value is false if the results are out of range.
    """
    share = root_shares(plan, circuit, w.weights.spans, w.bounds, counts)
    with_trap, with_gem = np.zeros(cells, np.float64), np.zeros(cells, np.float64)
    sweep(plan, 0, steps, circuit, w.weights, share, with_trap, with_gem, True)
    return all_certain(with_trap, with_gem), with_trap, with_gem
