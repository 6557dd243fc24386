"""The ledger: an append-only file of results, so that long work can be stopped at any time and resumed.

One JSON object per line: first the heading, which says what the work is, then one record per finished piece
of work. A line is written at once, so a process that is killed leaves at most one incomplete line, the last,
which the next line replaces. Opening a file changes nothing in it, as it may be another kind of file.

The file may have been edited, so its lines are decoded into types. msgspec does that: it is strict (a `bool`
is not an `int`, and `Infinity` is not JSON), checks bounds, names the field that is wrong, and depends on no
other package. Pydantic could do this too, but takes much longer to import and converts values by default.
"""

import os
import platform
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import cache
from hashlib import blake2b
from importlib import import_module
from importlib.metadata import PackageNotFoundError, version
from importlib.util import find_spec
from io import BufferedReader, FileIO
from pathlib import Path
from typing import Annotated, Any, TypedDict, TypeVar

import msgspec
from msgspec import Meta, Struct

from gemhunter.errors import InputError
from gemhunter.printable import json_text
from gemhunter.wording import program_name

Value = TypeVar("Value")

LARGEST_LEDGER = 2**30
"""Bytes; fifty million games."""

# The kinds of fields that records are made of.

Text = Annotated[str, Meta(pattern=r"\A[^\0]*\Z")]
"""A string that can name a file."""
Texts = Annotated[tuple[Text, ...], Meta(min_length=1)]
Whole = Annotated[int, Meta(ge=0, le=2**63 - 1)]
Wholes = Annotated[tuple[Whole, ...], Meta(min_length=1)]
Positive = Annotated[int, Meta(ge=1, le=2**63 - 1)]
Seconds = Annotated[float, Meta(ge=0)]


class Ledger:
    """A file of results, open for appending, and locked against other processes that would append to it.

    Its complete lines are the first `size` bytes.
    """

    def __init__(self, path: Path, stream: FileIO, size: int) -> None:
        self.path, self._stream, self._size = path, stream, size

    def add(self, record: Struct | Mapping[str, Any]) -> None:
        """Append one line; it is in the file when this returns."""
        line = json_text(msgspec.to_builtins(record), separators=(",", ":")).encode() + b"\n"
        with _writing(self.path):
            self._stream.truncate(self._size)
            self._stream.seek(self._size)
            try:
                written = 0
                while written < len(line):  # the call after a short one says why it was short
                    written += self._stream.write(line[written:])
            except OSError:
                self._stream.truncate(self._size)
                raise
            self._size += len(line)


@dataclass(frozen=True, slots=True)
class Lines:
    """The complete lines of a ledger in the file at `path`."""

    path: Path
    lines: tuple[bytes, ...]

    def heading(self, kind: type[Value], made_by: str) -> Value:
        """The first line; `made_by` is the command that writes such files, such as `bench`."""
        wrong = "it has no complete line"
        if self.lines:
            try:
                return msgspec.convert(msgspec.json.decode(self.lines[0]), kind)
            except _LINE_ERRORS as error:
                wrong = f"line 1 is not a heading: {_why(error)}"
        raise InputError(f"{self.path} has no results of `{program_name()} {made_by}`: {wrong}")

    def records(self, kinds: Mapping[str, type], read: Callable[[Any], Value]) -> list[Value]:
        """What `read` returns for each line after the first; a line is of the first kind whose key it has."""
        values = []
        for number, line in enumerate(self.lines[1:], 2):
            try:
                record = msgspec.json.decode(line, type=dict[str, Any])
                kind = next((kind for key, kind in kinds.items() if key in record), None)
                if kind is None:
                    raise ValueError(f"it has no field {' or '.join(map(repr, kinds))}")
                values.append(read(msgspec.convert(record, kind)))
            except _LINE_ERRORS as error:
                wrong = f"not a line of results: {_why(error)}; remove the line to repeat its work"
                raise InputError(f"{self.path}:{number}: {wrong}") from None
        return values


_LINE_ERRORS = (ValueError, LookupError, RecursionError, InputError)
"""What is raised for a wrong line; errors of msgspec are `ValueError`s."""


def _why(error: Exception) -> str:
    """What is wrong with a line, in a few words."""
    match error:
        case RecursionError():
            return "its brackets are nested too deeply"
        case msgspec.DecodeError() if not isinstance(error, msgspec.ValidationError):
            return "it is not JSON"
        case LookupError():
            return "it refers to something that line 1 does not list"
        case _:
            reason = str(error).partition("\n")[0]
            return re.sub("^Object missing required field `(.*?)`", r"it has no field '\1'", reason)


