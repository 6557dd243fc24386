"""The ledger: an append-only file of results, so that long work can be stopped at any time and resumed.

Its records are read field by field, as the file may have been edited; its heading names the machine and
the versions.
"""

import errno
import json
import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from io import FileIO
from math import isfinite
from pathlib import Path
from typing import Any, TypeVar

from gemhunter.errors import InputError
from gemhunter.printable import json_text, program_name, shown

# Fields of records from a file that may have been edited: each is what it should be, or an error.
#
# `bool` is an `int` in Python, JSON as Python reads it has `Infinity`, and 1e999 is one: all are refused.


LARGEST_WHOLE = 2**63 - 1

_NO_TEXT = re.compile("[\0\ud800-\udfff]")


def text_field(record: Mapping[str, Any], name: str) -> str:
    """A string that can be written to a file and name one: no NUL, no lone surrogate."""
    value = record[name]
    if not isinstance(value, str) or _NO_TEXT.search(value):
        raise ValueError(f"{name} is {shown(value)}, expected a text")
    return value


def whole_field(record: Mapping[str, Any], name: str, low: int = 0, high: int = LARGEST_WHOLE) -> int:
    """A whole number from `low` to `high`."""
    return _whole(record[name], name, low, high)


def seconds_field(record: Mapping[str, Any], name: str) -> float:
    """A number of seconds, which is finite and not negative."""
    value = record[name]
    if isinstance(value, bool) or not isinstance(value, int | float) or not isfinite(value) or value < 0:
        raise ValueError(f"{name} is {shown(value)}, expected seconds")
    return float(value)


def texts_field(record: Mapping[str, Any], name: str) -> tuple[str, ...]:
    """A list of strings, at least one."""
    return tuple(text_field({name: each}, name) for each in list_field(record, name))


def wholes_field(record: Mapping[str, Any], name: str, low: int = 0, high: int = LARGEST_WHOLE) -> list[int]:
    """A list of whole numbers from `low` to `high`, at least one."""
    return [_whole(each, name, low, high) for each in list_field(record, name)]


def list_field(record: Mapping[str, Any], name: str) -> list[Any]:
    """A list with at least one entry."""
    value = record[name]
    if not isinstance(value, list) or not value:
        raise ValueError(f"{name} is {shown(value)}, expected a list")
    return value


def _whole(value: object, name: str, low: int, high: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
        raise ValueError(f"{name} is {shown(value)}, expected a whole number from {low} to {high}")
    return value


# What measurements depend on besides the task: the machine, and the versions and sources of programs.


CPU_FILE = Path("/proc/cpuinfo")


def package_versions(packages: Iterable[str]) -> dict[str, str]:
    """Versions of Python and of those of the packages that are installed."""
    found = {"python": platform.python_version()}
    for package in packages:
        try:
            found[package] = version(package)
        except PackageNotFoundError:
            continue
    return found


def machine() -> dict[str, str | int]:
    """What kind of machine this is; nothing that identifies its owner."""
    return {"processor": _processor(), "cores": os.cpu_count() or 1, "system": platform.system()}


@cache
def sources_digest(*patterns: str) -> str:
    """A word that changes as soon as a source file of this package does; `patterns` choose the files."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in (file for pattern in patterns or ("**/*.py",) for file in sorted(package.glob(pattern))):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _processor() -> str:
    """The processor by name, as far as the system says."""
    if CPU_FILE.is_file():
        for line in CPU_FILE.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()


# The ledger: an append-only file of results, so that long work can be stopped at any time and resumed.
#
# One JSON object per line: first the heading, which says what the work is, then one record per finished
# piece of work. A line is written in one go, so a process that is killed leaves at most one cut line, the
# last, which the next line replaces. Opening a file changes nothing in it: it may be something else.


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
