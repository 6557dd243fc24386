"""Grids as pictures, SVG and PNG, with row and column numbers."""

from collections.abc import Callable, Iterator, Mapping
from math import isqrt
from types import MappingProxyType

import numpy as np

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN, LARGEST_DIGIT, TRAP, Cell, Grid
from gemhunter.draw.palette import (
    ARROW_COLOUR,
    CLUE_COLOURS,
    CLUE_GROUND,
    GEM_GROUND,
    HIDDEN_GROUND,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    SURE_GEM,
    SURE_TRAP,
    TRAP_GROUND,
    rgb,
)
from gemhunter.draw.pixels import DOT, Pixels, draw_sign, png_file

# Row and column numbers around a board, counted from 1: in text, in SVG pictures and in pixels.


SVG_TOP, SVG_DIGIT, SVG_GAP = 22, 8, 10
"""Pixels in an SVG picture: above a board, of a digit, and between the row numbers and their surroundings."""

PIXEL_GAP = 3
"""Pixels between a number and the board, and around it."""

DIGIT_HEIGHT, DIGIT_WIDTH = 5 * DOT, 4 * DOT
"""Pixels of a digit; its width includes the space before the next one."""

EVERY_TENTH = 10
"""Where a number is wider than its column, only every tenth column has one."""


def row_margin(rows: int) -> int:
    """How many characters the row numbers need, with the space behind them."""
    return len(str(rows)) + 1


def row_number(row: int, rows: int) -> str:
    """The text on the left of a row, counted from 0."""
    return f"{row + 1:>{row_margin(rows) - 1}} "


def column_numbers(columns: range, width: int, gap: int) -> Iterator[str]:
    """The lines above some columns, counted from 0, of cells `width` characters wide with `gap` between.

    Numbers that are wider than a cell are written downwards, one digit below the other.
    """
    digits = len(str(columns.stop))
    numbers = [str(col + 1).rjust(digits) for col in columns]
    if digits <= width:
        yield (" " * gap).join(number.rjust(width) for number in numbers)
        return
    for place in range(digits):
        yield (" " * gap).join(number[place].rjust(width) for number in numbers).rstrip()


def svg_margin(rows: int) -> int:
    """How many pixels the row numbers need in an SVG picture."""
    return SVG_GAP + SVG_DIGIT * len(str(rows))


def svg_numbers(rows: int, cols: int, side: int, *, left: int = 0, corner: tuple[int, int] = (0, 0)) -> str:
    """The numbers around a board in an SVG picture, whose upper left corner is at `left`, 0.

    `corner` is the first cell that is drawn, if it is only a part of a board.
    """
    top_row, first_col = corner
    digits = len(str(first_col + cols))
    across = (
        f'<text x="{left + (col + 0.5) * side:g}" y="-7">{first_col + col + 1}</text>'
        for col in range(cols)
        if _has_number(first_col + col, SVG_DIGIT * digits, side)
    )
    middle = left - svg_margin(top_row + rows) / 2
    down = (
        f'<text x="{middle:g}" y="{(row + 0.5) * side + 4:g}">{top_row + row + 1}</text>'
        for row in range(rows)
    )
    style = f'class="numbers" fill="{NUMBER_COLOUR}"'
    return f"<g {style}>\n" + "\n".join([*across, *down]) + "\n</g>"


def with_numbers(
    pixels: Pixels,
    shape: tuple[int, int],
    *,
    side: int,
    paper: int,
    ink: int,
    corner: tuple[int, int] = (0, 0),
) -> Pixels:
    """The picture of a board of `shape`, its cells `side` pixels wide, with numbers on the left and above.

    `corner` is the first cell that is drawn, if it is only a part of a board.
    """
    rows, cols = shape
    top_row, first_col = corner
    top, left = number_margins(top_row + rows)
    whole = np.pad(pixels, ((top, PIXEL_GAP), (left, PIXEL_GAP)), constant_values=paper)
    wide = DIGIT_WIDTH * len(str(first_col + cols)) - DOT
    for col in range(cols):
        if _has_number(first_col + col, wide, side):
            middle = left + col * side + side // 2
            half = max(side, wide) // 2
            draw_sign(whole[:top, max(middle - half, 0) : middle + half + 1], str(first_col + col + 1), ink)
    for row in range(rows):
        draw_sign(whole[top + row * side : top + (row + 1) * side + 1, :left], str(top_row + row + 1), ink)
    return whole


