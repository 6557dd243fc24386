"""The question "how likely is each cell a trap?", answered by listing all solutions."""

import numpy as np

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.queries.answers import Probabilities
from gemhunter.queries.count import MOST_LISTED
from gemhunter.queries.solutions import Ending, solutions_in
from gemhunter.solving.outcomes import GaveUp, Limit, Refuted
from gemhunter.solving.run import Limits, Run


def probabilities(
    grid: Grid,
    *,
    traps: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> Probabilities | Refuted | GaveUp:
    """How likely each hidden cell is a trap."""
    return probabilities_in(Run(Limits(time_limit, step_limit)), grid, traps=traps, density=density)


def probabilities_in(
    run: Run, grid: Grid, *, traps: int | None = None, density: float | None = None
) -> Probabilities | Refuted | GaveUp:
    """The same within a run made by the caller, who can watch and cancel it."""
    walk = solutions_in(run, grid, traps=traps, limit=MOST_LISTED)
    odds = 1.0 if density is None else density / (1 - density)
    found = [filled.cells == TRAP for filled in walk]
    if isinstance(walk.ending, GaveUp | Refuted):
        return walk.ending
    if walk.ending is not Ending.ALL:
        return GaveUp(Limit.STATES)
    weights = odds ** np.array([np.count_nonzero(each) for each in found])
    values = np.tensordot(weights / weights.sum(), np.array(found, float), 1)
    return Probabilities(grid, np.where(grid.cells == HIDDEN, values, np.nan))
