"""The boards of a comparison: a suite by name, a folder, a TOML index or board files.

An index also says which engines are compared on its boards, how often and with which time limit;
docs/suites.md lists its keys. Start with `load_boards`.
"""

import math
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from pathlib import Path
from reprlib import repr as shortened
from typing import Any

import gemhunter
from gemhunter.board.board import random_grid
from gemhunter.board.grid import LARGEST_CLUE, Grid
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.access import STDIN, read_bytes, source_name
from gemhunter.files.dialects import Zero, read_cell
from gemhunter.files.folders import look_into, skipped_text
from gemhunter.files.samples import is_sample
from gemhunter.play.game_names import read_position
from gemhunter.printable import printable
from gemhunter.solving.registry import refuse_programs
from gemhunter.wording import program_name

BUILT_IN_SUITES = ("s1", "s2", "s3", "s4", "scaling", "large", "hard", "unsat", "counting", "positions")
SUITES_FOLDER = Path(gemhunter.__file__).parent / "suites"
INDEX_FILE, INDEX_SUFFIX = "index.toml", ".toml"

Notice = Callable[[str], None]
"""Takes a line for people, such as the names of skipped files."""


@dataclass(frozen=True, slots=True)
class BenchBoard:
    """A board of a comparison, under a unique name.

    `total` is the number of traps on the whole board, if engines may use it. `note` says where the board is
    from.
    """

    name: str
    grid: Grid
    total: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Boards that belong together, and how they are compared by default."""

    name: str
    title: str
    boards: tuple[BenchBoard, ...]
    engines: tuple[str, ...] = ()
    runs: int = 3
    runs_of: Mapping[str, int] = field(default_factory=dict)
    """The number of runs of engines that run more or fewer times than the others."""
    seconds: float = 10.0
    """The time limit of each run."""


def ignore(_line: str) -> None:
    """A `Notice` that drops its line."""


def suite_names() -> dict[str, str]:
    """The built-in suites and their titles."""
    return {name: read_index_table(SUITES_FOLDER / name / INDEX_FILE)["title"] for name in BUILT_IN_SUITES}


def load_boards(arguments: Sequence[str], zero: Zero = "clue", notice: Notice = ignore) -> Suite:
    """All boards that the arguments name, as one suite with unique names.

    `load_suite` reads each argument. Boards with equal names get the name of their suite or folder as a
    prefix. The engines are those of all suites; where suites differ in runs or seconds, the defaults apply.
    """
    if not arguments:
        raise InputError(
            f"no boards; expected board files, folders or suites (see: {program_name()} bench suites)"
        )
    different: dict[str, str] = {}
    for argument in arguments:
        is_name = argument in (*BUILT_IN_SUITES, STDIN)
        # `Path.resolve` would raise an error for links that lead to each other before they are opened.
        different.setdefault(argument if is_name else os.path.realpath(argument), argument)
    parts = {argument: load_suite(argument, zero, notice) for argument in different.values()}
    return next(iter(parts.values())) if len(parts) == 1 else _joined(parts)


def load_suite(name: str, zero: Zero = "clue", notice: Notice = ignore) -> Suite:
    """A built-in suite, or else a folder, an index or a board file; `-` is standard input.

    The name of a built-in suite takes precedence over a folder; `./s1` is the folder. `zero` is for boards
    without an index. `notice` gets a line about files of a folder that are not boards.
    """
    if name in BUILT_IN_SUITES:
        return read_index(SUITES_FOLDER / name / INDEX_FILE, name)
    path = Path(name)
    if name == STDIN or is_sample(name):
        return _file_suite(name, zero)
    if path.is_dir():
        if (path / INDEX_FILE).is_file():
            return read_index(path / INDEX_FILE, path.resolve().name, notice)
        title = f"boards in {source_name(path)}"
        return Suite(printable(path.resolve().name), title, _boards_in_folder(path, zero, notice))
    if path.suffix.lower() == INDEX_SUFFIX:
        folder = Path(os.path.realpath(path)).parent
        return read_index(path, folder.name if path.name == INDEX_FILE else path.stem, notice)
    if path.exists() or path.is_symlink() or path.suffix or len(path.parts) > 1:
        return _file_suite(name, zero)
    raise UnknownNameError("suite, folder or board file", name, BUILT_IN_SUITES, see="bench suites")


def chosen_engines(suite: Suite, given: Sequence[str], usual: Sequence[str]) -> tuple[str, ...]:
    """The engines that the user has given, or else those of the suite, or else the usual ones.

    A suite can come from others, so those that it names must not start programs: `InputError`.
    """
    if not given:
        refuse_programs(suite.engines, "-e", f"the suite {suite.name}")
    return tuple(dict.fromkeys(given or suite.engines or usual))


def suite_record(suite: Suite) -> dict[str, Any]:
    """A suite as a record: its boards, and how they are compared."""
    return {
        "suite": suite.name,
        "title": suite.title,
        "boards": [board.name for board in suite.boards],
        "engines": list(suite.engines),
        "runs": suite.runs,
        "runs_of": dict(suite.runs_of),
        "seconds": suite.seconds,
    }


# Files, folders, and several suites together.


def _file_suite(argument: str, zero: Zero) -> Suite:
    name = source_name(STDIN) if argument == STDIN else printable(Path(argument).stem)
    return Suite(name, source_name(argument), (_board_in_file(name, argument, zero),))


def _boards_in_folder(folder: Path, zero: Zero, notice: Notice) -> tuple[BenchBoard, ...]:
    """All boards in a folder; raises `InputError` if it has none.

    `testcase_1/input_1.txt` is named `testcase_1`, and `a.txt` is named `a`, if that is unique; otherwise the
    name is the whole path.
    """
    content = look_into(folder)
    content.require_whole()
    if content.skipped:
        notice(skipped_text(content.skipped))
    paths = (*content.cases, *content.files)
    short = [path.stem if path.parent == folder else path.parent.name for path in paths]
    times = Counter(short)
    return tuple(
        _board_in_file(
            printable(name if times[name] == 1 else path.relative_to(folder).as_posix()), path, zero
        )
        for name, path in zip(short, paths, strict=True)
    )


def _board_in_file(name: str, path: str | Path, zero: Zero) -> BenchBoard:
    position = read_position(path, zero)
    return BenchBoard(name, position.grid, position.total)


def _joined(parts: Mapping[str, Suite]) -> Suite:
    """All boards of several suites in one."""
    suites = list(parts.values())
    boards = (board for part in suites for board in part.boards)
    # Suites that name no engines do not decide how often and how long the engines of others run.
    stated = [part for part in suites if part.engines] or suites
    agreed: dict[str, Any] = {}
    for setting in ("runs", "runs_of", "seconds"):
        first, *others = (getattr(part, setting) for part in stated)
        if all(value == first for value in others):
            agreed[setting] = first
    return Suite(
        _listed([part.name for part in suites], "+"),
        _listed([part.title for part in suites], "; "),
        tuple(replace(board, name=name) for board, name in zip(boards, _unique_names(parts), strict=True)),
        tuple(dict.fromkeys(engine for part in stated for engine in part.engines)),
        **agreed,
    )


def _unique_names(parts: Mapping[str, Suite]) -> list[str]:
    """The names of all boards; equal ones get their suite or folder as a prefix, then a number."""
    pairs = []
    for argument, part in parts.items():
        path = Path(argument)
        is_file = argument not in BUILT_IN_SUITES and path.is_file() and path.suffix.lower() != INDEX_SUFFIX
        prefix = path.resolve().parent.name if is_file else part.name
        pairs += [(prefix, board.name) for board in part.boards]
    times = Counter(name for _, name in pairs)
    names: dict[str, None] = {}
    for prefix, name in pairs:
        wanted = name if times[name] == 1 else f"{prefix}/{name}"
        number, unique = 1, wanted
        while unique in names:
            number += 1
            unique = f"{wanted}#{number}"
        names[unique] = None
    return list(names)


def _listed(words: Sequence[str], between: str) -> str:
    """The first three words, and the number of the others."""
    return between.join(words[:3]) + (f" and {len(words) - 3} more" if len(words) > 3 else "")


# A TOML index: the boards of a suite, and how they are compared.


def read_index(path: Path, name: str, notice: Notice = ignore) -> Suite:
    """The suite that an index describes; without `[[boards]]`, it has all boards in the folder."""
    table = read_index_table(path)
    zero = table.get("zero", "clue")
    if "boards" in table:
        entries = enumerate(table["boards"], 1)
        boards = tuple(
            _listed_board(entry, path, f"{path}: board {number}", zero) for number, entry in entries
        )
    else:
        boards = _boards_in_folder(path.parent, zero, notice)
    twice = [name for name, times in Counter(board.name for board in boards).items() if times > 1]
    if twice:
        raise InputError(f"{path}: two boards are named {twice[0]!r}; expected unique names")
    settings = {key: table[key] for key in ("runs", "runs_of", "seconds") if key in table}
    engines = tuple(dict.fromkeys(table.get("engines", ())))
    return Suite(name, table.get("title", name), boards, engines, **settings)


def read_index_table(path: Path) -> dict[str, Any]:
    """The content of an index; raises `InputError` for an unknown key or a wrong kind of value."""
    try:
        table = tomllib.loads(read_bytes(path, 2**24, "an index").decode("utf-8-sig"))
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text; expected an index in TOML") from None
    except tomllib.TOMLDecodeError as error:
        message = str(error)
        raise InputError(f"{path}: not TOML: {message[:1].lower()}{message[1:]}") from None
    _require(table, SUITE_KEYS, str(path))
    for engine in table.get("runs_of", ()):
        if engine not in table.get("engines", ()):
            raise InputError(f"{path}: runs_of: expected names that are in engines, found {engine!r}")
    return table


def _listed_board(entry: dict[str, Any], index: Path, place: str, zero: str) -> BenchBoard:
    """The board of an entry in `[[boards]]`."""
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
        _require(entry["random"], RANDOM_KEYS, f"{place}: random")
        for key in ("rows", "cols"):
            if key not in entry["random"]:
                raise InputError(f"{place}: random: expected `rows` and `cols`, found no `{key}`")
        grid = random_grid(**entry["random"])
        name, total = f"random-{grid.rows}x{grid.cols}", None
    if "raised" in entry:
        grid = _with_raised_clue(grid, entry["raised"], f"{place}: raised")
    return BenchBoard(entry.get("name", name), grid, entry.get("traps", total), entry.get("note", ""))


def _with_raised_clue(grid: Grid, name: str, place: str) -> Grid:
    """A grid with one clue raised by 1."""
    try:
        cell = read_cell(name)
    except InputError as error:
        raise InputError(f"{place}: {error}") from None
    if cell.row >= grid.rows or cell.col >= grid.cols or not 0 <= grid.cells[cell] < LARGEST_CLUE:
        raise InputError(f"{place}: expected a cell with a clue of 0 to {LARGEST_CLUE - 1}, found {name!r}")
    codes = grid.cells.copy()
    codes[cell] += 1
    return Grid(codes)


IndexValue = tuple[str, Callable[[Any], bool]]
"""What the value of a key must be, in words and as a test."""


def _require(table: Mapping[str, Any], keys: Mapping[str, IndexValue], place: str) -> None:
    """Raise unless every key is known and has a valid value."""
    for key, value in table.items():
        if key not in keys:
            nearest = get_close_matches(key.lower(), keys, n=1)
            guess = f"; did you mean {nearest[0]!r}?" if nearest else ""
            raise InputError(f"{place}: unknown key {key!r}{guess} (keys: {', '.join(keys)})")
        expected, fits = keys[key]
        if not fits(value):
            raise InputError(f"{place}: {key}: expected {expected}, found {shortened(value)}")


def _is_integer(value: object, least: int, most: float = math.inf) -> bool:
    return isinstance(value, int) and _is_number(value, least, most)


def _is_number(value: object, least: float, most: float) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and least <= value <= most


def _is_line(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and value.strip() != ""


def _is_table(value: object) -> bool:
    return isinstance(value, dict)


_LINE: IndexValue = ("a line of text", _is_line)
_ZERO: IndexValue = ('"clue" or "unknown"', ("clue", "unknown").__contains__)
_TOTAL: IndexValue = ("a whole number of at least 0", lambda value: _is_integer(value, 0))
_COUNT: IndexValue = ("a whole number of at least 1", lambda value: _is_integer(value, 1))
_SIDE: IndexValue = ("a whole number from 1 to 10,000", lambda value: _is_integer(value, 1, 10_000))
_SHARE: IndexValue = ("a number from 0 to 1", lambda value: _is_number(value, 0, 1))

SUITE_KEYS: dict[str, IndexValue] = {
    "title": _LINE,
    "engines": (
        'a list of engines such as ["auto", "cdcl"]',
        lambda value: isinstance(value, list) and all(map(_is_line, value)),
    ),
    "runs": _COUNT,
    "runs_of": (
        "a table such as { genetic = 5 } with whole numbers of at least 1",
        lambda value: _is_table(value) and all(_is_integer(runs, 1) for runs in value.values()),
    ),
    "seconds": ("a number of seconds above 0", lambda value: _is_number(value, 0, 1e9) and value > 0),
    "zero": _ZERO,
    "boards": (
        "[[boards]] once or more",
        lambda value: isinstance(value, list) and value != [] and all(map(_is_table, value)),
    ),
}

BOARD_KEYS: dict[str, IndexValue] = {
    "file": _LINE,
    "random": ("a table", _is_table),
    "raised": _LINE,
    "name": _LINE,
    "zero": _ZERO,
    "traps": _TOTAL,
    "note": _LINE,
}

RANDOM_KEYS = {"rows": _SIDE, "cols": _SIDE, "density": _SHARE, "shown": _SHARE, "seed": _TOTAL}
