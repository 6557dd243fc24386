"""All questions about all solutions of a board at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP, Grid, require_grid
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.draw.heat import draw_heat
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.answers import Forced, Probabilities
from gemhunter.questions.count import count_of
from gemhunter.questions.forced import forced_from, is_only
from gemhunter.questions.probability import probabilities_of, trap_weight_of
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, refuted_by_engine
from gemhunter.solving.run import Limits, Run

LEAST_RISK = 2.0**-53
"""Half the distance from 1 to the next larger number: what rounding can add to a risk or take from it."""


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What is true of all solutions of `grid`. Each answer is independent of which others gave up.

    If any answer shows that there is no solution, they all say so.
    """

    grid: Grid
    verdict: Outcome
    count: int | GaveUp
    unique: bool | GaveUp
    forced: Forced | Refuted | GaveUp
    probabilities: Probabilities | Refuted | GaveUp

    @property
    def risk(self) -> NDArray[np.float64]:
        """The probability that each cell is a trap, as far as it is known; NaN elsewhere.

        The risk of cells that are known to be forced is 0 or 1, and that of no others, whatever rounding made
        of it.
        """
        risk = np.full(self.grid.cells.shape, np.nan)
        if isinstance(self.probabilities, Probabilities):
            risk = np.clip(self.probabilities.values, LEAST_RISK, 1 - LEAST_RISK)
        known = self._with_forced_cells().cells
        found = (self.grid.cells == HIDDEN) & (known != HIDDEN)
        return np.where(found, known == TRAP, risk)

    def _with_forced_cells(self) -> Grid:
        """The grid with what is known to be forced filled in."""
        match self.forced:
            case Forced() as forced:
                return forced.filled
            case GaveUp() as gave_up:
                return gave_up.fill(self.grid)
            case Refuted():
                return self.grid

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution, by the verdict or by what else is known; None if it is not known."""
        if not isinstance(self.verdict, GaveUp):
            return isinstance(self.verdict, Solved)
        if not isinstance(self.count, GaveUp):
            return self.count > 0
        if not isinstance(self.probabilities, GaveUp):
            return isinstance(self.probabilities, Probabilities)
        return None

    @property
    def gave_up(self) -> dict[str, GaveUp]:
        """The questions that have no answer, by name, and why."""
        answers = {name: getattr(self, name) for name in ANSWERS}
        if self.solvable is not None:
            del answers["verdict"]
        return {name: answer for name, answer in answers.items() if isinstance(answer, GaveUp)}

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the board as a heat map."""
        return draw_heat(self.grid, self.risk)


MOST_ANALYSIS_RUNS = 5
"""The number of runs that an analysis makes at most."""

ANSWERS = ("verdict", "count", "unique", "forced", "probabilities")
"""The fields of an analysis that can give up."""


def analyse(
    grid: Grid,
    *,
    total: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> Analysis:
    """Whether `grid` has a solution, how many, which cells they agree on, and the risk of each cell.

    All solutions are equally likely, unless `density` is the probability of a trap before the clues were
    known. Each of the questions has the limits for itself.
    """
    require_grid(grid)
    limits = Limits(time_limit, step_limit)
    return analyse_with(lambda _: Run(limits), grid, total=total, density=density)


def analyse_with(
    new_run: Callable[[str], Run], grid: Grid, *, total: int | None = None, density: float | None = None
) -> Analysis:
    """Analyse `grid` in runs that `new_run` makes; it gets the name of the question that is asked next.

    All questions share one plan and one circuit of the board; `BoardCircuit` says what each is charged.
    """
    trap_weight_of(density, total)
    verdict = solve(grid, total=total, run=new_run("solution")).outcome
    if isinstance(verdict, Refuted):
        return _without_solution(grid, verdict)
    board = BoardCircuit(grid)
    number = count_of(board, new_run("count"), total)
    if number == 0:
        shown = refuted_by_engine("counting")
        return _refuted_after(verdict, 0, grid=grid, by=shown)
    risks = probabilities_of(board, new_run("probabilities"), total=total, density=density)
    if isinstance(risks, Refuted):
        return _refuted_after(verdict, number, grid=grid, by=risks)
    if isinstance(verdict, GaveUp):
        unique = number if isinstance(number, GaveUp) else number == 1
        return Analysis(grid, verdict, number, unique, forced=verdict, probabilities=risks)
    filled = verdict.solution.fill(grid)
    forced = forced_from(board, new_run("forced cells"), filled, total=total)
    if isinstance(number, GaveUp):
        unique = is_only(new_run("uniqueness"), grid, filled, total=total)
    else:
        unique = number == 1
    return Analysis(grid, verdict, number, unique, forced, risks)


def _refuted_after(verdict: Outcome, count: int | GaveUp, *, grid: Grid, by: Refuted) -> Analysis:
    """The analysis of a board that a later answer refuted; these must not say that it has a solution."""
    if isinstance(verdict, Solved) or (isinstance(count, int) and count > 0):
        raise WrongAnswerError("counting found no solution of a board that has one")
    return _without_solution(grid, by)


def _without_solution(grid: Grid, verdict: Refuted) -> Analysis:
    return Analysis(grid, verdict, 0, unique=False, forced=verdict, probabilities=verdict)
