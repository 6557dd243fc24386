"""The question "how many solutions are there?"."""

from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import require_total
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.counts import count_for_each_total, count_solutions, count_with_total
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.solutions import Ending, solutions
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run


def count(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> int | GaveUp:
    """The exact number of solutions, with `total` traps on the whole board if that is known.

    A step is a state of the count; `GaveUp` says how many there can be at once. `if count(grid) == 1` is
    safe, but `if count(grid)` raises if it gave up.
    """
    require_grid(grid)
    return count_of(BoardCircuit(grid), given_run(run, Limits(time_limit, step_limit)), total)


def count_of(board: BoardCircuit, run: Run, total: int | None) -> int | GaveUp:
    """The exact number of solutions of a board whose circuit may have been built already."""
    counted = count_by_tables(board, run, total)
    too_wide = isinstance(counted, GaveUp) and counted.stop_reason is StopReason.STATES
    # A board that is too wide for tables may still have few solutions, which are listed one by one. On large
    # boards even that may take long.
    if too_wide and board.grid.cells.size <= 2500:
        listed = solutions(board.grid, total=total, limit=201, run=run)
        found = sum(1 for _ in listed)
        if listed.ending is Ending.ALL or isinstance(listed.ending, Refuted):
            return found
    return counted


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
    """The exact number of solutions for each possible number of traps on the whole board, ascending."""
    require_grid(grid)
    return count_for_each_total(BoardCircuit(grid), given_run(run, Limits(time_limit, step_limit)))


def refuted_by_counting(run: Run, grid: Grid, total: int | None) -> Refuted:
    """The refutation of a board that counting refuted, with the reason if the default engine finds one."""
    match solve(grid, total=total, run=run).outcome:
        case Refuted() as refuted:
            return refuted
        case GaveUp():
            return Refuted("no assignment satisfies all clues (shown by counting)")
        case Solved():
            raise WrongAnswerError("counting found no solution of a board that has one")
