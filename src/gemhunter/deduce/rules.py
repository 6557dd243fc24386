"""The rules by which a person deduces cells from one clue, from two, or from a line of them.

A rule reads `Knowledge` and returns a `Deduction`, or None where it does not apply. Nothing is changed.
"""

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import product

from gemhunter.deduce.knowledge import Knowledge
from gemhunter.deduce.lines import Line


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of deduction. Rules of a lower level are easier; `about` completes "A cell is decided by …"."""

    name: str
    level: int
    about: str


ONE_CLUE = Rule("one-clue", 1, "a single clue")
TOTAL_REACHED = Rule("total-reached", 1, "the number of traps that are left")
SUBSET = Rule("subset", 2, "two clues, one of which covers the cells of the other")
OVERLAP = Rule("overlap", 2, "two clues that share cells")
ONE_ONE = Rule("1-1", 2, "the pattern 1-1")
ONE_TWO = Rule("1-2", 2, "the pattern 1-2")
ONE_TWO_ONE = Rule("1-2-1", 2, "the pattern 1-2-1")
ONE_TWO_TWO_ONE = Rule("1-2-2-1", 2, "the pattern 1-2-2-1")
SEVERAL_CLUES = Rule("several-clues", 3, "several clues, added and subtracted")
TOTAL = Rule("total", 4, "the total and clues without a common cell")
WHAT_IF = Rule("what-if", 5, "supposing the opposite, which leads to a conflict")
CASE_SPLIT = Rule("case-split", 6, "all ways to fill the cells of one clue, which agree")
CLUE_SET = Rule("clue-set", 7, "a set of clues, none of which can be left out")

RULES = {
    rule.name: rule
    for rule in (
        *(ONE_CLUE, TOTAL_REACHED, ONE_ONE, ONE_TWO, ONE_TWO_ONE, ONE_TWO_TWO_ONE, SUBSET, OVERLAP),
        *(SEVERAL_CLUES, TOTAL, WHAT_IF, CASE_SPLIT, CLUE_SET),
    )
}
"""All rules by name, the easiest first."""

HARDEST_LEVEL = max(rule.level for rule in RULES.values())


@dataclass(frozen=True, slots=True)
class Deduction:
    """Cells that a rule decides, by the numbers of `Knowledge`, and the regions that it rests on."""

    rule: Rule
    regions: tuple[int, ...]
    traps: frozenset[int]
    gems: frozenset[int]
    subtracted: tuple[int, ...] = ()
    """The regions that are subtracted from the others, where regions are combined."""
    with_total: bool = False
    lines: tuple[Line, ...] = field(default=(), compare=False)
    """What is supposed, and what follows."""

    @property
    def clues(self) -> tuple[int, ...]:
        """All regions, with those that are subtracted."""
        return self.regions + self.subtracted


def one_clue(known: Knowledge, region: int) -> Deduction | None:
    """A region without traps, or full of them, decides all its cells."""
    cells, traps = known.cells[region], known.traps[region]
    if not cells or traps not in (0, len(cells)):
        return None
    decided, none = frozenset(cells), frozenset[int]()
    return Deduction(ONE_CLUE, (region,), decided if traps else none, none if traps else decided)


def total_reached(known: Knowledge) -> Deduction | None:
    """If no trap is left, or nothing but traps, the total decides every cell."""
    if not known.undecided or known.traps_left not in (0, known.undecided):
        return None
    decided, none = frozenset(known.undecided_cells()), frozenset[int]()
    traps, gems = (decided, none) if known.traps_left else (none, decided)
    return Deduction(TOTAL_REACHED, (), traps, gems, with_total=True)


def two_clues(known: Knowledge, larger: int, smaller: int) -> Deduction | None:
    """The clue `larger` needs as many more traps than `smaller` as it has cells of its own: all are traps.

    Then the cells that only `smaller` has are gems. Asked both ways round, this finds everything that
    follows from two clues together and not from one of them.
    """
    own = known.cells[larger] - known.cells[smaller]
    if known.traps[larger] - known.traps[smaller] != len(own):
        return None
    other = known.cells[smaller] - known.cells[larger]
    if not own and not other:
        return None
    rule = _pair_rule(known, larger, smaller, is_subset=not own or not other)
    return Deduction(rule, (larger,), frozenset(own), frozenset(other), (smaller,))


def _pair_rule(known: Knowledge, larger: int, smaller: int, *, is_subset: bool) -> Rule:
    (row, col), (other_row, other_col) = known.clue(larger), known.clue(smaller)
    needs = known.traps[larger], known.traps[smaller]
    if abs(row - other_row) + abs(col - other_col) == 1:
        if needs == (1, 1) and is_subset:
            return ONE_ONE
        if needs == (2, 1):
            return ONE_TWO
    return SUBSET if is_subset else OVERLAP


LINE_PATTERNS = {(1, 2, 1): ONE_TWO_ONE, (1, 2, 2, 1): ONE_TWO_TWO_ONE}
"""What clues side by side along a wall need, and the pattern that they form."""

MOST_PATTERN_CELLS = 8
"""A pattern along a wall has at most six cells; corners add a few."""


def line_pattern(known: Knowledge, by_place: dict[tuple[int, int], int], region: int) -> Deduction | None:
    """The pattern 1-2-1 or 1-2-2-1 that a region is part of; `by_place` has the region of each clue."""
    for line, rule in _lines_through(known, by_place, region):
        found = _decided_by(known, line)
        if found is not None and found[0]:
            return Deduction(rule, line, *found)
    return None


def _lines_through(
    known: Knowledge, by_place: dict[tuple[int, int], int], region: int
) -> Iterator[tuple[tuple[int, ...], Rule]]:
    row, col = known.clue(region)
    for pattern, rule in LINE_PATTERNS.items():
        for down, right in ((0, 1), (1, 0)):
            for first in range(1 - len(pattern), 1):
                places = [(row + i * down, col + i * right) for i in range(first, first + len(pattern))]
                line = tuple(by_place[place] for place in places if place in by_place)
                is_whole = len(line) == len(pattern)
                if is_whole and all(known.traps[each] == n for each, n in zip(line, pattern, strict=True)):
                    yield line, rule


def _decided_by(known: Knowledge, line: tuple[int, ...]) -> tuple[frozenset[int], frozenset[int]] | None:
    """The traps and gems that are the same in every way to fill the cells of a line of regions."""
    cells = sorted(set[int]().union(*(known.cells[region] for region in line)))
    if len(cells) > MOST_PATTERN_CELLS:
        return None
    ways = [
        {cell for cell, is_trap in zip(cells, way, strict=True) if is_trap}
        for way in product((False, True), repeat=len(cells))
    ]
    fitting = [way for way in ways if all(len(way & known.cells[r]) == known.traps[r] for r in line)]
    if not fitting:
        return None
    return frozenset(set.intersection(*fitting)), frozenset(set(cells).difference(*fitting))
