"""What is odd about a board that can be read all the same."""

import os
from dataclasses import replace
from itertools import islice
from typing import TYPE_CHECKING

from gemhunter.cli.notes import note
from gemhunter.core.plurals import counted
from gemhunter.formats.files import source_name
from gemhunter.play.game_names import read_position

if TYPE_CHECKING:
    from gemhunter.core.grid import Grid
    from gemhunter.core.positions import Position
    from gemhunter.formats.dialects import Zero

MOST_NAMED = 5
"""Cells that a warning names."""


def read_and_warn(
    path: str | os.PathLike[str], zero: "Zero" = "clue", total: int | None = None
) -> "Position":
    """The position in a file, a replay or a game id, with the total that counts: `total`, else its own.

    What is odd about it goes to standard error, a line each.
    """
    position, warnings = read_with_warnings(path, zero, total)
    for warning in warnings:
        note(warning)
    return position


def read_with_warnings(
    path: str | os.PathLike[str], zero: "Zero" = "clue", total: int | None = None
) -> "tuple[Position, list[str]]":
    """The position in a file, with the total that counts, and what is odd about it, a line each."""
    position = read_position(path, zero)
    odd = [*total_warnings(position.total, total), *board_warnings(position.grid, zero)]
    warnings = [f"warning: {source_name(path)}: {each}" for each in odd]
    return position if total is None else replace(position, total=total), warnings


def total_warnings(own: int | None, total: int | None) -> list[str]:
    """That the number of traps on the command line is not the one that the board gives."""
    if own is None or total is None or own == total:
        return []
    return [f"the board gives {own} as its number of traps; --traps {total} is used instead"]


def board_warnings(grid: "Grid", zero: "Zero" = "clue") -> list[str]:
    """Clues that can never hold, and plain numbers without an unknown cell."""
    warnings = clue_warnings(grid)
    if zero == "clue" and int(grid.cells.min()) == 0:
        zeros = int((grid.cells == 0).sum())
        written = counted(zeros, "zero", "zeros")
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
