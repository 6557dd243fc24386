"""A solution with a given total, read off the circuit of a board: which totals a part can have is in there."""

from gemhunter.core.grid import Grid
from gemhunter.solving.outcomes import GaveUp, Limit
from gemhunter.solving.run import Run
from gemhunter.structure.planning import NoSolution, plan_board
from gemhunter.structure.weighing import Weighed, weigh_board

LARGEST_COST = 100_000_000
"""States that a plan may need at most; beyond that, a search is the better bet."""


def choose_by_counting(grid: Grid, total: int | None, run: Run) -> Grid | NoSolution | GaveUp:
    """A solution of a board that is narrow enough for its tables to be made."""
    planned = plan_board(grid, run)
    if isinstance(planned, NoSolution | GaveUp):
        return planned
    if planned.cost > LARGEST_COST:
        return GaveUp(Limit.STATES, planned.width)
    weighed = weigh_board(planned, run, total=total, only_whether=True)
    if not isinstance(weighed, Weighed):
        return weighed
    from gemhunter.structure.drawing import Urn

    return Urn(weighed, run.seed).draw()
