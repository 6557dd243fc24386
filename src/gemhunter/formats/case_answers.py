"""The answers in one file of a student, each with the test case that it answers."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault
from gemhunter.formats.answer_cells import readings
from gemhunter.formats.answer_json import json_answers
from gemhunter.formats.case_names import CaseName, case_of_heading
from gemhunter.formats.claims import Claim
from gemhunter.formats.rows import normal_lines
from gemhunter.formats.sections import AnswerSection, read_sections, require_few

NO_CASE = "no test case is named here; name the file or a heading after it, such as testcase_1"


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """A section, and the place of its test case among all; None if that could not be found out."""

    case: int | None
    section: AnswerSection


@dataclass(frozen=True, slots=True)
class Cases:
    """The boards of all test cases, with their names."""

    boards: tuple[Grid, ...]
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
    if any(_is_sure(found, cases.boards[named]) for found in own):
        return [CaseAnswer(named, found) for found in own]
    return _by_clues(whole) or [CaseAnswer(named, found) for found in own]


def shows_clues(grid: Grid, board: Grid) -> bool:
    """Whether a grid has the size of a board, and shows whatever that shows."""
    if grid.cells.shape != board.cells.shape:
        return False
    return bool(((board.cells == HIDDEN) | (grid.cells == board.cells)).all())


def _parts(text: str, names: Sequence[CaseName]) -> list[tuple[int, str]]:
    """The text below each heading that names a test case; lines with cells are no headings."""
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
        return read_sections(text, cases.boards[case], source=source)
    except BoardError as error:
        return [AnswerSection("", error)]


def _is_sure(section: AnswerSection, board: Grid) -> bool:
    """Whether a section is an answer to this board beyond doubt, right or wrong."""
    match section.answer:
        case Grid() as grid:
            return shows_clues(grid, board)
        case Claim():
            return True
        case BoardError():
            return False


def _by_clues(whole: _WholeText) -> list[CaseAnswer]:
    """Filled grids, each with the board whose clues it shows."""
    return [
        CaseAnswer(case, found)
        for case, board in enumerate(whole.cases.boards)
        for found in whole.read(case)
        if isinstance(found.answer, Grid) and shows_clues(found.answer, board)
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
    read = [(case, whole.read(case)) for case in range(len(whole.cases.boards))]
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
