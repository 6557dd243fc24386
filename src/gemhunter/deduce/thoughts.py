"""Lines of thought in sentences: what is supposed, what follows, and which clue cannot hold in the end."""

from collections.abc import Iterator

from gemhunter.deduce.knowledge import IS_GEM, IS_TRAP, Knowledge
from gemhunter.deduce.lines import THE_TOTAL, Consequence, Line
from gemhunter.deduce.rules import Deduction
from gemhunter.deduce.steps import Thought
from gemhunter.deduce.wording import capital, clue_text, conclusion, number_word, traps_text


def thoughts(known: Knowledge, deduction: Deduction) -> tuple[Thought, ...]:
    """The lines of a deduction, in sentences; lines that need the same suppositions are one.

    A line that supposes the conclusion itself has nothing to show, and is left out.
    """
    different = [each for each in dict.fromkeys(deduction.lines) if each.follows or each.is_refuted]
    return tuple(thought for line in different for thought in _thoughts(known, line, 0, {}))


def _thoughts(known: Knowledge, line: Line, depth: int, outer: dict[int, int]) -> Iterator[Thought]:
    value = outer | dict.fromkeys(line.traps, IS_TRAP) | dict.fromkeys(line.gems, IS_GEM)
    yield Thought(depth, f"Suppose that {conclusion(known, line.traps, line.gems)}.")
    for consequence in line.follows:
        yield Thought(depth + 1, capital(_follows(known, consequence)))
        value |= dict.fromkeys(consequence.traps, IS_TRAP) | dict.fromkeys(consequence.gems, IS_GEM)
    if line.broken is not None:
        yield Thought(depth + 1, capital(broken_text(known, line.broken, value)))
    for case in line.cases:
        yield from _thoughts(known, case, depth + 1, value)


def _follows(known: Knowledge, consequence: Consequence) -> str:
    result = conclusion(known, consequence.traps, consequence.gems)
    clue = "the total" if consequence.region == THE_TOTAL else clue_text(known, consequence.region)
    return f"by {clue}, {result}."


def broken_text(known: Knowledge, region: int, value: dict[int, int]) -> str:
    """Why a region cannot hold once more cells have these values."""
    if region == THE_TOTAL:
        needed, cells = known.traps_left or 0, set(known.undecided_cells())
        subject, place = f"the total of {known.puzzle.total}", "on the board"
    else:
        needed, cells = known.traps[region], known.cells[region]
        subject, place = clue_text(known, region), "around it"
    needed -= sum(value[cell] for cell in cells if cell in value)
    left = sum(cell not in value for cell in cells)
    if needed < 0:
        return f"{subject} cannot hold: {traps_text(-needed)} too many {place}."
    cells_left = f"{'only ' if left else ''}{number_word(left)} hidden cell{' is' if left < 2 else 's are'}"
    return f"{subject} cannot hold: it still needs {traps_text(needed)}, and {cells_left} left {place}."
