"""The question "how did the class do?": all files, graded test case by test case."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from gemhunter.core.grid import Grid
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.formats.answers.cases import CaseAnswer, CaseName, Cases, answers_by_case, named_case
from gemhunter.formats.answers.class_folder import HandedFile, HandedIn, read_answer
from gemhunter.formats.answers.sections import AnswerSection
from gemhunter.formats.files import source_name
from gemhunter.queries.grade import AnswerVerdict, Grade, Grader

MISSING = "missing"
"""What a test case is marked with if nothing was handed in for it."""

WORST_FIRST = (Grade.UNREADABLE, Grade.WRONG, Grade.UNVERIFIED, Grade.RIGHT, Grade.NO_ANSWER)


@dataclass(frozen=True, slots=True)
class CaseBoard:
    """A test case: its name, and the grader of answers to its board."""

    name: CaseName
    grader: Grader


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer in a file, with its verdict and the filled grid if it has one.

    `case` is the index of its test case, None if it is not known; `label` says which solver it comes from.
    """

    file: str
    case: int | None
    label: str
    verdict: AnswerVerdict
    filled: Grid | None = None


@dataclass(frozen=True, slots=True)
class CaseGrade:
    """All that a student handed in for one test case."""

    answers: tuple[GradedAnswer, ...]

    @property
    def points(self) -> Fraction:
        """Of one point, the share of right answers among those given; giving up does not count."""
        given = [each.verdict.mark for each in self.answers if each.verdict.mark is not Grade.NO_ANSWER]
        return Fraction(given.count(Grade.RIGHT), len(given)) if given else Fraction(0)

    @property
    def mark(self) -> str:
        """The mark that needs attention first; a right answer outweighs a section that gave up."""
        marks = {each.verdict.mark for each in self.answers}
        return next((mark.value for mark in WORST_FIRST if mark in marks), MISSING)


@dataclass(frozen=True)
class StudentGrades:
    """A student's grades in the order of the test cases, and answers to none of them."""

    student: str
    cases: tuple[CaseGrade, ...]
    unmatched: tuple[GradedAnswer, ...]

    @cached_property
    def points(self) -> Fraction:
        """Of as many points as there are test cases."""
        return sum((case.points for case in self.cases), Fraction(0))

    @property
    def answers(self) -> list[GradedAnswer]:
        """Everything that was graded."""
        return [*(answer for case in self.cases for answer in case.answers), *self.unmatched]


@dataclass(frozen=True)
class ClassGrades:
    """The grades of a whole class; `skipped` counts files that cannot be answers."""

    boards: tuple[CaseBoard, ...]
    students: tuple[StudentGrades, ...]
    skipped: int

    @cached_property
    def marks(self) -> Counter[str]:
        """How often each mark was given, over students and test cases."""
        return Counter(case.mark for student in self.students for case in student.cases)


def grade_student(boards: Sequence[CaseBoard], student: str, files: Sequence[HandedFile]) -> StudentGrades:
    """Everything that one student handed in."""
    graded = [answer for file in files for answer in _grade_file(boards, file)]
    by_case = [tuple(each for each in graded if each.case == case) for case in range(len(boards))]
    unmatched = tuple(each for each in graded if each.case is None)
    return StudentGrades(student, tuple(map(CaseGrade, by_case)), unmatched)


def grade_class(boards: Sequence[CaseBoard], handed: HandedIn) -> Iterator[StudentGrades]:
    """The grades of each student, one after the other."""
    for student in handed.students:
        own = [file for file in handed.files if file.student == student]
        yield grade_student(boards, student, own)


def _grade_file(boards: Sequence[CaseBoard], file: HandedFile) -> Iterator[GradedAnswer]:
    """Every answer in a file; a file that cannot be read counts as an answer to the case in its name."""
    cases = Cases(tuple(each.grader.grid for each in boards), tuple(each.name for each in boards))
    named = named_case(file.names, cases.names)
    try:
        if file.fault:
            raise InputError(f"{file.shown_as}: {file.fault}")
        text = read_answer(file.path, sum(grid.cells.size for grid in cases.grids))
        found = answers_by_case(text, cases, named, source=file.shown_as)
    except InputError as error:
        found = [CaseAnswer(named, AnswerSection("", _as_board_error(error, file)))]
    for each in found:
        answer = each.section.answer
        grader = boards[each.case or 0].grader
        filled = answer if isinstance(answer, Grid) else None
        yield GradedAnswer(file.shown_as, each.case, each.section.label, grader.grade(answer), filled)


def _as_board_error(error: InputError, file: HandedFile) -> BoardError:
    if isinstance(error, BoardError):
        return error
    reason = str(error).removeprefix(f"{source_name(file.path)}: ").removeprefix(f"{file.shown_as}: ")
    return BoardError([Fault(0, 0, reason)], file.shown_as)
