"""The grades of a class: tables, CSV, and a page with a part to hand back to each student."""

import re
from fractions import Fraction
from html import escape
from pathlib import Path

from gemhunter.draw.page import CELL_PIXELS, COLUMNS_WITH_SIGNS, grid_svg, style_sheet
from gemhunter.files.text_tables import csv_rows
from gemhunter.grading.classes import MISSING, CaseGrade, ClassGrades, GradedAnswer, StudentGrades
from gemhunter.grading.verdicts import Grade
from gemhunter.printable import printable_lines
from gemhunter.wording import counted

# The grades of a class as tables: for the screen, and as CSV for spreadsheets.


CASE_MARKS = (*(mark.value for mark in Grade), MISSING)


def points_text(points: Fraction) -> str:
    """Points with up to two decimals."""
    return f"{float(points):.2f}".rstrip("0").rstrip(".")


def summary_text(grades: ClassGrades) -> str:
    """How the class did, in one line."""
    students, cases = len(grades.students), len(grades.boards)
    tally = ", ".join(f"{grades.marks[mark]} {mark}" for mark in CASE_MARKS if grades.marks[mark])
    mean = sum((student.points for student in grades.students), Fraction(0)) / students
    unmatched = sum(len(student.unmatched) for student in grades.students)
    loose = f"; {counted(unmatched, 'answer')} to none of the test cases" * (unmatched > 0)
    return (
        f"{counted(students, 'student')}, {counted(cases, 'test case')}: {tally}{loose}; "
        f"{points_text(mean)} of {counted(cases, 'point')} on average"
    )


def class_rows(grades: ClassGrades) -> list[list[str]]:
    """A heading and a row per student: the mark of each test case, and the points."""
    headings = ["student", *(board.case.name for board in grades.boards), "points"]
    students = ([one.student, *map(mark_text, one.cases), points_of(one)] for one in grades.students)
    return [headings, *students]


def remark_rows(grades: ClassGrades) -> list[list[str]]:
    """A heading and a row per answer that has remarks: the first one, and the number of others."""
    rows = [["student", "test case", "file", "mark", "reason"]]
    for student in grades.students:
        for answer in student.answers:
            if not answer.remarks:
                continue
            case = "unknown" if answer.case is None else grades.boards[answer.case].case.name
            first, *others = (reason_text(remark, answer.file) for remark in answer.remarks)
            reason = f"{first}; and {len(others)} more" if others else first
            file = f"{answer.file} [{answer.label}]" if answer.label else answer.file
            rows.append([student.student, case, file, answer.verdict.mark, reason])
    return rows


def reason_text(reason: str, file: str) -> str:
    """A reason without the name of the file, which is shown next to it."""
    words = reason.removeprefix(f"{file}: ")
    if place := re.match(re.escape(file) + r":(\d+)(?::(\d+))?: ", words):
        words = f"line {place[1]}{f', column {place[2]}' if place[2] else ''}: {words[place.end() :]}"
    return words


def mark_text(case: CaseGrade) -> str:
    """The mark of a test case, with its points if they are a fraction."""
    partly = 0 < case.points < 1
    return f"{case.mark} ({points_text(case.points)})" if partly else case.mark


def points_of(student: StudentGrades) -> str:
    """A student's points out of the possible ones, such as `3.5/6`."""
    return f"{points_text(student.points)}/{len(student.cases)}"


def students_csv(grades: ClassGrades) -> str:
    """A row per student: the points for each test case and in total, and the number of each mark."""
    names = [board.case.name for board in grades.boards]
    rows: list[list[object]] = [["student", *names, "points", "of", *CASE_MARKS, "unmatched answers"]]
    for student in grades.students:
        marks = [case.mark for case in student.cases]
        points = [points_text(case.points) for case in student.cases]
        total = [points_text(student.points), len(names)]
        numbers = [marks.count(mark) for mark in CASE_MARKS]
        rows.append([student.student, *points, *total, *numbers, len(student.unmatched)])
    return csv_rows(rows)


def violations_csv(grades: ClassGrades) -> str:
    """A row for each reason against an answer, and for each note about one."""
    rows: list[list[object]] = [["student", "test case", "file", "section", "mark", "cell", "reason"]]
    for student in grades.students:
        for answer in student.answers:
            case = "" if answer.case is None else grades.boards[answer.case].case.name
            for reason in answer.remarks:
                cell = re.match(r"r\d+c\d+(?= )", reason)
                place = [student.student, case, answer.file, answer.label, answer.verdict.mark.value]
                rows.append([*place, cell[0] if cell else "", reason])
    return csv_rows(rows)


# The grades of a class as one HTML file: an overview, and a page to hand back to each student.


MARK_SIGNS = {Grade.RIGHT: "✓", Grade.WRONG: "✗", Grade.UNREADABLE: "?", Grade.UNVERIFIED: "?", MISSING: "–"}

EXPLAINED = {
    Grade.RIGHT: "the answer is right",
    Grade.WRONG: "the answer breaks a rule",
    Grade.NO_ANSWER: "the program gave up, or nothing was filled in",
    Grade.UNREADABLE: "what was handed in could not be read with certainty",
    Grade.UNVERIFIED: "a claim could not be checked in time",
    MISSING: "nothing was handed in",
}


def class_page(grades: ClassGrades, title: str) -> str:
    """The grades of a class as a complete HTML file."""
    rules = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    students = "\n".join(_student(grades, student, place) for place, student in enumerate(grades.students, 1))
    return printable_lines(
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(title)}</title>\n<style>\n{style_sheet()}\n{rules}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{escape(title)}</h1>\n"
        f'<p class="subtitle">{escape(summary_text(grades))}</p>\n</header>\n'
        f"<main>\n{_overview(grades)}\n{students}\n</main>\n</body>\n</html>\n"
    )


