"""Result maps as letters: what a run found on the hidden cells of a board."""

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.solution import Solution

LARGEST_MAP = 10_000
"""Cells: of larger boards no result map is kept, which a page could not show."""


def has_map(grid: Grid) -> bool:
    """Whether a board is small enough for its result map to be kept."""
    return grid.cells.size <= LARGEST_MAP


def map_letters(solution: Solution, grid: Grid) -> str:
    """`T` or `G` for each hidden cell."""
    filled = solution.fill(grid).cells[grid.cells == HIDDEN]
    return "".join("T" if code == TRAP else "G" for code in filled)
