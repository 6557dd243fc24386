"""Minesweeper's files: mine maps, `.mine` as text, `.mbf` and `.abf` as bytes."""

import re
from collections.abc import Iterator
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.board import Board
from gemhunter.board.grid import GEM, HIDDEN, LARGEST_CLUE, LARGEST_DIGIT, TRAP
from gemhunter.board.position import Position
from gemhunter.errors import FAULTS_COLLECTED, BoardError, Fault, InputError
from gemhunter.files.dialects import FLAGGED, line_style, normal_lines, position_of, tokens
from gemhunter.jit.arrays import Codes
from gemhunter.printable import counted

# Mine maps: the truth of a Minesweeper board as text.


MINE_SIGNS = frozenset("*tmx1")
SAFE_SIGNS = frozenset("._-g0")
MAP_CELL_EXPECTED = "`*`, `T`, `M`, `X` or `1` for a mine, `.`, `_`, `-`, `G` or `0` for none"


def parse_mines(text: str, *, source: str = "mine map") -> NDArray[np.bool_]:
    """Where the mines are, from a text with one sign per cell, with or without separators."""
    rows: list[list[bool]] = []
    faults: list[Fault] = []
    for number, line in enumerate(normal_lines(text).rstrip().split("\n"), 1):
        row = list(tokens(line, line_style(line)))
        faults += [
            Fault(number, token.column, f"expected {MAP_CELL_EXPECTED}, found {token.text[:20]!r}")
            for token in row
            if token.text not in MINE_SIGNS | SAFE_SIGNS
        ]
        if not row or (rows and len(row) != len(rows[0])):
            wanted = f"{counted(len(rows[0]), 'cell')} as in the first row" if rows else "cells"
            faults.append(
                Fault(number, len(line) + 1, f"row of {counted(len(row), 'cell')}; expected {wanted}")
            )
        rows.append([token.text in MINE_SIGNS for token in row])
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
# The first line is `WIDTHxHEIGHTxMINES`, then come the rows: a digit is a clue, `H` a hidden cell, `F` a
# hidden cell with a flag, `M` a mine that is shown.


MINE_CODES = {
    **{str(clue): clue for clue in range(LARGEST_CLUE + 1)},
    "h": HIDDEN,
    "f": FLAGGED,
    "x": TRAP,
    "m": TRAP,
}
"""A mine is written as `M`; the course program S5 prints it as `X`."""
_SIGN_OF = {code: sign.upper() for sign, code in MINE_CODES.items()}
_MINE_HEADER = re.compile(r"\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*[xX×]\s*(\d{1,9})\s*", re.ASCII)
LONGEST_BEGINNING = 1000
"""Characters that are searched for the end of the first line; a board can have many millions."""

MINE_CELL_EXPECTED = "a clue 0-8, `H` hidden, `F` flag or `M` mine"


def looks_like_mine(text: str) -> bool:
    """Whether a text begins with the size and the number of mines, which no other format does."""
    beginning = normal_lines(text[:LONGEST_BEGINNING]).lstrip()
    return _MINE_HEADER.fullmatch(beginning.partition("\n")[0]) is not None


def parse_mine(text: str, *, source: str = "board") -> Position:
    """The position in a text; `Position.truth` has the board if every mine is shown.

    Raises `BoardError`, with every fault and its place.
    """
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
            raise InputError("a .mine file says how many mines there are, this board does not; add --traps N")
        total = int(np.count_nonzero(codes == TRAP))
    if fault := _total_fault(codes, total):
        raise InputError(fault)
    if (codes > LARGEST_CLUE).any():
        wrong = next(position.grid.where(LARGEST_DIGIT))
        raise InputError(f"a .mine file has no sign for {wrong}: a clue of 9 can never hold")
    codes = np.where(position.flags, FLAGGED, codes)
    rows = ["".join(_SIGN_OF[code] for code in row) for row in codes.tolist()]
    return "\n".join([f"{codes.shape[1]}x{codes.shape[0]}x{total}", *rows, ""])


def _total_fault(codes: Codes, total: int) -> str | None:
    shown, most = np.count_nonzero(codes == TRAP), np.count_nonzero(codes <= HIDDEN)
    if shown <= total <= most:
        return None
    possible = f"{shown} shown, and at most {counted(int(most), 'cell')} can be mines"
    return f"{counted(total, 'mine')} cannot be: {possible}"


