"""Files that were handed in: which ones a folder holds, and their text.

The folder comes from others, and anything can be in it. Pipes and devices are never opened, links to folders
are not followed, and no more is read of a file than an answer can need.
"""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.board_folders import natural_order
from gemhunter.formats.file_kinds import fault_of, reason_of
from gemhunter.formats.files import decode, read_bytes, source_name

LARGEST_ANSWER = 2**19
"""Bytes of an answer file, beyond those for the cells of the board."""

BYTES_PER_CELL = 100
"""What an answer file may have for each cell: several solvers, each with its own grid."""

MOST_FILES = 20_000
"""In a folder of submissions. A whole disk, named by mistake, is refused before it is read."""

LINKED_FOLDER = "a link to a folder, which is not followed"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file in a folder, and why it cannot be opened; an empty text if it can."""

    path: Path
    fault: str = ""


def files_below(folder: Path) -> list[FoundFile]:
    """All files in a folder and its subfolders but for hidden ones, and folders that cannot be opened."""
    denied: list[OSError] = []
    found = [FoundFile(path, fault_of(path)) for path in _paths_below(folder, denied)]
    found += [FoundFile(Path(error.filename), reason_of(error)) for error in denied]
    found += [FoundFile(path, LINKED_FOLDER) for path in _linked_folders(folder)]
    visible = (each for each in found if not is_hidden(each.path.relative_to(folder)))
    return sorted(visible, key=lambda each: natural_order(each.path))


def is_hidden(path: Path) -> bool:
    """Whether a path within a folder has a part that file managers hide, or that Python makes."""
    return any(part.startswith((".", "__")) for part in path.parts)


def read_answer(path: str | os.PathLike[str], cells: int) -> str:
    """The text of an answer file for boards of at most `cells` cells."""
    largest = LARGEST_ANSWER + BYTES_PER_CELL * cells
    return decode(read_bytes(path, largest, "an answer to this board"), source_name(path))


def _linked_folders(folder: Path) -> list[Path]:
    """The links to folders right in a folder; those further below are parts of programs, not submissions."""
    return [path for path in folder.iterdir() if path.is_symlink() and path.is_dir()]


def _paths_below(folder: Path, denied: list[OSError]) -> Iterator[Path]:
    found = 0
    for parent, folders, names in os.walk(folder, onerror=denied.append):
        folders[:] = [name for name in folders if not is_hidden(Path(name))]
        found += len(names)
        if found > MOST_FILES:
            raise InputError(f"{folder} holds more than {MOST_FILES:,} files; name the folder of submissions")
        yield from (Path(parent, name) for name in names)
