"""The question "is there exactly one solution?"."""

import numpy as np

from gemhunter.core.grid import TRAP, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle, untouched_cells
from gemhunter.errors import TooLargeError
from gemhunter.queries.backbone import Backbone
from gemhunter.queries.solve import solve_in
from gemhunter.solving.outcomes import GaveUp, Limit, Refuted, Solved
from gemhunter.solving.run import Limits, Run
from gemhunter.solving.session import SatSession
from gemhunter.structure.open_cells import open_cells
from gemhunter.structure.open_clauses import open_clauses


def is_unique(
    grid: Grid, *, traps: int | None = None, time_limit: float | None = None, step_limit: int | None = None
) -> bool | GaveUp:
    """Whether `grid` has exactly one solution; false if it has none.

    A step is a question to a SAT solver, or a conflict on the way to its answer.
    """
    require_grid(grid)
    return is_unique_in(Run(Limits(time_limit, step_limit)), grid, traps=traps)


def is_unique_in(run: Run, grid: Grid, *, traps: int | None = None) -> bool | GaveUp:
    """The same within a run made by the caller, who can watch and cancel it."""
    if traps is None and untouched_cells(read_puzzle(grid)).any():
        return False  # either no solution, or one more with that cell the other way round
    match solve_in(run, grid, traps=traps).outcome:
        case Solved(solution):
            return is_only(run, grid, solution.fill(grid), traps=traps)
        case Refuted():
            return False
        case GaveUp() as gave_up:
            return gave_up


def is_only(run: Run, grid: Grid, filled: Grid, *, traps: int | None = None) -> bool | GaveUp:
    """Whether a known solution is the only one.

    If it is the only one that the clues allow, the total need not be looked at.
    """
    answer = _is_only(run, grid, filled, None)
    return answer if answer is True or traps is None else _is_only(run, grid, filled, traps)


def _is_only(run: Run, grid: Grid, filled: Grid, traps: int | None) -> bool | GaveUp:
    puzzle = read_puzzle(grid, traps)
    cells = open_cells(puzzle)
    solution = filled.cells.ravel()[puzzle.hidden] == TRAP
    free_traps = np.count_nonzero(solution[cells.free])
    if cells.free.size and (traps is None or 0 < free_traps < cells.free.size):
        return False
    try:
        clauses, _ = open_clauses(cells)
    except TooLargeError as error:
        return GaveUp(Limit.MEMORY, str(error))
    with SatSession(run, clauses) as session:
        backbone = Backbone(session, solution[cells.touched], cells.groups())
        gave_up = backbone.settle(until_other=True)
        return (not backbone.has_other) if gave_up is None else gave_up
