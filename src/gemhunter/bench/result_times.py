"""Tables of running times, boards × engines: on the screen, `times.csv`, and a course's `result_times.txt`.

`bench` and `solve` write the table of a course report; the other tables are those of `solve`.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, takewhile
from pathlib import Path

import numpy as np

from gemhunter.board.grid import HIDDEN
from gemhunter.files.folders import BoardFile
from gemhunter.files.text_tables import aligned, csv_rows
from gemhunter.jit.choice import Mode, current_mode, is_installed
from gemhunter.questions.batch import Failure, Result, is_written_here
from gemhunter.records.engines import result_record
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved, StopReason
from gemhunter.wording import seconds_in_file, seconds_text

GAVE_UP_WORDS = {
    StopReason.STEPS: "exceeded max attempts",
    StopReason.ATTEMPTS: "exceeded max attempts",
    StopReason.TIME: "exceed time",
    StopReason.MEMORY: "exceeded memory",
    StopReason.STUCK: "stuck",
}
"""Why an engine gave up, in words for a table; the first three are those of course reports."""


def mode_text(*, compiled: bool) -> str:
    """The line below a table of times that says how the engines of this package ran."""
    return f"the engines of Gem Hunter ran {'compiled' if compiled else 'as plain Python'}"


def gave_up_words(reason: StopReason | None) -> str:
    """Why an engine gave up, in words for a table; None is an unknown reason."""
    return "gave up" if reason is None else GAVE_UP_WORDS.get(reason, "gave up")


@dataclass(frozen=True, slots=True)
class CaseTime:
    """An engine on a test case: its seconds, if known, and what happened if it found no solution."""

    seconds: float | None
    ending: str = ""

    @property
    def text(self) -> str:
        """Both for a file, as in `7.615532 (Exceeded max attempts)`."""
        words = self.ending.capitalize()
        if self.seconds is None:
            return words
        return seconds_in_file(self.seconds) + (f" ({words})" if words else "")

    @property
    def on_screen(self) -> str:
        """Both for the screen, as in `7.62 s (exceeded max attempts)`."""
        if self.seconds is None:
            return self.ending
        return seconds_text(self.seconds) + (f" ({self.ending})" if self.ending else "")


@dataclass(frozen=True, slots=True)
class CaseRow:
    """A test case: its number or name, its size, and the result of each engine."""

    case: str
    size: str
    times: Mapping[str, CaseTime]


def result_times_text(engines: Sequence[str], cases: Sequence[CaseRow], mode: str | None = None) -> str:
    """The table of a course report in the layout of S2's file; `mode` is a line below the table."""
    headings = ["Testcase", "Size", *(f"{engine} (s)" for engine in engines)]
    nothing = CaseTime(None)
    rows = ([row.case, row.size, *(row.times.get(name, nothing).text for name in engines)] for row in cases)
    table = "\n".join(aligned([headings, *rows])) + "\n"
    return table if mode is None else f"{table}\n{mode}\n"


def case_names(boards: Sequence[str]) -> list[str]:
    """The numbers of boards such as `testcase_3`, the names of others; all names if two would be equal."""
    numbered = re.compile(r"(?:(?:test[_-]?)?case|input)[_-]?(\d+)", re.IGNORECASE)
    names = [numbered.sub(r"\1", board) if numbered.fullmatch(board) else board for board in boards]
    return names if len(set(names)) == len(names) else list(boards)


# The tables that `gemhunter solve` makes of its results.


UNREADABLE_BOARD = "unreadable"


