"""Boards in files and folders that have no index."""

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from gemhunter.bench.values import BenchBoard, Suite
from gemhunter.formats.board_folders import look_into, skipped_text
from gemhunter.formats.files import STDIN, source_name
from gemhunter.formats.tokens import Zero
from gemhunter.play.game_names import read_position
from gemhunter.printable import printable

Notice = Callable[[str], None]
"""Takes a line for people, such as which files of a folder were skipped."""


def ignore(_line: str) -> None:
    """A `Notice` that drops its line."""


def file_suite(argument: str, zero: Zero) -> Suite:
    """A suite of the board in one file, or on standard input for `-`."""
    name = source_name(STDIN) if argument == STDIN else printable(Path(argument).stem)
    return Suite(name, source_name(argument), (_board(name, argument, zero),))


def folder_suite(folder: Path, zero: Zero, notice: Notice) -> Suite:
    """A suite of all boards in a folder."""
    return Suite(
        printable(folder.resolve().name), f"boards in {source_name(folder)}", boards_of(folder, zero, notice)
    )


def boards_of(folder: Path, zero: Zero, notice: Notice) -> tuple[BenchBoard, ...]:
    """All boards in a folder, also `testcase_1/input_1.txt`; raises `InputError` if it has none."""
    found = look_into(folder)
    found.require_whole()
    if found.skipped:
        notice(skipped_text(found.skipped))
    paths = (*found.cases, *found.files)
    names = _names_in(folder, paths)
    return tuple(_board(name, path, zero) for name, path in zip(names, paths, strict=True))


def _board(name: str, path: str | Path, zero: Zero) -> BenchBoard:
    position = read_position(path, zero)
    return BenchBoard(name, position.grid, position.total)


def _names_in(folder: Path, paths: Sequence[Path]) -> list[str]:
    """`testcase_1` for `testcase_1/input_1.txt`, `a` for `a.txt`; the whole path where that is not unique."""
    short = [path.stem if path.parent == folder else path.parent.name for path in paths]
    times = Counter(short)
    return [
        printable(name if times[name] == 1 else path.relative_to(folder).as_posix())
        for name, path in zip(short, paths, strict=True)
    ]
