"""The question "how many solutions are there?", answered by listing them."""

from gemhunter.core.grid import Grid
from gemhunter.queries.solutions import Ending, solutions_in
from gemhunter.solving.outcomes import GaveUp, Limit, Refuted
from gemhunter.solving.run import Limits, Run

MOST_LISTED = 2000


def count(
    grid: Grid, *, traps: int | None = None, time_limit: float | None = None, step_limit: int | None = None
) -> int | GaveUp:
    """How many solutions `grid` has."""
    return count_in(Run(Limits(time_limit, step_limit)), grid, traps=traps)


def count_in(run: Run, grid: Grid, *, traps: int | None = None) -> int | GaveUp:
    """The same within a run made by the caller, who can watch and cancel it."""
    walk = solutions_in(run, grid, traps=traps, limit=MOST_LISTED)
    found = sum(1 for _ in walk)
    if walk.ending is Ending.ALL or isinstance(walk.ending, Refuted):
        return found
    return walk.ending if isinstance(walk.ending, GaveUp) else GaveUp(Limit.STATES)
