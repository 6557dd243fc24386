"""The last resort: a set of clues that decides a cell and from which none can be left out."""

from collections.abc import Collection, Iterator
from contextlib import suppress
from functools import cached_property
from itertools import islice, takewhile

from gemhunter.explanation.knowledge import IS_TRAP, UNDECIDED, Knowledge
from gemhunter.explanation.rules import CLUE_SET, THE_TOTAL, Deduction, decided_cell, refute
from gemhunter.solving.conflict_sets import (
    CONFLICT_SET_BUDGET,
    CONFLICT_SET_SOLVER,
    Selection,
    add_under,
    between,
    conflicting,
    exactly,
    minimal,
    smallest,
)
from gemhunter.solving.run import Run
from gemhunter.solving.session import SatSession

COMPARED_REGION_LIMIT = 300
"""Among more regions, no smallest set is looked for."""


class ClueSets:
    """Finds sets of clues that decide cells of one board as more and more of it becomes known.

    A set is a list of regions, with `THE_TOTAL` in front if it belongs to the set.
    """

    def __init__(self, known: Knowledge, run: Run) -> None:
        self._known, self._run = known, run

    @cached_property
    def _clauses(self) -> "_KnownClauses":
        return _KnownClauses(self._known)

    def find(self, forced: dict[int, int], *, budget: int = 2**62) -> Deduction | None:
        """The deduction of one of the forced cells from a small set of clues.

        None if the run has ended, or if the solver had `budget` conflicts before it found the first set; by
        default, only the run ends the search for that set.
        """
        self._clauses.update()
        best: tuple[int, int, list[int]] | None = None
        # Take the smallest of the sets for the first twelve cells.
        for cell, value in islice(forced.items(), 12):
            found = self._find_set(cell, value, budget if best is None else CONFLICT_SET_BUDGET)
            if found is None:
                if best is None or self._run.spend() is not None:
                    return None
            elif best is None or len(found) < len(best[2]):
                best = cell, value, found
        if best is None:
            return None
        cell, value, found = best
        return decided_by_set(self._known, cell, value, self._smallest_set(cell, value, found))

    def _find_set(self, cell: int, value: int, budget: int) -> list[int] | None:
        """A set that decides the cell, as near to it as possible; None if the budget or the run has ended."""
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
        """A minimal set of suspects that conflict if the cell has the other value."""
        selection = self._selection(cell, value, suspects, budget)
        chosen = conflicting(selection)
        if chosen is None:
            return None
        places = [self._known.clue(region) for region in suspects if region != THE_TOTAL]
        chosen, is_minimal = minimal(selection, chosen, places)
        return sorted(suspects[index] for index in chosen) if is_minimal else None

    def _smallest_set(self, cell: int, value: int, found: list[int]) -> list[int]:
        """The smallest set that decides the cell, or `found` if the search for it would take long."""
        if len(found) <= 2:  # a single clue would decide the cell by an easier rule
            return found
        suspects = self._nearest_regions(cell, len(found) - 1)
        if THE_TOTAL in found:
            everything = self._known.unfinished_regions()
            suspects = [*(everything if len(everything) <= COMPARED_REGION_LIMIT else suspects), THE_TOTAL]
        selection = self._selection(cell, value, suspects, CONFLICT_SET_BUDGET)
        chosen, _ = smallest(selection, len(found))
        return found if chosen is None else sorted(suspects[index] for index in chosen)

    def _nearest_regions(self, cell: int, reach: int) -> list[int]:
        """The regions around a cell that a set of `reach` clues can contain, unless they are too many.

        Each clue of a set overlaps another one, so a set of n clues reaches at most n clues far.
        """
        rings = takewhile(lambda ring: len(ring) <= COMPARED_REGION_LIMIT, _rings(self._known, cell))
        *_, near = set[int](), *islice(rings, reach)
        return sorted(near)

    def _selection(self, cell: int, value: int, suspects: list[int], budget: int) -> Selection:
        clauses, variable = self._clauses, self._clauses.variable(cell)
        selectors = [clauses.selector(region) for region in suspects if region != THE_TOTAL]
        return Selection(
            clauses.session,
            [*selectors, clauses.total_selector(cell)] if THE_TOTAL in suspects else selectors,
            budget=budget,
            stop=lambda: self._run.spend(1) is not None,
            supposed=[-variable if value == IS_TRAP else variable],
        )


def decided_by_set(known: Knowledge, cell: int, value: int, among: Collection[int]) -> Deduction:
    """The deduction that these regions decide a cell, with the lines to the conflict if they are few."""
    regions = tuple(region for region in among if region != THE_TOTAL)
    # Of a conflict that takes more than 16 lines, only the clues are named.
    line = refute(known, {cell: 1 - value}, among, 16)
    lines = (line,) if line else ()
    return decided_cell(CLUE_SET, regions, cell, value, with_total=THE_TOTAL in among, lines=lines)


class _KnownClauses:
    """A solver that holds the known facts as clauses; cells and regions are added on first use."""

    def __init__(self, known: Knowledge) -> None:
        self.session = SatSession(Run(), solver=CONFLICT_SET_SOLVER)
        self._known = known
        self._top = 0
        self._variables: dict[int, int] = {}
        self._undecided: dict[int, int] = {}
        self._selectors: dict[int, int] = {}
        self._totals: dict[tuple[int, int], int] = {}

    def update(self) -> None:
        """Add the cells that have been decided since the last update."""
        for cell, variable in list(self._undecided.items()):
            value = self._known.value[cell]
            if value != UNDECIDED:
                del self._undecided[cell]
                self.session.add([variable if value == IS_TRAP else -variable])

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
            add_under(self.session, selector, exactly(cells, self._known.traps[region]))
        return self._selectors[region]

    def total_selector(self, asked: int) -> int:
        """The variable that makes the total hold; `asked` is the cell in question.

        Other cells without a clue have no variables: only their number matters.
        """
        known = self._known
        named = [cell for cell in known.undecided_cells() if known.regions_of[cell] or cell == asked]
        others, extra = known.undecided - len(named), UNDECIDED if known.regions_of[asked] else asked
        if (others, extra) not in self._totals:
            selector = self._totals[others, extra] = self._new_variable()
            cells, most = [self.variable(cell) for cell in named], known.traps_left or 0
            clauses = between(cells, most - others, most, top=self._top)
            self._top = max([self._top, *(abs(literal) for clause in clauses for literal in clause)])
            add_under(self.session, selector, clauses)
        return self._totals[others, extra]

    def _new_variable(self) -> int:
        self._top += 1
        return self._top


def _ever_wider(known: Knowledge, cell: int) -> Iterator[set[int]]:
    """The regions near a cell, then those up to twice as far, and finally all that are connected to it."""
    wanted, last = 3, set[int]()  # steps from a clue to an overlapping one
    for depth, regions in enumerate(_rings(known, cell), 1):
        last = regions
        if depth == wanted:
            yield regions
            wanted *= 2
    yield last


def _rings(known: Knowledge, cell: int) -> Iterator[set[int]]:
    """The regions of a cell, then also those that overlap them, and so on until no more are added."""
    reached = set(known.regions_of[cell])
    edge = set(reached)
    yield set(reached)
    while edge:
        edge = {other for region in edge for other in known.overlapping(region)} - reached
        reached |= edge
        if edge:
            yield set(reached)
