"""How people write cells: names such as `r3c1`, rows of signs, and lines with the size or the total."""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, LARGEST_CLUE, LARGEST_DIGIT, TRAP, Cell, Grid, count_around
from gemhunter.board.position import Action, Move, Position, bare_position
from gemhunter.errors import BoardError, Fault, InputError, board_error
from gemhunter.jit.kernel import Codes


def read_cell(text: str) -> Cell:
    """The cell with a name such as `r3c1`: row and column, counted from 1."""
    match = re.fullmatch(r"r(\d{1,9})c(\d{1,9})", text.strip(), re.ASCII | re.IGNORECASE)
    if match is None or 0 in (row_col := (int(match[1]), int(match[2]))):
        raise InputError(f"{text[:40]!r} is not a cell; expected a row and a column from 1, such as r3c1")
    return Cell(row_col[0] - 1, row_col[1] - 1)


def read_moves(words: Iterable[str]) -> list[Move]:
    """The moves in a text: cells to reveal, or `reveal`, `flag` or `chord` followed by a cell."""
    moves, action = [], None
    for word in " ".join(words).split():
        if word.lower() in list(Action) and action is None:
            action = Action(word.lower())
        else:
            moves.append(Move(action or Action.REVEAL, read_cell(word)))
            action = None
    if action is not None:
        raise InputError(f"`{action}` needs a cell, such as {action} r3c1")
    return moves


# A row of cells: signs and separators.


Zero = Literal["clue", "unknown"]
"""What a 0 means: a clue, or, in one dialect, an unknown cell."""

HIDDEN_MARKS = ("_", "?", ".", "-", "#", "none")
FLAGGED = -4
"""The code of a hidden cell with a flag while a board is read; a `Position` keeps flags apart."""

CELL_EXPECTED = "`_`, a clue 0-8, `T` or `G`"

SeparatorStyle = Literal["comma", "blank", "compact"]
_SEPARATOR = re.compile(r"[,;]")


def token_codes(zero: Zero) -> Mapping[str, int]:
    """The cell code of every token, in lower case."""
    if zero not in ("clue", "unknown"):
        raise ValueError(f"zero is 'clue' or 'unknown', not {zero!r}")
    codes = {str(clue): clue for clue in range(LARGEST_DIGIT + 1)}
    codes |= dict.fromkeys(HIDDEN_MARKS, HIDDEN) | {"t": TRAP, "*": TRAP, "g": GEM, "f": FLAGGED}
    if zero == "unknown":
        codes["0"] = HIDDEN
    return codes


def with_opened_dots(codes: Codes, dots: NDArray[np.bool_], source: str) -> Codes:
    """The cells of a board that has `#` for hidden cells, with a 0 for each of its `dots`.

    A game opens all neighbours of a 0, so a board on which a dot touches a hidden cell is refused.
    """
    opened = np.where(dots, np.int8(0), codes)
    if count_around(opened == HIDDEN)[dots].any():
        message = "`.` beside `#` can be an opened 0 or a hidden cell"
        raise board_error(f"{message}; write 0 for an opened cell, `_` for a hidden one", source)
    return opened


def position_of(codes: Codes, total: int | None = None) -> Position:
    """The position of cell codes, some of which can be `FLAGGED`."""
    if codes.min() > FLAGGED:
        return bare_position(Grid(codes), total)
    flags = codes == FLAGGED
    return Position(Grid(np.where(flags, np.int8(HIDDEN), codes)), flags, total)


def token_fault(token: str) -> str:
    """What is wrong with a token that is not a cell, and what was expected."""
    if not token:
        return f"empty cell; expected {CELL_EXPECTED}"
    if token.isascii() and token.isdigit():
        return f"a clue is at most {LARGEST_CLUE}, found {_quoted(token)}"
    foreign = next((sign for sign in token if sign.isdecimal() and not sign.isascii()), None)
    if foreign is not None:
        return f"{foreign!r} (U+{ord(foreign):04X}) is not an ASCII digit; write {int(foreign)}"
    if "/" in token:
        return f"expected each row on a line of its own, found {_quoted(token)}"
    return f"expected {CELL_EXPECTED}, found {_quoted(token)}"


def _quoted(token: str) -> str:
    return repr(token if len(token) <= 20 else token[:20] + "…")


@dataclass(frozen=True, slots=True)
class Token:
    """A cell in lower case, its column counted from 1, and the cell as written."""

    text: str
    column: int
    written: str


def line_style(line: str) -> SeparatorStyle:
    """How the cells of a line are separated."""
    if _SEPARATOR.search(line):
        return "comma"
    return "blank" if len(line.split()) > 1 else "compact"