def number_margins(rows: int) -> tuple[int, int]:
    """How many pixels `with_numbers` adds above and on the left of a board."""
    return DIGIT_HEIGHT + 2 * PIXEL_GAP, DIGIT_WIDTH * len(str(rows)) - DOT + 2 * PIXEL_GAP


def _has_number(col: int, width: int, side: int) -> bool:
    return width < side or (col + 1) % EVERY_TENTH == 0


# Grids as pictures, SVG and PNG.


SVG_SIDE = 32
"""Pixels per cell of an SVG picture."""

SIGN_SIZE = 17
"""Of the font of signs, in pixels of an SVG picture."""

BASELINE = 22
"""Where a cell's sign stands, so that it looks centred; not every viewer centres text."""

_GRID_STYLE = (
    f"text{{font:600 {SIGN_SIZE}px system-ui,sans-serif;text-anchor:middle}}"
    ".numbers text{font:12px system-ui,sans-serif}"
    f".clue{{fill:{CLUE_GROUND}}}.hidden{{fill:{HIDDEN_GROUND}}}.trap{{fill:{TRAP_GROUND}}}"
    f".gem{{fill:{GEM_GROUND}}}rect{{stroke:{LINE_COLOUR}}}"
)
_CELL_LOOKS = {HIDDEN: ("hidden", ""), TRAP: ("trap", "✹"), GEM: ("gem", "◆")}
_SIGN_COLOURS = {TRAP: SURE_TRAP, GEM: SURE_GEM}

CELL_PIXELS = 26
"""The side of a cell in a PNG picture, with its line on the left and above."""

LEAST_CELL_PIXELS_WITH_SIGNS = 16
MOST_PICTURE_PIXELS = 30_000_000
"""Larger boards get smaller cells."""

_GRID_COLOURS = (
    *CLUE_COLOURS,
    *(CLUE_GROUND, HIDDEN_GROUND, TRAP_GROUND, GEM_GROUND),
    *(SURE_TRAP, SURE_GEM, LINE_COLOUR, NUMBER_COLOUR, PAPER_COLOUR, INK_COLOUR),
)
GRID_PALETTE = tuple(map(rgb, _GRID_COLOURS))
"""What the numbers in pixels mean; the colour of a clue has the number of the clue."""

(
    _SHOWN,
    _HIDDEN,
    GRID_TRAP,
    GRID_GEM,
    GRID_TRAP_SIGN,
    GRID_GEM_SIGN,
    GRID_LINE,
    GRID_NUMBER,
    GRID_PAPER,
    GRID_INK,
) = range(LARGEST_DIGIT + 1, len(_GRID_COLOURS))
_GROUNDS = {HIDDEN: _HIDDEN, TRAP: GRID_TRAP, GEM: GRID_GEM}
_INKS = {TRAP: GRID_TRAP_SIGN, GEM: GRID_GEM_SIGN}


def draw_grid(grid: Grid) -> str:
    """A picture of one grid, as a complete SVG document."""
    return svg_document(grid.rows, grid.cols, svg_cells(grid))


