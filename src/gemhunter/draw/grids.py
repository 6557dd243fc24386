"""Grids and heat maps as pictures, SVG and PNG, with row and column numbers counted from 1.

First come whole pictures, then the parts of an SVG picture. A heat map, which terminals can also show, has
the risk of each cell as a colour and as two digits.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, LARGEST_DIGIT, TRAP, Grid
from gemhunter.draw.palette import (
    ARROW_COLOUR,
    CLUE_COLOURS,
    CLUE_GROUND,
    GEM_GROUND,
    HIDDEN_GROUND,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PLAIN,
    SHOWN_GEM,
    SHOWN_TRAP,
    SURE_GEM,
    SURE_INK,
    SURE_TRAP,
    TRAP_GROUND,
    Look,
    heat_colour,
    risk_look,
)
from gemhunter.draw.pixels import CellLook, board_image, cell_pixels, png_file, png_scale

# SVG pictures, in pixels: the side of a cell, the space for column numbers, the font size of signs, and their
# baseline within a cell, which centres them because not every viewer can.
SVG_SIDE, SVG_TOP, SIGN_SIZE, BASELINE = 32, 22, 17, 22

# PNG pictures, in pixels: the side of a cell with the line on its left, and the largest area of a picture.
CELL_PIXELS, PICTURE_PIXELS = 26, 30_000_000

UNKNOWN_RISK = "??"
"""Shown for a hidden cell whose risk is not known; narrow maps show the first character."""

Risk = NDArray[np.float64]

_CELL_LOOKS = {HIDDEN: ("hidden", ""), TRAP: ("trap", "✹"), GEM: ("gem", "◆")}
_SIGN_COLOURS = {TRAP: SURE_TRAP, GEM: SURE_GEM}


def draw_grid(grid: Grid) -> str:
    """A picture of one grid, as a complete SVG document."""
    return svg_document(grid.rows, grid.cols, svg_cells(grid))


def draw_position(grid: Grid, flags: NDArray[np.bool_]) -> str:
    """A picture of a grid with an F on each cell that has a flag, as a complete SVG document."""
    signs = (
        f'<text x="{(col + 0.5) * SVG_SIDE:g}" y="{row * SVG_SIDE + BASELINE}" fill="{INK_COLOUR}">F</text>'
        for row, col in np.argwhere(flags)
    )
    return svg_document(grid.rows, grid.cols, "\n".join([svg_cells(grid), *signs]))


def draw_grid_png(grid: Grid) -> bytes:
    """A picture of one grid as a PNG file; on very large boards cells are small and have no signs."""
    return _board_png(grid_looks(), grid.cells - GEM)


GRID_PICTURES: Mapping[str, Callable[[Grid], str | bytes]] = MappingProxyType(
    {"svg": draw_grid, "png": draw_grid_png}
)
"""How to draw a grid, by the suffix of the file."""


@lru_cache
def grid_looks() -> tuple[CellLook, ...]:
    """The looks of all codes in PNG pictures, beginning with `GEM`, the lowest."""
    grounds = {HIDDEN: HIDDEN_GROUND, TRAP: TRAP_GROUND, GEM: GEM_GROUND}
    return tuple(
        CellLook(grounds.get(code, CLUE_GROUND), "" if code == HIDDEN else CELL_MARKS[code], sign_of(code)[1])
        for code in range(GEM, LARGEST_DIGIT + 1)
    )


def draw_answer(grid: Grid, filled: Grid) -> str:
    """A grid and its answer side by side, as a complete SVG document."""
    width, gap = grid.cols * SVG_SIDE, 2 * SVG_SIDE
    second = width + gap + svg_margin(grid.rows)
    middle = f'x="{width + gap / 2}" y="{grid.rows * SVG_SIDE / 2 + 6:g}"'
    arrow = f'<text {middle} fill="{ARROW_COLOUR}" font-size="26">→</text>'
    numbers = svg_numbers(grid.rows, grid.cols, left=second)
    parts = [svg_cells(grid), arrow, svg_cells(filled, second), numbers]
    return svg_document(grid.rows, grid.cols, "\n".join(parts), width=second + width)


def draw_heat(grid: Grid, risk: Risk) -> str:
    """A picture of a board with hidden cells coloured by risk (NaN is unknown), as an SVG document."""
    parts = (
        svg_look(_cell_look(grid[row, col], float(value)), col * SVG_SIDE, row * SVG_SIDE)
        for (row, col), value in np.ndenumerate(risk)
    )
    return svg_document(grid.rows, grid.cols, "\n".join(parts))


def draw_heat_png(grid: Grid, risk: Risk) -> bytes:
    """A heat map as a PNG file; on very large boards cells are small and have no signs."""
    # The looks of shown cells by code, of certain and unknown cells, and of risks in percent. There 0 and 100
    # stand for nearly certain cells, which must not look certain.
    shown = [_cell_look(code, np.nan) for code in range(GEM, LARGEST_DIGIT + 1)]
    others = [_cell_look(HIDDEN, risk) for risk in (0.0, 1.0, np.nan)]
    percent = [_cell_look(HIDDEN, min(max(value / 100, 1e-9), 1 - 1e-9)) for value in range(101)]
    safe, trap, unknown, first_percent = range(len(shown), len(shown) + 4)
    cells = np.select(
        [grid.cells != HIDDEN, np.isnan(risk), risk == 0, risk == 1],
        [grid.cells - GEM, unknown, safe, trap],
        first_percent + np.rint(100 * np.nan_to_num(risk)).astype(np.int64),
    )
    return _board_png((*shown, *others, *percent), cells)


def _board_png(looks: tuple[CellLook, ...], cells: NDArray[np.integer]) -> bytes:
    side = cell_pixels(cells.size, CELL_PIXELS, PICTURE_PIXELS)
    return png_file(board_image(looks, cells, side, scale=png_scale(cells.size, side, PICTURE_PIXELS)))


def _cell_look(code: int, risk: float) -> CellLook:
    if code != HIDDEN:
        return CellLook(CLUE_GROUND, CELL_MARKS[code], CLUE_COLOURS[code] if code >= 0 else INK_COLOUR)
    if np.isnan(risk):
        return CellLook(HIDDEN_GROUND)
    if risk in (0.0, 1.0):
        return CellLook(SURE_TRAP if risk else SURE_GEM, heat_sign(code, risk), SURE_INK)
    return CellLook("#{:02x}{:02x}{:02x}".format(*heat_colour(risk)), heat_sign(code, risk))


def heat_sign(code: int, risk: float) -> str:
    """A cell in at most two characters: its mark, `T` or `G` if it is certain, else a percentage.

    Percentages are 01 to 99, so that they look neither like clues nor certain.
    """
    if code != HIDDEN:
        return CELL_MARKS[code]
    if np.isnan(risk):
        return UNKNOWN_RISK
    if risk in (0.0, 1.0):
        return "T" if risk else "G"
    return f"{min(max(round(100 * risk), 1), 99):02d}"


def narrow_sign(code: int, risk: float) -> str:
    """A cell in one character: a percentage becomes a letter, `a` below 10 %, `b` below 20 %, and so on."""
    sign = heat_sign(code, risk)
    return "abcdefghij"[min(int(10 * risk), 9)] if sign.isdecimal() and len(sign) > 1 else sign[0]


def heat_look(code: int, risk: float, depth: int) -> Look:
    """How a terminal with `depth` colours shows a cell."""
    if code != HIDDEN:
        return {TRAP: SHOWN_TRAP, GEM: SHOWN_GEM}.get(code, PLAIN)
    return PLAIN if np.isnan(risk) else risk_look(risk, depth)


# The parts of an SVG picture of a board.


def svg_document(
    rows: int,
    cols: int,
    body: str,
    *,
    width: int | None = None,
    below: int = 0,
    head: str = "",
    corner: tuple[int, int] = (0, 0),
) -> str:
    """A complete SVG document around a board with its numbers.

    `width` includes the space on the right of the board, `below` is the space below it, in pixels; `head` is
    drawn first. `corner` is the first cell that is drawn, if `body` is only a part of a board.
    """
    left, top = svg_margin(corner[0] + rows) + 1, SVG_TOP + 1
    wide, high = left + (width or cols * SVG_SIDE) + 1, top + rows * SVG_SIDE + 1 + below
    frame = f'viewBox="{-left} {-top} {wide} {high}" width="{wide}" height="{high}"'
    style = (
        f"<style>text{{font:600 {SIGN_SIZE}px system-ui,sans-serif;text-anchor:middle}}"
        ".numbers text{font:12px system-ui,sans-serif}"
        f".clue{{fill:{CLUE_GROUND}}}.hidden{{fill:{HIDDEN_GROUND}}}.trap{{fill:{TRAP_GROUND}}}"
        f".gem{{fill:{GEM_GROUND}}}rect{{stroke:{LINE_COLOUR}}}</style>"
    )
    start = f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>'
    parts = [start, head, style, svg_numbers(rows, cols, corner=corner), body, "</svg>\n"]
    return "\n".join(filter(None, parts))


def svg_cells(grid: Grid, left: int = 0) -> str:
    """The cells of a grid whose upper left corner is at `left`, 0."""
    cells = np.ndenumerate(grid.cells)
    return "\n".join(svg_cell(int(code), left + c * SVG_SIDE, r * SVG_SIDE) for (r, c), code in cells)


def sign_of(code: int) -> tuple[str, str]:
    """The sign on a cell, empty on a hidden one, and its colour."""
    _, sign = _CELL_LOOKS.get(code, ("clue", str(code)))
    return sign, _SIGN_COLOURS.get(code, CLUE_COLOURS[max(code, 0)])


def svg_cell(code: int, x: int, y: int, *, hatch: str = "") -> str:
    """A cell whose upper left corner is at `x`, `y`; `hatch` is drawn between its ground and its sign."""
    look, _ = _CELL_LOOKS.get(code, ("clue", ""))
    sign, colour = sign_of(code)
    rect = f'<rect class="{look}" x="{x}" y="{y}" width="{SVG_SIDE}" height="{SVG_SIDE}"/>'
    text = f'<text x="{x + SVG_SIDE / 2:g}" y="{y + BASELINE}" fill="{colour}">{sign}</text>' if sign else ""
    return "\n".join(filter(None, [rect, hatch, text]))


def svg_look(look: CellLook, x: int, y: int) -> str:
    """A cell of any colours whose upper left corner is at `x`, `y`."""
    rect = f'<rect x="{x}" y="{y}" width="{SVG_SIDE}" height="{SVG_SIDE}" fill="{look.ground}"/>'
    if not look.sign:
        return rect
    # A percentage is lighter, because it is not a clue.
    style = ' style="font-size:14px;font-weight:400"' if len(look.sign) > 1 else ""
    middle = f'x="{x + SVG_SIDE / 2:g}" y="{y + BASELINE}"'
    return f'{rect}\n<text {middle} fill="{look.ink}"{style}>{look.sign}</text>'


def svg_margin(rows: int) -> int:
    """How many pixels the row numbers take in an SVG picture."""
    return 10 + 8 * len(str(rows))


def svg_numbers(rows: int, cols: int, *, left: int = 0, corner: tuple[int, int] = (0, 0)) -> str:
    """The numbers around a board whose upper left corner is at `left`, 0; `corner` is its first cell."""
    top_row, first_col = corner
    # If numbers are wider than columns, only every tenth column has one.
    is_narrow = 8 * len(str(first_col + cols)) >= SVG_SIDE
    across = (
        f'<text x="{left + (col + 0.5) * SVG_SIDE:g}" y="-7">{first_col + col + 1}</text>'
        for col in range(cols)
        if not is_narrow or (first_col + col + 1) % 10 == 0
    )
    middle = left - svg_margin(top_row + rows) / 2
    down = (
        f'<text x="{middle:g}" y="{(row + 0.5) * SVG_SIDE + 4:g}">{top_row + row + 1}</text>'
        for row in range(rows)
    )
    style = f'class="numbers" fill="{NUMBER_COLOUR}"'
    return f"<g {style}>\n" + "\n".join([*across, *down]) + "\n</g>"
