"""Files of boards and games in any format: which one it is, what it says, and writing them."""

import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, get_args

from gemhunter.core.board import Board
from gemhunter.core.grid import Cell
from gemhunter.core.moves import Replay
from gemhunter.core.positions import Position, cleared_position, whole_position
from gemhunter.errors import InputError
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import LARGEST_FILE, decode, read_bytes, source_name, write_atomically
from gemhunter.formats.json_boards import json_truth, looks_like_json
from gemhunter.formats.mbf import looks_like_mbf, parse_mbf, write_mbf
from gemhunter.formats.mine_map import mine_map, parse_mines
from gemhunter.formats.mine_text import looks_like_mine, parse_mine, write_mine
from gemhunter.formats.replays import looks_like_replay, parse_replay
from gemhunter.formats.sgt import SgtGame, begun, looks_like_sgt, parse_sgt, write_sgt
from gemhunter.formats.text import parse_position

Form = Literal["text", "mines", "mine", "mbf", "sgt", "replay"]
FORMS: tuple[Form, ...] = get_args(Form)
SUFFIXES: dict[str, Form] = {".mine": "mine", ".mbf": "mbf", ".abf": "mbf", ".sgt": "sgt"}
"""What the end of a file's name says; other files are known by what they begin with."""


@dataclass(frozen=True, slots=True)
class GameFile:
    """What a file says: a position, the truth beside it, the cell to begin with, or all moves of a replay.

    Each of the last three only if the file has it; a position can tell the truth by itself.
    """

    source: str
    position: Position
    truth: Board | None = None
    first: Cell | None = None
    replay: Replay | None = None

    def board(self) -> Board:
        """The truth; an `InputError` if the file leaves it open."""
        try:
            board = self.truth or self.position.truth()
        except InputError as error:
            raise InputError(f"{self.source}: {error}") from None
        if board is None:
            raise InputError(
                f"{self.source}: the truth is not in there, as hidden cells can be gems or traps; "
                "solve it first (see: gemhunter solve --help)"
            )
        return board


def read_game_file(path: str | os.PathLike[str], form: Form | None = None, zero: Zero = "clue") -> GameFile:
    """What a file says, or standard input for `-`; without a `form` its name and its text tell the format."""
    return parse_game_file(
        read_bytes(path, LARGEST_FILE, "a board"),
        form or SUFFIXES.get(Path(path).suffix.lower()),
        zero,
        source=source_name(path),
    )


def parse_game_file(content: bytes, form: Form | None, zero: Zero, *, source: str) -> GameFile:
    """What the bytes of a file say."""
    if form == "mbf" or (form is None and looks_like_mbf(content)):
        return GameFile(source, whole_position(parse_mbf(content, source=source)))
    text = decode(content, source)
    match form or _form_of(text):
        case "mine":
            return GameFile(source, parse_mine(text, source=source))
        case "mines":
            board = Board(parse_mines(text, source=source))
            return GameFile(source, cleared_position(board))
        case "sgt":
            return sgt_game_file(text, source=source)
        case "replay":
            replay = parse_replay(text, source=source)
            return GameFile(source, whole_position(replay.board), replay=replay)
        case _:
            return _text_file(text, zero, source)


def sgt_game_file(text: str, *, source: str) -> GameFile:
    """What an id of the puzzle collection says."""
    game = parse_sgt(text, source=source)
    return GameFile(source, whole_position(game.board), first=game.first)


def read_board(path: str | os.PathLike[str]) -> Board:
    """The truth in a file of any format; an `InputError` if it is not in there."""
    return read_game_file(path).board()


def write_board(path: str | os.PathLike[str], board: Board, *, first: Cell | None = None) -> None:
    """Write the truth to a file, whole or not at all, in the format that its name ends in, else as text."""
    form = SUFFIXES.get(Path(path).suffix.lower(), "text")
    write_atomically(path, board_content(board, form, first=first))


def board_content(
    board: Board, form: Form, *, first: Cell | None = None, masked: bool = False
) -> str | bytes:
    """The truth in a format, as the content of a file; `first` and `masked` are for ids of the collection."""
    match form:
        case "mbf":
            return write_mbf(board)
        case "sgt":
            game = begun(board) if first is None else SgtGame(board, first)
            return write_sgt(game, masked=masked) + "\n"
        case "mine":
            return write_mine(whole_position(board))
        case "mines":
            return mine_map(board.traps) + "\n"
        case "text":
            return f"{board.grid()}\n"
        case "replay":
            raise InputError("a replay is a game that was played; a board alone has no moves")


def _text_file(text: str, zero: Zero, source: str) -> GameFile:
    traps = json_truth(text, source=source) if looks_like_json(text) else None
    return GameFile(
        source, parse_position(text, zero, source=source), truth=None if traps is None else Board(traps)
    )


def _form_of(text: str) -> Form:
    if looks_like_replay(text):
        return "replay"
    if looks_like_mine(text):
        return "mine"
    return "sgt" if looks_like_sgt(text) else "text"
