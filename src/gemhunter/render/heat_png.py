"""Heat maps as PNG pictures."""

from math import isqrt

import numpy as np

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.render.heat import UNKNOWN, Risk, heat_colour, heat_signs
from gemhunter.render.png import Pixels, png_file
from gemhunter.render.signs import draw_sign
from gemhunter.render.svg import CLUE_COLOURS, rgb

LARGEST_SIDE = 26
"""Pixels per cell, with its line on the left and above."""

LEAST_SIDE_WITH_SIGNS = 18
MOST_PIXELS = 30_000_000
"""Cells become smaller where there would be more."""

PERCENTAGES = 101
"""Palette entries 0 to 100 are the colours of so many percent; those below follow them."""
LINE, SHOWN, COVERED, INK, FIRST_CLUE = range(PERCENTAGES, PERCENTAGES + 5)
PALETTE = [
    *(heat_colour(percent / 100) for percent in range(PERCENTAGES)),
    *((148, 163, 184), (248, 250, 252), (203, 213, 225), (30, 41, 59)),
    *map(rgb, CLUE_COLOURS),
]


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
    return png_file(pixels, PALETTE)


def _write_signs(pixels: Pixels, grid: Grid, risk: Risk, side: int) -> None:
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            if sign != UNKNOWN:
                code = grid[row, col]
                square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
                draw_sign(square, sign, FIRST_CLUE + code if code >= 0 else INK)
