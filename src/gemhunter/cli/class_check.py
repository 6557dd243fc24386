"""`gemhunter check TESTS CLASS`: grades the answers of a class to a folder of test cases."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.board_files import is_folder
from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import note, write_output
from gemhunter.cli.progress import Progress
from gemhunter.cli.screen import print_table
from gemhunter.core.plurals import counted
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from gemhunter.formats.dialects import Zero
    from gemhunter.queries.grade_class import CaseBoard, ClassGrades, StudentGrades

MOST_COLUMNS = 8
"""Test cases that a table on the screen has columns for; with more, each student has a line of points."""


def check_class(
    tests: str, folder: str, *, files: dict[str, Path | None], form: str, zero: "Zero", **how: Any
) -> int:
    """Grade all students, print a table and a summary line, and write the files that were asked for."""
    from gemhunter.formats.answers.class_folder import look_into_class
    from gemhunter.queries.grade_class import ClassGrades, grade_class

    if not is_folder(folder):
        raise click.UsageError("a class is a folder, with a folder or a file for each student")
    boards = _read_boards(tests, zero, how)
    handed = look_into_class(Path(folder), [board.name for board in boards])
    students: list[StudentGrades] = []
    progress = Progress(len(handed.students))
    graded = grade_class(boards, handed)
    try:
        for name in handed.students:
            progress.begin(name)
            students.append(next(graded))
        progress.clear()
    finally:
        grades = ClassGrades(tuple(boards), tuple(students), len(handed.skipped))
        if students:
            _write(grades, files, f"Grades of {Path(folder).resolve().name}")
            _print(grades, form)
    return _exit_code(grades)


def _read_boards(tests: str, zero: "Zero", how: dict[str, Any]) -> "list[CaseBoard]":
    """The test cases; those with equal boards share a grader, so that a claim about both is verified once."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.formats.answers.cases import name_case
    from gemhunter.formats.board_folders import look_into
    from gemhunter.queries.grade import ClaimBudget, Grader
    from gemhunter.queries.grade_class import CaseBoard

    folder = Path(tests) if is_folder(tests) else Path(tests).parent
    found = look_into(folder) if is_folder(tests) else None
    if found is not None:
        found.require_whole()
    paths = [Path(tests)] if found is None else [*found.cases, *found.files]
    graders: dict[Any, Grader] = {}
    asked = {name: how[name] for name in ("engine", "time_limit")}
    asked["budget"] = ClaimBudget(how["total_limit"])
    boards = []
    for path in paths:
        position = read_and_warn(path, zero, how.get("total"))
        key = position.grid, position.total
        grader = graders.setdefault(key, Grader(position.grid, total=position.total, **asked))
        boards.append(CaseBoard(name_case(path, folder, (position.grid.rows, position.grid.cols)), grader))
    return boards


def _print(grades: "ClassGrades", form: str) -> None:
    from gemhunter.report.tables.grades import class_rows, summary_text

    if form == "json":
        click.echo(json_text(_record(grades), indent=2))
        return
    headings, *rows = class_rows(grades)
    if len(grades.boards) > MOST_COLUMNS:
        headings, *rows = [[row[0], row[-1]] for row in (headings, *rows)]
    print_table(headings, rows)
    click.echo(summary_text(grades))
    if grades.skipped:
        files = counted(grades.skipped, "file that is not an answer", "files that are not answers")
        note(f"skipped {files}")


def _write(grades: "ClassGrades", files: dict[str, Path | None], title: str) -> None:
    from gemhunter.report.tables.grades import students_csv, violations_csv

    if (table := files["csv"]) is not None:
        write_output(table, students_csv(grades), "a row for each student")
    if (violations := files["violations"]) is not None:
        write_output(violations, violations_csv(grades), "a row for each violation")
    if (page := files["html"]) is not None:
        from gemhunter.report.pages.class_page import class_page

        write_output(page, class_page(grades, title), "the report")


def _record(grades: "ClassGrades") -> dict[str, Any]:
    """The grades for programs."""
    return {
        "cases": [
            {"name": board.name.name, "rows": board.grader.grid.rows, "cols": board.grader.grid.cols}
            for board in grades.boards
        ],
        "students": [_student_record(grades, student) for student in grades.students],
        "marks": dict(grades.marks),
    }


def _student_record(grades: "ClassGrades", student: "StudentGrades") -> dict[str, Any]:
    answers = [
        {
            "case": None if answer.case is None else grades.boards[answer.case].name.name,
            "file": answer.file,
            "section": answer.label,
            "mark": answer.verdict.mark.value,
            "reasons": list(answer.verdict.reasons),
        }
        for answer in student.answers
    ]
    points = [round(float(case.points), 4) for case in student.cases]
    marks = [case.mark for case in student.cases]
    return {"student": student.student, "marks": marks, "points": points, "answers": answers}


def _exit_code(grades: "ClassGrades") -> int:
    """Unreadable counts before wrong or missing, and that before unverified."""
    from gemhunter.queries.grade import Grade
    from gemhunter.queries.grade_class import MISSING

    if grades.marks[Grade.UNREADABLE] or any(student.unmatched for student in grades.students):
        return BAD_INPUT
    if grades.marks[Grade.WRONG] or grades.marks[Grade.NO_ANSWER] or grades.marks[MISSING]:
        return NO_SOLUTION
    return GAVE_UP if grades.marks[Grade.UNVERIFIED] else SOLVED
