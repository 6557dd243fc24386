"""Conflict sets: clues that cannot all hold, from which none can be left out, and refutations by them."""

import math
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gemhunter.core.grid import Cell, Grid
from gemhunter.core.puzzle import TOTAL_CLUE, Ints, Puzzle
from gemhunter.deduce import sentences
from gemhunter.deduce.clue_selection import ClueSelection, Selection
from gemhunter.solving.outcomes import Refuted
from gemhunter.solving.run import Run, never

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
