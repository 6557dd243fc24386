"""How a class did: all files of all students, graded test case by test case."""

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property

from gemhunter.board.grid import Grid
from gemhunter.errors import BoardError, EngineError, Fault, InputError
from gemhunter.files.access import decode, source_name
from gemhunter.grading.cases import (
    Case,
    CaseAnswer,
    HandedFile,
    HandedIn,
    answer_byte_limit,
    answers_by_case,
    named_case,
    read_answer,
)
from gemhunter.grading.lines import Claim
from gemhunter.grading.programs import BoardProgram
from gemhunter.grading.sections import AnswerSection, read_sections
from gemhunter.grading.verdicts import AnswerVerdict, Grade, Grader
from gemhunter.solving.outcomes import StopReason
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import counted

MISSING = "missing"
"""The mark of a test case for which nothing was handed in."""


@dataclass(frozen=True, slots=True)
class CaseBoard:
    """A test case, and the grader of answers to its board."""

    case: Case
    grader: Grader


@dataclass(frozen=True, slots=True)
class GradedAnswer:
    """An answer in a file, with its verdict and the filled grid if it has one.

    `case` is the index of its test case, None if that is not known; `label` says which solver it comes from;
    `note` has what a teacher should know besides the verdict.
    """

    file: str
    case: int | None
    label: str
    verdict: AnswerVerdict
    filled: Grid | None = None
    note: str = ""

    @property
    def remarks(self) -> tuple[str, ...]:
        """The note, if there is one, and the reasons for the mark."""
        return (*filter(None, (self.note,)), *self.verdict.reasons)


@dataclass(frozen=True, slots=True)
class CaseGrade:
    """A student's answers to one test case; `has_loose` if the test cases of other answers are unknown."""

    answers: tuple[GradedAnswer, ...]
    has_loose: bool = False

    @property
    def points(self) -> Fraction:
        """The share of right answers among those given, as a part of one point; giving up does not count."""
        given = [each.verdict.mark for each in self.answers if each.verdict.mark is not Grade.NO_ANSWER]
        return Fraction(given.count(Grade.RIGHT), len(given)) if given else Fraction(0)

    @property
    def mark(self) -> str:
        """The mark that needs attention first; a right answer outweighs a section that gave up.

        Nothing is certain to be missing if an answer to an unknown test case may be the missing one.
        """
        marks = {each.verdict.mark for each in self.answers}
        if_none = Grade.UNREADABLE.value if self.has_loose else MISSING
        worst_first = (Grade.UNREADABLE, Grade.WRONG, Grade.UNVERIFIED, Grade.RIGHT, Grade.NO_ANSWER)
        return next((mark.value for mark in worst_first if mark in marks), if_none)


@dataclass(frozen=True)
class StudentGrades:
    """A student's grades by test case, the answers to unknown ones, and the files without any answers."""

    student: str
    cases: tuple[CaseGrade, ...]
    unmatched: tuple[GradedAnswer, ...]
    passed_over: tuple[str, ...] = ()

    @cached_property
    def points(self) -> Fraction:
        """The points, out of as many as there are test cases."""
        return sum((case.points for case in self.cases), Fraction(0))

    @property
    def answers(self) -> list[GradedAnswer]:
        """Everything that was graded."""
        return [*(answer for case in self.cases for answer in case.answers), *self.unmatched]


@dataclass(frozen=True)
class ClassGrades:
    """The grades of a whole class; `skipped` counts files that are not named like answers."""

    boards: tuple[CaseBoard, ...]
    students: tuple[StudentGrades, ...]
    skipped: int

    @cached_property
    def marks(self) -> Counter[str]:
        """How often each mark was given, over students and test cases."""
        return Counter(case.mark for student in self.students for case in student.cases)


