"""Results of `gemhunter solve`, printed as they come and written to files at the end."""

from collections.abc import Callable, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any, Literal

import click

from gemhunter.cli.board_text import board_heading, board_text, shown_board
from gemhunter.cli.exit_codes import BAD_INPUT, ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SAT_COMPETITION, SOLVED
from gemhunter.cli.notes import complain, note
from gemhunter.cli.screen import print_table
from gemhunter.cli.solve_times import mode_of, page_table, result_times, screen_table, times_csv
from gemhunter.cli.table_formats import markdown_text
from gemhunter.core.grid import Grid
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.answers.sections import write_section
from gemhunter.formats.board_files import BoardFile
from gemhunter.formats.board_folders import CASE_TABLES
from gemhunter.formats.files import source_name, write_atomically
from gemhunter.formats.written_files import OWN_FILES, is_own, note_written, require_own, require_plain
from gemhunter.printable import json_text
from gemhunter.queries.batch import BatchEvent, Failure, Opened, Result, Unreadable
from gemhunter.records.reports import result_record
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.solving.outcomes import GaveUp, Refuted, Report, Solved

SolveForm = Literal["text", "json", "jsonl", "csv", "md", "sat"]

ONE_DOCUMENT = ("json", "csv", "md")
"""Forms that are printed only when all results are in."""


