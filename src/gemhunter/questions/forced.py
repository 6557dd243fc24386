"""The questions "which cells are the same in every solution?" and "is there exactly one solution?"."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle, untouched_cells
from gemhunter.counting.circuit import BoardCircuit
from gemhunter.counting.plan import BoardPlan, NoSolution
from gemhunter.counting.weigh import forced_codes
from gemhunter.errors import TooLargeError
from gemhunter.printable import counted
from gemhunter.questions.answers import Forced
from gemhunter.questions.count import refuted_by_counting
from gemhunter.questions.solve import solve
from gemhunter.questions.undecided import (
    UNDECIDED,
    Backbone,
    Slack,
    UndecidedCells,
    undecided_cells,
    undecided_clauses,
)
from gemhunter.solving.engine import SatAnswer, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession

# The question "which cells are the same in every solution?".


MOST_ASKED_CELLS = 1000
"""On boards with no more cells, a SAT solver answers faster than tables are made."""

LARGEST_COST = 100_000_000
"""States that tables may have at most, of which few are ever made. Beyond that, questions are quicker."""


def forced(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Forced | Refuted | GaveUp:
    """All hidden cells of `grid` that are the same in every solution.

    Giving up, `decided` has those that were found so far. A step is a question to a SAT solver, or a
    conflict on the way to its answer.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    known = _read_off(BoardCircuit(grid), run, total)
    if isinstance(known, NoSolution):
        return refuted_by_counting(run, grid, total)
    if isinstance(known, Grid):
        return _forced(grid, known)
    outcome = solve(grid, total=total, run=run).outcome
    if not isinstance(outcome, Solved):
        return outcome
    return _asked(run, grid, outcome.solution.fill(grid), total)


def forced_from(board: BoardCircuit, run: Run, filled: Grid, *, total: int | None = None) -> Forced | GaveUp:
    """The forced cells of a board that has the solution `filled`, and whose circuit may be there already."""
    grid, known = board.grid, _read_off(board, run, total)
    return _forced(grid, known) if isinstance(known, Grid) else _asked(run, grid, filled, total)


def _read_off(board: BoardCircuit, run: Run, total: int | None) -> Grid | NoSolution | GaveUp:
    """The board with what is forced filled in, from its circuit; gives up where SAT is quicker."""
    if total is None and board.grid.cells.size <= MOST_ASKED_CELLS:
        return GaveUp(StopReason.STATES)
    if impossible_regions(read_puzzle(board.grid, total)).size:
        return NoSolution()
    if limit := run.spend():
        return GaveUp(limit)
    own = run.within()
    plan = board.plan
    if isinstance(plan, BoardPlan) and plan.cost > LARGEST_COST:
        return GaveUp(StopReason.STATES, plan.width)
    codes = forced_codes(board, own, total)
    return codes if isinstance(codes, NoSolution | GaveUp) else Grid(codes)


def _asked(run: Run, grid: Grid, filled: Grid, total: int | None) -> Forced | GaveUp:
    """The forced cells, found by asking a SAT solver for solutions that differ from a known one.

    Clues come first. What they force is filled in before the total is added, which then has less to count.
    """
    known, gave_up = _with_forced(run, grid, filled, None)
    if gave_up is None and total is not None:
        known, gave_up = _with_forced(run, known, filled, total)
    if gave_up is None:
        return _forced(grid, known)
    found = known.cells[grid.cells == HIDDEN]
    cells = np.flatnonzero(found != HIDDEN) + 1
    decided = np.where(found[cells - 1] == TRAP, cells, -cells).tolist()
    so_far = f"{len(decided)} of {counted(found.size, 'cell')} decided"
    detail = f"{gave_up.detail}; {so_far}" if gave_up.detail else so_far
    return GaveUp(gave_up.stop_reason, detail, tuple(decided))


def _forced(grid: Grid, known: Grid) -> Forced:
    return Forced(grid, *(_cells_that_became(code, grid, known) for code in (TRAP, GEM)))


