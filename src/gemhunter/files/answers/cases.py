"""Test cases and classes: which case a file, folder or heading names, and who handed in what."""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.files.access import decode, fault_of, read_bytes, reason_of, source_name
from gemhunter.files.answers.rows import (
    LEGEND_CELLS,
    AnswerLine,
    Claim,
    answer_lines,
    filled_cells,
    find_claim,
    readings,
)
from gemhunter.files.answers.sections import (
    BOTH,
    NO_ANSWER_FOUND,
    UNCLEAR,
    AnswerSection,
    read_passages,
    require_few,
    sections_of,
)
from gemhunter.files.folders import NOT_BOARDS, is_test_case, natural_order
from gemhunter.printable import printable

# Test cases: which one a folder, a file or a heading names, and the answers to each in one file.
#
# An answer whose test case is not certain belongs to none, and is reported: nothing that may be an answer
# is passed over.


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


OTHER_CLUES = "this has the size of {}, but not all of its clues; it may be the answer to another board"
DOUBTFUL_CELLS = "these cells cannot be read with certainty; print one row of cells per line"
NO_CASE = "which test case {} is about is not clear; name the file or a heading after it, such as testcase_1"


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


def _plain(name: str) -> str:
    """A name without signs and leading zeros, so that `testcase_01` is `TestCase 1`."""
    return re.sub(r"0+(?=\d)", "", re.sub(r"[\W_]+", "", name.casefold()))


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """A section, and the index of its test case; None if that could not be found out.

    `note` says that a name speaks of another test case than the answer shows.
    """

    case: int | None
    section: AnswerSection
    note: str = ""


@dataclass(frozen=True, slots=True)
class Cases:
    """The boards of all test cases, with their names."""

    grids: tuple[Grid, ...]
    names: tuple[CaseName, ...]


def answers_by_case(text: str, cases: Cases, named: int | None, *, source: str) -> list[CaseAnswer]:
    """All answers in a text; `named` is the case that the name of the file speaks of.

    A heading above an answer names its case, or else the name of the file does; but if an answer shows all
    clues of another board, it is an answer to that one. Without a name, the clues decide, then the size,
    then the order. A file in which nothing can be an answer gives an empty list, unless its name promises
    one.
    """
    reader = _CaseReader(cases, source)
    lines = answer_lines(text)
    expected = 0 if len(cases.grids) == 1 else named
    if not any(line.text.strip() or line.fault for line in lines):
        named_cases = range(len(cases.grids)) if expected is None else [expected]
        return [CaseAnswer(case, AnswerSection("", Claim.EMPTY)) for case in named_cases]
    parts = _parts(lines, cases.names)
    headed = {part.case for part in parts if part.case is not None}
    if headed <= {expected}:
        return reader.read(lines, expected, "its file is named after")
    if expected is not None and len(headed) == 1:
        # The file and its only heading name different cases: only clues are believed.
        return [reader.noted(each, expected, "its file is named after") for each in reader.read(lines, None)]
    found = [reader.read(part.lines, part.case, "its heading names") for part in parts]
    require_few(found, source)
    # A case can be named again, for example in a list of times at the end.
    answered = {each.case for own in found for each in own if not _is_nothing(each)}
    return [each for own in found for each in own if not (_is_nothing(each) and each.case in answered)]


def shows_clues(grid: Grid, given: Grid) -> bool:
    """Whether a grid has the size of a board, and shows whatever that shows and no further clue."""
    if grid.cells.shape != given.cells.shape:
        return False
    return bool(np.where(given.cells == HIDDEN, grid.cells < 0, grid.cells == given.cells).all())


@dataclass(frozen=True, slots=True)
class _Part:
    """The lines below a heading, and the case that it names; None above the first, or for an unknown one."""

    case: int | None
    lines: list[AnswerLine]


