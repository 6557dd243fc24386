"""Clues that cannot all hold: minimal sets of them, refutations, and the sentences about them."""

import math
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, OFFSETS, TRAP, Cell, Grid, clue_neighbours
from gemhunter.board.puzzle import LARGEST_STORED_TOTAL, TOTAL_CLUE, Puzzle
from gemhunter.cnf.encodings import FOR_THE_TOTAL, IMPOSSIBLE, template
from gemhunter.jit.arrays import Ints
from gemhunter.printable import counted, listed
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Run, never

# Why clues conflict with each other or with a player's marks, or why a single clue cannot hold.
#
# Every such sentence is made here, for engines, questions and screens alike.


LARGEST_WRITTEN_NUMBER = 10**60
"""Python refuses to write numbers of thousands of digits, and they would not help a reader."""

MOST_CLUES_NAMED = 12
"""A sentence names this many clues, and counts the others."""

MOST_CELLS_NAMED = 3
"""A sentence on a screen for players names this many cells, and counts the others."""

CLUE_CANNOT_HOLD = "a clue cannot hold on its own"
"""For engines, which need not name the clue: `solve` finds it before it asks them."""

SINGLE_CLUES_CONFLICT = "the cells that single clues decide conflict with another clue"

NO_SOLUTION_WITH_MARKS = "every clue can still hold, but no solution has all these marks"


def conflict(clues: Sequence[Cell], total: int | None) -> str:
    """Which clues conflict, with each other or with the total."""
    names = ", ".join(map(str, clues[:MOST_CLUES_NAMED]))
    if len(clues) > MOST_CLUES_NAMED:
        names += f" and {len(clues) - MOST_CLUES_NAMED} more"
    if total is None:
        return f"these clues conflict: {names}"
    return f"these clues conflict with the total of {total}: {names}"


def linear_conflict(clues: int, modulus: int, *, with_total: bool) -> str:
    """How many clues conflict because a combination of them cannot add up; modulus 0 is whole numbers."""
    total = "the total and " if with_total else ""
    how = f"added up modulo {modulus:,}" if modulus else "weighted and added up"
    return f"{total}{counted(clues, 'clue')} conflict: {how}, they say what no solution can make true"


def after_decisions(reason: str, deciding: int) -> str:
    """A reason that holds once other clues have decided cells."""
    return f"{reason} once {deciding} more have decided cells around them" if deciding else reason


def impossible_clues(puzzle: Puzzle, regions: Ints) -> str:
    """Why the first of these regions cannot hold on its own, and how many others there are."""
    reason = impossible_clue(puzzle, int(regions[0]))
    return reason if regions.size == 1 else f"{reason} (and {regions.size - 1} more like it)"


def impossible_clue(puzzle: Puzzle, region: int) -> str:
    """Why a region, that of a clue or of the total, cannot hold on its own."""
    needed, hidden = int(puzzle.traps[region]), int(puzzle.sizes[region])
    if puzzle.clues[region] == TOTAL_CLUE and puzzle.total is not None:
        subject, place = "the total", "on the board"
        # `Puzzle.traps` holds no more than LARGEST_STORED_TOTAL.
        needed += max(puzzle.total - LARGEST_STORED_TOTAL, 0)
    else:
        cell = puzzle.grid.cell(puzzle.clues[region])
        subject, place = f"the clue {puzzle.grid[cell]} at {cell}", "next to it"
    if needed < 0:
        return f"{subject} cannot hold: {_traps(-needed)} too many already {place}"
    return f"{subject} cannot hold: it needs {_traps(needed, 'more ')}, but {_cells(hidden)} {place}"


def conflicting_marks(clues: Sequence[Cell], marks: Sequence[Cell], *, with_total: bool) -> str:
    """Which clues cannot hold with a player's marks next to them, and whether the total cannot be met."""
    reasons = []
    if clues:
        near = f": look at {named_cells(marks)}" if marks else ""
        reasons.append(f"{named_cells(clues)} cannot hold any more{near}")
    if with_total:
        reasons.append("the number of traps cannot be met")
    return "; ".join(reasons)


def wrong_marks(cells: Sequence[Cell]) -> str:
    """Which marks of a player are the opposite of what every solution has there."""
    return f"every clue can still hold, but {named_cells(cells)} must be the opposite: all solutions agree"