def tokens(line: str, style: SeparatorStyle) -> Iterator[Token]:
    """The cells of a line, left to right."""
    if not line.strip():
        return iter(())
    if style == "comma":
        return _between_commas(line)
    cells = re.finditer(r"\S+" if style == "blank" else r"none|\S", line, re.IGNORECASE)
    return (Token(match[0].lower(), match.start() + 1, match[0]) for match in cells)


def _between_commas(line: str) -> Iterator[Token]:
    """The cells between commas, perhaps empty ones; nothing follows a comma at the end of the line."""
    start = 0
    ends = [match.start() for match in _SEPARATOR.finditer(line)]
    if not ends or line[ends[-1] + 1 :].strip():
        ends.append(len(line))
    for end in ends:
        text = line[start:end]
        written = text.strip()
        lead = len(text) - len(text.lstrip()) if written else 0
        yield Token(written.lower(), start + lead + 1, written)
        start = end + 1


def normal_lines(text: str) -> str:
    """The text without a byte order mark, and with `\\n` for every line end."""
    text = text.removeprefix("\ufeff")
    return text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text


# The lines around a board: its size above it, its total above or below it.


_STATED_SIZE = re.compile(r"\s*(\d{1,9})(?:\s*[xX×,;]\s*|\s+)(\d{1,9})[\s,;]*", re.ASCII)
_TOTAL_LINE = re.compile(r"[ \t]*#[ \t]*(traps|mines)[ \t]*[:=](.*)", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Size:
    """Rows and columns as a first line states them."""

    rows: int
    cols: int


def stated_size(first: str, second: str, rows_after: int) -> Size | None:
    """The size that the first of several lines states, or None if that line is a row of cells.

    When in doubt, it is a row. A size has other separators than the row below it, or a number too large for a
    clue, or it fits the rows exactly.
    """
    match = _STATED_SIZE.fullmatch(first)
    if match is None or not second.strip():
        return None
    size = Size(int(match[1]), int(match[2]))
    width = _width(second)
    no_clue = max(size.rows, size.cols) > LARGEST_CLUE
    same_style = line_style(first) == line_style(second)
    exact = size.rows == rows_after and size.cols == width
    if same_style and not no_clue:
        return size if exact and width != 2 else None
    could_be_row = same_style and width == 2 and max(size.rows, size.cols) <= LARGEST_DIGIT
    fits = exact if could_be_row else size.rows == rows_after or size.cols == width
    return size if fits or (width != 2 and (no_clue or not same_style)) else None


def could_state_size(first: str, second: str, rows_after: int) -> bool:
    """Whether two numbers with a blank between them could be the size of the board as well as a row."""
    match = _STATED_SIZE.fullmatch(first)
    if match is None or line_style(first) != "blank" or line_style(second) != "blank":
        return False
    return int(match[1]) == rows_after and int(match[2]) == _width(second) == 2


def _width(line: str) -> int:
    return sum(1 for _ in tokens(line, line_style(line)))


@dataclass(frozen=True, slots=True)
class WithTotal:
    """The text of a board without the line for its total, the total, and the number of its first line."""

    text: str
    total: int | None = None
    first_line: int = 1


def is_total_line(line: str) -> bool:
    """Whether a line gives the number of traps; no row of cells has a colon or an equals sign."""
    return _TOTAL_LINE.match(line) is not None


def split_total(text: str, *, source: str) -> WithTotal:
    """Take the line with the total, if there is one, out of a text whose lines end in `\\n`."""
    if ":" not in text and "=" not in text:
        return WithTotal(text)
    lines = text.split("\n")
    found = [(number, match) for number, line in enumerate(lines) if (match := _TOTAL_LINE.match(line))]
    if not found:
        return WithTotal(text)

    def error(number: int, message: str) -> BoardError:
        return BoardError([Fault(number + 1, 1, message)], source)

    if len(found) > 1:
        raise error(found[1][0], "the number of traps is given twice; expected one such line")
    place, written = found[0][0], found[0][1][2].strip()
    # Boards with a total of more than twelve digits are too large to be read.
    if not (written.isascii() and written.isdigit()) or len(written) > 12:
        raise error(place, f"expected a number of traps, as in `# traps: 40`, found {written[:20]!r}")
    above, below = "\n".join(lines[:place]), "\n".join(lines[place + 1 :])
    if above.strip() and below.strip():
        raise error(place, "the number of traps is inside the board; expected it above or below")
    if above.strip():
        return WithTotal(above, int(written))
    return WithTotal(below, int(written), place + 2)