def draw_answer(grid: Grid, filled: Grid) -> str:
    """A grid and its answer side by side, as a complete SVG document."""
    width, gap = grid.cols * SVG_SIDE, 2 * SVG_SIDE
    second = width + gap + svg_margin(grid.rows)
    middle = f'x="{width + gap / 2}" y="{grid.rows * SVG_SIDE / 2 + 6:g}"'
    arrow = f'<text {middle} fill="{ARROW_COLOUR}" font-size="26">→</text>'
    numbers = svg_numbers(grid.rows, grid.cols, SVG_SIDE, left=second)
    parts = [svg_cells(grid), arrow, svg_cells(filled, second), numbers]
    return svg_document(grid.rows, grid.cols, "\n".join(parts), width=second + width)


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

    `width` and `below` make room beside and below the board, in pixels; `head` is drawn before all else.
    `corner` is the first cell that is drawn, if it is only a part of a board.
    """
    left, top = svg_margin(corner[0] + rows) + 1, SVG_TOP + 1
    wide, high = left + (width or cols * SVG_SIDE) + 1, top + rows * SVG_SIDE + 1 + below
    frame = f'viewBox="{-left} {-top} {wide} {high}" width="{wide}" height="{high}"'
    style = f"<style>{_GRID_STYLE}</style>"
    numbers = svg_numbers(rows, cols, SVG_SIDE, corner=corner)
    parts = [*filter(None, [head]), style, numbers, body, "</svg>\n"]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>', *parts])


def svg_cells(grid: Grid, left: int = 0) -> str:
    """The cells of a grid, whose upper left corner is at `left`, 0."""
    parts = []
    for row, codes in enumerate(grid.cells.tolist()):
        for col, code in enumerate(codes):
            parts.append(svg_cell(code, left + col * SVG_SIDE, row * SVG_SIDE))
    return "\n".join(parts)


def sign_of(code: int) -> tuple[str, str]:
    """The sign on a cell, empty on a hidden one, and its colour."""
    _, sign = _CELL_LOOKS.get(code, ("clue", str(code)))
    return sign, _SIGN_COLOURS[code] if code in _SIGN_COLOURS else CLUE_COLOURS[max(code, 0)]


def svg_cell(code: int, x: int, y: int, *, hatch: str = "") -> str:
    """A cell whose upper left corner is at `x`, `y`; `hatch` is drawn between its ground and its sign."""
    look, _ = _CELL_LOOKS.get(code, ("clue", ""))
    sign, colour = sign_of(code)
    parts = [f'<rect class="{look}" x="{x}" y="{y}" width="{SVG_SIDE}" height="{SVG_SIDE}"/>']
    if hatch:
        parts.append(hatch)
    if sign:
        middle = f'x="{x + SVG_SIDE / 2:g}" y="{y + BASELINE}"'
        parts.append(f'<text {middle} fill="{colour}">{sign}</text>')
    return "\n".join(parts)


def draw_grid_png(grid: Grid) -> bytes:
    """The picture of `draw_grid` as a PNG file; on very large boards cells are small and have no signs."""
    side = cell_pixels(grid, CELL_PIXELS, MOST_PICTURE_PIXELS)
    return png_file(numbered_grid(grid_pixels(grid, side), grid, side), GRID_PALETTE)


def cell_pixels(grid: Grid, usual: int, most: int) -> int:
    """The side of a cell, smaller than `usual` if the board would have more than `most` pixels."""
    return max(min(usual, isqrt(most // grid.cells.size)), 1)


def numbered_grid(pixels: Pixels, grid: Grid, side: int, corner: tuple[int, int] = (0, 0)) -> Pixels:
    """The picture that `grid_pixels` makes, with its numbers if cells are large enough for signs.

    `corner` is the first cell that is drawn, if it is only a part of a board.
    """
    if side < LEAST_CELL_PIXELS_WITH_SIGNS:
        return pixels
    shape = grid.cells.shape
    return with_numbers(pixels, shape, side=side, paper=GRID_PAPER, ink=GRID_NUMBER, corner=corner)


def grid_pixels(grid: Grid, side: int) -> Pixels:
    """A grid as numbers in `GRID_PALETTE`, its cells `side` pixels wide; small cells have no signs."""
    grounds = np.full(grid.cells.shape, _SHOWN, np.uint8)
    for code, ground in _GROUNDS.items():
        grounds[grid.cells == code] = ground
    pixels = np.repeat(np.repeat(grounds, side, axis=0), side, axis=1)
    if side < LEAST_CELL_PIXELS_WITH_SIGNS:
        return np.pad(pixels, ((0, 1), (0, 1)), constant_values=GRID_LINE)
    pixels[::side], pixels[:, ::side] = GRID_LINE, GRID_LINE
    pixels = np.pad(pixels, ((0, 1), (0, 1)), constant_values=GRID_LINE)
    for row, col in np.argwhere(grid.cells != HIDDEN).tolist():
        code = grid[row, col]
        draw_sign(square_of(pixels, Cell(row, col), side), CELL_MARKS[code], _INKS.get(code, code))
    return pixels


def square_of(pixels: Pixels, cell: Cell, side: int) -> Pixels:
    """The pixels of a cell with the lines around it, to draw on."""
    row, col = cell
    return pixels[row * side : (row + 1) * side + 1, col * side : (col + 1) * side + 1]


GRID_PICTURES: Mapping[str, Callable[[Grid], str | bytes]] = MappingProxyType(
    {"svg": draw_grid, "png": draw_grid_png}
)
"""The kinds of pictures of a grid; a file's name ends in one of them."""
