"""The boards of a suite: in a file, in a folder, or in a TOML index that says how they are compared."""

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from difflib import get_close_matches
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, NamedTuple

from gemhunter.bench.values import BenchBoard, Suite
from gemhunter.core.grid import LARGEST_CLUE, Grid
from gemhunter.core.trap_maps import random_grid
from gemhunter.errors import InputError
from gemhunter.formats.board_folders import look_into, skipped_text
from gemhunter.formats.cells import read_cell
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import STDIN, read_bytes, source_name
from gemhunter.play.game_names import read_position
from gemhunter.printable import printable

Notice = Callable[[str], None]
"""Takes a line for people, such as which files of a folder were skipped."""

INDEX_FILE = "index.toml"

LARGEST_INDEX = 2**24
"""Bytes."""

LARGEST_RANDOM_SIDE = 10_000


def ignore(_line: str) -> None:
    """A `Notice` that drops its line."""


def file_suite(argument: str, zero: Zero) -> Suite:
    """A suite of the board in one file, or on standard input for `-`."""
    name = source_name(STDIN) if argument == STDIN else printable(Path(argument).stem)
    return Suite(name, source_name(argument), (_board_in_file(name, argument, zero),))


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
    return tuple(_board_in_file(name, path, zero) for name, path in zip(names, paths, strict=True))


def _board_in_file(name: str, path: str | Path, zero: Zero) -> BenchBoard:
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


class IndexValue(NamedTuple):
    """What the value of a key has to be."""

    expected: str
    fits: Callable[[Any], bool]


def _is_integer(value: object, least: int, most: float = math.inf) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value.strip() != ""


LINE_VALUE = IndexValue("a line of text", _is_line)

ZERO_VALUE = IndexValue('"clue" or "unknown"', ("clue", "unknown").__contains__)

TABLE_VALUE = IndexValue("a table", lambda value: isinstance(value, dict))

BOARDS_VALUE = IndexValue(
    "[[boards]] once or more",
    lambda value: isinstance(value, list) and value != [] and all(map(TABLE_VALUE.fits, value)),
)

ENGINES_VALUE = IndexValue(
    'a list of engines such as ["auto", "cdcl"]',
    lambda value: isinstance(value, list) and all(map(_is_line, value)),
)

RUNS_VALUE = IndexValue("a whole number of at least 1", lambda value: _is_integer(value, 1))

RUNS_OF_VALUE = IndexValue(
    "a table such as { genetic = 5 } with whole numbers of at least 1",
    lambda value: isinstance(value, dict) and all(map(RUNS_VALUE.fits, value.values())),
)

SECONDS_VALUE = IndexValue(
    "a number of seconds above 0", lambda value: _is_number(value, 0, 1e9) and value > 0
)

TOTAL_VALUE = IndexValue("a whole number of at least 0", lambda value: _is_integer(value, 0))

SIDE_VALUE = IndexValue(
    f"a whole number from 1 to {LARGEST_RANDOM_SIDE:,}",
    lambda value: _is_integer(value, 1, LARGEST_RANDOM_SIDE),
)

SHARE_VALUE = IndexValue("a number from 0 to 1", lambda value: _is_number(value, 0, 1))

SUITE_KEYS = {
    "title": LINE_VALUE,
    "engines": ENGINES_VALUE,
    "runs": RUNS_VALUE,
    "runs_of": RUNS_OF_VALUE,
    "seconds": SECONDS_VALUE,
    "zero": ZERO_VALUE,
    "boards": BOARDS_VALUE,
}

BOARD_KEYS = {
    "file": LINE_VALUE,
    "random": TABLE_VALUE,
    "raised": LINE_VALUE,
    "name": LINE_VALUE,
    "zero": ZERO_VALUE,
    "traps": TOTAL_VALUE,
    "note": LINE_VALUE,
}

RANDOM_KEYS = {
    "rows": SIDE_VALUE,
    "cols": SIDE_VALUE,
    "density": SHARE_VALUE,
    "shown": SHARE_VALUE,
    "seed": TOTAL_VALUE,
}


