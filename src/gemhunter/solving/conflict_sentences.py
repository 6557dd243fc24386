"""Sentences about clues that conflict."""

from collections.abc import Sequence

from gemhunter.board.grid import Cell
from gemhunter.board.puzzle import STORED_TOTAL_LIMIT, TOTAL_CLUE, Puzzle
from gemhunter.jit.kernel import Ints
from gemhunter.wording import counted, listed

CLUES_NAMED = 12
"""How many clues a sentence names before it counts the rest."""

CELLS_NAMED = 3
"""How many cells a sentence for players names before it counts the rest."""

NO_SOLUTION_WITH_MARKS = "every clue can still hold, but no solution has all these marks"


def conflict(clues: Sequence[Cell], total: int | None) -> str:
    """A sentence that names the clues that conflict, with each other or with the total."""
    names = ", ".join(map(str, clues[:CLUES_NAMED]))
    if len(clues) > CLUES_NAMED:
        names += f" and {len(clues) - CLUES_NAMED} more"
    if total is None:
        return f"these clues conflict: {names}"
    return f"these clues conflict with the total of {total}: {names}"


def linear_conflict(clues: int, modulus: int, *, with_total: bool) -> str:
    """A sentence about clues of which a combination cannot add up; modulus 0 means whole numbers."""
    total = "the total and " if with_total else ""
    how = f"added up modulo {modulus:,}" if modulus else "weighted and added up"
    return f"{total}{counted(clues, 'clue')} conflict: {how}, they give an equation without a solution"


def after_decisions(reason: str, deciding: int) -> str:
    """A reason, with the number of clues that must first decide cells."""
    return f"{reason}, given the cells decided by {counted(deciding, 'other clue')}" if deciding else reason


def impossible_clues(puzzle: Puzzle, regions: Ints) -> str:
    """Why the first of these regions cannot hold on its own, and how many more there are."""
    reason = impossible_clue(puzzle, int(regions[0]))
    return reason if regions.size == 1 else f"{reason} (and {regions.size - 1} more like it)"


def impossible_clue(puzzle: Puzzle, region: int) -> str:
    """Why the region of a clue or of the total cannot hold on its own."""
    needed, hidden = int(puzzle.traps[region]), int(puzzle.sizes[region])
    if puzzle.clues[region] == TOTAL_CLUE and puzzle.total is not None:
        subject, place = "the total", "on the board"
        # `Puzzle.traps` holds no more than STORED_TOTAL_LIMIT.
        needed += max(puzzle.total - STORED_TOTAL_LIMIT, 0)
    else:
        cell = puzzle.grid.cell(puzzle.clues[region])
        subject, place = f"the clue {puzzle.grid[cell]} at {cell}", "next to it"
    if needed < 0:
        return f"{subject} cannot hold: {_traps(-needed)} too many already {place}"
    cells = "only 1 unknown cell is" if hidden == 1 else f"only {hidden} unknown cells are"
    cells = cells if hidden else "no unknown cell is"
    return f"{subject} cannot hold: it needs {_traps(needed, 'more ')}, but {cells} {place}"


def _traps(count: int, more: str = "") -> str:
    # Python does not print numbers with thousands of digits, and they would not help a reader.
    if count > 10**60:
        return f"more than {10**60} {more}traps"
    return counted(count, f"{more}trap")


def conflicting_marks(clues: Sequence[Cell], marks: Sequence[Cell], *, with_total: bool) -> str:
    """Which clues cannot hold given a player's marks, and whether the total cannot be met."""
    reasons = []
    if clues:
        near = f": look at {named_cells(marks)}" if marks else ""
        reasons.append(f"{named_cells(clues)} cannot hold any more{near}")
    if with_total:
        reasons.append("the number of traps cannot be met")
    return "; ".join(reasons)


def wrong_marks(cells: Sequence[Cell]) -> str:
    """A sentence that names the marks that are wrong in every solution."""
    return f"every clue can still hold, but every solution has the opposite at {named_cells(cells)}"


def named_cells(cells: Sequence[Cell]) -> str:
    """The names of the first cells, and how many more there are."""
    more = [f"{len(cells) - CELLS_NAMED} more"] if len(cells) > CELLS_NAMED else []
    return listed([*map(str, cells[:CELLS_NAMED]), *more])