def _parts(lines: Sequence[AnswerLine], names: Sequence[CaseName]) -> list[_Part]:
    """The lines below each heading that names a test case; a line with cells is not a heading."""
    parts = [_Part(None, [])]
    headings = _headings(lines, names)
    for place, line in enumerate(lines):
        found = headings.get(place)
        if found is not None and (found.case is None or found.case != parts[-1].case):
            parts.append(_Part(found.case, []))
        parts[-1].lines.append(line if found is None else replace(line, text=found.rest, is_whole=False))
    return parts


@dataclass(frozen=True, slots=True)
class _Heading:
    """The case that a line announces, None if there is no such case, and what else the line says."""

    case: int | None
    kind: str
    rest: str


def _headings(lines: Sequence[AnswerLine], names: Sequence[CaseName]) -> dict[int, _Heading]:
    """The headings of test cases, by their lines: those with names, or else those with sizes."""
    widths = {name.size[1] for name in names}
    others = [
        (place, line.text[:LONGEST_NAME])
        for place, line in enumerate(lines)
        if not any(readings(line.text, cols) for cols in widths)
    ]
    by_name = {
        place: _Heading(
            named_case([found[0]], names), re.sub(r"[\W\d_]", "", found[0].casefold()), _rest(found)
        )
        for place, line in others
        if (found := _CASE_HEADING.search(line))
    }
    kinds = {heading.kind for heading in by_name.values() if heading.case is not None}
    if kinds:
        return {place: heading for place, heading in by_name.items() if heading.kind in kinds}
    by_size: dict[int, _Heading] = {}
    for place, line in others:
        if found := _CASE_SIZE.search(line):
            size = int(found[1]), int(found[2])
            fitting = [case for case, name in enumerate(names) if name.size == size]
            if fitting:
                by_size[place] = _Heading(fitting[0] if len(fitting) == 1 else None, "", _rest(found))
    return by_size


def _rest(name: re.Match[str]) -> str:
    """What a heading says besides the name of the case: `Testcase 1: no solution` makes a claim."""
    before, after = name.string[: name.start()], re.sub(r"^\.\w+", "", name.string[name.end() :])
    if find_claim(before + after) is not None:
        return before + after
    return after.partition(":")[2]


@dataclass(frozen=True, slots=True)
class _FoundAnswer:
    """Something in a text that is an answer, or the board as it was given, and the cases it can be about."""

    section: AnswerSection
    cases: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        """Its first line."""
        return self.section.lines.start

    @property
    def cells(self) -> int:
        """How many cells it has."""
        return 0 if self.section.grid is None else self.section.grid.cells.size


