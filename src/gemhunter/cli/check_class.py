"""`gemhunter check TESTS CLASS`: grades the answers of a class to a folder of test cases."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path

import click

from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import note, write_output
from gemhunter.cli.progress import Progress
from gemhunter.cli.screen import print_table
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.answers.cases import name_case
from gemhunter.formats.answers.class_folder import look_into_class
from gemhunter.formats.board_files import is_folder
from gemhunter.formats.board_folders import look_into
from gemhunter.printable import json_text
from gemhunter.queries.grade import Grade, Grader
from gemhunter.queries.grade_class import (
    MISSING,
    CaseBoard,
    ClassGrades,
    StudentGrades,
    grade_class,
    grade_program,
)
from gemhunter.records.grades import class_record
from gemhunter.report.pages.class_page import class_page
from gemhunter.report.tables.grades import class_rows, remark_rows, students_csv, summary_text, violations_csv
from gemhunter.work.board_program import BoardProgram

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
    return _exit_code(grades)


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


def _exit_code(grades: ClassGrades) -> int:
    """The exit code: unreadable before wrong or missing, and those before unverified."""
    if grades.marks[Grade.UNREADABLE] or any(student.unmatched for student in grades.students):
        return BAD_INPUT
    if grades.marks[Grade.WRONG] or grades.marks[Grade.NO_ANSWER] or grades.marks[MISSING]:
        return NO_SOLUTION
    return GAVE_UP if grades.marks[Grade.UNVERIFIED] else SOLVED
