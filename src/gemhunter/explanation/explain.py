"""The question "why?", answered for a board, a cell or a conflict in steps that a person can follow.

`explain` answers it for a board and `explain_cell` for a cell; on a large board the cell is explained within
a window around it (`windows`). Both follow a `DeductionSearch` (`deductions`), which puts the chain of
deductions into words. `conflict` shows why a board has no solution.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

import numpy as np

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import read_puzzle
from gemhunter.errors import InputError
from gemhunter.explanation.conflict import explain_conflict, explained_conflict
from gemhunter.explanation.deductions import DeductionSearch, with_steps
from gemhunter.explanation.explanations import CellExplanation, Explanation
from gemhunter.explanation.steps import Difficulty, ExplanationStep, needed_steps, rate
from gemhunter.explanation.windows import Window, windows
from gemhunter.questions.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.solving.run import Limits, Run, given_run

SMALL_BOARD_CELLS_EXPLAINED = 5000
"""Boards of up to this size are first looked at as a whole, which also shows whether their clues conflict."""


def explain(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Explanation:
    """Why each forced cell of `grid` is what it is, always by the easiest deduction available.

    A step of the run is a deduction, or a step of `forced`.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    search = DeductionSearch(read_puzzle(grid, total), run)
    steps = tuple(search.steps())
    if search.is_refuted:
        return explained_conflict(grid, total, run, search.suspects())
    known = search.known
    open_cells = known.names(known.undecided_cells())
    if search.gave_up is not None:
        return Explanation(grid, total, steps, open_cells, gave_up=search.gave_up)
    examples = two_solutions(with_steps(grid, steps), open_cells[0], total, run) if open_cells else ()
    return Explanation(grid, total, steps, open_cells, examples)


