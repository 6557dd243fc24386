"""Help with the next deduction, in rungs of a ladder: each says more than the one before."""

from collections.abc import Collection
from dataclasses import dataclass

from gemhunter.core.grid import Grid, require_grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.steps import ExplanationStep
from gemhunter.deduce.wording import joined
from gemhunter.queries.explain import Thinking, with_steps
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run, given_run

RUNGS = 5
"""The kind of deduction, where to look, the clues, the conclusion, and the board with it."""

CLUES_RUNG, CONCLUSION_RUNG = 3, 4
"""The rung that names the clues, and the one that gives the deduction away."""


@dataclass(frozen=True, slots=True, eq=False)
class HintLadder:
    """The next deduction on a board in `RUNGS` texts, each of which says more, and the board after it.

    The last text is the sentence of the step again; `filled` is what it makes of the board.
    """

    step: ExplanationStep
    rungs: tuple[str, ...]
    filled: Grid

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the deduction on its board."""
        from gemhunter.queries.explain_pictures import notebook_hint

        return notebook_hint(self)


@dataclass(frozen=True, slots=True)
class NothingToDeduce:
    """No cell of the board can be deduced, and why; `gave_up` if it was not looked for to the end."""

    reason: str
    gave_up: GaveUp | None = None
    has_conflict: bool = False
    """Whether the clues conflict, so that the board has no solution."""


def hint(
    grid: Grid,
    *,
    total: int | None = None,
    marked: Collection[tuple[int, int]] = (),
    near: tuple[int, int] | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> HintLadder | NothingToDeduce:
    """The easiest deduction on a board; of several, the nearest to `near`.

    `marked` are cells that the player holds for traps: a step that only says so again is passed over.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    thinking = Thinking(read_puzzle(grid, total), run, focus=near)
    passed_over: list[ExplanationStep] = []
    for step in thinking.steps():
        if step.gems or not set(step.traps) <= set(marked):
            return HintLadder(step, _rungs(grid, step), with_steps(grid, (*passed_over, step)))
        passed_over.append(step)
    return NothingToDeduce(_why_nothing(thinking), thinking.gave_up, thinking.is_refuted)


def _why_nothing(thinking: Thinking) -> str:
    if thinking.refuted is not None:
        return f"the clues conflict: {thinking.refuted.reason}"
    if thinking.is_refuted:
        return "the clues conflict"
    if thinking.gave_up is not None:
        return f"gave up: {thinking.gave_up.reason}"
    if thinking.known.undecided == 0:
        return "everything is decided"
    return "no cell is certain: every hidden cell can be a trap or a gem"


def _rungs(grid: Grid, step: ExplanationStep) -> tuple[str, ...]:
    decided = "1 cell is" if len(step.decides) == 1 else f"{counted(len(step.decides), 'cell')} are"
    clues = joined([f"the {grid[clue]} at {clue}" for clue in step.clues], "other clues")
    if step.with_total:
        clues = f"{clues} and the total" if step.clues else "the total"
    return (
        f"{decided} decided by {step.rule.about}.",
        f"Look {_where(step)}.",
        f"Look at {clues}.",
        step.sentence,
        step.sentence,
    )


def _where(step: ExplanationStep) -> str:
    """Rows and columns that the clues and the decided cells span."""
    if not step.clues:
        return "at the number of traps that are left"
    rows = sorted({cell.row + 1 for cell in step.clues})
    cols = sorted({cell.col + 1 for cell in step.clues})
    return f"at {_span('row', rows)} and {_span('column', cols)}"


def _span(word: str, places: list[int]) -> str:
    return f"{word} {places[0]}" if len(places) == 1 else f"{word}s {places[0]} to {places[-1]}"
