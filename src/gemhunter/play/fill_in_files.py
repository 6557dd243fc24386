"""Boards to fill in, as files: any board that leaves something hidden, and what was marked on it so far."""

import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.errors import InputError
from gemhunter.formats.cells import read_cell
from gemhunter.formats.files import write_atomically
from gemhunter.formats.game_files import GameFile
from gemhunter.formats.json_boards import MARKS_KEY, grid_rows
from gemhunter.play.fill_in import FillIn, new_fill_in
from gemhunter.play.game_names import is_game_id, look_up


def open_fill_in(name: str | os.PathLike[str]) -> FillIn | None:
    """The board in a file, if it is one to fill in; None if the name stands for a game with a known truth.

    Flags in a position, and the marks of a board that was saved, can be changed; what else it shows is given.
    """
    if is_game_id(name):
        return None
    file = look_up(name)
    if file.replay is not None or file.first is not None or file.truth is not None:
        return None
    saved = _saved_marks(file)
    if saved is None:
        return None if _has_truth(file) else _with_flags(file)
    given = file.position.grid.cells.copy()
    board = new_fill_in(_hide(file.position.grid, saved), file.position.total)
    for cell in saved:
        board = board.put(cell, int(given[cell]))
    return board


def save_fill_in(path: Path, board: FillIn) -> None:
    """Write a board as filled in so far, so that it can be opened again, and graded by `check`."""
    record: dict[str, Any] = {"grid": grid_rows(board.filled)}
    if board.total is not None:
        record["traps"] = board.total
    record[MARKS_KEY] = [str(cell) for cell in board.marked]
    write_atomically(path, json.dumps(record, indent=2) + "\n")


def _has_truth(file: GameFile) -> bool:
    """Whether the file says where the traps are; a wrong truth is for the game to complain about."""
    try:
        return file.position.truth() is not None
    except InputError:
        return True


def _with_flags(file: GameFile) -> FillIn:
    board = new_fill_in(file.position.grid, file.position.total)
    for row, col in np.argwhere(file.position.flags).tolist():
        board = board.put(Cell(row, col), TRAP)
    return board


def _saved_marks(file: GameFile) -> list[Cell] | None:
    """The cells that the player marked, if the file is a board that was saved."""
    names = file.marks
    if names is None:
        return None
    if not isinstance(names, list) or not all(isinstance(each, str) for each in names):
        raise InputError(f'{file.source}: "{MARKS_KEY}" is a list of cells, such as ["r3c1"]')
    cells, grid = [read_cell(each) for each in names], file.position.grid
    for cell in cells:
        if cell.row >= grid.rows or cell.col >= grid.cols or grid[cell] not in (TRAP, GEM):
            raise InputError(f"{file.source}: {cell} is not a mark; expected a cell that shows T or G")
    return cells


def _hide(grid: Grid, cells: list[Cell]) -> Grid:
    """The grid with these cells hidden."""
    codes = grid.cells.copy()
    for cell in cells:
        codes[cell] = HIDDEN
    return Grid(codes)
