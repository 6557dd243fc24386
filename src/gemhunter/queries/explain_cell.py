"""The question "why is this cell a trap, or a gem?", answered with only the steps that it needs."""

from collections.abc import Collection
from dataclasses import dataclass, replace

import numpy as np

from gemhunter.core.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.deduce.steps import ExplanationStep, needed_steps
from gemhunter.errors import InputError
from gemhunter.queries.explain import Thinking, explain, explained_conflict, two_solutions
from gemhunter.queries.explain_conflict import ExplainedConflict, explain_conflict
from gemhunter.queries.solve import solve
from gemhunter.queries.windows import SMALL_BOARD_CELLS_EXPLAINED, Window, windows
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Limits, Run, given_run

MOST_EASY_LEVEL = 2
"""In small windows only steps of at most this level are taken."""


@dataclass(frozen=True, slots=True, eq=False)
class CellExplanation:
    """Why one cell is what it is: `value` is `TRAP` or `GEM`, or `HIDDEN` if both are possible.

    `steps` end with the one that decides the cell, and leave out all that it does not need. If both are
    possible, `examples` has a solution with a trap there and one with a gem. If the clues conflict,
    `conflict` says which. `gave_up` says why there is no answer.
    """

    grid: Grid
    cell: Cell
    total: int | None
    value: int
    steps: tuple[ExplanationStep, ...] = ()
    examples: tuple[Grid, ...] = ()
    conflict: ExplainedConflict | None = None
    gave_up: GaveUp | None = None

    def _repr_html_(self) -> str:
        """What notebooks show: a player that goes through the steps."""
        from gemhunter.queries.explain_pictures import notebook_player

        return notebook_player(self)


def explain_cell(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """Why a hidden cell is a trap or a gem, or that it can be both.

    Of a large board only the surroundings of the cell are looked at, as far as they decide it.
    """
    return _explained(grid, cell, total, given_run(run, Limits(time_limit, step_limit))).answer


def explain_opposite(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """What goes wrong if a hidden cell has the other value: the steps lead to a clue that cannot hold."""
    run = given_run(run, Limits(time_limit, step_limit))
    found = _explained(grid, cell, total, run)
    answer, window = found.answer, found.window
    if answer.value == HIDDEN:
        return answer
    codes = window.grid.cells.copy()
    codes[window.inside(answer.cell)] = GEM if answer.value == TRAP else TRAP
    steps, conflict = explain_conflict(Grid(codes), window.total, run, origin=window.corner)
    return replace(answer, steps=steps, conflict=conflict)


@dataclass(frozen=True, slots=True, eq=False)
class _Found:
    answer: CellExplanation
    window: Window


def _explained(grid: Grid, cell: tuple[int, int], total: int | None, run: Run) -> _Found:
    require_grid(grid)
    asked = _hidden_cell(grid, cell)
    nothing = CellExplanation(grid, asked, total, HIDDEN)
    whole = next(windows(grid, asked, total, radius=max(grid.cells.shape)))
    is_large = grid.cells.size > SMALL_BOARD_CELLS_EXPLAINED
    if not is_large and (answer := _of_small_board(nothing, run)) is not None:
        return _Found(answer, whole)
    filled: Grid | None = None
    for window in windows(grid, asked, total):
        answer = _by_steps(nothing, window, run)
        if answer is not None:
            return _Found(answer, window)
        if is_large and filled is None and not window.is_small:
            outcome = solve(grid, total=total, run=run).outcome
            if isinstance(outcome, GaveUp):
                return _Found(replace(nothing, gave_up=outcome), window)
            if isinstance(outcome, Refuted):
                return _Found(_without_solution(nothing, outcome.clues, run), window)
            filled = outcome.solution.fill(grid)
        other = None if filled is None else _changed(filled, window, asked, run)
        if filled is not None and other is not None:
            pair = (filled, other) if filled[asked] == TRAP else (other, filled)
            return _Found(replace(nothing, examples=pair), window)
    return _Found(replace(nothing, examples=two_solutions(grid, asked, total, run)), whole)


def _of_small_board(nothing: CellExplanation, run: Run) -> CellExplanation | None:
    """The answer if the cell is not forced, or the clues conflict; None if steps decide the cell."""
    whole = explain(nothing.grid, total=nothing.total, run=run)
    if whole.conflict is not None:
        return replace(nothing, steps=whole.steps, conflict=whole.conflict, gave_up=whole.gave_up)
    if nothing.cell not in whole.open:
        return None
    if whole.gave_up is not None:
        return replace(nothing, gave_up=whole.gave_up)
    return replace(nothing, examples=two_solutions(whole.filled, nothing.cell, nothing.total, run))


def _by_steps(nothing: CellExplanation, window: Window, run: Run) -> CellExplanation | None:
    """The answer, if the clues of a window decide the cell, or cannot all hold.

    In the smallest windows only easy steps are taken: there may be easier ones further away.
    """
    puzzle = read_puzzle(window.grid, window.total)
    thinking = Thinking(puzzle, run, origin=window.corner, focus=nothing.cell)
    steps: list[ExplanationStep] = []
    for step in thinking.steps():
        if window.is_small and step.rule.level > MOST_EASY_LEVEL:
            return None
        steps.append(step)
        if nothing.cell in step.decides:
            value = TRAP if nothing.cell in step.traps else GEM
            return replace(nothing, value=value, steps=needed_steps(steps, [nothing.cell]))
    if thinking.is_refuted:
        return _without_solution(nothing, thinking.suspects(), run)
    return None if thinking.gave_up is None else replace(nothing, gave_up=thinking.gave_up)


def _without_solution(nothing: CellExplanation, suspects: Collection[Cell], run: Run) -> CellExplanation:
    whole = explained_conflict(nothing.grid, nothing.total, run, suspects)
    return replace(nothing, steps=whole.steps, conflict=whole.conflict, gave_up=whole.gave_up)


def _changed(filled: Grid, window: Window, cell: Cell, run: Run) -> Grid | None:
    """A solution that differs in `cell`, and otherwise only inside the window; None if there is none."""
    row, col = window.corner
    place = slice(row, row + window.grid.rows), slice(col, col + window.grid.cols)
    there = filled.cells[place]
    codes = np.where(window.fixed() & (window.grid.cells == HIDDEN), there, window.grid.cells)
    inside = window.inside(cell)
    codes[inside] = GEM if there[inside] == TRAP else TRAP
    changed = Grid(codes)
    traps = int(np.count_nonzero(there == TRAP)) if window.keeps_traps else None
    outcome = solve(changed, total=traps, run=run).outcome
    if not isinstance(outcome, Solved):
        return None
    board = filled.cells.copy()
    found = outcome.solution.fill(changed).cells
    board[place] = np.where(window.grid.cells == HIDDEN, found, there)
    return Grid(board)


def _hidden_cell(grid: Grid, cell: tuple[int, int]) -> Cell:
    asked = grid.on_board(cell)
    if grid[asked] != HIDDEN:
        raise InputError(f"{asked} is not hidden: the board shows {CELL_MARKS[grid[asked]]} there")
    return asked
