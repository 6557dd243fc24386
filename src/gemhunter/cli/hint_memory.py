"""Which rung of its hint each position has reached: a small file in the user's cache folder.

The file is a convenience. If it cannot be read, every position starts at the first rung; if it cannot be
written, it stays there.
"""

import json
from hashlib import blake2b
from pathlib import Path

from gemhunter.compiling.cache import user_cache_folder
from gemhunter.core.positions import Position
from gemhunter.errors import InputError
from gemhunter.formats.files import write_atomically

MOST_POSITIONS = 100
"""Positions that are remembered; the one whose last hint was longest ago is forgotten first."""

LARGEST_MEMORY_FILE = 2**16
"""Bytes: a larger file is not ours."""

Rungs = dict[str, int]
"""The rung that was last shown, by the key of the position, the latest at the end."""


def position_key(position: Position) -> str:
    """A text that is the same for equal positions only; the board cannot be read from it."""
    digest = blake2b(f"{position.grid.cells.shape} {position.total} ".encode(), digest_size=16)
    digest.update(position.grid.cells.tobytes())
    digest.update(position.flags.tobytes())
    return digest.hexdigest()


def remembered_rung(key: str) -> int:
    """The rung that a position has reached; 0 if it is not known."""
    return _read().get(key, 0)


def remember_rung(key: str, rung: int) -> bool:
    """Remember the rung that a position has reached; returns whether that could be written."""
    rungs = _read()
    rungs.pop(key, None)
    kept = [*rungs.items(), (key, rung)][-MOST_POSITIONS:]
    try:
        file = memory_file()
        file.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(file, json.dumps(dict(kept)))
    except (OSError, RuntimeError, InputError):  # a user without a home folder is a RuntimeError
        return False
    return True


def memory_file() -> Path:
    """Where rungs are remembered."""
    return user_cache_folder() / "gemhunter" / "hints.json"


def _read() -> Rungs:
    """What the file says; nothing if it is missing, unreadable or damaged."""
    try:
        file = memory_file()
        if not file.is_file() or file.stat().st_size > LARGEST_MEMORY_FILE:
            return {}
        content = json.loads(file.read_bytes())
    except (OSError, ValueError, RuntimeError):
        return {}
    if not isinstance(content, dict):
        return {}
    return {key: rung for key, rung in content.items() if type(rung) is int and rung > 0}
