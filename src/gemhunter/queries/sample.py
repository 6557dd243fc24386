"""The wish "show me some solutions, drawn at random"."""

from typing import TYPE_CHECKING

from gemhunter.core.checker import check
from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.puzzle import LARGEST_STORED_TOTAL, require_total
from gemhunter.counting.plan import NoSolution, plan_board
from gemhunter.errors import InputError, WrongAnswerError
from gemhunter.queries.probability import odds_of
from gemhunter.queries.refutation import explained
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run, given_run

if TYPE_CHECKING:
    from gemhunter.counting.weighing import WeighedBoard


def sample(
    grid: Grid,
    number: int = 1,
    *,
    total: int | None = None,
    density: float | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> list[Grid] | Refuted | GaveUp:
    """So many solutions drawn at random, with replacement, the board filled in.

    All solutions are equally likely, with `total` all that have so many traps; with `density` a solution
    is as likely as it would be if every cell were a trap with that probability. The same seed draws the
    same ones.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit), seed=seed)
    if number < 0:
        raise InputError(f"a number of samples is 0 or more, not {number}")
    odds = odds_of(density, total)
    if total is not None:
        require_total(total)
    planned = plan_board(grid)
    if isinstance(planned, GaveUp):
        return planned
    if isinstance(planned, NoSolution):
        return explained(run, grid, total)
    from gemhunter.counting.weighing import WeighedBoard, weigh_board

    known = None if total is None else min(total, LARGEST_STORED_TOTAL)
    weighed = weigh_board(planned, run, total=known, odds=odds)
    if not isinstance(weighed, WeighedBoard):
        return weighed if isinstance(weighed, GaveUp) else explained(run, grid, total)
    return _draw(weighed, run, number, total)


def _draw(weighed: "WeighedBoard", run: Run, number: int, total: int | None) -> list[Grid] | GaveUp:
    """Draw and check `number` solutions of a weighed board."""
    from gemhunter.counting.passes import OUT_OF_RANGE
    from gemhunter.counting.samples import Urn

    grid = weighed.planned.grid
    urn = Urn(weighed, run.seed)
    drawn: list[Grid] = []
    for _ in range(number):
        if limit := run.spend():
            return GaveUp(limit, f"{len(drawn)} of {number} drawn")
        found = urn.draw()
        if found is None:
            return OUT_OF_RANGE
        drawn.append(found)
        if broken := check(grid, drawn[-1], total):
            raise WrongAnswerError(f"drew a filling that is no solution: {broken[0]}")
    return drawn
