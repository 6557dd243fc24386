"""The cells that single clues leave undecided, as clauses, and the values that all solutions share."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Regions, regions_by_cell
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.errors import TooLargeError
from gemhunter.jit.arrays import Ints
from gemhunter.solving.engine import Satisfied
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.session import SatSession

# The cells of a solvable board that single clues leave undecided, and what is known of them as clauses.


UNDECIDED, IS_GEM, IS_TRAP = -1, 0, 1
"""What is known of a hidden cell."""

MOST_PROPAGATION_ROUNDS = 1000
"""A longer chain of implications is left to the SAT solver."""

MOST_CLUES_AROUND = 8
"""Around a cell."""

MOST_CELLS_UNDER_TOTAL = 6000
"""Cells that a total is counted over; the clauses for more take too long to write."""


@dataclass(frozen=True, slots=True, eq=False)
class UndecidedCells:
    """What propagation leaves undecided of a puzzle, without its total.

    `value` says what is known of each hidden cell. `touched` are the undecided cells with a clue next to
    them, `untouched` the others, both numbered as hidden cells. `puzzle` has the clues about `touched` that
    do not hold whatever these are. `traps` is the number of traps among all of them, if it is known.
    """

    value: NDArray[np.int8]
    touched: Ints
    untouched: Ints
    puzzle: Regions
    traps: int | None

    def groups(self) -> Ints:
        """A number for each touched cell, equal for cells that the same clues touch."""
        cells = self.touched.size
        at, regions = regions_by_cell(self.puzzle.starts, self.puzzle.cells, cells)
        touching = np.full((cells, MOST_CLUES_AROUND), -1)
        owner = np.repeat(np.arange(cells), np.diff(at))
        touching[owner, np.arange(regions.size) - at[owner]] = regions
        return np.unique(touching, axis=0, return_inverse=True)[1].reshape(-1)

    def parts(self) -> Ints:
        """Label the connected components of the touched cells, in the reading order of their first cells.

        Cells of different parts have no clue in common, even indirectly.
        """
        leader = list(range(self.touched.size))
        starts, cells = self.puzzle.starts.tolist(), self.puzzle.cells.tolist()
        for begin, end in pairwise(starts):
            first = _leader_of(leader, cells[begin])
            for cell in cells[begin + 1 : end]:
                other = _leader_of(leader, cell)
                first, other = min(first, other), max(first, other)
                leader[other] = first
        leaders = np.array([_leader_of(leader, cell) for cell in range(len(leader))], np.int64)
        return np.unique(leaders, return_inverse=True)[1].reshape(-1)


def undecided_cells(puzzle: Puzzle) -> UndecidedCells:
    """Decide what single clues decide, again and again; the total is left aside.

    The puzzle must have a solution: conflicts are not looked for.
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
    """Fill in `value`; the traps that each region still needs. Entry i says that region[i] has cells[i]."""
    for _ in range(MOST_PROPAGATION_ROUNDS):
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


def _leader_of(leader: list[int], cell: int) -> int:
    """The least cell that is known to belong to the same part."""
    while leader[cell] != cell:
        leader[cell] = cell = leader[leader[cell]]
    return cell


@dataclass(frozen=True, slots=True)
class Slack:
    """The number of traps among untouched cells, as the variables `first` … `first + size - 1` of a formula.

    Variable `first + i` says that more than `least + i` of them are traps.
    """

    first: int
    least: int
    size: int

    def between(self, fewest: int, most: int) -> list[int] | None:
        """The literals that say that it is at least `fewest` and at most `most`; None if it cannot be."""
        if fewest > self.least + self.size or most < self.least or fewest > most:
            return None
        literals = []
        if fewest > self.least:
            literals.append(self.first + fewest - self.least - 1)
        if most < self.least + self.size:
            literals.append(-(self.first + most - self.least))
        return literals


def undecided_clauses(cells: UndecidedCells) -> tuple[list[list[int]], Slack | None]:
    """What clues and total say of the touched cells; with a total, also where the untouched ones are counted.

    Touched cell i is the variable i + 1. Of the untouched cells only the number of traps matters, so they
    are counted, not named. Raises `TooLargeError` if there are too many cells to count.
    """
    if cells.traps is None:
        return encode_puzzle(cells.puzzle).clauses(), None
    touched = cells.touched.size
    least, most = max(cells.traps - touched, 0), min(cells.traps, cells.untouched.size)
    size = touched + most - least
    if size > MOST_CELLS_UNDER_TOTAL:
        limit = f"clauses count up to {MOST_CELLS_UNDER_TOTAL:,}"
        raise TooLargeError(f"the total spans {size:,} undecided cells; {limit}")
    counted = _with_total(cells.puzzle, size, cells.traps - least)
    slack = Slack(touched + 1, least, most - least)
    ordered = [[-later, earlier] for earlier, later in pairwise(range(touched + 1, size + 1))]
    return [*encode_puzzle(counted).clauses(), *ordered], slack


def _with_total(regions: Regions, size: int, traps: int) -> Regions:
    """Regions with cells added behind all others, up to `size`, and with `traps` traps among all cells."""
    beyond = np.arange(size - regions.hidden.size) + regions.hidden.max(initial=-1) + 1
    return Regions(
        regions.cols,
        np.concatenate([regions.hidden, beyond]),
        np.append(regions.starts, regions.starts[-1] + size),
        np.concatenate([regions.cells, np.arange(size)]),
        np.append(regions.traps, traps),
    )


# The backbone of a board: the values that all solutions share, found by asking for solutions that differ.
#
# Each other solution clears all cells on which it differs, so the solver prefers values that differ.


CELLS_PER_QUESTION = 100
"""The number of cells that one question is about: "does any of these differ in another solution?"."""


class Backbone:
    """The values of one solution, and which of them may still be in every solution.

    Variable i + 1 of the session is cell i. Cells of one group can be swapped, so what holds for one of them
    holds for all: a group with traps and gems is forced nowhere, and of others only one cell is asked about.
    """

    def __init__(self, session: SatSession, traps: NDArray[np.bool_], groups: Ints) -> None:
        self._session = session
        self._groups = groups
        self._first = np.unique(groups, return_index=True)[1]
        self._traps = traps[self._first]
        self._suspected = np.ones(self._first.size, bool)
        self._forced = np.zeros(self._first.size, bool)
        self._clear(traps)

    @property
    def forced(self) -> NDArray[np.bool_]:
        """True for each cell that is known to be the same in every solution."""
        known: NDArray[np.bool_] = self._forced[self._groups]
        return known

    @property
    def has_other(self) -> bool:
        """Whether another solution is known."""
        return not (self._suspected | self._forced).all()

    def find(self, *, until_other: bool = False) -> GaveUp | None:
        """Ask until every cell is decided, or another solution is known; returns why if it gave up."""
        while self._suspected.any() and not (until_other and self.has_other):
            suspects = np.flatnonzero(self._suspected)
            chunk = suspects[-CELLS_PER_QUESTION:]
            switch = self._session.new_variable()
            others = [-value for value in self._values(suspects)]
            self._session.prefer(others)
            self._session.add([-switch, *others[-CELLS_PER_QUESTION:]])
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

    def _clear(self, traps: NDArray[np.bool_]) -> None:
        """Note another solution: groups in which a cell differs are not forced."""
        self._suspected[self._groups[traps != self._traps[self._groups]]] = False

    def _values(self, groups: Ints) -> list[int]:
        """The literal of the value of each group's first cell."""
        cells = self._first[groups] + 1
        values: list[int] = np.where(self._traps[groups], cells, -cells).tolist()
        return values
