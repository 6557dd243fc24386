"""Which boards the arguments of a command name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.files import STDIN

SUFFIXES = (".txt", ".csv", ".json")
NOT_BOARDS = ("index.csv", "times.csv")
"""Tables that stand beside boards."""

_TEST_CASE_INPUT = re.compile(r"input(_?\w*)\.txt")


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board to read, and the file its answer goes to if it is a test case of a folder of those."""

    path: str
    answer: Path | None = None


def find_boards(arguments: Iterable[str]) -> list[BoardFile]:
    """Files as they are, folders as the boards in them, in natural order."""
    return [board for argument in arguments for board in _boards_of(argument)]


def is_folder(argument: str) -> bool:
    """Whether an argument stands for several files."""
    return argument != STDIN and Path(argument).is_dir()


def natural_order(path: Path) -> list[tuple[int, str]]:
    """Sorts `testcase_2` before `testcase_10`."""
    return [(int(part or 0), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", str(path))]


def _boards_of(argument: str) -> list[BoardFile]:
    if not is_folder(argument):
        return [BoardFile(argument)]
    folder = Path(argument)
    cases = [path for path in folder.glob("*/*") if _TEST_CASE_INPUT.fullmatch(path.name)]
    if cases:
        return [BoardFile(str(path), answer_file(path)) for path in sorted(cases, key=natural_order)]
    files = [path for path in folder.iterdir() if path.suffix in SUFFIXES and path.name not in NOT_BOARDS]
    if not files:
        expected = "*.txt, *.csv, *.json or testcase_1/input_1.txt"
        raise InputError(f"no boards in {folder}; expected {expected}")
    return [BoardFile(str(path)) for path in sorted(files, key=natural_order)]


def answer_file(board: Path) -> Path:
    """`testcase_1/output_1.txt` for `testcase_1/input_1.txt`."""
    return board.with_name("output" + board.name.removeprefix("input"))
