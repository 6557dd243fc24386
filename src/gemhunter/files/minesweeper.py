"""Files of Minesweeper programs: mine maps, `.mine`, `.mbf` and `.abf`, and ids of the puzzle collection."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board
from gemhunter.board.grid import GEM, HIDDEN, LARGEST_CLUE, LARGEST_DIGIT, TRAP, Cell
from gemhunter.board.position import Position
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault, InputError, board_error
from gemhunter.files.dialects import FLAGGED, line_style, normal_lines, position_of, tokens
from gemhunter.jit.kernel import Codes
from gemhunter.wording import counted

# Mine maps: the truth of a Minesweeper board as text.


def parse_mines(text: str, *, source: str = "mine map") -> NDArray[np.bool_]:
    """Where the mines are, from a text with one sign per cell, with or without separators."""
    is_mine = dict.fromkeys("*tmx1", True) | dict.fromkeys("._-g0", False)
    expected = "`*`, `T`, `M`, `X` or `1` for a mine, `.`, `_`, `-`, `G` or `0` for none"
    rows: list[list[bool]] = []
    faults: list[Fault] = []
    for number, line in enumerate(normal_lines(text).rstrip().split("\n"), 1):
        row = list(tokens(line, line_style(line)))
        faults += [
            Fault(number, token.column, f"expected {expected}, found {token.text[:20]!r}")
            for token in row
            if token.text not in is_mine
        ]
        if not row or (rows and len(row) != len(rows[0])):
            wanted = f"{counted(len(rows[0]), 'cell')} as in the first row" if rows else "cells"
            message = f"row of {counted(len(row), 'cell')}; expected {wanted}"
            faults.append(Fault(number, len(line) + 1, message))
        rows.append([is_mine.get(token.text, False) for token in row])
        if len(faults) > FAULTS_COLLECTED:
            break
    if faults:
        raise BoardError(faults, source)
    return np.array(rows, bool)


def mine_map(traps: NDArray[np.bool_]) -> str:
    """`*` where a mine lies, `.` elsewhere, one line per row, without a line end after the last."""
    return "\n".join("".join("*" if trap else "." for trap in row) for row in traps.tolist())


# `.mine`: a position or a whole board as text.
#
# The first line is `WIDTHxHEIGHTxMINES`. In the rows below it, a digit is a clue, `H` a hidden cell, `F` a
# hidden cell with a flag, `M` a mine that is shown.


MINE_CODES = {
    **{str(clue): clue for clue in range(LARGEST_CLUE + 1)},
    "h": HIDDEN,
    "f": FLAGGED,
    "x": TRAP,
    "m": TRAP,
}
"""A mine is written as `M`; the course program S5 prints it as `X`."""
_MINE_HEADER = re.compile(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*", re.ASCII)


def looks_like_mine(text: str) -> bool:
    """Whether a text begins with the size and the number of mines, as no other format does."""
    # A board can have many millions of characters; the first line is among the first thousand.
    beginning = normal_lines(text[:1000]).lstrip()
    return _MINE_HEADER.fullmatch(beginning.partition("\n")[0]) is not None


def parse_mine(text: str, *, source: str = "board") -> Position:
    """The position in a text; raises `BoardError` with every fault and its place."""
    body = normal_lines(text)
    first_line = 1 + body[: len(body) - len(body.lstrip())].count("\n")
    header, *rows = body.strip().split("\n")
    match = _MINE_HEADER.fullmatch(header)
    if match is None:
        message = f"expected WIDTHxHEIGHTxMINES, such as 30x16x99, found {header.strip()[:20]!r}"
        raise BoardError([Fault(first_line, 1, message)], source)
    width, height, total = map(int, match.groups())
    written = [_codes(row, width) for row in rows]
    faults = list(islice(_faults(rows, written, (height, width), first_line), FAULTS_COLLECTED))
    if faults:
        raise BoardError(sorted(faults), source)
    codes = np.array(written, np.int8)
    if fault := _total_fault(codes, total):
        raise BoardError([Fault(first_line, 1, fault)], source)
    return position_of(codes, total)


def write_mine(position: Position) -> str:
    """The text of a position; it needs the number of mines, unless nothing is hidden."""
    codes = _with_clues(position)
    total = position.total
    if total is None:
        if (codes == HIDDEN).any():
            raise InputError("a .mine file gives the number of mines, but this board does not; add --traps N")
        total = int(np.count_nonzero(codes == TRAP))
    if fault := _total_fault(codes, total):
        raise InputError(fault)
    if (codes > LARGEST_CLUE).any():
        wrong = next(position.grid.where(LARGEST_DIGIT))
        raise InputError(f"a .mine file has no sign for {wrong}: a clue of 9 can never hold")
    codes = np.where(position.flags, FLAGGED, codes)
    sign_of = {code: sign.upper() for sign, code in MINE_CODES.items()}
    rows = ["".join(sign_of[code] for code in row) for row in codes.tolist()]
    return "\n".join([f"{codes.shape[1]}x{codes.shape[0]}x{total}", *rows, ""])


def _total_fault(codes: Codes, total: int) -> str | None:
    shown, most = np.count_nonzero(codes == TRAP), np.count_nonzero(codes <= HIDDEN)
    if shown <= total <= most:
        return None
    are = "is" if shown == 1 else "are"
    possible = f"{shown} {are} shown, and at most {counted(int(most), 'cell')} can be mines"
    return f"impossible: {counted(total, 'mine')} in all; {possible}"


def _with_clues(position: Position) -> Codes:
    """The cells, with a clue on each gem; if there are gems, the position must determine the board."""
    codes = position.grid.cells
    if not (codes == GEM).any():
        return codes
    board = position.truth()
    if board is None:
        gem = next(position.grid.where(GEM))
        raise InputError(f"a .mine file has no sign for {gem}, a gem without a clue; fill in the whole board")
    return np.where(codes == GEM, board.codes(), codes)


def _codes(line: str, width: int) -> list[int] | None:
    """The cells of a row, or None if it has a fault."""
    signs = line.strip().lower()
    if len(signs) == width:
        with_faults = [MINE_CODES.get(sign) for sign in signs]
    else:
        with_faults = [MINE_CODES.get(token.text) for token in tokens(line, line_style(line))]
    codes = [code for code in with_faults if code is not None]
    return codes if len(codes) == len(with_faults) == width else None


def _faults(
    rows: list[str], written: list[list[int] | None], size: tuple[int, int], first_line: int
) -> Iterator[Fault]:
    height, width = size
    if width == 0 or height == 0:
        found = f"a board of {counted(width, 'column')} and {counted(height, 'row')}"
        yield Fault(first_line, 1, f"{found}; expected at least 1 of each")
        return
    if len(rows) != height:
        yield Fault(first_line, 0, f"the first line says {counted(height, 'row')}, but found {len(rows)}")
    for number, (line, codes) in enumerate(zip(rows, written, strict=True), first_line + 1):
        if codes is not None:
            continue
        row = list(tokens(line, line_style(line)))
        for token in row:
            if token.text not in MINE_CODES:
                expected = "a clue 0-8, `H` hidden, `F` flag or `M` mine"
                yield Fault(number, token.column, f"expected {expected}, found {token.text[:20]!r}")
        if len(row) != width:
            message = f"row of {counted(len(row), 'cell')}; expected {width}, as the first line says"
            yield Fault(number, len(line.rstrip()) + 1, message)


# `.mbf` and `.abf`: a whole board in binary.
#
# One byte for the width, one for the height, two for the number of mines (big-endian), then two for each
# mine: column and row, counted from 0.


def looks_like_mbf(content: bytes) -> bool:
    """Whether bytes are not text, and their length matches the number of mines that they give."""
    return b"\0" in content and len(content) == 4 + 2 * int.from_bytes(content[2:4], "big")


def parse_mbf(content: bytes, *, source: str = "board") -> Board:
    """The board in the bytes of a file, or a `BoardError` that says what is wrong with them."""
    if len(content) < 4:
        found = counted(len(content), "byte")
        raise board_error(f"{found}; an .mbf file has 4, and 2 more for each mine", source)
    width, height, mines = content[0], content[1], int.from_bytes(content[2:4], "big")
    if width == 0 or height == 0:
        found = f"a board of {counted(width, 'column')} and {counted(height, 'row')}"
        raise board_error(f"{found}; expected 1 to 255 of each", source)
    if mines > width * height:
        raise board_error(f"{counted(mines, 'mine')} do not fit on {width}×{height} cells", source)
    if len(content) != 4 + 2 * mines:
        wanted = f"{4 + 2 * mines} bytes, two for each of {counted(mines, 'mine')}"
        raise board_error(f"{counted(len(content), 'byte')}; expected {wanted}", source)
    traps = np.zeros((height, width), bool)
    places = np.frombuffer(content, np.uint8, offset=4).reshape(-1, 2)
    for number, (col, row) in enumerate(places.tolist(), 1):
        if col >= width or row >= height:
            place, most = f"column {col}, row {row}", f"column {width - 1}, row {height - 1}"
            raise board_error(f"mine {number} is at {place}, outside the board, which ends at {most}", source)
        if traps[row, col]:
            raise board_error(f"mine {number}, at column {col}, row {row}, is listed twice", source)
        traps[row, col] = True
    return Board(traps)


def write_mbf(board: Board) -> bytes:
    """The bytes of a file, with mines in reading order; `InputError` beyond 255 rows or columns."""
    if max(board.rows, board.cols) > 255:
        size = f"{board.rows}×{board.cols}"
        raise InputError(f"an .mbf file has at most 255 rows and columns, this board is {size}; write .mine")
    rows, cols = np.nonzero(board.traps)
    header = bytes([board.cols, board.rows]) + board.total.to_bytes(2, "big")
    return header + np.stack([cols, rows], axis=1).astype(np.uint8).tobytes()


# Game ids of Mines in Simon Tatham's Portable Puzzle Collection.
#
# `9x9:4,3,u…`: width and height, the first click as column and row from 0, then a bit for each cell in
# reading order, the most significant first, as hexadecimal digits. After `u` they are plain; after `m` they
# are masked, so that mines are not seen by accident: the bytes are cut in halves, the shorter one first; each
# half in turn is combined (XOR) with SHA-1 sums of the other, followed by the numbers 0, 1, 2 and so on.


_ID = re.compile(
    r"(?P<width>\d{1,9})(?:x(?P<height>\d{1,9}))?(?:n(?P<mines>\d{1,9}))?a?:"
    r"(?:(?P<col>\d{1,9}),(?P<row>\d{1,9}),)?(?P<mask>[mu]?)(?P<bits>[0-9a-f]+)",
    re.ASCII | re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class SgtGame:
    """A board, and the first cell, which the puzzle collection opens for the player, if there is one."""

    board: Board
    first: Cell | None = None

    def __post_init__(self) -> None:
        if self.first is None:
            return
        rows, cols = self.board.rows, self.board.cols
        if not (0 <= self.first.row < rows and 0 <= self.first.col < cols):
            raise InputError(f"the first click, {self.first}, is outside the {rows}×{cols} board")
        if self.board.traps[self.first]:
            raise InputError(f"the first click, {self.first}, is a mine; choose another cell")


def begun(board: Board) -> SgtGame:
    """A game that begins at the first opening of a board in reading order, or else at its first gem."""
    for places in (np.argwhere(board.codes() == 0), np.argwhere(~board.traps)):
        if places.size:
            return SgtGame(board, Cell(*places[0].tolist()))
    return SgtGame(board)


def looks_like_sgt(text: str) -> bool:
    """Whether a text begins like an id: with the size and a colon, or (by mistake) with what follows them."""
    beginning = r"\s*(?:\d{1,9}(?:x\d{1,9})?(?:n[\d.]{1,9})?a?:|\d{1,9},\d{1,9},[mu])"
    return re.match(beginning, text, re.ASCII | re.IGNORECASE) is not None


def parse_sgt(text: str, *, source: str = "game id") -> SgtGame:
    """The game of an id, masked or not, or a `BoardError` that says what is wrong with it."""
    words = text.strip().removeprefix("\ufeff")
    match = _ID.fullmatch(words)
    if match is None:
        raise board_error(_complaint(words), source)
    width, height = int(match["width"]), int(match["height"] or match["width"])
    cells, bits = width * height, match["bits"]
    if cells == 0:
        found = f"a board of {counted(width, 'column')} and {counted(height, 'row')}"
        raise board_error(f"{found}; expected at least 1 of each", source)
    if len(bits) != (wanted := (cells + 3) // 4):
        size = f"{width}×{height} cells"
        raise board_error(f"{len(bits)} hexadecimal digits; expected {wanted} for {size}", source)
    first = None if match["col"] is None else Cell(int(match["row"]), int(match["col"]))
    board = _sgt_board(match, width, height, source)
    try:
        return SgtGame(board, first)
    except InputError as error:
        raise board_error(str(error), source) from None


def write_sgt(game: SgtGame, *, masked: bool = False) -> str:
    """The id of a game, on one line; without a first click it has only the cells."""
    board, first = game.board, game.first
    content = np.packbits(board.traps).tobytes()
    if masked:
        first_half, second_half = _halves(content)
        first_half = _xor(first_half, second_half)
        content = first_half + _cut(_xor(second_half, first_half), board.traps.size)
    bits = content.hex()[: (board.traps.size + 3) // 4]
    place = "" if first is None else f"{first.col},{first.row},"
    return f"{board.cols}x{board.rows}:{place}{'m' if masked else 'u'}{bits}"


def _sgt_board(match: re.Match[str], width: int, height: int, source: str) -> Board:
    cells, bits = width * height, match["bits"]
    content = bytes.fromhex(bits + "0" * (len(bits) % 2))
    if match["mask"].lower() == "m":
        first_half, second_half = _halves(content)
        second_half = _cut(_xor(second_half, first_half), cells)
        content = _xor(first_half, second_half) + second_half
    every = np.unpackbits(np.frombuffer(content, np.uint8)).astype(bool)
    if every[cells:].any():
        raise board_error("the last digit has bits beyond the last cell", source)
    board = Board(every[:cells].reshape(height, width))
    if match["mines"] is not None and int(match["mines"]) != board.total:
        stated = counted(int(match["mines"]), "mine")
        raise board_error(f"the size says {stated}, but the digits have {board.total}", source)
    return board


def _halves(content: bytes) -> tuple[bytes, bytes]:
    middle = len(content) // 2
    return content[:middle], content[middle:]


def _xor(half: bytes, other: bytes) -> bytes:
    """One half, masked with SHA-1 sums of the other."""
    base, mask = hashlib.sha1(other, usedforsecurity=False), bytearray()
    while len(mask) < len(half):
        digest = base.copy()
        digest.update(str(len(mask) // base.digest_size).encode())
        mask += digest.digest()
    plain, cover = np.frombuffer(half, np.uint8), np.frombuffer(mask, np.uint8)[: len(half)]
    return (plain ^ cover).tobytes()


def _cut(half: bytes, bits: int) -> bytes:
    """The second half, with zeros for the bits beyond the last cell."""
    spare = -bits % 8
    return half[:-1] + bytes([half[-1] >> spare << spare])


def _complaint(words: str) -> str:
    if re.fullmatch(r"(?:\d{1,9},\d{1,9},)?[mu][0-9a-f]+", words, re.ASCII | re.IGNORECASE):
        return f"the size is missing; write it before the rest, as in 9x9:{words[:20]}"
    if re.match(r"[^:]*:r\d", words, re.ASCII | re.IGNORECASE):
        return "this game is not dealt before its first click; open a cell in it and copy the id then"
    expected = "WIDTHxHEIGHT:COLUMN,ROW,u and hexadecimal digits, such as 3x2:0,0,u28"
    return f"not a game id of the puzzle collection; expected {expected}, found {words[:40]!r}"
