"""The question "what are all the solutions?", answered one by one in lexicographic order."""

from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import ExitStack
from enum import StrEnum
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Grid, require_grid
from gemhunter.board.puzzle import Regions, read_puzzle
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.errors import InputError, TooLargeError
from gemhunter.jit.arrays import Ints
from gemhunter.questions.solve import solve
from gemhunter.questions.undecided import UNDECIDED, Slack, UndecidedCells, undecided_cells, undecided_clauses
from gemhunter.solving.engine import Satisfied
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run
from gemhunter.solving.session import SatSession

# A walk through all solutions in lexicographic order: depth first, cell by cell in reading order.


Booleans = NDArray[np.bool_]

CELLS_PER_SOLVER = 500
"""Parts share a solver until they have this many cells. One solver for each part would take memory; one for
all would have to complete the whole board at every question."""

MOST_REMEMBERED_ANSWERS = 200_000
"""The number of answers that all parts together keep."""

UNTOUCHED_VARIABLE = 0
"""Stands for an untouched cell where a touched one has its variable."""


class UntouchedPart:
    """One cell that no clue constrains."""

    def __init__(self) -> None:
        self.values: list[bool] = []

    def may_be(self, *, trap: bool) -> bool | GaveUp:  # noqa: ARG002 - as a part with clauses is asked
        """True: both values are possible."""
        return True

    def push(self, *, trap: bool) -> None:
        """Give the next cell a value."""
        self.values.append(trap)

    def pop(self) -> bool:
        """Take the value of the last cell away and return it."""
        return self.values.pop()


