"""Records of verdicts and of the grades of a class."""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:  # a record of one kind loads nothing of the others
    from gemhunter.grading.classes import ClassGrades, StudentGrades
    from gemhunter.grading.verdicts import AnswerVerdict


def verdict_record(submission: str, section: str, verdict: "AnswerVerdict") -> dict[str, Any]:
    """The verdict on one section of a submission."""
    return {
        "submission": submission,
        "section": section,
        "mark": verdict.mark.value,
        "reasons": list(verdict.reasons),
    }


def class_record(grades: "ClassGrades") -> dict[str, Any]:
    """The test cases, every student's marks, points and answers, and how often each mark was given."""
    return {
        "cases": [
            {"name": board.case.name, "rows": board.grader.grid.rows, "cols": board.grader.grid.cols}
            for board in grades.boards
        ],
        "students": [_student_record(grades, student) for student in grades.students],
        "marks": dict(grades.marks),
    }


def _student_record(grades: "ClassGrades", student: "StudentGrades") -> dict[str, Any]:
    answers = [
        {
            "case": None if answer.case is None else grades.boards[answer.case].case.name,
            "file": answer.file,
            "section": answer.label,
            "mark": answer.verdict.mark.value,
            "reasons": list(answer.verdict.reasons),
            "note": answer.note or None,
        }
        for answer in student.answers
    ]
    return {
        "student": student.student,
        "marks": [case.mark for case in student.cases],
        "points": [round(float(case.points), 4) for case in student.cases],
        "answers": answers,
        "passed_over": list(student.passed_over),
    }
