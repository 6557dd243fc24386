"""The question "what is the probability of a trap in each cell?"."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import LARGEST_STORED_TOTAL, require_total
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.counting.plan import NoSolution
from gemhunter.counting.weigh import (
    MOST_STATES_AT_ONCE,
    UNKNOWN_TOTAL,
    UNSOLVABLE,
    WEIGHED,
    cell_probabilities,
    weigh_positions,
)
from gemhunter.errors import InputError
from gemhunter.printable import counted
from gemhunter.questions.answers import Probabilities
from gemhunter.questions.count import refuted_by_counting
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run, given_run


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

    All solutions are equally likely; with `total`, all that have this number of traps on the whole board;
    with `density`, every cell was a trap with that probability before the clues were known. A step is a
    state of the count.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    found, answers = _weigh([grid], [total], trap_weight, run.slice(MOST_STATES_AT_ONCE))
    if answers[0] == WEIGHED:
        return Probabilities(grid, found[0].reshape(grid.cells.shape))
    if answers[0] == UNSOLVABLE:
        return refuted_by_counting(run, grid, total)
    return _in_slices(BoardCircuit(grid), run, total, trap_weight)


def probabilities_of(
    board: BoardCircuit, run: Run, *, total: int | None = None, density: float | None = None
) -> Probabilities | Refuted | GaveUp:
    """The probability of a trap in each hidden cell of a board whose circuit may be there already."""
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    return _in_slices(board, run, total, trap_weight)


def probabilities_of_many(
    grids: Sequence[Grid], *, total: int | Sequence[int] | None = None, density: float | None = None
) -> list[Probabilities | Refuted | GaveUp]:
    """The probabilities of many boards at once, for simulations; `total` is one for all or one for each."""
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
    answers: list[Probabilities | Refuted | GaveUp | None] = [None] * len(grids)
    by_shape: dict[tuple[int, ...], list[int]] = {}
    for i, grid in enumerate(grids):
        by_shape.setdefault(grid.cells.shape, []).append(i)
    for members in by_shape.values():
        found = _weighed_together([grids[i] for i in members], [totals[i] for i in members], density)
        for i, answer in zip(members, found, strict=True):
            answers[i] = answer
    return [
        answer or probabilities(grid, total=one, density=density)
        for answer, grid, one in zip(answers, grids, totals, strict=True)
    ]


def trap_weight_of(density: float | None, total: int | None) -> float:
    """What a trap weighs if a gem weighs 1; raises `InputError` for a bad density, or one beside a total."""
    if density is None:
        return 1.0
    if total is not None:
        raise InputError("a number of traps and a density exclude each other; give one of them")
    if not 0.0 < density < 1.0:
        raise InputError(f"a density is a number between 0 and 1, not {density}")
    return density / (1.0 - density)


def assumption_words(total: int | None, density: float | None) -> str:
    """What risks rest on, in the words of every command and of the page."""
    if total is not None:
        return f"traps: {total}"
    if density is None or density == 0.5:  # a trap then weighs as much as a gem
        return "traps: unknown; all solutions count the same"
    return f"traps: unknown; assume {100 * density:g} % of all cells"


def _weighed_together(
    grids: Sequence[Grid], totals: Sequence[int | None], density: float | None
) -> list[Probabilities | None]:
    """The answers about boards of one size that are quick to find; None for all others."""
    trap_weight = trap_weight_of(density, next((total for total in totals if total is not None), None))
    found, answers = _weigh(grids, totals, trap_weight, MOST_STATES_AT_ONCE)
    return [
        Probabilities(grid, values.reshape(grid.cells.shape)) if answer == WEIGHED else None
        for grid, values, answer in zip(grids, found, answers, strict=True)
    ]


def _weigh(
    grids: Sequence[Grid], totals: Sequence[int | None], trap_weight: float, states: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """What the kernel `weigh_positions` finds out about boards of one size, making at most `states` each."""
    found = np.empty((len(grids), grids[0].cells.size))
    answers = np.empty(len(grids), np.int8)
    known = np.array(
        [UNKNOWN_TOTAL if total is None else min(total, LARGEST_STORED_TOTAL) for total in totals]
    )
    weigh_positions(np.stack([grid.cells for grid in grids]), known, trap_weight, states, found, answers)
    return found, answers


def _in_slices(
    board: BoardCircuit, run: Run, total: int | None, trap_weight: float
) -> Probabilities | Refuted | GaveUp:
    """The answer from a circuit of any size; the run is asked in between whether to go on."""
    found = cell_probabilities(board, run, total=total, trap_weight=trap_weight)
    if isinstance(found, GaveUp):
        return found
    if isinstance(found, NoSolution):
        return refuted_by_counting(run, board.grid, total)
    return Probabilities(board.grid, found.reshape(board.grid.cells.shape))
