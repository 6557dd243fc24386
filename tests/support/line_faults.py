"""What is wrong with lines of thought: consequences must follow from their clues, and ends be as said."""

from collections.abc import Iterator
from itertools import combinations

from gemhunter.explanation.knowledge import Knowledge
from gemhunter.explanation.rules import THE_TOTAL, Consequence, Deduction, Line

Values = dict[int, int]
"""1 for a trap and 0 for a gem, by the number of the cell."""


def deduction_faults(known: Knowledge, deduction: Deduction) -> Iterator[str]:
    """What is wrong with the lines of a deduction, while `known` is as the rule saw it."""
    decided = dict.fromkeys(deduction.traps, 1) | dict.fromkeys(deduction.gems, 0)
    opposite = {cell: 1 - value for cell, value in decided.items()}
    allowed = {*deduction.clues, *([THE_TOTAL] if deduction.with_total else [])}
    if deduction.lines:
        used = set().union(*(line.regions() for line in deduction.lines))
        split = {deduction.regions[0]} if deduction.rule.name == "case-split" else set()
        if used | split != allowed and deduction.rule.name != "clue-set":
            yield "the clues are not those of the lines"
        if not used <= allowed:
            yield "a line uses another clue"
    if deduction.rule.name == "case-split":
        yield from _split_faults(known, deduction, decided)
    else:
        for line in deduction.lines:
            if not supposed_by(line).items() <= opposite.items():
                yield "a line does not suppose the opposite"
            if line.broken is None and not line.cases:
                yield "a line ends without a conflict"
            yield from _line_faults(known, line, {})


def supposed_by(line: Line) -> Values:
    """What a line supposes."""
    return dict.fromkeys(line.traps, 1) | dict.fromkeys(line.gems, 0)


def _split_faults(known: Knowledge, deduction: Deduction, decided: Values) -> Iterator[str]:
    cells, traps = sorted(known.cells[deduction.regions[0]]), known.traps[deduction.regions[0]]
    for way in combinations(cells, traps):
        filled = {cell: int(cell in way) for cell in cells}
        if not any(supposed_by(line).items() <= filled.items() for line in deduction.lines):
            yield "a way to fill the cells is left out"
    for line in deduction.lines:
        end: Values = {}
        yield from _line_faults(known, line, {}, end)
        if line.broken is None and not decided.items() <= end.items():
            yield "a case ends without the conclusion"


def _line_faults(known: Knowledge, line: Line, outer: Values, end: Values | None = None) -> Iterator[str]:
    """Go through one line; `end` receives all values that it comes to."""
    values = outer | supposed_by(line)
    if outer and not supposed_by(line):
        yield "a case supposes nothing"
    for consequence in line.follows:
        if not _follows(known, consequence, values):
            yield "a consequence does not follow"
        values |= dict.fromkeys(consequence.traps, 1) | dict.fromkeys(consequence.gems, 0)
    if line.broken is not None:
        needed, left = _left(known, line.broken, values)
        if 0 <= needed <= len(left):
            yield "the clue that is said to break can hold"
    if line.cases:
        yield from _case_faults(known, line, values)
    if end is not None:
        end |= values


def _case_faults(known: Knowledge, line: Line, values: Values) -> Iterator[str]:
    first, second = (supposed_by(case) for case in line.cases)
    if len(first) != 1 or second != {cell: 1 - value for cell, value in first.items()}:
        yield "two cases are not the two values of a cell"
    for case in line.cases:
        if case.broken is None and not case.cases:
            yield "a case ends without a conflict"
        yield from _line_faults(known, case, values)


def _follows(known: Knowledge, consequence: Consequence, values: Values) -> bool:
    needed, left = _left(known, consequence.region, values)
    cells = consequence.traps | consequence.gems
    same = consequence.gems if needed == 0 else consequence.traps if needed == len(left) else None
    return bool(cells) and cells <= left and same == cells


def _left(known: Knowledge, region: int, values: Values) -> tuple[int, set[int]]:
    """How many traps a region still needs, and its cells without a value."""
    if region == THE_TOTAL:
        assert known.traps_left is not None
        cells, needed = set(known.undecided_cells()), known.traps_left
    else:
        cells, needed = known.cells[region], known.traps[region]
    return needed - sum(values.get(cell, 0) for cell in cells), cells - values.keys()
