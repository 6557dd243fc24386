"""Which files of a folder are boards, and which lie beside them."""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError

SUFFIXES = (".txt", ".csv", ".json")
TIMES_FILE = "times.csv"
TIMES_TABLE = "result_times.txt"
NOT_BOARDS = ("index.csv", TIMES_FILE, TIMES_TABLE)
"""Tables that stand beside boards."""

TEST_CASE_INPUT = re.compile(r"input_?(\d*)\.txt")

BYTES_LOOKED_AT = 2**16
"""Of each file in a folder, to tell boards from other files."""

MOST_NAMED = 3
"""Skipped files that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class BoardFolder:
    """The boards of a folder in natural order: test cases in folders of their own, then files in the folder.

    `skipped` are the files that could be boards by their suffix and are none.
    """

    cases: tuple[Path, ...]
    files: tuple[Path, ...]
    skipped: tuple[Path, ...]


def look_into(folder: Path) -> BoardFolder:
    """The boards of a folder; raises `InputError` if it has none."""
    cases = sorted((path for path in folder.glob("*/*") if is_test_case(path)), key=natural_order)
    files = sorted((path for path in folder.iterdir() if _is_candidate(path)), key=natural_order)
    is_board = {path: _is_board(path) for path in files}
    boards, skipped = ([path for path in files if is_board[path] == wanted] for wanted in (True, False))
    if not cases and not boards:
        expected = "*.txt, *.csv, *.json or testcase_1/input_1.txt"
        rest = f" ({skipped_text(skipped)})" if skipped else ""
        raise InputError(f"no boards in {folder}; expected {expected}{rest}")
    return BoardFolder(tuple(cases), tuple(boards), tuple(skipped))


def natural_order(path: Path) -> list[tuple[int, str]]:
    """Sorts `testcase_2` before `testcase_10`."""
    parts = re.split(r"([0-9]+)", str(path))
    return [(int(part or 0), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def is_test_case(path: Path) -> bool:
    """Whether a file has the name of a test case, such as `input_1.txt`."""
    return TEST_CASE_INPUT.fullmatch(path.name) is not None


def skipped_text(skipped: Sequence[Path]) -> str:
    """A line about the files of a folder that are no boards."""
    named = ", ".join(path.name for path in skipped[:MOST_NAMED])
    more = f" and {len(skipped) - MOST_NAMED} more" if len(skipped) > MOST_NAMED else ""
    files = "1 file that is no board" if len(skipped) == 1 else f"{len(skipped)} files that are no boards"
    return f"skipped {files}: {named}{more}"


def _is_candidate(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()


def _is_board(path: Path) -> bool:
    """Whether a file is meant as a board: by its name if that says it, else by how it begins.

    A file that cannot be opened counts as one, so that the error is seen.
    """
    from gemhunter.formats.board_looks import looks_like_board

    if is_test_case(path):
        return True
    if path.name in NOT_BOARDS or path.name.startswith("output"):
        return False
    try:
        with path.open("rb") as stream:
            begin = stream.read(BYTES_LOOKED_AT)
    except OSError:
        return True
    if begin.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return looks_like_board(begin.decode("utf-16", errors="replace"))
    return b"\0" not in begin and looks_like_board(begin.decode("utf-8-sig", errors="replace"))
