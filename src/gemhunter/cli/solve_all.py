"""`gemhunter solve --all`: all solutions of a board, printed as they are found."""

from pathlib import Path
from typing import Literal

import click

from gemhunter.cli.board_text import board_text
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.notes import note, write_output
from gemhunter.cli.progress import Progress
from gemhunter.core.grid import Grid
from gemhunter.core.plurals import counted
from gemhunter.core.positions import Position
from gemhunter.printable import json_text
from gemhunter.queries.solutions import Solutions, solutions
from gemhunter.records.reports import solution_record
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

SolutionsForm = Literal["text", "json", "jsonl"]


def print_all(
    board: str,
    position: Position,
    form: SolutionsForm,
    output: Path | None,
    *,
    limits: Limits,
    limit: int | None,
) -> int:
    """Print solutions until something ends the search; returns the exit code.

    With `output` nothing is printed: all of it goes to that file at the end.
    """
    progress = Progress(1)
    progress.begin(board)
    run = Run(limits, cancel=is_pending, progress=progress.tick)
    walk = solutions(position.grid, total=position.total, limit=limit, run=run)
    printed = _Printed(form, shown=output is None)
    try:
        for filled in walk:
            progress.clear()
            printed.add(board, walk.found, filled)
        stop_if_pending()
    finally:
        progress.clear()
        printed.finish()
        if isinstance(walk.ending, Refuted) and form == "text":
            printed.add_line(f"no solution: {walk.ending.reason}")
        if output is not None:
            write_output(output, printed.text(), _counted(walk))
    return _report_ending(walk, form)


class _Printed:
    """Solutions on standard output or, unless they are `shown`, kept for a file."""

    def __init__(self, form: SolutionsForm, *, shown: bool) -> None:
        self._form, self._is_shown = form, shown
        self._kept: list[str] = []
        self._any = False

    def add(self, board: str, number: int, filled: Grid) -> None:
        """Print one solution."""
        if self._form == "text":
            text = board_text(filled) if self._is_shown else str(filled)
            self._print(f"solution {number}\n{text}\n\n")
        else:
            record = json_text(solution_record(board, number, filled))
            between = "" if self._form == "jsonl" else ",\n" if self._any else "[\n"
            self._print(f"{between}{record}" + "\n" * (self._form == "jsonl"))
        self._any = True

    def add_line(self, line: str) -> None:
        """Print a line of text."""
        self._print(f"{line}\n")

    def finish(self) -> None:
        """End the document."""
        if self._form == "json":
            self._print("\n]\n" if self._any else "[]\n")

    def text(self) -> str:
        """Everything that was kept."""
        return "".join(self._kept)

    def _print(self, text: str) -> None:
        if self._is_shown:
            click.echo(text, nl=False)
        else:
            self._kept.append(text)


def _counted(walk: Solutions) -> str:
    return counted(walk.found, "solution")


def _report_ending(walk: Solutions, form: SolutionsForm) -> int:
    """Print to standard error why the search ended, unless text has said so; returns the exit code."""
    match walk.ending:
        case Refuted(reason):
            if form != "text":
                note(f"no solution: {reason}")
            return NO_SOLUTION
        case GaveUp() as gave_up:
            note(f"{_counted(walk)}, then gave up: {gave_up.reason}")
            return GAVE_UP
        case ending:
            note(f"{_counted(walk)}: {ending}")
            return SOLVED
