"""The ledger: an append-only file of results, so that long work can be stopped at any time and resumed.

One JSON object per line: first the heading, which says what the work is, then one record per finished piece
of work. A line is written in one go, so a process that is killed leaves at most one cut line, the last, which
the next line replaces. Opening a file changes nothing in it: it may be something else.
"""

import errno
import json
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from io import FileIO
from pathlib import Path
from typing import Any, TypeVar

from gemhunter.errors import InputError
from gemhunter.printable import json_text
from gemhunter.program_name import program_name

Record = Mapping[str, Any]
Value = TypeVar("Value")

LINE_ERRORS = (
    ValueError,
    KeyError,
    TypeError,
    AttributeError,
    OverflowError,
    RecursionError,
    InputError,
)
"""What goes wrong when a line is read that is not what it should be."""

LOCKED_BYTE = 2**30
"""On Windows, locked bytes cannot be read, so a byte far behind the end stands for the whole file."""


class Ledger:
    """A file of results, open for appending; no other process can open it for appending meanwhile.

    Its whole lines are the first `size` bytes.
    """

    def __init__(self, path: Path, stream: FileIO, size: int) -> None:
        self.path, self._stream, self._size = path, stream, size

    def add(self, record: Record) -> None:
        """Append one line; it is in the file when this returns."""
        line = json_text(record, separators=(",", ":")).encode() + b"\n"
        with _writing(self.path):
            self._stream.truncate(self._size)
            self._stream.seek(self._size)
            try:
                if self._stream.write(line) < len(line):
                    raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
            except OSError:
                self._stream.truncate(self._size)
                raise
            self._size += len(line)


@dataclass(frozen=True, slots=True)
class Lines:
    """The whole lines of a ledger as they stand in the file at `path`."""

    path: Path
    lines: tuple[bytes, ...]

    def heading(self, read: Callable[[dict[str, Any]], Value], made_by: str) -> Value:
        """The first line; `made_by` is the command that writes such files, such as `bench`."""
        if not self.lines:
            wrong = "it has no complete line"
        else:
            try:
                return read(json.loads(self.lines[0]))
            except LINE_ERRORS as error:
                wrong = f"line 1 is not a heading: {_why(error)}"
        raise InputError(f"{self.path} has no results of `{program_name()} {made_by}`: {wrong}")

    def records(self, read: Callable[[dict[str, Any]], Value]) -> Iterator[Value]:
        """All lines after the first."""
        for number, line in enumerate(self.lines[1:], 2):
            try:
                yield read(json.loads(line))
            except LINE_ERRORS as error:
                wrong = f"not a line of results: {_why(error)}; remove the line, and its work is done again"
                raise InputError(f"{self.path}:{number}: {wrong}") from None


def _why(error: Exception) -> str:
    """What is wrong with a line, in a few words."""
    match error:
        case json.JSONDecodeError() | UnicodeDecodeError():
            return "it is not JSON"
        case RecursionError():
            return "its brackets are nested too deeply"
        case KeyError():
            return f"it has no field {error}"
        case ValueError() | InputError():
            return str(error).partition("\n")[0]
        case _:
            return "a field is not of the right kind"


@contextmanager
def new_ledger(path: Path) -> Iterator[Ledger]:
    """A new file; one that exists is not touched, as it may have taken hours."""
    require_new(path)
    with _writing(path):
        stream = path.open("xb", buffering=0)
    with stream:
        _lock(path, stream)
        yield Ledger(path, stream, 0)


def require_new(path: Path) -> None:
    """Raise if the file is there already."""
    if path.exists():
        raise InputError(f"{path} exists; resume it with --resume {path}, or name another file")


@contextmanager
def open_ledger(path: Path) -> Iterator[tuple[Lines, Ledger]]:
    """The lines of a file, and the file to append to; a last line that was cut is left out."""
    if not path.is_file():
        raise InputError(f"{path} is not a file that can be resumed; begin one with --output")
    with _writing(path):
        stream = path.open("r+b", buffering=0)
    with stream:
        _lock(path, stream)
        whole = _whole_lines(stream.readall())
        yield Lines(path, whole), Ledger(path, stream, sum(map(len, whole)))


def read_ledger(path: Path) -> Lines:
    """The lines of a file that another process may be writing to; a last line that was cut is left out."""
    try:
        return Lines(path, _whole_lines(path.read_bytes()))
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _whole_lines(content: bytes) -> tuple[bytes, ...]:
    lines = content.splitlines(keepends=True)
    return tuple(lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines)


def _lock(path: Path, stream: FileIO) -> None:
    try:
        _lock_file(stream)
    except OSError:
        raise InputError(f"another process is writing to {path}; wait, or name another file") from None


def _lock_file(stream: FileIO) -> None:
    """Lock an open file until it is closed; `OSError` if another process holds the lock.

    Nothing is locked on systems that have neither `fcntl` nor `msvcrt`.
    """
    if find_spec("fcntl") is not None:
        import fcntl

        # Not `flock`: a child that is just being started would hold that lock, too.
        fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
    elif find_spec("msvcrt") is not None:
        _lock_on_windows(stream)


def _lock_on_windows(stream: FileIO) -> None:
    msvcrt = import_module("msvcrt")  # not `import`: elsewhere, its type stub is empty
    place = stream.tell()
    stream.seek(LOCKED_BYTE)
    try:
        msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
    finally:
        stream.seek(place)


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None
