"""Grids and solutions, as plain data."""

from typing import Any

from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows


def grid_record(grid: Grid) -> dict[str, Any]:
    """What a board shows, as `gemhunter` reads it from JSON."""
    return {"grid": grid_rows(grid)}


def solution_record(board: str, number: int, filled: Grid) -> dict[str, Any]:
    """One of several solutions of a board, with its number from 1."""
    return {"board": board, "solution": number, "grid": grid_rows(filled)}
