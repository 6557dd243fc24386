"""`gemhunter solve`: boards or formulas in, answers out.

The command is at the end; before it stand the times of several engines, the printout, all solutions, and
formulas.
"""

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import groupby, takewhile
from pathlib import Path
from typing import Any, Literal

import click
import numpy as np
from click.core import ParameterSource

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.board.position import Position
from gemhunter.cli.board_arguments import (
    BoardReading,
    are_formulas,
    board_heading,
    board_text,
    refuse_options_about_boards,
    shown_board,
)
from gemhunter.cli.exit_codes import BAD_INPUT, ENGINE_FAILED, GAVE_UP, NO_SOLUTION, SAT_COMPETITION, SOLVED
from gemhunter.cli.notes import (
    complain,
    is_pending,
    listen,
    note,
    print_or_write,
    quiet_option,
    stop_if_pending,
    write_output,
)
from gemhunter.cli.options import (
    AT_LEAST_ONE,
    SEED,
    OutputFile,
    complete_board,
    engine_option,
    memory_option,
    options_as,
    output_option,
    plain_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import RecordTable, aligned, markdown_text, print_table, table_text
from gemhunter.cli.progress import Progress
from gemhunter.cli.proof import save_proof, write_proof
from gemhunter.compare.result_times import CaseRow, CaseTime, gave_up_words, mode_text, result_times_rows
from gemhunter.draw.text_maps import seconds_in_file, seconds_text
from gemhunter.errors import InputError
from gemhunter.files.access import STDIN, read_bytes, source_name, write_atomically
from gemhunter.files.answers.sections import write_section
from gemhunter.files.dialects import Zero
from gemhunter.files.folders import CASE_TABLES, BoardFile, find_boards, is_folder, skipped_text
from gemhunter.files.tables import csv_rows
from gemhunter.jit.choice import Mode, compiling_everywhere, current_mode, is_installed
from gemhunter.printable import counted, json_text, printable, utf8
from gemhunter.questions.batch import (
    BatchEvent,
    Failure,
    FormulaResult,
    Opened,
    Question,
    Reader,
    Result,
    Unreadable,
    answers,
    choose_mode,
    formula_answers,
    is_written_here,
)
from gemhunter.questions.solutions import Solutions, solutions
from gemhunter.records.answers import formula_result_record, result_record, solution_record
from gemhunter.solving.engine import Satisfied, Unsatisfiable
from gemhunter.solving.outcomes import GaveUp, Refuted, Report, Solved
from gemhunter.solving.registry import FORMULA_ENGINE
from gemhunter.solving.run import Limits, Run

# Which files in a folder this program wrote, so that it replaces no others.
#
# The folder holds a list of checksums in the format of `sha256sum`. A file that is not in the list comes
# from elsewhere, and a file with another checksum was changed after it was written.


OWN_FILES = ".gemhunter.sha256"

LARGEST_LIST = 16 * 2**20
"""Bytes of a list that are read."""


def require_plain(folder: Path, names: Iterable[Path]) -> None:
    """Raise `InputError` if writing one of these files in a folder would lead out of it, or into a pipe.

    The folder itself may be a link: its user named it. What is in it may come from others.
    """
    for path in names:
        inside = path.relative_to(folder)
        places = [folder.joinpath(*inside.parts[:length]) for length in range(1, len(inside.parts) + 1)]
        for place in filter(_is_link, places):
            raise InputError(
                f"{source_name(place)} is a link; files in a folder are not written through links"
            )
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise InputError(f"{source_name(path)} is not a file and cannot be replaced by one")


def require_own(paths: Iterable[Path]) -> None:
    """Raise `InputError` if one of the files exists and is not as this program left it."""
    foreign = [path for path in paths if not is_own(path)]
    if not foreign:
        return
    more = f" and {len(foreign) - 1} more" if len(foreign) > 1 else ""
    raise InputError(
        f"{source_name(foreign[0])}{more} would be overwritten, but gemhunter did not write this version; "
        f"move or delete {'them' if more else 'it'}, or add --force"
    )


def is_own(path: Path) -> bool:
    """Whether a file can be replaced without loss: it is missing, or exactly what this program wrote.

    The list can be in the file's folder or, for a test case in a folder of its own, in the one above.
    """
    try:
        if not path.is_file():
            return not path.exists()
        written = _checksum(path.read_bytes())
    except OSError:
        return False
    place = path.absolute()
    return any(
        written == _read_list(folder).get(_written_name(place, folder)) for folder in place.parents[:2]
    )


def note_written(folder: Path, texts: Mapping[Path, str]) -> None:
    """Add files in a folder or its subfolders, with the texts written to them, to the folder's list."""
    place = folder.absolute()
    listed = _read_list(place)
    listed |= {_written_name(path.absolute(), place): _checksum(utf8(text)) for path, text in texts.items()}
    write_atomically(folder / OWN_FILES, "".join(f"{listed[name]}  {name}\n" for name in sorted(listed)))


def _read_list(folder: Path) -> dict[str, str]:
    """The checksum of each file in the folder's list; other lines are ignored."""
    place = folder / OWN_FILES
    try:
        text = read_bytes(place, LARGEST_LIST, "a list").decode() if place.is_file() else ""
    except (OSError, InputError, UnicodeDecodeError):
        return {}
    entries = (line.partition("  ") for line in text.splitlines())
    return {name: written for written, gap, name in entries if gap}


def _written_name(path: Path, folder: Path) -> str:
    """What the list calls a file, in one line."""
    return printable(path.relative_to(folder).as_posix())


def _is_link(path: Path) -> bool:
    """Whether a path is a link or, on Windows, a junction, which Python knows since 3.12."""
    is_junction = getattr(os.path, "isjunction", None)
    return path.is_symlink() or (is_junction is not None and bool(is_junction(path)))


def _checksum(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


# `gemhunter solve`: running times of several boards and engines.
#
# They are printed, and written as `result_times.txt` and `times.csv`.


CSV_COLUMNS = ("board", "rows", "cols", "unknown", "clues", "engine", "outcome", "seconds", "reason", "mode")
UNREADABLE_BOARD = "unreadable"


def screen_table(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> list[list[str]]:
    """A heading and a row per board, with a column per engine; times have the units that suit them."""
    return [["board", "size", *_engines(results)], *_rows(results, unreadable, _screen_time)]


def page_table(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> list[list[str]]:
    """A heading and a row per board, with a column of seconds per engine."""
    headings = ["board", "size", *(f"{engine} (s)" for engine in _engines(results))]
    return [headings, *_rows(results, unreadable, lambda each: CaseTime(each.seconds, _ending(each)).text)]


def _rows(
    results: Sequence[Result], unreadable: Sequence[BoardFile], show: Callable[[Result], str]
) -> list[list[str]]:
    engines = _engines(results)
    boards = dict(_by_board(results))
    names = dict(zip([*boards, *unreadable], short_names([*boards, *unreadable]), strict=True))
    rows = []
    for board, of_board in boards.items():
        times = {result.engine: show(result) for result in of_board}
        rows.append([names[board], _size(of_board, "×"), *(times.get(engine, "") for engine in engines)])
    # Without any engine's column, the size has to say that a board is unreadable.
    unread = ["", UNREADABLE_BOARD, *[""] * (len(engines) - 1)] if engines else [UNREADABLE_BOARD]
    return rows + [[names[board], *unread] for board in unreadable]


def short_names(boards: Sequence[BoardFile]) -> list[str]:
    """The paths of several boards, without the folders that all of them share."""
    if len(boards) < 2:
        return [board.path for board in boards]
    parts = [Path(board.path).parts for board in boards]
    folders = zip(*(each[:-1] for each in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, folders))
    return [str(Path(*each[shared:])) for each in parts]


def result_times(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> str:
    """The table of a course report: test case, size, and seconds with six decimals for each engine."""
    engines = _engines(results)
    cases = [
        CaseRow(
            board.case,
            _size(of_board, "x"),
            {result.engine: CaseTime(result.seconds, _ending(result)) for result in of_board},
        )
        for board, of_board in _by_board(results)
    ]
    unread = {engine: CaseTime(None, UNREADABLE_BOARD) for engine in engines[:1]}
    size = "" if engines else UNREADABLE_BOARD.capitalize()
    cases += [CaseRow(board.case, size, unread) for board in unreadable]
    return result_times_text(engines, cases, mode_of(results))


def result_times_text(engines: Sequence[str], cases: Sequence[CaseRow], mode: str | None = None) -> str:
    """The table of a course report as a file has it; `mode`, how engines ran, is below the table."""
    table = "\n".join(aligned(result_times_rows(engines, cases))) + "\n"
    return table if mode is None else f"{table}\n{mode}\n"


def times_csv(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> str:
    """A row per board and engine, for programs."""
    rows: list[Sequence[object]] = [CSV_COLUMNS]
    mode = current_mode() if is_installed() else Mode.NEVER
    own = {Mode.ALWAYS: "compiled", Mode.NEVER: "plain", Mode.AUTO: ""}[mode]
    for result in results:
        cells, record = result.grid.cells, result_record(result)
        shape = [*cells.shape, np.count_nonzero(cells == HIDDEN), np.count_nonzero(cells >= 0)]
        seconds = "" if result.seconds is None else seconds_in_file(result.seconds)
        ending = [result.engine, record["outcome"], seconds, record["reason"]]
        ending.append(own if is_written_here(result.engine) else "")
        rows.append([result.board.path, *shape, *ending])
    rows += ([board.path, *[""] * 5, UNREADABLE_BOARD, "", "", ""] for board in unreadable)
    return csv_rows(rows)


def mode_of(results: Sequence[Result]) -> str | None:
    """How engines written here ran; None if there are none, or if a single run decided for itself."""
    if not any(is_written_here(engine) for engine in _engines(results)) or current_mode() is Mode.AUTO:
        return None
    return mode_text(compiled=current_mode() is Mode.ALWAYS and is_installed())


def _engines(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.engine for result in results))


def _by_board(results: Sequence[Result]) -> Iterator[tuple[BoardFile, list[Result]]]:
    for board, group in groupby(results, key=lambda result: result.board):
        yield board, list(group)


def _size(results: Sequence[Result], between: str) -> str:
    return between.join(map(str, results[0].grid.cells.shape))


def _screen_time(result: Result) -> str:
    ending = _ending(result)
    if result.seconds is None:
        return ending
    return seconds_text(result.seconds) + (f" ({ending})" if ending else "")


def _ending(result: Result) -> str:
    """What a table of times says beside the time: nothing for a solution."""
    if isinstance(result.answer, Failure):
        return "failed"
    match result.answer.outcome:
        case Solved():
            return ""
        case Refuted():
            return "no solution"
        case GaveUp(limit):
            return gave_up_words(limit)


# Results of `gemhunter solve`, printed as they come and written to files at the end.


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


# `gemhunter solve --all`: all solutions of a board, printed as they are found.


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


# `gemhunter solve FORMULA.cnf`: formulas in, `s` and `v` lines out.


FORMULA_SOLVE_OPTIONS = (
    *("engine", "time_limit", "step_limit", "memory_limit", "seed"),
    *("form", "output", "proof_file", "quiet"),
)
"""Options that are not about boards."""

TABLE_FIELDS = ("formula", "variables", "clauses", "engine", "outcome")
"""The fields of a result's record that a table of times has, before the time and the reason."""

LINE_WIDTH = 78
"""Characters of a `v` line, as CaDiCaL and Kissat print it."""


def solve_formulas(
    formulas: Sequence[str],
    question: Question,
    *,
    form: SolveForm,
    output: Path | None,
    proof_file: Path | None,
) -> int:
    """Ask every engine about every formula; returns the exit code."""
    refuse_options_about_boards(formulas[0], *FORMULA_SOLVE_OPTIONS)
    engines = question.formula_engines()
    several = len(formulas) > 1 or len(engines) > 1
    for option, given in (("--format sat", form == "sat"), ("--proof", question.proof)):
        if given and several:
            raise click.UsageError(f"{option} takes one formula and one engine")
    printed = _FormulaPrintout(form, several=several, shown=output is None)
    progress = Progress(len(formulas) * len(engines))
    try:
        for result in formula_answers(formulas, engines, question, progress=progress, cancel=is_pending):
            printed.add(result)
        stop_if_pending()
    finally:
        printed.finish(output)
    if proof_file is not None and printed.results:
        _save_proof(printed.results[0], proof_file)
    return printed.exit_code


class _FormulaPrintout:
    """The results so far; `several` says that more than one was asked for.

    Unless `shown`, nothing goes to standard output: all of it is for a file.
    """

    def __init__(self, form: SolveForm, *, several: bool, shown: bool) -> None:
        self.results: list[FormulaResult] = []
        self._form, self._several, self._is_shown, self._unreadable = form, several, shown, False

    @property
    def exit_code(self) -> int:
        """The highest code of all results; `sat` has the codes of SAT competitions."""
        codes = [_formula_exit_code(result) for result in self.results] + [BAD_INPUT] * self._unreadable
        code = max(codes, default=SOLVED)
        return SAT_COMPETITION.get(code, code) if self._form == "sat" else code

    def add(self, result: FormulaResult | InputError) -> None:
        """Print one result, unless the form is one document."""
        if isinstance(result, InputError):
            self._unreadable = True
            complain(result)
            return
        if isinstance(result.answer, Failure):
            complain(result.answer.message)
        self.results.append(result)
        if self._is_shown and self._form not in ONE_DOCUMENT:
            click.echo(self._printed(result), nl=False)

    def finish(self, output: Path | None) -> None:
        """Write the file, with the results so far, and print what comes last."""
        if not self.results:
            return
        answers = counted(len(self.results), "answer")
        if output is not None or self._form in ONE_DOCUMENT:
            print_or_write(self._document(), output, answers)

    def _document(self) -> str:
        """All results for a file: what was printed, with exact times."""
        if self._form == "json":
            return one_or_list([*map(formula_result_record, self.results)], several=self._several)
        if self._form in ONE_DOCUMENT:
            return table_text(self._form, _times_table(self.results))
        return "".join(self._printed(result, in_file=True) for result in self.results)

    def _printed(self, result: FormulaResult, *, in_file: bool = False) -> str:
        if self._form == "jsonl":
            return json_text(formula_result_record(result)) + "\n"
        return _formula_sat_lines(result) if self._form == "sat" else _text(result, in_file=in_file)


def _save_proof(result: FormulaResult, file: Path) -> None:
    """Write the proof of an unsatisfiable formula, or say why there is none."""
    if isinstance(result.answer, Failure):
        return
    outcome = result.answer.outcome
    if isinstance(outcome, Unsatisfiable):
        write_proof(file, outcome.proof, result.answer.engine)
    else:
        why = "the formula has a model" if isinstance(outcome, Satisfied) else "the engine gave up"
        note(f"{file}: not written, {why}")


def _formula_exit_code(result: FormulaResult) -> int:
    """What the command returns if this is the only result."""
    if isinstance(result.answer, Failure):
        return ENGINE_FAILED
    match result.answer.outcome:
        case Satisfied():
            return SOLVED
        case Unsatisfiable():
            return NO_SOLUTION
        case GaveUp():
            return GAVE_UP


def _text(result: FormulaResult, *, in_file: bool) -> str:
    """The formula and the engine as comments, and the result of a SAT competition."""
    size = f"{counted(result.formula.variables, 'variable')}, {counted(result.formula.size, 'clause')}"
    show = (lambda seconds: f"{seconds_in_file(seconds)} s") if in_file else seconds_text
    return f"c {result.path}: {size}\nc {_comment(result, show)}\n{_formula_sat_lines(result)}"


def _comment(result: FormulaResult, show: Callable[[float], str]) -> str:
    engine = f"[{result.engine}]"
    if isinstance(result.answer, Failure):
        return f"{engine} failed: {result.answer.message.removeprefix(f'{result.engine}: ')}"
    taken = show(sum(result.answer.seconds.values()))
    match result.answer.outcome:
        case Satisfied():
            return f"{engine} satisfiable, in {taken}"
        case Unsatisfiable():
            return f"{engine} unsatisfiable, in {taken}"
        case GaveUp() as gave_up:
            return f"{engine} gave up after {taken}: {gave_up.reason}"


def _formula_sat_lines(result: FormulaResult) -> str:
    """An `s` line, and `v` lines with a literal for each variable; nothing if the engine failed."""
    if isinstance(result.answer, Failure):
        return ""
    match result.answer.outcome:
        case Satisfied():
            return f"s SATISFIABLE\n{value_lines(result.answer.model or [])}"
        case Unsatisfiable():
            return "s UNSATISFIABLE\n"
        case GaveUp():
            return "s UNKNOWN\n"


def value_lines(model: Sequence[int]) -> str:
    """The literals of a model and a 0, in `v` lines that fit into a terminal."""
    lines, line = [], "v"
    for word in (*map(str, model), "0"):
        if len(line) + 1 + len(word) > LINE_WIDTH:
            lines.append(line)
            line = "v"
        line += f" {word}"
    return "\n".join([*lines, line, ""])


def _times_table(results: Sequence[FormulaResult]) -> RecordTable:
    """A row per formula and engine: how large the formula is, what came out, and how long that took."""
    records = []
    for result in results:
        record = formula_result_record(result)
        seconds = "" if result.seconds is None else seconds_in_file(result.seconds)
        kept = {name: record[name] for name in TABLE_FIELDS}
        records.append({**kept, "seconds": seconds, "reason": record["reason"] or ""})
    headings = [*TABLE_FIELDS, "seconds", "reason"]
    return RecordTable(headings, [[*map(str, record.values())] for record in records], records)


# `gemhunter solve`: boards in, answers out.


@dataclass(frozen=True, slots=True)
class SolveOptions:
    """The options of `gemhunter solve`."""

    engine: tuple[str, ...]
    total: int | None
    zero: Zero
    time_limit: float | None
    step_limit: int | None
    memory_limit: int | None
    seed: int
    encoding: str | None
    form: SolveForm
    output: Path | None
    proof_file: Path | None
    workers: int
    every: bool
    limit: int | None
    force: bool

    @property
    def question(self) -> Question:
        """What each engine is asked."""
        limits = Limits(self.time_limit, self.step_limit, self.memory_limit)
        return Question(self.engine, limits, self.seed, self.proof_file is not None, self.encoding)

    @property
    def reading(self) -> BoardReading:
        """How boards are read."""
        return BoardReading(self.zero, self.total)


@click.command()
@click.argument("boards", nargs=-1, required=True, metavar="BOARD...", shell_complete=complete_board)
@engine_option("Engine to ask; may be given several times.", multiple=True)
@traps_option
@seconds_option("Give up after this many seconds, per board and engine.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up after this many steps; `gemhunter engines NAME` says what a step is.",
)
@memory_option
@click.option("--seed", type=SEED, default=0, show_default=True, help="Seed of randomised engines.")
@zero_option
@click.option(
    "--format",
    "form",
    type=click.Choice(["text", "json", "jsonl", "csv", "md", "sat"]),
    default="text",
    show_default=True,
    help="How to print results; `csv` and `md` print a table of times, `sat` prints `s` and `v` lines and "
    "returns 10, 20 or 0.",
)
@plain_option
@output_option("the answers")
@quiet_option
@click.option(
    "--encoding",
    metavar="NAME",
    help="How clues become clauses, for engines that read clauses; the names are those of `gemhunter cnf`.",
)
@click.option(
    "-j",
    "--workers",
    type=AT_LEAST_ONE,
    default=1,
    show_default=True,
    metavar="N",
    help="Worker processes that solve boards at the same time.",
)
@click.option("--all", "every", is_flag=True, help="One board: all its solutions, one after the other.")
@click.option("--limit", type=AT_LEAST_ONE, metavar="N", help="With --all: no more than N solutions.")
@click.option(
    "--proof",
    "proof_file",
    type=OutputFile(),
    metavar="FILE",
    help="Write the proof that a board has no solution to FILE.",
)
@click.option(
    "--force",
    is_flag=True,
    help="A folder of test cases: overwrite output files and tables that gemhunter did not write.",
)
@options_as(SolveOptions)
def solve(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Fill in boards, or show that it cannot be done.

    BOARD is a file, a folder, or - for standard input. The board is shown, then the map and the running
    time of each engine. In a folder of test cases (testcase_1/input_1.txt) each gets its output_1.txt, and
    the times go to result_times.txt and times.csv. Engines written here run all compiled, or all as plain
    Python if that takes less time, and the table says which. Files of these names that gemhunter did not
    write, or that were changed since, are kept unless --force is given. Files in a folder that are
    not boards are skipped. A formula in DIMACS, by its name (.cnf) or its first line, is answered with `s`
    and `v` lines.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt -e pysat:glucose4 -e pysat:minicard -o answers.txt
      gemhunter solve testcases/ --time-limit 10 --workers 4
      gemhunter solve board.txt -e cdcl --encoding totalizer
      gemhunter solve *.txt -e cdcl -e dpll --format md
      gemhunter solve position.txt --traps 10 --format json
      gemhunter solve board.txt --proof board.drat
      gemhunter solve board.txt --all --limit 10
      gemhunter solve formula.cnf -e cdcl -e pysat:glucose4
    """
    if are_formulas(boards):
        question = replace(options.question, engines=_formula_engines(options.engine))
        return solve_formulas(
            boards, question, form=options.form, output=options.output, proof_file=options.proof_file
        )
    if options.limit is not None and not options.every:
        raise click.UsageError("--limit needs --all")
    if options.every and options.workers > 1:
        raise click.UsageError("--all takes no --workers")
    return _solve_all(boards, options) if options.every else _solve_each(boards, options)


def _solve_each(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Ask every engine about every board."""
    several = len(boards) > 1 or len(options.engine) > 1 or any(map(is_folder, boards))
    if options.form == "sat" and several:
        raise click.UsageError("--format sat takes one board and one engine")
    if options.proof_file is not None and several:
        raise click.UsageError("--proof takes one board and one engine")
    question = options.question
    if question.encoding is not None:  # clauses go to an engine that reads clauses
        question = replace(question, engines=_formula_engines(options.engine))
    found = find_boards(boards)
    folders = [Path(board) for board in boards if is_folder(board)]
    printed = Printout(options.form, several=several, force=options.force, shown=options.output is None)
    printed.require_own_files(found.boards, folders)
    read = _reader(options.reading)
    with compiling_everywhere(_mode(found.boards, question, read)):
        try:
            for event in _ask(found.boards, question, options.workers, read):
                printed.add(event)
            stop_if_pending()
        finally:
            printed.finish(options.output, folders)
    if found.skipped:
        note(skipped_text(found.skipped))
    for fault in found.faults:
        complain(fault)
    if options.proof_file is not None:
        save_proof(printed.results, options.proof_file)
    return max(printed.exit_code, BAD_INPUT) if found.faults else printed.exit_code


def _reader(reading: BoardReading) -> Reader:
    """Reads boards as often as they are asked for; standard input can be read only once, so it is kept."""
    standard_input = cache(partial(reading.read, STDIN))
    return lambda path: standard_input() if path == STDIN else reading.read(path)


def _mode(boards: Sequence[BoardFile], question: Question, read: Reader) -> Mode:
    """Whether engines written here run compiled, decided once for all boards and engines."""
    engines = question.board_engines()
    progress = Progress(len(boards) * len(engines))
    return choose_mode(boards, engines, question, read=read, progress=progress, cancel=is_pending)


def _ask(boards: Sequence[BoardFile], question: Question, workers: int, read: Reader) -> Iterator[BatchEvent]:
    """The boards and their results, found by this process or by several workers."""
    engines = question.board_engines()
    progress = Progress(len(boards) * len(engines))
    if min(workers, len(boards) * len(engines)) <= 1:
        return answers(boards, engines, question, read=read, progress=progress, cancel=is_pending)
    # Imported here, because importing what starts processes takes a while.
    from gemhunter.questions.batch import Interrupts, parallel_answers

    interrupts = Interrupts(listen, is_pending)
    return parallel_answers(boards, question, workers, read=read, progress=progress, interrupts=interrupts)


def _formula_engines(given: tuple[str, ...]) -> tuple[str, ...]:
    """The engines to ask about clauses: those that were given, else the default for formulas."""
    source = click.get_current_context().get_parameter_source("engine")
    return (FORMULA_ENGINE,) if source is ParameterSource.DEFAULT else given


def _solve_all(boards: tuple[str, ...], options: SolveOptions) -> int:
    """Print all solutions of one board, without the options that are about engines."""
    if len(boards) > 1 or is_folder(boards[0]):
        raise click.UsageError("--all takes one board")
    if options.form not in ("text", "json", "jsonl"):
        raise click.UsageError(f"--all prints text, json or jsonl, not {options.form}")
    unusable = {
        "engine": options.engine != ("auto",),
        "memory-limit": options.memory_limit is not None,
        "seed": options.seed != 0,
        "proof": options.proof_file is not None,
        "encoding": options.encoding is not None,
    }
    for name, is_given in unusable.items():
        if is_given:
            raise click.UsageError(f"--all takes no --{name}")
    position = options.reading.read_and_warn(boards[0])
    limits = Limits(options.time_limit, options.step_limit)
    return print_all(boards[0], position, options.form, options.output, limits=limits, limit=options.limit)
