"""Conflict sets: clues that cannot all hold, from which none can be left out, and refutations by them."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Self

import numpy as np

from gemhunter.cnf.encodings import FOR_THE_TOTAL, IMPOSSIBLE, template
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.core.neighbours import OFFSETS, clue_neighbours
from gemhunter.core.puzzle import TOTAL_CLUE, Ints, Puzzle
from gemhunter.deduce import sentences
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Run, never

CONFLICT_SET_BUDGET = 20_000
"""Conflicts that making a set smaller may cost by default: tenths of a second."""

REFUTATION_BUDGET = 5000
"""Conflicts that a conflict set may cost after a refutation."""

CONFLICTS_PER_LOOK = 100
"""Between two looks at whether to stop: some hundredths of a second, even where a total is counted."""

CONFLICT_SET_SOLVER = "glucose4"
"""Of PySAT's solvers, one that is quick when it is asked again under other assumptions."""

MOST_SUSPECTS = 2000
"""Of more clues, no conflict set is looked for: that would take longer than most refutations."""

MOST_COUNTED_CELLS = 2000
"""Nor with a total of more hidden cells: clauses that count them take tenths of a second to load."""

MOST_SUSPECTS_COMPARED = 60
"""Among more clues, the smallest conflict set is not looked for."""

SMALL_CONFLICT_SET = 2
"""A set of two clues is left as it is: one clue alone would have been noticed before."""

MOST_CHOICES_COMPARED = 100
"""Choices of clues that are tried to find the smallest conflict set."""

EXTRA_SECONDS = 0.5
"""How much longer than the refutation the search for a conflict set may take."""

Clauses = Iterable[Iterable[int]]


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Clues that cannot all hold, in reading order, and whether the total is needed for that.

    If `is_minimal`, the rest could hold with any one of them left out; otherwise the budget ended before that
    was certain.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool


def refuted_by_clues(
    puzzle: Puzzle, suspects: Collection[Cell], run: Run, *, total: int | None = None
) -> Refuted:
    """The refutation by these clues, which conflict, or by a conflict set among them if one is found.

    The total is a suspect too, if it is given. The search for a conflict set ends with the run's limits;
    without a step limit it also ends when it has taken half a second longer than the refutation.
    """
    if len(suspects) > MOST_SUSPECTS or (total is not None and puzzle.hidden.size > MOST_COUNTED_CELLS):
        clues = tuple(sorted(suspects))
        return Refuted(sentences.conflict(clues, total), clues)
    # A step limit asks for the same answer from any machine, so the clock must not end the search.
    end = 2 * run.elapsed + EXTRA_SECONDS if run.limits.steps is None else math.inf
    with run.stage("explain"):
        found = find_conflict_set(
            puzzle.grid,
            suspects,
            total,
            budget=REFUTATION_BUDGET,
            stop=lambda: run.spend() is not None or run.elapsed > end,
        )
    return Refuted(sentences.conflict(found.clues, total if found.with_total else None), found.clues)


def refuted_by_any_clues(puzzle: Puzzle, run: Run) -> Refuted:
    """The refutation of a board of which only that is known: every clue, and the total, is a suspect."""
    return refuted_by_clues(puzzle, clue_cells(puzzle, puzzle.clues), run, total=puzzle.total)


def clue_cells(puzzle: Puzzle, clues: Ints) -> tuple[Cell, ...]:
    """The cells of these clues; the total has none."""
    return tuple(puzzle.grid.cell(index) for index in clues if index != TOTAL_CLUE)


def find_conflict_set(
    grid: Grid,
    suspects: Collection[Cell],
    total: int | None = None,
    *,
    budget: int = CONFLICT_SET_BUDGET,
    stop: Callable[[], bool] = never,
) -> ConflictSet:
    """A conflict set among `suspects`; ValueError if all of them can hold.

    `total` is the number of traps on the whole board, and a suspect too if it is given. Only the cells next
    to suspects are looked at. There may be other conflict sets, smaller ones among them. When `stop` says so
    or the solver has had `budget` conflicts, the set is left as it is then.
    """
    clues = sorted(set(suspects))
    if stop():
        return ConflictSet(tuple(clues), total is not None, is_minimal=False)
    with _Selection(grid, clues, total, budget=budget, stop=stop) as selection:
        chosen, is_minimal = _minimal(selection, clues)
    named = tuple(clues[index] for index in sorted(chosen) if index < len(clues))
    return ConflictSet(named, len(clues) in chosen, is_minimal)


