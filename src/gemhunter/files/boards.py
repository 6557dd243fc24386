"""Files of boards and games: the table of their kinds, and the one door through which they are read.

A file is recognised by its name or by its content, and becomes a `GameFile`, whatever its kind. A new kind of
file is a row of `FILE_KINDS`.
"""

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Position, Replay, cleared_position, whole_position
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.access import LARGEST_FILE, decode, read_bytes, source_name, write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.files.json_boards import (
    json_grid,
    looks_like_json,
    looks_like_replay,
    parse_json,
    parse_replay,
)
from gemhunter.files.minesweeper import (
    looks_like_mbf,
    looks_like_mine,
    mine_map,
    parse_mbf,
    parse_mine,
    parse_mines,
    write_mbf,
    write_mine,
)
from gemhunter.files.sgt import SgtGame, begun, looks_like_sgt, parse_sgt, write_sgt
from gemhunter.files.text import parse_position
from gemhunter.printable import program_name


@dataclass(frozen=True, slots=True)
class GameFile:
    """What a file says: a position, and what else it has.

    That can be the board beside the position, the cell to begin with, all moves of a replay, or what a board
    that was saved while it was filled in names as its marks. A position alone can give away the board, too.
    """

    source: str
    position: Position
    truth: Board | None = None
    first: Cell | None = None
    replay: Replay | None = None
    marks: object = None

    def board(self) -> Board:
        """Where the traps are; an `InputError` if the file leaves it open."""
        try:
            board = self.truth or self.position.truth()
        except InputError as error:
            raise InputError(f"{self.source}: {error}") from None
        if board is None:
            raise InputError(
                f"{self.source}: expected a board whose traps are all known, but hidden cells can be gems or "
                f"traps; solve it first (see: {program_name()} solve --help)"
            )
        return board


@dataclass(frozen=True, slots=True)
class FileKind:
    """A kind of file: what it holds, how it is recognised, and how it is read and written.

    A name with one of `suffixes` says what to write, and, if `name_decides`, what to read. Otherwise
    `looks_like` decides; it gets the text of a file, or the bytes if the kind `is_binary`, as `read` does.
    A kind without `read` is only written, one without `write` is only read.
    """

    holds: str
    suffixes: tuple[str, ...] = ()
    name_decides: bool = False
    is_binary: bool = False
    looks_like: Callable[[Any], bool] | None = None
    read: Callable[[Any, Zero, str], GameFile] | None = None
    write: Callable[[GameFile], str | bytes] | None = None


