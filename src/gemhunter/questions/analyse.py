"""Answers all questions about the set of solutions of a board at once."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, TRAP, Grid, require_grid
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.draw.grids import draw_heat, heat_sign
from gemhunter.draw.text_maps import map_lines, plain_text, sign_pieces
from gemhunter.errors import WrongAnswerError
from gemhunter.questions.count import count_of
from gemhunter.questions.forced import Forced, forced_from, is_only
from gemhunter.questions.probability import Probabilities, probabilities_of, trap_weight_of
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, refuted_by_engine
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import about, joined


@dataclass(frozen=True, slots=True, eq=False)
class Analysis:
    """What is true of all solutions of `grid`; each answer can give up without the others.

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
        """The probability that each cell is a trap; NaN where it is not known.

        It is exactly 0 or 1 only for cells that are known to be forced.
        """
        risk = np.full(self.grid.cells.shape, np.nan)
        if isinstance(self.probabilities, Probabilities):
            # Half the distance from 1 to the next larger number: rounding can change a risk by that.
            risk = np.clip(self.probabilities.values, 2.0**-53, 1 - 2.0**-53)
        known = self.grid.cells
        if isinstance(self.forced, Forced):
            known = self.forced.filled.cells
        elif isinstance(self.forced, GaveUp):
            known = self.forced.fill(self.grid).cells
        is_forced = (self.grid.cells == HIDDEN) & (known != HIDDEN)
        return np.where(is_forced, known == TRAP, risk)

    @property
    def solvable(self) -> bool | None:
        """Whether there is a solution, by the verdict or any other answer; None if it is not known."""
        if not isinstance(self.verdict, GaveUp):
            return isinstance(self.verdict, Solved)
        if not isinstance(self.count, GaveUp):
            return self.count > 0
        if not isinstance(self.probabilities, GaveUp):
            return isinstance(self.probabilities, Probabilities)
        return None

    @property
    def gave_up(self) -> dict[str, GaveUp]:
        """The questions without an answer, by name, and why they have none."""
        questions = ("verdict", "count", "unique", "forced", "probabilities")
        answers = {name: getattr(self, name) for name in questions}
        if self.solvable is not None:
            del answers["verdict"]
        return {name: answer for name, answer in answers.items() if isinstance(answer, GaveUp)}

    def __str__(self) -> str:
        if isinstance(self.verdict, Refuted):
            return str(self.verdict)
        lines = [f"solution: {self.verdict}" if self.solvable is None else "has a solution"]
        number = self.count
        if isinstance(number, int):
            lines.append(f"solutions: {number:,}" if number < 10**15 else f"solutions: about {about(number)}")
        else:
            lines.append(f"solutions: {number}")
        if isinstance(self.forced, Forced):
            for kind, cells in (("traps", self.forced.traps), ("gems", self.forced.gems)):
                lines.append(f"forced {kind}: {joined([*map(str, cells)]) or 'none'}")
        else:
            lines.append(f"forced cells: {self.forced}")
        if max(self.grid.cells.shape) <= 100:  # a larger map would not be readable
            rows = zip(self.grid.cells.tolist(), self.risk.tolist(), strict=True)
            lines.append("risk in percent; T and G are certain:")
            lines.append(plain_text(map_lines(sign_pieces(map(heat_sign, *row) for row in rows))))
        return "\n".join(lines)

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the board as a heat map."""
        return draw_heat(self.grid, self.risk)


ANALYSIS_RUNS = 5
"""The largest number of runs that an analysis makes."""


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
    known. The limits apply to each question separately.
    """
    require_grid(grid)
    limits = Limits(time_limit, step_limit)
    return analyse_with(lambda _: Run(limits), grid, total=total, density=density)


def analyse_with(
    new_run: Callable[[str], Run], grid: Grid, *, total: int | None = None, density: float | None = None
) -> Analysis:
    """Analyse `grid` in runs that `new_run` makes, which gets the name of the next question.

    All questions share one plan and one circuit of the board; `BoardCircuit` says what each is charged.
    """
    trap_weight_of(density, total)  # raises `InputError` for a bad density before any work is done
    verdict = solve(grid, total=total, run=new_run("solution")).outcome
    if isinstance(verdict, Refuted):
        return _without_solution(grid, verdict)
    board = BoardCircuit(grid)
    number = count_of(board, new_run("count"), total)
    risks: Probabilities | Refuted | GaveUp
    if number == 0:
        risks = refuted_by_engine("counting")
    else:
        risks = probabilities_of(board, new_run("probabilities"), total=total, density=density)
    if isinstance(risks, Refuted):
        if isinstance(verdict, Solved) or (isinstance(number, int) and number > 0):
            raise WrongAnswerError("counting found no solution of a board that has one")
        return _without_solution(grid, risks)
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


def _without_solution(grid: Grid, verdict: Refuted) -> Analysis:
    return Analysis(grid, verdict, 0, unique=False, forced=verdict, probabilities=verdict)
