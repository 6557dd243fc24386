"""The questions "which cells are the same in every solution?" and "is there exactly one solution?"."""

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid, require_grid
from gemhunter.board.puzzle import impossible_regions, read_puzzle, untouched_cells
from gemhunter.counting.board_circuit import BoardCircuit
from gemhunter.counting.plan import BoardPlan, NoSolution
from gemhunter.counting.weigh import forced_codes
from gemhunter.errors import TooLargeError
from gemhunter.jit.kernel import Ints
from gemhunter.questions.count import refuted_by_counting
from gemhunter.questions.solutions import (
    UNDECIDED,
    Booleans,
    UndecidedCells,
    undecided_cells,
    undecided_clauses,
)
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession
from gemhunter.wording import counted

# With more possible states, few of which are ever made, a SAT solver is faster than tables.
TABLE_COST_LIMIT = 100_000_000


@dataclass(frozen=True, slots=True, eq=False)
class Forced:
    """The hidden cells of `grid` that are the same in every solution."""

    grid: Grid
    traps: tuple[Cell, ...]
    gems: tuple[Cell, ...]

    @property
    def filled(self) -> Grid:
        """The grid with these cells filled in."""
        codes = self.grid.cells.copy()
        for cells, code in ((self.traps, TRAP), (self.gems, GEM)):
            for cell in cells:
                codes[cell] = code
        return Grid(codes)

    def __iter__(self) -> Iterator[Cell]:
        return iter(sorted(self.traps + self.gems))


