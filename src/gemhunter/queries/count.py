"""The question "how many solutions are there?"."""

from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.puzzle import require_total
from gemhunter.counting.plan import NoSolution, Planned, plan_board
from gemhunter.queries.solutions import Ending, solutions
from gemhunter.solving.outcomes import GaveUp, Refuted, StopReason
from gemhunter.solving.run import Limits, Run, given_run

FEW = 200
"""So many solutions are listed, where a board is too wide for tables, before giving up."""

LARGEST_LISTED = 2500
"""Cells; on larger boards even a few solutions may take long to list."""


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
    run = given_run(run, Limits(time_limit, step_limit))
    counted = count_by_tables(run, grid, total)
    too_wide = isinstance(counted, GaveUp) and counted.stop_reason is StopReason.STATES
    if too_wide and grid.cells.size <= LARGEST_LISTED:
        few = _counted_one_by_one(run, grid, total)
        return counted if few is None else few
    return counted


def _counted_one_by_one(run: Run, grid: Grid, total: int | None) -> int | None:
    """The number of solutions of a board that has few, however wide it is; None if it has more."""
    listed = solutions(grid, total=total, limit=FEW + 1, run=run)
    found = sum(1 for _ in listed)
    return found if listed.ending is Ending.ALL or isinstance(listed.ending, Refuted) else None


def count_by_tables(run: Run, grid: Grid, total: int | None) -> int | GaveUp:
    """The number of solutions, or giving up at once if a board is too wide for tables."""
    planned = _planned(grid, total)
    if not isinstance(planned, Planned):
        return planned if isinstance(planned, GaveUp) else 0
    from gemhunter.counting.counts import count_parts
    from gemhunter.counting.joined_counts import MOST_CELLS, count_in_all, count_with_total

    cells = planned.parts.group_cells.size
    if total is not None and cells > MOST_CELLS:
        return _too_many(cells)
    parts = count_parts(planned, run, by_traps=total is not None)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else 0
    if total is None:
        return count_in_all(parts, planned.free.size)
    return count_with_total(parts, planned.free.size, total - planned.traps)


def count_by_traps(
    grid: Grid,
    *,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> dict[int, int] | GaveUp:
    """The exact number of solutions for each number of traps on the whole board that occurs, ascending."""
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    planned = _planned(grid, None)
    if not isinstance(planned, Planned):
        return planned if isinstance(planned, GaveUp) else {}
    from gemhunter.counting.counts import count_parts
    from gemhunter.counting.joined_counts import MOST_CELLS, counts_by_traps

    cells = planned.free.size + planned.parts.group_cells.size
    if cells > MOST_CELLS:
        return _too_many(cells)
    parts = count_parts(planned, run, by_traps=True)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else {}
    known = planned.traps
    return {known + traps: ways for traps, ways in counts_by_traps(parts, planned.free.size).items()}


def _too_many(cells: int) -> GaveUp:
    return GaveUp(
        StopReason.MEMORY, f"a number for each number of traps in {cells:,} undecided cells would not fit"
    )


def _planned(grid: Grid, total: int | None) -> Planned | NoSolution | GaveUp:
    if total is not None:
        require_total(total)
    return plan_board(grid)
