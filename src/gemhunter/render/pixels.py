"""Pictures made of pixels: PNG files, and signs of 3×5 dots.

A package that draws would be larger than all of Gem Hunter, for a few signs and coloured squares.
"""

import struct
import zlib
from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.render.palette import Colour

Pixels = NDArray[np.uint8]
"""Rows of pixels, each the number of a colour."""

DOT = 2
"""Pixels per dot of a sign."""

SIGN_ROWS = (
    *("75557", "26227", "71747", "71717", "55711", "74717"),
    *("74757", "71122", "75757", "75717", "72222", "74557", "71302"),
)
SIGNS = dict(zip("0123456789TG?", SIGN_ROWS, strict=True))
"""Five rows from the top, each the bits of its three dots as one digit."""


def png_file(pixels: Pixels, palette: Sequence[Colour]) -> bytes:
    """Signature, header, palette, compressed rows, end.

    A row is stored as its difference from the row above, which a byte before it says: most are alike.
    """
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    differences = np.diff(pixels, axis=0, prepend=np.zeros((1, width), np.uint8))
    rows = np.pad(differences, ((0, 0), (1, 0)), constant_values=2).tobytes()
    colours = bytes(value for colour in palette for value in colour)
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def draw_sign(square: NDArray[np.uint8], text: str, colour: int) -> None:
    """Put signs into the middle of a square of pixels."""
    dots = _large_dots(text)
    height, width = dots.shape
    top, left = (square.shape[0] - height) // 2, (square.shape[1] - width) // 2
    square[top : top + height, left : left + width][dots] = colour


def draw_cross(square: NDArray[np.uint8], colour: int) -> None:
    """Put two diagonals, a little thicker than the dots of a sign, into the middle of a square of pixels."""
    side = min(square.shape)
    middle, reach = (side - 1) / 2, side / 4
    down, right = np.indices(square.shape) - middle
    near = (abs(down) <= reach) & (abs(right) <= reach)
    square[near & (abs(abs(down) - abs(right)) <= 1)] = colour


@lru_cache(maxsize=1024)
def _large_dots(text: str) -> NDArray[np.bool_]:
    return np.repeat(np.repeat(small_dots(text), DOT, axis=0), DOT, axis=1)


def small_dots(text: str) -> NDArray[np.bool_]:
    """The dots of some signs, with a column of empty dots between them."""
    shifts = (3, 2, 1, 0)
    signs = [[[int(row) >> shift & 1 for shift in shifts] for row in SIGNS[sign]] for sign in text]
    return np.concatenate(np.array(signs, bool), axis=1)[:, 1:]
