"""Why clues conflict with each other or with a player's marks, or why a single clue cannot hold.

Every such sentence is made here, for engines, questions and screens alike.
"""

from collections.abc import Sequence

from gemhunter.core.grid import Cell
from gemhunter.core.plurals import counted, listed
from gemhunter.core.puzzle import LARGEST_STORED_TOTAL, TOTAL_CLUE, Ints, Puzzle

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
