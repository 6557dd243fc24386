"""The wish "show me some solutions, drawn at random"."""

from gemhunter.core.checker import check
from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.puzzle import MANY, require_total
from gemhunter.errors import InputError, WrongAnswerError
from gemhunter.queries.probability import odds_of
from gemhunter.queries.refutation import explained
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run
from gemhunter.structure.planning import NoSolution, plan_board


def sample(
    grid: Grid,
    amount: int = 1,
    *,
    traps: int | None = None,
    density: float | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> list[Grid] | Refuted | GaveUp:
    """So many solutions drawn at random, with replacement, the board filled in.

    All solutions are equally likely, with `traps` all that have so many traps; with `density` a solution
    is as likely as it would be if every cell were a trap with that probability. The same seed draws the
    same ones.
    """
    require_grid(grid)
    run = Run(Limits(time_limit, step_limit), seed=seed)
    return sample_in(run, grid, amount, traps=traps, density=density)


def sample_in(
    run: Run, grid: Grid, amount: int = 1, *, traps: int | None = None, density: float | None = None
) -> list[Grid] | Refuted | GaveUp:
    """The same within a run made by the caller, with its seed."""
    if amount < 0:
        raise InputError(f"a number of samples is 0 or more, not {amount}")
    odds = odds_of(density, traps)
    if traps is not None:
        require_total(traps)
    planned = plan_board(grid)
    if isinstance(planned, GaveUp):
        return planned
    if isinstance(planned, NoSolution):
        return explained(run, grid, traps)
    from gemhunter.structure.drawing import Urn
    from gemhunter.structure.passes import OUT_OF_RANGE
    from gemhunter.structure.weighing import Weighed, weigh_board

    total = None if traps is None else min(traps, MANY)
    weighed = weigh_board(planned, run, total=total, odds=odds)
    if not isinstance(weighed, Weighed):
        return weighed if isinstance(weighed, GaveUp) else explained(run, grid, traps)
    urn = Urn(weighed, run.seed)
    drawn: list[Grid] = []
    for _ in range(amount):
        if limit := run.spend():
            return GaveUp(limit, f"{len(drawn)} of {amount} drawn")
        found = urn.draw()
        if found is None:
            return OUT_OF_RANGE
        drawn.append(found)
        if broken := check(grid, drawn[-1], traps):
            raise WrongAnswerError(f"drew a filling that is no solution: {broken[0]}")
    return drawn