def forced(
    grid: Grid,
    *,
    total: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Forced | Refuted | GaveUp:
    """All hidden cells of `grid` that are the same in every solution.

    After giving up, `decided` has those that were found. A step is a question to a SAT solver, or a conflict
    on the way to its answer.
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
    return _by_solver(run, grid, outcome.solution.fill(grid), total)


def forced_from(board: BoardCircuit, run: Run, filled: Grid, *, total: int | None = None) -> Forced | GaveUp:
    """The forced cells of a board with the solution `filled`, whose circuit may have been built already."""
    grid, known = board.grid, _read_off(board, run, total)
    return _forced(grid, known) if isinstance(known, Grid) else _by_solver(run, grid, filled, total)


def _read_off(board: BoardCircuit, run: Run, total: int | None) -> Grid | NoSolution | GaveUp:
    """The board with its forced cells filled in, from its circuit; gives up where SAT is faster."""
    # On small boards, a SAT solver answers before tables could be built.
    if total is None and board.grid.cells.size <= 1000:
        return GaveUp(StopReason.STATES)
    if impossible_regions(read_puzzle(board.grid, total)).size:
        return NoSolution()
    if limit := run.spend():
        return GaveUp(limit)
    own = run.within()
    plan = board.plan
    if isinstance(plan, BoardPlan) and plan.cost > TABLE_COST_LIMIT:
        return GaveUp(StopReason.STATES, plan.width)
    codes = forced_codes(board, own, total)
    return codes if isinstance(codes, NoSolution | GaveUp) else Grid(codes)


def _by_solver(run: Run, grid: Grid, filled: Grid, total: int | None) -> Forced | GaveUp:
    """The forced cells, found by asking a SAT solver for solutions that differ from a known one.

    The cells that the clues force are filled in before the total is added, which leaves fewer cells to count.
    """
    known, gave_up = _with_forced(run, grid, filled, None)
    if gave_up is None and total is not None:
        known, gave_up = _with_forced(run, known, filled, total)
    if gave_up is None:
        return _forced(grid, known)
    codes = known.cells[grid.cells == HIDDEN]
    cells = np.flatnonzero(codes != HIDDEN) + 1
    decided = np.where(codes[cells - 1] == TRAP, cells, -cells).tolist()
    so_far = f"{len(decided)} of {counted(codes.size, 'cell')} decided"
    detail = f"{gave_up.detail}; {so_far}" if gave_up.detail else so_far
    return GaveUp(gave_up.stop_reason, detail, tuple(decided))


def _forced(grid: Grid, known: Grid) -> Forced:
    new = np.where(grid.cells == HIDDEN, known.cells, HIDDEN)
    traps, gems = (tuple(Cell(*cell) for cell in np.argwhere(new == code).tolist()) for code in (TRAP, GEM))
    return Forced(grid, traps, gems)


def _with_forced(run: Run, grid: Grid, filled: Grid, total: int | None) -> tuple[Grid, GaveUp | None]:
    """`grid` with the forced cells that were found filled in, and why there may be more."""
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
    run: Run, cells: UndecidedCells, solution: Booleans, value: NDArray[np.int8]
) -> GaveUp | None:
    """Write the forced values of the undecided cells into `value`; returns why some may be missing."""
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
        # Can the untouched cells have a trap if the solution has none there, or else a gem?
        has_traps, untouched = solution[cells.untouched].any(), cells.untouched.size
        otherwise = slack.between(0, untouched - 1) if has_traps else slack.between(1, untouched)
        answer = Unsatisfiable() if otherwise is None else session.ask(otherwise)
        if isinstance(answer, Unsatisfiable):
            value[cells.untouched] = has_traps
        return answer if isinstance(answer, GaveUp) else None


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
        return False  # either there is no solution, or another one has the other value in that cell
    match solve(grid, total=total, run=run).outcome:
        case Solved(solution):
            return is_only(run, grid, solution.fill(grid), total=total)
        case Refuted():
            return False
        case GaveUp() as gave_up:
            return gave_up


def is_only(run: Run, grid: Grid, filled: Grid, *, total: int | None = None) -> bool | GaveUp:
    """Whether a known solution is the only one."""
    # If the clues alone allow no other, the total does not matter.
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


class Backbone:
    """The values of one solution, and which of them may still be in every solution.

    Each other solution rules out all cells in which it differs, so the solver prefers values that differ.
    Variable i + 1 of the session is cell i. Cells of one group can be swapped, so they are forced together or
    not at all: a group with both traps and gems is not forced, and of any other only one cell is tested.
    """

    def __init__(self, session: SatSession, traps: Booleans, groups: Ints) -> None:
        self._session = session
        self._groups = groups
        self._first = np.unique(groups, return_index=True)[1]
        self._traps = traps[self._first]
        self._suspected = np.ones(self._first.size, bool)
        self._forced = np.zeros(self._first.size, bool)
        self._clear(traps)

    @property
    def forced(self) -> Booleans:
        """True for each cell that is known to be the same in every solution."""
        known: Booleans = self._forced[self._groups]
        return known

    @property
    def has_other(self) -> bool:
        """Whether another solution is known."""
        return not (self._suspected | self._forced).all()

    def find(self, *, until_other: bool = False) -> GaveUp | None:
        """Ask until every cell is decided or, with `until_other`, another solution is known; may give up."""
        while self._suspected.any() and not (until_other and self.has_other):
            # Each question is about 100 cells: "does any of these differ in another solution?".
            suspects = np.flatnonzero(self._suspected)
            chunk = suspects[-100:]
            switch = self._session.new_variable()
            others = [-value for value in self._values(suspects)]
            self._session.prefer(others)
            self._session.add([-switch, *others[-100:]])
            answer = self._session.ask([switch])
            if isinstance(answer, GaveUp):
                return answer
            self._session.add([-switch])
            if isinstance(answer, Satisfied):
                self._clear(answer.model[: self._groups.size] > 0)
                continue
            self._suspected[chunk], self._forced[chunk] = False, True
            for value in self._values(chunk):
                self._session.add([value])
        return None

    def _clear(self, traps: Booleans) -> None:
        """Record another solution: groups in which a cell differs are not forced."""
        self._suspected[self._groups[traps != self._traps[self._groups]]] = False

    def _values(self, groups: Ints) -> list[int]:
        """For each group, the literal that says that its first cell has its value."""
        cells = self._first[groups] + 1
        values: list[int] = np.where(self._traps[groups], cells, -cells).tolist()
        return values
