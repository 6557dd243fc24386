"""Positions as plain data."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import Grid
from gemhunter.core.positions import Position
from gemhunter.formats.json_boards import grid_rows
from gemhunter.play.game import Game


def rows_with_flags(grid: Grid, flags: NDArray[np.bool_]) -> list[list[str]]:
    """The signs of a grid, row by row, with `F` for a flag."""
    rows = [row.split(", ") for row in grid_rows(grid)]
    for row, col in zip(*flags.nonzero(), strict=True):
        rows[row][col] = "F"
    return rows


def position_record(position: Position, game: Game | None = None) -> dict[str, Any]:
    """A position as rows of text with its total, and the game that led to it if it has an id."""
    rows = rows_with_flags(position.grid, position.flags)
    moves = None
    if game is not None and game.game_id is not None:
        moves = {"id": str(game.game_id), "moves": [str(move) for move in game.moves]}
    return {"grid": [", ".join(row) for row in rows], "traps": position.total, "game": moves}
