"""Which boards the arguments of a command name."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from gemhunter.formats.board_folders import TEST_CASE_INPUT, is_test_case, look_into
from gemhunter.formats.files import STDIN


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board to read, the folder it was found in, and the file for its answer if it is a test case there."""

    path: str
    folder: Path | None = None
    answer: Path | None = None
    shown_as: str = ""
    """Another name for people, where the path means nothing to them."""

    @property
    def case(self) -> str:
        """What a table of test cases calls it: its number, or the name of the folder or file without one."""
        path = Path(self.path)
        found = TEST_CASE_INPUT.fullmatch(path.name)
        if found is None or self.folder is None:
            return path.name
        number = re.search(r"(\d+)$", path.parent.name) if path.parent != self.folder else None
        return found[1] or (number[1] if number else path.parent.name)


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """The boards to read, the files in folders that are none, and a line for each that cannot be opened."""

    boards: tuple[BoardFile, ...]
    skipped: tuple[Path, ...] = ()
    faults: tuple[str, ...] = ()


def find_boards(arguments: Iterable[str]) -> FoundBoards:
    """Files as they are, folders as the boards in them, in natural order."""
    found = [_boards_of(argument) for argument in arguments]
    return FoundBoards(
        tuple(board for each in found for board in each.boards),
        tuple(path for each in found for path in each.skipped),
        tuple(fault for each in found for fault in each.faults),
    )


def is_folder(argument: str) -> bool:
    """Whether an argument stands for several files."""
    return argument != STDIN and Path(argument).is_dir()


def answer_file(board: Path) -> Path:
    """`testcase_1/output_1.txt` for `testcase_1/input_1.txt`."""
    return board.with_name("output" + board.name.removeprefix("input"))


def _boards_of(argument: str) -> FoundBoards:
    if not is_folder(argument):
        return FoundBoards((BoardFile(argument),))
    folder = Path(argument)
    found = look_into(folder)
    boards = (
        BoardFile(str(path), folder, answer_file(path) if is_test_case(path) else None)
        for path in (*found.cases, *found.files)
    )
    return FoundBoards(tuple(boards), found.skipped, found.faults)
