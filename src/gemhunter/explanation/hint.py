"""Help with the next deduction, as the rungs of a ladder: each says more than the one before."""

from collections.abc import Collection
from dataclasses import dataclass

from gemhunter.board.grid import Cell, Grid, require_grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.deductions import DeductionSearch, with_steps
from gemhunter.explanation.explain import SMALL_BOARD_CELLS_EXPLAINED
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.explanation.windows import Window, windows
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.wording import counted, joined

RUNGS = 5
"""The kind of deduction, where to look, the clues, the conclusion, and the board with it."""

CLUES_RUNG, CONCLUSION_RUNG = 3, 4
"""The rung that names the clues, and the one that gives the deduction away."""


@dataclass(frozen=True, slots=True, eq=False)
class HintLadder:
    """The next deduction on a board in `RUNGS` texts, each of which says more, and the board after it.

    The last text repeats the sentence of the step, to be shown with the board that it leads to, `filled`.
    """

    step: ExplanationStep
    rungs: tuple[str, ...]
    filled: Grid

    def _repr_svg_(self) -> str:
        """The picture that notebooks show: the deduction on its board."""
        from gemhunter.draw.scenes import draw_scene
        from gemhunter.explanation.pictures import hint_storyboard

        return draw_scene(hint_storyboard(self), 0)


@dataclass(frozen=True, slots=True)
class NothingToDeduce:
    """No deduction was found, and why; `gave_up` if the search for one did not finish."""

    reason: str
    gave_up: GaveUp | None = None
    has_conflict: bool = False
    """Whether the clues conflict, so that the board has no solution."""
    is_decided: bool = False
    """Whether every cell is known already."""

    @property
    def may_be_further_away(self) -> bool:
        """Whether a larger part of the board may have a deduction."""
        return self.gave_up is None and not self.has_conflict


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
    """The easiest deduction on a board; of several equally easy ones, the nearest to `near`.

    On a large board, wider and wider windows around `near`, by default the first cell, are searched until one
    decides a cell. `marked` has the cells that the player has marked as traps: steps that only confirm them
    are passed over.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    is_large = grid.cells.size > SMALL_BOARD_CELLS_EXPLAINED
    middle = grid.on_board(near) if is_large and near is not None else Cell(0, 0)
    parts = windows(grid, middle, total, radius=32 if is_large else max(grid.cells.shape))
    for window in parts:
        found = _hint_in(window, grid, marked, near=near, run=run)
        if isinstance(found, HintLadder) or not found.may_be_further_away or window.is_whole:
            return found
        if reason := run.spend():
            return NothingToDeduce(f"gave up: {reason.value}", GaveUp(reason))
    raise AssertionError("the last window is the whole board")


def _hint_in(
    window: Window,
    grid: Grid,
    marked: Collection[tuple[int, int]],
    *,
    near: tuple[int, int] | None,
    run: Run,
) -> HintLadder | NothingToDeduce:
    """The easiest deduction in a window that decides more than the `marked` traps."""
    search = DeductionSearch(read_puzzle(window.grid, window.total), run, origin=window.corner, focus=near)
    known, passed_over = set(marked), list[ExplanationStep]()
    for step in search.steps():
        if step.gems or not known.issuperset(step.traps):
            return HintLadder(step, _rungs(grid, step), with_steps(grid, (*passed_over, step)))
        passed_over.append(step)
    if search.refuted is not None:
        reason = search.refuted.reason
    elif search.is_refuted:
        reason = "the clues conflict"
    elif search.gave_up is not None:
        reason = f"gave up: {search.gave_up.reason}"
    elif search.known.undecided == 0:
        reason = "everything is decided"
    else:
        reason = "no cell is certain: every hidden cell can be a trap or a gem"
    is_decided = search.gave_up is None and search.known.undecided == 0
    return NothingToDeduce(reason, search.gave_up, search.is_refuted, is_decided)


def _rungs(grid: Grid, step: ExplanationStep) -> tuple[str, ...]:
    clues = joined([f"the {grid[clue]} at {clue}" for clue in step.clues], "other clues")
    if step.with_total:
        clues = f"{clues} and the total" if step.clues else "the total"
    return (
        f"The next step decides {counted(len(step.decides), 'cell')}, by {step.rule.about}.",
        f"Look {_where(step)}.",
        f"Look at {clues}.",
        step.sentence,
        step.sentence,
    )


def _where(step: ExplanationStep) -> str:
    """The rows and columns that the clues span."""
    if not step.clues:
        return "at the number of traps that are left"
    rows = sorted({cell.row + 1 for cell in step.clues})
    cols = sorted({cell.col + 1 for cell in step.clues})
    return f"at {_span('row', rows)} and {_span('column', cols)}"


def _span(word: str, places: list[int]) -> str:
    return f"{word} {places[0]}" if len(places) == 1 else f"{word}s {places[0]} to {places[-1]}"
