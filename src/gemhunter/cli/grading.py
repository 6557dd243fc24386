"""Grades answer files, and prints the verdicts."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_files import is_folder
from gemhunter.cli.exit_codes import BAD_INPUT, GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.progress import Progress
from gemhunter.cli.screen import print_table
from gemhunter.errors import InputError
from gemhunter.formats.answers.class_folder import files_below, read_answer
from gemhunter.formats.answers.sections import read_sections
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.formats.files import source_name, write_atomically
from gemhunter.printable import json_text
from gemhunter.queries.grade import AnswerVerdict, Grade, Grader

EXIT_CODES = {Grade.WRONG: NO_SOLUTION, Grade.UNVERIFIED: GAVE_UP, Grade.UNREADABLE: BAD_INPUT}
COLUMNS = ("submission", "section", "mark", "reasons", "first reason")


@dataclass(frozen=True, slots=True)
class Graded:
    """One section of one submission, with its verdict."""

    submission: str
    section: str
    verdict: AnswerVerdict

    def row(self) -> list[str]:
        """A line of the table."""
        reasons = self.verdict.reasons
        return [
            self.submission,
            self.section,
            self.verdict.mark,
            str(len(reasons)),
            reasons[0] if reasons else "",
        ]

    def record(self) -> dict[str, Any]:
        """The same for programs."""
        mark, reasons = self.verdict.mark.value, list(self.verdict.reasons)
        return {"submission": self.submission, "section": self.section, "mark": mark, "reasons": reasons}


def print_graded(graded: list[Graded], form: str, *, folder: bool) -> None:
    """A table for a folder of submissions, every reason for single files, or JSON."""
    if form == "json":
        click.echo(json_text([item.record() for item in graded], indent=2))
    elif folder:
        print_table(COLUMNS, [item.row() for item in graded])
    else:
        _print_reasons(graded)


def write_csv(graded: list[Graded], path: Path) -> None:
    """The table as a file."""
    write_atomically(path, csv_rows([COLUMNS, *(item.row() for item in graded)]))


def exit_code(graded: list[Graded]) -> int:
    """Unreadable counts before wrong, wrong before unverified; every submission needs a right answer."""
    marks = {item.verdict.mark for item in graded}
    for mark in (Grade.UNREADABLE, Grade.WRONG, Grade.UNVERIFIED):
        if mark in marks:
            return EXIT_CODES[mark]
    right = {item.submission for item in graded if item.verdict.mark is Grade.RIGHT}
    return SOLVED if all(item.submission in right for item in graded) else NO_SOLUTION


def grade_all(grader: Grader, answers: tuple[str, ...]) -> Iterator[Graded]:
    """Every section of every answer file, graded; folders stand for all files in them."""
    files = [file for answer in answers for file in _files_of(answer)]
    progress = Progress(len(files))
    for file, fault in files:
        name = source_name(file)
        progress.begin(name)
        graded = [Graded(name, label, verdict) for label, verdict in _grade_file(grader, file, fault)]
        progress.clear()
        yield from graded


def _grade_file(grader: Grader, file: str, fault: str) -> Iterator[tuple[str, AnswerVerdict]]:
    """The verdict on each section; a file that cannot be read does not keep the others from being graded."""
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


def _files_of(answer: str) -> list[tuple[str, str]]:
    """A file as it is; a folder as all files in it and below, each with why it cannot be opened, if so."""
    if not is_folder(answer):
        return [(answer, "")]
    files = files_below(Path(answer))
    if not files:
        raise InputError(f"no submissions in {answer}")
    return [(str(each.path), each.fault) for each in files]


def _print_reasons(graded: list[Graded]) -> None:
    """One line per section, and one for each thing wrong with it."""
    for item in graded:
        label = f" [{item.section}]" if item.section else ""
        colour = {Grade.RIGHT: "green", Grade.NO_ANSWER: "yellow"}.get(item.verdict.mark, "red")
        click.echo(f"{item.submission}{label}: {click.style(item.verdict.mark, fg=colour)}")
        for reason in item.verdict.reasons:
            click.echo(f"  {reason}")
