"""The folder of a class: who handed in which files."""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.answer_files import FoundFile, files_below, is_hidden
from gemhunter.formats.board_folders import NOT_BOARDS, is_test_case, natural_order
from gemhunter.formats.case_names import CaseName, is_generic, last_number, named_case
from gemhunter.printable import printable

ANSWER_SUFFIXES = frozenset(
    {"", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".out", ".log", ".md", ".ans", ".sol"}
)
NOT_ANSWERS = re.compile(r"(?:readme|requirements|licen[cs]e|makefile|dockerfile)\b.*", re.IGNORECASE)

_WITH_NUMBER = re.compile(r"(?P<student>.+?)[\s_.-]+(?:[a-z]+[\s_.-]*)?0*(?P<number>\d+)", re.IGNORECASE)


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
