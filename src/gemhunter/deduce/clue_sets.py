"""The last resort: a set of clues that decides a cell and from which none can be left out."""

from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from itertools import islice

from gemhunter.core.grid import GEM, TRAP, Grid
from gemhunter.deduce.conflicts import (
    CONFLICT_SET_BUDGET,
    ConflictSet,
    find_conflict_set,
    smallest_conflict_set,
)
from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.lines import THE_TOTAL, Line, refute
from gemhunter.deduce.rules import CLUE_SET, Deduction
from gemhunter.solving.run import Run

MOST_CELLS_COMPARED = 12
"""Cells whose sets of clues are compared, to begin with the smallest."""

FIRST_REACH = 3
"""How far from a cell its clues are looked for at first, in steps from a clue to an overlapping one."""

UNLIMITED_CONFLICTS = 2**62
"""Only the run ends the search for a first set."""

MOST_LINES = 16
"""Cases of a conflict that are played out; where it takes more, only the clues are named."""


def clue_set(
    known: Knowledge, forced: dict[int, int], run: Run, *, budget: int = UNLIMITED_CONFLICTS
) -> Deduction | None:
    """The smallest set of clues found that decides one of the forced cells.

    None if the run is to stop, or if the solver has had `budget` conflicts before there was a set.
    """
    best: tuple[int, int, ConflictSet] | None = None
    for cell, value in islice(forced.items(), MOST_CELLS_COMPARED):
        found = _find_set(known, (cell, value), run, budget if best is None else CONFLICT_SET_BUDGET)
        if found is None:
            if best is None or run.spend() is not None:
                return None
        elif best is None or found.size < best[2].size:
            best = cell, value, found
    if best is None:
        return None
    cell, value, found = best
    return _deduction(known, cell, value, _smaller(known, (cell, value), found, run))


def _find_set(known: Knowledge, decided: tuple[int, int], run: Run, budget: int) -> ConflictSet | None:
    """Clues, as near as possible, that conflict if the cell has the other value; None if there is no time."""
    grid = _opposite(known, *decided)
    find = partial(find_conflict_set, grid, stop=lambda: run.spend(1) is not None)
    for regions in _ever_wider(known, decided[0]):
        with suppress(ValueError):
            found = find([known.clue_on_grid(region) for region in regions])
            if found.is_proven:
                return _shrunk(find(found.clues, budget=budget)) if not found.is_minimal else found
    everything = [known.clue_on_grid(region) for region, cells in enumerate(known.cells) if cells]
    with suppress(ValueError):
        return _shrunk(find(everything, budget=budget))
    return _shrunk(find(everything, known.puzzle.total, budget=budget))


def _shrunk(found: ConflictSet) -> ConflictSet | None:
    return found if found.is_minimal else None


def _smaller(known: Knowledge, decided: tuple[int, int], found: ConflictSet, run: Run) -> ConflictSet:
    """The set of least size that decides a cell, where it is found quickly."""
    grid = _opposite(known, *decided)
    # A smaller set hangs together, so it reaches less far than it has clues.
    *_, near = islice(_rings(known, decided[0]), max(len(found.clues), 1))
    suspects = [known.clue_on_grid(region) for region in near]
    total = known.puzzle.total if found.with_total else None
    return smallest_conflict_set(grid, suspects, found, total, stop=lambda: run.spend(1) is not None)


def _deduction(known: Knowledge, cell: int, value: int, found: ConflictSet) -> Deduction:
    by_cell = {known.clue_on_grid(region): region for region in range(len(known.cells))}
    regions = tuple(by_cell[clue] for clue in found.clues)
    among = (*regions, THE_TOTAL) if found.with_total else regions
    line = refute(known, {cell: 1 - value}, among, MOST_LINES)
    return decided_by_set(cell, value, regions, line, with_total=found.with_total)


def decided_by_set(
    cell: int, value: int, regions: tuple[int, ...], line: Line | None, *, with_total: bool
) -> Deduction:
    """The deduction that these regions decide a cell, with the conflict played out where it is short."""
    decided, none = frozenset({cell}), frozenset[int]()
    traps, gems = (decided, none) if value == IS_TRAP else (none, decided)
    return Deduction(CLUE_SET, regions, traps, gems, with_total=with_total, lines=(line,) if line else ())


def _opposite(known: Knowledge, cell: int, value: int) -> Grid:
    """The grid with all that is known, and this cell the other way round."""
    codes = known.grid().cells.copy()
    codes.flat[known.puzzle.hidden[cell]] = TRAP if value == IS_GEM else GEM
    return Grid(codes)


def _ever_wider(known: Knowledge, cell: int) -> Iterator[set[int]]:
    """The regions near a cell, and then twice as far, up to all that are connected with it."""
    wanted, last = FIRST_REACH, set[int]()
    for depth, regions in enumerate(_rings(known, cell), 1):
        last = regions
        if depth == wanted:
            yield regions
            wanted *= 2
    yield last


def _rings(known: Knowledge, cell: int) -> Iterator[set[int]]:
    """The regions of a cell, then also those that overlap them, and so on until there are no more."""
    reached = set(known.regions_of[cell])
    edge = set(reached)
    yield set(reached)
    while edge:
        edge = {other for region in edge for other in known.overlapping(region)} - reached
        reached |= edge
        if edge:
            yield set(reached)
