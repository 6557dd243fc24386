"""The request "draw some solutions at random"."""

from gemhunter.board.checker import check
from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import LARGEST_STORED_TOTAL, require_total
from gemhunter.counting.circuit import OUT_OF_RANGE, BoardCircuit
from gemhunter.counting.samples import Urn
from gemhunter.counting.weigh import WeighedBoard, weigh_board
from gemhunter.errors import InputError, WrongAnswerError
from gemhunter.questions.count import refuted_by_counting
from gemhunter.questions.probability import trap_weight_of
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run, given_run


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
    """A `number` of solutions drawn at random, with replacement, as filled grids.

    All solutions are equally likely, with `total` all that have this number of traps; with `density` a
    solution is as likely as it would be if every cell were a trap with that probability. The same seed
    draws the same ones.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit), seed=seed)
    if number < 0:
        raise InputError(f"a number of samples is 0 or more, not {number}")
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    known = None if total is None else min(total, LARGEST_STORED_TOTAL)
    weighed = weigh_board(BoardCircuit(grid), run, total=known, trap_weight=trap_weight)
    if not isinstance(weighed, WeighedBoard):
        return weighed if isinstance(weighed, GaveUp) else refuted_by_counting(run, grid, total)
    return _draw(weighed, run, number, total)


def _draw(weighed: WeighedBoard, run: Run, number: int, total: int | None) -> list[Grid] | GaveUp:
    """Draw and check `number` solutions of a weighed board."""
    grid = weighed.circuit.board.grid
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
            raise WrongAnswerError(f"drew a grid that is not a solution: {broken[0]}")
    return drawn
