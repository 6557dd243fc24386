"""The solutions of a position in play: what they weigh in all, and how likely each open cell is a trap."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.grid import HIDDEN, TRAP
from gemhunter.kernels.counting.circuit import COMPLETE, EMPTY_TABLE
from gemhunter.kernels.counting.positions import MOST_HIDDEN
from gemhunter.kernels.counting.totals import shares
from gemhunter.kernels.counting.weigh_parts import (
    TOO_LARGE,
    UNSOLVABLE,
    WEIGHED,
    build_parts,
    trace_parts,
    weigh_parts,
)
from gemhunter.kernels.play.notes import place_of
from gemhunter.kernels.structure.grid_state import CONFLICT_AT, NONE, GridState
from gemhunter.kernels.structure.merge import merge_and_split
from gemhunter.kernels.structure.parts import Parts

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MOST_STATES_IN_PLAY = 50_000
"""A position with larger tables is left alone."""

BY_TOTAL = 0.0
"""As odds: the total says how many traps there are."""

WITH_RISKS, WITHOUT_RISKS = True, False
"""Whether to find the risk of each cell, or only how many solutions there are."""

NEARLY_DECIDED = 20
"""With no more traps to place among the open cells, or gems, the total counts exactly on any larger board."""

BELOW_ONE = 1.0 - 2.0**-53
"""The risk of a cell that is a gem so rarely that rounding would make it certain."""


class WeighedPosition(NamedTuple):
    """What is known about all solutions of a position.

    `amount` is the logarithm of their number; where the total does not count exactly, of a rough one, which
    can be compared between positions that were weighed with the same odds. `risk[i]` is how likely cell i of
    `parts.group_cells` is a trap, and `free_risk` how likely each of the `free` cells is that no clue
    touches; both are only there if they were asked for. `spread[p]` is how many numbers of traps part p can
    have, less one. `odds` is what a trap counted, or `BY_TOTAL` if the total counted exactly.
    """

    answer: int
    amount: float
    risk: Floats
    free_risk: float
    free: int
    parts: Parts
    spread: Ints
    odds: float


@kernel
def log_factorials(size: int) -> Floats:
    """The logarithms of 0!, 1!, … up to `size`!."""
    logs = np.zeros(size + 1, np.float64)
    for i in range(2, size + 1):
        logs[i] = logs[i - 1] + np.log(np.float64(i))
    return logs


@kernel
def left_over(board: GridState) -> tuple[int, int]:
    """How many traps are known, and how many cells are open."""
    traps, hidden = 0, 0
    for code in board.codes:
        traps += code == TRAP
        hidden += code == HIDDEN
    return traps, hidden


@kernel
def no_parts() -> Parts:
    """What is open of a board that has no solution: nothing that could be weighed."""
    start, none = np.zeros(1, np.int64), np.zeros(0, np.int64)
    return Parts(start, start, start, none, start, none, none, none)


@kernel
def log_amount(roots: Floats, bounds: Ints, free: int, rest: int, logs: Floats) -> float:
    """The logarithm of the number of solutions of all parts and the free cells with `rest` traps in all.

    `rest` counts what is beyond the fewest traps of the parts; minus infinity if nothing adds up.
    """
    ways = np.ones(1, np.float64)
    amount = 0.0
    for part in range(bounds.size - 1):
        width = bounds[part + 1] - bounds[part]
        product = np.zeros(ways.size + width - 1, np.float64)
        largest = 0.0
        for i in range(ways.size):
            for j in range(width):
                product[i + j] += ways[i] * roots[bounds[part] + j]
                largest = max(largest, product[i + j])
        amount += np.log(largest)
        ways = product / largest
    total, highest = 0.0, -np.inf
    for i in range(max(0, rest - free), min(ways.size, rest + 1)):
        highest = max(highest, logs[free] - logs[rest - i] - logs[free - rest + i])
    for i in range(max(0, rest - free), min(ways.size, rest + 1)):
        total += ways[i] * np.exp(logs[free] - logs[rest - i] - logs[free - rest + i] - highest)
    return amount + highest + np.log(total) if total > 0.0 else -np.inf


@kernel
def weigh_open(board: GridState, total: int, odds: float, with_risks: bool, logs: Floats) -> WeighedPosition:
    """Weigh all solutions of a position that has been worked out, with so many traps on the whole board.

    With very many open cells the total does not count exactly: each cell is a trap as often as on average.
    Odds that are given, and are not `BY_TOTAL`, say how often instead, on any board.
    """
    clashes = board.numbers[CONFLICT_AT] != NONE
    parts = no_parts() if clashes else merge_and_split(board)
    cells = parts.group_cells.size
    risk = np.zeros(cells if with_risks else 0, np.float64)
    known, hidden = left_over(board)
    free, spread = hidden - cells, np.zeros(parts.part_clues.size - 1, np.int64)
    if clashes:
        return WeighedPosition(UNSOLVABLE, -np.inf, risk, 0.0, free, parts, spread, odds)
    answer, plan, steps, circuit = build_parts(parts, MOST_STATES_IN_PLAY)
    if answer != COMPLETE:
        answer = UNSOLVABLE if answer == EMPTY_TABLE else TOO_LARGE
        return WeighedPosition(answer, 0.0, risk, 0.0, free, parts, spread, odds)
    rest = total - known
    for part in range(spread.size):
        state = circuit.starts[plan.roots[part]]
        spread[part] = circuit.most[state] - circuit.fewest[state]
        rest -= circuit.fewest[state]
    nearly_decided = min(rest, spread.sum() + free - rest) <= NEARLY_DECIDED
    by_total = hidden <= MOST_HIDDEN or (cells <= MOST_HIDDEN and nearly_decided)
    by_total = by_total and odds == BY_TOTAL
    if not by_total and odds == BY_TOTAL:
        odds = max(total - known, 0.5) / max(hidden - total + known, 0.5)
    weight = 1.0 if by_total else odds
    in_range, w = weigh_parts(plan, steps, circuit, by_total, weight)
    if not in_range:
        return WeighedPosition(TOO_LARGE, 0.0, risk, 0.0, free, parts, spread, odds)
    roots, bounds = w.roots, w.bounds
    free_risk, counts = weight / (1.0 + weight), np.ones(roots.size, np.float64)
    if by_total:
        amount = log_amount(roots, bounds, free, rest, logs)
        if amount == -np.inf:
            return WeighedPosition(UNSOLVABLE, amount, risk, 0.0, free, parts, spread, odds)
    else:
        # A solution of the right total weighs 1 then.
        amount = (known - total) * np.log(odds) + free * np.log1p(odds) + np.log(roots).sum()
    amount -= np.log(w.scale).sum()
    if not with_risks:
        return WeighedPosition(WEIGHED, amount, risk, 0.0, free, parts, spread, odds)
    if by_total:
        counts, free_risk, _ = shares(roots, bounds, free, rest, 1.0, False)
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, by_total, weight, w, counts, cells)
    if not certain:
        return WeighedPosition(TOO_LARGE, amount, risk, free_risk, free, parts, spread, odds)
    for i in range(cells):
        risk[i] = with_trap[i] / (with_trap[i] + with_gem[i])
        if with_gem[i] > 0.0:
            risk[i] = min(risk[i], BELOW_ONE)
    return WeighedPosition(WEIGHED, amount, risk, free_risk, free, parts, spread, odds)


@kernel
def risks_by_place(board: GridState, w: WeighedPosition, cols: int) -> Floats:
    """How likely each place of a weighed board is a trap."""
    risks = np.zeros(board.codes.size, np.float64)
    for place in range(board.codes.size):
        if board.codes[place] == HIDDEN:
            risks[place] = w.free_risk
        elif board.codes[place] == TRAP:
            risks[place] = 1.0
    for i in range(w.risk.size):
        risks[place_of(board, cols, w.parts.group_cells[i])] = w.risk[i]
    return risks
