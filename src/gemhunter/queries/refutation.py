"""Why a board has no solution, for questions that found out by counting."""

from gemhunter.core.grid import Grid
from gemhunter.errors import WrongAnswerError
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, refuted_by_engine
from gemhunter.solving.run import Run


def explained(run: Run, grid: Grid, total: int | None) -> Refuted:
    """The refutation of a board that has no solution: the default engine must come to the same answer."""
    match solve(grid, total=total, run=run).outcome:
        case Refuted() as refuted:
            return refuted
        case GaveUp():
            return refuted_by_engine("counting")
        case Solved():
            raise WrongAnswerError("counting found no solution of a board that has one")
