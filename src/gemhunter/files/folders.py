"""The boards that the arguments of a command name: files, and the files in folders that are boards."""

import codecs
import json
import os
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
from gemhunter.wording import counted

BOARD_SUFFIXES = tuple(suffix for name in READABLE for suffix in FILE_KINDS[name].suffixes)
"""The suffixes of boards in a folder."""

CASE_TABLES = ("result_times.txt", "times.csv")
"""The tables that `solve` writes into a folder of test cases."""

NOT_BOARDS = ("index.csv", *CASE_TABLES)
"""The names of tables that lie beside boards."""

TEST_CASE_INPUT = re.compile(r"input_?(\d*)\.txt")

_CELL_TOKENS = frozenset(token_codes("clue"))


@dataclass(frozen=True, slots=True)
class BoardFile:
    """A board to read, the folder it was found in, and the file for its answer if it is a test case there."""

    path: str
    folder: Path | None = None
    answer: Path | None = None
    shown_as: str = ""
    """A name for people to whom the path means nothing."""

    @property
    def case(self) -> str:
        """The name in a table of test cases: a number, or else the name of the folder or file."""
        path = Path(self.path)
        test_case = TEST_CASE_INPUT.fullmatch(path.name)
        if test_case is None or self.folder is None:
            return path.name
        number = re.search(r"(\d+)$", path.parent.name) if path.parent != self.folder else None
        return test_case[1] or (number[1] if number else path.parent.name)


@dataclass(frozen=True, slots=True)
class FoundBoards:
    """The boards to read, the other files in folders, and a line for each file that cannot be opened."""

    boards: tuple[BoardFile, ...]
    skipped: tuple[Path, ...] = ()
    faults: tuple[str, ...] = ()


def find_boards(arguments: Iterable[str]) -> FoundBoards:
    """The named files, and in natural order the boards in the named folders."""
    boards: list[BoardFile] = []
    skipped: list[Path] = []
    faults: list[str] = []
    for argument in arguments:
        if not is_folder(argument):
            boards.append(BoardFile(argument))
            continue
        folder = Path(argument)
        found = look_into(folder)
        for path in (*found.cases, *found.files):
            # `testcase_1/output_1.txt` for `testcase_1/input_1.txt`
            answer = path.with_name("output" + path.name.removeprefix("input"))
            boards.append(BoardFile(str(path), folder, answer if is_test_case(path) else None))
        skipped += found.skipped
        faults += found.faults
    return FoundBoards(tuple(boards), tuple(skipped), tuple(faults))


def is_folder(argument: str) -> bool:
    """Whether an argument stands for several files."""
    return argument != STDIN and Path(argument).is_dir()


# The files of a folder that are boards, by name and content.


