"""Test cases: which one a folder, a file or a heading names, and the answers to each in one file."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.answers.claims import Claim
from gemhunter.formats.answers.lines import json_answers
from gemhunter.formats.answers.rows import readings
from gemhunter.formats.answers.sections import AnswerSection, read_sections, require_few
from gemhunter.formats.board_folders import is_test_case
from gemhunter.formats.dialects import normal_lines

LONGEST_NAME = 300
"""Characters of a line or a name that are searched for a test case."""

_TEST = r"(?:test[\s_-]*cases?|tests?|cases?)"
_FILE = r"(?:boards?|inputs?|outputs?|puzzles?)"
_CASE_HEADING = re.compile(
    rf"(?<![^\W_])(?:{_TEST}[\s_#:.-]*(?:no\.?\s*)?|{_FILE}[\s_#.-]*)0*\d+(?!\d|\s*[x×*]\s*\d)", re.IGNORECASE
)
_CASE_SIZE = re.compile(r"(?<!\d)(\d+)\s*[x×*]\s*(\d+)(?!\d)")
_GENERIC = re.compile(
    rf"(?:{_TEST}|{_FILE}|out|results?|res|answers?|ans|solutions?|sol|kq)?[\s_.-]*", re.IGNORECASE
)


NO_CASE = "no test case is named here; name the file or a heading after it, such as testcase_1"


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
    if found := _CASE_HEADING.search(line):
        return named_case([found[0]], cases)
    if found := _CASE_SIZE.search(line):
        size = int(found[1]), int(found[2])
        fitting = [place for place, case in enumerate(cases) if case.size == size]
        return fitting[0] if len(fitting) == 1 else None
    return None


def _plain(name: str) -> str:
    """A name without signs and leading zeros, so that `testcase_01` is `TestCase 1`."""
    return re.sub(r"0+(?=\d)", "", re.sub(r"[\W_]+", "", name.casefold()))


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """A section, and the place of its test case among all; None if that could not be found out."""

    case: int | None
    section: AnswerSection


@dataclass(frozen=True, slots=True)
class Cases:
    """The boards of all test cases, with their names."""

    grids: tuple[Grid, ...]
    names: tuple[CaseName, ...]


def answers_by_case(text: str, cases: Cases, named: int | None, *, source: str) -> list[CaseAnswer]:
    """All answers in a text; `named` is the case that the name of the file speaks of.

    A heading above an answer is believed first, then the name of the file, then which board shows the same
    clues, then which one has the same size. A file in which nothing can be an answer gives an empty list,
    unless its name promises one.
    """
    parts = _parts(text, cases.names)
    if len({case for case, _ in parts}) > (0 if named is None else 1):
        require_few(parts, source)
        return [CaseAnswer(case, found) for case, part in parts for found in _read(part, cases, case, source)]
    whole = _WholeText(text, cases, source)
    if named is None:
        by_clues = _by_clues(whole)
        return by_clues + _by_size(whole, by_clues) or _without_case(whole)
    own = whole.read(named)
    if any(_is_sure(found, cases.grids[named]) for found in own):
        return [CaseAnswer(named, found) for found in own]
    return _by_clues(whole) or [CaseAnswer(named, found) for found in own]


def shows_clues(grid: Grid, given: Grid) -> bool:
    """Whether a grid has the size of a board, and shows whatever that shows."""
    if grid.cells.shape != given.cells.shape:
        return False
    return bool(((given.cells == HIDDEN) | (grid.cells == given.cells)).all())


def _parts(text: str, names: Sequence[CaseName]) -> list[tuple[int, str]]:
    """The text below each heading that names a test case; a line with cells is not a heading."""
    if json_answers(text) is not None:
        return []
    parts: list[tuple[int, list[str]]] = []
    for line in normal_lines(text).split("\n"):
        is_row = any(readings(line, cols) for cols in {name.size[1] for name in names})
        case = None if is_row else case_of_heading(line, names)
        if case is not None and (not parts or parts[-1][0] != case):
            parts.append((case, []))
        if parts:
            parts[-1][1].append(line if case is None else _without_name(line))
    return [(case, "\n".join(lines)) for case, lines in parts]


def _without_name(line: str) -> str:
    """What a heading says besides the name of the case: `Testcase 1: no solution` makes a claim."""
    return line.partition(":")[2]


@dataclass(slots=True)
class _WholeText:
    """A file without headings that name test cases, read for each of them at most once."""

    text: str
    cases: Cases
    source: str
    _found: dict[int, list[AnswerSection]] = field(default_factory=dict, init=False)

    def read(self, case: int) -> list[AnswerSection]:
        """All answers in the text if they are about this case."""
        if case not in self._found:
            self._found[case] = _read(self.text, self.cases, case, self.source)
        return self._found[case]


def _read(text: str, cases: Cases, case: int, source: str) -> list[AnswerSection]:
    try:
        return read_sections(text, cases.grids[case], source=source)
    except BoardError as error:
        return [AnswerSection("", error)]


def _is_sure(section: AnswerSection, given: Grid) -> bool:
    """Whether a section is an answer to this board beyond doubt, right or wrong."""
    match section.answer:
        case Grid() as grid:
            return shows_clues(grid, given)
        case Claim():
            return True
        case BoardError():
            return False


def _by_clues(whole: _WholeText) -> list[CaseAnswer]:
    """Filled grids, each with the board whose clues it shows."""
    return [
        CaseAnswer(case, found)
        for case, given in enumerate(whole.cases.grids)
        for found in whole.read(case)
        if isinstance(found.answer, Grid) and shows_clues(found.answer, given)
    ]


def _by_size(whole: _WholeText, known: list[CaseAnswer]) -> list[CaseAnswer]:
    """Filled grids other than the known ones, each with the only board of its size."""
    grids = [each.section.answer for each in known]
    sizes = [name.size for name in whole.cases.names]
    return [
        CaseAnswer(case, found)
        for case, size in enumerate(sizes)
        if sizes.count(size) == 1
        for found in whole.read(case)
        if isinstance(found.answer, Grid) and found.answer.cells.shape == size and found.answer not in grids
    ]


def _without_case(whole: _WholeText) -> list[CaseAnswer]:
    """Claims and broken grids in a file that names no test case; with a single one, they are about that."""
    read = [(case, whole.read(case)) for case in range(len(whole.cases.grids))]
    if len(read) == 1:
        return [CaseAnswer(0, each) for each in read[0][1]]
    is_answer = any(
        isinstance(each.answer, Claim | Grid) or _has_cells(each) for _, own in read for each in own
    )
    fault = BoardError([Fault(0, 0, NO_CASE)], whole.source)
    return [CaseAnswer(None, AnswerSection("", fault))] if is_answer else []


def _has_cells(section: AnswerSection) -> bool:
    """Whether a section that cannot be read has rows all the same."""
    return isinstance(section.answer, BoardError) and any(fault.line for fault in section.answer.faults)