def grade_student(boards: Sequence[CaseBoard], student: str, files: Sequence[HandedFile]) -> StudentGrades:
    """The grades of everything that one student handed in."""
    cases = [board.case for board in boards]
    named = [named_case(file.names, cases) for file in files]
    found = [(file, case, _read_file(cases, file, case)) for file, case in zip(files, named, strict=True)]
    # If files answer other test cases than they are named after, and have not merely been swapped, the names
    # of this student's files prove little: a claim may be about any test case.
    swapped = [(named, each.case) for _, named, own in found for each in own if each.note]
    is_doubtful = {named for named, _ in swapped} != {case for _, case in swapped}
    graded = []
    for file, _, own in found:
        for each in own:
            case, answer = each.case, each.section.answer
            if is_doubtful and answer in (Claim.NO_SOLUTION, Claim.GAVE_UP):
                unclear = (
                    f"it is not clear which test case `{answer}` answers: "
                    "other files of this student are named after other test cases"
                )
                case, answer = None, BoardError([Fault(0, 0, unclear)], file.shown_as)
            filled = answer if isinstance(answer, Grid) else None
            verdict = boards[case or 0].grader.grade(answer)
            graded.append(GradedAnswer(file.shown_as, case, each.section.label, verdict, filled, each.note))
    unmatched = tuple(each for each in graded if each.case is None)
    by_case = [tuple(each for each in graded if each.case == case) for case in range(len(boards))]
    return StudentGrades(
        student,
        tuple(CaseGrade(answers, bool(unmatched)) for answers in by_case),
        unmatched,
        tuple(file.shown_as for file, _, own in found if not own),
    )


def grade_class(boards: Sequence[CaseBoard], handed: HandedIn) -> Iterator[StudentGrades]:
    """The grades of each student, one after the other."""
    for student in handed.students:
        own = [file for file in handed.files if file.student == student]
        yield grade_student(boards, student, own)


def grade_program(
    boards: Sequence[CaseBoard], student: str, program: BoardProgram, seconds: float | None
) -> StudentGrades:
    """The grades of one student's program, which has `seconds` for each board.

    A program that hangs or crashes has no answer to that board.
    """
    graded = (tuple(_graded_run(board, case, program, seconds)) for case, board in enumerate(boards))
    return StudentGrades(student, tuple(map(CaseGrade, graded)), ())


def _graded_run(
    board: CaseBoard, case: int, program: BoardProgram, seconds: float | None
) -> Iterator[GradedAnswer]:
    grid, run, source = board.grader.grid, Run(Limits(seconds)), program.answer or "what it prints"
    failure = ""
    try:
        answer = program.answer_to(str(grid), seconds_left=lambda: run.seconds_left, stop=run.spend)
        if isinstance(answer, StopReason):
            raise EngineError(answer.value)
        content, ended = answer
        failure = ended.failure if ended.code else ""
        if failure and not content.strip():
            raise EngineError(failure)
        if len(content) > (most := answer_byte_limit(grid.cells.size)):
            raise InputError(f"answered with {counted(len(content), 'byte')}; at most {most:,} are read")
        sections = read_sections(decode(content, source), grid, source=source)
    except EngineError as error:
        reason = str(error).removeprefix(f"{program.name}: ")
        yield GradedAnswer(source, case, "", AnswerVerdict(Grade.NO_ANSWER, (reason,)))
    except InputError as error:
        mark = Grade.NO_ANSWER if failure else Grade.UNREADABLE
        yield GradedAnswer(source, case, "", AnswerVerdict(mark, (failure or str(error).splitlines()[0],)))
    else:
        for section in sections:
            filled = section.answer if isinstance(section.answer, Grid) else None
            verdict = board.grader.grade(section.answer)
            yield GradedAnswer(source, case, section.label, verdict, filled, note=failure)


def _read_file(cases: Sequence[Case], file: HandedFile, named: int | None) -> list[CaseAnswer]:
    """Every answer in a file; a file that cannot be read counts as an answer to the case in its name."""
    try:
        if file.fault:
            raise InputError(f"{file.shown_as}: {file.fault}")
        text = read_answer(file.path, sum(case.grid.cells.size for case in cases))
        return answers_by_case(text, cases, named, source=file.shown_as)
    except BoardError as error:
        fault = error
    except InputError as error:
        reason = str(error).removeprefix(f"{source_name(file.path)}: ").removeprefix(f"{file.shown_as}: ")
        fault = BoardError([Fault(0, 0, reason)], file.shown_as)
    return [CaseAnswer(named, AnswerSection("", fault))]
