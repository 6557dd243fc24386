"""Cells and moves as people write them: `r3c1`, `flag r3c1`."""

import re
from collections.abc import Iterable

from gemhunter.core.grid import Cell
from gemhunter.core.moves import Action, Move
from gemhunter.errors import InputError

_WRITTEN_CELL = re.compile(r"r(\d{1,9})c(\d{1,9})", re.ASCII | re.IGNORECASE)


def read_cell(text: str) -> Cell:
    """The cell with a name such as `r3c1`: row and column, counted from 1."""
    match = _WRITTEN_CELL.fullmatch(text.strip())
    if match is None or 0 in (row_col := (int(match[1]), int(match[2]))):
        raise InputError(f"{text[:40]!r} is not a cell; expected a row and a column from 1, such as r3c1")
    return Cell(row_col[0] - 1, row_col[1] - 1)


def read_moves(words: Iterable[str]) -> list[Move]:
    """The moves in a text: a cell to reveal, or `reveal`, `flag` or `chord` and a cell."""
    moves, action = [], None
    for word in " ".join(words).split():
        if word.lower() in list(Action) and action is None:
            action = Action(word.lower())
        else:
            moves.append(Move(action or Action.REVEAL, read_cell(word)))
            action = None
    if action is not None:
        raise InputError(f"`{action}` needs a cell, such as {action} r3c1")
    return moves
