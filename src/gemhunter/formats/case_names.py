"""Test cases by name: which one a folder, a file or a heading speaks of."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.formats.board_folders import is_test_case

LONGEST_NAME = 300
"""Characters of a line or a name that are searched for a test case."""

_TEST = r"(?:test[\s_-]*cases?|tests?|cases?)"
_FILE = r"(?:boards?|inputs?|outputs?|puzzles?)"
_HEADING = re.compile(
    rf"(?<![^\W_])(?:{_TEST}[\s_#:.-]*(?:no\.?\s*)?|{_FILE}[\s_#.-]*)0*\d+(?!\d|\s*[x×*]\s*\d)", re.IGNORECASE
)
_SIZE = re.compile(r"(?<!\d)(\d+)\s*[x×*]\s*(\d+)(?!\d)")
_GENERIC = re.compile(
    rf"(?:{_TEST}|{_FILE}|out|results?|res|answers?|ans|solutions?|sol|kq)?[\s_.-]*", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class CaseName:
    """What a test case is called, its number if it has one, and the other names it goes by."""

    name: str
    number: int | None
    aliases: frozenset[str]
    size: tuple[int, int]


def name_case(board: Path, folder: Path, size: tuple[int, int]) -> CaseName:
    """The name of a board in a folder of test cases: that of its own folder, or of its file."""
    inside = board.parent != folder
    name = board.parent.name if inside else board.stem
    number = last_number(board.stem) if is_test_case(board) else None
    aliases = {_plain(name), _plain(board.stem)}
    return CaseName(name, last_number(name) if number is None else number, frozenset(aliases), size)


def last_number(text: str) -> int | None:
    """The last whole number in a name."""
    found = re.findall(r"\d+", text)
    return int(found[-1]) if found else None


def is_generic(name: str) -> bool:
    """Whether a name says no more than that there is an answer to a test case, as `output_1` does."""
    return _GENERIC.fullmatch(re.sub(r"\d+$", "", name)) is not None


def named_case(names: Iterable[str], cases: Sequence[CaseName]) -> int | None:
    """The case that names of folders and of a file speak of, the innermost first; None if there is none."""
    for name in names:
        for place, case in enumerate(cases):
            if _plain(name) in case.aliases:
                return place
        number = last_number(name)
        found = [place for place, case in enumerate(cases) if number is not None and case.number == number]
        if len(found) == 1:
            return found[0]
    return None


def case_of_heading(line: str, cases: Sequence[CaseName]) -> int | None:
    """The case that a line announces, by its name, its number or its size."""
    line = line[:LONGEST_NAME]
    if found := _HEADING.search(line):
        return named_case([found[0]], cases)
    if found := _SIZE.search(line):
        size = int(found[1]), int(found[2])
        fitting = [place for place, case in enumerate(cases) if case.size == size]
        return fitting[0] if len(fitting) == 1 else None
    return None


def _plain(name: str) -> str:
    """A name without signs and leading zeros, so that `testcase_01` is `TestCase 1`."""
    return re.sub(r"0+(?=\d)", "", re.sub(r"[\W_]+", "", name.casefold()))
