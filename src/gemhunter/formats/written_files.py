"""Which files in a folder this program wrote, so that it replaces no others.

The folder holds a list of checksums in the format of `sha256sum`. A file that is not in the list comes from
elsewhere, and a file with another checksum was changed after it was written.
"""

import hashlib
import os
from collections.abc import Iterable, Mapping
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.files import read_bytes, source_name, write_atomically
from gemhunter.printable import printable, utf8

OWN_FILES = ".gemhunter.sha256"

LARGEST_LIST = 16 * 2**20
"""Bytes of a list that are read."""


def require_plain(folder: Path, names: Iterable[Path]) -> None:
    """Raise `InputError` if writing one of these files in a folder would lead out of it, or into a pipe.

    The folder itself may be a link: its user named it. What is in it may come from others.
    """
    for path in names:
        inside = path.relative_to(folder)
        places = [folder.joinpath(*inside.parts[:length]) for length in range(1, len(inside.parts) + 1)]
        for place in filter(_is_link, places):
            raise InputError(
                f"{source_name(place)} is a link; files in a folder are not written through links"
            )
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{source_name(path)} is not a file and cannot be replaced by one")


def require_own(paths: Iterable[Path]) -> None:
    """Raise `InputError` if one of the files exists and is not as this program left it."""
    foreign = [path for path in paths if not is_own(path)]
    if not foreign:
        return
    more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
    raise InputError(
        f"{source_name(foreign[0])}{more} would be overwritten, but gemhunter did not write this version; "
        f"move or delete {'them' if more else 'it'}, or add --force"
    )


def is_own(path: Path) -> bool:
    """Whether a file can be replaced without loss: it is missing, or exactly what this program wrote.

    The list can be in the file's folder or, for a test case in a folder of its own, in the one above.
    """
    try:
        if not path.is_file():
            return not path.exists()
        written = _checksum(path.read_bytes())
    except OSError:
        return False
    place = path.absolute()
    return any(written == _read_list(folder).get(_name(place, folder)) for folder in place.parents[:2])


def note_written(folder: Path, texts: Mapping[Path, str]) -> None:
    """Add files in a folder or its subfolders, with the texts written to them, to the folder's list."""
    place = folder.absolute()
    listed = _read_list(place)
    listed |= {_name(path.absolute(), place): _checksum(utf8(text)) for path, text in texts.items()}
    write_atomically(folder / OWN_FILES, "".join(f"{listed[name]}  {name}\n" for name in sorted(listed)))


def _read_list(folder: Path) -> dict[str, str]:
    """The checksum of each file in the folder's list; other lines are ignored."""
    place = folder / OWN_FILES
    try:
        text = read_bytes(place, LARGEST_LIST, "a list").decode() if place.is_file() else ""
    except (OSError, InputError, UnicodeDecodeError):
        return {}
    entries = (line.partition("  ") for line in text.splitlines())
    return {name: written for written, gap, name in entries if gap}


def _name(path: Path, folder: Path) -> str:
    """What the list calls a file, in one line."""
    return printable(path.relative_to(folder).as_posix())


def _is_link(path: Path) -> bool:
    """Whether a path is a link or, on Windows, a junction, which Python knows since 3.12."""
    is_junction = getattr(os.path, "isjunction", None)
    return path.is_symlink() or (is_junction is not None and bool(is_junction(path)))


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
