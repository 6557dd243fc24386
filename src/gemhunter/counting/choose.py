"""A solution with a given total, read off the circuit of a board, which knows the totals of each part."""

from gemhunter.core.grid import Grid
from gemhunter.counting.plan import NoSolution, plan_board
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run


def choose_by_counting(grid: Grid, total: int | None, run: Run) -> Grid | NoSolution | GaveUp:
    """A solution of a board that is narrow enough for its tables to be made."""
    planned = plan_board(grid)
    if isinstance(planned, NoSolution | GaveUp):
        return planned
    from gemhunter.counting.samples import Urn
    from gemhunter.counting.weighing import WeighedBoard, weigh_board

    weighed = weigh_board(planned, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    drawn = Urn(weighed, run.seed).draw()
    if drawn is None:
        raise TypeError("whether a total is possible is never too small for a number")
    return drawn