def named_cells(cells: Sequence[Cell]) -> str:
    """The first cells by name, and how many more there are."""
    names = [str(cell) for cell in cells[:MOST_CELLS_NAMED]]
    left = len(cells) - MOST_CELLS_NAMED
    return listed([*names, f"{left} more"] if left > 0 else names)


def _traps(count: int, more: str = "") -> str:
    if count > LARGEST_WRITTEN_NUMBER:
        return f"more than {LARGEST_WRITTEN_NUMBER} {more}traps"
    return counted(count, f"{more}trap")


def _cells(count: int) -> str:
    if count == 0:
        return "no unknown cell is"
    return "only 1 unknown cell is" if count == 1 else f"only {count} unknown cells are"


# A SAT solver that is asked whether some of the clues of a board, and its total, can all hold.


CONFLICTS_PER_LOOK = 100
"""Between two looks at whether to stop: some hundredths of a second, even where a total is counted."""

CONFLICT_SET_SOLVER = "glucose4"
"""Of PySAT's solvers, one that is quick when it is asked again under other assumptions."""

Clauses = Iterable[Iterable[int]]


class Selection:
    """Suspects, by their index, of a solver in which each holds if its selector, a variable, is true."""

    def __init__(
        self,
        solver: Any,
        selectors: Sequence[int],
        *,
        budget: int,
        stop: Callable[[], bool],
        supposed: Sequence[int] = (),
    ) -> None:
        """`supposed` are literals that are true whatever is asked; `budget` is a number of conflicts."""
        self.core: list[int] = []
        self.size = len(selectors)
        self._solver, self._selectors, self._supposed = solver, selectors, supposed
        self._index = {selector: index for index, selector in enumerate(selectors)}
        self._end, self._stop = self._conflicts() + budget, stop
        # The solver then finds solutions in which more suspects hold than were asked for.
        solver.set_phases(list(selectors))

    def can_hold(self, chosen: Iterable[int]) -> bool | None:
        """Whether these suspects can all hold; None if the budget is used up or it is time to stop.

        If they cannot, `core` has some of them that conflict; if they can, see `held`.
        """
        assumptions = [*self._supposed, *(self._selectors[index] for index in chosen)]
        answer: bool | None = None
        while answer is None:
            left = self._end - self._conflicts()
            if left <= 0 or self._stop():
                return None
            self._solver.conf_budget(min(left, CONFLICTS_PER_LOOK))
            # With `expect_interrupt`, PySAT leaves Ctrl-C to Python.
            answer = self._solver.solve_limited(assumptions=assumptions, expect_interrupt=True)
        if answer is False:
            core = self._solver.get_core() or []
            self.core = [self._index[literal] for literal in core if literal in self._index]
        return answer

    def held(self) -> set[int]:
        """The suspects that hold in the solution that answered the last question."""
        model = self._solver.get_model()
        # A selector that no clause mentions can be missing at the end of the model.
        return {
            i for i, selector in enumerate(self._selectors) if model[selector - 1 : selector] == [selector]
        }

    def _conflicts(self) -> int:
        return int(self._solver.accum_stats()["conflicts"])


class ClueSelection(Selection):
    """The clues of a grid as suspects, and after them the total; it owns its solver."""

    def __init__(
        self,
        grid: Grid,
        clues: Sequence[Cell],
        total: int | None,
        *,
        budget: int,
        stop: Callable[[], bool],
    ) -> None:
        regions, traps = _regions(grid, clues)
        cells = sorted({cell for region in regions for cell in region})
        variable_of = {cell: variable for variable, cell in enumerate(cells, 1)}
        selectors = range(len(cells) + 1, len(cells) + len(clues) + (total is not None) + 1)
        solver = new_solver()
        for selector, region, needed in zip(selectors, regions, traps, strict=False):
            add_under(solver, selector, exactly([variable_of[cell] for cell in region], needed))
        if total is not None:
            needed = total - int(np.count_nonzero(grid.cells == TRAP))
            others = int(np.count_nonzero(grid.cells == HIDDEN)) - len(cells)
            counted = between(range(1, len(cells) + 1), needed - others, needed, top=selectors[-1])
            add_under(solver, selectors[-1], counted)
        super().__init__(solver, selectors, budget=budget, stop=stop)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._solver.delete()


def new_solver() -> Any:
    """A solver without clauses."""
    from pysat.solvers import Solver

    return Solver(name=CONFLICT_SET_SOLVER)


