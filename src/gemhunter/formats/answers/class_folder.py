"""The folder of a class: who handed in which files, and their text.

The folder comes from others, and anything can be in it. Pipes and devices are never opened, links to folders
are not followed, and no more is read of a file than an answer can need.
"""

import os
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.answers.cases import CaseName, is_generic, last_number, named_case
from gemhunter.formats.board_folders import NOT_BOARDS, is_test_case, natural_order
from gemhunter.formats.files import decode, fault_of, read_bytes, reason_of, source_name
from gemhunter.printable import printable

ANSWER_SUFFIXES = frozenset(
    {"", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".out", ".log", ".md", ".ans", ".sol"}
)
NOT_ANSWERS = re.compile(r"(?:readme|requirements|licen[cs]e|makefile|dockerfile)\b.*", re.IGNORECASE)

_WITH_NUMBER = re.compile(r"(?P<student>.+?)[\s_.-]+(?:[a-z]+[\s_.-]*)?0*(?P<number>\d+)", re.IGNORECASE)


LARGEST_ANSWER = 2**19
"""Bytes of an answer file, beyond those for the cells of the board."""

ANSWER_BYTES_PER_CELL = 100
"""What an answer file may have for each cell: several solvers, each with its own grid."""

MOST_FILES = 20_000
"""In a folder of submissions. A whole disk, named by mistake, is refused before it is read."""

LINKED_FOLDER = "a link to a folder, which is not followed"


@dataclass(frozen=True, slots=True)
class FoundFile:
    """A file in a folder, and why it cannot be opened; an empty text if it can."""

    path: Path
    fault: str = ""


@dataclass(frozen=True, slots=True)
class HandedFile:
    """A file that a student handed in, its path within the class, and names that may name a test case."""

    student: str
    path: Path
    shown_as: str
    names: tuple[str, ...]
    fault: str = ""
    """Why it cannot be opened."""


@dataclass(frozen=True, slots=True)
class HandedIn:
    """All files of a class, all students, and what was passed over because it cannot be an answer."""

    files: tuple[HandedFile, ...]
    students: tuple[str, ...]
    skipped: tuple[Path, ...]


def look_into_class(folder: Path, cases: Sequence[CaseName]) -> HandedIn:
    """What a class handed in: a folder or a file for each student, or a folder for each test case.

    A folder with the answers of one student is a class of one. Raises `InputError` if there is nothing.
    """
    visible = files_below(folder)
    candidates = [each for each in visible if each.path.is_dir() or _can_be_answer(each.path)]
    files = tuple(_handed(folder, candidates, cases))
    is_by_case = _is_by_case(folder, cases)
    students = {file.student for file in files} | (set() if is_by_case else set(_folders_in(folder)))
    if not students:
        raise InputError(f"no submissions in {folder}; expected a folder or a file for each student")
    kept = set(candidates)
    skipped = tuple(each.path for each in visible if each not in kept)
    return HandedIn(files, tuple(sorted(students, key=lambda name: natural_order(Path(name)))), skipped)


def _handed(folder: Path, found: Sequence[FoundFile], cases: Sequence[CaseName]) -> Iterator[HandedFile]:
    """Each file with its student."""
    by_case, shared = _is_by_case(folder, cases), _shared_names(folder, [each.path for each in found], cases)
    own = folder.resolve().name
    for each in found:
        path, inside = each.path, each.path.relative_to(folder)
        inner = inside.with_suffix("").parts
        names: tuple[str, ...] = ()
        if path.is_dir():
            student = inside.parts[0]
        elif len(inner) == 1:
            student = own if _is_output_name(inner[0], cases) else shared.get(inner[0], inner[0])
            names = inner if student != inner[0] else ()
        elif by_case:
            student, names = own if _is_output_name(inner[-1], cases) else inner[-1], (inner[0],)
        else:
            student, names = inner[0], tuple(reversed(inner[1:]))
        yield HandedFile(student, path, printable(inside.as_posix()), names, each.fault)


def _is_output_name(name: str, cases: Sequence[CaseName]) -> bool:
    """Whether a name is that of an answer, such as `output` or `1`, and not that of a student."""
    return is_generic(name) and (last_number(name) is None or named_case([name], cases) is not None)


def _is_by_case(folder: Path, cases: Sequence[CaseName]) -> bool:
    """Whether every folder in a class is named like a test case."""
    inner = _folders_in(folder)
    return bool(inner) and all(is_generic(name) and named_case([name], cases) is not None for name in inner)


def _shared_names(folder: Path, paths: Sequence[Path], cases: Sequence[CaseName]) -> dict[str, str]:
    """The student behind `ann_1` and `ann_2`, where several files differ in the number of the case only."""
    numbers = {case.number for case in cases}
    stems = [path.stem for path in paths if path.parent == folder]
    found = {stem: match["student"] for stem in stems if (match := _WITH_NUMBER.fullmatch(stem))}
    found = {stem: name for stem, name in found.items() if last_number(stem) in numbers}
    times = Counter(found.values())
    return {stem: name for stem, name in found.items() if times[name] > 1 and not is_generic(name)}


def _can_be_answer(path: Path) -> bool:
    is_text = path.suffix.lower() in ANSWER_SUFFIXES
    return is_text and not (is_test_case(path) or path.name in NOT_BOARDS or NOT_ANSWERS.fullmatch(path.name))


def _folders_in(folder: Path) -> list[str]:
    return [path.name for path in folder.iterdir() if path.is_dir() and not is_hidden(Path(path.name))]


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
    largest = LARGEST_ANSWER + ANSWER_BYTES_PER_CELL * cells
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
