"""Why a single clue cannot hold."""

from gemhunter.core.grid import Cell, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import MANY, TOTAL, Puzzle

MOST_WRITTEN = 10**60
"""Python refuses to write numbers of thousands of digits, and nobody would read them."""


def why_impossible(grid: Grid, puzzle: Puzzle, index: int) -> str:
    """A sentence about a region of `puzzle`, read from `grid`, that cannot hold by itself."""
    needed, free = int(puzzle.traps[index]), int(puzzle.sizes[index])
    if puzzle.clues[index] == TOTAL and puzzle.total is not None:
        subject, place = "the total", "on the board"
        needed += max(puzzle.total - MANY, 0)  # arrays hold no more than MANY
    else:
        cell = grid.cell(puzzle.clues[index])
        subject, place = f"the clue {grid[cell]} at {cell}", "next to it"
    if needed < 0:
        return f"{subject} cannot hold: {_traps(-needed)} too many already {place}"
    return f"{subject} cannot hold: it needs {_traps(needed, 'more ')}, but {_cells(free)} {place}"


def blamed_cell(grid: Grid, puzzle: Puzzle, index: int) -> tuple[Cell, ...]:
    """The clue behind a region; none for the total."""
    return () if puzzle.clues[index] == TOTAL else (grid.cell(puzzle.clues[index]),)


def _traps(amount: int, more: str = "") -> str:
    if amount > MOST_WRITTEN:
        return f"more than {MOST_WRITTEN} {more}traps"
    return counted(amount, f"{more}trap")


def _cells(amount: int) -> str:
    if amount == 0:
        return "no unknown cell is"
    return "only 1 unknown cell is" if amount == 1 else f"only {amount} unknown cells are"