@dataclass(frozen=True, slots=True)
class BoardFolder:
    """The boards of a folder in natural order: test cases in subfolders, then files in the folder.

    `skipped` are files with the suffix of a board that are not boards, except the tables in `NOT_BOARDS`.
    `faults` has a line for each folder and each board that cannot be opened.
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
    visible = [path for path in _inside(folder, faults) if not path.name.startswith(".")]
    folders = [path for path in visible if path.is_dir()]
    cases = [path for subfolder in folders for path in _inside(subfolder, faults) if is_test_case(path)]
    files = [path for path in visible if path.suffix.lower() in BOARD_SUFFIXES and not path.is_dir()]
    cases, files = _openable(cases, faults), _openable(files, faults)
    is_board = {path: _is_board(path) for path in files}
    boards, skipped = ([path for path in files if is_board[path] == wanted] for wanted in (True, False))
    if not cases and not boards:
        expected = f"{', '.join(f'*{suffix}' for suffix in BOARD_SUFFIXES)} or testcase_1/input_1.txt"
        rest = f" ({skipped_text(skipped)})" if skipped else ""
        missing = f"no boards in {source_name(folder)}; expected {expected}{rest}"
        raise InputError("\n".join(faults) or missing)
    strangers = tuple(path for path in skipped if path.name not in NOT_BOARDS)
    return BoardFolder(tuple(cases), tuple(boards), strangers, tuple(faults))


def natural_order(path: Path) -> list[tuple[int, str]]:
    """A sort key that puts `testcase_2` before `testcase_10`."""
    parts = re.split(r"([0-9]+)", str(path))
    return [(int(part or 0), "") if place % 2 else (0, part) for place, part in enumerate(parts)]


def is_test_case(path: Path) -> bool:
    """Whether a file has the name of a test case, such as `input_1.txt`."""
    return TEST_CASE_INPUT.fullmatch(path.name) is not None


def skipped_text(skipped: Sequence[Path]) -> str:
    """A line about the files of a folder that are not boards."""
    named = ", ".join(source_name(path.name) for path in skipped[:3])
    more = f" and {len(skipped) - 3} more" if len(skipped) > 3 else ""
    files = counted(len(skipped), "file that is not a board", "files that are not boards")
    return f"skipped {files}: {named}{more}"


def _inside(folder: Path, faults: list[str]) -> list[Path]:
    """The content of a folder; one that cannot be opened is a fault."""
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


def _is_board(path: Path) -> bool:
    """Whether a file is meant as a board, by its name or else by its beginning.

    A file that cannot be opened counts as one, so that the error is seen.
    """
    if is_test_case(path) or path.suffix.lower() in KIND_OF_NAME:
        return True
    if path.name in NOT_BOARDS or path.name.startswith("output"):
        return False
    # `generate puzzle -o FOLDER/` writes the solution of each puzzle beside it.
    solution = re.fullmatch(r"solution(-\d+\.txt)", path.name)
    if solution and path.with_name(f"puzzle{solution[1]}").exists():
        return False
    try:
        with path.open("rb") as stream:
            begin = stream.read(2**16)
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
    if _looks_like_table(lines[:20]):
        return False
    if _looks_like_row(first):
        # A line such as `-----` or `*****` can be a rule over a heading.
        is_rule = len(set(first.strip())) == 1 < len(first.strip())
        return not (is_rule and second and not _looks_like_row(second))
    # A line with some cells that has the width and the separators of the row below it is a row with mistakes.
    is_alike = line_style(first) == line_style(second) and len(_words(first)) == len(_words(second))
    return is_alike and any(word in _CELL_TOKENS for word in _words(first)) and _looks_like_row(second)


def _looks_like_table(lines: list[str]) -> bool:
    """Whether lines hold only numbers: below a heading, with dates or fractions, or larger than clues.

    Large numbers must be in two lines, because a single line can give the size of a board.
    """
    rows = [_words(line) for line in lines]
    measurement = re.compile(r"\d+(?:[-/:.]\d+)+")
    are_numbers = [all(word.isdecimal() or measurement.fullmatch(word) for word in words) for words in rows]
    if not any(word in _CELL_TOKENS for word in rows[0]):
        return any(re.match(r"[^\W\d_]{2,}", word) for word in rows[0]) and all(are_numbers[1:])
    has_measurement = any(measurement.fullmatch(word) for word in rows[0])
    large = sum(any(word.isdecimal() and len(word) > 1 for word in words) for words in rows)
    return all(are_numbers) and (has_measurement or large > 1)


def _looks_like_row(line: str) -> bool:
    """Whether most tokens are cells, or all are as short as cells, as in a line with the size."""
    words = _words(line)
    known = sum(word in _CELL_TOKENS for word in words)
    # A typing error has at most two characters; a longer token is a word or a measurement.
    return 2 * known > len(words) or all(len(word) <= 2 for word in words)


def _words(line: str) -> list[str]:
    """The tokens of a line; a line without separators is one word, unless at least half of it is cells."""
    style = line_style(line)
    words = [token.text for token in tokens(line, style)]
    if style == "compact" and 2 * sum(word in _CELL_TOKENS for word in words) < len(words):
        return ["".join(words)]
    return words


def _json_looks_like_board(text: str) -> bool:
    """Whether a JSON text has rows or a key of a board; results of `solve` and replays are not boards."""
    try:
        document: Any = json.loads(text.removeprefix("\ufeff"))
    except (ValueError, RecursionError):  # broken, or only the beginning of a long one
        has_key = '"grid"' in text or '"mines"' in text
        is_other = '"outcome"' in text or looks_like_replay(text)
        return re.match(r"[\ufeff\s]*\[\s*[\[\"]", text) is not None or (has_key and not is_other)
    if isinstance(document, dict):
        is_other = "outcome" in document or looks_like_replay(text)
        return not is_other and any(isinstance(document.get(key), list) for key in ("grid", "mines"))
    # Rows are lists of cells, or texts that look like rows.
    are_rows = (_looks_like_row(row) if isinstance(row, str) else isinstance(row, list) for row in document)
    return bool(document) and all(document) and all(are_rows)


def _is_link(path: Path) -> bool:
    """Whether a path is a link or, on Windows, a junction, which Python recognises since 3.12."""
    is_junction = getattr(os.path, "isjunction", None)
    return path.is_symlink() or (is_junction is not None and bool(is_junction(path)))
