"""What is compared: boards, engines and limits, from a suite of the package, a folder, an index or files."""

import math
import tomllib
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from difflib import get_close_matches
from enum import StrEnum
from pathlib import Path
from reprlib import repr as shortened
from typing import Any, NamedTuple, TypeVar

import gemhunter
from gemhunter.board.board import random_grid
from gemhunter.board.grid import HIDDEN, LARGEST_CLUE, TRAP, Grid
from gemhunter.board.solution import Solution
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.files.access import STDIN, read_bytes, source_name
from gemhunter.files.dialects import Zero, read_cell
from gemhunter.files.folders import look_into, skipped_text
from gemhunter.files.samples import is_sample
from gemhunter.play.game_names import read_position
from gemhunter.printable import counted, printable, program_name
from gemhunter.solving.outcomes import GaveUp, Report, StopReason
from gemhunter.work.workers import Workers

# What a comparison is made of: boards, engines, runs, and what each run came to.


BOARD_FILE = "board.txt"
"""The board of a run, in the folder of the process that makes it."""

RUN_STAGES = ("read", "encode", "solve", "check")
"""What the time of a run is spent on, each measured apart."""

SHORT_WORDS = {
    StopReason.TIME: "time limit",
    StopReason.STEPS: "step limit",
    StopReason.ATTEMPTS: "attempt limit",
    StopReason.DEPTH: "depth limit",
    StopReason.MEMORY: "memory",
    StopReason.STUCK: "stuck",
}
"""Limits for a table; others are named in full."""

LARGEST_MAP = 10_000
"""Cells of the largest board whose result map is kept; a page could not show more."""


class Verdict(StrEnum):
    """What a run came to. `WRONG` is an answer that the independent check refused."""

    SOLVED = "solved"
    REFUTED = "refuted"
    GAVE_UP = "gave-up"
    CRASHED = "crashed"
    WRONG = "wrong"


@dataclass(frozen=True, slots=True)
class BenchBoard:
    """A board to ask engines about, by a name that is its own within the comparison.

    `total` is how many traps the whole board has, where that is part of the question. `note` says where the
    board is from.
    """

    name: str
    grid: Grid
    total: int | None = None
    note: str = ""


@dataclass(frozen=True, slots=True)
class Suite:
    """Boards that belong together, and how the comparison on them is run unless the user says otherwise."""

    name: str
    title: str
    boards: tuple[BenchBoard, ...]
    engines: tuple[str, ...] = ()
    runs: int = 3
    runs_of: Mapping[str, int] = field(default_factory=dict)
    """Engines that run more or fewer times than the others."""
    seconds: float = 10.0
    """The time limit of each run."""


@dataclass(frozen=True, slots=True)
class BenchLimits:
    """What each run may use. `memory` is in bytes."""

    seconds: float = 10.0
    memory: int | None = None


@dataclass(frozen=True, slots=True)
class WorkersUsed:
    """How many runs were made side by side, on this machine or on a Dask cluster."""

    number: int
    on_dask: bool = False

    @classmethod
    def of(cls, workers: Workers) -> "WorkersUsed":
        """What a ledger keeps of these workers."""
        return cls(workers.at_once, workers.on_dask)

    @property
    def words(self) -> str:
        """As in `2 workers`, or `1 worker of a Dask cluster`."""
        where = " of a Dask cluster" if self.on_dask else ""
        return f"{counted(self.number, 'worker')}{where}"


@dataclass(frozen=True, slots=True)
class RunTask:
    """One run: an engine on a board, for the time number `run`, counted from 1."""

    board: str
    engine: str
    run: int


@dataclass(frozen=True, slots=True)
class Measurement:
    """What became of a run.

    `reason` says in a few words why there is no answer, such as `time limit` or `attempt limit`; it is
    empty for a solution or a refutation. `seconds` has the stages that were reached; a run that was ended
    from outside has none. `memory` is the most that its process held, in bytes, where the system says so.
    `map` is the solution, `T` or `G` for each hidden cell; empty if there is none or it was not asked for.
    `cpu_seconds` is the processor time of the engine, which no ledger keeps.
    """

    task: RunTask
    verdict: Verdict
    reason: str
    seconds: Mapping[str, float]
    counters: Mapping[str, int]
    memory: int | None = None
    map: str = ""
    cpu_seconds: float | None = None

    @property
    def total(self) -> float | None:
        """Seconds of the engine: encoding, solving and checking; None if it has no answer to time."""
        return self.elapsed if self.verdict in (Verdict.SOLVED, Verdict.REFUTED) else None

    @property
    def elapsed(self) -> float | None:
        """Seconds of the engine with or without an answer; None if it was ended from outside."""
        if not self.seconds:
            return None
        return sum(taken for stage, taken in self.seconds.items() if stage not in ("read", "start"))


def short_reason(report: Report) -> str:
    """Why there is no answer, such as `time limit` or `attempt limit`; empty if there is one."""
    if not isinstance(report.outcome, GaveUp):
        return ""
    limit = report.outcome.stop_reason
    return SHORT_WORDS.get(limit, limit.value)


def limit_of(reason: str) -> StopReason | None:
    """The limit that the words of `short_reason` stand for; None for words of an engine's own."""
    named = {words: limit for limit, words in SHORT_WORDS.items()} | {
        limit.value: limit for limit in StopReason
    }
    return named.get(reason)


