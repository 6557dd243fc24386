"""Suites by name: those that come with the package, folders with an index, and any boards."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypeVar

import gemhunter
from gemhunter.bench.suite_files import (
    INDEX_FILE,
    Notice,
    file_suite,
    folder_suite,
    ignore,
    read_index,
    read_index_table,
)
from gemhunter.bench.values import Suite
from gemhunter.errors import InputError, UnknownNameError
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import STDIN
from gemhunter.formats.samples import is_sample
from gemhunter.program_name import program_name

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