def add_under(solver: Any, selector: int, clauses: Clauses) -> None:
    """Add clauses that hold if the selector does."""
    for clause in clauses:
        solver.add_clause([*clause, -selector])


def exactly(variables: Sequence[int], traps: int) -> list[list[int]]:
    """Clauses that hold if exactly `traps` of these cells are traps."""
    names = [0, *variables]
    clauses = template("binomial", len(variables), traps).clauses
    return [[names[x] if x > 0 else -names[-x] for x in clause] for clause in clauses]


def between(variables: Sequence[int], least: int, most: int, *, top: int) -> list[list[int]]:
    """Clauses that hold if from `least` to `most` of these cells are traps; new variables follow `top`."""
    from pysat.card import CardEnc, EncType

    if most < 0 or least > len(variables):
        return [list(clause) for clause in IMPOSSIBLE.clauses]
    cells, encoding = list(variables), getattr(EncType, FOR_THE_TOTAL)
    clauses: list[list[int]] = []
    if most < len(cells):
        upper = CardEnc.atmost(cells, most, top_id=top, encoding=encoding)
        clauses, top = clauses + upper.clauses, max(top, upper.nv)
    if least > 0:
        clauses += CardEnc.atleast(cells, least, top_id=top, encoding=encoding).clauses
    return clauses


def _regions(grid: Grid, clues: Sequence[Cell]) -> tuple[list[list[int]], list[int]]:
    """For each clue the indices of the hidden cells next to it, and how many of them are traps."""
    indices = np.array([row * grid.cols + col for row, col in clues], np.int64)
    around = clue_neighbours(grid.cells, indices, outside=GEM)
    beside = indices[:, None] + np.array([down * grid.cols + right for down, right in OFFSETS])
    regions = [row[hidden].tolist() for row, hidden in zip(beside, around == HIDDEN, strict=True)]
    traps = grid.cells.ravel()[indices] - np.count_nonzero(around == TRAP, axis=1)
    return regions, traps.tolist()


# Conflict sets: clues that cannot all hold, from which none can be left out, and refutations by them.


CONFLICT_SET_BUDGET = 20_000
"""Conflicts that making a set smaller may cost by default: tenths of a second."""

REFUTATION_BUDGET = 5000
"""Conflicts that a conflict set may cost after a refutation."""

MOST_SUSPECTS = 2000
"""Of more clues, no conflict set is looked for: that would take longer than most refutations."""

MOST_COUNTED_CELLS = 2000
"""Nor with a total of more hidden cells: clauses that count them take tenths of a second to load."""

MOST_SUSPECTS_COMPARED = 3000
"""On boards with more clues, a smaller conflict set is only looked for near the one that was found."""

NEAREST_SUSPECTS = 100
"""How many clues are near there."""

MOST_CHOICES_COMPARED = 100
"""Choices of clues that are tried to find a smallest conflict set; with one wrong clue, ten are typical."""

EXTRA_SECONDS = 0.5
"""How much longer than the refutation the search for a conflict set may take."""


@dataclass(frozen=True, slots=True)
class ConflictSet:
    """Clues that cannot all hold, in reading order, and whether the total is needed for that.

    If `is_minimal`, the rest could hold with any one of them left out; otherwise the budget ended before that
    was certain. If `is_smallest`, no conflict set of the board has fewer members. If the budget ended even
    before it was certain that they conflict, `is_proven` is false: these are then all that were suspected.
    """

    clues: tuple[Cell, ...]
    with_total: bool
    is_minimal: bool
    is_proven: bool = True
    is_smallest: bool = False

    @property
    def size(self) -> int:
        """How many clues there are, and the total."""
        return len(self.clues) + self.with_total


def refuted_by_clues(
    puzzle: Puzzle, suspects: Collection[Cell], run: Run, *, total: int | None = None
) -> Refuted:
    """The refutation by these clues, which conflict, or by a conflict set among them if one is found.

    The total is a suspect too, if it is given. The search for a conflict set ends with the run's limits;
    without a step limit it also ends when it has taken half a second longer than the refutation.
    """
    if len(suspects) > MOST_SUSPECTS or (total is not None and puzzle.hidden.size > MOST_COUNTED_CELLS):
        clues = tuple(sorted(suspects))
        return Refuted(conflict(clues, total), clues)
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
    return Refuted(conflict(found.clues, total if found.with_total else None), found.clues)


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
    unproven = ConflictSet(tuple(clues), total is not None, is_minimal=False, is_proven=False)
    if stop():
        return unproven
    with ClueSelection(grid, clues, total, budget=budget, stop=stop) as selection:
        chosen = conflicting(selection)
        if chosen is None:
            return unproven
        chosen, is_minimal = minimal(selection, chosen, clues)
    return _as_set(clues, chosen, is_minimal=is_minimal)


