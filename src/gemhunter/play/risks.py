"""The risk of each hidden cell of a position, and the logarithm of the number of its solutions."""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.counting.circuit import COMPLETE, EMPTY_TABLE
from gemhunter.counting.grid_state import CELLS_DECIDED, CONFLICT_AT, GridState
from gemhunter.counting.parts import Parts, merge_and_split
from gemhunter.counting.weigh import (
    MOST_HIDDEN,
    TOO_LARGE,
    UNSOLVABLE,
    WEIGHED,
    build_parts,
    shares,
    trace_parts,
    weigh_parts,
)
from gemhunter.jit.arrays import Floats, Ints
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel
from gemhunter.play.game import View
from gemhunter.play.notes import PlayerNotes, decide_cell, follow_up, index_with_margins
from gemhunter.questions.answers import SAME, Forced, Probabilities
from gemhunter.questions.forced import forced
from gemhunter.questions.probability import probabilities
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

# The solutions of a position in play: the logarithm of their number, and the risk of each hidden cell.


MOST_STATES_IN_PLAY = 50_000
"""A position with more states is not weighed."""

BY_TOTAL = 0.0
"""Instead of a trap weight: the total counts exactly."""

TOTAL_UNKNOWN = 1.0
"""The trap weight with which every solution of the clues counts alike, whatever its number of traps."""

WITH_RISKS, WITHOUT_RISKS = True, False
"""Whether to find the risk of each cell, or only the number of solutions."""

NEARLY_DECIDED = 20
"""With no more traps or gems left to place, the total counts exactly on larger boards too."""

BELOW_ONE = 1.0 - 2.0**-53
"""The risk of a cell that is a gem so rarely that rounding would make it certain."""


