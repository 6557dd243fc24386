"""Which boards the arguments of a command name: files, folders, and what in a folder is a board."""

import codecs
import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from gemhunter.errors import InputError
from gemhunter.files.access import STDIN, fault_of, reason_of, source_name
from gemhunter.files.boards import FILE_KINDS, KIND_OF_NAME, READABLE
from gemhunter.files.dialects import is_total_line, line_style, normal_lines, token_codes, tokens
from gemhunter.files.json_boards import looks_like_json, looks_like_replay
from gemhunter.printable import counted

# Which files of a folder are boards, by their names and by what they look like.


BOARD_SUFFIXES = tuple(suffix for name in READABLE for suffix in FILE_KINDS[name].suffixes)
"""What the names of boards in a folder end in."""

TIMES_FILE = "times.csv"
TIMES_TABLE = "result_times.txt"
CASE_TABLES = (TIMES_TABLE, TIMES_FILE)
"""The tables that `solve` writes into a folder of test cases."""

NOT_BOARDS = ("index.csv", *CASE_TABLES)
"""Names of tables that lie beside boards."""

TEST_CASE_INPUT = re.compile(r"input_?(\d*)\.txt")

BYTES_LOOKED_AT = 2**16
"""How much of each file in a folder is read to recognise a board."""

MOST_SKIPPED_NAMED = 3
"""Skipped files that are named; the others are counted."""


LONGEST_TYPING_ERROR = 2
"""Characters. A longer token that is not a cell is a word or a measurement."""

LINES_LOOKED_AT = 20
"""How much of a text is read to recognise a table of numbers."""

_TABLE_HEADING = re.compile(r"[^\W\d_]{2,}.*")
_MEASUREMENT = re.compile(r"\d+(?:[-/:.]\d+)+")
_NO_CLUE = re.compile(r"\d{2,}")
_CELL_TOKENS = frozenset(token_codes("clue"))
_BEGINS_WITH_ROWS = re.compile(r"[\ufeff\s]*\[\s*[\[\"]")


@dataclass(frozen=True, slots=True)
class BoardFolder:
    """The boards of a folder in natural order: test cases in folders of their own, then files in the folder.

    `skipped` are files that are not boards, although their suffix is that of one. `faults` has a line for
    each folder and each board that cannot be opened.
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
        expected = f"{', '.join(f'*{suffix}' for suffix in BOARD_SUFFIXES)} or testcase_1/input_1.txt"
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
    named = ", ".join(source_name(path.name) for path in skipped[:MOST_SKIPPED_NAMED])
    more = f" and {len(skipped) - MOST_SKIPPED_NAMED} more" if len(skipped) > MOST_SKIPPED_NAMED else ""
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
    return path.suffix.lower() in BOARD_SUFFIXES and not path.is_dir()


def _is_board(path: Path) -> bool:
    """Whether a file is meant as a board: by its name if that says it, else by how it begins.

    A file that cannot be opened counts as one, so that the error is seen.
    """
    if is_test_case(path) or path.suffix.lower() in KIND_OF_NAME:
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


def looks_like_board(text: str) -> bool:
    """Whether a person would call this text a board; its first line decides, unless the text is JSON.

    A row with mistakes is still a row. Tables, reports, prose and answers with headings are not boards.
    """
    lines = [line for line in normal_lines(text).split("\n") if line.strip() and not is_total_line(line)]
    if not lines:
        return False
    if looks_like_json(text):
        return _json_looks_like_board(text)
    first, second = lines[0], lines[1] if len(lines) > 1 else ""
    if _looks_like_table(lines[:LINES_LOOKED_AT]):
        return False
    if _looks_like_row(first):
        return not (_is_rule(first) and second and not _looks_like_row(second))
    return _has_cells_like(first, second)


def _looks_like_table(lines: list[str]) -> bool:
    """Whether lines hold only numbers: below a heading, with dates or fractions, or larger than clues.

    Large numbers have to be in two lines, as a single line can give the size of a board.
    """
    first, *others = (_words(line) for line in lines)
    if not any(word in _CELL_TOKENS for word in first):
        return any(_TABLE_HEADING.fullmatch(word) for word in first) and all(map(_are_numbers, others))
    if not all(map(_are_numbers, (first, *others))):
        return False
    has_measurement = any(_MEASUREMENT.fullmatch(word) for word in first)
    return has_measurement or sum(any(map(_NO_CLUE.fullmatch, words)) for words in (first, *others)) > 1


def _are_numbers(words: list[str]) -> bool:
    return all(word.isdecimal() or _MEASUREMENT.fullmatch(word) for word in words)


def _looks_like_row(line: str) -> bool:
    """Whether most tokens are cells, or all are as short as cells, as in a line with the size."""
    words = _words(line)
    known = sum(word in _CELL_TOKENS for word in words)
    return 2 * known > len(words) or all(len(word) <= LONGEST_TYPING_ERROR for word in words)


def _has_cells_like(first: str, second: str) -> bool:
    """Whether a line with some cells has the width and the separators of the row below it."""
    alike = line_style(first) == line_style(second) and len(_words(first)) == len(_words(second))
    return alike and any(word in _CELL_TOKENS for word in _words(first)) and _looks_like_row(second)


def _words(line: str) -> list[str]:
    """The tokens of a line; a line without separators is one word, unless at least half of it are cells."""
    style = line_style(line)
    found = [token.text for token in tokens(line, style)]
    if style == "compact" and 2 * sum(word in _CELL_TOKENS for word in found) < len(found):
        return ["".join(found)]
    return found


def _is_rule(line: str) -> bool:
    """Whether a line could be drawn under or over a heading, as `-----` and `*****` are."""
    return len(set(line.strip())) == 1 and len(line.strip()) > 1


def _json_looks_like_board(text: str) -> bool:
    """Whether a JSON text has rows, or a key that a board has; but not results of `solve` and replays."""
    try:
        document: Any = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):  # broken, or only the beginning of a long one
        has_key = '"grid"' in text or '"mines"' in text
        is_other = '"outcome"' in text or looks_like_replay(text)
        return _BEGINS_WITH_ROWS.match(text) is not None or (has_key and not is_other)
    if isinstance(document, dict):
        is_other = "outcome" in document or looks_like_replay(text)
        return not is_other and any(isinstance(document.get(key), list) for key in ("grid", "mines"))
    return bool(document) and all(map(_is_json_row, document))


def _is_json_row(row: object) -> bool:
    """Whether an entry of a list is a list of cells, or a text that looks like a row."""
    return _looks_like_row(row) if isinstance(row, str) and row else isinstance(row, list) and bool(row)


# Which boards the arguments of a command name.


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
