"""Files of boards and games: the table of their kinds, and how all of them are read and written.

A file is recognised by its name or its content and becomes a `GameFile`, whatever its kind. A new kind is
another row of `FILE_KINDS`.
"""

import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.board.position import Position, Replay, cleared_position, whole_position
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.access import (
    FILE_BYTE_LIMIT,
    STDIN,
    decode,
    read_bytes,
    reading,
    source_name,
    write_atomically,
)
from gemhunter.files.dialects import Zero
from gemhunter.files.json_boards import (
    json_board,
    looks_like_json,
    looks_like_replay,
    parse_json,
    parse_replay,
)
from gemhunter.files.minesweeper import (
    SgtGame,
    begun,
    looks_like_mbf,
    looks_like_mine,
    looks_like_sgt,
    mine_map,
    parse_mbf,
    parse_mine,
    parse_mines,
    parse_sgt,
    write_mbf,
    write_mine,
    write_sgt,
)
from gemhunter.files.samples import is_sample
from gemhunter.files.text import parse_position
from gemhunter.wording import program_name


@dataclass(frozen=True, slots=True)
class GameFile:
    """The content of a file: a position and, depending on its kind, more.

    `truth` is the board, which the position alone may also determine, `first` the cell to begin with, and
    `marks` the cells that the player marked, as written in a board saved while it was filled in.
    """

    source: str
    position: Position
    truth: Board | None = None
    first: Cell | None = None
    replay: Replay | None = None
    marks: object = None

    def board(self) -> Board:
        """Where the traps are; an `InputError` if the file does not determine it."""
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

    Files are written as the kind that has their suffix, and also read as it if `name_decides`. Otherwise
    `looks_like` decides; like `read`, it gets the text of a file, or its bytes if the kind `is_binary`.
    A kind without `read` can only be written, one without `write` can only be read.
    """

    holds: str
    suffixes: tuple[str, ...] = ()
    name_decides: bool = False
    is_binary: bool = False
    looks_like: Callable[[Any], bool] | None = None
    read: Callable[[Any, Zero, str], GameFile] | None = None
    write: Callable[[GameFile], str | bytes] | None = None


def is_board_file(name: str | os.PathLike[str]) -> bool:
    """Whether a name is that of a file, of standard input or of a sample, not the id of a game."""
    try:
        return name == STDIN or is_sample(name) or Path(name).exists()
    except (OSError, ValueError):  # an id can be longer than the name of a file
        return False


def read_game_file(path: str | os.PathLike[str], kind: str | None = None, zero: Zero = "clue") -> GameFile:
    """The content of a file, or of standard input for `-`; without a `kind`, its name and content decide."""
    kind = kind or KIND_OF_NAME.get(_suffix(path))
    with reading(path):
        content = read_bytes(path, FILE_BYTE_LIMIT, "a board")
        return parse_game_file(content, kind, zero, source=source_name(path))


def parse_game_file(content: str | bytes, kind: str | None, zero: Zero, *, source: str) -> GameFile:
    """The `GameFile` in the content of a file; without a `kind`, the content decides."""
    if kind is None and isinstance(content, bytes):
        kind = _kind_of(content)
    if isinstance(content, bytes) and not (kind and FILE_KINDS[kind].is_binary):
        content = decode(content, source)
    if kind is None:
        kind = _kind_of(content) or "text"
    read = FILE_KINDS[kind].read
    if read is None:
        raise UnknownNameError("kind of file to read", kind, READABLE, see="convert --help")
    return read(content, zero, source)


def read_board(path: str | os.PathLike[str]) -> Board:
    """The board in a file of any kind; an `InputError` if the file does not determine it."""
    return read_game_file(path).board()


def read_replay(path: str | os.PathLike[str]) -> Replay:
    """The replay in a file, or on standard input for `-`; whether its moves are possible is not checked."""
    replay = read_game_file(path, "replay").replay
    assert replay is not None  # noqa: S101 - this kind of file has one
    return replay


def write_board(path: str | os.PathLike[str], board: Board, *, first: Cell | None = None) -> None:
    """Write a board to a file, whole or not at all, as the kind that its suffix decides, else as text."""
    write_atomically(path, board_content(board, KIND_OF_NAME.get(_suffix(path), "text"), first=first))


def board_content(board: Board, kind: str, *, first: Cell | None = None) -> str | bytes:
    """A board as the content of a file; `first` is the cell to begin with, for kinds that have one."""
    return game_file_content(GameFile("board", whole_position(board), truth=board, first=first), kind)


def game_file_content(file: GameFile, kind: str) -> str | bytes:
    """The content for a file of another kind; an `InputError` if something is missing for that."""
    write = FILE_KINDS[kind].write
    if write is None:
        raise InputError(f"a {kind} is {FILE_KINDS[kind].holds}; expected one of {', '.join(WRITABLE)}")
    return write(file)


def _suffix(path: str | os.PathLike[str]) -> str:
    return Path(path).suffix.lower()


def _kind_of(content: str | bytes) -> str | None:
    """The first kind that recognises the bytes of a file, or its text."""
    for name, kind in FILE_KINDS.items():
        if kind.looks_like and kind.is_binary == isinstance(content, bytes) and kind.looks_like(content):
            return name
    return None


def _read_text(text: str, zero: Zero, source: str) -> GameFile:
    if re.match(r"\s*\[[^\]\n]+\] (solved in|no solution|gave up|failed)\b", text):
        raise InputError(
            f"{source}: answers that `solve` wrote, not a board; `solve -o FILE.json` writes a file that can "
            "be read again, and `check` grades this one"
        )
    if looks_like_json(text) and not looks_like_replay(text):
        return _read_json(text, zero, source)
    return GameFile(source, parse_position(text, zero, source=source))


def _read_json(text: str, zero: Zero, source: str) -> GameFile:
    found = parse_json(text, zero, source=source)
    truth = None if found.traps is None else Board(found.traps)
    return GameFile(source, found.position, truth=truth, marks=found.marks)


def _read_sgt(text: str, _zero: Zero, source: str) -> GameFile:
    game = parse_sgt(text, source=source)
    return GameFile(source, whole_position(game.board), first=game.first)


def _read_replay(text: str, _zero: Zero, source: str) -> GameFile:
    replay = parse_replay(text, source=source)
    return GameFile(source, whole_position(replay.board), replay=replay)


def _sgt(file: GameFile) -> SgtGame:
    board = file.board()
    return begun(board) if file.first is None else SgtGame(board, file.first)


FILE_KINDS: Mapping[str, FileKind] = MappingProxyType(
    {
        "text": FileKind(
            "a grid",
            (".txt", ".csv"),
            read=_read_text,
            write=lambda file: f"{file.position.grid}\n",
        ),
        "compact": FileKind(
            "a grid with one character per cell",
            write=lambda file: str(file.position.grid).replace(", ", "") + "\n",
        ),
        "json": FileKind(
            "a grid as JSON",
            (".json",),
            looks_like=lambda text: looks_like_json(text) and not looks_like_replay(text),
            read=_read_json,
            write=lambda file: json_board(file.position),
        ),
        "mine": FileKind(
            "a position with its total",
            (".mine",),
            name_decides=True,
            looks_like=looks_like_mine,
            read=lambda text, _zero, source: GameFile(source, parse_mine(text, source=source)),
            write=lambda file: write_mine(file.position),
        ),
        "mines": FileKind(
            "a board as a mine map",
            read=lambda text, _zero, source: GameFile(
                source, cleared_position(Board(parse_mines(text, source=source)))
            ),
            write=lambda file: mine_map(file.board().traps) + "\n",
        ),
        "mbf": FileKind(
            "a board as bytes",
            (".mbf", ".abf"),
            name_decides=True,
            is_binary=True,
            looks_like=looks_like_mbf,
            read=lambda content, _zero, source: GameFile(
                source, whole_position(parse_mbf(content, source=source))
            ),
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
"""All kinds of files by name; a file that no other kind recognises is `text`."""

READABLE = tuple(name for name, kind in FILE_KINDS.items() if kind.read is not None)
WRITABLE = tuple(name for name, kind in FILE_KINDS.items() if kind.write is not None)

KIND_OF_NAME: Mapping[str, str] = MappingProxyType(
    {suffix: name for name, kind in FILE_KINDS.items() if kind.name_decides for suffix in kind.suffixes}
)
"""The kind of a file to read, by a suffix that decides it."""

KIND_OF_SUFFIX: Mapping[str, str] = MappingProxyType(
    {suffix: name for name, kind in FILE_KINDS.items() for suffix in kind.suffixes}
)
"""The kind of a file to write, by suffix."""
