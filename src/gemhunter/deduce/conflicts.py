"""Which clues contradict each other: a set of them from which none can be left out."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from gemhunter.cnf.templates import FOR_THE_TOTAL, IMPOSSIBLE, template
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.core.neighbours import OFFSETS, clue_neighbours
from gemhunter.solving.run import never

CONFLICTS = 20_000
"""How many may be spent on making a set smaller: tenths of a second."""

CONFLICTS_PER_SLICE = 100
"""Between two looks at whether to stop: some hundredths of a second, even where a total is counted."""

SOLVER = "glucose4"
"""Of PySAT's solvers, one that is quick when it is asked again under other assumptions."""

Clauses = Iterable[Iterable[int]]


@dataclass(frozen=True, slots=True)
class ClashingClues:
    """Clues that cannot hold together, in reading order, and whether the total is needed for that.

    If `smallest`, the rest could hold with any one of them left out; otherwise the budget ended before that
    was certain.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    smallest: bool


def clashing_clues(
    grid: Grid,
    suspects: Collection[Cell],
    total: int | None = None,
    *,
    conflicts: int = CONFLICTS,
    stop: Callable[[], bool] = never,
) -> ClashingClues:
    """Those of `suspects` that cannot hold together, none too many; ValueError if all of them can.

    `total` is the number of traps on the whole board, and a suspect too if it is given. Only the cells next
    to suspects are looked at. There may be other such sets, smaller ones among them. When `stop` says so, the
    set is left as it is then.
    """
    clues = sorted(set(suspects))
    if stop():
        return ClashingClues(tuple(clues), total is not None, smallest=False)
    with _Selection(grid, clues, total, conflicts=conflicts, stop=stop) as selection:
        chosen, smallest = _none_too_many(selection, clues)
    named = tuple(clues[index] for index in sorted(chosen) if index < len(clues))
    return ClashingClues(named, len(clues) in chosen, smallest)


def _none_too_many(selection: "_Selection", clues: Sequence[Cell]) -> tuple[list[int], bool]:
    """Suspects from which none can be left out, and whether that is certain."""
    chosen = list(range(selection.size))
    while (can_hold := selection.can_hold(chosen)) is False and len(selection.core) < len(chosen):
        chosen = selection.core[::-1]  # another order, another core
    if can_hold:
        raise ValueError("these clues do not contradict each other")
    if can_hold is None:
        return chosen, False
    untried, needed = _from_the_middle(chosen, clues), list[int]()
    while untried:
        suspect = untried.pop()
        can_hold = selection.can_hold(needed + untried)
        if can_hold is None:
            return [*needed, *untried, suspect], False
        if can_hold:
            needed.append(suspect)
        else:
            core = set(selection.core)
            untried = [other for other in untried if other in core]
    return needed, True


def _from_the_middle(chosen: list[int], clues: Sequence[Cell]) -> list[int]:
    """Near clues first and the total last, so that far ones, and the total, are the first to be left out."""
    places = np.array([clues[index] for index in chosen if index < len(clues)], np.int64).reshape(-1, 2)
    middle = np.median(places, axis=0) if places.size else np.zeros(2)

    def distance(index: int) -> float:
        return float(np.abs(clues[index] - middle).max()) if index < len(clues) else np.inf

    return sorted(chosen, key=distance)


class _Selection:
    """A solver that is asked about some of the suspects: the clues by their index, then the total.

    Suspect i holds if the variable `_selector(i)` does; before those come the cells next to clues.
    """

    def __init__(
        self,
        grid: Grid,
        clues: Sequence[Cell],
        total: int | None,
        *,
        conflicts: int,
        stop: Callable[[], bool],
    ) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=SOLVER)
        self._budget, self._stop = conflicts, stop
        self.core: list[int] = []
        self.size = len(clues) + (total is not None)
        regions, traps = _regions(grid, clues)
        places = sorted({place for region in regions for place in region})
        number = {place: variable for variable, place in enumerate(places, 1)}
        self._cells = len(places)
        for index, (region, needed) in enumerate(zip(regions, traps, strict=True)):
            names = [0, *(number[place] for place in region)]
            clauses = template("binomial", len(region), needed).clauses
            self._add([[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses], index)
        if total is not None:
            self._add(self._total_clauses(grid, total), len(clues))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def can_hold(self, chosen: list[int]) -> bool | None:
        """Whether these suspects can hold together; None if the budget has ended, or it is time to stop.

        If not, `core` has some of them that cannot.
        """
        assumptions = [self._selector(index) for index in chosen]
        answer: bool | None = None
        while answer is None:
            left = self._budget - int(self._solver.accum_stats()["conflicts"])
            if left <= 0 or self._stop():
                return None
            self._solver.conf_budget(min(left, CONFLICTS_PER_SLICE))
            # Told to expect an interrupt, PySAT leaves Ctrl-C to Python.
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if answer is False:
            self.core = [literal - self._selector(0) for literal in self._solver.get_core() or []]
        return answer

    def _selector(self, index: int) -> int:
        return self._cells + 1 + index

    def _add(self, clauses: Clauses, index: int) -> None:
        for clause in clauses:
            self._solver.add_clause([*clause, -self._selector(index)])

    def _total_clauses(self, grid: Grid, total: int) -> Clauses:
        """The total, as far as it concerns cells next to clues: all other hidden cells may be anything."""
        from pysat.card import CardEnc, EncType

        needed = total - int(np.count_nonzero(grid.cells == TRAP))
        least = needed - (int(np.count_nonzero(grid.cells == HIDDEN)) - self._cells)
        if needed < 0 or least > self._cells:
            return IMPOSSIBLE.clauses
        cells, top = list(range(1, self._cells + 1)), self._cells + self.size
        clauses: list[list[int]] = []
        if needed < self._cells:
            most = CardEnc.atmost(cells, needed, top_id=top, encoding=getattr(EncType, FOR_THE_TOTAL))
            clauses, top = clauses + most.clauses, max(top, most.nv)
        if least > 0:
            clauses += CardEnc.atleast(
                cells, least, top_id=top, encoding=getattr(EncType, FOR_THE_TOTAL)
            ).clauses
        return clauses


def _regions(grid: Grid, clues: Sequence[Cell]) -> tuple[list[list[int]], list[int]]:
    """For each clue the positions of the hidden cells next to it, and how many of them are traps."""
    places = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, places, outside=GEM)
    beside = places[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[places] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()
