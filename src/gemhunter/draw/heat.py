"""Heat maps: the risk of each cell as a colour, as two digits, and in SVG and PNG pictures."""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, TRAP, Grid
from gemhunter.draw.grids import (
    BASELINE,
    CELL_PIXELS,
    MOST_PICTURE_PIXELS,
    SVG_SIDE,
    svg_document,
    with_numbers,
)
from gemhunter.draw.palette import (
    CLUE_COLOURS,
    CLUE_GROUND,
    HIDDEN_GROUND,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    PLAIN,
    SHOWN_GEM,
    SHOWN_TRAP,
    SURE_GEM,
    SURE_INK,
    SURE_TRAP,
    Look,
    heat_colour,
    rgb,
    risk_look,
)
from gemhunter.draw.pixels import Pixels, draw_sign, png_file

UNKNOWN_RISK = "??"
"""What stands where the risk of a hidden cell is not known; narrow maps have its first character."""

TENTHS = "abcdefghij"
"""Risks in narrow maps: `a` is below 10 %, `b` below 20 %, and so on."""

Risk = NDArray[np.float64]

LEAST_HEAT_CELL_PIXELS = 18
"""The side of the smallest cell that shows its percentage."""

PERCENTAGES = 101
"""Palette entries 0 to 100 are the colours of risks in percent; those below follow them."""
_HEAT_COLOURS = (
    *(SURE_GEM, SURE_TRAP, SURE_INK, LINE_COLOUR, CLUE_GROUND, HIDDEN_GROUND),
    *(INK_COLOUR, NUMBER_COLOUR, PAPER_COLOUR),
)
(
    HEAT_GEM,
    HEAT_TRAP,
    HEAT_SURE_SIGN,
    HEAT_LINE,
    HEAT_SHOWN,
    HEAT_HIDDEN,
    HEAT_INK,
    HEAT_NUMBER,
    HEAT_PAPER,
    HEAT_FIRST_CLUE,
) = range(PERCENTAGES, PERCENTAGES + len(_HEAT_COLOURS) + 1)
HEAT_PALETTE = [
    *(heat_colour(percent / 100) for percent in range(PERCENTAGES)),
    *map(rgb, (*_HEAT_COLOURS, *CLUE_COLOURS)),
]


def heat_sign(code: int, risk: float) -> str:
    """A cell in at most two characters: its mark, `T` or `G` where it is certain, else a percentage.

    A percentage has two digits, from 01 to 99, so that it does not look like a clue.
    """
    if code != HIDDEN:
        return CELL_MARKS[code]
    if np.isnan(risk):
        return UNKNOWN_RISK
    if risk in (0.0, 1.0):
        return "T" if risk else "G"
    return f"{min(max(round(100 * risk), 1), 99):02d}"


def heat_signs(grid: Grid, risk: Risk) -> list[list[str]]:
    """All cells of a board as `heat_sign` writes them, row by row."""
    rows = zip(grid.cells.tolist(), risk.tolist(), strict=True)
    return [[heat_sign(*cell) for cell in zip(codes, risks, strict=True)] for codes, risks in rows]


def narrow_sign(code: int, risk: float) -> str:
    """A cell in one character: as `heat_sign`, with a letter of `TENTHS` in place of a percentage."""
    sign = heat_sign(code, risk)
    return TENTHS[min(int(10 * risk), len(TENTHS) - 1)] if sign.isdecimal() and len(sign) > 1 else sign[0]


def heat_look(code: int, risk: float, depth: int) -> Look:
    """How a terminal with `depth` colours shows a cell."""
    if code != HIDDEN:
        return {TRAP: SHOWN_TRAP, GEM: SHOWN_GEM}.get(code, PLAIN)
    return PLAIN if np.isnan(risk) else risk_look(risk, depth)


def draw_heat(grid: Grid, risk: Risk) -> str:
    """A picture of a board, each hidden cell coloured by its risk, as a complete SVG document.

    `risk` is not a number where nothing is known.
    """
    parts = []
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            parts.append(_cell(row, col, sign, (grid[row, col], float(risk[row, col]))))
    return svg_document(grid.rows, grid.cols, "\n".join(parts))


def _cell(row: int, col: int, sign: str, content: tuple[int, float]) -> str:
    code, risk = content
    x, y = col * SVG_SIDE, row * SVG_SIDE
    box = f'x="{x}" y="{y}" width="{SVG_SIDE}" height="{SVG_SIDE}"'
    middle = f'x="{x + SVG_SIDE / 2:g}" y="{y + BASELINE}"'
    if code != HIDDEN:
        colour = CLUE_COLOURS[max(code, 0)]
        return f'<rect class="clue" {box}/>\n<text {middle} fill="{colour}">{sign}</text>'
    if np.isnan(risk):
        return f'<rect class="hidden" {box}/>'
    if risk in (0.0, 1.0):
        fill = SURE_TRAP if risk else SURE_GEM
        return f'<rect {box} fill="{fill}"/>\n<text {middle} fill="{SURE_INK}">{sign}</text>'
    fill = "#{:02x}{:02x}{:02x}".format(*heat_colour(risk))
    style = "font-size:14px;font-weight:400"
    return f'<rect {box} fill="{fill}"/>\n<text {middle} fill="{INK_COLOUR}" style="{style}">{sign}</text>'


def draw_heat_png(grid: Grid, risk: Risk) -> bytes:
    """The picture of `draw_heat` as a PNG file; on very large boards cells are small and have no signs."""
    side = max(min(CELL_PIXELS, isqrt(MOST_PICTURE_PIXELS // grid.cells.size)), 1)
    squares = np.where(np.isnan(risk), HEAT_HIDDEN, np.rint(100 * np.nan_to_num(risk)))
    squares = np.select([risk == 0, risk == 1], [HEAT_GEM, HEAT_TRAP], squares)
    colours = np.where(grid.cells == HIDDEN, squares, HEAT_SHOWN).astype(np.uint8)
    pixels = np.repeat(np.repeat(colours, side, axis=0), side, axis=1)
    if side < LEAST_HEAT_CELL_PIXELS:
        return png_file(np.pad(pixels, ((0, 1), (0, 1)), constant_values=HEAT_LINE), HEAT_PALETTE)
    pixels[::side], pixels[:, ::side] = HEAT_LINE, HEAT_LINE
    _write_signs(pixels, grid, risk, side)
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=HEAT_LINE)
    return png_file(
        with_numbers(pixels, grid.cells.shape, side=side, paper=HEAT_PAPER, ink=HEAT_NUMBER), HEAT_PALETTE
    )


def _write_signs(pixels: Pixels, grid: Grid, risk: Risk, side: int) -> None:
    for row, signs in enumerate(heat_signs(grid, risk)):
        for col, sign in enumerate(signs):
            if sign != UNKNOWN_RISK:
                square = pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]
                draw_sign(square, sign, _sign_colour(grid[row, col], float(risk[row, col])))


def _sign_colour(code: int, risk: float) -> int:
    if code >= 0:
        return HEAT_FIRST_CLUE + code
    return HEAT_SURE_SIGN if code == HIDDEN and risk in (0.0, 1.0) else HEAT_INK
