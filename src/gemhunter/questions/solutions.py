"""The question "what are all the solutions?", answered one by one in lexicographic order.

What single clues decide is filled in first (`undecided_cells`). Then `walk` gives values to the remaining
cells, one by one, and asks a SAT solver whether the values so far can be completed.
"""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Grid, require_grid
from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Regions, first_connected, read_puzzle, regions_by_cell
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.errors import InputError, TooLargeError
from gemhunter.jit.kernel import Ints
from gemhunter.questions.solve import solve
from gemhunter.solving.engine import Satisfied
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession

Booleans = NDArray[np.bool_]

PROPAGATION_ROUNDS = 1000  # a longer chain of implications is left to the SAT solver
TOTAL_CELL_LIMIT = 6000  # a total over more cells is not counted: the clauses would take too long to write
CELLS_PER_SOLVER = 500  # parts of a board share a solver until they have this many cells
REMEMBERED_ANSWERS = 200_000  # of all parts together


class Ending(StrEnum):
    """Why there are no more solutions, if no limit was reached."""

    ALL = "these are all"
    ENOUGH = "as many as requested"


class Solutions(Iterator[Grid]):
    """The solutions of a board as filled grids, each searched for only when it is requested.

    They come in lexicographic order: cells are compared in reading order, and a gem comes before a trap.
    `found` is the number of solutions so far. `ending` is None while there may be more; then it says whether
    these are all (`Ending.ALL`) or as many as requested (`Ending.ENOUGH`), that there are none (`Refuted`),
    or that a limit was reached first (`GaveUp`).
    """

    def __init__(self, run: Run, grid: Grid, *, total: int | None = None, limit: int | None = None) -> None:
        """Yield at most `limit` solutions; the limits of the run apply to all of them together."""
        if limit is not None and limit < 1:
            raise InputError(f"the limit must be a whole number above 0, not {limit}")
        self.grid = grid
        self.found = 0
        self.ending: Ending | Refuted | GaveUp | None = None
        self._limit = limit
        self._puzzle = read_puzzle(grid, total)
        self._filled_grids = self._search(run, total)

    def __next__(self) -> Grid:
        if self.found == self._limit:
            self.ending = Ending.ENOUGH
            self._filled_grids.close()
        filled = next(self._filled_grids)
        self.found += 1
        return filled

    def _search(self, run: Run, total: int | None) -> Generator[Grid, None, None]:
        outcome = solve(self.grid, total=total, run=run).outcome
        if not isinstance(outcome, Solved):
            self.ending = outcome
            return
        cells = undecided_cells(self._puzzle)
        undecided = self._puzzle.hidden[np.sort(np.concatenate([cells.touched, cells.untouched]))]
        codes = self.grid.cells.ravel().copy()
        decided = cells.value != UNDECIDED
        codes[self._puzzle.hidden[decided]] = np.where(cells.value[decided], TRAP, GEM)
        with ExitStack() as solvers:
            try:
                parts = part_of_each_cell(run, cells, outcome.solution.traps, solvers)
            except TooLargeError as error:
                self.ending = GaveUp(StopReason.MEMORY, str(error))
                return
            limit: StopReason | None = None
            for traps in walk(parts):
                if isinstance(traps, GaveUp):
                    self.ending = traps
                    return
                if limit is not None:
                    self.ending = GaveUp(limit)
                    return
                codes[undecided] = np.where(traps, TRAP, GEM)
                yield Grid(codes.reshape(self.grid.cells.shape))
                # A solution counts as a step, because finding it may have taken no question to the solver.
                limit = run.spend(1)
            self.ending = Ending.ALL


