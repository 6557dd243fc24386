"""A board below its name, as it stands above what is said about it."""

from gemhunter.cli.board_text import board_text
from gemhunter.core.grid import Grid
from gemhunter.formats.files import source_name

LARGEST_SHOWN = 100
"""Rows and columns of a board that is shown."""


def board_heading(name: str, grid: Grid) -> str:
    """The name of a board and its size."""
    return f"{source_name(name)} ({grid.rows}×{grid.cols})"


def shown_board(name: str, grid: Grid, *, in_file: bool = False) -> str:
    """The board below its name, unless it is too large to be looked at; in a file it is canonical text."""
    heading = board_heading(name, grid)
    if max(grid.cells.shape) > LARGEST_SHOWN:
        return f"{heading}, not shown: more than {LARGEST_SHOWN} rows or columns"
    return f"{heading}\n{grid if in_file else board_text(grid)}"