@contextmanager
def new_ledger(path: Path) -> Iterator[Ledger]:
    """A new file; an `InputError` if it exists, as its results may have taken hours."""
    require_new(path)
    with _writing(path):
        stream = path.open("xb", buffering=0)
    with stream:
        _lock(path, stream)
        yield Ledger(path, stream, 0)


def require_new(path: Path) -> None:
    """Raise `InputError` if the file exists."""
    if path.exists():
        raise InputError(f"{path} exists; resume it with --resume {path}, or name another file")


@contextmanager
def open_ledger(path: Path) -> Iterator[tuple[Lines, Ledger]]:
    """The lines of a file, and the file to append to; an incomplete last line is left out."""
    if not path.is_file():
        raise InputError(f"{path} is not a file that can be resumed; begin one with -o")
    with _writing(path):
        stream = path.open("r+b", buffering=0)
    with stream:
        _lock(path, stream)
        whole = _whole_lines(path, stream)
        yield Lines(path, whole), Ledger(path, stream, sum(map(len, whole)))


def read_ledger(path: Path) -> Lines:
    """The lines of a file that another process may be writing to; an incomplete last line is left out."""
    try:
        with path.open("rb") as stream:
            return Lines(path, _whole_lines(path, stream))
    except OSError as error:
        raise InputError(f"cannot read {path}: {(error.strerror or str(error)).lower()}") from None


def _whole_lines(path: Path, stream: FileIO | BufferedReader) -> tuple[bytes, ...]:
    """The complete lines of a file; an `InputError` if it is endless, as a device can be, or too large."""
    content = stream.read(LARGEST_LEDGER + 1)
    if len(content) > LARGEST_LEDGER:
        raise InputError(
            f"{path} is too large to be a ledger; at most {LARGEST_LEDGER // 2**20} MiB are read"
        )
    lines = content.splitlines(keepends=True)
    return tuple(lines[:-1] if lines and not lines[-1].endswith(b"\n") else lines)


def _lock(path: Path, stream: FileIO) -> None:
    """Lock an open file until it is closed; `InputError` if another process holds the lock.

    Nothing is locked on systems that have neither `fcntl` nor `msvcrt`.
    """
    try:
        if find_spec("fcntl") is not None:
            import fcntl

            # Not `flock`: a child that is being started would hold that lock too.
            fcntl.lockf(stream, fcntl.LOCK_EX | fcntl.LOCK_NB)
        elif find_spec("msvcrt") is not None:
            msvcrt = import_module("msvcrt")  # not `import`: elsewhere, its type stub is empty
            place = stream.tell()
            # Locked bytes cannot be read, so a byte far beyond the end stands for the whole file.
            stream.seek(2**30)
            try:
                msvcrt.locking(stream.fileno(), msvcrt.LK_NBLCK, 1)
            finally:
                stream.seek(place)
    except OSError:
        raise InputError(f"another process is writing to {path}; wait, or name another file") from None


@contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        raise InputError(f"cannot write {path}: {(error.strerror or str(error)).lower()}") from None


# What measurements depend on besides the task: the machine, and the versions and sources of programs.


CPU_FILE = Path("/proc/cpuinfo")


class Machine(TypedDict):
    """The kind of a machine, without anything that identifies its owner."""

    processor: Text
    cores: Positive
    system: Text


def package_versions(packages: Iterable[str]) -> dict[str, str]:
    """The versions of Python and of the packages that are installed."""
    versions = {"python": platform.python_version()}
    for package in packages:
        with suppress(PackageNotFoundError):
            versions[package] = version(package)
    return versions


def machine() -> Machine:
    """This machine."""
    return {"processor": _processor(), "cores": os.cpu_count() or 1, "system": platform.system()}


@cache
def sources_digest(*patterns: str) -> str:
    """A digest that changes when a source file of this package does; `patterns` choose the files."""
    package = Path(__file__).parents[1]
    digest = blake2b(digest_size=8)
    for file in (file for pattern in patterns or ("**/*.py",) for file in sorted(package.glob(pattern))):
        content = file.read_bytes()
        digest.update(f"{file.relative_to(package).as_posix()} {len(content)} ".encode() + content)
    return digest.hexdigest()


def _processor() -> str:
    """The name of the processor, if the system reports it."""
    if CPU_FILE.is_file():
        for line in CPU_FILE.read_text(encoding="utf-8", errors="replace").splitlines():
            name, _, value = line.partition(":")
            if name.strip() == "model name":
                return value.strip()
    return platform.processor() or platform.machine()
