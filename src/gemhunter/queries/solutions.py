"""The question "what are all the solutions?", answered one by one."""

from collections.abc import Generator, Iterator
from contextlib import ExitStack
from enum import StrEnum

import numpy as np

from gemhunter.core.grid import GEM, TRAP, Grid, require_grid
from gemhunter.core.puzzle import read_puzzle
from gemhunter.errors import InputError, TooLargeError
from gemhunter.queries.solve import solve
from gemhunter.queries.undecided import UNDECIDED, undecided_cells
from gemhunter.queries.walk import begin_walk
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.solving.run import Limits, Run, given_run


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
