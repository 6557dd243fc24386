"""Frames of a game: a cell's colour says what the player has made of it.

Grey is unmarked, green was found safe, yellow is held for a trap, and red is a trap that was revealed. A cell
shows what its player sees: the clue of a safe cell, `T` on a cell held for a trap, a cross on a trap that was
revealed. A frame that shows the truth has the true clue or a cross on every cell.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, TRAP, Grid
from gemhunter.draw.grids import BASELINE, LEAST_CELL_PIXELS_WITH_SIGNS, SVG_SIDE, svg_document, with_numbers
from gemhunter.draw.palette import (
    CLUE_COLOURS,
    CROSS_COLOUR,
    EXPLODED_GROUND,
    GEM_GROUND,
    HELD_GROUND,
    HIDDEN_GROUND,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    rgb,
)
from gemhunter.draw.pixels import Pixels, draw_cross, draw_sign, png_file

UNMARKED, FOUND_SAFE, HELD, EXPLODED = range(4)
"""What a player has made of a cell."""

MARK_COLOURS = (HIDDEN_GROUND, GEM_GROUND, HELD_GROUND, EXPLODED_GROUND)

_FRAME_COLOURS = (CROSS_COLOUR, LINE_COLOUR, INK_COLOUR, NUMBER_COLOUR, PAPER_COLOUR)
FRAME_CROSS, FRAME_LINE, FRAME_INK, FRAME_NUMBER, FRAME_PAPER, FRAME_FIRST_CLUE = range(
    len(MARK_COLOURS), len(MARK_COLOURS) + len(_FRAME_COLOURS) + 1
)
FRAME_PALETTE = tuple(map(rgb, (*MARK_COLOURS, *_FRAME_COLOURS, *CLUE_COLOURS)))
"""What the numbers in pixels mean."""

NO_SIGN = 255

FRAME_CELL_PIXELS = 24
"""Pixels per cell, with its line on the left and above."""

PNG_SCALE = 3
"""How many times as large a PNG picture is: 9×9 cells fill a column of a page at 200 dots per inch."""

MOST_FRAME_PIXELS = 4_000_000
"""Larger boards get smaller cells, as there is a picture for every step."""

Marks = NDArray[np.uint8]


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A moment of a game: `truth` has the clues of all gems, `marks` what the player made of each cell."""

    truth: Grid
    marks: Marks
    shows_truth: bool = False


def frame_pixels(frame: Frame) -> Pixels:
    """The picture as numbers in `FRAME_PALETTE`; very large boards have small cells without signs."""
    side = max(min(FRAME_CELL_PIXELS, isqrt(MOST_FRAME_PIXELS // frame.marks.size)), 1)
    grounds = _enlarged(frame.marks, side)
    if side < LEAST_CELL_PIXELS_WITH_SIGNS:
        return grounds
    signs = _true_signs(frame.truth, side)
    if not frame.shows_truth:
        kinds = _enlarged(frame.marks, side)
        signs = np.where(kinds == HELD, _trap_signs(frame.marks.shape, side), signs)
        signs = np.where(kinds == UNMARKED, NO_SIGN, signs)
    pixels = np.where(signs == NO_SIGN, grounds, signs)
    pixels[::side], pixels[:, ::side] = FRAME_LINE, FRAME_LINE
    return with_numbers(pixels, frame.truth.cells.shape, side=side, paper=FRAME_PAPER, ink=FRAME_NUMBER)


def draw_frame_png(frame: Frame) -> bytes:
    """The picture as a PNG file, large enough to print."""
    pixels = frame_pixels(frame)
    scale = max(min(PNG_SCALE, isqrt(MOST_FRAME_PIXELS // pixels.size)), 1)
    return png_file(np.repeat(np.repeat(pixels, scale, axis=0), scale, axis=1), FRAME_PALETTE)


def draw_frame(frame: Frame) -> str:
    """The picture as a complete SVG document."""
    parts = []
    for (row, col), mark in np.ndenumerate(frame.marks):
        x, y = col * SVG_SIDE, row * SVG_SIDE
        parts.append(
            f'<rect x="{x}" y="{y}" width="{SVG_SIDE}" height="{SVG_SIDE}" fill="{MARK_COLOURS[mark]}"/>'
        )
        sign, colour = _sign(frame, int(mark), frame.truth[row, col])
        if sign:
            parts.append(f'<text x="{x + SVG_SIDE / 2:g}" y="{y + BASELINE}" fill="{colour}">{sign}</text>')
    return svg_document(frame.truth.rows, frame.truth.cols, "\n".join(parts))


def _sign(frame: Frame, mark: int, code: int) -> tuple[str, str]:
    """What stands on a cell of an SVG picture, and its colour."""
    if not frame.shows_truth and mark in (UNMARKED, HELD):
        return (CELL_MARKS[TRAP], INK_COLOUR) if mark == HELD else ("", "")
    return ("×", CROSS_COLOUR) if code == TRAP else (str(code), CLUE_COLOURS[code])


def _enlarged(values: Marks, side: int) -> Pixels:
    """A square of pixels for each value, with the line on the right and below the last ones."""
    pixels = np.repeat(np.repeat(values, side, axis=0), side, axis=1)
    return np.pad(pixels, ((0, 1), (0, 1)), constant_values=FRAME_LINE)


@lru_cache(maxsize=1)
def _true_signs(truth: Grid, side: int) -> Pixels:
    """The clue or the cross of every cell, `NO_SIGN` elsewhere; all frames of a game share it."""
    pixels = np.full((truth.rows * side + 1, truth.cols * side + 1), NO_SIGN, np.uint8)
    for (row, col), code in np.ndenumerate(truth.cells):
        square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
        if code == TRAP:
            draw_cross(square, FRAME_CROSS)
        else:
            draw_sign(square, str(code), FRAME_FIRST_CLUE + int(code))
    return pixels


@lru_cache(maxsize=1)
def _trap_signs(shape: tuple[int, int], side: int) -> Pixels:
    """A `T` on every cell, `NO_SIGN` elsewhere."""
    square = np.full((side + 1, side + 1), NO_SIGN, np.uint8)
    draw_sign(square, CELL_MARKS[TRAP], FRAME_INK)
    return np.pad(np.tile(square[:-1, :-1], shape), ((0, 1), (0, 1)), constant_values=NO_SIGN)
