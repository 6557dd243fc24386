"""Files: checking that they can be opened, reading up to a size limit, writing all or nothing."""

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
from difflib import get_close_matches
from pathlib import Path
from typing import BinaryIO
from uuid import uuid4

from gemhunter.errors import BoardError, Fault, InputError, board_error
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES, file_of
from gemhunter.printable import printable, utf8

FILE_BYTE_LIMIT = 256 * 2**20
"""Eighty million cells in the canonical format. Reading takes about ten times as much memory."""

STDIN = "-"

BINARY_FILE = "a binary file; expected text with one row of cells per line"
PICTURE = "a picture; expected a board as text, such as `_, 2, T`"


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or of standard input for `-`, without a byte order mark."""
    return decode(read_bytes(path, FILE_BYTE_LIMIT, "a board"), source_name(path))


def read_bytes(path: str | os.PathLike[str], largest: int, kind: str) -> bytes:
    """The content of a file, or of standard input for `-`; an error if it has more than `largest` bytes."""
    source = source_name(path)
    try:
        if os.fspath(path) == STDIN:
            if sys.stdin is None:
                raise InputError("standard input is closed")
            return _read_limited(sys.stdin.buffer, source, largest, kind)
        with file_of(path).open("rb") as stream:
            return _read_limited(stream, source, largest, kind)
    except FileNotFoundError as error:
        raise InputError(f"{source}: {reason_of(error)}{_meant(Path(path))}") from None
    except IsADirectoryError:
        raise InputError(f"{source}: a folder; expected a file") from None
    except (OSError, ValueError) as error:  # a name with a NUL character is a ValueError
        raise InputError(f"{source}: {reason_of(error)}") from None


@contextmanager
def reading(path: str | os.PathLike[str]) -> Iterator[None]:
    """A context in which a `MemoryError` names the file that is read."""
    try:
        yield
    except MemoryError:
        raise MemoryError(f"{source_name(path)}: out of memory") from None


def _meant(path: Path) -> str:
    """The file beside a missing one, or the sample board, that may have been meant."""
    if str(path) in SAMPLES:
        return f"; did you mean {SAMPLE_PREFIX}{path}?"
    try:
        beside = [file.name for file in path.parent.iterdir()]
    except OSError:
        return ""
    nearest = get_close_matches(path.name, beside, n=1, cutoff=0.7)
    return f"; did you mean {printable(str(path.with_name(nearest[0])))}?" if nearest else ""


def source_name(path: str | os.PathLike[str]) -> str:
    """The name of a file in messages: one printable line."""
    return "standard input" if os.fspath(path) == STDIN else printable(os.fspath(path))


def decode(content: bytes, source: str) -> str:
    """The bytes of a text file as text; a `BoardError` says why they are not text."""
    # The beginnings of PNG, JPEG, GIF, BMP, TIFF, WebP, and HEIC and AVIF.
    picture = rb"\x89PNG|\xff\xd8\xff|GIF8|BM....\0\0\0\0|II\*\0|MM\0\*|RIFF....WEBP|....ftyp"
    if re.match(picture, content, re.DOTALL):
        raise board_error(PICTURE, source)
    is_utf16 = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
    if b"\0" in content and not is_utf16:
        unmarked = _unmarked_utf16(content)
        if unmarked is None:
            raise board_error(BINARY_FILE, source)
        return unmarked
    try:
        return content.decode("utf-16" if is_utf16 else "utf-8-sig")
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - content.rfind(b"\n", 0, error.start)
        message = f"not {'utf-16' if is_utf16 else 'utf-8'} text"
        raise BoardError([Fault(line, column, message)], source) from None


def refuse_other_text(text: str, source: str) -> None:
    """Raise a `BoardError` about a picture in text (SVG), or a binary file that was read as text."""
    if "\0" in text:
        raise board_error(BINARY_FILE, source)
    if re.match(r"\s*(?:<[?!][^>]*>\s*)*<svg\b", text):
        raise board_error(PICTURE, source)


def _unmarked_utf16(content: bytes) -> str | None:
    """The text of UTF-16 without a byte order mark; None if it is probably not text."""
    # In digits, separators and line ends, the high byte is 0.
    zeros = content[::2].count(0), content[1::2].count(0)
    try:
        text = content.decode("utf-16-be" if zeros[0] > zeros[1] else "utf-16-le")
    except UnicodeDecodeError:
        return None
    # Text has no control characters but those of lines and colours, and no characters without a meaning.
    categories = {unicodedata.category(sign) for sign in set(text) - set("\t\n\r\f\x1b")}
    return text if 8 * max(zeros) >= len(text) and categories.isdisjoint({"Cc", "Cn", "Co", "Cs"}) else None


def write_atomically(path: str | os.PathLike[str], content: str | bytes) -> None:
    """Write a file, text as UTF-8; readers see the old content or the new, never a part of it."""
    target, data = Path(path), utf8(content) if isinstance(content, str) else content
    with _writing(target):
        if _is_stream(target):
            with target.open("ab") as stream:  # `-o /dev/stdout >> log` adds to the log
                stream.write(data)
            return
        _replace(_place(target), data)


def append(path: Path, text: str) -> None:
    """Add a text to the end of a file, as UTF-8."""
    with _writing(path), path.open("ab") as stream:
        stream.write(utf8(text))


def require_writable(path: str | os.PathLike[str]) -> None:
    """Raise the error that writing this file would cause, if its folder reveals it."""
    target = Path(path)
    with _writing(target):
        if _is_stream(target):
            if not os.access(target, os.W_OK):
                raise _system_error(errno.EACCES)
            return
        place = _place(target)
        if stat.S_ISDIR(_mode(place) or 0):
            raise _system_error(errno.EISDIR)
        if not stat.S_ISDIR(place.parent.stat().st_mode):
            raise _system_error(errno.ENOTDIR)
        if not os.access(place.parent, os.W_OK | os.X_OK):
            raise _system_error(errno.EACCES)


def keep_privately(text: str, name: str, ending: str) -> Path | None:
    """A new temporary file `gemhunter-NAME-…` that only this user can read; None if it could not be written.

    Its name is random, so that a planted link cannot lead the text elsewhere.
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
    """Keep a text privately; returns ` (kept in PATH)` for a message, or an empty string if that failed."""
    path = keep_privately(text, "wrong", ending)
    return "" if path is None else f" (kept in {path})"


