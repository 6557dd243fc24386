"""The request "draw some solutions at random"."""

from gemhunter.board.checker import check
from gemhunter.board.grid import Grid, require_grid
from gemhunter.board.puzzle import STORED_TOTAL_LIMIT, require_total
from gemhunter.counting.board_circuit import OUT_OF_RANGE, BoardCircuit
from gemhunter.counting.random_solutions import Urn
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
    """Solutions drawn at random with replacement, `number` of them, as filled grids.

    All solutions are equally likely, or with `total` those that have this number of traps; with `density` a
    solution is as likely as if every cell were a trap with that probability. A seed always draws the same
    solutions.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit), seed=seed)
    if number < 0:
        raise InputError(f"the number of samples must be ≥ 0, not {number}")
    trap_weight = trap_weight_of(density, total)
    if total is not None:
        require_total(total)
    known = None if total is None else min(total, STORED_TOTAL_LIMIT)
    weighed = weigh_board(BoardCircuit(grid), run, total=known, trap_weight=trap_weight)
    if not isinstance(weighed, WeighedBoard):
        return weighed if isinstance(weighed, GaveUp) else refuted_by_counting(run, grid, total)
    urn = Urn(weighed, run.seed)
    drawn: list[Grid] = []
    for _ in range(number):
        if limit := run.spend():
            return GaveUp(limit, f"{len(drawn)} of {number} drawn")
        filled = urn.draw()
        if filled is None:
            return OUT_OF_RANGE
        if broken := check(grid, filled, total):
            raise WrongAnswerError(f"drew a grid that is not a solution: {broken[0]}")
        drawn.append(filled)
    return drawn
