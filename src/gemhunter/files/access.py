"""Files: whether they can be opened, reading with a limit on the size, writing all or nothing."""

import codecs
import errno
import os
import re
import stat
import sys
import tempfile
import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.files.samples import file_of
from gemhunter.printable import printable, utf8

LARGEST_FILE = 256 * 2**20
"""Bytes: eighty million cells in the canonical format. Reading needs about ten times as much memory."""

STDIN = "-"

STANDARD_STREAMS = ("/dev/stdout", "/dev/stderr")
"""Paths that can lead to a file, if the stream was redirected, which must not be replaced."""


NO_FILES = {
    stat.S_IFIFO: "a named pipe, not a file",
    stat.S_IFSOCK: "a socket, not a file",
    stat.S_IFCHR: "a device, not a file",
    stat.S_IFBLK: "a device, not a file",
}


BINARY_FILE = "a binary file; expected text with one row of cells per line"
PICTURE = "a picture; expected a board as text, such as `_, 2, T`"

_PICTURE_BYTES = re.compile(
    rb"\x89PNG|\xff\xd8\xff|GIF8|BM....\0\0\0\0|II\*\0|MM\0\*|RIFF....WEBP|....ftyp", re.DOTALL
)
"""How PNG, JPEG, GIF, BMP, TIFF, WebP, and HEIC and AVIF begin."""

_SVG_BEGINNING = re.compile(r"\s*(?:<[?!][^>]*>\s*)*<svg\b")


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or of standard input for `-`, without a BOM."""
    return decode(read_bytes(path, LARGEST_FILE, "a board"), source_name(path))


def read_bytes(path: str | os.PathLike[str], largest: int, kind: str) -> bytes:
    """The content of a file, or of standard input for `-`; an error if it is too large for its kind."""
    source = source_name(path)
    try:
        if os.fspath(path) == STDIN:
            if sys.stdin is None:
                raise InputError("standard input is closed")
            return _read_limited(sys.stdin.buffer, source, largest, kind)
        with file_of(path).open("rb") as stream:
            return _read_limited(stream, source, largest, kind)
    except (OSError, ValueError) as error:  # a name with a NUL character is a ValueError
        raise InputError(f"{source}: {reason_of(error)}") from None


def source_name(path: str | os.PathLike[str]) -> str:
    """What a file is called in messages, in one line that can be printed."""
    return "standard input" if os.fspath(path) == STDIN else printable(os.fspath(path))


def decode(content: bytes, source: str) -> str:
    """The bytes of a text file as text; a `BoardError` says why they are not text."""
    encoding = "utf-8-sig"
    if _PICTURE_BYTES.match(content):
        raise BoardError([Fault(0, 0, PICTURE)], source)
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in content:
        unmarked = _unmarked_utf16(content)
        if unmarked is None:
            raise BoardError([Fault(0, 0, BINARY_FILE)], source)
        return unmarked
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise BoardError([Fault(line, column, f"not {encoding[:6].rstrip('-')} text")], source) from None
    return text


def refuse_other_text(text: str, source: str) -> None:
    """Raise a `BoardError` about a picture as text (SVG), and about bytes that were taken for text."""
    if "\0" in text or _SVG_BEGINNING.match(text):
        raise BoardError([Fault(0, 0, BINARY_FILE if "\0" in text else PICTURE)], source)


def _unmarked_utf16(content: bytes) -> str | None:
    """The text of UTF-16 without a byte order mark; None if that would hardly be a text."""
    # Digits, separators and line ends have a byte of 0; it comes first if the high byte does.
    zeros = content[::2].count(0), content[1::2].count(0)
    try:
        text = content.decode("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le")
    except UnicodeDecodeError:
        return None
    # Control characters other than those of lines and colours, and characters without a meaning.
    categories = {unicodedata.category(sign) for sign in set(text) - set("\t\n\r\f\x1b")}
    return text if 8 * max(zeros) >= len(text) and categories.isdisjoint({"Cc", "Cn", "Co", "Cs"}) else None


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text as UTF-8, so that readers find the old content or the new, never a part of it."""
    target, data = Path(path), utf8(content) if isinstance(content, str) else content
    with _writing(target):
        if _is_stream(target):
            with target.open("ab") as stream:  # `-o /dev/stdout >> log` adds to the log
                stream.write(data)
            return
        _replace(_place(target), data)


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise, before any work, the error that writing this file would end in, as far as its folder shows."""
    target = Path(path)
    with _writing(target):
        if _is_stream(target):
            if not os.access(target, os.W_OK):
                raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
            return
        place = _place(target)
        if stat.S_ISDIR(_mode(place) or 0):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
        if not stat.S_ISDIR(place.parent.stat().st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def keep_privately(text: str, name: str, ending: str) -> Path | None:
    """A new file `gemhunter-NAME-…` that only this user can read; None if it could not be written.

    It is in the temporary folder, and its name is random, so that no link planted there leads the
    text elsewhere.
    """
    path = None
    try:
        handle, name = tempfile.mkstemp(ending, f"gemhunter-{name}-")
        path = Path(name)
        with os.fdopen(handle, "w", encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
    except OSError:
        if path is not None:
            path.unlink(missing_ok=True)
        return None
    return path


def kept_where(text: str, ending: str) -> str:
    """Keep a text privately; returns where, for the end of a message, or an empty text if that failed."""
    path = keep_privately(text, "wrong", ending)
    return "" if path is None else f" (kept in {path})"


def require_writable_folder(folder: Path) -> None:
    """Raise the error that writing files into a folder would end in; the folder need not exist yet."""
    place = folder.resolve()
    while not (place.exists() or place == place.parent):
        place = place.parent
    with _writing(folder):
        if not place.is_dir():
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        if not os.access(place, os.W_OK | os.X_OK):
            raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))


def make_folder(folder: Path) -> None:
    """Make a folder, and those it is in, unless it exists."""
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Turn an error of the system into an `InputError` about the file to write."""
    if str(target) == STDIN:
        raise InputError("`-` is not a file to write to; without a file the result is printed")
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {source_name(target)}: {reason_of(error)}") from None


