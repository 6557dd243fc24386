"""Test cases and classes: which case a file, folder or heading names, and the files that students handed in.

An answer whose test case is not certain is assigned to none, but reported: nothing that may be an answer is
ignored. Read `answers_by_case` first; the second half is about the folder of a class.
"""

import os
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NamedTuple

import numpy as np

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.files.access import decode, fault_of, read_bytes, reason_of, source_name
from gemhunter.files.folders import NOT_BOARDS, is_test_case, natural_order
from gemhunter.grading.lines import (
    LEGEND_CELLS,
    AnswerLine,
    Claim,
    answer_lines,
    filled_cells,
    find_claim,
    readings,
)
from gemhunter.grading.sections import (
    BOTH,
    NO_ANSWER_FOUND,
    UNCLEAR,
    AnswerSection,
    read_passages,
    require_few,
    sections_of,
)
from gemhunter.printable import printable

OTHER_CLUES = "this has the size of {}, but not all of its clues; it may be the answer to another board"
DOUBTFUL_CELLS = "these cells cannot be read with certainty; print one row of cells per line"
NO_CASE = "it is not clear which test case {} answers; name the file or heading after it, such as testcase_1"


@dataclass(frozen=True, slots=True)
class Case:
    """A test case: its name, its number if it has one, its other names, and its board."""

    name: str
    number: int | None
    aliases: frozenset[str]
    grid: Grid

    @property
    def size(self) -> tuple[int, ...]:
        """Rows and columns."""
        return self.grid.cells.shape


def name_case(board: Path, folder: Path, grid: Grid) -> Case:
    """The test case of a board in a folder, named after the board's own subfolder, or after its file."""
    name = board.parent.name if board.parent != folder else board.stem
    number = last_number(board.stem) if is_test_case(board) else None
    aliases = frozenset({_plain(name), _plain(board.stem)})
    return Case(name, last_number(name) if number is None else number, aliases, grid)


_TEST = r"(?:test[\s_-]*cases?|tests?|cases?)"
_FILE = r"(?:boards?|inputs?|outputs?|puzzles?)"
_CASE_HEADING = re.compile(
    rf"(?<![^\W_])(?:{_TEST}[\s_#:.-]*(?:no\.?\s*)?|{_FILE}[\s_#.-]*)0*\d+(?!\d|\s*[x×*]\s*\d)", re.IGNORECASE
)
_CASE_SIZE = re.compile(r"(?<!\d)(\d+)\s*[x×*]\s*(\d+)(?!\d)")
_GENERIC = re.compile(
    rf"(?:{_TEST}|{_FILE}|out|results?|res|answers?|ans|solutions?|sol|kq)?[\s_.-]*", re.IGNORECASE
)


def last_number(text: str) -> int | None:
    """The last whole number in a name."""
    found = re.findall(r"\d+", text)
    return int(found[-1]) if found else None


def is_generic(name: str) -> bool:
    """Whether a name, such as `output_1`, only says that there is an answer to a test case."""
    return _GENERIC.fullmatch(re.sub(r"\d+$", "", name)) is not None


def named_case(names: Iterable[str], cases: Sequence[Case]) -> int | None:
    """The case that the names of a file and its folders refer to, the innermost first, or None."""
    for name in names:
        for place, case in enumerate(cases):
            if _plain(name) in case.aliases:
                return place
        number = last_number(name)
        places = [place for place, case in enumerate(cases) if number is not None and case.number == number]
        if len(places) == 1:
            return places[0]
    return None


def _plain(name: str) -> str:
    """A name without signs and leading zeros: `testcase_01` and `TestCase 1` are both `testcase1`."""
    return re.sub(r"0+(?=\d)", "", re.sub(r"[\W_]+", "", name.casefold()))


@dataclass(frozen=True, slots=True)
class CaseAnswer:
    """A section, and the index of its test case, None if that is unclear.

    `note` says that a name refers to another test case than the answer shows.
    """

    case: int | None
    section: AnswerSection
    note: str = ""


