"""Frames of a game: the truth on every cell, and its colour says what the player has made of it.

Grey is unmarked, green was found safe, yellow is held for a trap, and red is a trap that was revealed. Every
cell has its true hint or, on a trap, a red cross.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import TRAP, Grid
from gemhunter.render.png import Pixels, png_file
from gemhunter.render.signs import draw_sign
from gemhunter.render.svg import BASELINE, CLUE_COLOURS, SIDE, document, rgb

UNMARKED, SAFE, HELD, EXPLODED = range(4)
"""What a player has made of a cell."""

MARK_COLOURS = ("#cbd5e1", "#bbf7d0", "#fde047", "#f87171")
CROSS_COLOUR, LINE_COLOUR = "#dc2626", "#94a3b8"

CROSS = len(MARK_COLOURS)
LINE, FIRST_HINT = CROSS + 1, CROSS + 2
PALETTE = tuple(map(rgb, (*MARK_COLOURS, CROSS_COLOUR, LINE_COLOUR, *CLUE_COLOURS)))
"""What the numbers in pixels mean."""

NO_SIGN = 255

LARGEST_SIDE = 24
"""Pixels per cell, with its line on the left and above."""

LEAST_SIDE_WITH_SIGNS = 16
MOST_PIXELS = 4_000_000
"""Cells become smaller where there would be more: there is a picture for every step."""

Marks = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A moment of a game: `truth` has the hints of all gems, `marks` what the player has made of them."""

    truth: Grid
    marks: Marks


def frame_pixels(frame: Frame) -> Pixels:
    """The picture as numbers of colours in `PALETTE`; on very large boards cells are small, without signs."""
    side = max(min(LARGEST_SIDE, isqrt(MOST_PIXELS // frame.marks.size)), 1)
    pixels = np.repeat(np.repeat(frame.marks, side, axis=0), side, axis=1)
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=LINE)
    if side >= LEAST_SIDE_WITH_SIGNS:
        signs = _signs(frame.truth, side)
        pixels = np.where(signs == NO_SIGN, pixels, signs)
    return pixels


def draw_frame_png(frame: Frame) -> bytes:
    """The picture as a PNG file."""
    return png_file(frame_pixels(frame), PALETTE)


def draw_frame(frame: Frame) -> str:
    """The picture as a complete SVG document."""
    parts = []
    for (row, col), code in np.ndenumerate(frame.truth.cells):
        x, y = col * SIDE, row * SIDE
        fill = MARK_COLOURS[frame.marks[row, col]]
        parts.append(f'<rect x="{x}" y="{y}" width="{SIDE}" height="{SIDE}" fill="{fill}"/>')
        sign, colour = ("×", CROSS_COLOUR) if code == TRAP else (str(code), CLUE_COLOURS[code])
        parts.append(f'<text x="{x + SIDE / 2:g}" y="{y + BASELINE}" fill="{colour}">{sign}</text>')
    return document(frame.truth.cols * SIDE, frame.truth.rows * SIDE, "\n".join(parts))


@lru_cache(maxsize=1)
def _signs(truth: Grid, side: int) -> Pixels:
    """Lines, hints and crosses: what all frames of a game have in common, `NO_SIGN` elsewhere."""
    pixels = np.full((truth.rows * side + 1, truth.cols * side + 1), NO_SIGN, np.uint8)
    pixels[::side], pixels[:, ::side] = LINE, LINE
    for (row, col), code in np.ndenumerate(truth.cells):
        square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
        if code == TRAP:
            _draw_cross(square)
        else:
            draw_sign(square, str(code), FIRST_HINT + int(code))
    return pixels


def _draw_cross(square: Pixels) -> None:
    """Two diagonals, a little thicker than the dots of a sign."""
    side = min(square.shape)
    middle, reach = (side - 1) / 2, side / 4
    down, right = np.indices(square.shape) - middle
    near = (abs(down) <= reach) & (abs(right) <= reach)
    square[near & (abs(abs(down) - abs(right)) <= 1)] = CROSS
