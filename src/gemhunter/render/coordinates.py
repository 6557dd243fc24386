"""Row and column numbers around a board, counted from 1: in text, in SVG pictures and in pixels."""

from collections.abc import Iterator

import numpy as np

from gemhunter.render.palette import NUMBER_COLOUR
from gemhunter.render.pixels import DOT, Pixels, draw_sign

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
