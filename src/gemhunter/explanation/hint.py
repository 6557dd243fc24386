"""Help with the next deduction, in rungs of a ladder: each says more than the one before."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from gemhunter.board.grid import Cell, Grid, require_grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.explanation.explain import SMALL_BOARD_CELLS_EXPLAINED, Thinking, Window, windows, with_steps
from gemhunter.explanation.steps import ExplanationStep
from gemhunter.printable import counted, joined
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run, given_run

RUNGS = 5
"""The kind of deduction, where to look, the clues, the conclusion, and the board with it."""

CLUES_RUNG, CONCLUSION_RUNG = 3, 4
"""The rung that names the clues, and the one that gives the deduction away."""

FIRST_HINT_RADIUS = 32
"""On a large board, the cells at most this far from the player are looked at first."""


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
        from gemhunter.explanation.pictures import notebook_hint

        return notebook_hint(self)


@dataclass(frozen=True, slots=True)
class NothingToDeduce:
    """No cell of the board can be deduced, and why; `gave_up` if it was not looked for to the end."""

    reason: str
    gave_up: GaveUp | None = None
    has_conflict: bool = False
    """Whether the clues conflict, so that the board has no solution."""

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
    """The easiest deduction on a board; of several, the nearest to `near`.

    Of a large board only the surroundings of `near` are looked at, as far as it takes to decide a cell.

    `marked` are cells that the player holds for traps: a step that only says so again is passed over.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    for window in _windows(grid, near, total):
        found = _hint_in(window, grid, marked, near=near, run=run)
        if isinstance(found, HintLadder) or not found.may_be_further_away or window.is_whole:
            return found
        if reason := run.spend():
            return _gave_up(GaveUp(reason))
    raise AssertionError("the last window is the whole board")


def _windows(grid: Grid, near: tuple[int, int] | None, total: int | None) -> Iterator[Window]:
    """The whole board; of a large one, first the surroundings of `near`."""
    if near is None or grid.cells.size <= SMALL_BOARD_CELLS_EXPLAINED:
        return windows(grid, Cell(0, 0), total, radius=max(grid.cells.shape))
    return windows(grid, grid.on_board(near), total, radius=FIRST_HINT_RADIUS)


def _hint_in(
    window: Window,
    grid: Grid,
    marked: Collection[tuple[int, int]],
    *,
    near: tuple[int, int] | None,
    run: Run,
) -> HintLadder | NothingToDeduce:
    """The easiest deduction in a part of a board that is more than `marked` says."""
    thinking = Thinking(read_puzzle(window.grid, window.total), run, origin=window.corner, focus=near)
    known, passed_over = set(marked), list[ExplanationStep]()
    for step in thinking.steps():
        if step.gems or not known.issuperset(step.traps):
            return HintLadder(step, _rungs(grid, step), with_steps(grid, (*passed_over, step)))
        passed_over.append(step)
    return _nothing(thinking)


def _nothing(thinking: Thinking) -> NothingToDeduce:
    if thinking.gave_up is not None and not thinking.is_refuted:
        return _gave_up(thinking.gave_up)
    return NothingToDeduce(_why_nothing(thinking), thinking.gave_up, thinking.is_refuted)


def _gave_up(gave_up: GaveUp) -> NothingToDeduce:
    return NothingToDeduce(f"gave up: {gave_up.reason}", gave_up)


def _why_nothing(thinking: Thinking) -> str:
    if thinking.refuted is not None:
        return thinking.refuted.reason
    if thinking.is_refuted:
        return "the clues conflict"
    if thinking.known.undecided == 0:
        return "everything is decided"
    return "no cell is certain: every hidden cell can be a trap or a gem"


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
    """Rows and columns that the clues and the decided cells span."""
    if not step.clues:
        return "at the number of traps that are left"
    rows = sorted({cell.row + 1 for cell in step.clues})
    cols = sorted({cell.col + 1 for cell in step.clues})
    return f"at {_span('row', rows)} and {_span('column', cols)}"


def _span(word: str, places: list[int]) -> str:
    return f"{word} {places[0]}" if len(places) == 1 else f"{word}s {places[0]} to {places[-1]}"
