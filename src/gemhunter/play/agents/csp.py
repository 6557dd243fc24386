"""`csp`: the game as a constraint satisfaction problem, solved by backtracking with forward checking.

The variables are the unmarked cells; each is a gem or a trap. Every revealed clue is a constraint: the number
of traps among the unmarked cells around it. A cell is certain if it has the same value in all solutions. So
the agent finds one solution for cells that constraints connect, supposes the opposite value for one cell at a
time, and marks the cell if that leaves no solution.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np

from gemhunter.board.grid import HIDDEN
from gemhunter.board.position import Status
from gemhunter.errors import InputError
from gemhunter.play.game import View
from gemhunter.play.player import Choice, Stuck
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Run

LAST_CELLS = 10
"""The total becomes a constraint when at most this many cells are unmarked, as for `resolution`."""

SEARCH_ASSIGNMENTS, VIEW_ASSIGNMENTS = 50_000, 200_000
"""How long one search may take, and all searches in one view: roughly half a second and two seconds. A
search that is stopped proves nothing, so its cell stays unmarked."""

Values = dict[int, bool]
"""Cells by index: True for a trap, False for a gem."""


@dataclass(slots=True, eq=False)
class Constraint:
    """Exactly `traps` of the `unassigned` cells without a value among these `cells` are traps."""

    cells: Sequence[int]
    unassigned: int
    traps: int

    @property
    def can_hold(self) -> bool:
        """Whether this constraint can still be satisfied."""
        return 0 <= self.traps <= self.unassigned


class ConstraintNetwork:
    """Constraints that share cells, and the values given to cells so far, in the order of `trail`."""

    def __init__(self) -> None:
        self.values: Values = {}
        self.trail: list[int] = []
        self.constraints_of: dict[int, list[Constraint]] = {}

    def add(self, cells: Sequence[int], traps: int) -> Constraint:
        """Add the constraint that exactly `traps` of these cells, which may have values, are traps."""
        unassigned = [cell for cell in cells if cell not in self.values]
        known_traps = sum(self.values.get(cell, False) for cell in cells)
        constraint = Constraint(unassigned, len(unassigned), traps - known_traps)
        for cell in unassigned:
            self.constraints_of.setdefault(cell, []).append(constraint)
        return constraint

    def single_values(self, constraint: Constraint) -> list[tuple[int, bool]]:
        """Forward checking: the unassigned cells of a constraint that leaves them only one value."""
        if constraint.traps not in (0, constraint.unassigned):
            return []
        return [(cell, constraint.traps > 0) for cell in constraint.cells if cell not in self.values]

    def assign(self, waiting: list[tuple[int, bool]]) -> bool:
        """Assign these values, and those of all cells with a single value left; False at a dead end."""
        while waiting:
            cell, is_trap = waiting.pop()
            if cell in self.values:
                if self.values[cell] != is_trap:
                    return False
                continue
            self.values[cell] = is_trap
            self.trail.append(cell)
            constraints = self.constraints_of.get(cell, ())
            # All constraints count the value before any of them is checked, so that all can take it back.
            for constraint in constraints:
                constraint.unassigned -= 1
                constraint.traps -= is_trap
            for constraint in constraints:
                if not constraint.can_hold:
                    return False
                waiting += self.single_values(constraint)
        return True

    def take_back(self, length: int) -> None:
        """Take back all values except the first `length`."""
        while len(self.trail) > length:
            cell = self.trail.pop()
            is_trap = self.values.pop(cell)
            for constraint in self.constraints_of.get(cell, ()):
                constraint.unassigned += 1
                constraint.traps += is_trap

    def search(self, cells: Sequence[int], supposed: Values, run: Run) -> Values | StopReason | None:
        """Values for these cells that include the supposed ones; None if there are none.

        A step of `run` is an assignment. All values are taken back at the end.
        """
        # The most constrained cells have a single value left, and `assign` has assigned them all. The other
        # cells have both values, so the degree breaks the tie: the number of constraints that a cell shares
        # with unassigned cells. It stays the same while the cell is unassigned.
        by_degree = sorted(cells, key=lambda cell: -len(self.constraints_of[cell]))
        begin = length = len(self.trail)
        choices: list[tuple[int, int]] = []  # cells that were tried as gems, each with the trail before it
        holds = self.assign(list(supposed.items()))
        while (reason := run.spend(len(self.trail) - length)) is None:
            if holds:
                cell = next((cell for cell in by_degree if cell not in self.values), None)
                if cell is None:
                    break
                length = len(self.trail)
                choices.append((length, cell))
                holds = self.assign([(cell, False)])
            else:
                run.count(backtracks=1)
                if not choices:
                    break
                length, cell = choices.pop()
                self.take_back(length)
                holds = self.assign([(cell, True)])
        solution = {cell: self.values[cell] for cell in cells} if holds and reason is None else None
        self.take_back(begin)
        return reason or solution

    def connected(self, constraint: Constraint) -> list[int]:
        """The unassigned cells of a constraint, and those that other constraints connect with them."""
        cells = [cell for cell in constraint.cells if cell not in self.values]
        reached = set(cells)
        for cell in cells:  # which grows meanwhile
            for other in chain.from_iterable(each.cells for each in self.constraints_of[cell]):
                if other not in reached and other not in self.values:
                    reached.add(other)
                    cells.append(other)
        return cells


class CspPlayer:
    """Reveals every gem that follows from the clues. The first cell of a game is its only guess."""

    def __init__(self, seed: int) -> None:
        self._seed = seed
        self._network = ConstraintNetwork()
        self._run = Run()
        self._seen: set[int] = set()
        self._knows_total = False

    def counters(self, view: View) -> Mapping[str, int]:
        """The numbers of marked cells, assignments and backtracks; a won game is marked to its end first."""
        if view.status is Status.WON:
            self._mark(view)
        backtracks = self._run.counters.get("backtracks", 0)
        marked = len(self._network.values)
        return {"marked cells": marked, "assignments": self._run.steps, "backtracks": backtracks}

    def choose(self, view: View) -> Choice | Stuck:
        """All gems that follow from the clues; `Stuck` if there are none."""
        if view.is_fresh:
            index = int(np.random.default_rng(self._seed).integers(view.grid.cells.size))
            return Choice((view.grid.cell(index),), (), view.risk_of_first, "the first cell, at random")
        self._mark(view)
        marks = [(view.grid.cell(index), is_trap) for index, is_trap in self._network.values.items()]
        gems = tuple(cell for cell, is_trap in marks if not is_trap and view.is_hidden(cell))
        traps = tuple(cell for cell, is_trap in marks if is_trap and not view.flags[cell])
        if gems:
            return Choice(gems, traps, 0.0, "a trap there would break a clue")
        return Stuck(traps, "nothing more follows from the clues")

    def _mark(self, view: View) -> None:
        """Assign every cell that has the same value in all solutions; the network keeps these values."""
        grid, network = view.grid, self._network
        begin, changed = len(network.trail), []
        for index in np.flatnonzero(grid.cells != HIDDEN).tolist():
            if index not in self._seen:
                self._seen.add(index)
                _require(network.assign([(index, False)]))
                around = [cell.row * grid.cols + cell.col for cell in grid.around(grid.cell(index))]
                changed.append(self._add(around, grid[grid.cell(index)]))
        with self._run.at_most(VIEW_ASSIGNMENTS):
            self._mark_certain([*changed, *self._touched(begin)])
            unmarked = [index for index in range(grid.cells.size) if index not in network.values]
            if len(unmarked) <= LAST_CELLS and not self._knows_total:
                self._knows_total = True
                begin = len(network.trail)
                total = self._add(unmarked, view.total - sum(network.values.values()))
                self._mark_certain([total, *self._touched(begin)])

    def _add(self, cells: Sequence[int], traps: int) -> Constraint:
        constraint = self._network.add(cells, traps)
        _require(constraint.can_hold and self._network.assign(self._network.single_values(constraint)))
        return constraint

    def _touched(self, begin: int) -> Iterator[Constraint]:
        """The constraints of the cells on the trail from `begin` on."""
        for cell in self._network.trail[begin:]:
            yield from self._network.constraints_of.get(cell, ())

    def _mark_certain(self, changed: Sequence[Constraint]) -> None:
        """Assign the cells that are certain where constraints have changed; nothing new follows elsewhere."""
        done: set[int] = set()
        for constraint in changed:
            cells = self._network.connected(constraint)
            if not cells or cells[0] in done:
                continue
            done.update(cells)
            common = self._search(cells, {})
            _require(common is not None)
            if not isinstance(common, dict):
                continue
            # `common` has the values that are the same in all solutions found so far.
            for cell in cells:
                if cell not in common or cell in self._network.values:
                    continue
                other = self._search(cells, {cell: not common[cell]})
                if other is None:
                    self._network.assign([(cell, common[cell])])
                elif isinstance(other, dict):
                    common = dict(common.items() & other.items())

    def _search(self, cells: Sequence[int], supposed: Values) -> Values | StopReason | None:
        with self._run.at_most(SEARCH_ASSIGNMENTS):
            return self._network.search(cells, supposed, self._run)


def _require(holds: bool) -> None:
    if not holds:
        raise InputError("the clues of this game conflict")