def answers_by_case(text: str, cases: Sequence[Case], named: int | None, *, source: str) -> list[CaseAnswer]:
    """All answers in a text; `named` is the case that the name of the file refers to.

    A heading above an answer names its case, or else the name of the file does; but an answer that shows all
    clues of another board belongs to that one. Without a name, the clues decide, then the size, then the
    order. If nothing in a file can be an answer, the list is empty, unless it is known which case it is for.
    """
    reader = _CaseReader(cases, source)
    lines = answer_lines(text)
    expected = 0 if len(cases) == 1 else named
    if not any(line.text.strip() or line.fault for line in lines):
        named_cases = range(len(cases)) if expected is None else [expected]
        return [CaseAnswer(case, AnswerSection("", Claim.EMPTY)) for case in named_cases]
    parts = _parts(lines, cases)
    headed = {case for case, _ in parts if case is not None}
    if headed <= {expected}:
        return reader.read(lines, expected, "its file is named after")
    if expected is not None and len(headed) == 1:
        # The file and its only heading name different cases, so only the clues count.
        return [reader.noted(each, expected, "its file is named after") for each in reader.read(lines, None)]
    found = [reader.read(below, case, "its heading names") for case, below in parts]
    require_few(found, source)
    # A case can be named again, for example in a list of times at the end.
    answered = {each.case for own in found for each in own if not _is_nothing(each)}
    return [each for own in found for each in own if not (_is_nothing(each) and each.case in answered)]


def shows_clues(grid: Grid, given: Grid) -> bool:
    """Whether a grid has the size of a board, all that the board shows, and no other clues."""
    if grid.cells.shape != given.cells.shape:
        return False
    return bool(np.where(given.cells == HIDDEN, grid.cells < 0, grid.cells == given.cells).all())


def _parts(lines: Sequence[AnswerLine], cases: Sequence[Case]) -> list[tuple[int | None, list[AnswerLine]]]:
    """The lines below each heading, and the case that it names; None above the first, or if it is unknown."""
    parts: list[tuple[int | None, list[AnswerLine]]] = [(None, [])]
    headings = _headings(lines, cases)
    for place, line in enumerate(lines):
        heading = headings.get(place)
        if heading is not None and (heading.case is None or heading.case != parts[-1][0]):
            parts.append((heading.case, []))
        parts[-1][1].append(line if heading is None else replace(line, text=heading.rest, is_whole=False))
    return parts


class _Heading(NamedTuple):
    """The case that a line announces, None if there is no such case, and the rest of the line."""

    case: int | None
    kind: str
    rest: str


def _headings(lines: Sequence[AnswerLine], cases: Sequence[Case]) -> dict[int, _Heading]:
    """The headings of test cases by line: lines without cells that have a name or, if none has, a size."""
    widths = {case.grid.cols for case in cases}
    others = [
        (place, line.text[:300])  # the rest of a longer line is ignored
        for place, line in enumerate(lines)
        if not any(readings(line.text, cols) for cols in widths)
    ]
    by_name: dict[int, _Heading] = {}
    for place, line in others:
        if found := _CASE_HEADING.search(line):
            kind = re.sub(r"[\W\d_]", "", found[0].casefold())
            by_name[place] = _Heading(named_case([found[0]], cases), kind, _rest(found))
    kinds = {heading.kind for heading in by_name.values() if heading.case is not None}
    if kinds:
        return {place: heading for place, heading in by_name.items() if heading.kind in kinds}
    by_size: dict[int, _Heading] = {}
    for place, line in others:
        if found := _CASE_SIZE.search(line):
            size = int(found[1]), int(found[2])
            if fitting := [number for number, case in enumerate(cases) if case.size == size]:
                by_size[place] = _Heading(fitting[0] if len(fitting) == 1 else None, "", _rest(found))
    return by_size


def _rest(name: re.Match[str]) -> str:
    """The rest of a heading without the name of the case: `Testcase 1: no solution` makes a claim."""
    before, after = name.string[: name.start()], re.sub(r"^\.\w+", "", name.string[name.end() :])
    if find_claim(before + after) is not None:
        return before + after
    return after.partition(":")[2]


@dataclass(frozen=True, slots=True)
class _FoundAnswer:
    """An answer in a text, or a copy of the board, and the cases that it can belong to."""

    section: AnswerSection
    cases: tuple[int, ...] = ()

    @property
    def start(self) -> int:
        return self.section.lines.start


