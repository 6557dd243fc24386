"""`gemhunter check`: grades handed-in answers."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.check_class import ClassFiles, check_class
from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import OutputFile, RealNumber, options_as
from gemhunter.cli.options import (
    complete_board,
    engine_option,
    format_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.cli.screen import print_table
from gemhunter.errors import InputError
from gemhunter.formats.answers.class_folder import files_below, read_answer
from gemhunter.formats.answers.sections import read_sections
from gemhunter.formats.board_files import is_folder
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import source_name, write_atomically
from gemhunter.printable import json_text
from gemhunter.queries.grade import AnswerVerdict, ClaimBudget, Grade, Grader
from gemhunter.records.grades import verdict_record
from gemhunter.work.board_program import BoardProgram, unescaped
from gemhunter.work.command_words import command_words

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
