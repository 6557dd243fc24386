"""The question "is there exactly one solution?"."""

import numpy as np

from gemhunter.core.grid import TRAP, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle, untouched_cells
from gemhunter.errors import TooLargeError
from gemhunter.queries.backbone import Backbone
from gemhunter.queries.solve import solve
from gemhunter.queries.undecided import undecided_cells, undecided_clauses
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

    If the clues alone allow no other, the total does not matter.
    """
    answer = _is_only(run, grid, filled, None)
    return answer if answer is True or total is None else _is_only(run, grid, filled, total)


def _is_only(run: Run, grid: Grid, filled: Grid, total: int | None) -> bool | GaveUp:
    puzzle = read_puzzle(grid, total)
    cells = undecided_cells(puzzle)
    solution = filled.cells.ravel()[puzzle.hidden] == TRAP
    untouched_traps = np.count_nonzero(solution[cells.untouched])
    if cells.untouched.size and (total is None or 0 < untouched_traps < cells.untouched.size):
        return False
    try:
        clauses, _ = undecided_clauses(cells)
    except TooLargeError as error:
        return GaveUp(StopReason.MEMORY, str(error))
    with SatSession(run, clauses) as session:
        backbone = Backbone(session, solution[cells.touched], cells.groups())
        gave_up = backbone.find(until_other=True)
        return (not backbone.has_other) if gave_up is None else gave_up
