"""Grids as PNG pictures."""

from math import isqrt

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, LARGEST_DIGIT, MARKS, TRAP, Grid
from gemhunter.render.coordinates import with_numbers
from gemhunter.render.palette import (
    CLUE_COLOURS,
    CLUE_GROUND,
    GEM_GROUND,
    HIDDEN_GROUND,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    SURE_GEM,
    SURE_TRAP,
    TRAP_GROUND,
    rgb,
)
from gemhunter.render.png import png_file
from gemhunter.render.signs import draw_sign

CELL_PIXELS = 26
"""The side of a cell, with its line on the left and above."""

LEAST_CELL_PIXELS_WITH_SIGNS = 16
MOST_PICTURE_PIXELS = 30_000_000
"""Cells become smaller where there would be more."""

_COLOURS = (
    *CLUE_COLOURS,
    *(CLUE_GROUND, HIDDEN_GROUND, TRAP_GROUND, GEM_GROUND),
    *(SURE_TRAP, SURE_GEM, LINE_COLOUR, NUMBER_COLOUR, PAPER_COLOUR),
)
"""The palette; the colour of a clue has the number of the clue."""

_SHOWN, _HIDDEN, _TRAP, _GEM, _TRAP_SIGN, _GEM_SIGN, _LINE, _NUMBER, _PAPER = range(
    LARGEST_DIGIT + 1, len(_COLOURS)
)
_GROUNDS = {HIDDEN: _HIDDEN, TRAP: _TRAP, GEM: _GEM}
_INKS = {TRAP: _TRAP_SIGN, GEM: _GEM_SIGN}


def draw_grid_png(grid: Grid) -> bytes:
    """The picture of `draw_grid` as a PNG file; on very large boards cells are small and have no signs."""
    side = max(min(CELL_PIXELS, isqrt(MOST_PICTURE_PIXELS // grid.cells.size)), 1)
    grounds = np.full(grid.cells.shape, _SHOWN, np.uint8)
    for code, ground in _GROUNDS.items():
        grounds[grid.cells == code] = ground
    pixels = np.repeat(np.repeat(grounds, side, axis=0), side, axis=1)
    palette = list(map(rgb, _COLOURS))
    if side < LEAST_CELL_PIXELS_WITH_SIGNS:
        return png_file(np.pad(pixels, ((0, 1), (0, 1)), constant_values=_LINE), palette)
    pixels[::side], pixels[:, ::side] = _LINE, _LINE
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=_LINE)
    for row, col in np.argwhere(grid.cells != HIDDEN).tolist():
        code = grid[row, col]
        square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
        draw_sign(square, MARKS[code], _INKS.get(code, code))
    return png_file(with_numbers(pixels, grid.cells.shape, side=side, paper=_PAPER, ink=_NUMBER), palette)
