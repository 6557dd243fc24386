"""`gemhunter solve`: running times of several boards and engines.

They are printed, and written as `result_times.txt` and `times.csv`.
"""

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, takewhile
from pathlib import Path

import numpy as np

from gemhunter.cli.screen import aligned
from gemhunter.compiling.choice import Mode, current_mode, is_installed
from gemhunter.core.grid import HIDDEN
from gemhunter.formats.board_files import BoardFile
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.queries.batch import Failure, Result, is_written_here
from gemhunter.records.reports import result_record
from gemhunter.render.times import seconds_in_file, seconds_text
from gemhunter.report.tables.result_times import (
    CaseRow,
    CaseTime,
    gave_up_words,
    mode_text,
    result_times_rows,
)
from gemhunter.solving.outcomes import GaveUp, Refuted, Solved

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
