"""Why a single clue cannot hold."""

from gemhunter.core.grid import Cell, Grid
from gemhunter.core.puzzle import TOTAL, Puzzle


def why_impossible(grid: Grid, puzzle: Puzzle, index: int) -> str:
    """A sentence about a region of `puzzle`, read from `grid`, that cannot hold by itself."""
    needed, free = int(puzzle.traps[index]), int(puzzle.sizes[index])
    if puzzle.clues[index] == TOTAL:
        subject, place = "the total", "on the board"
    else:
        cell = grid.cell(puzzle.clues[index])
        subject, place = f"the clue {grid[cell]} at {cell}", "next to it"
    if needed < 0:
        return f"{subject} cannot hold: {_traps(-needed)} too many already {place}"
    return (
        f"{subject} cannot hold: it needs {_traps(needed)} more, but only {_cells(free)} {place} can be one"
    )


def blamed_cell(grid: Grid, puzzle: Puzzle, index: int) -> tuple[Cell, ...]:
    """The clue behind a region; none for the total."""
    return () if puzzle.clues[index] == TOTAL else (grid.cell(puzzle.clues[index]),)


def _traps(amount: int) -> str:
    return f"{amount} trap" + "s" * (amount != 1)


def _cells(amount: int) -> str:
    return f"{amount} unknown cell" + "s" * (amount != 1)