def _overview(grades: ClassGrades) -> str:
    """All marks at a glance, with a link to each student's page."""
    names = "".join(f'<th scope="col" class="mark">{escape(b.case.name)}</th>' for b in grades.boards)
    head = f'<tr><th scope="col">student</th>{names}<th scope="col" class="number">points</th></tr>'
    rows = "\n".join(
        f'<tr><th scope="row"><a href="#student-{place}">{escape(each.student)}</a></th>'
        f'{"".join(map(_mark_cell, each.cases))}<td class="number">{points_of(each)}</td></tr>'
        for place, each in enumerate(grades.students, 1)
    )
    right = [
        sum(each.cases[place].mark == Grade.RIGHT for each in grades.students)
        for place in range(len(grades.boards))
    ]
    foot = "".join(f'<td class="mark">{count}/{len(grades.students)}</td>' for count in right)
    legend = " · ".join(
        f'<span class="{_kind(mark)}">{MARK_SIGNS.get(mark, "·")} {mark}</span>: {EXPLAINED[mark]}'
        for mark in EXPLAINED
        if grades.marks[mark]
    )
    return (
        '<section class="overview" aria-label="All marks">\n'
        '<div class="scroll" tabindex="0" role="region" aria-label="All marks"><table>\n'
        f"<thead>{head}</thead>\n<tbody>\n{rows}\n</tbody>\n"
        f'<tfoot><tr><th scope="row">right</th>{foot}<td></td></tr></tfoot></table></div>\n'
        f'<p class="legend">{legend}.</p>\n</section>'
    )


def _mark_cell(case: CaseGrade) -> str:
    text = mark_text(case)
    sign = MARK_SIGNS.get(case.mark, "·")
    partly = points_text(case.points) if 0 < case.points < 1 else ""
    return f'<td class="mark {_kind(case.mark)}" title="{escape(text)}">{sign} {partly}<i>{text}</i></td>'


def _kind(mark: str) -> str:
    """The CSS class of a mark."""
    return mark.replace(" ", "-")


def _student(grades: ClassGrades, student: StudentGrades, place: int) -> str:
    """A student's page, which says nothing about others."""
    cases = "\n".join(_case(grades, student, number) for number in range(len(grades.boards)))
    loose = ""
    if student.unmatched:
        answers = "".join(_answer(answer, None) for answer in student.unmatched)
        loose = f"<h3>Answers to unknown test cases</h3>\n{answers}"
    if student.passed_over:
        names = ", ".join(f"<code>{escape(name)}</code>" for name in student.passed_over)
        loose += f'<p class="legend">No answer was found in {names}.</p>\n'
    return (
        f'<section class="student" id="student-{place}" aria-labelledby="name-{place}">\n'
        f'<h2 id="name-{place}">{escape(student.student)}<span class="points">{points_of(student)}'
        f"{' point' if len(student.cases) == 1 else ' points'}</span></h2>\n{cases}\n{loose}</section>"
    )


def _case(grades: ClassGrades, student: StudentGrades, number: int) -> str:
    case, board = student.cases[number], grades.boards[number]
    size = f"{board.grader.grid.rows}×{board.grader.grid.cols}"
    heading = (
        f'<h3><span class="badge {_kind(case.mark)}">{MARK_SIGNS.get(case.mark, "·")} {case.mark}</span> '
        f"{escape(board.case.name)} <small>{size}, {points_text(case.points)} of 1 point</small></h3>"
    )
    none = "No answer clearly belongs to this test case; see below."
    none = none if case.has_loose else "Nothing was handed in."
    answers = "".join(_answer(answer, number) for answer in case.answers) or f"<p>{none}</p>"
    return f'<div class="case">{heading}\n{answers}</div>'


def _answer(answer: GradedAnswer, case: int | None) -> str:
    """The file of the answer, its mark, the reasons, and the grid if it is wrong."""
    mark = answer.verdict.mark
    label = f" · {escape(answer.label)}" if answer.label else ""
    reasons = [escape(reason_text(reason, answer.file)) for reason in answer.remarks]
    # Words in backticks are code.
    items = [re.sub(r"`([^`]+)`", r"<code>\1</code>", reason) for reason in reasons[:8]]
    items += [f"and {len(reasons) - 8} more"] if len(reasons) > 8 else []
    listed = f"<ul>{''.join(f'<li>{item}</li>' for item in items)}</ul>" if items else ""
    mark_html = f'<b class="{_kind(mark)}">{mark}</b>'
    line = f'<p class="from"><code>{escape(answer.file)}</code>{label}: {mark_html}</p>'
    picture = _picture(answer) if mark is Grade.WRONG and case is not None else ""
    return f'<div class="answer">{line}{listed}{picture}</div>'


def _picture(answer: GradedAnswer) -> str:
    """The filled grid with a frame around each cell that a reason names."""
    if answer.filled is None or answer.filled.cols > COLUMNS_WITH_SIGNS:
        return ""
    named = (re.match(r"r(\d+)c(\d+) ", reason) for reason in answer.verdict.reasons)
    cells = {(int(cell[1]) - 1, int(cell[2]) - 1) for cell in named if cell}
    side = f'width="{CELL_PIXELS - 2}" height="{CELL_PIXELS - 2}"'
    frames = "".join(
        f'<rect class="named" x="{col * CELL_PIXELS + 1}" y="{row * CELL_PIXELS + 1}" {side}/>'
        for row, col in sorted(cells)
    )
    return grid_svg(answer.filled, f"the answer of {answer.file}").replace("</svg>", f"{frames}</svg>")