def read_index(path: Path, name: str, notice: Notice = ignore) -> Suite:
    """The suite that an index describes; one without `[[boards]]` has all boards in its folder."""
    table = read_index_table(path)
    zero = table.get("zero", "clue")
    if "boards" in table:
        entries = enumerate(table["boards"], 1)
        boards = tuple(
            _listed_board(entry, path, f"{path}: board {number}", zero) for number, entry in entries
        )
    else:
        boards = boards_of(path.parent, zero, notice)
    twice = [name for name, times in Counter(board.name for board in boards).items() if times > 1]
    if twice:
        raise InputError(f"{path}: two boards are named {twice[0]!r}; expected a name of its own for each")
    settings = {key: table[key] for key in ("runs", "runs_of", "seconds") if key in table}
    engines = tuple(dict.fromkeys(table.get("engines", ())))
    return Suite(name, table.get("title", name), boards, engines, **settings)


def read_index_table(path: Path) -> dict[str, Any]:
    """What an index says, with the keys and kinds of values that an index may have."""
    try:
        table = tomllib.loads(read_bytes(path, LARGEST_INDEX, "an index").decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; expected an index in TOML") from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        raise InputError(f"{path}: not TOML: {message[:1].lower()}{message[1:]}") from None
    _require(table, SUITE_KEYS, str(path))
    stranger = next(
        (engine for engine in table.get("runs_of", ()) if engine not in table.get("engines", ())), None
    )
    if stranger is not None:
        raise InputError(f"{path}: runs_of: expected names that are in engines, found {stranger!r}")
    return table


def _listed_board(entry: dict[str, Any], index: Path, place: str, zero: str) -> BenchBoard:
    """One of `[[boards]]`."""
    _require(entry, BOARD_KEYS, place)
    if ("file" in entry) == ("random" in entry):
        raise InputError(f"{place}: expected either `file` or `random`")
    if "file" in entry:
        path = index.parent / entry["file"]
        if not path.is_file():
            raise InputError(f"{place}: file: expected a board beside the index, found no {entry['file']!r}")
        position = read_position(path, entry.get("zero", zero))
        name, grid, total = path.stem, position.grid, position.total
    else:
        grid = _random(entry["random"], f"{place}: random")
        name, total = f"random-{grid.rows}x{grid.cols}", None
    if "raised" in entry:
        grid = _with_raised_clue(grid, entry["raised"], f"{place}: raised")
    return BenchBoard(entry.get("name", name), grid, entry.get("traps", total), entry.get("note", ""))


def _random(table: dict[str, Any], place: str) -> Grid:
    _require(table, RANDOM_KEYS, place)
    missing = [key for key in ("rows", "cols") if key not in table]
    if missing:
        raise InputError(f"{place}: expected `rows` and `cols`, found no `{missing[0]}`")
    return random_grid(**table)


def _with_raised_clue(grid: Grid, name: str, place: str) -> Grid:
    """The board with one clue raised by 1."""
    try:
        cell = read_cell(name)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if cell.row >= grid.rows or cell.col >= grid.cols or not 0 <= grid.cells[cell] < LARGEST_CLUE:
        raise InputError(f"{place}: expected a cell with a clue of 0 to {LARGEST_CLUE - 1}, found {name!r}")
    codes = grid.cells.copy()
    codes[cell] += 1
    return Grid(codes)


def _require(table: Mapping[str, Any], keys: Mapping[str, IndexValue], place: str) -> None:
    """Raise unless every key is known and its value is what it has to be."""
    for key, value in table.items():
        if key not in keys:
            nearest = get_close_matches(key.lower(), keys, n=1)
            guess = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise InputError(f"{place}: unknown key {key!r}{guess} (keys: {', '.join(keys)})")
        if not keys[key].fits(value):
            raise InputError(f"{place}: {key}: expected {keys[key].expected}, found {shortened(value)}")
