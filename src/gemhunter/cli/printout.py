"""What `solve` and `menu` print about each board as it is answered, and the files they write."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

import click

from gemhunter.bench.result_times import by_board, mode_of, result_times, times_csv, times_table
from gemhunter.board.grid import Grid
from gemhunter.cli.exit_codes import (
    BAD_INPUT,
    ENGINE_FAILED,
    GAVE_UP,
    NO_SOLUTION,
    SOLVED,
    complain,
    note,
    stop_if_pending,
)
from gemhunter.cli.output import (
    Outputs,
    board_heading,
    board_text,
    ending_of,
    json_document,
    shown_board,
    table_in,
    write_output,
)
from gemhunter.errors import InputError
from gemhunter.files.access import source_name, write_atomically
from gemhunter.files.folders import CASE_TABLES, BoardFile
from gemhunter.files.own_files import OWN_FILES, foreign_files, list_as_own, require_own, require_plain
from gemhunter.printable import json_text, printable, printable_lines
from gemhunter.questions.batch import BatchEvent, Failure, FormulaResult, Opened, Result, Unreadable
from gemhunter.records.engines import formula_result_record, result_record
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved
from gemhunter.wording import counted, seconds_in_file, seconds_text


class Printout:
    """Results about boards or formulas, printed as they arrive and written to files at the end.

    `several` means that there can be more than one; `force` lets it replace any files in folders of test
    cases.
    """

    def __init__(self, form: str, outputs: Outputs, *, several: bool, force: bool = False) -> None:
        self.results: list[Result | FormulaResult] = []
        self._boards: list[Result] = []
        self._unreadable: dict[BoardFile, str] = {}
        self._has_faults = False
        self._form, self._outputs, self._several, self._force = form, outputs, several, force
        self._is_live = outputs.is_printed and form in ("text", "jsonl", "sat")

    @property
    def exit_code(self) -> int:
        """The highest code of all results; `sat` has the codes of SAT competitions."""
        code = max([*map(_exit_code, self.results), BAD_INPUT * (self._has_faults or bool(self._unreadable))])
        return {SOLVED: 10, NO_SOLUTION: 20, GAVE_UP: 0}.get(code, code) if self._form == "sat" else code

    def add(self, event: BatchEvent | FormulaResult | InputError) -> None:
        """Print a board, a result if `form` is printed line by line, or an error."""
        match event:
            case Opened():
                for warning in event.warnings:
                    note(warning)
                if self._form == "text" and self._outputs.is_printed:
                    click.echo(f"{shown_board(event.board.shown_as or event.board.path, event.grid)}\n")
            case Unreadable():
                self._unreadable[event.board] = event.message
                complain(event.message)
            case InputError():
                self._complain(event)
            case _:
                if isinstance(event.answer, Failure):
                    complain(event.answer.message)
                self.results.append(event)
                if isinstance(event, Result):
                    self._boards.append(event)
                if self._is_live:
                    click.echo(_line(self._form, event, in_file=False), nl=False)

    def add_all(
        self, events: Iterable[BatchEvent | FormulaResult | InputError], folders: Sequence[Path] = ()
    ) -> None:
        """Print all events; then, even after Ctrl-C, write the files and print what comes last."""
        try:
            for event in events:
                self.add(event)
            stop_if_pending()
        finally:
            self._finish(folders)

    def _complain(self, error: object) -> None:
        self._has_faults = True
        complain(error)

    def _finish(self, folders: Sequence[Path]) -> None:
        texts = {
            board: "\n".join(_line("text", result, in_file=True).removesuffix("\n") for result in group)
            for board, group in by_board(self._boards)
        }
        for board, message in self._unreadable.items():
            texts[board] = write_section("input", f"unreadable: {message}")
        outputs: dict[Path, dict[Path, str]] = {}
        for board, text in texts.items():
            if board.folder is not None and board.answer is not None:
                outputs.setdefault(board.folder, {})[board.answer] = text
        for folder, files in outputs.items():
            self._write_in_folder(folder, files, self._tables(folder) if folder in folders else {})
        if not self.results:
            return
        boards = {result.board for result in self._boards}
        size = counted(len(self.results), "answer")
        size += f" for {counted(len(boards), 'board')}" if boards else ""
        try:
            self._outputs.give(
                self._form, lambda form: "" if self._is_live else self.document(form), size, self.document
            )
            for path in self._outputs.ending("csv", "md"):
                write_output(path, self.document(ending_of(path)), "a table of times")
            for path in self._outputs.ending("drat"):
                _write_proof(path, self.results[0])
        except InputError as error:
            self._complain(error)
        several = len(boards | self._unreadable.keys()) > 1
        if boards and self._form == "text" and self._outputs.is_printed and (folders or several):
            click.echo(self._times("text"), nl=False)

    def _times(self, form: str) -> str:
        """The table of times, and the mode in which our own engines ran."""
        mode = mode_of(self._boards)
        table = times_table(self._boards, [*self._unreadable], in_file=form != "text")
        return table_in(form, table) + (f"\n{mode}\n" if mode else "")

    def document(self, form: str) -> str:
        """All results for a file: like the printed ones, without boards and with exact times."""
        boards = self._boards
        if form == "json":
            records = [*map(_record, self.results)]
            return json_document(records if self._several else records[0])
        if form in ("csv", "md") and not boards:
            return _formula_times(form, self.results)
        if form == "csv":
            return times_csv(boards, [*self._unreadable])
        if form == "md":
            return self._times("md")
        if form != "text" or not boards:
            return "".join(_line(form, result, in_file=True) for result in self.results)
        parts = []
        several = len({result.board for result in boards}) > 1
        for board, group in by_board(boards):
            parts += [f"{board_heading(board.shown_as or board.path, group[0].grid)}\n"] * several
            parts += [_line(form, result, in_file=True) for result in group]
        return "".join(parts)

    def require_own_files(self, boards: Sequence[BoardFile], folders: Sequence[Path]) -> None:
        """Raise `InputError` if files would be replaced that are not ours; links are refused in any case."""
        files: list[Path] = []
        for folder in folders:
            outputs = [each.answer for each in boards if each.answer is not None and each.folder == folder]
            if outputs:
                own = [*outputs, *(folder / name for name in CASE_TABLES)]
                require_plain(folder, [*own, folder / OWN_FILES])
                files += own
        if not self._force:
            require_own(files)

    def _tables(self, folder: Path) -> dict[Path, str]:
        """Both tables of times of a folder of test cases."""
        results = [result for result in self._boards if result.board.folder == folder]
        unreadable = [board for board in self._unreadable if board.folder == folder]
        names = zip(CASE_TABLES, (result_times, times_csv), strict=True)
        return {folder / name: table(results, unreadable) for name, table in names}

    def _write_in_folder(self, folder: Path, outputs: Mapping[Path, str], tables: Mapping[Path, str]) -> None:
        """Write files of a folder of test cases, but keep those that others have written or changed."""
        texts = {**outputs, **tables}
        try:
            require_plain(folder, [*texts, folder / OWN_FILES])
            for path in () if self._force else foreign_files(texts):
                self._complain(
                    f"{source_name(path)} is kept, because gemhunter did not write this version; "
                    "move or delete it"
                )
                del texts[path]
            list_as_own(folder, texts)
        except InputError as error:
            self._complain(error)
            return
        written = []
        for path, text in texts.items():
            try:
                write_atomically(path, text)
                written.append(path)
            except InputError as error:
                self._complain(error)
        names = [str(path) for path in written if path in tables]
        if number := len(written) - len(names):
            names.insert(0, counted(number, "output file"))
        if names:
            note(f"written: {', '.join(names)}")


# One result, about a board or a formula, in each of the forms.


def _record(result: Result | FormulaResult) -> dict[str, Any]:
    return result_record(result) if isinstance(result, Result) else formula_result_record(result)


def _exit_code(result: Result | FormulaResult) -> int:
    """The exit code for one result."""
    if isinstance(result.answer, Failure):
        return ENGINE_FAILED
    match result.answer.outcome:
        case Solved() | Satisfied():
            return SOLVED
        case Refuted() | Unsatisfiable():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def _line(form: str, result: Result | FormulaResult, *, in_file: bool) -> str:
    """One result as text, JSON or lines of a SAT competition."""
    if form == "jsonl":
        return json_text(_record(result)) + "\n"
    if form == "sat":
        return _sat_lines(result)
    show = (lambda seconds: f"{seconds_in_file(seconds)} s") if in_file else seconds_text
    if isinstance(result, FormulaResult):
        size = f"{counted(result.formula.variables, 'variable')}, {counted(result.formula.size, 'clause')}"
        comment = f"[{result.engine}] {_status(result, show)}"
        return f"c {result.path}: {size}\nc {comment}\n{_sat_lines(result)}"
    filled = None if isinstance(result.answer, Failure) else result.answer.filled or result.answer.partial
    text = write_section(result.engine, _status(result, show), filled)
    if filled is not None and not in_file:
        text = text.replace(str(filled), board_text(filled))
    return f"{text}\n"


def write_section(label: str, status: str, filled: Grid | None = None) -> str:
    """One answer of an answer file; `files.answers` reads it back."""
    return f"[{printable(label)}] {printable_lines(status)}\n" + (f"{filled}\n" if filled is not None else "")


def _status(result: Result | FormulaResult, show: Callable[[float], str]) -> str:
    """The outcome and the running time."""
    if isinstance(result.answer, Failure):
        return f"failed: {result.answer.message.removeprefix(f'{result.engine}: ')}"
    start = result.answer.seconds.get("start") if isinstance(result, Result) else None
    taken = show(result.seconds or 0.0) + (f" ({show(start)} for a board of one cell)" if start else "")
    match result.answer.outcome:
        case Solved():
            return f"solved in {taken}"
        case Refuted(reason):
            return f"no solution, in {taken}: {reason}"
        case Satisfied():
            return f"satisfiable, in {taken}"
        case Unsatisfiable():
            return f"unsatisfiable, in {taken}"
        case GaveUp() as gave_up:
            return f"gave up after {taken}: {gave_up.reason}"


def _sat_lines(result: Result | FormulaResult) -> str:
    """The lines of a SAT competition: `s` and the answer, `v` and a literal for each variable."""
    if isinstance(result.answer, Failure):
        return ""
    match result.answer.outcome:
        case Solved(solution):
            # A board's variables are its unknown cells, on one line.
            literals = [cell if trap else -cell for cell, trap in enumerate(solution.traps.tolist(), 1)]
            return f"s SATISFIABLE\nv {' '.join(map(str, [*literals, 0]))}\n"
        case Satisfied():
            return f"s SATISFIABLE\n{value_lines(getattr(result.answer, 'model', None) or [])}"
        case Refuted() | Unsatisfiable():
            return "s UNSATISFIABLE\n"
        case GaveUp():
            return "s UNKNOWN\n"


def value_lines(model: Sequence[int]) -> str:
    """The literals of a model and a 0, in `v` lines as wide as those of CaDiCaL and Kissat."""
    lines, line = [], "v"
    for word in (*map(str, model), "0"):
        if len(line) + 1 + len(word) > 78:
            lines.append(line)
            line = "v"
        line += f" {word}"
    return "\n".join([*lines, line, ""])


def _write_proof(file: Path, result: Result | FormulaResult) -> None:
    """Write the proof that there is no solution, or note why there is no proof."""
    if isinstance(result.answer, Failure):
        return
    match result.answer.outcome:
        case Refuted(proof=steps) | Unsatisfiable(proof=steps):
            if steps is None:
                note(f"{file}: not written, {result.engine} gave no proof")
                return
            from gemhunter.cnf.drat import write_drat

            write_output(file, write_drat(steps), counted(steps.size, "step"))
        case Solved():
            note(f"{file}: not written, the board has a solution")
        case Satisfied():
            note(f"{file}: not written, the formula has a model")
        case GaveUp():
            note(f"{file}: not written, the engine gave up")


def _formula_times(form: str, results: Sequence[Result | FormulaResult]) -> str:
    """A row per formula and engine: the size of the formula, the outcome, and the running time."""
    records = []
    for result in results:
        record = _record(result)
        row = {name: record[name] for name in ("formula", "variables", "clauses", "engine", "outcome")}
        row["seconds"] = "" if result.seconds is None else seconds_in_file(result.seconds)
        records.append(row | {"reason": record["reason"] or ""})
    return table_in(form, [[*records[0]], *([*map(str, row.values())] for row in records)], records)
