"""Files: read no more than a board may have, write all or nothing."""

import codecs
import os
import sys
import tempfile
from pathlib import Path
from typing import BinaryIO

from gemhunter.errors import BoardError, Fault, InputError

LARGEST_FILE = 256 * 2**20
"""Bytes. Eighty million cells in the canonical format; reading needs about ten times as much memory."""

STDIN = "-"


def read_text(path: str | os.PathLike[str]) -> str:
    """The text of a file, or of standard input for `-`, without a BOM."""
    source = source_name(path)
    try:
        if os.fspath(path) == STDIN:
            return decode(_read_limited(sys.stdin.buffer, source), source)
        with Path(path).open("rb") as stream:
            return decode(_read_limited(stream, source), source)
    except OSError as error:
        raise InputError(f"{source}: {(error.strerror or str(error)).lower()}") from None


def source_name(path: str | os.PathLike[str]) -> str:
    """What a file is called in messages."""
    return "standard input" if os.fspath(path) == STDIN else os.fspath(path)


def decode(content: bytes, source: str) -> str:
    """Bytes of a text file as text, or a `BoardError` that says why they are none."""
    encoding = "utf-8-sig"
    if content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        encoding = "utf-16"
    elif b"\0" in content:
        raise BoardError([Fault(0, 0, "a binary file; expected text with one row of cells per line")], source)
    try:
        text = content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        column = error.start - (content.rfind(b"\n", 0, error.start) + 1) + 1
        raise BoardError([Fault(line, column, f"not {encoding[:6].rstrip('-')} text")], source) from None
    return text


def write_atomically(path: str | os.PathLike[str], text: str) -> None:
    """Write a file so that readers find the old content or the new, never a part of it."""
    target = Path(path)
    try:
        if target.exists() and not target.is_file():
            target.write_text(text, encoding="utf-8")  # a device or a pipe, such as /dev/stdout
            return
        handle, draft = tempfile.mkstemp(dir=target.resolve().parent, prefix=f".{target.name}.")
        try:
            with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text)
            Path(draft).chmod(_usual_mode(target))
            Path(draft).replace(target.resolve())
        except BaseException:
            Path(draft).unlink(missing_ok=True)
            raise
    except OSError as error:
        raise InputError(f"cannot write {target}: {(error.strerror or str(error)).lower()}") from None


def _read_limited(stream: BinaryIO, source: str) -> bytes:
    """Everything in `stream`; a pipe has no size to ask for, so the limit is kept while reading."""
    size = os.fstat(stream.fileno()).st_size if _has_descriptor(stream) else 0
    content = b"" if size > LARGEST_FILE else stream.read(LARGEST_FILE + 1)
    if max(size, len(content)) > LARGEST_FILE:
        limit = f"{LARGEST_FILE // 2**20} MiB"
        raise BoardError([Fault(0, 0, f"too large to be a board; at most {limit} are read")], source)
    return content


def _has_descriptor(stream: BinaryIO) -> bool:
    try:
        stream.fileno()
    except OSError:
        return False
    return True


def _usual_mode(target: Path) -> int:
    """The mode a plain `open` would have left: that of the file it replaces, or what the umask allows."""
    if target.exists():
        return target.stat().st_mode & 0o777
    umask = os.umask(0)
    os.umask(umask)
    return 0o666 & ~umask