@dataclass(frozen=True, slots=True)
class _CaseReader:
    """Reads lines of a file for all test cases."""

    cases: Sequence[Case]
    source: str

    def read(self, lines: Sequence[AnswerLine], expected: int | None, by: str = "") -> list[CaseAnswer]:
        """All answers in these lines, which should belong to the `expected` case; `by` says why."""
        if expected is None:
            return self._spread(lines, None)
        given = self.cases[expected].grid
        try:
            own = sections_of(lines, given, source=self.source)
        except BoardError as error:
            own = [AnswerSection("", error)]
        # A grid with the clues of this board, right or wrong, certainly belongs to it, and so does a claim.
        is_sure = (
            shows_clues(section.answer, given)
            if isinstance(section.answer, Grid)
            else isinstance(section.answer, Claim)
            for section in own
        )
        if not all(is_sure):
            spread = self._spread(lines, expected)
            if any(each.case not in (None, expected) for each in spread):
                return [self.noted(each, expected, by) for each in spread]
        return [CaseAnswer(expected, section) for section in own]

    def noted(self, answer: CaseAnswer, expected: int, by: str) -> CaseAnswer:
        """The answer, with a note if it does not belong to the expected case."""
        if answer.case in (None, expected):
            return answer
        own, other = self.cases[answer.case].name, self.cases[expected].name
        return replace(answer, note=f"graded as an answer to {own}, though {by} {other}")

    def _spread(self, lines: Sequence[AnswerLine], expected: int | None) -> list[CaseAnswer]:
        """Answers to several cases, each with the case that its clues, its size or its place determine."""
        answers, decided = self._find(lines, expected, claims_apart=True)
        if None in decided:
            answers, decided = self._find(lines, expected, claims_apart=False)
        require_few(answers, self.source)
        return [
            CaseAnswer(case, each.section if case is not None else self._without_case(each.section, lines))
            for each, case in zip(answers, decided, strict=True)
        ]

    def _without_case(self, section: AnswerSection, lines: Sequence[AnswerLine]) -> AnswerSection:
        """An answer that a person has to judge."""
        said = f"`{section.answer}`" if isinstance(section.answer, Claim) else "this"
        reason = BOTH if _is_fault(section, BOTH) else NO_CASE.format(said)
        return AnswerSection(section.label, self._error(lines[section.lines.start], reason))

    def _error(self, line: AnswerLine, reason: str) -> BoardError:
        return BoardError([Fault(line.number, 0, reason)], self.source)

    def _find(
        self, lines: Sequence[AnswerLine], expected: int | None, *, claims_apart: bool
    ) -> tuple[list[_FoundAnswer], list[int | None]]:
        """Everything that can be an answer, in order, and the case of each, None if it is unclear."""
        sections = [
            (number, section)
            for number, case in enumerate(self.cases)
            for section in read_passages(lines, case.grid, source=self.source, claims_apart=claims_apart)
        ]
        taken: set[int] = set()
        # Copies of a board come first, so that no other case mistakes one for an answer.
        boards = _distinct([each for each in sections if each[1].answer is Claim.UNFILLED], taken)
        # Then grids that show all clues of a case, readable or not.
        grids = [(number, section, section.grid) for number, section in sections if section.grid is not None]
        with_clues = [number for number, case in enumerate(self.cases) if (case.grid.cells >= 0).any()]
        shown = [
            (number, section)
            for number, section, grid in grids
            if number in with_clues and shows_clues(grid, self.cases[number].grid)
        ]
        answers = []
        for each in _distinct(shown, taken):
            # A claim right above a grid may be the answer to another board, so they stay together.
            if _is_fault(each.section, BOTH):
                answers.append(replace(each, cases=()))
            else:
                answers.append(replace(each, cases=(expected,)) if expected in each.cases else each)
        # If only its size makes a grid an answer to a board, a person has to judge it.
        all_sizes = [case.size for case in self.cases]
        if expected is None:
            sized = [
                (number, section)
                for number, section, grid in grids
                if grid.cells.shape == all_sizes[number] and all_sizes.count(all_sizes[number]) == 1
            ]
            for each in _distinct(sized, taken):
                reason = OTHER_CLUES.format(self.cases[each.cases[0]].name)
                error = self._error(lines[each.start], reason)
                answers.append(replace(each, section=replace(each.section, answer=error)))
        claims = _distinct([each for each in sections if isinstance(each[1].answer, Claim)], taken)
        answers += [replace(claim, cases=()) for claim in claims]
        # The rest are cells that no reading explains, perhaps all in one word, and doubtful claims.
        sizes = {case.grid.cells.size for case in self.cases}
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
        decided = _by_order(answers, boards, len(self.cases))
        unfilled = [] if None in decided else [board for board in boards if not {*decided} & {*board.cases}]
        return [*answers, *unfilled], [*decided, *(board.cases[0] for board in unfilled)]


