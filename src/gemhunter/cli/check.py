"""`gemhunter check`: grades handed-in answers, of one person or of a class."""

import shutil
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import click

from gemhunter.cli.declare import argument, command, option
from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED, note
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    TRAPS_OPTION,
    ZERO_OPTION,
    read_board,
    require_one_stdin,
    seconds_option,
)
from gemhunter.cli.output import (
    OutputFile,
    Outputs,
    format_option,
    json_document,
    output_option,
    table_in,
    write_output,
)
from gemhunter.cli.progress import Progress
from gemhunter.errors import InputError
from gemhunter.files.access import source_name
from gemhunter.files.dialects import Zero
from gemhunter.files.folders import is_folder, look_into
from gemhunter.grading.cases import files_below, look_into_class, name_case, read_answer
from gemhunter.grading.classes import (
    MISSING,
    CaseBoard,
    ClassGrades,
    StudentGrades,
    grade_class,
    grade_program,
)
from gemhunter.grading.pages import (
    class_page,
    class_rows,
    remark_rows,
    students_csv,
    summary_text,
    violations_csv,
)
from gemhunter.grading.programs import FOLDER_WORD, BoardProgram, unescaped
from gemhunter.grading.records import class_record, verdict_record
from gemhunter.grading.sections import read_sections
from gemhunter.grading.verdicts import AnswerVerdict, ClaimBudget, Grade, Grader
from gemhunter.wording import counted
from gemhunter.work.command_words import command_words