@dataclass(frozen=True, slots=True)
class _CaseReader:
    """Reads lines of a file for all test cases."""

    cases: Cases
    source: str

    def read(self, lines: Sequence[AnswerLine], expected: int | None, by: str = "") -> list[CaseAnswer]:
        """All answers in these lines, which should be about the `expected` case; `by` says why."""
        if expected is None:
            return self._spread(lines, None)
        own = self._own(lines, expected)
        given = self.cases.grids[expected]
        if not all(_is_sure(section, given) for section in own):
            spread = self._spread(lines, expected)
            if any(each.case not in (None, expected) for each in spread):
                return [self.noted(each, expected, by) for each in spread]
        return [CaseAnswer(expected, section) for section in own]

    def noted(self, answer: CaseAnswer, expected: int, by: str) -> CaseAnswer:
        """An answer with a note if it is not about the case that was expected."""
        if answer.case in (None, expected):
            return answer
        own, other = self.cases.names[answer.case].name, self.cases.names[expected].name
        return replace(answer, note=f"graded as an answer to {own}, though {by} {other}")

    def _own(self, lines: Sequence[AnswerLine], case: int) -> list[AnswerSection]:
        """All answers in these lines if they are about this case."""
        try:
            return sections_of(lines, self.cases.grids[case], source=self.source)
        except BoardError as error:
            return [AnswerSection("", error)]

    def _spread(self, lines: Sequence[AnswerLine], expected: int | None) -> list[CaseAnswer]:
        """Answers to several cases, each with the case that its clues, its size or its place decide."""
        answers, decided = self._find(lines, expected, claims_apart=True)
        if None in decided:
            answers, decided = self._find(lines, expected, claims_apart=False)
        require_few(answers, self.source)
        return [
            CaseAnswer(case, each.section) if case is not None else self._without_case(each.section, lines)
            for each, case in zip(answers, decided, strict=True)
        ]

    def _without_case(self, section: AnswerSection, lines: Sequence[AnswerLine]) -> CaseAnswer:
        """An answer that is left to a person."""
        said = f"`{section.answer}`" if isinstance(section.answer, Claim) else "this"
        reason = BOTH if _is_fault(section, BOTH) else NO_CASE.format(said)
        error = self._error(lines[section.lines.start], reason)
        return CaseAnswer(None, AnswerSection(section.label, error))

    def _error(self, line: AnswerLine, reason: str) -> BoardError:
        return BoardError([Fault(line.number, 0, reason)], self.source)

    def _find(
        self, lines: Sequence[AnswerLine], expected: int | None, *, claims_apart: bool
    ) -> tuple[list[_FoundAnswer], list[int | None]]:
        """All that can be an answer, from top to bottom, and the case of each; None if that is not clear."""
        sections = [
            (case, section)
            for case, given in enumerate(self.cases.grids)
            for section in read_passages(lines, given, source=self.source, claims_apart=claims_apart)
        ]
        taken: set[int] = set()
        boards = _distinct([each for each in sections if each[1].answer is Claim.UNFILLED], taken)
        shown = [each for each in sections if self._shows(*each)]
        answers = [
            replace(each, cases=(expected,)) if expected in each.cases else each
            for each in _distinct(shown, taken)
        ]
        # A claim right above a grid may be the answer to another board, so they are left together.
        answers = [replace(each, cases=()) if _is_fault(each.section, BOTH) else each for each in answers]
        if expected is None:
            sized = _distinct([each for each in sections if self._has_size(*each)], taken)
            answers += [self._of_other_clues(each, lines) for each in sized]
        claims = _distinct([each for each in sections if isinstance(each[1].answer, Claim)], taken)
        answers += [replace(claim, cases=()) for claim in claims]
        # What is left are cells that no reading makes sense of, perhaps all in one word, and words in doubt.
        sizes = {grid.cells.size for grid in self.cases.grids}
        texts = [line.text.strip() for line in lines]
        flat = {n for n, text in enumerate(texts) if len(text) in sizes and readings(text, len(text))}
        left = sorted(({place for _, section in sections for place in section.lines} | flat) - taken)
        for start, end in _runs(left):
            cells = max(filled_cells(line.text) for line in lines[start:end])
            is_legend = end - start == 1 and cells <= LEGEND_CELLS
            is_unclear = any(_is_fault(section, UNCLEAR) for _, section in sections if start in section.lines)
            reason = UNCLEAR if is_unclear else lines[start].fault or DOUBTFUL_CELLS
            if (cells and not is_legend) or reason != DOUBTFUL_CELLS:
                error = self._error(lines[start], reason)
                answers.append(_FoundAnswer(AnswerSection("", error, range(start, end))))
        answers.sort(key=lambda each: each.start)
        decided = _by_order(answers, boards, len(self.cases.grids))
        unfilled = [] if None in decided else [board for board in boards if not {*decided} & {*board.cases}]
        return [*answers, *unfilled], [*decided, *(board.cases[0] for board in unfilled)]

    def _shows(self, case: int, section: AnswerSection) -> bool:
        """Whether a section has a grid that shows the clues of a case, readable or not."""
        given = self.cases.grids[case]
        has_clues = bool((given.cells >= 0).any())
        return has_clues and section.grid is not None and shows_clues(section.grid, given)

    def _has_size(self, case: int, section: AnswerSection) -> bool:
        """Whether a section has a grid as large as the board of a case, and no other board is."""
        sizes = [name.size for name in self.cases.names]
        is_only = sizes.count(sizes[case]) == 1
        return is_only and section.grid is not None and section.grid.cells.shape == sizes[case]

    def _of_other_clues(self, found: _FoundAnswer, lines: Sequence[AnswerLine]) -> _FoundAnswer:
        """A grid that only its size makes an answer to a board, for a person to look at."""
        error = self._error(lines[found.start], OTHER_CLUES.format(self.cases.names[found.cases[0]].name))
        return replace(found, section=replace(found.section, answer=error))


