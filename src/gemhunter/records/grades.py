"""Grades of handed-in answers, as plain data."""

from typing import Any

from gemhunter.queries.grade import AnswerVerdict
from gemhunter.queries.grade_class import ClassGrades, StudentGrades


def verdict_record(submission: str, section: str, verdict: AnswerVerdict) -> dict[str, Any]:
    """The verdict on one section of a submission."""
    return {
        "submission": submission,
        "section": section,
        "mark": verdict.mark.value,
        "reasons": list(verdict.reasons),
    }


def class_record(grades: ClassGrades) -> dict[str, Any]:
    """The test cases, every student's marks, points and answers, and how often each mark was given."""
    return {
        "cases": [
            {"name": board.name.name, "rows": board.grader.grid.rows, "cols": board.grader.grid.cols}
            for board in grades.boards
        ],
        "students": [_student_record(grades, student) for student in grades.students],
        "marks": dict(grades.marks),
    }


def _student_record(grades: ClassGrades, student: StudentGrades) -> dict[str, Any]:
    answers = [
        {
            "case": None if answer.case is None else grades.boards[answer.case].name.name,
            "file": answer.file,
            "section": answer.label,
            "mark": answer.verdict.mark.value,
            "reasons": list(answer.verdict.reasons),
            "note": answer.note or None,
        }
        for answer in student.answers
    ]
    points = [round(float(case.points), 4) for case in student.cases]
    marks = [case.mark for case in student.cases]
    return {
        "student": student.student,
        "marks": marks,
        "points": points,
        "answers": answers,
        "passed_over": list(student.passed_over),
    }
