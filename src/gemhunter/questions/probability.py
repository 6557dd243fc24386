"""The question "what is the probability of a trap in each cell?"."""

from collections.abc import Sequence
from dataclasses import dataclass
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ReadOnlyArrays
from gemhunter.board.grid import Cell, Grid, require_grid
from gemhunter.board.puzzle import STORED_TOTAL_LIMIT, require_total
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.plan import NoSolution
from gemhunter.counting.positions import weigh_positions
from gemhunter.counting.weigh import STATES_AT_ONCE, UNKNOWN_TOTAL, UNSOLVABLE, WEIGHED, cell_probabilities
from gemhunter.errors import InputError
from gemhunter.questions.count import refuted_by_counting
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.wording import counted

SAME = 1e-9  # probabilities that differ by a smaller share of themselves count as equal; 0 equals only 0


@dataclass(frozen=True, slots=True, eq=False)
class Probabilities(ReadOnlyArrays):
    """The probability that each hidden cell of `grid` is a trap; NaN where the cell is not hidden."""

    grid: Grid
    values: NDArray[np.float64]

    def __getitem__(self, cell: tuple[int, int]) -> float:
        return float(self.values[self.grid.on_board(cell)])

    def safest(self) -> list[Cell]:
        """The hidden cells with the lowest probability, in reading order; none if all are traps."""
        return [Cell(row, col) for row, col in self.safest_places().tolist()]

    def safest_places(self) -> NDArray[np.int64]:
        """The safest cells as an array of rows and columns, for boards with a great many."""
        least = np.fmin.reduce(self.values, axis=None)
        # Equal probabilities may differ by rounding if they were added up in different orders.
        return np.argwhere((self.values <= least * (1 + SAME)) & (self.values < 1.0))


def probabilities(
    grid: Grid,
    *,
    total: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Probabilities | Refuted | GaveUp:
    """The probability that each hidden cell is a trap.

    All solutions are equally likely, or with `total` those that have this number of traps on the whole board;
    with `density`, every cell was a trap with that probability before the clues were known. A step is a
    state of the count.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    found, answers = _weigh([grid], [total], trap_weight, run.slice(STATES_AT_ONCE))
    if answers[0] == WEIGHED:
        return Probabilities(grid, found[0].reshape(grid.cells.shape))
    if answers[0] == UNSOLVABLE:
        return refuted_by_counting(run, grid, total)
    return probabilities_of(BoardCircuit(grid), run, total=total, density=density)


def probabilities_of(
    board: BoardCircuit, run: Run, *, total: int | None = None, density: float | None = None
) -> Probabilities | Refuted | GaveUp:
    """The probability of a trap in each hidden cell of a board whose circuit may have been built already."""
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    values = cell_probabilities(board, run, total=total, trap_weight=trap_weight)
    if isinstance(values, GaveUp):
        return values
    if isinstance(values, NoSolution):
        return refuted_by_counting(run, board.grid, total)
    return Probabilities(board.grid, values.reshape(board.grid.cells.shape))


def probabilities_of_many(
    grids: Sequence[Grid], *, total: int | Sequence[int] | None = None, density: float | None = None
) -> list[Probabilities | Refuted | GaveUp]:
    """The probabilities of many boards at once, for simulations; `total` is for all, or has one for each."""
    for grid in grids:
        require_grid(grid)
    each = [total] * len(grids) if total is None or isinstance(total, int | Integral) else total
    totals = [None if one is None else int(one) for one in each]
    for one in totals:
        if one is not None:
            require_total(one)
    if len(totals) != len(grids):
        raise InputError(
            f"{counted(len(totals), 'number')} of traps for {counted(len(grids), 'board')}; "
            "expected one for each, or one for all"
        )
    trap_weight = trap_weight_of(density, next((one for one in totals if one is not None), None))
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for i, grid in enumerate(grids):
        by_shape.setdefault(grid.cells.shape, []).append(i)
    # Weigh boards of the same size together; those that are too large for that are weighed one by one below.
    weighed: dict[int, Probabilities] = {}
    for members in by_shape.values():
        own = [grids[i] for i in members]
        found, answers = _weigh(own, [totals[i] for i in members], trap_weight, STATES_AT_ONCE)
        for i, values, answer in zip(members, found, answers.tolist(), strict=True):
            if answer == WEIGHED:
                weighed[i] = Probabilities(grids[i], values.reshape(grids[i].cells.shape))
    return [
        weighed[i] if i in weighed else probabilities(grid, total=totals[i], density=density)
        for i, grid in enumerate(grids)
    ]


def trap_weight_of(density: float | None, total: int | None) -> float:
    """What a trap weighs if a gem weighs 1; raises `InputError` for a bad density, or one beside a total."""
    if density is None:
        return 1.0
    if total is not None:
        raise InputError("give either a number of traps or a density, not both")
    if not 0.0 < density < 1.0:
        raise InputError(f"the density must be between 0 and 1, not {density}")
    return density / (1.0 - density)


def assumption_words(total: int | None, density: float | None) -> str:
    """What risks are based on, in the words of every command and of the page."""
    if total is not None:
        return f"traps: {total}"
    if density is None or density == 0.5:  # a trap then weighs as much as a gem
        return "traps: unknown; all solutions count the same"
    return f"traps: unknown; assuming {100 * density:g} % of all cells"


def _weigh(
    grids: Sequence[Grid], totals: Sequence[int | None], trap_weight: float, states: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """The answers of the kernel `weigh_positions` about boards of the same size, with up to `states` each."""
    found = np.empty((len(grids), grids[0].cells.size))
    answers = np.empty(len(grids), np.int8)
    known = np.array([UNKNOWN_TOTAL if total is None else min(total, STORED_TOTAL_LIMIT) for total in totals])
    weigh_positions(np.stack([grid.cells for grid in grids]), known, trap_weight, states, found, answers)
    return found, answers
