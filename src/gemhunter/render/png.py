"""Heat maps as PNG pictures, written here: a palette, twelve signs of 3×5 dots, and zlib.

A package that draws would be larger than all of Gem Hunter, for twelve signs and coloured squares.
"""

import struct
import zlib
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.render.heat import UNKNOWN, Risk, heat_colour, heat_signs
from gemhunter.render.svg import CLUE_COLOURS

LARGEST_SIDE = 26
"""Pixels per cell, with its line on the left and above."""

LEAST_SIDE_WITH_SIGNS = 18
MOST_PIXELS = 30_000_000
"""Cells become smaller where there would be more."""

DOT = 2
"""Pixels per dot of a sign."""

SIGN_ROWS = (
    *("75557", "26227", "71747", "71717", "55711", "74717"),
    *("74757", "71122", "75757", "75717", "72222", "74557"),
)
SIGNS = dict(zip("0123456789TG", SIGN_ROWS, strict=True))
"""Five rows from the top, each the bits of its three dots as one digit."""

PERCENTAGES = 101
"""Palette entries 0 to 100 are the colours of so many percent; those below follow them."""
LINE, SHOWN, COVERED, INK, FIRST_CLUE = range(PERCENTAGES, PERCENTAGES + 5)
PALETTE = [
    *(heat_colour(percent / 100) for percent in range(PERCENTAGES)),
    *((148, 163, 184), (248, 250, 252), (203, 213, 225), (30, 41, 59)),
    *((int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)) for colour in CLUE_COLOURS),
]

Pixels = NDArray[np.uint8]


def draw_heat_png(grid: Grid, risk: Risk) -> bytes:
    """The picture of `draw_heat` as a PNG file; on very large boards cells are small and have no signs."""
    side = max(min(LARGEST_SIDE, isqrt(MOST_PIXELS // grid.cells.size)), 1)
    squares = np.where(np.isnan(risk), COVERED, np.rint(100 * np.nan_to_num(risk)))
    colours = np.where(grid.cells == HIDDEN, squares, SHOWN).astype(np.uint8)
    pixels = np.repeat(np.repeat(colours, side, axis=0), side, axis=1)
    if side >= LEAST_SIDE_WITH_SIGNS:
        pixels[::side], pixels[:, ::side] = LINE, LINE
        _write_signs(pixels, grid, risk, side)
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=LINE)
    return _file(pixels)


def _write_signs(pixels: Pixels, grid: Grid, risk: Risk, side: int) -> None:
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            if sign == UNKNOWN:
                continue
            code = grid[row, col]
            dots = np.concatenate([_dots(each) for each in sign], axis=1)[:, DOT:]
            height, width = dots.shape
            top, left = row * side + (side + 1 - height) // 2, col * side + (side + 1 - width) // 2
            square = pixels[top : top + height, left : left + width]
            square[dots] = FIRST_CLUE + code if code >= 0 else INK


def _dots(sign: str) -> NDArray[np.bool_]:
    """The pixels of a sign, with a column of empty dots on its left."""
    bits = np.array([[int(row) >> shift & 1 for shift in (3, 2, 1, 0)] for row in SIGNS[sign]], bool)
    return np.repeat(np.repeat(bits, DOT, axis=0), DOT, axis=1)


def _file(pixels: Pixels) -> bytes:
    """Signature, header, palette, compressed rows (each after a byte that says: unfiltered), end."""
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = np.pad(pixels, ((0, 0), (1, 0))).tobytes()
    palette = bytes(value for colour in PALETTE for value in colour)
    chunks = [(b"IHDR", header), (b"PLTE", palette), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
