"""`.mbf` and `.abf`: the truth of a board as bytes.

One byte for the width, one for the height, two for the number of mines (the high one first), then two bytes
for each mine: column and row, counted from 0.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.board import Board
from gemhunter.core.plurals import counted
from gemhunter.errors import BoardError, Fault, InputError

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