class Printout:
    """The results so far; `several` says that more than one was asked for.

    `force` lets it replace files in folders of test cases that it did not write. Unless `shown`, nothing goes
    to standard output: all of it is for a file.
    """

    def __init__(self, form: SolveForm, *, several: bool, force: bool = False, shown: bool = True) -> None:
        self.results: list[Result] = []
        self._form, self._several, self._force, self._is_shown = form, several, force, shown
        self._written: dict[Path, str] = {}
        self._unreadable: dict[BoardFile, str] = {}
        self._has_unwritten = False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; `sat` has the codes of SAT competitions."""
        codes = [_exit_code(result) for result in self.results] + [BAD_INPUT] * bool(
            self._unreadable or self._has_unwritten
        )
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def require_own_files(self, boards: Sequence[BoardFile], folders: Sequence[Path]) -> None:
        """Raise `InputError` before any work is done if `finish` would replace a file that is not ours.

        Links in a folder are never written through, `force` or not.
        """
        files: list[Path] = []
        for folder in folders:
            answers = [each.answer for each in boards if each.answer is not None and each.folder == folder]
            if answers:
                own = [*answers, *(folder / name for name in CASE_TABLES)]
                require_plain(folder, [*own, folder / OWN_FILES])
                files += own
        if not self._force:
            require_own(files)

    def add(self, event: BatchEvent) -> None:
        """Print a board or a result, unless the form is one document."""
        match event:
            case Opened():
                for warning in event.warnings:
                    note(warning)
                if self._form == "text" and self._is_shown:
                    click.echo(f"{shown_board(_name(event.board), event.grid)}\n")
            case Unreadable():
                self._unreadable[event.board] = event.message
                complain(event.message)
            case Result():
                self._add_result(event)

    def _add_result(self, result: Result) -> None:
        if isinstance(result.answer, Failure):
            complain(result.answer.message)
        self.results.append(result)
        if not self._is_shown or self._form in ONE_DOCUMENT:
            return
        click.echo(f"{_section(result)}\n" if self._form == "text" else self._line(result), nl=False)

    def finish(self, output: Path | None, folders: Sequence[Path]) -> None:
        """Write the files, with the results so far, and print what comes last."""
        if output is not None and self.results and self._write(output, self._document()):
            note(f"{output}: {self._size()}")
        self._write_answers()
        for folder in folders:
            self._write_times(folder)
        if not self.results or not self._is_shown:
            return
        if self._form in ONE_DOCUMENT:
            click.echo(self._document(), nl=False)
        elif self._form == "text" and (folders or len(self._boards()) > 1):
            headings, *rows = screen_table(self.results, list(self._unreadable))
            print_table(headings, rows)
            if mode := mode_of(self.results):
                click.echo(f"\n{mode}")

    def _boards(self) -> set[BoardFile]:
        return {*(result.board for result in self.results), *self._unreadable}

    def _size(self) -> str:
        """How many answers the document has, and about how many boards."""
        answers, boards = len(self.results), len({result.board for result in self.results})
        return f"{counted(answers, 'answer')} about {counted(boards, 'board')}"

    def _write(self, path: Path, text: str) -> bool:
        """Write a file; returns False, after an error message, if that fails."""
        try:
            write_atomically(path, text)
        except InputError as error:
            self._has_unwritten = True
            complain(error)
            return False
        return True

    def _write_in_folder(self, path: Path, text: str) -> None:
        """Write a file of a folder of test cases, unless it was changed during the work."""
        if not (self._force or path in self._written or is_own(path)):
            self._has_unwritten = True
            complain(f"{source_name(path)} was changed meanwhile and is kept; --force overwrites it")
        elif self._write(path, text):
            self._written[path] = text

    def _write_answers(self) -> None:
        """Write the output file of each test case."""
        for board, results in groupby(self.results, key=lambda result: result.board):
            if board.answer is not None:
                self._write_in_folder(board.answer, "\n".join(_section_in_file(result) for result in results))
        for board, message in self._unreadable.items():
            if board.answer is not None:
                self._write_in_folder(board.answer, write_section("input", f"unreadable: {message}"))

    def _write_times(self, folder: Path) -> None:
        """Write both tables of times, if the folder has test cases."""
        results = [result for result in self.results if result.board.folder == folder]
        unreadable = [board for board in self._unreadable if board.folder == folder]
        boards = dict.fromkeys([*(result.board for result in results), *unreadable])
        answers = [board.answer for board in boards if board.answer is not None]
        if not answers:
            return
        for name, table in zip(CASE_TABLES, (result_times, times_csv), strict=True):
            self._write_in_folder(folder / name, table(results, unreadable))
        written = [
            path for path in [*answers, *(folder / name for name in CASE_TABLES)] if path in self._written
        ]
        self._note(folder, written, outputs=sum(path in answers for path in written))

    def _note(self, folder: Path, written: list[Path], outputs: int) -> None:
        """Remember which files are ours, and say which were written."""
        if not written:
            return
        try:
            note_written(folder, {path: self._written[path] for path in written})
        except InputError as error:
            self._has_unwritten = True
            complain(error)
        files = [counted(outputs, "output file")] * (outputs > 0)
        note(f"written: {', '.join([*files, *map(str, written[outputs:])])}")

    def _document(self) -> str:
        """All results for a file: what was printed, without boards and colours, and with exact times."""
        if self._form == "json":
            return one_or_list([*map(result_record, self.results)], several=self._several)
        if self._form == "csv":
            return times_csv(self.results, list(self._unreadable))
        if self._form == "md":
            headings, *rows = page_table(self.results, list(self._unreadable))
            mode = mode_of(self.results)
            return markdown_text(headings, rows) + (f"\n{mode}\n" if mode else "")
        if self._form != "text":
            return "".join(map(self._line, self.results))
        parts = []
        several = len({result.board for result in self.results}) > 1
        for board, group in groupby(self.results, key=lambda result: result.board):
            answers = list(group)
            parts += [f"{board_heading(_name(board), answers[0].grid)}\n"] * several
            parts += [f"{_section_in_file(result)}\n" for result in answers]
        return "".join(parts)

    def _line(self, result: Result) -> str:
        """What is printed for one result in a form for programs."""
        if self._form == "jsonl":
            return json_text(result_record(result)) + "\n"
        return "" if isinstance(result.answer, Failure) else f"{_sat_lines(result.answer)}\n"


def _name(board: BoardFile) -> str:
    return board.shown_as or board.path


def one_or_list(records: list[dict[str, Any]], *, several: bool) -> str:
    """A JSON document: one object, or a list where several boards or engines were asked for."""
    return json_text(records if several or not records else records[0], indent=2) + "\n"


def _exit_code(result: Result) -> int:
    """What the command returns if this is the only result."""
    if isinstance(result.answer, Failure):
        return ENGINE_FAILED
    match result.answer.outcome:
        case Solved():
            return SOLVED
        case Refuted():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def _section(result: Result) -> str:
    """A labelled section for the screen: what happened, the running time, the grid as far as known."""
    filled = _filled(result)
    text = write_section(result.engine, _status(result, seconds_text), filled)
    return text if filled is None else text.replace(str(filled), board_text(filled))


def _section_in_file(result: Result) -> str:
    """A labelled section for a file, its running time in seconds."""
    status = _status(result, lambda seconds: f"{seconds_in_file(seconds)} s")
    return write_section(result.engine, status, _filled(result))


def _filled(result: Result) -> Grid | None:
    return None if isinstance(result.answer, Failure) else result.answer.filled or result.answer.partial


def _status(result: Result, written: Callable[[float], str]) -> str:
    if isinstance(result.answer, Failure):
        return f"failed: {result.answer.message.removeprefix(f'{result.engine}: ')}"
    start = result.answer.seconds.get("start")
    taken = written(result.seconds or 0.0) + (f", without {written(start)} to start" if start else "")
    match result.answer.outcome:
        case Solved():
            return f"solved in {taken}"
        case Refuted(reason):
            return f"no solution, in {taken}: {reason}"
        case GaveUp() as gave_up:
            return f"gave up after {taken}: {gave_up.reason}"


def _sat_lines(report: Report) -> str:
    """The result of a SAT competition: an `s` line, and a `v` line over the unknown cells."""
    match report.outcome:
        case Solved(solution):
            literals = [cell if trap else -cell for cell, trap in enumerate(solution.traps.tolist(), 1)]
            return f"s SATISFIABLE\nv {' '.join(map(str, [*literals, 0]))}"
        case Refuted():
            return "s UNSATISFIABLE"
        case GaveUp():
            return "s UNKNOWN"
