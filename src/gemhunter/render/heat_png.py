"""Heat maps as PNG pictures."""

from math import isqrt

import numpy as np

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.render.coordinates import with_numbers
from gemhunter.render.heat import UNKNOWN, Risk, heat_signs
from gemhunter.render.palette import (
    CLUE_COLOURS,
    CLUE_GROUND,
    HIDDEN_GROUND,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    SURE_GEM,
    SURE_INK,
    SURE_TRAP,
    heat_colour,
    rgb,
)
from gemhunter.render.png import Pixels, png_file
from gemhunter.render.signs import draw_sign

LARGEST_SIDE = 26
"""Pixels per cell, with its line on the left and above."""

LEAST_SIDE_WITH_SIGNS = 18
MOST_PIXELS = 30_000_000
"""Cells become smaller where there would be more."""

PERCENTAGES = 101
"""Palette entries 0 to 100 are the colours of risks in percent; those below follow them."""
_OTHERS = (
    *(SURE_GEM, SURE_TRAP, SURE_INK, LINE_COLOUR, CLUE_GROUND, HIDDEN_GROUND),
    *(INK_COLOUR, NUMBER_COLOUR, PAPER_COLOUR),
)
GEM_FIELD, TRAP_FIELD, SURE_SIGN, LINE, SHOWN, COVERED, INK, NUMBER, PAPER, FIRST_CLUE = range(
    PERCENTAGES, PERCENTAGES + len(_OTHERS) + 1
)
PALETTE = [
    *(heat_colour(percent / 100) for percent in range(PERCENTAGES)),
    *map(rgb, (*_OTHERS, *CLUE_COLOURS)),
]


def draw_heat_png(grid: Grid, risk: Risk) -> bytes:
    """The picture of `draw_heat` as a PNG file; on very large boards cells are small and have no signs."""
    side = max(min(LARGEST_SIDE, isqrt(MOST_PIXELS // grid.cells.size)), 1)
    squares = np.where(np.isnan(risk), COVERED, np.rint(100 * np.nan_to_num(risk)))
    squares = np.select([risk == 0, risk == 1], [GEM_FIELD, TRAP_FIELD], squares)
    colours = np.where(grid.cells == HIDDEN, squares, SHOWN).astype(np.uint8)
    pixels = np.repeat(np.repeat(colours, side, axis=0), side, axis=1)
    if side < LEAST_SIDE_WITH_SIGNS:
        return png_file(np.pad(pixels, ((0, 1), (0, 1)), constant_values=LINE), PALETTE)
    pixels[::side], pixels[:, ::side] = LINE, LINE
    _write_signs(pixels, grid, risk, side)
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=LINE)
    return png_file(with_numbers(pixels, grid.cells.shape, side=side, paper=PAPER, ink=NUMBER), PALETTE)


def _write_signs(pixels: Pixels, grid: Grid, risk: Risk, side: int) -> None:
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            if sign != UNKNOWN:
                square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
                draw_sign(square, sign, _sign_colour(grid[row, col], float(risk[row, col])))


def _sign_colour(code: int, risk: float) -> int:
    if code >= 0:
        return FIRST_CLUE + code
    return SURE_SIGN if code == HIDDEN and risk in (0.0, 1.0) else INK