def _cells_that_became(code: int, grid: Grid, known: Grid) -> tuple[Cell, ...]:
    places = np.argwhere((known.cells == code) & (grid.cells == HIDDEN))
    return tuple(Cell(row, col) for row, col in places.tolist())


def _with_forced(run: Run, grid: Grid, filled: Grid, total: int | None) -> tuple[Grid, GaveUp | None]:
    """`grid` with the forced cells filled in that were found, and why there may be more."""
    puzzle = read_puzzle(grid, total)
    cells = undecided_cells(puzzle)
    solution = filled.cells.ravel()[puzzle.hidden] == TRAP
    value = cells.value.copy()
    gave_up = _find_values(run, cells, solution, value)
    codes = grid.cells.ravel().copy()
    known = value != UNDECIDED
    codes[puzzle.hidden[known]] = np.where(value[known], TRAP, GEM)
    return Grid(codes.reshape(grid.cells.shape)), gave_up


def _find_values(
    run: Run, cells: UndecidedCells, solution: NDArray[np.bool_], value: NDArray[np.int8]
) -> GaveUp | None:
    """Write the forced values of the undecided cells into `value`; None if nothing is missing."""
    try:
        clauses, slack = undecided_clauses(cells)
    except TooLargeError as error:
        return GaveUp(StopReason.MEMORY, str(error))
    with SatSession(run, clauses) as session:
        backbone = Backbone(session, solution[cells.touched], cells.groups())
        gave_up = backbone.find()
        found = cells.touched[backbone.forced]
        value[found] = solution[found]
        if gave_up is not None or slack is None or not cells.untouched.size:
            return gave_up
        traps = int(np.count_nonzero(solution[cells.untouched]))
        answer = _ask_otherwise(session, slack, traps, cells.untouched.size)
        if isinstance(answer, Unsatisfiable):
            value[cells.untouched] = traps > 0
        return answer if isinstance(answer, GaveUp) else None


def _ask_otherwise(session: SatSession, slack: Slack, traps: int, untouched: int) -> SatAnswer:
    """Whether the untouched cells can have a trap if they have none, or else a gem."""
    bounds = (1, untouched) if traps == 0 else (0, untouched - 1)
    otherwise = slack.between(*bounds)
    return Unsatisfiable() if otherwise is None else session.ask(otherwise)


# The question "is there exactly one solution?".


def is_unique(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> bool | GaveUp:
    """Whether `grid` has exactly one solution; false if it has none.

    A step is a question to a SAT solver, or a conflict on the way to its answer.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    if total is None and untouched_cells(read_puzzle(grid)).any():
        return False  # either no solution, or one more with that cell the other way round
    match solve(grid, total=total, run=run).outcome:
        case Solved(solution):
            return is_only(run, grid, solution.fill(grid), total=total)
        case Refuted():
            return False
        case GaveUp() as gave_up:
            return gave_up


def is_only(run: Run, grid: Grid, filled: Grid, *, total: int | None = None) -> bool | GaveUp:
    """Whether a known solution is the only one.

    If the clues alone allow no other, the total does not matter.
    """
    answer = _is_only(run, grid, filled, None)
    return answer if answer is True or total is None else _is_only(run, grid, filled, total)


def _is_only(run: Run, grid: Grid, filled: Grid, total: int | None) -> bool | GaveUp:
    puzzle = read_puzzle(grid, total)
    cells = undecided_cells(puzzle)
    solution = filled.cells.ravel()[puzzle.hidden] == TRAP
    untouched_traps = np.count_nonzero(solution[cells.untouched])
    if cells.untouched.size and (total is None or 0 < untouched_traps < cells.untouched.size):
        return False
    try:
        clauses, _ = undecided_clauses(cells)
    except TooLargeError as error:
        return GaveUp(StopReason.MEMORY, str(error))
    with SatSession(run, clauses) as session:
        backbone = Backbone(session, solution[cells.touched], cells.groups())
        gave_up = backbone.find(until_other=True)
        return (not backbone.has_other) if gave_up is None else gave_up