def _is_stream(target: Path) -> bool:
    """Whether a path is a device, a pipe or `/dev/stdout`, which are written to and never replaced."""
    if target.as_posix() in STANDARD_STREAMS or target.as_posix().startswith("/dev/fd/"):
        return True
    mode = _mode(target)
    return mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _mode(path: Path) -> int | None:
    """The mode of the file that a path leads to; None if it does not exist. Other faults raise an error."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _place(target: Path) -> Path:
    """Where a path leads to, through all links."""
    try:
        return target.resolve()
    except RuntimeError:  # what Python before 3.13 raises for links that lead to each other
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None


def _read_limited(stream: BinaryIO, source: str, largest: int, kind: str) -> bytes:
    """Everything in `stream`; the limit holds while reading, as a pipe has no size."""
    size = os.fstat(stream.fileno()).st_size if _has_descriptor(stream) else 0
    content = b"" if size > largest else stream.read(largest + 1)
    if max(size, len(content)) > largest:
        limit = f"{largest // 2**20} MiB" if largest >= 2**20 else f"{largest // 2**10} KiB"
        raise BoardError([Fault(0, 0, f"too large to be {kind}; at most {limit} are read")], source)
    return content


def _has_descriptor(stream: BinaryIO) -> bool:
    try:
        stream.fileno()
    except OSError:
        return False
    return True


def _replace(target: Path, data: bytes) -> None:
    """Write a draft, and put it in the place of `target`, with the mode of that."""
    draft = target.with_name(f".gemhunter-{uuid4().hex}")
    try:
        with draft.open("xb") as stream:
            stream.write(data)
        if target.exists():
            draft.chmod(target.stat().st_mode & 0o777)
        draft.replace(target)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def fault_of(path: Path) -> str:
    """Why a path cannot be opened as a file or folder, without opening it; an empty text if it can."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "a link that leads nowhere"
    except (OSError, RuntimeError) as error:
        return reason_of(error)
    return NO_FILES.get(stat.S_IFMT(mode), "")


def reason_of(error: Exception) -> str:
    """The system's message about a file, in lower case."""
    return (getattr(error, "strerror", None) or str(error)).lower()
