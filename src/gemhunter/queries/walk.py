"""A walk through all solutions in lexicographic order: depth first, cell by cell in reading order."""

from collections.abc import Callable, Sequence
from contextlib import ExitStack
from functools import cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.encode import encode_puzzle
from gemhunter.core.puzzle import Ints, Regions
from gemhunter.queries.branching import FREE, ClausePart, FreePart
from gemhunter.queries.open_cells import OpenCells
from gemhunter.queries.open_clauses import open_clauses
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run
from gemhunter.solving.session import SatSession

BUNDLE = 500
"""Cells. Parts share a solver until they have so many: one each would take memory, and one for all would
have to complete the whole board at every question."""

MOST_REMEMBERED = 200_000
"""Answers kept by all parts together."""

Part = ClausePart | FreePart
Booleans = NDArray[np.bool_]


class SolutionWalk:
    """Values for open cells, in reading order; after `step` has returned true, `traps` is a solution.

    Each cell belongs to a part, which says what values it can take. Other parts have no say in that, so a
    part remembers its answers for when it is walked through again.
    """

    def __init__(self, part_of: Sequence[Part]) -> None:
        """`part_of` has the part of each cell."""
        self.traps: Booleans = np.zeros(len(part_of), bool)
        self._part_of = part_of
        self._begun = False

    def step(self) -> bool | GaveUp:
        """Go to the next solution; false after the last one."""
        place = self._turn_back() if self._begun else 0
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

    def _turn_back(self) -> int | GaveUp | None:
        """Make the last gem that can be a trap one; where to go on, or None if there is no such gem."""
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


def begin_walk(run: Run, cells: OpenCells, solution: Booleans, solvers: ExitStack) -> SolutionWalk:
    """A walk through the values of all open cells, touched and free, in reading order.

    `solution` has the values of all hidden cells in one solution. Solvers are closed with `solvers`. Raises
    `TooLargeError` if there is a total, and too many cells to count.
    """
    opened = np.concatenate([cells.touched, cells.free])
    order = np.argsort(opened)
    if cells.traps is None:
        parts: list[Part] = [*_clause_parts(run, cells, solution, solvers), *(FreePart() for _ in cells.free)]
        return SolutionWalk([parts[at] for at in order.tolist()])
    clauses, slack = open_clauses(cells)
    variables = np.concatenate([np.arange(cells.touched.size) + 1, np.full(cells.free.size, FREE)])[order]
    session = solvers.enter_context(SatSession(run, clauses))
    model = solution[opened[order]].tolist()
    return SolutionWalk([ClausePart(lambda: session, variables.tolist(), model, slack=slack)] * order.size)


def _clause_parts(run: Run, cells: OpenCells, solution: Booleans, solvers: ExitStack) -> list[ClausePart]:
    """The part of each touched cell."""
    number = cells.parts()
    sizes = np.bincount(number)
    bundle = (np.cumsum(sizes) // BUNDLE)[number]
    remembers = MOST_REMEMBERED // max(sizes.size, 1)
    parts: dict[int, ClausePart] = {}
    for each in np.unique(bundle):
        members = np.flatnonzero(bundle == each)
        session = _when_needed(run, cells.puzzle, members, solvers)
        for part in np.unique(number[members]).tolist():
            variables = np.flatnonzero(number[members] == part)
            model = solution[cells.touched[members[variables]]].tolist()
            parts[part] = ClausePart(session, (variables + 1).tolist(), model, remembers=remembers)
    return [parts[part] for part in number.tolist()]


def _when_needed(run: Run, puzzle: Regions, members: Ints, solvers: ExitStack) -> Callable[[], SatSession]:
    """The session for some cells of a puzzle, made when it is first asked for."""

    @cache
    def session() -> SatSession:
        clauses = encode_puzzle(_restricted(puzzle, members)).clauses()
        return solvers.enter_context(SatSession(run, clauses))

    return session


def _restricted(puzzle: Regions, members: Ints) -> Regions:
    """The regions of these cells, which have none in common with others, and the cells numbered anew."""
    number = np.full(puzzle.hidden.size, -1)
    number[members] = np.arange(members.size)
    entries = number[puzzle.cells]
    kept = entries[puzzle.starts[:-1]] >= 0
    starts = np.concatenate([[0], np.cumsum(puzzle.sizes[kept])])
    return Regions(puzzle.cols, puzzle.hidden[members], starts, entries[entries >= 0], puzzle.traps[kept])
