"""Which files of a folder are boards, and which lie beside them."""

import codecs
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.file_kinds import fault_of, reason_of
from gemhunter.formats.files import source_name

SUFFIXES = (".txt", ".csv", ".json")
TIMES_FILE = "times.csv"
TIMES_TABLE = "result_times.txt"
TABLES = (TIMES_TABLE, TIMES_FILE)
"""What a folder of test cases gets."""

NOT_BOARDS = ("index.csv", *TABLES)
"""Tables that stand beside boards."""

TEST_CASE_INPUT = re.compile(r"input_?(\d*)\.txt")

BYTES_LOOKED_AT = 2**16
"""Of each file in a folder, to tell boards from other files."""

MOST_NAMED = 3
"""Skipped files that are named; the others are counted."""


@dataclass(frozen=True, slots=True)
class BoardFolder:
    """The boards of a folder in natural order: test cases in folders of their own, then files in the folder.

    `skipped` are the files that could be boards by their suffix and are none. `faults` has a line for each
    folder and each board that cannot be opened.
    """

    cases: tuple[Path, ...]
    files: tuple[Path, ...]
    skipped: tuple[Path, ...]
    faults: tuple[str, ...] = ()

    def require_whole(self) -> None:
        """Raise `InputError` if something in the folder cannot be opened."""
        if self.faults:
            raise InputError("\n".join(self.faults))


def look_into(folder: Path) -> BoardFolder:
    """The boards of a folder; raises `InputError` if it has none."""
    faults: list[str] = []
    inside = _inside(folder, faults)
    hidden = {path for path in inside if path.name.startswith(".")}
    folders = [path for path in inside if path not in hidden and path.is_dir()]
    cases = [path for each in folders for path in _inside(each, faults) if is_test_case(path)]
    files = [path for path in inside if path not in hidden and _is_candidate(path)]
    cases, files = _openable(cases, faults), _openable(files, faults)
    is_board = {path: _is_board(path) for path in files}
    boards, skipped = ([path for path in files if is_board[path] == wanted] for wanted in (True, False))
    if not cases and not boards:
        expected = "*.txt, *.csv, *.json or testcase_1/input_1.txt"
        rest = f" ({skipped_text(skipped)})" if skipped else ""
        missing = f"no boards in {source_name(folder)}; expected {expected}{rest}"
        raise InputError("\n".join(faults) or missing)
    return BoardFolder(tuple(cases), tuple(boards), tuple(skipped), tuple(faults))


def natural_order(path: Path) -> list[tuple[int, str]]:
    """Sorts `testcase_2` before `testcase_10`."""
    parts = re.split(r"([0-9]+)", str(path))
    return [(int(part or 0), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def is_test_case(path: Path) -> bool:
    """Whether a file has the name of a test case, such as `input_1.txt`."""
    return TEST_CASE_INPUT.fullmatch(path.name) is not None


def skipped_text(skipped: Sequence[Path]) -> str:
    """A line about the files of a folder that are not boards."""
    named = ", ".join(source_name(path.name) for path in skipped[:MOST_NAMED])
    more = f" and {len(skipped) - MOST_NAMED} more" if len(skipped) > MOST_NAMED else ""
    files = counted(len(skipped), "file that is not a board", "files that are not boards")
    return f"skipped {files}: {named}{more}"


def _inside(folder: Path, faults: list[str]) -> list[Path]:
    """What a folder holds; a folder that cannot be opened is a fault."""
    try:
        return list(folder.iterdir())
    except OSError as error:
        faults.append(f"{source_name(folder)}: {reason_of(error)}")
        return []


def _openable(paths: Sequence[Path], faults: list[str]) -> list[Path]:
    """The files among these paths in natural order; pipes, devices and dangling links are faults."""
    reasons = {path: fault_of(path) for path in sorted(paths, key=natural_order)}
    faults += [f"{source_name(path)}: {reason}" for path, reason in reasons.items() if reason]
    return [path for path, reason in reasons.items() if not reason]


def _is_candidate(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.is_dir()


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
