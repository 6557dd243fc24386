"""Running times of several boards and engines: on the screen, as `result_times.txt` and as `times.csv`."""

import csv
import io
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.cli.board_files import BoardFile
from gemhunter.cli.screen import aligned
from gemhunter.core.grid import HIDDEN
from gemhunter.render.times import seconds_in_file, seconds_text

if TYPE_CHECKING:
    from gemhunter.cli.results import Result

CSV_COLUMNS = ("board", "rows", "cols", "unknown", "clues", "engine", "outcome", "seconds", "reason")
UNREADABLE = "unreadable"
NOT_OURS = {"auto", "pysat", "cp-sat", "cmd"}
"""Engines that run compiled code of other people, always or on small boards."""


@dataclass(frozen=True, slots=True)
class _Look:
    """How a table writes the name of a board, its size, a time, and what else happened."""

    name: Callable[[BoardFile], str]
    size: str
    time: Callable[[float], str]
    words: Callable[[str], str]


_ON_SCREEN = _Look(lambda board: board.path, "{}×{}", seconds_text, str)
_IN_FILE = _Look(lambda board: board.case, "{}x{}", seconds_in_file, str.capitalize)


def screen_table(results: Sequence["Result"], unreadable: Sequence[BoardFile]) -> list[list[str]]:
    """A heading and a row per board, with a column per engine."""
    return [["board", "size", *_engines(results)], *_rows(results, unreadable, _ON_SCREEN)]


def result_times(results: Sequence["Result"], unreadable: Sequence[BoardFile]) -> str:
    """The table of a course report: test case, size, and seconds with six decimals for each engine."""
    headings = ["Testcase", "Size", *(f"{engine} (s)" for engine in _engines(results))]
    return "\n".join(aligned([headings, *_rows(results, unreadable, _IN_FILE)])) + "\n"


def times_csv(results: Sequence["Result"], unreadable: Sequence[BoardFile]) -> str:
    """A row per board and engine, for programs."""
    text = io.StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(CSV_COLUMNS)
    for result in results:
        cells, record = result.grid.cells, result.record()
        shape = [*cells.shape, np.count_nonzero(cells == HIDDEN), np.count_nonzero(cells >= 0)]
        seconds = "" if result.seconds is None else seconds_in_file(result.seconds)
        table.writerow(
            [result.board.path, *shape, result.engine, record["outcome"], seconds, record["reason"]]
        )
    table.writerows([board.path, *[""] * 5, UNREADABLE, "", ""] for board in unreadable)
    return text.getvalue()


def note_on_compiling(results: Sequence["Result"]) -> str | None:
    """What a reader of times must know if small boards were solved by plain Python and large ones not."""
    from gemhunter.compiling.choice import Mode, current_mode, is_installed
    from gemhunter.solving.registry import BUILT_IN

    own = [name for name in _engines(results) if name.partition(":")[0] in BUILT_IN.keys() - NOT_OURS]
    if not own or current_mode() is not Mode.AUTO or not is_installed():
        return None
    return (
        "note: engines written here run short searches as plain Python; for times to compare, set "
        "GEMHUNTER_COMPILE=always"
    )


def _engines(results: Sequence["Result"]) -> list[str]:
    return list(dict.fromkeys(result.engine for result in results))


def _rows(results: Sequence["Result"], unreadable: Sequence[BoardFile], look: _Look) -> list[list[str]]:
    """A row per board: its name, its size, and for each engine its time and what else happened."""
    engines = _engines(results)
    rows = []
    for board, group in groupby(results, key=lambda result: result.board):
        of_board = list(group)
        times = {result.engine: _time(result, look) for result in of_board}
        size = look.size.format(*of_board[0].grid.cells.shape)
        rows.append([look.name(board), size, *(times.get(engine, "") for engine in engines)])
    unread = [look.words(UNREADABLE), *[""] * (len(engines) - 1)] if engines else []
    # Without any engine's column, the size has to say it.
    size = "" if engines else look.words(UNREADABLE)
    return rows + [[look.name(board), size, *unread] for board in unreadable]


def _time(result: "Result", look: _Look) -> str:
    words = look.words(result.ending)
    if result.seconds is None:
        return words
    return look.time(result.seconds) + (f" ({words})" if words else "")
