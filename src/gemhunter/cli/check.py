"""`gemhunter check`: grades handed-in answers."""

from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_files import is_folder
from gemhunter.cli.options import (
    OutputFile,
    engine_option,
    format_option,
    seconds_option,
    traps_option,
    zero_option,
)


@click.command()
@click.argument("board")
@click.argument("answers", nargs=-1, required=True, metavar="ANSWER...")
@traps_option
@engine_option("Engine that verifies the claim `no solution`.")
@seconds_option("Time for verifying one such claim.", default=60.0)
@zero_option
@click.option(
    "--csv",
    "table",
    type=OutputFile(),
    metavar="FILE",
    help="Write the table to FILE.",
)
@format_option
def check(
    board: str, answers: tuple[str, ...], *, table: Path | None, form: str, zero: Any, **how: Any
) -> int:
    """Grade filled-in answers to a board.

    An answer has the size of the board, leaves its clues untouched, fills every unknown cell and makes
    every clue hold. ANSWER is a file with one grid or several labelled sections, or a folder of
    submissions, which gives a table. `No solution` is verified with an engine.

    Returns 0 if all answers are right, 1 if one is wrong, 2 if one cannot be read, 3 if a claim could
    not be verified in time.

    \b
    Examples:
      gemhunter check board.txt answer.txt
      gemhunter check board.txt submissions/ --csv marks.csv
    """
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cli.grading import Graded, exit_code, grade_all, print_graded, write_csv
    from gemhunter.queries.grade import Grader

    grader = Grader(read_and_warn(board, zero), **how)
    graded: list[Graded] = []
    try:
        graded.extend(grade_all(grader, answers))
    finally:
        if table is not None and graded:
            write_csv(graded, table)
        print_graded(graded, form, folder=any(map(is_folder, answers)))
    return exit_code(graded)
