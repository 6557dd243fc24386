"""Results of `solve`, printed as they come and written to files at the end."""

import csv
import io
import json
import sys
from collections.abc import Sequence
from itertools import groupby
from pathlib import Path
from typing import Literal

import click

from gemhunter.cli.asking import Unreadable
from gemhunter.cli.exit_codes import BAD_INPUT, SAT_COMPETITION, SOLVED
from gemhunter.cli.results import Failure, Result, as_json, sat_lines
from gemhunter.cli.screen import print_table
from gemhunter.formats.files import write_atomically

Form = Literal["text", "json", "jsonl", "sat"]
TIMES_FILE = "times.csv"


class Printout:
    """The results so far; `several` says that more than one was asked for."""

    def __init__(self, form: Form, *, several: bool) -> None:
        self.results: list[Result] = []
        self._form, self._several = form, several
        self._unreadable = False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; SAT solvers have their own."""
        codes = [result.exit_code for result in self.results] + [BAD_INPUT] * self._unreadable
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def add(self, answer: Result | Unreadable) -> None:
        """Print one result, except for JSON, which is one document."""
        if isinstance(answer, Unreadable):
            self._unreadable = True
            click.echo(f"error: {answer.message}", err=True)
            return
        if isinstance(answer.answer, Failure):
            click.echo(f"error: {answer.answer.message}", err=True)
        first = not self.results or self.results[-1].board != answer.board
        self.results.append(answer)
        match self._form:
            case "text":
                click.echo(self._heading(answer, first) + answer.section(colours=sys.stdout.isatty()))
            case "jsonl":
                click.echo(json.dumps(answer.record(), ensure_ascii=False))
            case "sat" if not isinstance(answer.answer, Failure):
                click.echo(sat_lines(answer.answer))

    def finish(self, output: Path | None, folders: Sequence[Path]) -> None:
        """Print what comes last, and write the files, with whatever results there are."""
        if self._form == "json":
            click.echo(as_json([result.record() for result in self.results], several=self._several))
        if output is not None:
            write_atomically(output, self._document())
        boards = groupby(self.results, key=lambda result: result.board)
        for board, results in boards:
            if board.answer is not None:
                write_atomically(board.answer, "\n".join(result.section() for result in results))
        if folders and self.results:
            self._tell_times(folders)

    def _tell_times(self, folders: Sequence[Path]) -> None:
        table = _times(self.results)
        if self._form == "text":
            print_table(table[0], table[1:])
        for folder in folders:
            if any(result.board.answer and folder in result.board.answer.parents for result in self.results):
                text = io.StringIO()
                csv.writer(text, lineterminator="\n").writerows(table)
                write_atomically(folder / TIMES_FILE, text.getvalue())

    def _heading(self, result: Result, first: bool) -> str:
        """The board's name above its first section, where there are several boards."""
        return f"{result.board.path} ({result.size})\n" if self._several and first else ""

    def _document(self) -> str:
        """Everything that was printed, without colours."""
        match self._form:
            case "json":
                return as_json([result.record() for result in self.results], several=self._several) + "\n"
            case "jsonl":
                return "".join(
                    json.dumps(result.record(), ensure_ascii=False) + "\n" for result in self.results
                )
            case "sat":
                return "".join(
                    f"{sat_lines(r.answer)}\n" for r in self.results if not isinstance(r.answer, Failure)
                )
            case "text":
                firsts = [i == 0 or self.results[i - 1].board != r.board for i, r in enumerate(self.results)]
                parts = zip(self.results, firsts, strict=True)
                return "\n".join(self._heading(result, first) + result.section() for result, first in parts)


def _times(results: Sequence[Result]) -> list[list[str]]:
    """One row per board, one column per engine."""
    engines = list(dict.fromkeys(result.engine for result in results))
    table = [["board", *engines]]
    for board, group in groupby(results, key=lambda result: result.board):
        times = {result.engine: result.time_text() for result in group}
        table.append([board.path, *(times.get(engine, "") for engine in engines)])
    return table