def read_game_file(path: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue") -> GameFile:
    """What a file says, or standard input for `-`; without a `kind` its name and content decide."""
    content = read_bytes(path, LARGEST_FILE, "a board")
    return parse_game_file(content, kind or KIND_OF_NAME.get(_suffix(path)), zero, source=source_name(path))


def parse_game_file(content: str | bytes, kind: str | None, zero: Zero, *, source: str) -> GameFile:
    """What the content of a file says; without a `kind` the content decides."""
    if kind is None and isinstance(content, bytes):
        kind = next((name for name in _BINARY if _looks_like(name, content)), None)
    if isinstance(content, bytes) and not (kind and FILE_KINDS[kind].is_binary):
        content = decode(content, source)
    if kind is None:
        kind = next((name for name in _TEXTS if _looks_like(name, content)), "text")
    read = FILE_KINDS[kind].read
    if read is None:
        raise UnknownNameError("kind of file to read", kind, READABLE, see="convert --help")
    return read(content, zero, source)


def read_board(path: str | os.PathLike[str]) -> Board:
    """The board in a file of any kind; an `InputError` if the file leaves something open."""
    return read_game_file(path).board()


def read_replay(path: str | os.PathLike[str]) -> Replay:
    """The replay in a file, or on standard input for `-`; whether its moves are possible is not checked."""
    replay = read_game_file(path, "replay").replay
    if replay is None:
        raise AssertionError("a file that is read as a replay has one")
    return replay


def write_board(path: str | os.PathLike[str], board: Board, *, first: Cell | None = None) -> None:
    """Write a board to a file, whole or not at all, as the kind that its name ends in, else as text."""
    write_atomically(path, board_content(board, KIND_OF_NAME.get(_suffix(path), "text"), first=first))


def board_content(board: Board, kind: str, *, first: Cell | None = None) -> str | bytes:
    """A board as the content of a file; `first` is the cell to begin with, for kinds that have one."""
    return game_file_content(GameFile("board", whole_position(board), truth=board, first=first), kind)


def game_file_content(file: GameFile, kind: str) -> str | bytes:
    """What a file says, as the content of a file of another kind; an `InputError` if something is missing."""
    write = FILE_KINDS[kind].write
    if write is None:
        raise InputError(f"a {kind} is {FILE_KINDS[kind].holds}; expected one of {', '.join(WRITABLE)}")
    return write(file)


def _suffix(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def _looks_like(name: str, content: str | bytes) -> bool:
    looks_like = FILE_KINDS[name].looks_like
    return looks_like is not None and looks_like(content)


def _read_text(text: str, zero: Zero, source: str) -> GameFile:
    if looks_like_json(text) and not looks_like_replay(text):
        return _read_json(text, zero, source)
    return GameFile(source, parse_position(text, zero, source=source))


def _read_json(text: str, zero: Zero, source: str) -> GameFile:
    found = parse_json(text, zero, source=source)
    truth = None if found.traps is None else Board(found.traps)
    return GameFile(source, found.position, truth=truth, marks=found.marks)


def _read_mine(text: str, _zero: Zero, source: str) -> GameFile:
    return GameFile(source, parse_mine(text, source=source))


def _read_mines(text: str, _zero: Zero, source: str) -> GameFile:
    return GameFile(source, cleared_position(Board(parse_mines(text, source=source))))


def _read_mbf(content: bytes, _zero: Zero, source: str) -> GameFile:
    return GameFile(source, whole_position(parse_mbf(content, source=source)))


def _read_sgt(text: str, _zero: Zero, source: str) -> GameFile:
    game = parse_sgt(text, source=source)
    return GameFile(source, whole_position(game.board), first=game.first)


def _read_replay(text: str, _zero: Zero, source: str) -> GameFile:
    replay = parse_replay(text, source=source)
    return GameFile(source, whole_position(replay.board), replay=replay)


def _is_json_board(text: str) -> bool:
    return looks_like_json(text) and not looks_like_replay(text)


def _sgt(file: GameFile) -> SgtGame:
    board = file.board()
    return begun(board) if file.first is None else SgtGame(board, file.first)


FILE_KINDS: Mapping[str, FileKind] = MappingProxyType(
    {
        "text": FileKind(
            "a grid in any dialect",
            (".txt", ".csv"),
            read=_read_text,
            write=lambda file: f"{file.position.grid}\n",
        ),
        "compact": FileKind(
            "a grid with one character per cell",
            write=lambda file: str(file.position.grid).replace(", ", "") + "\n",
        ),
        "json": FileKind(
            "a grid, or a mine map with the cells that are shown",
            (".json",),
            looks_like=_is_json_board,
            read=_read_json,
            write=lambda file: json_grid(file.position.grid),
        ),
        "mine": FileKind(
            "a position with its total",
            (".mine",),
            name_decides=True,
            looks_like=looks_like_mine,
            read=_read_mine,
            write=lambda file: write_mine(file.position),
        ),
        "mines": FileKind(
            "a board as a mine map", read=_read_mines, write=lambda file: mine_map(file.board().traps) + "\n"
        ),
        "mbf": FileKind(
            "a board as bytes",
            (".mbf", ".abf"),
            name_decides=True,
            is_binary=True,
            looks_like=looks_like_mbf,
            read=_read_mbf,
            write=lambda file: write_mbf(file.board()),
        ),
        "sgt": FileKind(
            "a board and its first click, as an id of the puzzle collection",
            (".sgt",),
            name_decides=True,
            looks_like=looks_like_sgt,
            read=_read_sgt,
            write=lambda file: write_sgt(_sgt(file)) + "\n",
        ),
        "sgt-masked": FileKind(
            "a masked id of the puzzle collection",
            write=lambda file: write_sgt(_sgt(file), masked=True) + "\n",
        ),
        "replay": FileKind("a game with all its moves", looks_like=looks_like_replay, read=_read_replay),
    }
)
"""All kinds of files by name; `text` is what no other kind recognises."""

READABLE = tuple(name for name, kind in FILE_KINDS.items() if kind.read is not None)
WRITABLE = tuple(name for name, kind in FILE_KINDS.items() if kind.write is not None)

KIND_OF_NAME: Mapping[str, str] = MappingProxyType(
    {suffix: name for name, kind in FILE_KINDS.items() if kind.name_decides for suffix in kind.suffixes}
)
"""The kind of a file whose name decides, by suffix."""

KIND_OF_SUFFIX: Mapping[str, str] = MappingProxyType(
    {suffix: name for name, kind in FILE_KINDS.items() for suffix in kind.suffixes}
)
"""The kind of a file to write, by suffix."""

_BINARY = tuple(name for name, kind in FILE_KINDS.items() if kind.is_binary)
_TEXTS = tuple(name for name, kind in FILE_KINDS.items() if not kind.is_binary)
