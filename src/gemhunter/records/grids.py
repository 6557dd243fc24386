"""Solutions, as plain data."""

from typing import Any

from gemhunter.core.grid import Grid
from gemhunter.formats.json_boards import grid_rows


def solution_record(board: str, number: int, filled: Grid) -> dict[str, Any]:
    """One of several solutions of a board, with its number from 1."""
    return {"board": board, "solution": number, "grid": grid_rows(filled)}
