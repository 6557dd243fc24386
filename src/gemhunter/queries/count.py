"""The question "how many solutions are there?"."""

from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.puzzle import require_total
from gemhunter.queries.solutions import Ending, solutions_in
from gemhunter.solving.outcomes import GaveUp, Limit, Refuted
from gemhunter.solving.run import Limits, Run
from gemhunter.structure.planning import NoSolution, Planned, plan_board

FEW = 200
"""So many solutions are listed, where a board is too wide for tables, before giving up."""

LARGEST_LISTED = 2500
"""Cells; on larger boards even a few solutions may take long to list."""


def count(
    grid: Grid, *, traps: int | None = None, time_limit: float | None = None, step_limit: int | None = None
) -> int | GaveUp:
    """The exact number of solutions, with `traps` traps on the whole board if that is known.

    A step is a state of the count; `GaveUp` says how many there can be at once. A number answers every
    comparison, a `GaveUp` none: `if count(grid) == 1` is safe, `if count(grid)` raises if it gave up.
    """
    require_grid(grid)
    return count_in(Run(Limits(time_limit, step_limit)), grid, traps=traps)


def count_in(run: Run, grid: Grid, *, traps: int | None = None) -> int | GaveUp:
    """The same within a run made by the caller, who can watch and cancel it."""
    counted = count_by_tables(run, grid, traps)
    too_wide = isinstance(counted, GaveUp) and counted.limit is Limit.STATES
    if too_wide and grid.cells.size <= LARGEST_LISTED:
        few = _counted_one_by_one(run, grid, traps)
        return counted if few is None else few
    return counted


def _counted_one_by_one(run: Run, grid: Grid, traps: int | None) -> int | None:
    """The number of solutions of a board that has few, however wide it is; None if it has more."""
    listed = solutions_in(run, grid, traps=traps, limit=FEW + 1)
    found = sum(1 for _ in listed)
    return found if listed.ending is Ending.ALL or isinstance(listed.ending, Refuted) else None


def count_by_tables(run: Run, grid: Grid, traps: int | None) -> int | GaveUp:
    """The number of solutions, or giving up at once if a board is too wide for tables."""
    planned = _planned(grid, traps)
    if not isinstance(planned, Planned):
        return planned if isinstance(planned, GaveUp) else 0
    from gemhunter.structure.counting import count_parts
    from gemhunter.structure.joining import MOST_CELLS, count_in_all, count_with_total

    cells = planned.parts.group_cells.size
    if traps is not None and cells > MOST_CELLS:
        return _too_many(cells)
    parts = count_parts(planned, run, by_traps=traps is not None)
    if not isinstance(parts, list):
        return parts if isinstance(parts, GaveUp) else 0
    if traps is None:
        return count_in_all(parts, planned.free.size)
    return count_with_total(parts, planned.free.size, traps - planned.traps)


def count_by_traps(
    grid: Grid, *, time_limit: float | None = None, step_limit: int | None = None
) -> dict[int, int] | GaveUp:
    """The exact number of solutions for each number of traps on the whole board that occurs, ascending."""
    require_grid(grid)
    return count_by_traps_in(Run(Limits(time_limit, step_limit)), grid)


def count_by_traps_in(run: Run, grid: Grid) -> dict[int, int] | GaveUp:
    """The same within a run made by the caller."""
    planned = _planned(grid, None)
    if not isinstance(planned, Planned):
        return planned if isinstance(planned, GaveUp) else {}
    from gemhunter.structure.counting import count_parts
    from gemhunter.structure.joining import MOST_CELLS, counts_by_traps

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
        Limit.MEMORY, f"a number for each number of traps in {cells:,} undecided cells would not fit"
    )


def _planned(grid: Grid, traps: int | None) -> Planned | NoSolution | GaveUp:
    if traps is not None:
        require_total(traps)
    return plan_board(grid)
