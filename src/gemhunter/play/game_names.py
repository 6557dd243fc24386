"""Games by name: an id, an id of the puzzle collection, or a file.

Code that reads boards imports this only if the name is not that of a file, or the file holds a game.
"""

import os
from pathlib import Path

from gemhunter.board.grid import Cell, Grid
from gemhunter.board.position import Position, whole_position
from gemhunter.errors import InputError
from gemhunter.files.boards import GameFile, is_board_file, parse_game_file, read_game_file
from gemhunter.files.dialects import Zero
from gemhunter.files.minesweeper import looks_like_sgt
from gemhunter.play.game import Game, new_game, replayed
from gemhunter.play.game_ids import LEVELS, read_game_id


def open_game(name: str | os.PathLike[str]) -> Game:
    """The game of an id such as `expert#42`, of an id of the puzzle collection, or in a file.

    A replay is the game after its last move. A file with the truth is a game before its first move, or after
    the first click if the file has one. Whatever else is revealed in the file is ignored.
    """
    if is_game_id(name):
        return new_game(os.fspath(name))
    file = _file(name)
    return game_in(file) or new_game(file.board())


def read_grid(name: str | os.PathLike[str], zero: Zero = "clue") -> Grid:
    """The grid of what `read_position` reads; with `zero="unknown"`, a 0 is an unknown cell."""
    return read_position(name, zero).grid


def read_position(name: str | os.PathLike[str], zero: Zero = "clue") -> Position:
    """What the player sees in a game or board, with the flags, and the total if it is known.

    A replay gives its last position, in which the trap that ended the game is shown; an id, the game before
    its first move; an id of the puzzle collection, the game after its first click; any other file, what it
    shows.
    """
    situation = open_situation(name, zero)
    return situation if isinstance(situation, Position) else situation.position


def open_situation(name: str | os.PathLike[str], zero: Zero = "clue") -> Game | Position:
    """What `read_position` reads; a game if the name stands for one, as an id or a replay does."""
    if is_game_id(name):
        return open_game(name)
    file = _file(name, None, zero)
    return game_in(file) or file.position


def look_up(
    name: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue", *, first: Cell | None = None
) -> GameFile:
    """The file of a game or board by its name; a game id is dealt as if its player began at `first`.

    Without `first`, players begin in the middle of a game that needs no guess, as where such games are made,
    and otherwise in the corner.
    """
    if kind is not None or not is_game_id(name):
        return _file(name, kind, zero)
    game_id = read_game_id(os.fspath(name))
    if first is None:
        first = game_id.level.middle if game_id.first_click.needs_no_guess else Cell(0, 0)
    board = new_game(game_id).reveal(first).board
    if board is None:
        raise AssertionError("revealing a cell deals the board")
    return GameFile(os.fspath(name), whole_position(board), first=None if board.traps[first] else first)


def is_game(name: str) -> bool:
    """Whether a name stands for a game, by its id or in a file, rather than for a level."""
    names_game = "#" in name or ":" in name or Path(name).suffix != "" or Path(name).is_file()
    return names_game and name.lower() not in LEVELS


def is_game_id(name: str | os.PathLike[str]) -> bool:
    """Whether a name is meant as a game id: it has a `#`, and no file has this name."""
    return "#" in os.fspath(name) and not is_board_file(name)


def game_in(file: GameFile) -> Game | None:
    """The game after all moves of the replay in a file, or after its first click; None if it has neither."""
    if file.replay is not None:
        try:
            return replayed(file.replay)
        except InputError as error:
            raise InputError(f"{file.source}: {error}") from None
    return None if file.first is None else new_game(file.board()).reveal(file.first)


def _file(name: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue") -> GameFile:
    text = os.fspath(name)
    if kind in (None, "sgt") and looks_like_sgt(text) and not is_board_file(name):
        return parse_game_file(text, "sgt", zero, source="game id")
    if text.lower() in LEVELS and not is_board_file(name):
        raise InputError(f"{text} is a level; {text}#1 is one of its games")
    return read_game_file(name, kind, zero)
