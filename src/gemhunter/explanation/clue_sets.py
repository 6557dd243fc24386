"""The last resort: a set of clues that decides a cell and from which none can be left out."""

from collections.abc import Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice, takewhile
from typing import Any

from gemhunter.explanation.knowledge import IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import CLUE_SET, THE_TOTAL, Deduction, Line, refute
from gemhunter.solving.conflicts import (
    CONFLICT_SET_BUDGET,
    Selection,
    add_under,
    between,
    conflicting,
    exactly,
    minimal,
    new_solver,
    smallest,
)
from gemhunter.solving.run import Run

MOST_CELLS_COMPARED = 12
"""Cells whose sets of clues are compared, to begin with the smallest."""

MOST_REGIONS_COMPARED = 300
"""Among more regions, a smallest set is not looked for."""

FIRST_REACH = 3
"""How far from a cell its clues are looked for at first, in steps from a clue to an overlapping one."""

UNLIMITED_CONFLICTS = 2**62
"""Only the run ends the search for a first set."""

MOST_LINES = 16
"""Cases of a conflict that are played out; where it takes more, only the clues are named."""


class ClueSets:
    """Finds sets of clues that decide cells of one board, while more and more is known of it.

    A set is a list of regions, with `THE_TOTAL` in front if it belongs to the set.
    """

    def __init__(self, known: Knowledge, run: Run) -> None:
        self._known, self._run = known, run

    @cached_property
    def _clauses(self) -> "_KnownClauses":
        return _KnownClauses(self._known)

    def find(self, forced: dict[int, int], *, budget: int = UNLIMITED_CONFLICTS) -> Deduction | None:
        """The deduction by the smallest set of clues found that decides one of the forced cells.

        None if the run is to stop, or if the solver has had `budget` conflicts before there was a set.
        """
        self._clauses.update()
        best: tuple[int, int, list[int]] | None = None
        for cell, value in islice(forced.items(), MOST_CELLS_COMPARED):
            found = self._find_set(cell, value, budget if best is None else CONFLICT_SET_BUDGET)
            if found is None:
                if best is None or self._run.spend() is not None:
                    return None
            elif best is None or len(found) < len(best[2]):
                best = cell, value, found
        return None if best is None else self._deduction(*best)

    def _find_set(self, cell: int, value: int, budget: int) -> list[int] | None:
        """A set that decides the cell, as near as possible; None if there is no time."""
        for regions in _ever_wider(self._known, cell):
            with suppress(ValueError):
                found = self._conflict_set(cell, value, sorted(regions), CONFLICT_SET_BUDGET)
                if found is not None:
                    return found
        everything = self._known.unfinished_regions()
        with suppress(ValueError):
            return self._conflict_set(cell, value, everything, budget)
        return self._conflict_set(cell, value, [*everything, THE_TOTAL], budget)

    def _conflict_set(self, cell: int, value: int, suspects: list[int], budget: int) -> list[int] | None:
        """Suspects that conflict if the cell has the other value, and from which none can be left out."""
        selection = self._selection(cell, value, suspects, budget)
        chosen = conflicting(selection)
        if chosen is None:
            return None
        places = [self._known.clue(region) for region in suspects if region != THE_TOTAL]
        chosen, is_minimal = minimal(selection, chosen, places)
        return sorted(suspects[index] for index in chosen) if is_minimal else None

    def _deduction(self, cell: int, value: int, found: list[int]) -> Deduction:
        among = self._smallest_set(cell, value, found)
        regions = tuple(region for region in among if region != THE_TOTAL)
        line = refute(self._known, {cell: 1 - value}, among, MOST_LINES)
        return decided_by_set(cell, value, regions, line, with_total=THE_TOTAL in among)

    def _smallest_set(self, cell: int, value: int, found: list[int]) -> list[int]:
        """The set of least size that decides the cell, where it is found quickly."""
        if len(found) <= 2:  # One member alone would decide the cell by an easier rule.
            return found
        suspects = self._nearest_regions(cell, len(found) - 1)
        if THE_TOTAL in found:
            everything = self._known.unfinished_regions()
            suspects = [*(everything if len(everything) <= MOST_REGIONS_COMPARED else suspects), THE_TOTAL]
        selection = self._selection(cell, value, suspects, CONFLICT_SET_BUDGET)
        chosen, _ = smallest(selection, len(found))
        return found if chosen is None else sorted(suspects[index] for index in chosen)

    def _nearest_regions(self, cell: int, reach: int) -> list[int]:
        """The regions around a cell where a smaller set can be, if they are not too many to compare.

        Such a set hangs together, so it reaches no further than it has clues.
        """
        rings = takewhile(lambda ring: len(ring) <= MOST_REGIONS_COMPARED, _rings(self._known, cell))
        *_, near = set[int](), *islice(rings, reach)
        return sorted(near)

    def _selection(self, cell: int, value: int, suspects: list[int], budget: int) -> Selection:
        clauses, variable = self._clauses, self._clauses.variable(cell)
        selectors = [clauses.selector(region) for region in suspects if region != THE_TOTAL]
        return Selection(
            clauses.solver,
            [*selectors, clauses.total_selector(cell)] if THE_TOTAL in suspects else selectors,
            budget=budget,
            stop=lambda: self._run.spend(1) is not None,
            supposed=[-variable if value == IS_TRAP else variable],
        )


