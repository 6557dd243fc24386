"""`gemhunter check`: grades handed-in answers."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_files import is_folder
from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import OutputFile, RealNumber
from gemhunter.cli.options import (
    complete_board,
    engine_option,
    format_option,
    seconds_option,
    traps_option,
    zero_option,
)


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.argument("answers", nargs=-1, required=True, metavar="ANSWER...")
@traps_option
@engine_option("Engine that verifies the claim `no solution`.")
@seconds_option("Time for verifying one such claim.", default=60.0)
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
@format_option
@quiet_option
def check(board: str, answers: tuple[str, ...], *, form: str, zero: Any, **how: Any) -> int:
    """Grade filled-in answers, those of one person or of a class.

    An answer has the size of the board, leaves its clues untouched, fills every unknown cell and makes
    every clue hold. ANSWER is a file with one grid or several labelled sections, or a folder of
    submissions, which gives a table. `No solution` is verified with an engine, once for each board. What may
    have been misread is marked `unreadable`, never `wrong`.

    If BOARD is a folder of test cases, ANSWER is the folder of a class, with a folder or a file for each
    student. Answers are matched to boards by the names of folders, by numbers, by clues and by sizes.

    Returns 0 if all answers are right, 1 if one is wrong or missing, 2 if one cannot be read, 3 if a claim
    could not be verified in time.

    \b
    Examples:
      gemhunter check board.txt answer.txt
      gemhunter check board.txt submissions/ --csv marks.csv
      gemhunter check testcases/ class/ --csv marks.csv --violations violations.csv --html report.html
    """
    table, violations, page = (how.pop(name) for name in ("table", "violations", "page"))
    if is_folder(board) or violations or page:
        from gemhunter.cli.class_check import check_class

        if len(answers) > 1:
            raise click.UsageError("a class is one folder, with a folder or a file for each student")
        if is_folder(board) and how["total"] is not None:
            raise click.UsageError("--traps takes one board; a board file can give its own total")
        files = {"csv": table, "violations": violations, "html": page}
        return check_class(board, answers[0], files=files, form=form, zero=zero, **how)
    return _check_answers(board, answers, table, form=form, zero=zero, **how)


def _check_answers(
    board: str, answers: tuple[str, ...], table: Path | None, *, form: str, zero: Any, **how: Any
) -> int:
    """Grade files and folders of answers to one board."""
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cli.grading import Graded, exit_code, grade_all, print_graded, write_csv
    from gemhunter.queries.grade import ClaimBudget, Grader

    position = read_and_warn(board, zero, how.pop("total"))
    budget = ClaimBudget(how.pop("total_limit"))
    grader = Grader(position.grid, total=position.total, budget=budget, **how)
    graded: list[Graded] = []
    try:
        graded.extend(grade_all(grader, answers))
    finally:
        if table is not None and graded:
            write_csv(graded, table)
        if graded or form == "json":
            print_graded(graded, form, folder=any(map(is_folder, answers)))
    return exit_code(graded)
