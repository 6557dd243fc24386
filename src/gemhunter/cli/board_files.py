"""Which boards the arguments of a command name."""

import codecs
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from gemhunter.errors import InputError
from gemhunter.formats.files import STDIN

SUFFIXES = (".txt", ".csv", ".json")
TIMES_FILE = "times.csv"
TIMES_TABLE = "result_times.txt"
NOT_BOARDS = ("index.csv", TIMES_FILE, TIMES_TABLE)
"""Tables that stand beside boards."""

BYTES_LOOKED_AT = 2**16
"""Of each file in a folder, to tell boards from other files."""

MOST_NAMED = 3
"""Skipped files that are named; the others are counted."""

_TEST_CASE_INPUT = re.compile(r"input_?(\d*)\.txt")


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board to read, the folder it was found in, and the file for its answer if it is a test case there."""

    path: str
    folder: Path | None = None
    answer: Path | None = None
    shown_as: str = ""
    """Another name for people, if the path would tell them nothing."""

    @property
    def case(self) -> str:
        """What a table of test cases calls it: its number, or the name of the folder or file without one."""
        path = Path(self.path)
        found = _TEST_CASE_INPUT.fullmatch(path.name)
        if found is None or self.folder is None:
            return path.name
        number = re.search(r"(\d+)$", path.parent.name) if path.parent != self.folder else None
        return found[1] or (number[1] if number else path.parent.name)


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """The boards to read, and the files in folders that are none."""

    boards: tuple[BoardFile, ...]
    skipped: tuple[Path, ...] = ()


def find_boards(arguments: Iterable[str]) -> FoundBoards:
    """Files as they are, folders as the boards in them, in natural order."""
    found = [_boards_of(argument) for argument in arguments]
    return FoundBoards(
        tuple(board for each in found for board in each.boards),
        tuple(path for each in found for path in each.skipped),
    )


def is_folder(argument: str) -> bool:
    """Whether an argument stands for several files."""
    return argument != STDIN and Path(argument).is_dir()


def natural_order(path: Path) -> list[tuple[int, str]]:
    """Sorts `testcase_2` before `testcase_10`."""
    return [(int(part or 0), "") if part.isdigit() else (0, part) for part in re.split(r"(\d+)", str(path))]


def skipped_text(skipped: Sequence[Path]) -> str:
    """A line about the files of a folder that are no boards."""
    named = ", ".join(path.name for path in skipped[:MOST_NAMED])
    more = f" and {len(skipped) - MOST_NAMED} more" if len(skipped) > MOST_NAMED else ""
    files = "1 file that is no board" if len(skipped) == 1 else f"{len(skipped)} files that are no boards"
    return f"skipped {files}: {named}{more}"


def answer_file(board: Path) -> Path:
    """`testcase_1/output_1.txt` for `testcase_1/input_1.txt`."""
    return board.with_name("output" + board.name.removeprefix("input"))


def _boards_of(argument: str) -> FoundBoards:
    if not is_folder(argument):
        return FoundBoards((BoardFile(argument),))
    folder = Path(argument)
    cases = sorted((path for path in folder.glob("*/*") if _is_test_case(path)), key=natural_order)
    files = sorted((path for path in folder.iterdir() if _is_candidate(path)), key=natural_order)
    is_board = {path: _is_board(path) for path in files}
    loose, skipped = ([path for path in files if is_board[path] == wanted] for wanted in (True, False))
    if not cases and not loose:
        expected = "*.txt, *.csv, *.json or testcase_1/input_1.txt"
        rest = f" ({skipped_text(skipped)})" if skipped else ""
        raise InputError(f"no boards in {folder}; expected {expected}{rest}")
    boards = [BoardFile(str(path), folder, answer_file(path)) for path in cases]
    boards += [
        BoardFile(str(path), folder, answer_file(path) if _is_test_case(path) else None) for path in loose
    ]
    return FoundBoards(tuple(boards), tuple(skipped))


def _is_test_case(path: Path) -> bool:
    return _TEST_CASE_INPUT.fullmatch(path.name) is not None


def _is_candidate(path: Path) -> bool:
    return path.suffix.lower() in SUFFIXES and not path.name.startswith(".") and path.is_file()


def _is_board(path: Path) -> bool:
    """Whether a file is meant as a board: by its name if that says it, else by how it begins.

    A file that cannot be opened counts as one, so that the error is seen.
    """
    from gemhunter.formats.board_looks import looks_like_board

    if _is_test_case(path):
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