class _KnownClauses:
    """A solver for what is known; cells and regions are added to it on first use."""

    def __init__(self, known: Knowledge) -> None:
        self.solver: Any = new_solver()
        self._known = known
        self._top = 0
        self._variables: dict[int, int] = {}
        self._undecided: dict[int, int] = {}
        self._selectors: dict[int, int] = {}
        self._totals: dict[tuple[int, int], int] = {}

    def update(self) -> None:
        """Add what has been decided since the last time."""
        for cell, variable in list(self._undecided.items()):
            value = self._known.value[cell]
            if value != UNDECIDED:
                del self._undecided[cell]
                self.solver.add_clause([variable if value == IS_TRAP else -variable])

    def variable(self, cell: int) -> int:
        """The variable that says whether an undecided cell is a trap."""
        if cell not in self._variables:
            self._variables[cell] = self._undecided[cell] = self._new_variable()
        return self._variables[cell]

    def selector(self, region: int) -> int:
        """The variable that makes a region hold."""
        if region not in self._selectors:
            selector = self._selectors[region] = self._new_variable()
            cells = [self.variable(cell) for cell in sorted(self._known.cells[region])]
            add_under(self.solver, selector, exactly(cells, self._known.traps[region]))
        return self._selectors[region]

    def total_selector(self, asked: int) -> int:
        """The variable that makes the total hold; `asked` is the cell in question.

        Cells without a clue are only counted, apart from that one.
        """
        known = self._known
        named = [cell for cell in known.undecided_cells() if known.regions_of[cell] or cell == asked]
        others, extra = known.undecided - len(named), UNDECIDED if known.regions_of[asked] else asked
        if (others, extra) not in self._totals:
            selector = self._totals[others, extra] = self._new_variable()
            cells, most = [self.variable(cell) for cell in named], known.traps_left or 0
            clauses = between(cells, most - others, most, top=self._top)
            self._top = max([self._top, *(abs(literal) for clause in clauses for literal in clause)])
            add_under(self.solver, selector, clauses)
        return self._totals[others, extra]

    def _new_variable(self) -> int:
        self._top += 1
        return self._top


def decided_by_set(
    cell: int, value: int, regions: tuple[int, ...], line: Line | None, *, with_total: bool
) -> Deduction:
    """The deduction that these regions decide a cell, with the conflict played out where it is short."""
    decided, none = frozenset({cell}), frozenset[int]()
    traps, gems = (decided, none) if value == IS_TRAP else (none, decided)
    return Deduction(CLUE_SET, regions, traps, gems, with_total=with_total, lines=(line,) if line else ())


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