def _distinct(sections: Iterable[tuple[int, AnswerSection]], taken: set[int]) -> list[_FoundAnswer]:
    """Sections with all cases that they were read for, in lines that are not taken yet, which they then are.

    The longest come first: a row of a large grid can look like a small grid.
    """
    found: dict[tuple[range, Grid | None], _FoundAnswer] = {}
    for case, section in sections:
        before = found.get((section.lines, section.grid))
        found[section.lines, section.grid] = _FoundAnswer(
            section, (*before.cases, case) if before else (case,)
        )
    kept = []
    for each in sorted(found.values(), key=lambda each: (-len(each.section.lines), -each.cells, each.start)):
        if taken.isdisjoint(each.section.lines):
            taken.update(each.section.lines)
            kept.append(each)
    return kept


def _by_order(answers: list[_FoundAnswer], boards: list[_FoundAnswer], count: int) -> list[int | None]:
    """The case of each answer; where its cells do not decide, the board above it does, or its place."""
    known = [each.cases for each in answers]
    if boards:
        known = _by_boards(answers, boards)
    elif len(answers) == count and any(known) and all(not own or n in own for n, own in enumerate(known)):
        # As many answers as boards, in their order. Different claims might still have changed places.
        claims = {str(each.section.answer) for each in answers if not each.cases}
        if len(claims) <= 1:
            return [*range(count)]
    # Of equal boards, each gets one of the answers that fit them.
    decided: list[int | None] = []
    for own in known:
        decided.append(next((case for case in own if case not in decided), own[0] if own else None))
    return decided


def _by_boards(answers: list[_FoundAnswer], boards: list[_FoundAnswer]) -> list[tuple[int, ...]]:
    """The cases of each answer, if each board is printed above the answers to it and no other."""
    known = [each.cases for each in answers]
    boards = sorted(boards, key=lambda each: each.start)
    below: list[list[int]] = [[] for _ in boards]
    for number, each in enumerate(answers):
        above = sum(board.start < each.start for board in boards)
        if above:
            below[above - 1].append(number)
    pairs = [(board.cases, number) for board, own in zip(boards, below, strict=True) for number in own]
    if all(below) and all(not known[number] or {*known[number]} & {*own} for own, number in pairs):
        for own, number in pairs:
            known[number] = known[number] or own
    return known


def _runs(places: Sequence[int]) -> Iterator[tuple[int, int]]:
    """The first place and the one after the last of all places without a gap."""
    known = {*places}
    starts = [place for place in places if place - 1 not in known]
    ends = [place + 1 for place in places if place + 1 not in known]
    return zip(starts, ends, strict=True)


def _is_sure(section: AnswerSection, given: Grid) -> bool:
    """Whether a section is an answer to this board beyond doubt, right or wrong."""
    if isinstance(section.answer, Grid):
        return shows_clues(section.answer, given)
    return isinstance(section.answer, Claim)


def _is_nothing(answer: CaseAnswer) -> bool:
    """Whether there is only a heading, and no answer below it."""
    return answer.section.answer is Claim.EMPTY or _is_fault(answer.section, NO_ANSWER_FOUND)


def _is_fault(section: AnswerSection, message: str) -> bool:
    """Whether a section cannot be read for this reason."""
    answer = section.answer
    return isinstance(answer, BoardError) and any(
        fault.message.startswith(message) for fault in answer.faults
    )


# The folder of a class: who handed in which files, and their text.
#
# The folder comes from others, and anything can be in it. Pipes and devices are never opened, links to
# folders are not followed, and no more is read of a file than an answer can need.


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