def _as_set(clues: Sequence[Cell], chosen: Collection[int], *, is_minimal: bool) -> ConflictSet:
    named = tuple(clues[index] for index in sorted(chosen) if index < len(clues))
    return ConflictSet(named, len(clues) in chosen, is_minimal)


def smallest_conflict_set(
    grid: Grid,
    found: ConflictSet,
    total: int | None = None,
    *,
    stop: Callable[[], bool] = never,
) -> ConflictSet:
    """A conflict set of least size, or `found` itself where that would take too long.

    Only a set that is known to be one of least size has `is_smallest`.
    """
    if found.size == 1 or not found.is_minimal:
        return replace(found, is_smallest=found.is_minimal)
    places = every = np.argwhere(grid.cells >= 0)
    if len(every) > MOST_SUSPECTS_COMPARED:
        distance = np.min([np.abs(every - clue).max(axis=1) for clue in found.clues], axis=0)
        places = every[np.sort(np.argsort(distance, kind="stable")[:NEAREST_SUSPECTS])]
    clues = [Cell(row, col) for row, col in places.tolist()]
    with ClueSelection(grid, clues, total, budget=CONFLICT_SET_BUDGET, stop=stop) as selection:
        chosen, is_certain = smallest(selection, found.size)
    best = found if chosen is None else _as_set(clues, chosen, is_minimal=True)
    return replace(best, is_smallest=is_certain and len(clues) == len(every))


def smallest(selection: Selection, size: int) -> tuple[list[int] | None, bool]:
    """The smallest conflict set of the suspects, if one has fewer than `size`, and whether that is certain.

    Every conflict set has a clue in common with every set of clues without which the others can hold. So the
    smallest choice of clues that meets all those sets known so far either conflicts, or shows one more.
    """
    from pysat.examples.hitman import Hitman

    with Hitman(htype="sorted") as chooser:
        for _ in range(MOST_CHOICES_COMPARED):
            chosen = list(chooser.get() or [])
            if len(chosen) >= size:
                return None, True
            can_hold = selection.can_hold(chosen)
            if can_hold is False:
                return chosen, True
            without = None if can_hold is None else _left_out(selection)
            if without is None:
                break
            chooser.hit(without)
    return None, False


def _left_out(selection: Selection) -> list[int] | None:
    """Suspects without which all others can hold, after a choice that can; None if it is time to stop."""
    kept, left_out = selection.held(), list[int]()
    for suspect in range(selection.size):
        if suspect not in kept:
            can_hold = selection.can_hold({*kept, suspect})
            if can_hold is None:
                return None
            if can_hold:
                kept |= selection.held()
            else:
                left_out.append(suspect)
    return left_out


def conflicting(selection: Selection) -> list[int] | None:
    """Suspects that conflict, as few as the solver's cores give; None if it is not certain that any do."""
    chosen = list(range(selection.size))
    can_hold = selection.can_hold(chosen)
    if can_hold:
        raise ValueError("these clues do not conflict")
    if can_hold is None:
        return None
    while can_hold is False and len(selection.core) < len(chosen):
        chosen = selection.core[::-1]  # another order, another core
        can_hold = selection.can_hold(chosen)
    return chosen


def minimal(
    selection: Selection, chosen: list[int], clues: Sequence[tuple[int, int]]
) -> tuple[list[int], bool]:
    """Those of the chosen suspects from which none can be left out, and whether that is certain.

    `clues` are the places of the suspects; one without a place, which is the total, comes after them.
    """
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


def _from_the_middle(chosen: list[int], clues: Sequence[tuple[int, int]]) -> list[int]:
    """Near clues first and the total last, so that far ones, and the total, are the first to be left out."""
    cells = np.array([clues[index] for index in chosen if index < len(clues)], np.int64).reshape(-1, 2)
    middle = np.median(cells, axis=0) if cells.size else np.zeros(2)

    def distance(index: int) -> float:
        return float(np.abs(np.array(clues[index]) - middle).max()) if index < len(clues) else np.inf

    return sorted(chosen, key=distance)
