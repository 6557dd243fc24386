"""The question "is there exactly one solution?"."""

import numpy as np

from gemhunter.core.grid import TRAP, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle, untouched_cells
from gemhunter.errors import TooLargeError
from gemhunter.queries.backbone import Backbone
from gemhunter.queries.open_cells import open_cells
from gemhunter.queries.open_clauses import open_clauses
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession


def is_unique(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> bool | GaveUp:
    """Whether `grid` has exactly one solution; false if it has none.

    A step is a question to a SAT solver, or a conflict on the way to its answer.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    if total is None and untouched_cells(read_puzzle(grid)).any():
        return False  # either no solution, or one more with that cell the other way round
    match solve(grid, total=total, run=run).outcome:
        case Solved(solution):
            return is_only(run, grid, solution.fill(grid), total=total)
        case Refuted():
            return False
        case GaveUp() as gave_up:
            return gave_up


def is_only(run: Run, grid: Grid, filled: Grid, *, total: int | None = None) -> bool | GaveUp:
    """Whether a known solution is the only one.

    If it is the only one that the clues allow, the total need not be looked at.
    """
    answer = _is_only(run, grid, filled, None)
    return answer if answer is True or total is None else _is_only(run, grid, filled, total)


def _is_only(run: Run, grid: Grid, filled: Grid, total: int | None) -> bool | GaveUp:
    puzzle = read_puzzle(grid, total)
    cells = open_cells(puzzle)
    solution = filled.cells.ravel()[puzzle.hidden] == TRAP
    free_traps = np.count_nonzero(solution[cells.free])
    if cells.free.size and (total is None or 0 < free_traps < cells.free.size):
        return False
    try:
        clauses, _ = open_clauses(cells)
    except TooLargeError as error:
        return GaveUp(StopReason.MEMORY, str(error))
    with SatSession(run, clauses) as session:
        backbone = Backbone(session, solution[cells.touched], cells.groups())
        gave_up = backbone.settle(until_other=True)
        return (not backbone.has_other) if gave_up is None else gave_up
