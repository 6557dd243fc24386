"""The files in a folder that this program wrote, so that it replaces no others.

The folder holds a list of checksums in the format of `sha256sum`. A file that is not in the list comes from
elsewhere, and a file whose checksum is not there was changed after it was written. A checksum is listed
before its file is written, and the latest ones of each file stay in the list. So the list is right whenever
a process is killed, and while several processes write the same files.
"""

import hashlib
import os
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from functools import cache
from importlib.util import find_spec
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.files.access import read_bytes, source_name, write_atomically
from gemhunter.files.folders import _is_link
from gemhunter.printable import printable, utf8

OWN_FILES = ".gemhunter.sha256"


def require_plain(folder: Path, names: Iterable[Path]) -> None:
    """Raise `InputError` if writing one of these files in a folder would lead out of it, or into a pipe.

    The folder itself may be a link, because the user named it; its content may come from others.
    """
    for path in names:
        inside = path.relative_to(folder)
        places = [folder.joinpath(*inside.parts[:length]) for length in range(1, len(inside.parts) + 1)]
        for place in filter(_is_link, places):
            message = f"{source_name(place)} is a link; files in a folder are not written through links"
            raise InputError(message)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{source_name(path)} is not a file and cannot be replaced by one")


def require_own(paths: Iterable[Path]) -> None:
    """Raise `InputError` if one of the files exists, but is not as this program left it."""
    foreign = foreign_files(paths)
    if not foreign:
        return
    more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
    raise InputError(
        f"{source_name(foreign[0])}{more} would be overwritten, but gemhunter did not write this version; "
        f"move or delete {'them' if more else 'it'}, or add --force"
    )


def foreign_files(paths: Iterable[Path]) -> list[Path]:
    """The files that cannot be replaced without loss: they exist, and are not what this program wrote.

    The list can be in the file's folder or, for a test case in a subfolder, in the one above.
    """
    # A file is read before the list: what another process writes meanwhile is listed already.
    checksums = {path: _checksum(path) for path in paths}
    read_list = cache(_read_list)
    return [
        path
        for path, checksum in checksums.items()
        if checksum is not None
        and not any(
            checksum in read_list(folder).get(_written_name(path.absolute(), folder), ())
            for folder in path.absolute().parents[:2]
        )
    ]


def list_as_own(folder: Path, texts: Mapping[Path, str]) -> None:
    """List texts that are about to be written to files in a folder or its subfolders as ours."""
    # Others may have listed texts that they have not written yet, so each file keeps several checksums.
    latest = 8
    place = folder.absolute()
    with _locked(place):
        listed = _read_list(place)
        for path, text in texts.items():
            name, checksum = _written_name(path.absolute(), place), hashlib.sha256(utf8(text)).hexdigest()
            earlier = [each for each in listed.get(name, ()) if each != checksum]
            listed[name] = [*earlier, checksum][-latest:]
        lines = (f"{checksum}  {name}\n" for name in sorted(listed) for checksum in listed[name])
        write_atomically(folder / OWN_FILES, "".join(lines))


def _checksum(path: Path) -> str | None:
    """The checksum of a file; None if it is missing, an empty text if it cannot be read or is no file."""
    try:
        if not path.is_file():
            return "" if path.exists() else None
        return hashlib.sha256(path.read_bytes()).hexdigest()
    except OSError:
        return ""


def _read_list(folder: Path) -> dict[str, list[str]]:
    """The checksums of each file in the folder's list, the latest last; other lines are ignored."""
    place = folder / OWN_FILES
    try:
        text = read_bytes(place, 16 * 2**20, "a list").decode() if place.is_file() else ""
    except (OSError, InputError, UnicodeDecodeError):
        return {}
    listed: dict[str, list[str]] = {}
    for checksum, gap, name in (line.partition("  ") for line in text.splitlines()):
        if checksum and gap:
            listed.setdefault(name, []).append(checksum)
    return listed


@contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Wait while another process changes the list of a folder; systems without `fcntl` do not wait."""
    if find_spec("fcntl") is None:
        yield
        return
    import fcntl

    handle = os.open(folder, os.O_RDONLY)
    try:
        with suppress(OSError):  # some network folders have no locks
            fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _written_name(path: Path, folder: Path) -> str:
    """The name of a file in the list: one printable line."""
    return printable(path.relative_to(folder).as_posix())