def solutions(
    grid: Grid,
    *,
    total: int | None = None,
    limit: int | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
    run: Run | None = None,
) -> Solutions:
    """All solutions of `grid`, or the first `limit` of them, one by one in lexicographic order.

    The limits apply to all of them together. A step is a question to a SAT solver, a conflict on the way to
    its answer, or a solution.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    return Solutions(run, grid, total=total, limit=limit)


# The cells of a solvable board that single clues leave undecided, and what is known of them as clauses.


UNDECIDED, IS_GEM, IS_TRAP = -1, 0, 1
"""What is known of a hidden cell."""


@dataclass(frozen=True, slots=True, eq=False)
class UndecidedCells:
    """What propagation leaves undecided of a puzzle, without its total.

    `value` says what is known of each hidden cell. `touched` are the undecided cells with a clue next to
    them, `untouched` the others, both numbered as hidden cells. `puzzle` has the clues that still constrain
    `touched`. `traps` is the number of traps among all undecided cells, if it is known.
    """

    value: NDArray[np.int8]
    touched: Ints
    untouched: Ints
    puzzle: Regions
    traps: int | None

    def groups(self) -> Ints:
        """A number for each touched cell; cells that touch exactly the same clues share it."""
        cells = self.touched.size
        at, regions = regions_by_cell(self.puzzle.starts, self.puzzle.cells, cells)
        touching = np.full((cells, 8), -1)  # a cell has at most eight neighbours
        owner = np.repeat(np.arange(cells), np.diff(at))
        touching[owner, np.arange(regions.size) - at[owner]] = regions
        return np.unique(touching, axis=0, return_inverse=True)[1].reshape(-1)

    def parts(self) -> Ints:
        """Label the connected components of the touched cells, in the reading order of their first cells.

        Cells of different parts have no clue in common, even indirectly.
        """
        first = first_connected(self.puzzle.starts, self.puzzle.cells, self.touched.size)
        return np.unique(first, return_inverse=True)[1].reshape(-1)


def undecided_cells(puzzle: Puzzle) -> UndecidedCells:
    """Decide what single clues decide until nothing follows, ignoring the total.

    The puzzle must have a solution, because conflicts are not looked for.
    """
    with_total = puzzle.clues.size > 0 and puzzle.clues[-1] == TOTAL_CLUE
    clues = puzzle.clues.size - with_total
    sizes, cells = puzzle.sizes[:clues], puzzle.cells[: puzzle.starts[clues]]
    value = np.full(puzzle.hidden.size, UNDECIDED, np.int8)
    region = np.repeat(np.arange(clues), sizes)
    need = _propagate(value, cells, region, puzzle.traps[:clues].copy())

    is_left = value[cells] == UNDECIDED
    cells, region = cells[is_left], region[is_left]
    left, of_entry = np.unique(region, return_inverse=True)
    touched = np.unique(cells)
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_entry, minlength=left.size))])
    rest = Regions(puzzle.cols, puzzle.hidden[touched], starts, np.searchsorted(touched, cells), need[left])
    untouched = value == UNDECIDED
    untouched[touched] = False
    traps = int(puzzle.traps[-1]) - int(np.count_nonzero(value == IS_TRAP)) if with_total else None
    return UndecidedCells(value, touched, np.flatnonzero(untouched), rest, traps)


def _propagate(value: NDArray[np.int8], cells: Ints, region: Ints, need: Ints) -> Ints:
    """Fill in `value`; returns how many traps each region still needs. Region `region[i]` has `cells[i]`."""
    for _ in range(PROPAGATION_ROUNDS):
        left = np.bincount(region, minlength=need.size)
        decided = np.flatnonzero((left > 0) & ((need == 0) | (need == left)))
        if not decided.size:
            break
        full = np.zeros(need.size, bool)
        full[decided] = True
        sure = full[region]
        value[cells[sure]] = (need[region[sure]] > 0).astype(np.int8)
        known = value[cells]
        need -= np.bincount(region[known == IS_TRAP], minlength=need.size)
        cells, region = cells[known == UNDECIDED], region[known == UNDECIDED]
    return need


@dataclass(frozen=True, slots=True)
class Slack:
    """The number of traps among untouched cells, as variables `first` to `first + size - 1` of a formula.

    Variable `first + i` says that more than `least + i` of them are traps.
    """

    first: int
    least: int
    size: int

    def between(self, fewest: int, most: int) -> list[int] | None:
        """The literals that say that the number is from `fewest` to `most`; None if it cannot be."""
        if fewest > self.least + self.size or most < self.least or fewest > most:
            return None
        literals = []
        if fewest > self.least:
            literals.append(self.first + fewest - self.least - 1)
        if most < self.least + self.size:
            literals.append(-(self.first + most - self.least))
        return literals


def undecided_clauses(cells: UndecidedCells) -> tuple[list[list[int]], Slack | None]:
    """The clauses of the clues and the total, and with a total the `Slack` that counts the untouched cells.

    Touched cell i is the variable i + 1. Of the untouched cells only the number of traps matters, so they
    have no variables. Raises `TooLargeError` if there are too many cells to count.
    """
    if cells.traps is None:
        return encode_puzzle(cells.puzzle).clauses(), None
    touched = cells.touched.size
    least, most = max(cells.traps - touched, 0), min(cells.traps, cells.untouched.size)
    size = touched + most - least
    if size > TOTAL_CELL_LIMIT:
        limit = f"clauses count up to {TOTAL_CELL_LIMIT:,}"
        raise TooLargeError(f"the total spans {size:,} undecided cells; {limit}")
    counted = _with_total(cells.puzzle, size, cells.traps - least)
    slack = Slack(touched + 1, least, most - least)
    ordered = [[-later, earlier] for earlier, later in pairwise(range(touched + 1, size + 1))]
    return [*encode_puzzle(counted).clauses(), *ordered], slack


def _with_total(regions: Regions, size: int, traps: int) -> Regions:
    """Regions with cells appended, up to `size`, and with one more region: `traps` traps among all cells."""
    beyond = np.arange(size - regions.hidden.size) + regions.hidden.max(initial=-1) + 1
    return Regions(
        regions.cols,
        np.concatenate([regions.hidden, beyond]),
        np.append(regions.starts, regions.starts[-1] + size),
        np.concatenate([regions.cells, np.arange(size)]),
        np.append(regions.traps, traps),
    )


# A walk through all solutions in lexicographic order: depth first, cell by cell in reading order.
#
# Each cell belongs to a part, which says what values the cell can take. Other parts do not matter for that,
# so a part remembers its answers for the next walk through it.


UNTOUCHED_VARIABLE = 0
"""Stands for an untouched cell in a list of the variables of cells."""


def walk(part_of: Sequence["ClausePart | None"]) -> Iterator[Booleans | GaveUp]:
    """The values of all undecided cells in each solution, always in one array; a `GaveUp` may come last.

    `part_of` has the part of each cell; a cell without one can have either value.
    """
    traps: Booleans = np.zeros(len(part_of), bool)
    place = 0
    while True:
        # From here on, each cell is a gem if it can be one.
        for later in range(place, len(part_of)):
            part = part_of[later]
            gem = part is None or part.may_be(trap=False)
            if isinstance(gem, GaveUp):
                yield gem
                return
            if part is not None:
                part.push(trap=not gem)
            traps[later] = not gem
        yield traps
        # Turn the last gem that can be a trap into one. If there is none, this was the last solution.
        for place in reversed(range(len(part_of))):
            part = part_of[place]
            if part is not None:
                part.pop()
            if traps[place]:
                continue
            trap = part is None or part.may_be(trap=True)
            if isinstance(trap, GaveUp):
                yield trap
                return
            if trap:
                if part is not None:
                    part.push(trap=True)
                traps[place] = True
                break
        else:
            return
        place += 1


class ClausePart:
    """Cells that clauses constrain, in reading order; the first ones have `values`.

    `variables` has the variable of each cell, or `UNTOUCHED_VARIABLE`. Invariant: `values` can be completed
    to a solution, and `_model` is a solution that agrees with the first `_agreed` of them.
    """

    def __init__(
        self,
        open_session: Callable[[], SatSession],
        variables: list[int],
        model: list[bool],
        *,
        slack: Slack | None = None,
        remembers: int = 0,
    ) -> None:
        """`model` is a solution; `remembers` is the number of answers to keep."""
        self.values: list[bool] = []
        self._open_session = open_session
        self._variables = variables
        self._model = model
        self._agreed = 0
        self._slack = slack
        self._untouched_left = variables.count(UNTOUCHED_VARIABLE)
        self._untouched_traps = 0
        self._literals: list[int] = []
        self._prefix = 1
        self._remembers = remembers
        self._remembered: dict[int, bool] = {}

    def may_be(self, *, trap: bool) -> bool | GaveUp:
        """Whether a solution has these values and then `trap`."""
        at = len(self.values)
        if self._agreed == at and self._model[at] == trap:
            return True
        key = self._prefix << 1 | trap
        if key in self._remembered:
            return self._remembered[key]
        answer = self._ask(trap=trap)
        if self._remembers and not isinstance(answer, GaveUp):
            if len(self._remembered) >= self._remembers:
                self._remembered.clear()
            self._remembered[key] = answer
        return answer

    def push(self, *, trap: bool) -> None:
        """Give the next cell a value."""
        at = len(self.values)
        if self._agreed == at and self._model[at] == trap:
            self._agreed += 1
        self.values.append(trap)
        self._prefix = self._prefix << 1 | trap
        if self._variables[at] == UNTOUCHED_VARIABLE:
            self._untouched_left -= 1
            self._untouched_traps += trap
        else:
            self._literals.append(self._variables[at] if trap else -self._variables[at])

    def pop(self) -> None:
        """Remove the value of the last cell."""
        trap = self.values.pop()
        at = len(self.values)
        self._agreed = min(self._agreed, at)
        self._prefix >>= 1
        if self._variables[at] == UNTOUCHED_VARIABLE:
            self._untouched_left += 1
            self._untouched_traps -= trap
        else:
            self._literals.pop()

    def _ask(self, *, trap: bool) -> bool | GaveUp:
        self.push(trap=trap)
        assumptions = self._assumptions()
        answer = None if assumptions is None else self._open_session().ask(assumptions)
        if isinstance(answer, Satisfied):
            self._model = self._completed(answer.model.tolist())
        self.pop()
        if isinstance(answer, Satisfied):
            self._agreed = len(self.values)
            return True
        return answer if isinstance(answer, GaveUp) else False

    def _assumptions(self) -> list[int] | None:
        """The literals for the values so far, and for what the other untouched cells can add to the total."""
        if self._slack is None:
            return self._literals
        bounds = self._slack.between(self._untouched_traps, self._untouched_traps + self._untouched_left)
        return None if bounds is None else self._literals + bounds

    def _completed(self, literals: list[int]) -> list[bool]:
        """The solution in a model; of the untouched cells without a value, the last ones are traps."""
        model = [
            variable != UNTOUCHED_VARIABLE and literals[variable - 1] > 0 for variable in self._variables
        ]
        model[: len(self.values)] = self.values
        if self._slack is not None:
            slack = self._slack
            counted = literals[slack.first - 1 : slack.first - 1 + slack.size]
            traps = slack.least + int(np.count_nonzero(np.array(counted) > 0)) - self._untouched_traps
            untouched = [
                at for at in range(len(self.values), len(model)) if self._variables[at] == UNTOUCHED_VARIABLE
            ]
            for at in untouched[len(untouched) - traps :]:
                model[at] = True
        return model


def part_of_each_cell(
    run: Run, cells: UndecidedCells, solution: Booleans, solvers: ExitStack
) -> Sequence[ClausePart | None]:
    """The parts of all undecided cells in reading order, for `walk`.

    `solution` has the values of all hidden cells in one solution. Closing `solvers` closes the solvers.
    Raises `TooLargeError` if there is a total and too many cells to count.
    """
    undecided = np.concatenate([cells.touched, cells.untouched])
    order = np.argsort(undecided)
    if cells.traps is None:
        parts = [*_clause_parts(run, cells, solution, solvers), *[None] * cells.untouched.size]
        return [parts[at] for at in order.tolist()]
    clauses, slack = undecided_clauses(cells)
    variables = np.concatenate(
        [np.arange(cells.touched.size) + 1, np.full(cells.untouched.size, UNTOUCHED_VARIABLE)]
    )[order]
    session = solvers.enter_context(SatSession(run, clauses))
    model = solution[undecided[order]].tolist()
    return [ClausePart(lambda: session, variables.tolist(), model, slack=slack)] * order.size


def _clause_parts(
    run: Run, cells: UndecidedCells, solution: Booleans, solvers: ExitStack
) -> list[ClausePart]:
    """The part of each touched cell."""
    number = cells.parts()
    sizes = np.bincount(number)
    # A solver for each part would take too much memory; one for all would complete the whole board at every
    # question.
    bundle = (np.cumsum(sizes) // CELLS_PER_SOLVER)[number]
    remembers = REMEMBERED_ANSWERS // max(sizes.size, 1)
    parts: dict[int, ClausePart] = {}
    for label in np.unique(bundle):
        members = np.flatnonzero(bundle == label)
        session = _session_when_needed(run, cells.puzzle, members, solvers)
        for part in np.unique(number[members]).tolist():
            variables = np.flatnonzero(number[members] == part)
            model = solution[cells.touched[members[variables]]].tolist()
            parts[part] = ClausePart(session, (variables + 1).tolist(), model, remembers=remembers)
    return [parts[part] for part in number.tolist()]


def _session_when_needed(
    run: Run, puzzle: Regions, members: Ints, solvers: ExitStack
) -> Callable[[], SatSession]:
    """Returns the session for some cells of a puzzle, which is opened when it is first needed."""

    @cache
    def session() -> SatSession:
        clauses = encode_puzzle(_restricted(puzzle, members)).clauses()
        return solvers.enter_context(SatSession(run, clauses))

    return session


def _restricted(puzzle: Regions, members: Ints) -> Regions:
    """The regions of these cells, which share none with other cells; the cells are renumbered from 0."""
    number = np.full(puzzle.hidden.size, -1)
    number[members] = np.arange(members.size)
    entries = number[puzzle.cells]
    kept = entries[puzzle.starts[:-1]] >= 0
    starts = np.concatenate([[0], np.cumsum(puzzle.sizes[kept])])
    return Regions(puzzle.cols, puzzle.hidden[members], starts, entries[entries >= 0], puzzle.traps[kept])