def require_writable_folder(folder: Path) -> None:
    """Raise the error that writing files into a folder would cause; it need not exist yet."""
    with _writing(folder):
        place = _place(folder)
        while not (place.exists() or place == place.parent):
            place = place.parent
        if not place.is_dir():
            raise _system_error(errno.ENOTDIR)
        if not os.access(place, os.W_OK | os.X_OK):
            raise _system_error(errno.EACCES)


def make_folder(folder: Path) -> None:
    """Make a folder and its parents, unless it exists."""
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)


@contextmanager
def _writing(target: Path) -> Iterator[None]:
    """Turn a system error into an `InputError` about the file to write."""
    if str(target) == STDIN:
        raise InputError("`-` is not a file to write to; without a file the result is printed")
    try:
        yield
    except (OSError, ValueError) as error:
        raise InputError(f"cannot write {source_name(target)}: {reason_of(error)}") from None


def _system_error(number: int) -> OSError:
    return OSError(number, os.strerror(number))


def _is_stream(target: Path) -> bool:
    """Whether a path is a device, a pipe or `/dev/stdout`, which are written to and never replaced."""
    # The path of a redirected stream leads to a file.
    if target.as_posix() in ("/dev/stdout", "/dev/stderr") or target.as_posix().startswith("/dev/fd/"):
        return True
    mode = _mode(target)
    return mode is not None and not stat.S_ISREG(mode) and not stat.S_ISDIR(mode)


def _mode(path: Path) -> int | None:
    """The mode of the file that a path leads to; None if it does not exist."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _place(target: Path) -> Path:
    """Where a path leads, through all links."""
    try:
        return target.resolve()
    except RuntimeError:  # Python before 3.13 raises it for links that lead to each other
        raise _system_error(errno.ELOOP) from None


def _read_limited(stream: BinaryIO, source: str, largest: int, kind: str) -> bytes:
    """Everything in `stream`; the limit also applies while reading, because a pipe has no size."""
    try:
        size = os.fstat(stream.fileno()).st_size
    except OSError:  # a stream in memory has no file descriptor
        size = 0
    content = b"" if size > largest else stream.read(largest + 1)
    if max(size, len(content)) > largest:
        limit = f"{largest // 2**20} MiB" if largest >= 2**20 else f"{largest // 2**10} KiB"
        raise board_error(f"too large to be {kind}; at most {limit} are read", source)
    return content


def _replace(target: Path, data: bytes) -> None:
    """Write a draft, then put it in the place of `target`, with its mode."""
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
    """Why a path cannot be opened as a file or folder, without opening it; an empty string if it can."""
    try:
        mode = path.stat().st_mode
    except FileNotFoundError:
        return "a link that leads nowhere"
    except (OSError, RuntimeError) as error:
        return reason_of(error)
    other_kinds = {
        stat.S_IFIFO: "a named pipe, not a file",
        stat.S_IFSOCK: "a socket, not a file",
        stat.S_IFCHR: "a device, not a file",
        stat.S_IFBLK: "a device, not a file",
    }
    return other_kinds.get(stat.S_IFMT(mode), "")


def reason_of(error: Exception) -> str:
    """The system's message about a file, in lower case."""
    return (getattr(error, "strerror", None) or str(error)).lower()