def has_map(grid: Grid) -> bool:
    """Whether a board is small enough for its result map to be kept."""
    return grid.cells.size <= LARGEST_MAP


def map_letters(solution: Solution, grid: Grid) -> str:
    """`T` or `G` for each hidden cell."""
    filled = solution.fill(grid).cells[grid.cells == HIDDEN]
    return "".join("T" if code == TRAP else "G" for code in filled)


# The boards of a suite: in a file, in a folder, or in a TOML index that says how they are compared.


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


# Suites by name: those that come with the package, folders with an index, and any boards.


BUILT_IN_SUITES = ("s1", "s2", "s3", "s4", "scaling", "large", "hard", "unsat", "counting", "positions")
INDEX_SUFFIX = ".toml"

GENERAL_SETTING = Suite("", "", ())
"""How boards are compared that no index is about."""

MOST_LISTED_SUITES = 3
"""Suites that the name of several together lists; the others are counted."""

Value = TypeVar("Value")


def suites_folder() -> Path:
    """Where the built-in suites are."""
    return Path(gemhunter.__file__).parent / "suites"


def suite_names() -> dict[str, str]:
    """The built-in suites and their titles."""
    return {name: read_index_table(_built_in_index(name))["title"] for name in BUILT_IN_SUITES}


def load_boards(arguments: Sequence[str], zero: Zero = "clue", notice: Notice = ignore) -> Suite:
    """All boards that the arguments name, as one suite in which every board has a name of its own.

    An argument is what `load_suite` takes. Boards that would share a name get the name of their suite or
    folder before it. Runs and seconds on which the suites differ are the general ones; engines are those of
    all of them.
    """
    if not arguments:
        raise InputError(
            f"no boards; expected board files, folders or suites (see: {program_name()} bench suites)"
        )
    different: dict[str | Path, str] = {}
    for argument in arguments:
        different.setdefault(_identity(argument), argument)
    parts = {argument: load_suite(argument, zero, notice) for argument in different.values()}
    return next(iter(parts.values())) if len(parts) == 1 else _joined(parts)


def load_suite(name: str, zero: Zero = "clue", notice: Notice = ignore) -> Suite:
    """A built-in suite, or else a folder, an index or a board file; `-` is standard input.

    A built-in name is that suite even where a folder has the same name; `./s1` is the folder. `zero` is for
    boards without an index. `notice` is given a line about files of a folder that are not boards.
    """
    if name in BUILT_IN_SUITES:
        return read_index(_built_in_index(name), name)
    path = Path(name)
    if name == STDIN or is_sample(name):
        return file_suite(name, zero)
    if path.is_dir():
        index = path / INDEX_FILE
        return (
            read_index(index, path.resolve().name, notice)
            if index.is_file()
            else folder_suite(path, zero, notice)
        )
    if path.suffix.lower() == INDEX_SUFFIX:
        return read_index(path, path.resolve().parent.name if path.name == INDEX_FILE else path.stem, notice)
    if path.exists() or path.suffix or len(path.parts) > 1:
        return file_suite(name, zero)
    raise UnknownNameError("suite, folder or board file", name, BUILT_IN_SUITES, see="bench suites")


def _built_in_index(name: str) -> Path:
    return suites_folder() / name / INDEX_FILE


def _identity(argument: str) -> str | Path:
    """Equal for two arguments that name the same boards."""
    return argument if argument in (*BUILT_IN_SUITES, STDIN) else Path(argument).resolve()


def _joined(parts: dict[str, Suite]) -> Suite:
    """All boards of several suites in one."""
    names = _unique_names(parts)
    boards = (board for part in parts.values() for board in part.boards)
    stated = [part for part in parts.values() if part.engines] or list(parts.values())
    return Suite(
        name=_listed([part.name for part in parts.values()], "+"),
        title=_listed([part.title for part in parts.values()], "; "),
        boards=tuple(replace(board, name=name) for board, name in zip(boards, names, strict=True)),
        engines=tuple(dict.fromkeys(engine for part in stated for engine in part.engines)),
        runs=_agreed([part.runs for part in stated], GENERAL_SETTING.runs),
        runs_of=_agreed([part.runs_of for part in stated], GENERAL_SETTING.runs_of),
        seconds=_agreed([part.seconds for part in stated], GENERAL_SETTING.seconds),
    )


def _agreed(values: Sequence[Value], otherwise: Value) -> Value:
    """What all suites say, or else what holds in general."""
    return values[0] if all(value == values[0] for value in values) else otherwise


def _unique_names(parts: dict[str, Suite]) -> list[str]:
    """The names of all boards, where needed with the suite or folder before them, and then with a number."""
    pairs = [
        (_prefix(argument, part), board.name) for argument, part in parts.items() for board in part.boards
    ]
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


def _prefix(argument: str, part: Suite) -> str:
    """What stands before the names of boards: the suite, or the folder that a single file is in."""
    path = Path(argument)
    is_file = argument not in BUILT_IN_SUITES and path.is_file() and path.suffix.lower() != INDEX_SUFFIX
    return path.resolve().parent.name if is_file else part.name


def _listed(words: Sequence[str], between: str) -> str:
    more = f" and {len(words) - MOST_LISTED_SUITES} more" if len(words) > MOST_LISTED_SUITES else ""
    return between.join(words[:MOST_LISTED_SUITES]) + more
