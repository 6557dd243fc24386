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

_TEST_CASE_INPUT = re.compile(r"input_?\d*\.txt")


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
    files = sorted((path for path in folder.iterdir() if _is_board(path)), key=natural_order)
    if not cases and not files:
        expected = "*.txt, *.csv, *.json or testcase_1/input_1.txt"
        raise InputError(f"no boards in {folder}; expected {expected}")
    boards = [BoardFile(str(path), answer_file(path)) for path in sorted(cases, key=natural_order)]
    return boards + [_as_board_file(path) for path in files]


def _is_board(path: Path) -> bool:
    wanted = path.suffix.lower() in SUFFIXES and path.name not in NOT_BOARDS
    return wanted and path.is_file() and not path.name.startswith(("output", "."))


def _as_board_file(path: Path) -> BoardFile:
    """A loose file; one that is named like a test case gets its answer beside it as well."""
    is_case = _TEST_CASE_INPUT.fullmatch(path.name) is not None
    return BoardFile(str(path), answer_file(path) if is_case else None)


def answer_file(board: Path) -> Path:
    """`testcase_1/output_1.txt` for `testcase_1/input_1.txt`."""
    return board.with_name("output" + board.name.removeprefix("input"))