class ClausePart:
    """Cells that clauses constrain, in reading order; the first of them have `values`.

    `variables` has the variable of each cell, or `UNTOUCHED_VARIABLE`. Invariant: `values` can be completed
    to a solution, and `_model` is one that agrees with the first `_agreed` of them.
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
        """`model` is a solution; `remembers` is how many answers to keep."""
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
        """Whether a solution has these values and `trap` as the next."""
        at = len(self.values)
        if self._agreed == at and self._model[at] == trap:
            return True
        key = self._prefix << 1 | trap
        if key in self._remembered:
            return self._remembered[key]
        answer = self._ask(trap=trap)
        if not isinstance(answer, GaveUp):
            self._remember(key, answer)
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

    def pop(self) -> bool:
        """Take the value of the last cell away and return it."""
        trap = self.values.pop()
        at = len(self.values)
        self._agreed = min(self._agreed, at)
        self._prefix >>= 1
        if self._variables[at] == UNTOUCHED_VARIABLE:
            self._untouched_left += 1
            self._untouched_traps -= trap
        else:
            self._literals.pop()
        return trap

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
        """The values so far, and that the untouched cells to come can make up the total."""
        if self._slack is None:
            return self._literals
        bounds = self._slack.between(self._untouched_traps, self._untouched_traps + self._untouched_left)
        return None if bounds is None else self._literals + bounds

    def _completed(self, literals: list[int]) -> list[bool]:
        """The solution in a model; of the untouched cells to come, the last ones are traps."""
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

    def _remember(self, key: int, answer: bool) -> None:
        if self._remembers:
            if len(self._remembered) >= self._remembers:
                self._remembered.clear()
            self._remembered[key] = answer


Part = ClausePart | UntouchedPart


class SolutionWalk:
    """Values for undecided cells, in reading order; after `step` has returned true, `traps` is a solution.

    Each cell belongs to a part, which says what values it can take. Other parts do not matter for that, so
    a part remembers its answers for when it is walked through again.
    """

    def __init__(self, part_of: Sequence[Part]) -> None:
        """`part_of` has the part of each cell."""
        self.traps: Booleans = np.zeros(len(part_of), bool)
        self._part_of = part_of
        self._begun = False

    def step(self) -> bool | GaveUp:
        """Go to the next solution; false after the last one."""
        place = self._backtrack() if self._begun else 0
        self._begun = True
        if place is None:
            return False
        if isinstance(place, GaveUp):
            return place
        for later in range(place, len(self._part_of)):
            part = self._part_of[later]
            gem = part.may_be(trap=False)
            if isinstance(gem, GaveUp):
                return gem
            part.push(trap=not gem)
            self.traps[later] = not gem
        return True

    def _backtrack(self) -> int | GaveUp | None:
        """Turn the last gem that can be a trap into one; the cell after it, or None if there is none."""
        for place in reversed(range(len(self._part_of))):
            part = self._part_of[place]
            if part.pop():
                continue
            trap = part.may_be(trap=True)
            if isinstance(trap, GaveUp):
                return trap
            if trap:
                part.push(trap=True)
                self.traps[place] = True
                return place + 1
        return None


def begin_walk(run: Run, cells: UndecidedCells, solution: Booleans, solvers: ExitStack) -> SolutionWalk:
    """A walk through the values of all undecided cells in reading order.

    `solution` has the values of all hidden cells in one solution. Solvers are closed with `solvers`. Raises
    `TooLargeError` if there is a total, and too many cells to count.
    """
    undecided = np.concatenate([cells.touched, cells.untouched])
    order = np.argsort(undecided)
    if cells.traps is None:
        parts: list[Part] = [
            *_clause_parts(run, cells, solution, solvers),
            *(UntouchedPart() for _ in cells.untouched),
        ]
        return SolutionWalk([parts[at] for at in order.tolist()])
    clauses, slack = undecided_clauses(cells)
    variables = np.concatenate(
        [np.arange(cells.touched.size) + 1, np.full(cells.untouched.size, UNTOUCHED_VARIABLE)]
    )[order]
    session = solvers.enter_context(SatSession(run, clauses))
    model = solution[undecided[order]].tolist()
    return SolutionWalk([ClausePart(lambda: session, variables.tolist(), model, slack=slack)] * order.size)


def _clause_parts(
    run: Run, cells: UndecidedCells, solution: Booleans, solvers: ExitStack
) -> list[ClausePart]:
    """The part of each touched cell."""
    number = cells.parts()
    sizes = np.bincount(number)
    bundle = (np.cumsum(sizes) // CELLS_PER_SOLVER)[number]
    remembers = MOST_REMEMBERED_ANSWERS // max(sizes.size, 1)
    parts: dict[int, ClausePart] = {}
    for each in np.unique(bundle):
        members = np.flatnonzero(bundle == each)
        session = _session_when_needed(run, cells.puzzle, members, solvers)
        for part in np.unique(number[members]).tolist():
            variables = np.flatnonzero(number[members] == part)
            model = solution[cells.touched[members[variables]]].tolist()
            parts[part] = ClausePart(session, (variables + 1).tolist(), model, remembers=remembers)
    return [parts[part] for part in number.tolist()]


def _session_when_needed(
    run: Run, puzzle: Regions, members: Ints, solvers: ExitStack
) -> Callable[[], SatSession]:
    """The session for some cells of a puzzle, made when it is first asked for."""

    @cache
    def session() -> SatSession:
        clauses = encode_puzzle(_restricted(puzzle, members)).clauses()
        return solvers.enter_context(SatSession(run, clauses))

    return session


def _restricted(puzzle: Regions, members: Ints) -> Regions:
    """The regions of these cells, which share no region with others; the cells are numbered from 0."""
    number = np.full(puzzle.hidden.size, -1)
    number[members] = np.arange(members.size)
    entries = number[puzzle.cells]
    kept = entries[puzzle.starts[:-1]] >= 0
    starts = np.concatenate([[0], np.cumsum(puzzle.sizes[kept])])
    return Regions(puzzle.cols, puzzle.hidden[members], starts, entries[entries >= 0], puzzle.traps[kept])


# The question "what are all the solutions?", answered one by one.


class Ending(StrEnum):
    """Why there are no further solutions, if no limit was reached."""

    ALL = "these are all"
    ENOUGH = "as many as were asked for"


class Solutions(Iterator[Grid]):
    """The solutions of a board as filled grids, each once; the search goes on when the next one is asked for.

    They come in lexicographic order: cells are compared in reading order, and a gem comes before a trap.
    `found` is the number of solutions so far. `ending` is None while there may be more; then it says
    whether these are all (`Ending.ALL`) or enough (`Ending.ENOUGH`), that there are none (`Refuted`), or
    that a limit was reached first (`GaveUp`).
    """

    def __init__(self, run: Run, grid: Grid, *, total: int | None = None, limit: int | None = None) -> None:
        """At most `limit` solutions. The run's limits are for all of them together."""
        if limit is not None and limit < 1:
            raise InputError(f"a limit of solutions is a whole number above 0, not {limit}")
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
                walk = begin_walk(run, cells, outcome.solution.traps, solvers)
            except TooLargeError as error:
                self.ending = GaveUp(StopReason.MEMORY, str(error))
                return
            limit: StopReason | None = None
            while (found := walk.step()) is True:
                if limit is not None:
                    self.ending = GaveUp(limit)
                    return
                codes[undecided] = np.where(walk.traps, TRAP, GEM)
                yield Grid(codes.reshape(self.grid.cells.shape))
                # The solver may not have been asked for it, so a solution is a step itself.
                limit = run.spend(1)
            self.ending = found if isinstance(found, GaveUp) else Ending.ALL


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

    The limits are for all of them together. A step is a question to a SAT solver, a conflict on the way to
    its answer, or a solution.
    """
    require_grid(grid)
    run = given_run(run, Limits(time_limit, step_limit))
    return Solutions(run, grid, total=total, limit=limit)