def difficulty(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Difficulty | GaveUp:
    """How hard a board is for a person, judged by the steps that explain it."""
    found = explain(grid, total=total, time_limit=time_limit, step_limit=step_limit, run=run)
    return found.difficulty if found.gave_up is None else found.gave_up


def explain_cell(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """Why a hidden cell is a trap or a gem, or that it can be either.

    On a large board, wider and wider windows around the cell are searched until one decides it.
    """
    return _explained(grid, cell, total, given_run(run, Limits(time_limit, step_limit)))[0]


def explain_opposite(
    grid: Grid,
    cell: tuple[int, int],
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> CellExplanation:
    """What goes wrong if a forced cell has the other value: the steps lead to a clue that cannot hold."""
    run = given_run(run, Limits(time_limit, step_limit))
    answer, window = _explained(grid, cell, total, run)
    if answer.value == HIDDEN:
        return answer
    codes = window.grid.cells.copy()
    codes[window.inside(answer.cell)] = GEM if answer.value == TRAP else TRAP
    steps, conflict = explain_conflict(Grid(codes), window.total, run, origin=window.corner)
    return replace(answer, steps=steps, conflict=conflict)


def _explained(
    grid: Grid, cell: tuple[int, int], total: int | None, run: Run
) -> tuple[CellExplanation, "Window"]:
    """The answer about a cell, and the window that gave it."""
    require_grid(grid)
    asked = grid.on_board(cell)
    if grid[asked] != HIDDEN:
        raise InputError(f"{asked} is not hidden: the board shows {CELL_MARKS[grid[asked]]} there")
    nothing = CellExplanation(grid, asked, total, HIDDEN)
    whole = next(windows(grid, asked, total, radius=max(grid.cells.shape)))
    is_large = grid.cells.size > SMALL_BOARD_CELLS_EXPLAINED
    if not is_large:
        return _of_small_board(nothing, whole, run), whole
    filled: Grid | None = None
    for window in windows(grid, asked, total):
        answer = _by_steps(nothing, window, run)
        if answer is not None:
            return answer, window
        # The clues of this window do not decide the cell. On a large board it may be open. To show that, one
        # solution of the whole board is found, and changed within the window so that the cell differs.
        if filled is None and not window.is_small:
            outcome = solve(grid, total=total, run=run).outcome
            if isinstance(outcome, GaveUp):
                return replace(nothing, gave_up=outcome), window
            if isinstance(outcome, Refuted):
                return _without_solution(nothing, outcome.clues, run), window
            filled = outcome.solution.fill(grid)
        other = None if filled is None else _changed(filled, window, asked, run)
        if filled is not None and other is not None:
            pair = (filled, other) if filled[asked] == TRAP else (other, filled)
            return replace(nothing, examples=pair), window
    return replace(nothing, examples=two_solutions(grid, asked, total, run)), whole


def _of_small_board(nothing: CellExplanation, whole: "Window", run: Run) -> CellExplanation:
    """The answer from the whole board, or from windows if they have easier or fewer steps."""
    found = explain(nothing.grid, total=nothing.total, run=run)
    if found.conflict is not None:
        return replace(nothing, steps=found.steps, conflict=found.conflict, gave_up=found.gave_up)
    if nothing.cell in found.open:
        if found.gave_up is not None:
            return replace(nothing, gave_up=found.gave_up)
        return replace(nothing, examples=two_solutions(found.filled, nothing.cell, nothing.total, run))
    steps = _with_fewer_clues(nothing.cell, needed_steps(found.steps, [nothing.cell]), whole, run)
    far = replace(nothing, value=TRAP if nothing.cell in steps[-1].traps else GEM, steps=steps)
    answers = (
        _by_steps(nothing, window, run) for window in windows(nothing.grid, nothing.cell, nothing.total)
    )
    near = next((answer for answer in answers if answer is not None and answer.steps), far)
    return min(near, far, key=lambda answer: _effort(answer.steps))


def _effort(steps: Sequence[ExplanationStep]) -> tuple[int, int, int]:
    """The effort of these steps: their score, their hardest level, and how many clues they rest on."""
    difficulty = rate(steps)
    return difficulty.score, difficulty.level, sum(len(step.clues) + step.with_total for step in steps)


def _by_steps(nothing: CellExplanation, window: "Window", run: Run) -> CellExplanation | None:
    """The answer if the clues of a window decide the cell, conflict, or take too long; otherwise None.

    In the smallest windows only easy steps are taken, because there may be easier ones further away.
    """
    puzzle = read_puzzle(window.grid, window.total)
    search = DeductionSearch(puzzle, run, origin=window.corner, focus=nothing.cell)
    steps = _steps_to(nothing.cell, search, hardest=2 if window.is_small else None)
    if steps:
        value = TRAP if nothing.cell in steps[-1].traps else GEM
        return replace(nothing, value=value, steps=_with_fewer_clues(nothing.cell, steps, window, run))
    if search.is_refuted:
        return _without_solution(nothing, search.suspects(), run)
    return None if search.gave_up is None else replace(nothing, gave_up=search.gave_up)


def _steps_to(cell: Cell, search: "DeductionSearch", *, hardest: int | None) -> tuple[ExplanationStep, ...]:
    """The steps that a search needs to decide a cell; none if it cannot, or needs a rule above `hardest`."""
    steps: list[ExplanationStep] = []
    for step in search.steps():
        if hardest is not None and step.rule.level > hardest:
            break
        steps.append(step)
        if cell in step.decides:
            return needed_steps(steps, [cell])
    return ()


def _with_fewer_clues(
    cell: Cell, steps: tuple[ExplanationStep, ...], window: "Window", run: Run
) -> tuple[ExplanationStep, ...]:
    """Steps that decide the cell and take less effort, none of whose clues can be left out.

    Without a clue, cells that it would have decided stay hidden, so a later step may need no mention of them.
    """
    followed = 0  # each attempt follows about as many steps; very long explanations are not tried to the end
    needed = set[Cell]()
    while clue := next((clue for step in steps for clue in step.clues if clue not in needed), None):
        kept = {window.inside(each) for step in steps for each in step.clues} - {window.inside(clue)}
        followed += len(steps)
        # Without any clue, the total alone may decide the cell.
        if len(steps) == 1 or not (kept or window.total is not None) or followed > 2000:
            break
        is_kept = np.zeros(window.grid.cells.shape, bool)
        for each in kept:
            is_kept[each] = True
        codes = np.where(is_kept | (window.grid.cells < 0), window.grid.cells, GEM)
        top = left = 0
        if window.total is None:  # only the cells around these clues matter
            top, left = (max(min(places) - 1, 0) for places in zip(*kept, strict=True))
            bottom, right = (max(places) + 2 for places in zip(*kept, strict=True))
            codes = codes[top:bottom, left:right]
        puzzle = read_puzzle(Grid(codes), window.total)
        corner = Cell(window.corner.row + top, window.corner.col + left)
        search = DeductionSearch(puzzle, run, origin=corner, focus=cell)
        shorter = _steps_to(cell, search, hardest=rate(steps).level)
        if shorter and _effort(shorter) < _effort(steps):
            # With fewer clues, another one may no longer be needed.
            steps, needed = shorter, set()
        else:
            needed.add(clue)
    return steps


def _without_solution(nothing: CellExplanation, suspects: Collection[Cell], run: Run) -> CellExplanation:
    whole = explained_conflict(nothing.grid, nothing.total, run, suspects)
    return replace(nothing, steps=whole.steps, conflict=whole.conflict, gave_up=whole.gave_up)


def _changed(filled: Grid, window: "Window", cell: Cell, run: Run) -> Grid | None:
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


def two_solutions(grid: Grid, cell: Cell, total: int | None, run: Run) -> tuple[Grid, ...]:
    """Two solutions that differ in a cell that is not forced; fewer if the run ends first."""
    found = []
    for code in (TRAP, GEM):
        codes = grid.cells.copy()
        codes[cell] = code
        outcome = solve(Grid(codes), total=total, run=run).outcome
        if isinstance(outcome, Solved):
            found.append(outcome.solution.fill(Grid(codes)))
    return tuple(found)
