"""The question "how many solutions are there?"."""

from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import require_total
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.counting.counts import count_for_each_total, count_solutions, count_with_total
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.solutions import Ending, solutions
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run

MOST_LISTED_SOLUTIONS = 200
"""The number of solutions that are listed, where a board is too wide for tables, before giving up."""

LARGEST_LISTED_BOARD = 2500
"""Cells; on larger boards even a few solutions may take long to list."""

SHOWN_BY_COUNTING = Refuted("no assignment satisfies all clues (shown by counting)")
"""The refutation of a board where no conflict set is known."""


def count(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> int | GaveUp:
    """The exact number of solutions, with `total` traps on the whole board if that is known.

    A step is a state of the count; `GaveUp` says how many there can be at once. A number answers every
    comparison, a `GaveUp` none: `if count(grid) == 1` is safe, `if count(grid)` raises if it gave up.
    """
    require_grid(grid)
    return count_of(BoardCircuit(grid), given_run(run, Limits(time_limit, step_limit)), total)


def count_of(board: BoardCircuit, run: Run, total: int | None) -> int | GaveUp:
    """The exact number of solutions of a board whose circuit may be there already."""
    counted = count_by_tables(board, run, total)
    too_wide = isinstance(counted, GaveUp) and counted.stop_reason is StopReason.STATES
    if too_wide and board.grid.cells.size <= LARGEST_LISTED_BOARD:
        few = _counted_one_by_one(run, board.grid, total)
        return counted if few is None else few
    return counted


def _counted_one_by_one(run: Run, grid: Grid, total: int | None) -> int | None:
    """The number of solutions of a board that has few, however wide it is; None if it has more."""
    listed = solutions(grid, total=total, limit=MOST_LISTED_SOLUTIONS + 1, run=run)
    found = sum(1 for _ in listed)
    return found if listed.ending is Ending.ALL or isinstance(listed.ending, Refuted) else None


def count_by_tables(board: BoardCircuit, run: Run, total: int | None) -> int | GaveUp:
    """The number of solutions; gives up at once if a board is too wide for tables."""
    if total is None:
        return count_solutions(board, run)
    require_total(total)
    return count_with_total(board, run, total)


def count_by_traps(
    grid: Grid,
    *,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> dict[int, int] | GaveUp:
    """The exact number of solutions for each number of traps on the whole board that occurs, ascending."""
    require_grid(grid)
    return count_for_each_total(BoardCircuit(grid), given_run(run, Limits(time_limit, step_limit)))


def refuted_by_counting(run: Run, grid: Grid, total: int | None) -> Refuted:
    """The refutation of a board that counting refuted; the default engine must agree and may know why."""
    match solve(grid, total=total, run=run).outcome:
        case Refuted() as refuted:
            return refuted
        case GaveUp():
            return SHOWN_BY_COUNTING
        case Solved():
            raise WrongAnswerError("counting found no solution of a board that has one")