@command()
def check(
    board: str = BOARD_ARGUMENT,
    answers: tuple[str, ...] = argument(nargs=-1, required=True, metavar="ANSWER..."),
    *,
    outputs: Outputs = output_option(
        json="the verdicts",
        csv="the marks, for a class a row per student",
        html="a report about a class, with a page to hand back to each student",
    ),
    run: str | None = option(
        "--run COMMAND",
        "For a class: run the program in each student's folder, as in 'python3 {student}/main.py {board}'.",
    ),
    stdin: str | None = option("--stdin TEXT", r"The standard input of the program, such as '1\n2\n'."),
    place: str | None = option("--place FILE", "Put the board into this file of the student's folder."),
    answer: str | None = option("--answer FILE", "Read the answer from this file of the student's folder."),
    total: int | None = TRAPS_OPTION,
    form: str = format_option("text", "json"),
    violations: Path | None = option(
        "--violations FILE.csv",
        "For a class: write every violation to FILE.csv.",
        rare=True,
        type=OutputFile({"csv": "violations"}),
    ),
    time_limit: float | None = seconds_option(
        "Time for verifying a claim that there is no solution, and for each call of a program.",
        default=60,
        rare=True,
    ),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Grade filled-in answers, those of one person or of a class.

    \b
    Examples:
      gemhunter check board.txt answer.txt
      gemhunter check board.txt submissions/ -o marks.csv
      gemhunter check testcases/ class/ -o marks.csv -o report.html
      gemhunter check testcases/ class/ --run "python3 {student}/main.py {board}" --time-limit 10

    A right answer has the size of the board, leaves its clues untouched, fills every unknown cell and
    satisfies every clue. ANSWER is a file with one grid or several labelled sections, or a folder of
    submissions, which gives a table. `No solution` is verified with an engine, once for each board, and for
    at most ten minutes in all. A file that may have been misread is marked `unreadable`, never `wrong`; an
    empty one is `no answer`.

    If BOARD is a folder of test cases, ANSWER is the folder of a class, with a folder or a file for each
    student. Answers are matched to boards by the names of folders, numbers, clues and sizes.

    With --run, the program of each student is run in a copy of its folder, and what it prints is graded. This
    runs code that students wrote, with your rights: it can read and write your files.

    Returns 0 if all answers are right, 1 if one is wrong or missing, 2 if one cannot be read, 3 if a claim
    could not be verified in time.
    """
    require_one_stdin(board, *answers)
    program = None
    if run is not None:
        words = command_words(run, "python3 {student}/main.py {board}", prefix="")
        if FOLDER_WORD not in words[0] and shutil.which(words[0]) is None:  # it is missing for every student
            raise InputError(f"no program named {words[0]!r} on this machine")
        program = BoardProgram(run, words, unescaped(stdin or ""), place or "", answer or "", is_copied=True)
    elif stdin or place or answer:
        raise click.UsageError("--stdin, --place and --answer apply only to a program; add --run")
    budget = ClaimBudget(600)

    def new_grader(path: str | Path) -> Grader:
        position = read_board(path, zero, total)
        return Grader(position.grid, position.total, "auto", time_limit, budget)

    if not (is_folder(board) or violations or outputs.ending("html") or program):
        return _check_answers(new_grader(board), answers, form, outputs)
    if not Path(answers[0]).exists():
        raise InputError(f"{source_name(answers[0])}: no such file or directory")
    if len(answers) > 1 or not is_folder(answers[0]):
        raise click.UsageError("a class is one folder, with a folder or a file for each student")
    if is_folder(board) and total is not None:
        raise click.UsageError(
            "--traps works with a single board; for several, put the total into each board file"
        )
    return _check_class(_read_boards(board, new_grader), Path(answers[0]), program, form, outputs, violations)


# The answers of a class to a folder of test cases.


def _check_class(
    boards: list[CaseBoard],
    folder: Path,
    program: BoardProgram | None,
    form: str,
    outputs: Outputs,
    violations: Path | None,
) -> int:
    """Grade all students, and print and write the results; a program is run for each student."""
    skipped = 0
    if program is None:
        handed = look_into_class(folder, [board.case for board in boards])
        names, skipped = list(handed.students), len(handed.skipped)
        graded = grade_class(boards, handed)
    else:
        own = {each.name: each for each in sorted(folder.iterdir()) if each.is_dir() and each.name[0] != "."}
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
    finally:
        progress.clear()
        grades = ClassGrades(tuple(boards), tuple(students), skipped)
        if students:
            outputs.print_and_write(form, lambda form: _class_text(form, grades), "the grades")
            for path in outputs.ending("html"):
                page = class_page(grades, f"Grades of {folder.resolve().name}")
                write_output(path, page, "the report")
            if violations is not None:
                write_output(violations, violations_csv(grades), "a row for each violation")
            passed_over = skipped + sum(len(student.passed_over) for student in students)
            if passed_over and form == "text":
                what = counted(passed_over, "file that is not an answer", "files that are not answers")
                note(f"skipped {what}")
    # Unreadable comes before wrong or missing, and those before unverified.
    if grades.marks[Grade.UNREADABLE] or any(student.unmatched for student in students):
        return BAD_INPUT
    if grades.marks[Grade.WRONG] or grades.marks[Grade.NO_ANSWER] or grades.marks[MISSING]:
        return NO_SOLUTION
    return GAVE_UP if grades.marks[Grade.UNVERIFIED] else SOLVED


def _read_boards(tests: str, new_grader: Callable[[Path], Grader]) -> list[CaseBoard]:
    """The test cases; equal boards share a grader, so that a claim about them is verified once."""
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
        boards.append(CaseBoard(name_case(path, folder, made.grid), grader))
    return boards


def _class_text(form: str, grades: ClassGrades) -> str:
    """A table of points, or with many cases only totals; remarks; and a summary."""
    if form == "json":
        return json_document(class_record(grades))
    if form == "csv":
        return students_csv(grades)
    rows, remarks = class_rows(grades), remark_rows(grades)
    if len(grades.boards) > 8:
        rows = [[row[0], row[-1]] for row in rows]
    text = table_in("text", rows)
    if len(remarks) > 1:
        text += f"\n{table_in('text', remarks)}\n"
    return f"{text}{summary_text(grades)}\n"


# Answers to one board.


GradedSection = tuple[str, str, AnswerVerdict]
"""A submission, one of its sections, and the verdict on it."""


def _check_answers(grader: Grader, answers: tuple[str, ...], form: str, outputs: Outputs) -> int:
    """Grade files and folders of answers to one board."""
    graded: list[GradedSection] = []
    try:
        graded.extend(_grade_all(grader, answers))
    finally:
        as_table = any(map(is_folder, answers))
        outputs.print_and_write(form, lambda form: _graded_text(form, graded, as_table=as_table), "the marks")
    # Unreadable comes before wrong, and wrong before unverified; every submission needs a right answer.
    marks = {verdict.mark for _, _, verdict in graded}
    if Grade.UNREADABLE in marks:
        return BAD_INPUT
    if Grade.WRONG in marks:
        return NO_SOLUTION
    if Grade.UNVERIFIED in marks:
        return GAVE_UP
    right = {name for name, _, verdict in graded if verdict.mark is Grade.RIGHT}
    return SOLVED if all(name in right for name, _, _ in graded) else NO_SOLUTION


def _grade_all(grader: Grader, answers: tuple[str, ...]) -> Iterator[GradedSection]:
    """The verdict on every section of every answer file, including all files in folders."""
    files: list[tuple[str, str]] = []
    for answer in answers:
        if not is_folder(answer):
            files.append((answer, ""))
            continue
        below = files_below(Path(answer))
        if not below:
            raise InputError(f"no submissions in {answer}")
        files += [(str(path), fault) for path, fault in below]
    progress = Progress(len(files))
    for file, fault in files:
        name = source_name(file)
        progress.begin(name)
        graded = [(name, label, verdict) for label, verdict in _grade_file(grader, file, fault)]
        progress.clear()
        yield from graded


def _grade_file(grader: Grader, file: str, fault: str) -> Iterator[tuple[str, AnswerVerdict]]:
    """The verdict on each section; a file that cannot be read, or has a `fault`, is `unreadable`."""
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


def _graded_text(form: str, graded: list[GradedSection], *, as_table: bool) -> str:
    """A row for each section; or, as text that is not a table, a line for it and for each of its faults."""
    if form == "json":
        return json_document([verdict_record(*each) for each in graded])
    if form == "csv" or as_table:
        rows = [["submission", "section", "mark", "reasons", "first reason"]]
        for name, section, verdict in graded:
            reasons = verdict.reasons
            rows.append([name, section, verdict.mark, str(len(reasons)), *(reasons or ("",))[:1]])
        return table_in(form, rows)
    lines = []
    for name, section, verdict in graded:
        label = f" [{section}]" if section else ""
        colour = {Grade.RIGHT: "green", Grade.NO_ANSWER: "yellow"}.get(verdict.mark, "red")
        lines += [f"{name}{label}: {click.style(verdict.mark, fg=colour)}"]
        lines += [f"  {reason}" for reason in verdict.reasons]
    return "".join(f"{line}\n" for line in lines)
