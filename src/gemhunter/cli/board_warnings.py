"""What is odd about a board that can be read all the same."""

import os
from itertools import islice
from typing import TYPE_CHECKING

import click

from gemhunter.formats.files import source_name
from gemhunter.formats.text import read_grid

if TYPE_CHECKING:
    from gemhunter.core.grid import Grid
    from gemhunter.formats.tokens import Zero

MOST_NAMED = 5
"""Cells that a warning names."""


def read_and_warn(path: str | os.PathLike[str], zero: "Zero" = "clue") -> "Grid":
    """The board in a file; what is odd about it goes to standard error, a line each."""
    grid = read_grid(path, zero)
    for warning in board_warnings(grid, zero):
        click.echo(f"warning: {source_name(path)}: {warning}", err=True)
    return grid


def board_warnings(grid: "Grid", zero: "Zero" = "clue") -> list[str]:
    """Clues that can never hold, and plain numbers without an unknown cell."""
    warnings = clue_warnings(grid)
    if zero == "clue" and int(grid.cells.min()) == 0:
        zeros = int((grid.cells == 0).sum())
        written = f"{zeros} zero" + "s" * (zeros != 1)
        warnings.append(f"no unknown cell, but {written}; if 0 means unknown here, add --zero unknown")
    return warnings


def clue_warnings(grid: "Grid") -> list[str]:
    """Clues that can never hold."""
    from gemhunter.core.grid import LARGEST_CLUE, LARGEST_DIGIT

    nines = int((grid.cells == LARGEST_DIGIT).sum())
    if not nines:
        return []
    named = ", ".join(map(str, islice(grid.where(LARGEST_DIGIT), MOST_NAMED)))
    more = f" and {nines - MOST_NAMED} more" if nines > MOST_NAMED else ""
    rule = f"a clue of {LARGEST_DIGIT} can never hold; a cell has at most {LARGEST_CLUE} neighbours"
    return [f"{named}{more}: {rule}"]