def _distinct(sections: Iterable[tuple[int, AnswerSection]], taken: set[int]) -> list[_FoundAnswer]:
    """Sections in lines not yet in `taken`, which are added to it; each with all cases it was read for."""
    found: dict[tuple[range, Grid | None], _FoundAnswer] = {}
    for case, section in sections:
        before = found.get((section.lines, section.grid))
        cases = (*before.cases, case) if before else (case,)
        found[section.lines, section.grid] = _FoundAnswer(section, cases)

    def longest_first(each: _FoundAnswer) -> tuple[int, int, int]:
        # A row of a large grid can look like a small grid.
        cells = 0 if each.section.grid is None else each.section.grid.cells.size
        return -len(each.section.lines), -cells, each.start

    kept = []
    for each in sorted(found.values(), key=longest_first):
        if taken.isdisjoint(each.section.lines):
            taken.update(each.section.lines)
            kept.append(each)
    return kept


def _by_order(answers: list[_FoundAnswer], boards: list[_FoundAnswer], count: int) -> list[int | None]:
    """The case of each answer; if its cells do not determine it, the board above it does, or its place."""
    known = [each.cases for each in answers]
    if boards:
        known = _by_boards(answers, boards)
    elif len(answers) == count and any(known) and all(not own or n in own for n, own in enumerate(known)):
        # As many answers as boards, in their order. Different claims might still be in another order.
        claims = {str(each.section.answer) for each in answers if not each.cases}
        if len(claims) <= 1:
            return [*range(count)]
    # Equal boards get one each of the answers that fit them.
    decided: list[int | None] = []
    for own in known:
        decided.append(next((case for case in own if case not in decided), own[0] if own else None))
    return decided


def _by_boards(answers: list[_FoundAnswer], boards: list[_FoundAnswer]) -> list[tuple[int, ...]]:
    """The cases of each answer, given that each board may be printed right above the answers to it."""
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
    """The first place, and the place after the last, of each run of places without a gap."""
    known = {*places}
    starts = [place for place in places if place - 1 not in known]
    ends = [place + 1 for place in places if place + 1 not in known]
    return zip(starts, ends, strict=True)


def _is_nothing(answer: CaseAnswer) -> bool:
    """Whether there is only a heading, and no answer below it."""
    return answer.section.answer is Claim.EMPTY or _is_fault(answer.section, NO_ANSWER_FOUND)


def _is_fault(section: AnswerSection, message: str) -> bool:
    """Whether this is a reason why a section cannot be read."""
    faults = section.answer.faults if isinstance(section.answer, BoardError) else ()
    return any(fault.message.startswith(message) for fault in faults)


# The folder of a class: the files of each student.
#
# The folder comes from others and can contain anything. Pipes and devices are never opened, links to folders
# are not followed, and no more is read of a file than an answer can need.


FILE_LIMIT = 20_000
"""Files in a folder of submissions. A whole disk, named by mistake, is refused before it is read."""


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
    """All files of a class, all students, and the files that cannot be answers."""

    files: tuple[HandedFile, ...]
    students: tuple[str, ...]
    skipped: tuple[Path, ...]


