"""Results of `solve`, printed as they come and written to files at the end."""

import csv
import io
import json
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from gemhunter.cli.asking import Unreadable
from gemhunter.cli.exit_codes import BAD_INPUT, SAT_COMPETITION, SOLVED
from gemhunter.cli.results import Failure, Result, as_json, sat_lines
from gemhunter.cli.screen import has_colours, print_table
from gemhunter.formats.files import write_atomically
from gemhunter.formats.sections import write_section

if TYPE_CHECKING:
    from gemhunter.cli.board_files import BoardFile

Form = Literal["text", "json", "jsonl", "sat"]
TIMES_FILE = "times.csv"


class Printout:
    """The results so far; `several` says that more than one was asked for."""

    def __init__(self, form: Form, *, several: bool) -> None:
        self.results: list[Result] = []
        self._form, self._several = form, several
        self._unreadable: dict[BoardFile, str] = {}

    @property
    def exit_code(self) -> int:
        """The highest code of all results; SAT solvers have their own."""
        codes = [result.exit_code for result in self.results] + [BAD_INPUT] * bool(self._unreadable)
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def add(self, answer: Result | Unreadable) -> None:
        """Print one result, except for JSON, which is one document."""
        if isinstance(answer, Unreadable):
            self._unreadable[answer.board] = answer.message
            click.echo(f"error: {answer.message}", err=True)
            return
        if isinstance(answer.answer, Failure):
            click.echo(f"error: {answer.answer.message}", err=True)
        self.results.append(answer)
        if self._form != "json":
            click.echo(self._printed(len(self.results) - 1, colours=has_colours()), nl=False)

    def finish(self, output: Path | None, folders: Sequence[Path]) -> None:
        """Write the files, with whatever results there are, and print what comes last."""
        if output is not None and self.results:
            write_atomically(output, self._document())
        for board, results in groupby(self.results, key=lambda result: result.board):
            if board.answer is not None:
                write_atomically(board.answer, "\n".join(result.section() for result in results))
        for board, message in self._unreadable.items():
            if board.answer is not None:
                write_atomically(board.answer, write_section("input", f"unreadable: {message}"))
        for folder in folders:
            self._write_times(folder)
        if self._form == "json" and self.results:
            click.echo(self._document(), nl=False)
        if self._form == "text" and folders and self.results:
            print_table(*self._table_of_times())

    def _write_times(self, folder: Path) -> None:
        """A row per test case and engine, where the folder has test cases."""
        answers = [board.answer for board in [*(r.board for r in self.results), *self._unreadable]]
        if not any(answer is not None and folder in answer.parents for answer in answers):
            return
        text = io.StringIO()
        table = csv.writer(text, lineterminator="\n")
        table.writerow(["board", "engine", "outcome", "seconds"])
        for result in self.results:
            record = result.record()
            seconds = sum(taken for stage, taken in record["seconds"].items() if stage != "read")
            table.writerow([result.board.path, result.engine, record["outcome"], f"{seconds:.6f}"])
        table.writerows([board.path, "", "unreadable", ""] for board in self._unreadable)
        write_atomically(folder / TIMES_FILE, text.getvalue())

    def _table_of_times(self) -> tuple[list[str], list[list[str]]]:
        """One row per board, one column per engine."""
        engines = list(dict.fromkeys(result.engine for result in self.results))
        rows = []
        for board, group in groupby(self.results, key=lambda result: result.board):
            times = {result.engine: result.time_text() for result in group}
            rows.append([board.path, *(times.get(engine, "") for engine in engines)])
        rows += [[board.path, "unreadable", *[""] * (len(engines) - 1)] for board in self._unreadable]
        return ["board", *engines], rows

    def _document(self) -> str:
        """Everything that was printed, without colours."""
        if self._form == "json":
            return as_json([result.record() for result in self.results], several=self._several) + "\n"
        return "".join(self._printed(index) for index in range(len(self.results)))

    def _printed(self, index: int, *, colours: bool = False) -> str:
        """What is printed for one result; the name of its board stands above the first of several."""
        result = self.results[index]
        if self._form == "jsonl":
            return json.dumps(result.record(), ensure_ascii=False) + "\n"
        if self._form == "sat":
            return "" if isinstance(result.answer, Failure) else f"{sat_lines(result.answer)}\n"
        first = index == 0 or self.results[index - 1].board is not result.board
        heading = f"{result.board.path} ({result.size})\n" if self._several and first else ""
        return f"{heading}{result.section(colours=colours)}\n"
