"""`gemhunter check`: grades handed-in answers, of one person or of a class."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import click

from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.options import (
    OutputFile,
    RealNumber,
    complete_board,
    engine_option,
    format_option,
    options_as,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import print_table
from gemhunter.cli.progress import Progress
from gemhunter.compare.grades import (
    class_page,
    class_rows,
    remark_rows,
    students_csv,
    summary_text,
    violations_csv,
)
from gemhunter.errors import InputError
from gemhunter.files.access import source_name, write_atomically
from gemhunter.files.answers.cases import files_below, look_into_class, name_case, read_answer
from gemhunter.files.answers.sections import read_sections
from gemhunter.files.dialects import Zero
from gemhunter.files.folders import is_folder, look_into
from gemhunter.files.tables import csv_rows
from gemhunter.printable import counted, json_text
from gemhunter.questions.grade import (
    MISSING,
    AnswerVerdict,
    CaseBoard,
    ClaimBudget,
    ClassGrades,
    Grade,
    Grader,
    StudentGrades,
    grade_class,
    grade_program,
)
from gemhunter.records.boards import class_record, verdict_record
from gemhunter.work.programs import BoardProgram, command_words, unescaped

# `gemhunter check TESTS CLASS`: grades the answers of a class to a folder of test cases.


MOST_CASE_COLUMNS = 8
"""Test cases that a table on the screen has columns for; with more, each student has a line of points."""


@dataclass(frozen=True, slots=True)
class ClassFiles:
    """The files to write about a class, each None unless it was asked for."""

    table: Path | None
    violations: Path | None
    page: Path | None


def check_class(
    tests: str,
    folder: str,
    new_grader: Callable[[Path], Grader],
    *,
    program: BoardProgram | None,
    files: ClassFiles,
    form: str,
) -> int:
    """Grade all students, print a table and a summary line, and write the files that were asked for.

    `new_grader` reads the board of a test case. With a `program`, the answers are what it gives in the folder
    of each student.
    """
    if not is_folder(folder):
        raise click.UsageError("a class is a folder, with a folder or a file for each student")
    boards = _read_boards(tests, new_grader)
    skipped = 0
    if program is None:
        handed = look_into_class(Path(folder), [board.name for board in boards])
        names, skipped = list(handed.students), len(handed.skipped)
        graded = grade_class(boards, handed)
    else:
        own = {
            each.name: each
            for each in sorted(Path(folder).iterdir())
            if each.is_dir() and each.name[0] != "."
        }
        if not own:
            raise InputError(f"{folder} has no folders; --run expects a folder for each student")
        names = list(own)
        graded = (
            grade_program(boards, name, replace(program, folder=each), boards[0].grader.time_limit)
            for name, each in own.items()
        )
    students: list[StudentGrades] = []
    progress = Progress(len(names))
    try:
        for name in names:
            progress.begin(name)
            students.append(next(graded))
        progress.clear()
    finally:
        grades = ClassGrades(tuple(boards), tuple(students), skipped)
        if students:
            _write(grades, files, f"Grades of {Path(folder).resolve().name}")
            _print(grades, form)
    return _class_exit_code(grades)


def _read_boards(tests: str, new_grader: Callable[[Path], Grader]) -> list[CaseBoard]:
    """The test cases; those with equal boards share a grader, so that a claim about both is verified once."""
    folder = Path(tests) if is_folder(tests) else Path(tests).parent
    found = look_into(folder) if is_folder(tests) else None
    if found is not None:
        found.require_whole()
    paths = [Path(tests)] if found is None else [*found.cases, *found.files]
    graders: dict[object, Grader] = {}
    boards = []
    for path in paths:
        made = new_grader(path)
        grader = graders.setdefault((made.grid, made.total), made)
        boards.append(CaseBoard(name_case(path, folder, (made.grid.rows, made.grid.cols)), grader))
    return boards


def _print(grades: ClassGrades, form: str) -> None:
    if form == "json":
        click.echo(json_text(class_record(grades), indent=2))
        return
    headings, *rows = class_rows(grades)
    if len(grades.boards) > MOST_CASE_COLUMNS:
        headings, *rows = [[row[0], row[-1]] for row in (headings, *rows)]
    print_table(headings, rows)
    headings, *rows = remark_rows(grades)
    if rows:
        click.echo()
        print_table(headings, rows)
        click.echo()
    click.echo(summary_text(grades))
    skipped = grades.skipped + sum(len(student.passed_over) for student in grades.students)
    if skipped:
        note(f"skipped {counted(skipped, 'file that is not an answer', 'files that are not answers')}")


def _write(grades: ClassGrades, files: ClassFiles, title: str) -> None:
    if files.table is not None:
        write_output(files.table, students_csv(grades), "a row for each student")
    if files.violations is not None:
        write_output(files.violations, violations_csv(grades), "a row for each violation")
    if files.page is not None:
        write_output(files.page, class_page(grades, title), "the report")


def _class_exit_code(grades: ClassGrades) -> int:
    """The exit code: unreadable before wrong or missing, and those before unverified."""
    if grades.marks[Grade.UNREADABLE] or any(student.unmatched for student in grades.students):
        return BAD_INPUT
    if grades.marks[Grade.WRONG] or grades.marks[Grade.NO_ANSWER] or grades.marks[MISSING]:
        return NO_SOLUTION
    return GAVE_UP if grades.marks[Grade.UNVERIFIED] else SOLVED


# `gemhunter check`: grades handed-in answers.


MARK_EXIT_CODES = {Grade.WRONG: NO_SOLUTION, Grade.UNVERIFIED: GAVE_UP, Grade.UNREADABLE: BAD_INPUT}
SUBMISSION_COLUMNS = ("submission", "section", "mark", "reasons", "first reason")


@dataclass(frozen=True, slots=True)
class CheckOptions:
    """The options of `gemhunter check`."""

    total: int | None
    engine: str
    time_limit: float | None
    total_limit: float
    zero: Zero
    table: Path | None
    violations: Path | None
    page: Path | None
    run: str | None
    stdin: str
    place: str
    answer: str
    form: str

    @property
    def program(self) -> BoardProgram | None:
        """The program that each student has handed in, if programs are to be run."""
        if self.run is None:
            if self.stdin or self.place or self.answer:
                raise click.UsageError("--stdin, --place and --answer say how to use a program; give --run")
            return None
        words = command_words(self.run, "python3 {student}/main.py {board}", prefix="")
        return BoardProgram(self.run, words, unescaped(self.stdin), self.place, self.answer, is_copied=True)

    @property
    def reading(self) -> BoardReading:
        """How boards are read."""
        return BoardReading(self.zero, self.total)


@dataclass(frozen=True, slots=True)
class GradedSection:
    """One section of one submission, with its verdict."""

    submission: str
    section: str
    verdict: AnswerVerdict

    def row(self) -> list[str]:
        """A line of the table."""
        reasons = self.verdict.reasons
        first = reasons[0] if reasons else ""
        return [self.submission, self.section, self.verdict.mark, str(len(reasons)), first]


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("answers", nargs=-1, required=True, metavar="ANSWER...")
@traps_option
@engine_option("Engine that verifies the claim `no solution`.")
@seconds_option("Time for verifying one such claim, and for each call of a program.", default=60.0)
@click.option(
    "--total-limit",
    type=RealNumber(min=0, min_open=True),
    metavar="SECONDS",
    default=600.0,
    show_default=True,
    help="Time for verifying all such claims together.",
)
@zero_option
@click.option(
    "--csv",
    "table",
    type=OutputFile(),
    metavar="FILE",
    help="Write the table to FILE; for a class, a row for each student.",
)
@click.option(
    "--violations",
    type=OutputFile(),
    metavar="FILE",
    help="A class: write every violation to FILE, as CSV.",
)
@click.option(
    "--html",
    "page",
    type=OutputFile(),
    metavar="FILE",
    help="A class: write a report to FILE, with a page to hand back to each student.",
)
@click.option(
    "--run",
    metavar="COMMAND",
    help="A class: run the program in each student's folder, such as 'python3 {student}/main.py {board}'.",
)
@click.option("--stdin", metavar="TEXT", default="", help=r"What the program reads, such as '1\n2\n'.")
@click.option("--place", metavar="FILE", default="", help="Where in its folder the program finds the board.")
@click.option("--answer", metavar="FILE", default="", help="Where in its folder it writes the answer.")
@format_option
@quiet_option
@options_as(CheckOptions)
def check(board: str, answers: tuple[str, ...], options: CheckOptions) -> int:
    """Grade filled-in answers, those of one person or of a class.

    An answer has the size of the board, leaves its clues untouched, fills every unknown cell and makes
    every clue hold. ANSWER is a file with one grid or several labelled sections, or a folder of
    submissions, which gives a table. `No solution` is verified with an engine, once for each board. What may
    have been misread is marked `unreadable`, never `wrong`; empty files are `no answer`.

    If BOARD is a folder of test cases, ANSWER is the folder of a class, with a folder or a file for each
    student. Answers are matched to boards by the names of folders, by numbers, by clues and by sizes.

    With --run, the program of each student is run in a copy of its folder, and what it prints is graded. This
    runs code that students wrote, with your rights: it can read and write your files.

    Returns 0 if all answers are right, 1 if one is wrong or missing, 2 if one cannot be read, 3 if a claim
    could not be verified in time.

    \b
    Examples:
      gemhunter check board.txt answer.txt
      gemhunter check board.txt submissions/ --csv marks.csv
      gemhunter check testcases/ class/ --csv marks.csv --violations violations.csv --html report.html
      gemhunter check testcases/ class/ --run "python3 {student}/main.py {board}" --time-limit 10
    """
    program = options.program
    if not (is_folder(board) or options.violations or options.page or program):
        return _check_answers(board, answers, options)
    if len(answers) > 1:
        raise click.UsageError("a class is one folder, with a folder or a file for each student")
    if is_folder(board) and options.total is not None:
        raise click.UsageError("--traps takes one board; a board file can give its own total")
    files = ClassFiles(options.table, options.violations, options.page)
    budget = ClaimBudget(options.total_limit)

    def new_grader(path: Path) -> Grader:
        return _grader(path, options, budget)

    return check_class(board, answers[0], new_grader, program=program, files=files, form=options.form)


def _grader(board: str | Path, options: CheckOptions, budget: ClaimBudget) -> Grader:
    """A grader of answers to the board in a file."""
    position = options.reading.read_and_warn(board)
    return Grader(position.grid, position.total, options.engine, options.time_limit, budget)


def _check_answers(board: str, answers: tuple[str, ...], options: CheckOptions) -> int:
    """Grade files and folders of answers to one board."""
    grader = _grader(board, options, ClaimBudget(options.total_limit))
    graded: list[GradedSection] = []
    try:
        graded.extend(_grade_all(grader, answers))
    finally:
        if options.table is not None and graded:
            rows = [SUBMISSION_COLUMNS, *(item.row() for item in graded)]
            write_atomically(options.table, csv_rows(rows))
        if graded or options.form == "json":
            _print_graded(graded, options.form, folder=any(map(is_folder, answers)))
    return _exit_code(graded)


def _print_graded(graded: list[GradedSection], form: str, *, folder: bool) -> None:
    """A table for a folder of submissions, every reason for single files, or JSON."""
    if form == "json":
        records = [verdict_record(item.submission, item.section, item.verdict) for item in graded]
        click.echo(json_text(records, indent=2))
    elif folder:
        print_table(SUBMISSION_COLUMNS, [item.row() for item in graded])
    else:
        _print_reasons(graded)


def _exit_code(graded: list[GradedSection]) -> int:
    """The exit code: unreadable before wrong, wrong before unverified.

    Every submission needs a right answer.
    """
    marks = {item.verdict.mark for item in graded}
    for mark in (Grade.UNREADABLE, Grade.WRONG, Grade.UNVERIFIED):
        if mark in marks:
            return MARK_EXIT_CODES[mark]
    right = {item.submission for item in graded if item.verdict.mark is Grade.RIGHT}
    return SOLVED if all(item.submission in right for item in graded) else NO_SOLUTION


def _grade_all(grader: Grader, answers: tuple[str, ...]) -> Iterator[GradedSection]:
    """Every section of every answer file, graded; folders stand for all files in them."""
    files = [file for answer in answers for file in _files_of(answer)]
    progress = Progress(len(files))
    for file, fault in files:
        name = source_name(file)
        progress.begin(name)
        graded = [GradedSection(name, label, verdict) for label, verdict in _grade_file(grader, file, fault)]
        progress.clear()
        yield from graded


def _grade_file(grader: Grader, file: str, fault: str) -> Iterator[tuple[str, AnswerVerdict]]:
    """The verdict on each section; a file that cannot be read gets one verdict, `unreadable`."""
    name = source_name(file)
    try:
        if fault:
            raise InputError(f"{name}: {fault}")
        sections = read_sections(read_answer(file, grader.grid.cells.size), grader.grid, source=name)
    except InputError as error:
        yield "", AnswerVerdict(Grade.UNREADABLE, tuple(str(error).splitlines()))
        return
    for section in sections:
        yield section.label, grader.grade(section.answer)


def _files_of(answer: str) -> list[tuple[str, str]]:
    """The file itself, or all files in a folder and below; each with the reason if it cannot be opened."""
    if not is_folder(answer):
        return [(answer, "")]
    files = files_below(Path(answer))
    if not files:
        raise InputError(f"no submissions in {answer}")
    return [(str(each.path), each.fault) for each in files]


def _print_reasons(graded: list[GradedSection]) -> None:
    """One line per section, and one for each thing wrong with it."""
    for item in graded:
        label = f" [{item.section}]" if item.section else ""
        colour = {Grade.RIGHT: "green", Grade.NO_ANSWER: "yellow"}.get(item.verdict.mark, "red")
        click.echo(f"{item.submission}{label}: {click.style(item.verdict.mark, fg=colour)}")
        for reason in item.verdict.reasons:
            click.echo(f"  {reason}")
