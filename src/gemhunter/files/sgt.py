"""Game ids of Mines in Simon Tatham's Portable Puzzle Collection.

`9x9:4,3,u…`: width and height, the first click as column and row from 0, then a bit for each cell in reading
order, the most significant first, as hexadecimal digits. After `u` they are plain, after `m` masked, so that
mines are not seen by accident: the bytes are cut in halves, the shorter one first; each half in turn is
combined (XOR) with SHA-1 sums of the other, followed by the decimal numbers 0, 1, 2 and so on.
"""

import hashlib
import re
from dataclasses import dataclass

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import Cell
from gemhunter.errors import BoardError, Fault, InputError
from gemhunter.printable import counted

_ID = re.compile(
    r"(?P<width>\d{1,9})(?:x(?P<height>\d{1,9}))?(?:n(?P<mines>\d{1,9}))?a?:"
    r"(?:(?P<col>\d{1,9}),(?P<row>\d{1,9}),)?(?P<mask>[mu]?)(?P<bits>[0-9a-f]+)",
    re.ASCII | re.IGNORECASE,
)
_BEGINS_LIKE_ID = re.compile(
    r"\s*(?:\d{1,9}(?:x\d{1,9})?(?:n[\d.]{1,9})?a?:|\d{1,9},\d{1,9},[mu])", re.ASCII | re.IGNORECASE
)
_NO_SIZE = re.compile(r"(?:\d{1,9},\d{1,9},)?[mu][0-9a-f]+", re.ASCII | re.IGNORECASE)
_UNDEALT = re.compile(r"[^:]*:r\d", re.ASCII | re.IGNORECASE)
SGT_EXPECTED = "WIDTHxHEIGHT:COLUMN,ROW,u and hexadecimal digits, such as 3x2:0,0,u28"


@dataclass(frozen=True, slots=True)
class SgtGame:
    """A board, and the cell that the puzzle collection opens for its player, if it does."""

    board: Board
    first: Cell | None = None

    def __post_init__(self) -> None:
        rows, cols = self.board.rows, self.board.cols
        if self.first is None:
            return
        if not (0 <= self.first.row < rows and 0 <= self.first.col < cols):
            raise InputError(f"the first click, {self.first}, is outside the {rows}×{cols} board")
        if self.board.traps[self.first]:
            raise InputError(f"the first click, {self.first}, is a mine; choose another cell")


def begun(board: Board) -> SgtGame:
    """A board that begins at its first opening in reading order; without any, at the first gem."""
    for places in (np.argwhere(board.codes() == 0), np.argwhere(~board.traps)):
        if places.size:
            return SgtGame(board, Cell(*places[0].tolist()))
    return SgtGame(board)


def looks_like_sgt(text: str) -> bool:
    """Whether a text begins like an id: with the size and a colon, or, by mistake, with what follows them."""
    return _BEGINS_LIKE_ID.match(text) is not None


def parse_sgt(text: str, *, source: str = "game id") -> SgtGame:
    """The game of an id, masked or not, or a `BoardError` that says what is wrong with it."""
    words = text.strip().removeprefix("\ufeff")
    match = _ID.fullmatch(words)
    if match is None:
        raise _fault(_complaint(words), source)
    width, height = int(match["width"]), int(match["height"] or match["width"])
    cells, bits = width * height, match["bits"]
    if cells == 0:
        found = f"a board of {counted(width, 'column')} and {counted(height, 'row')}"
        raise _fault(f"{found}; expected at least 1 of each", source)
    if len(bits) != (wanted := (cells + 3) // 4):
        size = f"{width}×{height} cells"
        raise _fault(f"{len(bits)} hexadecimal digits; expected {wanted} for {size}", source)
    first = None if match["col"] is None else Cell(int(match["row"]), int(match["col"]))
    board = _board(match, width, height, source)
    try:
        return SgtGame(board, first)
    except InputError as error:
        raise _fault(str(error), source) from None


def write_sgt(game: SgtGame, *, masked: bool = False) -> str:
    """The id of a game, on one line; without a first click it has only the cells."""
    board, first = game.board, game.first
    content = np.packbits(board.traps).tobytes()
    if masked:
        content = _mask(content, board.traps.size)
    bits = content.hex()[: (board.traps.size + 3) // 4]
    place = "" if first is None else f"{first.col},{first.row},"
    return f"{board.cols}x{board.rows}:{place}{'m' if masked else 'u'}{bits}"


def _board(match: re.Match[str], width: int, height: int, source: str) -> Board:
    cells, bits = width * height, match["bits"]
    content = bytes.fromhex(bits + "0" * (len(bits) % 2))
    if match["mask"].lower() == "m":
        content = _unmask(content, cells)
    every = np.unpackbits(np.frombuffer(content, np.uint8)).astype(bool)
    if every[cells:].any():
        raise _fault("the last digit has bits beyond the last cell", source)
    board = Board(every[:cells].reshape(height, width))
    if match["mines"] is not None and int(match["mines"]) != board.total:
        raise _fault(
            f"the size says {counted(int(match['mines']), 'mine')}, the digits have {board.total}", source
        )
    return board


def _mask(content: bytes, bits: int) -> bytes:
    first, second = _halves(content)
    first = _xor(first, second)
    return first + _cut(_xor(second, first), bits)


def _unmask(content: bytes, bits: int) -> bytes:
    first, second = _halves(content)
    second = _cut(_xor(second, first), bits)
    return _xor(first, second) + second


def _halves(content: bytes) -> tuple[bytes, bytes]:
    middle = len(content) // 2
    return content[:middle], content[middle:]


def _xor(half: bytes, other: bytes) -> bytes:
    """One half under the mask that the other one gives."""
    base, mask = hashlib.sha1(other, usedforsecurity=False), bytearray()
    while len(mask) < len(half):
        digest = base.copy()
        digest.update(str(len(mask) // base.digest_size).encode())
        mask += digest.digest()
    plain, cover = np.frombuffer(half, np.uint8), np.frombuffer(mask, np.uint8)[: len(half)]
    return (plain ^ cover).tobytes()


def _cut(half: bytes, bits: int) -> bytes:
    """The second half with its last byte as long as the board needs it."""
    spare = -bits % 8
    return half[:-1] + bytes([half[-1] >> spare << spare])


def _complaint(words: str) -> str:
    if _NO_SIZE.fullmatch(words):
        return f"the size is missing; write it before the rest, as in 9x9:{words[:20]}"
    if _UNDEALT.match(words):
        return "this game is not dealt before its first click; open a cell in it and copy the id then"
    return f"not a game id of the puzzle collection; expected {SGT_EXPECTED}, found {words[:40]!r}"


def _fault(message: str, source: str) -> BoardError:
    return BoardError([Fault(0, 0, message)], source)
