"""All questions about all solutions of a board at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.errors import InputError
from gemhunter.queries.answers import Forced, Probabilities
from gemhunter.queries.count import count_in
from gemhunter.queries.forced import forced_from
from gemhunter.queries.probability import probabilities_in
from gemhunter.queries.solve import solve_in
from gemhunter.queries.unique import is_only
from gemhunter.render.heat import draw_heat
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted
from gemhunter.solving.run import Limits, Run

LEAST_RISK = 2.0**-53
"""The least number that 1 can be told apart from."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What is true of all solutions of `grid`. Each answer stands by itself, whichever others gave up."""

    grid: Grid
    verdict: Outcome
    count: int | GaveUp
    unique: bool | GaveUp
    forced: Forced | Refuted | GaveUp
    probabilities: Probabilities | Refuted | GaveUp

    @property
    def risk(self) -> NDArray[np.float64]:
        """How likely each cell is a trap, as far as that is known; not a number elsewhere.

        Where the forced cells are known, the risk of those alone is 0 or 1, whatever rounding made of it.
        """
        risk = np.full(self.grid.cells.shape, np.nan)
        if isinstance(self.probabilities, Probabilities):
            risk = self.probabilities.values
        if isinstance(self.forced, Forced):
            known = self.forced.filled.cells
            found = (self.grid.cells == HIDDEN) & (known != HIDDEN)
            risk = np.where(found, known == TRAP, np.clip(risk, LEAST_RISK, 1 - LEAST_RISK))
        return risk

    @property
    def gave_up(self) -> dict[str, GaveUp]:
        """The questions that have no answer, by name, and why."""
        answers = {name: getattr(self, name) for name in ANSWERS}
        if not isinstance(self.count, GaveUp):
            del answers["verdict"]  # then the count has told whether there is a solution
        return {name: answer for name, answer in answers.items() if isinstance(answer, GaveUp)}

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the board as a heat map."""
        return draw_heat(self.grid, self.risk)


QUESTIONS = 5
"""Runs that an analysis makes at most."""

ANSWERS = ("verdict", "count", "unique", "forced", "probabilities")
"""The fields of an analysis that can give up."""


def analyse(
    grid: Grid,
    *,
    traps: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> Analysis:
    """Whether `grid` has a solution, how many, which cells they agree on, and how likely each is a trap.

    All solutions are equally likely, unless `density` says how likely a cell is a trap to begin with. Each
    of the questions has the limits for itself.
    """
    limits = Limits(time_limit, step_limit)
    return analyse_with(lambda _: Run(limits), grid, traps=traps, density=density)


def analyse_with(
    new_run: Callable[[str], Run], grid: Grid, *, traps: int | None = None, density: float | None = None
) -> Analysis:
    """The same; `new_run` is told what is asked next and makes the run for it."""
    if density is not None and not 0 < density < 1:
        raise InputError(f"a density is a number between 0 and 1, not {density}")
    if density is not None and traps is not None:
        raise InputError("a total and a density exclude each other: the total says how many traps there are")
    verdict = solve_in(new_run("solution"), grid, traps=traps).outcome
    if isinstance(verdict, Refuted):
        return _without_solution(grid, verdict)
    count = count_in(new_run("count"), grid, traps=traps)
    if count == 0:
        return _without_solution(grid, Refuted("no filling satisfies all clues (shown by counting)"))
    likely = probabilities_in(new_run("probabilities"), grid, traps=traps, density=density)
    if isinstance(verdict, GaveUp):
        unique = count if isinstance(count, GaveUp) else count == 1
        return Analysis(grid, verdict, count, unique, forced=verdict, probabilities=likely)
    filled = verdict.solution.fill(grid)
    forced = forced_from(new_run("forced cells"), grid, filled, traps=traps)
    if isinstance(count, GaveUp):
        unique = is_only(new_run("uniqueness"), grid, filled, traps=traps)
    else:
        unique = count == 1
    return Analysis(grid, verdict, count, unique, forced, likely)


def _without_solution(grid: Grid, verdict: Refuted) -> Analysis:
    return Analysis(grid, verdict, 0, unique=False, forced=verdict, probabilities=verdict)