def times_table(
    results: Sequence[Result], unreadable: Sequence[BoardFile], *, in_file: bool
) -> list[list[str]]:
    """A heading and a row per board, with a column per engine; times in a file are in seconds."""
    engines = _engines(results)
    boards = dict(by_board(results))
    names = dict(zip([*boards, *unreadable], short_names([*boards, *unreadable]), strict=True))
    rows = [["board", "size", *(f"{engine} (s)" if in_file else engine for engine in engines)]]
    for board, of_board in boards.items():
        times = {result.engine: CaseTime(result.seconds, _ending(result)) for result in of_board}
        shown = {engine: time.text if in_file else time.on_screen for engine, time in times.items()}
        rows.append([names[board], _size(of_board, "×"), *(shown.get(engine, "") for engine in engines)])
    # If no engine has a column, the size says that a board is unreadable.
    unread = ["", UNREADABLE_BOARD, *[""] * (len(engines) - 1)] if engines else [UNREADABLE_BOARD]
    return rows + [[names[board], *unread] for board in unreadable]


def short_names(boards: Sequence[BoardFile]) -> list[str]:
    """The paths of several boards without the folders that they have in common."""
    if len(boards) < 2:
        return [board.path for board in boards]
    parts = [Path(board.path).parts for board in boards]
    folders = zip(*(path[:-1] for path in parts), strict=False)
    shared = sum(1 for _ in takewhile(lambda names: len(set(names)) == 1, folders))
    return [str(Path(*path[shared:])) for path in parts]


def result_times(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> str:
    """The table of a course report: test case, size, and seconds with six decimals for each engine."""
    engines = _engines(results)
    cases = [
        CaseRow(
            board.case,
            _size(of_board, "x"),
            {result.engine: CaseTime(result.seconds, _ending(result)) for result in of_board},
        )
        for board, of_board in by_board(results)
    ]
    unread = {engine: CaseTime(None, UNREADABLE_BOARD) for engine in engines[:1]}
    size = "" if engines else UNREADABLE_BOARD.capitalize()
    cases += [CaseRow(board.case, size, unread) for board in unreadable]
    return result_times_text(engines, cases, mode_of(results))


def times_csv(results: Sequence[Result], unreadable: Sequence[BoardFile]) -> str:
    """A row per board and engine, for programs."""
    shape = ("rows", "cols", "unknown", "clues")
    rows: list[Sequence[object]] = [("board", *shape, "engine", "outcome", "seconds", "reason", "mode")]
    mode = current_mode() if is_installed() else Mode.NEVER
    own = {Mode.ALWAYS: "compiled", Mode.NEVER: "plain", Mode.AUTO: ""}[mode]
    for result in results:
        cells, record = result.grid.cells, result_record(result)
        counts = [np.count_nonzero(cells == HIDDEN), np.count_nonzero(cells >= 0)]
        seconds = "" if result.seconds is None else seconds_in_file(result.seconds)
        ending = [record["outcome"], seconds, record["reason"]]
        ran = own if is_written_here(result.engine) else ""
        rows.append([result.board.path, *cells.shape, *counts, result.engine, *ending, ran])
    rows += ([board.path, *[""] * 5, UNREADABLE_BOARD, "", "", ""] for board in unreadable)
    return csv_rows(rows)


def mode_of(results: Sequence[Result]) -> str | None:
    """How our own engines ran; None if there are none, or if each run chose its own mode."""
    if not any(is_written_here(engine) for engine in _engines(results)) or current_mode() is Mode.AUTO:
        return None
    return mode_text(compiled=current_mode() is Mode.ALWAYS and is_installed())


def _engines(results: Sequence[Result]) -> list[str]:
    return list(dict.fromkeys(result.engine for result in results))


def by_board(results: Sequence[Result]) -> Iterator[tuple[BoardFile, list[Result]]]:
    """The results about each board."""
    for board, group in groupby(results, key=lambda result: result.board):
        yield board, list(group)


def _size(results: Sequence[Result], between: str) -> str:
    return between.join(map(str, results[0].grid.cells.shape))


def _ending(result: Result) -> str:
    """The words next to a time: why there is no solution, or nothing for a solution."""
    if isinstance(result.answer, Failure):
        return "failed"
    match result.answer.outcome:
        case Solved():
            return ""
        case Refuted():
            return "no solution"
        case GaveUp(reason):
            return gave_up_words(reason)
