"""Games by name: an id, an id of the puzzle collection, or a file; and games that begin with safe cells."""

import os
from dataclasses import replace
from math import sqrt
from pathlib import Path

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.board.position import FirstClick, Position, Replay, Status, whole_position
from gemhunter.errors import InputError
from gemhunter.files.boards import GameFile, parse_game_file, read_game_file
from gemhunter.files.dialects import Zero
from gemhunter.files.sgt import looks_like_sgt
from gemhunter.play.deal import show_initial_cells
from gemhunter.play.game import Game, new_game, replayed
from gemhunter.play.game_ids import GameId, deal_board
from gemhunter.play.levels import LEVELS, Level

# Games by name: an id, an id of the puzzle collection, or a file.


CORNER = Cell(0, 0)


def open_game(name: str | os.PathLike[str]) -> Game:
    """The game of an id such as `expert#42`, of an id of the puzzle collection, or in a file.

    A replay is the game after its last move. A file with the truth is a game before its first move, or after
    the first click if it names one; what else is revealed in it does not matter.
    """
    if is_game_id(name):
        return new_game(os.fspath(name))
    file = _file(name)
    if file.replay is not None:
        return _ended(file, file.replay)
    game = new_game(file.board())
    return game if file.first is None else game.reveal(file.first)


def read_grid(name: str | os.PathLike[str], zero: Zero = "clue") -> Grid:
    """The grid of a position that `read_position` reads; `zero="unknown"` reads 0 as an unknown cell."""
    return read_position(name, zero).grid


def read_position(name: str | os.PathLike[str], zero: Zero = "clue") -> Position:
    """What the player sees in the game or board of a name, with the flags and the total if they are known.

    A replay is the position it ended in; the trap that ended it is shown. An id is a game before its first
    move, an id of the puzzle collection one after its first click. Anything else is what the file shows.
    """
    found = open_situation(name, zero)
    return found.position if isinstance(found, Game) else found


def open_situation(name: str | os.PathLike[str], zero: Zero = "clue") -> Game | Position:
    """What `read_position` reads, as a game where the name stands for one: an id or a replay."""
    if is_game_id(name):
        return new_game(os.fspath(name))
    file = _file(name, None, zero)
    if file.replay is not None:
        return _ended(file, file.replay)
    if file.first is not None:
        return new_game(file.board()).reveal(file.first)
    return file.position


def look_up(
    name: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue", *, first: Cell = CORNER
) -> GameFile:
    """The file of a game or board by its name; a game id is dealt as if its player began at `first`."""
    if kind is not None or not is_game_id(name):
        return _file(name, kind, zero)
    board = new_game(os.fspath(name)).reveal(first).board
    if board is None:
        raise AssertionError("revealing a cell deals the board")
    return GameFile(os.fspath(name), whole_position(board), first=None if board.traps[first] else first)


def is_game(name: str) -> bool:
    """Whether a name is that of a game, an id or a file, rather than of a level."""
    is_own = "#" in name or ":" in name or Path(name).suffix != "" or Path(name).is_file()
    return is_own and name.lower() not in LEVELS


def is_game_id(name: str | os.PathLike[str]) -> bool:
    """Whether a name is meant as an id of ours: it has a `#`, and no file is called like this."""
    return "#" in os.fspath(name) and not _exists(name)


def _ended(file: GameFile, replay: Replay) -> Game:
    """The game after all moves of a replay; errors name the file."""
    try:
        return replayed(replay)
    except InputError as error:
        raise InputError(f"{file.source}: {error}") from None


def _file(name: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue") -> GameFile:
    text = os.fspath(name)
    if kind in (None, "sgt") and looks_like_sgt(text) and not _exists(name):
        return parse_game_file(text, "sgt", zero, source="game id")
    return read_game_file(name, kind, zero)


def _exists(name: str | os.PathLike[str]) -> bool:
    try:
        return Path(name).exists()
    except (OSError, ValueError):  # an id can be too long for a name
        return False


# Games that begin with safe cells: how many, and which.


SHARES = {"half": 0.5, "one": 1.0, "two": 2.0}
"""Initial safe cells by name, as multiples of the square root of the number of cells."""


def safe_cells(level: Level, wanted: str) -> int:
    """How many cells `half`, `one`, `two` or a number of them are on this level, at most all gems.

    Half a cell is rounded to the even number, so ½√81 is 4.
    """
    most = level.rows * level.cols - level.total
    if wanted in SHARES:
        return min(round(SHARES[wanted] * sqrt(level.rows * level.cols)), most)
    if not (wanted.isascii() and wanted.isdigit()) or int(wanted[:10]) > most:
        known = ", ".join(SHARES)
        raise InputError(f"initial safe cells are {known} or a number from 0 to {most}, not {wanted!r}")
    return int(wanted)


def game_with_given(game: GameId, given: int) -> Game:
    """The game of an id, begun with `given` random gems that are shown without opening anything.

    There is no first click, so no cell is kept free of traps: all boards of the level have the same
    probability. The given cells are not moves, so a replay lacks them.
    """
    dealt = replace(game, first_click=FirstClick.ANY)
    return replace(board_with_given(deal_board(dealt, Cell(0, 0)), given, game.seed), game_id=dealt)


def board_with_given(board: Board, given: int, seed: int) -> Game:
    """A game on this board, begun with `given` gems that the seed draws."""
    shown = np.full((board.rows, board.cols), HIDDEN, np.int8)
    show_initial_cells(seed, given, board.codes(), shown)
    is_won = np.count_nonzero(shown == HIDDEN) == board.total
    shown.setflags(write=False)
    return replace(new_game(board), shown=shown, status=Status.WON if is_won else Status.PLAYING)
