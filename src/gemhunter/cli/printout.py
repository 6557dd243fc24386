"""Results of `solve`, printed as they come and written to files at the end."""

import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from gemhunter.cli.asking import Opened, Unreadable
from gemhunter.cli.exit_codes import BAD_INPUT, SAT_COMPETITION, SOLVED
from gemhunter.cli.results import Failure, Result, as_json, sat_lines
from gemhunter.cli.screen import coloured, has_colours, print_table
from gemhunter.cli.time_tables import note_on_compiling, result_times, screen_table, times_csv
from gemhunter.errors import InputError
from gemhunter.formats.board_folders import TIMES_FILE, TIMES_TABLE
from gemhunter.formats.files import source_name, write_atomically
from gemhunter.formats.sections import write_section

if TYPE_CHECKING:
    from gemhunter.cli.board_files import BoardFile
    from gemhunter.core.grid import Grid

Form = Literal["text", "json", "jsonl", "sat"]

LARGEST_SHOWN = 100
"""Rows and columns of a board that is shown above its answers."""


class Printout:
    """The results so far; `several` says that more than one was asked for."""

    def __init__(self, form: Form, *, several: bool) -> None:
        self.results: list[Result] = []
        self._form, self._several = form, several
        self._unreadable: dict[BoardFile, str] = {}
        self._has_unwritten = False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; SAT solvers have their own."""
        codes = [result.exit_code for result in self.results] + [BAD_INPUT] * bool(
            self._unreadable or self._has_unwritten
        )
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def add(self, answer: Opened | Result | Unreadable) -> None:
        """Print a board or a result, except for JSON, which is one document."""
        match answer:
            case Opened():
                if self._form == "text":
                    click.echo(f"{_shown(answer)}\n")
            case Unreadable():
                self._unreadable[answer.board] = answer.message
                click.echo(f"error: {answer.message}", err=True)
            case Result():
                self._add_result(answer)

    def _add_result(self, result: Result) -> None:
        if isinstance(result.answer, Failure):
            click.echo(f"error: {result.answer.message}", err=True)
        self.results.append(result)
        if self._form == "text":
            click.echo(result.section(colours=has_colours()))
        elif self._form != "json":
            click.echo(self._line(result), nl=False)

    def finish(self, output: Path | None, folders: Sequence[Path]) -> None:
        """Write the files, with whatever results there are, and print what comes last."""
        if output is not None and self.results:
            self._write(output, self._document())
        self._write_answers()
        for folder in folders:
            self._write_times(folder)
        if self._form == "json" and self.results:
            click.echo(self._document(), nl=False)
        if self._form == "text" and folders and self.results:
            headings, *rows = screen_table(self.results, list(self._unreadable))
            print_table(headings, rows)
            if note := note_on_compiling(self.results):
                click.echo(note, err=True)

    def _write(self, path: Path, text: str) -> None:
        """Write a file; one that cannot be written is reported and costs no other."""
        try:
            write_atomically(path, text)
        except InputError as error:
            self._has_unwritten = True
            click.echo(f"error: {error}", err=True)

    def _write_answers(self) -> None:
        """The output file of each test case."""
        for board, results in groupby(self.results, key=lambda result: result.board):
            if board.answer is not None:
                self._write(board.answer, "\n".join(result.section_in_file() for result in results))
        for board, message in self._unreadable.items():
            if board.answer is not None:
                self._write(board.answer, write_section("input", f"unreadable: {message}"))

    def _write_times(self, folder: Path) -> None:
        """Both tables of times, where the folder has test cases."""
        results = [result for result in self.results if result.board.folder == folder]
        unreadable = [board for board in self._unreadable if board.folder == folder]
        answers = {board.answer for board in [*(result.board for result in results), *unreadable]} - {None}
        if not answers:
            return
        self._write(folder / TIMES_TABLE, result_times(results, unreadable))
        self._write(folder / TIMES_FILE, times_csv(results, unreadable))
        outputs = f"{len(answers)} output file" + "s" * (len(answers) != 1)
        click.echo(f"written: {outputs}, {folder / TIMES_TABLE}, {folder / TIMES_FILE}", err=True)

    def _document(self) -> str:
        """All results for a file: what was printed, without boards and colours, and with exact times."""
        if self._form == "json":
            return as_json([result.record() for result in self.results], several=self._several) + "\n"
        if self._form != "text":
            return "".join(map(self._line, self.results))
        parts = []
        several = len({result.board for result in self.results}) > 1
        for board, group in groupby(self.results, key=lambda result: result.board):
            answers = list(group)
            parts += [f"{_heading(board, answers[0].grid)}\n"] * several
            parts += [f"{result.section_in_file()}\n" for result in answers]
        return "".join(parts)

    def _line(self, result: Result) -> str:
        """What is printed for one result in a form for programs."""
        if self._form == "jsonl":
            return json.dumps(result.record(), ensure_ascii=False) + "\n"
        return "" if isinstance(result.answer, Failure) else f"{sat_lines(result.answer)}\n"


def _heading(board: "BoardFile", grid: "Grid") -> str:
    return f"{board.shown_as or source_name(board.path)} ({grid.rows}×{grid.cols})"


def _shown(opened: Opened) -> str:
    """The board below its name, unless it is too large to be looked at."""
    heading = _heading(opened.board, opened.grid)
    if max(opened.grid.cells.shape) > LARGEST_SHOWN:
        return f"{heading}, not shown: more than {LARGEST_SHOWN} rows or columns"
    return f"{heading}\n{coloured(opened.grid) if has_colours() else opened.grid}"
