"""Rules that suppose something: "what if", and going through all ways to fill the cells of a clue.

Each returns its deduction and the regions that mattered: while those stay as they are, so does the answer.
"""

from collections.abc import Sequence
from itertools import combinations, islice

from gemhunter.deduce.knowledge import IS_TRAP, Knowledge
from gemhunter.deduce.lines import THE_TOTAL, Line, Supposition
from gemhunter.deduce.rules import CASE_SPLIT, WHAT_IF, Deduction, Rule

MOST_WAYS = 10
"""Ways to fill the cells of one clue that a person would go through."""

MOST_CASE_CLUES = 12
"""Clues that all cases together may use."""


def what_if(known: Knowledge, cell: int, value: int) -> tuple[Deduction | None, set[int]]:
    """If the other value of a cell leads to a conflict by single clues, the cell has this value."""
    supposition = Supposition(known, {cell: 1 - value})
    if supposition.broken is None:
        return None, supposition.seen
    return decided_by_lines(WHAT_IF, cell, value, [supposition.line()]), supposition.seen


def case_split(known: Knowledge, region: int) -> tuple[Deduction | None, set[int]]:
    """If all ways to fill the cells of a region lead to the same value of a cell, it has that value."""
    cells, traps = sorted(known.cells[region]), known.traps[region]
    ways = list(islice(combinations(cells, traps), MOST_WAYS + 1)) if cells and traps >= 0 else []
    if not 2 <= len(ways) <= MOST_WAYS:
        return None, {region}
    cases = [Supposition(known, {cell: int(cell in way) for cell in cells}) for way in ways]
    return _agreed(region, cases), {region}.union(*(case.seen for case in cases))


def _agreed(region: int, cases: Sequence[Supposition]) -> Deduction | None:
    """The cell on which all possible cases agree, with the shortest lines."""
    possible = [case for case in cases if case.broken is None]
    if not possible:
        return None
    common = set(possible[0].value.items()).intersection(*(case.value.items() for case in possible[1:]))
    found = []
    for cell, value in sorted(common):
        deduction = decided_by_lines(CASE_SPLIT, cell, value, [case.line([cell]) for case in cases], region)
        if len(deduction.regions) <= MOST_CASE_CLUES:
            found.append(deduction)
    return min(
        found,
        key=lambda each: (len(each.regions), sum(len(line.follows) for line in each.lines)),
        default=None,
    )


def decided_by_lines(rule: Rule, cell: int, value: int, lines: Sequence[Line], *split: int) -> Deduction:
    """The deduction that lines show a cell to have this value; the region that they split comes first."""
    regions = set[int]().union(*(line.regions() for line in lines)) - {*split}
    decided, none = frozenset({cell}), frozenset[int]()
    traps, gems = (decided, none) if value == IS_TRAP else (none, decided)
    clues = (*split, *sorted(regions - {THE_TOTAL}))
    return Deduction(rule, clues, traps, gems, with_total=THE_TOTAL in regions, lines=tuple(lines))