def smallest_conflict_set(
    grid: Grid,
    suspects: Collection[Cell],
    found: ConflictSet,
    total: int | None = None,
    *,
    stop: Callable[[], bool] = never,
) -> ConflictSet:
    """A conflict set of least size among `suspects`, or `found` itself where that would take too long.

    Every conflict set has a clue in common with every set of clues without which the others can hold. So the
    smallest choice of clues that meets all those sets known so far either conflicts, or shows one more.
    """
    clues = sorted(set(suspects))
    if len(clues) > MOST_SUSPECTS_COMPARED or len(found.clues) <= SMALL_CONFLICT_SET or not found.is_minimal:
        return found
    from pysat.examples.hitman import Hitman

    with (
        _Selection(grid, clues, total, budget=CONFLICT_SET_BUDGET, stop=stop) as selection,
        Hitman(htype="sorted") as chooser,
    ):
        for _ in range(MOST_CHOICES_COMPARED):
            chosen = list(chooser.get() or [])
            if len(chosen) >= len(found.clues) + found.with_total:
                return found
            can_hold = selection.can_hold(chosen)
            if can_hold is False:
                named = tuple(clues[index] for index in sorted(chosen) if index < len(clues))
                return ConflictSet(named, len(clues) in chosen, is_minimal=True)
            without = None if can_hold is None else _left_out(selection, chosen)
            if without is None:
                return found
            chooser.hit(without)
    return found


def _left_out(selection: "_Selection", chosen: list[int]) -> list[int] | None:
    """Suspects without which all others can hold, as few as adding them one by one gives; None if stopped."""
    kept, left_out = list(chosen), list[int]()
    for suspect in range(selection.size):
        if suspect not in chosen:
            can_hold = selection.can_hold([*kept, suspect])
            if can_hold is None:
                return None
            (kept if can_hold else left_out).append(suspect)
    return left_out


def _minimal(selection: "_Selection", clues: Sequence[Cell]) -> tuple[list[int], bool]:
    """Suspects from which none can be left out, and whether that is certain."""
    chosen = list(range(selection.size))
    while (can_hold := selection.can_hold(chosen)) is False and len(selection.core) < len(chosen):
        chosen = selection.core[::-1]  # another order, another core
    if can_hold:
        raise ValueError("these clues do not conflict")
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
    cells = np.array([clues[index] for index in chosen if index < len(clues)], np.int64).reshape(-1, 2)
    middle = np.median(cells, axis=0) if cells.size else np.zeros(2)

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
        budget: int,
        stop: Callable[[], bool],
    ) -> None:
        from pysat.solvers import Solver

        self._solver: Any = Solver(name=CONFLICT_SET_SOLVER)
        self._budget, self._stop = budget, stop
        self.core: list[int] = []
        self.size = len(clues) + (total is not None)
        regions, traps = _regions(grid, clues)
        cells = sorted({cell for region in regions for cell in region})
        variable_of = {cell: variable for variable, cell in enumerate(cells, 1)}
        self._cells = len(cells)
        for index, (region, needed) in enumerate(zip(regions, traps, strict=True)):
            names = [0, *(variable_of[cell] for cell in region)]
            clauses = template("binomial", len(region), needed).clauses
            self._add([[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses], index)
        if total is not None:
            self._add(self._total_clauses(grid, total), len(clues))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()

    def can_hold(self, chosen: list[int]) -> bool | None:
        """Whether these suspects can all hold; None if the budget is used up or it is time to stop.

        If they cannot, `core` has some of them that conflict.
        """
        assumptions = [self._selector(index) for index in chosen]
        answer: bool | None = None
        while answer is None:
            left = self._budget - int(self._solver.accum_stats()["conflicts"])
            if left <= 0 or self._stop():
                return None
            self._solver.conf_budget(min(left, CONFLICTS_PER_LOOK))
            # With `expect_interrupt`, PySAT leaves Ctrl-C to Python.
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
    """For each clue the indices of the hidden cells next to it, and how many of them are traps."""
    indices = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, indices, outside=GEM)
    beside = indices[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[indices] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()
