"""One process at a time writes to a file."""

from importlib import import_module
from importlib.util import find_spec
from io import FileIO

LOCKED_BYTE = 2**30
"""On Windows, locked bytes cannot be read, so a byte far behind the end stands for the whole file."""


def lock_file(stream: FileIO) -> None:
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