def _with_clues(position: Position) -> Codes:
    """The cells, with its clue on each gem that is known without one."""
    codes = position.grid.cells
    if not (codes == GEM).any():
        return codes
    board = position.truth()
    if board is None:
        gem = next(position.grid.where(GEM))
        raise InputError(f"a .mine file has no sign for {gem}, a gem without a clue; fill in the whole board")
    return np.where(codes == GEM, board.codes(), codes)


def _codes(line: str, width: int) -> list[int] | None:
    """The cells of a row, or None if anything about it is wrong."""
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
                message = f"expected {MINE_CELL_EXPECTED}, found {token.text[:20]!r}"
                yield Fault(number, token.column, message)
        if len(row) != width:
            message = f"row of {counted(len(row), 'cell')}; expected {width}, as the first line says"
            yield Fault(number, len(line.rstrip()) + 1, message)


# `.mbf` and `.abf`: the truth of a board as bytes.
#
# One byte for the width, one for the height, two for the number of mines (the high one first), then two
# bytes for each mine: column and row, counted from 0.


MBF_HEADER_BYTES = 4
LARGEST_MBF_SIDE = 255
LARGEST_MBF = MBF_HEADER_BYTES + 2 * LARGEST_MBF_SIDE**2
"""Bytes: a board full of mines."""


def looks_like_mbf(content: bytes) -> bool:
    """Whether bytes are not text, and their number fits the number of mines that they give."""
    return b"\0" in content and len(content) == MBF_HEADER_BYTES + 2 * int.from_bytes(
        content[2:MBF_HEADER_BYTES], "big"
    )


def parse_mbf(content: bytes, *, source: str = "board") -> Board:
    """The board in the bytes of a file, or a `BoardError` that says what is wrong with them."""
    if len(content) < MBF_HEADER_BYTES:
        raise _fault(
            f"{counted(len(content), 'byte')}; an .mbf file begins with 4, then come 2 for each mine", source
        )
    width, height, mines = content[0], content[1], int.from_bytes(content[2:MBF_HEADER_BYTES], "big")
    if width == 0 or height == 0:
        raise _fault(
            f"a board of {counted(width, 'column')} and {counted(height, 'row')}; expected 1 to 255 of each",
            source,
        )
    if mines > width * height:
        raise _fault(f"{counted(mines, 'mine')} do not fit on {width}×{height} cells", source)
    if len(content) != MBF_HEADER_BYTES + 2 * mines:
        wanted = f"{MBF_HEADER_BYTES + 2 * mines} bytes, two for each of {counted(mines, 'mine')}"
        raise _fault(f"{counted(len(content), 'byte')}; expected {wanted}", source)
    return _board(
        np.frombuffer(content, np.uint8, offset=MBF_HEADER_BYTES).reshape(-1, 2), width, height, source
    )


def write_mbf(board: Board) -> bytes:
    """The bytes of a file, mines in reading order; at most 255 rows and columns fit in."""
    if max(board.rows, board.cols) > LARGEST_MBF_SIDE:
        size = f"{board.rows}×{board.cols}"
        raise InputError(f"an .mbf file has at most 255 rows and columns, this board is {size}; write .mine")
    rows, cols = np.nonzero(board.traps)
    header = bytes([board.cols, board.rows]) + board.total.to_bytes(2, "big")
    return header + np.stack([cols, rows], axis=1).astype(np.uint8).tobytes()


def _board(mines: NDArray[np.uint8], width: int, height: int, source: str) -> Board:
    traps = np.zeros((height, width), bool)
    for number, (col, row) in enumerate(mines.tolist(), 1):
        if col >= width or row >= height:
            place, most = f"column {col}, row {row}", f"column {width - 1}, row {height - 1}"
            raise _fault(f"mine {number} is at {place}, outside the board, which ends at {most}", source)
        if traps[row, col]:
            raise _fault(f"mine {number}, at column {col}, row {row}, is there twice", source)
        traps[row, col] = True
    return Board(traps)


def _fault(message: str, source: str) -> BoardError:
    return BoardError([Fault(0, 0, message)], source)