def look_into_class(folder: Path, cases: Sequence[Case]) -> HandedIn:
    """The files of a class: a folder or a file for each student, or a folder for each test case.

    A folder with the answers of one student is a class of one. Raises `InputError` if nothing was handed in.
    """
    found = files_below(folder)
    candidates = [(path, fault) for path, fault in found if path.is_dir() or _can_be_answer(path)]
    kept = {path for path, _ in candidates}
    folders = [path.name for path in folder.iterdir() if path.is_dir() and not is_hidden(Path(path.name))]
    are_cases = (is_generic(name) and named_case([name], cases) is not None for name in folders)
    is_by_case = bool(folders) and all(are_cases)
    shared = _shared_names([path.stem for path in kept if path.parent == folder], cases)
    own = folder.resolve().name
    files = []
    for path, fault in candidates:
        inside = path.relative_to(folder)
        inner = inside.with_suffix("").parts
        names: tuple[str, ...] = ()
        if path.is_dir():
            student = inside.parts[0]
        elif len(inner) == 1:
            student = own if _is_output_name(inner[0], cases) else shared.get(inner[0], inner[0])
            names = inner if student != inner[0] else ()
        elif is_by_case:
            student, names = own if _is_output_name(inner[-1], cases) else inner[-1], (inner[0],)
        else:
            student, names = inner[0], tuple(reversed(inner[1:]))
        files.append(HandedFile(student, path, printable(inside.as_posix()), names, fault))
    # A student whose folder has no answers counts as well.
    students = {file.student for file in files} | (set() if is_by_case else set(folders))
    if not students:
        raise InputError(f"no submissions in {folder}; expected a folder or a file for each student")
    by_name = sorted(students, key=lambda name: natural_order(Path(name)))
    return HandedIn(tuple(files), tuple(by_name), tuple(path for path, _ in found if path not in kept))


def _is_output_name(name: str, cases: Sequence[Case]) -> bool:
    """Whether a name is that of an answer, such as `output` or `1`, and not that of a student."""
    return is_generic(name) and (last_number(name) is None or named_case([name], cases) is not None)


def _shared_names(stems: Sequence[str], cases: Sequence[Case]) -> dict[str, str]:
    """The student behind `ann_1` and `ann_2`, if several files differ only in the number of the case."""
    numbers = {case.number for case in cases}
    with_number = re.compile(r"(?P<student>.+?)[\s_.-]+(?:[a-z]+[\s_.-]*)?0*\d+", re.IGNORECASE)
    found = {stem: match["student"] for stem in stems if (match := with_number.fullmatch(stem))}
    found = {stem: name for stem, name in found.items() if last_number(stem) in numbers}
    times = Counter(found.values())
    return {stem: name for stem, name in found.items() if times[name] > 1 and not is_generic(name)}


def _can_be_answer(path: Path) -> bool:
    suffixes = ("", ".txt", ".csv", ".tsv", ".json", ".jsonl", ".out", ".log", ".md", ".ans", ".sol")
    other = re.compile(r"(?:readme|requirements|licen[cs]e|makefile|dockerfile)\b.*", re.IGNORECASE)
    is_text = path.suffix.lower() in suffixes
    return is_text and not (is_test_case(path) or path.name in NOT_BOARDS or other.fullmatch(path.name))


def files_below(folder: Path) -> list[tuple[Path, str]]:
    """All visible files in a folder and its subfolders, and folders that cannot be opened.

    Each comes with the reason why it cannot be opened, or an empty string.
    """
    found: list[tuple[Path, str]] = []
    files = 0

    def denied(error: OSError) -> None:
        found.append((Path(error.filename), reason_of(error)))

    for parent, folders, names in os.walk(folder, onerror=denied):
        folders[:] = [name for name in folders if not is_hidden(Path(name))]
        files += len(names)
        if files > FILE_LIMIT:
            raise InputError(f"{folder} holds more than {FILE_LIMIT:,} files; name the folder of submissions")
        found += [(path, fault_of(path)) for path in (Path(parent, name) for name in names)]
    # Links to folders at lower levels are parts of programs, not submissions.
    links = (path for path in folder.iterdir() if path.is_symlink() and path.is_dir())
    found += [(path, "a link to a folder, which is not followed") for path in links]
    visible = (each for each in found if not is_hidden(each[0].relative_to(folder)))
    return sorted(visible, key=lambda each: natural_order(each[0]))


def is_hidden(path: Path) -> bool:
    """Whether a path within a folder has a part that file managers hide, or that Python creates."""
    return any(part.startswith((".", "__")) for part in path.parts)


def answer_byte_limit(cells: int) -> int:
    """The largest answer for boards of `cells` cells: there can be a grid from each of several solvers."""
    return 2**19 + 100 * cells


def read_answer(path: str | os.PathLike[str], cells: int) -> str:
    """The text of an answer file for boards of at most `cells` cells."""
    content = read_bytes(path, answer_byte_limit(cells), "an answer to this board")
    return decode(content, source_name(path))