class WeighedPosition(NamedTuple):
    """What is known about all solutions of a position.

    `log_count` is the logarithm of their number. Where the total does not count exactly it is a rough one,
    which can be compared between positions that were weighed with the same trap weight. `risk[i]` is the
    risk of cell i of `parts.group_cells`, and `untouched_risk` that of each of the `untouched` cells that no
    clue touches; both are there only if they were asked for. `spread[p]` is the number of different numbers
    of traps that part p can have, less one. `trap_weight` is what a trap counted against a gem, or
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
def log_factorials(size: int) -> Floats:
    """The logarithms of 0!, 1!, … up to `size`!."""
    logs = np.zeros(size + 1, np.float64)
    for i in range(2, size + 1):
        logs[i] = logs[i - 1] + np.log(np.float64(i))
    return logs


@kernel
def left_over(board: GridState) -> tuple[int, int]:
    """The number of known traps, and of undecided cells."""
    traps, hidden = 0, 0
    for code in board.codes:
        traps += code == TRAP
        hidden += code == HIDDEN
    return traps, hidden


@kernel
def no_parts() -> Parts:
    """No parts at all, for a board in conflict."""
    start, none = np.zeros(1, np.int64), np.zeros(0, np.int64)
    return Parts(start, start, start, none, start, none, none, none)


@kernel
def log_count_of(roots: Floats, bounds: Ints, untouched: int, rest: int, logs: Floats) -> float:
    """The logarithm of the number of solutions of all parts and the untouched cells with `rest` traps.

    `rest` counts what is beyond the fewest traps of the parts; minus infinity if nothing adds up.
    """
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
    total, highest = 0.0, -np.inf
    for i in range(max(0, rest - untouched), min(ways.size, rest + 1)):
        highest = max(highest, logs[untouched] - logs[rest - i] - logs[untouched - rest + i])
    for i in range(max(0, rest - untouched), min(ways.size, rest + 1)):
        total += ways[i] * np.exp(logs[untouched] - logs[rest - i] - logs[untouched - rest + i] - highest)
    return log_count + highest + np.log(total) if total > 0.0 else -np.inf


@kernel
def weigh_in_play(
    board: GridState, total: int, trap_weight: float, with_risks: bool, logs: Floats
) -> WeighedPosition:
    """Weigh all solutions with `total` traps of a position in which all is noted that follows at once.

    With a great many undecided cells the total does not count exactly: each cell is a trap as often as on
    average. A `trap_weight` other than `BY_TOTAL` says how often instead, on any board.
    """
    in_conflict = board.numbers[CONFLICT_AT] != NONE
    parts = no_parts() if in_conflict else merge_and_split(board)
    cells = parts.group_cells.size
    risk = np.zeros(cells if with_risks else 0, np.float64)
    known, hidden = left_over(board)
    untouched, spread = hidden - cells, np.zeros(parts.part_clues.size - 1, np.int64)
    if in_conflict:
        return WeighedPosition(UNSOLVABLE, -np.inf, risk, 0.0, untouched, parts, spread, trap_weight)
    answer, plan, steps, circuit = build_parts(parts, MOST_STATES_IN_PLAY)
    if answer != COMPLETE:
        answer = UNSOLVABLE if answer == EMPTY_TABLE else TOO_LARGE
        return WeighedPosition(answer, 0.0, risk, 0.0, untouched, parts, spread, trap_weight)
    rest = total - known
    for part in range(spread.size):
        state = circuit.starts[plan.roots[part]]
        spread[part] = circuit.most[state] - circuit.fewest[state]
        rest -= circuit.fewest[state]
    nearly_decided = min(rest, spread.sum() + untouched - rest) <= NEARLY_DECIDED
    by_total = hidden <= MOST_HIDDEN or (cells <= MOST_HIDDEN and nearly_decided)
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
        # A solution of the right total weighs 1 then.
        log_count = (
            (known - total) * np.log(trap_weight) + untouched * np.log1p(trap_weight) + np.log(roots).sum()
        )
    log_count -= np.log(w.scale).sum()
    if not with_risks:
        return WeighedPosition(WEIGHED, log_count, risk, 0.0, untouched, parts, spread, trap_weight)
    if by_total:
        counts, untouched_risk, _ = shares(roots, bounds, untouched, rest, 1.0, False)
    certain, with_trap, with_gem = trace_parts(plan, steps, circuit, by_total, weight, w, counts, cells)
    if not certain:
        return WeighedPosition(
            TOO_LARGE, log_count, risk, untouched_risk, untouched, parts, spread, trap_weight
        )
    for i in range(cells):
        risk[i] = with_trap[i] / (with_trap[i] + with_gem[i])
        if with_gem[i] > 0.0:
            risk[i] = min(risk[i], BELOW_ONE)
    return WeighedPosition(WEIGHED, log_count, risk, untouched_risk, untouched, parts, spread, trap_weight)


@kernel
def risks_by_index(board: GridState, w: WeighedPosition, cols: int) -> Floats:
    """The risk of each cell of a weighed board, by its index with margins."""
    risks = np.zeros(board.codes.size, np.float64)
    for index in range(board.codes.size):
        if board.codes[index] == HIDDEN:
            risks[index] = w.untouched_risk
        elif board.codes[index] == TRAP:
            risks[index] = 1.0
    for i in range(w.risk.size):
        risks[index_with_margins(board, cols, w.parts.group_cells[i])] = w.risk[i]
    return risks


@kernel
def note_certain(n: PlayerNotes, w: WeighedPosition, cols: int) -> bool:
    """Note all undecided cells that are equal in every solution; whether there is one."""
    board = n.board
    since = board.numbers[CELLS_DECIDED]
    free_is_certain = w.untouched > 0 and w.untouched_risk in (0.0, 1.0)
    touched = np.zeros(board.codes.size if free_is_certain else 0, np.bool_)
    for i in range(w.risk.size):
        index = index_with_margins(board, cols, w.parts.group_cells[i])
        if free_is_certain:
            touched[index] = True
        if w.risk[i] == 0.0 or w.risk[i] == 1.0:
            decide_cell(board, index, GEM if w.risk[i] == 0.0 else TRAP)
    for index in range(touched.size):
        if board.codes[index] == HIDDEN and not touched[index]:
            decide_cell(board, index, GEM if w.untouched_risk == 0.0 else TRAP)
    follow_up(n)
    return bool(board.numbers[CELLS_DECIDED] > since)


# The risk of each hidden cell, as far as a view shows it.


USUAL_LIMITS = Limits(seconds=5.0)
"""For each of two questions; ordinary positions take a thousandth of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Risks:
    """The risk of each hidden cell: exactly 0 or 1 where the clues and the total decide it.

    Not a number where the cell is shown, and where it is not known; then `gap` says why, and `gave_up` is the
    answer that the question for all risks got.
    """

    risks: NDArray[np.float64]
    gap: str = ""
    gave_up: GaveUp | None = None

    def risk(self, cell: Cell) -> float:
        """The risk of this cell."""
        return float(self.risks[cell])

    def gems(self) -> list[Cell]:
        """The hidden cells that cannot be traps, in reading order."""
        return _cells(self.risks == 0.0)

    def traps(self) -> list[Cell]:
        """The hidden cells that cannot be anything else, in reading order."""
        return _cells(self.risks == 1.0)

    def safest(self) -> list[Cell]:
        """The hidden cells with the least risk; none while some risks are not known."""
        if self.gap or np.isnan(self.risks).all():
            return []
        return _cells(self.risks <= np.nanmin(self.risks) * (1 + SAME))


def know(view: View, run: Run | None = None) -> Risks:
    """What can be known in this position; where exact answers give up, what the clues alone decide."""
    found = know_grid(view.grid, run, total=view.total)
    return (
        Risks(np.full(view.grid.cells.shape, np.nan), found.reason) if isinstance(found, Refuted) else found
    )


def know_grid(
    grid: Grid, run: Run | None = None, *, total: int | None = None, density: float | None = None
) -> Risks | Refuted:
    """What can be known of a grid, with a total or with a density; or that it has no solution."""
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
    return tuple(each for each in grid.around(cell) if grid[each] >= 0)


def nearest(cells: list[Cell], to: Cell) -> Cell:
    """The cell with the fewest steps of a king to another one; the first in reading order of several."""
    return min(cells, key=lambda cell: max(abs(cell.row - to.row), abs(cell.col - to.col)))


def _cells(where: NDArray[np.bool_]) -> list[Cell]:
    return [Cell(row, col) for row, col in np.argwhere(where).tolist()]
