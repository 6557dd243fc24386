"""The question "how likely is each cell a trap?"."""

from collections.abc import Sequence
from numbers import Integral

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import LARGEST_STORED_TOTAL, require_total
from gemhunter.counting.plan import NoSolution, plan_board
from gemhunter.errors import InputError
from gemhunter.queries.answers import Probabilities
from gemhunter.queries.refutation import explained
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
    """How likely each hidden cell is a trap.

    All solutions are equally likely; with `total`, all that have so many traps on the whole board; with
    `density`, every cell was a trap with that probability before the clues were known. A step is a state
    of the count.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    odds = odds_of(density, total)
    if total is not None:
        require_total(total)
    from gemhunter.kernels.counting.positions import CONTRADICTORY, MOST_STATES, WEIGHED

    chances, answers = _weigh([grid], [total], odds, run.slice(MOST_STATES))
    if answers[0] == WEIGHED:
        return Probabilities(grid, chances[0].reshape(grid.cells.shape))
    if answers[0] == CONTRADICTORY:
        return explained(run, grid, total)
    return _weighed_at_length(run, grid, total, odds)


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


def odds_of(density: float | None, total: int | None) -> float:
    """What a trap counts against a gem; raises `InputError` for what is no density, or one beside a total."""
    if density is None:
        return 1.0
    if total is not None:
        raise InputError("a number of traps and a density exclude each other; give one of them")
    if not 0.0 < density < 1.0:
        raise InputError(f"a density is a number between 0 and 1, not {density}")
    return density / (1.0 - density)


def _total(total: int | None) -> int:
    from gemhunter.kernels.counting.positions import UNKNOWN_TOTAL

    return UNKNOWN_TOTAL if total is None else min(total, LARGEST_STORED_TOTAL)


def _weighed_together(
    grids: Sequence[Grid], totals: Sequence[int | None], density: float | None
) -> list[Probabilities | None]:
    """The answers about boards of one size that are quick to find; None for all others."""
    from gemhunter.kernels.counting.positions import MOST_STATES, WEIGHED

    odds = odds_of(density, next((total for total in totals if total is not None), None))
    chances, answers = _weigh(grids, totals, odds, MOST_STATES)
    return [
        Probabilities(grid, chance.reshape(grid.cells.shape)) if answer == WEIGHED else None
        for grid, chance, answer in zip(grids, chances, answers, strict=True)
    ]


def _weigh(
    grids: Sequence[Grid], totals: Sequence[int | None], odds: float, states: int
) -> tuple[NDArray[np.float64], NDArray[np.int8]]:
    """What the kernel `weigh_positions` finds out about boards of one size, making at most `states` each."""
    from gemhunter.kernels.counting.positions import weigh_positions

    chances = np.empty((len(grids), grids[0].cells.size))
    answers = np.empty(len(grids), np.int8)
    known = np.array([_total(total) for total in totals])
    weigh_positions(np.stack([grid.cells for grid in grids]), known, odds, states, chances, answers)
    return chances, answers


def _weighed_at_length(
    run: Run, grid: Grid, total: int | None, odds: float
) -> Probabilities | Refuted | GaveUp:
    """For boards that are too large to be weighed in one go."""
    from gemhunter.counting.weighing import WeighedBoard, chances, weigh_board

    planned = plan_board(grid)
    if isinstance(planned, GaveUp):
        return planned
    weighed = (
        planned if isinstance(planned, NoSolution) else weigh_board(planned, run, total=total, odds=odds)
    )
    if isinstance(weighed, WeighedBoard):
        found = chances(weighed, run)
        return found if isinstance(found, GaveUp) else Probabilities(grid, found.reshape(grid.cells.shape))
    return weighed if isinstance(weighed, GaveUp) else explained(run, grid, total)
