"""The risk of each hidden cell of a position, for programs that play and for people.

`risks_of_view` and `risks_of_grid` ask the questions of `questions/` within limits. Below them, the kernel
`weigh_in_play` weighs a position in microseconds, which is what looking ahead needs.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, cells_where
from gemhunter.counting.circuit import COMPLETE, EMPTY_TABLE
from gemhunter.counting.combine import shares
from gemhunter.counting.parts import Parts, merge_and_split, no_parts
from gemhunter.counting.positions import build_parts, trace_parts, weigh_parts
from gemhunter.counting.propagate import CELLS_DECIDED, CONFLICT_AT, GridState, index_with_margins
from gemhunter.counting.weigh import EXACT_TOTAL_CELLS, TOO_LARGE, UNSOLVABLE, WEIGHED
from gemhunter.jit.kernel import Floats, Ints, kernel
from gemhunter.jit.search_state import NONE
from gemhunter.play.game import View
from gemhunter.play.notes import PlayerNotes, decide_cell, follow_up
from gemhunter.questions.forced import Forced, forced
from gemhunter.questions.probability import SAME, Probabilities, probabilities
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

USUAL_LIMITS = Limits(seconds=5.0)
"""The limits of each of two questions; ordinary positions take a thousandth of the time."""


@dataclass(frozen=True, slots=True, eq=False)
class Risks:
    """The risk of each hidden cell, exactly 0 or 1 if the clues and the total decide it.

    It is not a number if the cell is shown or the risk is not known. `gap` says why risks are not known, and
    `gave_up` is how the question for all risks was answered then.
    """

    risks: NDArray[np.float64]
    gap: str = ""
    gave_up: GaveUp | None = None

    def risk(self, cell: Cell) -> float:
        """The risk of this cell."""
        return float(self.risks[cell])

    def gems(self) -> list[Cell]:
        """The hidden cells that cannot be traps, in reading order."""
        return cells_where(self.risks == 0.0)

    def traps(self) -> list[Cell]:
        """The hidden cells that must be traps, in reading order."""
        return cells_where(self.risks == 1.0)

    def safest(self) -> list[Cell]:
        """The hidden cells with the least risk; none if some risks are not known."""
        if self.gap or np.isnan(self.risks).all():
            return []
        return cells_where(self.risks <= np.nanmin(self.risks) * (1 + SAME))


def risks_of_view(view: View, run: Run | None = None) -> Risks:
    """The risks in this view; if there is no exact answer in time, those that the clues alone decide."""
    known = risks_of_grid(view.grid, run, total=view.total)
    if isinstance(known, Refuted):
        return Risks(np.full(view.grid.cells.shape, np.nan), known.reason)
    return known


def risks_of_grid(
    grid: Grid, run: Run | None = None, *, total: int | None = None, density: float | None = None
) -> Risks | Refuted:
    """The risks of a grid, with a total or with a density; `Refuted` if it has no solution."""
    run = run or Run(USUAL_LIMITS)
    second = run.within()
    weighed = probabilities(grid, total=total, density=density, run=run)
    if isinstance(weighed, Probabilities):
        return Risks(weighed.values)
    if isinstance(weighed, Refuted):
        return weighed
    decided = forced(grid, run=second)
    risks = np.full(grid.cells.shape, np.nan)
    if isinstance(decided, Forced | GaveUp):
        filled = decided.filled if isinstance(decided, Forced) else decided.fill(grid)
        was_hidden = grid.cells == HIDDEN
        risks[was_hidden & (filled.cells == GEM)] = 0.0
        risks[was_hidden & (filled.cells == TRAP)] = 1.0
    return Risks(risks, weighed.reason, weighed)


def clues_around(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """The clues next to a cell, in reading order."""
    return tuple(near for near in grid.around(cell) if grid[near] >= 0)


def nearest(cells: list[Cell], to: Cell) -> Cell:
    """The nearest cell, where a diagonal step counts as one; of several, the first in reading order."""
    return min(cells, key=lambda cell: max(abs(cell.row - to.row), abs(cell.col - to.col)))


def percent(risk: float) -> str:
    """A risk as a percentage, which is 0 or 100 only if it is certain."""
    if risk in (0.0, 1.0):
        return f"{risk:.0%}".replace("%", " %")
    return f"{min(max(100 * risk, 0.1), 99.9):.1f} %"


# In play: the logarithm of the number of solutions of a position, and the risk of each hidden cell.


BY_TOTAL = 0.0
"""In place of a trap weight: the total counts exactly."""

TOTAL_UNKNOWN = 1.0
"""The trap weight with which all solutions of the clues count the same, whatever their number of traps."""

WITH_RISKS, WITHOUT_RISKS = True, False
"""Whether to find the risk of each cell, or only the number of solutions."""


class WeighedPosition(NamedTuple):
    """What is known about all solutions of a position.

    `log_count` is the logarithm of their number. If the total does not count exactly, it is approximate, and
    can be compared between positions that were weighed with the same trap weight. `risk[i]` is the risk of
    cell i of `parts.group_cells`, and `untouched_risk` that of each of the `untouched` cells that no clue
    touches; both are filled in only if they were requested. `spread[p]` is the difference between the most
    and the fewest traps that part p can have. `trap_weight` is what a trap counted against a gem, or
    `BY_TOTAL` if the total counted exactly.
    """

    answer: int
    log_count: float
    risk: Floats
    untouched_risk: float
    untouched: int
    parts: Parts
    spread: Ints
    trap_weight: float


@kernel
def weigh_in_play(
    board: GridState, total: int, trap_weight: float, with_risks: bool, logs: Floats
) -> WeighedPosition:
    """Weigh all solutions with `total` traps of a position whose immediate consequences are all noted.

    If there are very many undecided cells, the total does not count exactly: instead, the weight of a trap
    is the ratio of traps to gems among them. A `trap_weight` other than `BY_TOTAL` is used in place of the
    total.
    """
    in_conflict = board.numbers[CONFLICT_AT] != NONE
    parts = no_parts() if in_conflict else merge_and_split(board)
    cells = parts.group_cells.size
    risk = np.zeros(cells if with_risks else 0, np.float64)
    known, hidden = left_over(board)
    untouched, spread = hidden - cells, np.zeros(parts.part_clues.size - 1, np.int64)
    if in_conflict:
        return WeighedPosition(UNSOLVABLE, -np.inf, risk, 0.0, untouched, parts, spread, trap_weight)
    # A position with more than 50,000 states is not weighed.
    answer, plan, steps, circuit = build_parts(parts, 50_000)
    if answer != COMPLETE:
        answer = UNSOLVABLE if answer == EMPTY_TABLE else TOO_LARGE
        return WeighedPosition(answer, 0.0, risk, 0.0, untouched, parts, spread, trap_weight)
    rest = total - known
    for part in range(spread.size):
        state = circuit.starts[plan.roots[part]]
        spread[part] = circuit.most[state] - circuit.fewest[state]
        rest -= circuit.fewest[state]
    # On larger boards too, the exact total is used if at most 20 traps or 20 gems are left to place.
    nearly_decided = min(rest, spread.sum() + untouched - rest) <= 20
    by_total = hidden <= EXACT_TOTAL_CELLS or (cells <= EXACT_TOTAL_CELLS and nearly_decided)
    by_total = by_total and trap_weight == BY_TOTAL
    if not by_total and trap_weight == BY_TOTAL:
        trap_weight = max(total - known, 0.5) / max(hidden - total + known, 0.5)
    weight = 1.0 if by_total else trap_weight
    in_range, w = weigh_parts(plan, steps, circuit, by_total, weight)
    if not in_range:
        return WeighedPosition(TOO_LARGE, 0.0, risk, 0.0, untouched, parts, spread, trap_weight)
    roots, bounds = w.roots, w.bounds
    untouched_risk, counts = weight / (1.0 + weight), np.ones(roots.size, np.float64)
    if by_total:
        log_count = log_count_of(roots, bounds, untouched, rest, logs)
        if log_count == -np.inf:
            return WeighedPosition(UNSOLVABLE, log_count, risk, 0.0, untouched, parts, spread, trap_weight)
    else:
        # Scaled so that a solution of the right total weighs 1.
        log_count = (
            (known - total) * np.log(trap_weight) + untouched * np.log1p(trap_weight) + np.log(roots).sum()
        )
    log_count -= np.log(w.weights.scale).sum()
    if not with_risks:
        return WeighedPosition(WEIGHED, log_count, risk, 0.0, untouched, parts, spread, trap_weight)
    if by_total:
        counts, untouched_risk, _ = shares(roots, bounds, untouched, rest, 1.0, False)
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, w, counts, cells)
    if not certain:
        return WeighedPosition(
            TOO_LARGE, log_count, risk, untouched_risk, untouched, parts, spread, trap_weight
        )
    for i in range(cells):
        risk[i] = with_trap[i] / (with_trap[i] + with_gem[i])
        # Rounding must not make a cell a certain trap if it is a gem in very few solutions.
        if with_gem[i] > 0.0:
            risk[i] = min(risk[i], 1.0 - 2.0**-53)
    return WeighedPosition(WEIGHED, log_count, risk, untouched_risk, untouched, parts, spread, trap_weight)


@kernel
def log_count_of(roots: Floats, bounds: Ints, untouched: int, rest: int, logs: Floats) -> float:
    """The logarithm of the number of solutions of all parts and the untouched cells with `rest` traps.

    `rest` is the number of traps beyond the fewest of all parts. Minus infinity if there is no solution.
    """
    # The product of the polynomials of all parts, scaled at each step so that no coefficient overflows.
    ways = np.ones(1, np.float64)
    log_count = 0.0
    for part in range(bounds.size - 1):
        width = bounds[part + 1] - bounds[part]
        product = np.zeros(ways.size + width - 1, np.float64)
        largest = 0.0
        for i in range(ways.size):
            for j in range(width):
                product[i + j] += ways[i] * roots[bounds[part] + j]
                largest = max(largest, product[i + j])
        log_count += np.log(largest)
        ways = product / largest
    # The other traps are in untouched cells: a binomial for each number of them, relative to the largest.
    total, highest = 0.0, -np.inf
    for i in range(max(0, rest - untouched), min(ways.size, rest + 1)):
        highest = max(highest, logs[untouched] - logs[rest - i] - logs[untouched - rest + i])
    for i in range(max(0, rest - untouched), min(ways.size, rest + 1)):
        total += ways[i] * np.exp(logs[untouched] - logs[rest - i] - logs[untouched - rest + i] - highest)
    return log_count + highest + np.log(total) if total > 0.0 else -np.inf


@kernel
def log_factorials(size: int) -> Floats:
    """The logarithms of 0!, 1!, … up to `size`!."""
    logs = np.zeros(size + 1, np.float64)
    for i in range(2, size + 1):
        logs[i] = logs[i - 1] + np.log(np.float64(i))
    return logs


@kernel
def left_over(board: GridState) -> tuple[int, int]:
    """The numbers of known traps and of undecided cells."""
    traps, hidden = 0, 0
    for code in board.codes:
        traps += code == TRAP
        hidden += code == HIDDEN
    return traps, hidden


@kernel
def risks_by_index(board: GridState, w: WeighedPosition) -> Floats:
    """The risk of each cell of a weighed board, by its index with margins."""
    risks = np.zeros(board.codes.size, np.float64)
    for index in range(board.codes.size):
        if board.codes[index] == HIDDEN:
            risks[index] = w.untouched_risk
        elif board.codes[index] == TRAP:
            risks[index] = 1.0
    for i in range(w.risk.size):
        risks[index_with_margins(board, w.parts.group_cells[i])] = w.risk[i]
    return risks


@kernel
def note_certain(n: PlayerNotes, w: WeighedPosition) -> bool:
    """Note all undecided cells that are the same in every solution; True if there are any."""
    board = n.board
    since = board.numbers[CELLS_DECIDED]
    untouched_are_certain = w.untouched > 0 and w.untouched_risk in (0.0, 1.0)
    touched = np.zeros(board.codes.size if untouched_are_certain else 0, np.bool_)
    for i in range(w.risk.size):
        index = index_with_margins(board, w.parts.group_cells[i])
        if untouched_are_certain:
            touched[index] = True
        if w.risk[i] == 0.0 or w.risk[i] == 1.0:
            decide_cell(board, index, GEM if w.risk[i] == 0.0 else TRAP)
    for index in range(touched.size):
        if board.codes[index] == HIDDEN and not touched[index]:
            decide_cell(board, index, GEM if w.untouched_risk == 0.0 else TRAP)
    follow_up(n)
    return bool(board.numbers[CELLS_DECIDED] > since)
