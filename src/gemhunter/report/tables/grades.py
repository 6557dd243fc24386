"""The grades of a class as tables: for the screen, and as CSV for spreadsheets."""

import re
from fractions import Fraction

from gemhunter.core.plurals import counted
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.queries.grade import Grade
from gemhunter.queries.grade_class import MISSING, CaseGrade, ClassGrades, StudentGrades

CASE_MARKS = (*(mark.value for mark in Grade), MISSING)

VIOLATION_COLUMNS = ("student", "test case", "file", "section", "mark", "cell", "reason")

_REASON_CELL = re.compile(r"r\d+c\d+(?= )")


def points_text(points: Fraction) -> str:
    """Points with up to two decimals."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def summary_text(grades: ClassGrades) -> str:
    """How the class did, in one line."""
    students, cases = len(grades.students), len(grades.boards)
    tally = ", ".join(f"{grades.marks[mark]} {mark}" for mark in CASE_MARKS if grades.marks[mark])
    mean = sum((each.points for each in grades.students), Fraction(0)) / students
    unmatched = sum(len(student.unmatched) for student in grades.students)
    loose = f"; {counted(unmatched, 'answer')} to no test case" * (unmatched > 0)
    return (
        f"{counted(students, 'student')}, {counted(cases, 'test case')}: {tally}{loose}; "
        f"{points_text(mean)} of {counted(cases, 'point')} on average"
    )


def class_rows(grades: ClassGrades) -> list[list[str]]:
    """A heading and a row per student: the mark of each test case, and the points."""
    headings = ["student", *(board.name.name for board in grades.boards), "points"]
    return [
        headings,
        *([each.student, *map(mark_text, each.cases), points_of(each)] for each in grades.students),
    ]


def remark_rows(grades: ClassGrades) -> list[list[str]]:
    """A heading and a row per answer about which there is something to say: its first reason or its note."""
    rows = [["student", "test case", "file", "mark", "reason"]]
    for student in grades.students:
        for answer in student.answers:
            if not answer.remarks:
                continue
            case = "unknown" if answer.case is None else grades.boards[answer.case].name.name
            first, *others = (reason_text(remark, answer.file) for remark in answer.remarks)
            reason = f"{first}; and {len(others)} more" if others else first
            file = f"{answer.file} [{answer.label}]" if answer.label else answer.file
            rows.append([student.student, case, file, answer.verdict.mark, reason])
    return rows


def reason_text(reason: str, file: str) -> str:
    """A reason without the name of the file, which stands beside it."""
    words = reason.removeprefix(f"{file}: ")
    if place := re.match(re.escape(file) + r":(\d+)(?::(\d+))?: ", words):
        words = f"line {place[1]}{f', column {place[2]}' if place[2] else ''}: {words[place.end() :]}"
    return words


def mark_text(case: CaseGrade) -> str:
    """The mark of a test case, with its points where some answers are right and some are not."""
    partly = 0 < case.points < 1
    return f"{case.mark} ({points_text(case.points)})" if partly else case.mark


def points_of(student: StudentGrades) -> str:
    """A student's points, and out of how many."""
    return f"{points_text(student.points)}/{len(student.cases)}"


def students_csv(grades: ClassGrades) -> str:
    """A row per student: points for each test case and in all, and how often each mark was given."""
    names = [board.name.name for board in grades.boards]
    rows: list[list[object]] = [["student", *names, "points", "of", *CASE_MARKS, "unmatched answers"]]
    for student in grades.students:
        marks = [case.mark for case in student.cases]
        points = [points_text(case.points) for case in student.cases]
        total = [points_text(student.points), len(names)]
        numbers = [marks.count(mark) for mark in CASE_MARKS]
        rows.append([student.student, *points, *total, *numbers, len(student.unmatched)])
    return csv_rows(rows)


def violations_csv(grades: ClassGrades) -> str:
    """A row for each thing that is wrong with an answer, and for each note about one."""
    rows: list[list[object]] = [[*VIOLATION_COLUMNS]]
    for student in grades.students:
        for answer in student.answers:
            case = "" if answer.case is None else grades.boards[answer.case].name.name
            for reason in answer.remarks:
                cell = _REASON_CELL.match(reason)
                place = [student.student, case, answer.file, answer.label, answer.verdict.mark.value]
                rows.append([*place, cell[0] if cell else "", reason])
    return csv_rows(rows)
