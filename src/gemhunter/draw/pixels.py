"""Pictures made of pixels: boards put together from tiles, text, PNG files and animated GIF files.

Pillow, which draws and writes them, is optional, and so is imported where it is needed.
"""

from collections.abc import Iterable
from functools import lru_cache
from io import BytesIO
from math import ceil, isqrt
from typing import TYPE_CHECKING, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.draw.palette import INK_COLOUR, LINE_COLOUR, NUMBER_COLOUR, PAPER_COLOUR
from gemhunter.errors import InputError
from gemhunter.optional_packages import has_package, missing_text

if TYPE_CHECKING:
    from PIL.Image import Image
    from PIL.ImageFont import FreeTypeFont, ImageFont

SMALLEST_SIGNED_CELL = 16  # pixels: smaller cells are plain squares, without lines, signs and numbers
PNG_SCALE = 3  # how much larger PNG files are: 9×9 cells fill a column of a page at 200 dots per inch
PIXEL_GAP = 3  # to the right of a board with numbers, and below it
LINE_PIXELS = 22  # from one line of words to the next
CROSS_SIGN = "×"  # drawn as two lines
_WORDS_SIZE, _NUMBER_SIZE = 16, 12
_SPELLED = str.maketrans({"×": "x", "–": "-", "’": "'"})  # characters that Pillow's own font lacks

Hatch = Literal["", "slanted", "level"]


class CellLook(NamedTuple):
    """How a cell looks: the colour behind its sign, the sign and its colour, and lines around the sign."""

    ground: str
    sign: str = ""
    ink: str = INK_COLOUR
    hatch: Hatch = ""


def cell_pixels(cells: int, usual: int, most: int) -> int:
    """The side of a cell: `usual`, or smaller so that all cells have at most `most` pixels."""
    return max(min(usual, isqrt(most // cells)), 1)


def png_scale(cells: int, side: int, most: int) -> int:
    """How much larger a PNG file is: `PNG_SCALE` times, or less to stay within `most` pixels."""
    return cell_pixels(cells * side * side, PNG_SCALE, most)


def board_image(
    looks: tuple[CellLook, ...],
    cells: NDArray[np.integer],
    side: int,
    *,
    scale: int = 1,
    corner: tuple[int, int] = (0, 0),
) -> "Image":
    """A board with its row and column numbers; each of `cells` is the index of its look.

    Cells are `side` pixels wide, including the line on the left; everything is drawn `scale` times as large.
    `corner` is the first cell that is drawn, if `cells` are only a part of a board.
    """
    require_pillow()
    from PIL.Image import fromarray, new

    rows, cols = cells.shape
    tiles = np.stack([_tile(look, side, scale) for look in looks])
    pixels = tiles[cells].swapaxes(1, 2).reshape(rows * side * scale, cols * side * scale, 3)
    has_numbers = side >= SMALLEST_SIGNED_CELL
    top, left = number_margins(corner[0] + rows) if has_numbers else (0, 0)
    gap = PIXEL_GAP if has_numbers else 0
    width, height = left + cols * side + 1 + gap, top + rows * side + 1 + gap
    image = new("RGB", (width * scale, height * scale), PAPER_COLOUR)
    right, bottom = (left + cols * side + 1) * scale, (top + rows * side + 1) * scale
    image.paste(LINE_COLOUR, (left * scale, top * scale, right, bottom))
    image.paste(fromarray(pixels), (left * scale, top * scale))
    if not has_numbers:
        return image
    size = _NUMBER_SIZE * scale
    # If numbers are wider than columns, only every tenth column has one.
    is_narrow = 8 * len(str(corner[1] + cols)) - 2 >= side
    for col in range(corner[1] + 1, corner[1] + cols + 1):
        if not is_narrow or col % 10 == 0:
            middle = (left + (col - corner[1] - 0.5) * side + 0.5) * scale
            draw_sign(image, (middle, top * scale / 2), str(col), NUMBER_COLOUR, size=size)
    for row in range(corner[0] + 1, corner[0] + rows + 1):
        middle = (top + (row - corner[0] - 0.5) * side + 0.5) * scale
        draw_sign(image, (left * scale / 2, middle), str(row), NUMBER_COLOUR, size=size)
    return image


def number_margins(rows: int) -> tuple[int, int]:
    """How many pixels the numbers take above and on the left of a board, before it is scaled."""
    return 16, 8 * len(str(rows)) + 4


@lru_cache(maxsize=1024)
def _tile(look: CellLook, side: int, scale: int) -> NDArray[np.uint8]:
    """The pixels of a cell, with the line on its left and above."""
    from PIL.Image import new
    from PIL.ImageDraw import Draw

    wide = side * scale
    image = new("RGB", (wide, wide), look.ground)
    if side < SMALLEST_SIGNED_CELL:
        return np.asarray(image)
    draw = Draw(image)
    if look.hatch:
        for start in range(0, 2 * wide, 4 * scale):
            end = (start, 0) if look.hatch == "slanted" else (wide, start)
            draw.line((0, start, *end), look.ink, scale)
    middle = (wide + scale) / 2
    if look.sign == CROSS_SIGN:
        near, far, thick = middle - wide / 4, middle + wide / 4, max(round(wide / 8), 1)
        draw.line((near, near, far, far), look.ink, thick)
        draw.line((near, far, far, near), look.ink, thick)
    elif look.sign:
        # Two digits must fit into the width of a cell.
        size = wide * (58 if len(look.sign) == 1 else 46) // 100
        ground = look.ground if look.hatch else None
        draw_sign(image, (middle, middle), look.sign, look.ink, size=size, ground=ground, is_bold=True)
    image.paste(LINE_COLOUR, (0, 0, wide, scale))
    image.paste(LINE_COLOUR, (0, 0, scale, wide))
    return np.asarray(image)


def draw_sign(
    image: "Image",
    middle: tuple[float, float],
    text: str,
    colour: str,
    *,
    size: int,
    ground: str | None = None,
    is_bold: bool = False,
) -> None:
    """Write a sign or a number around a point; `ground` is the colour of a box behind it."""
    mask, _ = _text_mask(text, size, is_bold)
    left, top = round(middle[0] - mask.width / 2), round(middle[1] - mask.height / 2)
    if ground is not None:
        around = size // 7
        right, bottom = left + mask.width + around, top + mask.height + around
        image.paste(ground, (left - around, top - around, right, bottom))
    image.paste(colour, (left, top), mask)


def draw_lines(image: "Image", lines: Iterable[str], corner: tuple[int, int], colour: str) -> None:
    """Write lines of words one below the other, from a corner (left, top); what does not fit is cut off."""
    left, top = corner
    for number, line in enumerate(lines):
        mask, above = _text_mask(line, _WORDS_SIZE)
        image.paste(colour, (left, top + _WORDS_SIZE + LINE_PIXELS * number - above), mask)


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` pixels, or of one word."""
    font, lines = _font(_WORDS_SIZE), [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and font.getlength(longer.translate(_SPELLED)) > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


@lru_cache(maxsize=1024)
def _text_mask(text: str, size: int, is_bold: bool = False) -> "tuple[Image, int]":
    """How much of each pixel a text covers, and how far above its baseline it reaches.

    There are only four steps of coverage, because a GIF file has at most 256 colours.
    """
    from PIL.Image import new
    from PIL.ImageDraw import Draw

    text, font = text.translate(_SPELLED), _font(size)
    left, top, right, bottom = map(int, Draw(new("L", (1, 1))).textbbox((0, 0), text, font, anchor="ls"))
    # The font has no bold letters: a second copy, a little to the right, thickens those of signs.
    steps = (0, size / 20) if is_bold else (0,)
    mask = new("L", (max(right - left + ceil(steps[-1]), 1), max(bottom - top, 1)))
    for step in steps:
        Draw(mask).text((step - left, -top), text, 255, font, anchor="ls")
    return mask.point([85 * ((value + 42) // 85) for value in range(256)]), -top


@lru_cache
def _font(size: int) -> "FreeTypeFont | ImageFont":
    """Pillow's own font, so that pictures look the same on every machine."""
    from PIL.ImageFont import load_default

    return load_default(size)


def png_file(image: "Image") -> bytes:
    """A picture as a PNG file."""
    stream = BytesIO()
    image.save(stream, "PNG")
    return stream.getvalue()


def gif_file(frames: Iterable[tuple["Image", int]]) -> bytes:
    """An endless animation of frames, each with its duration in hundredths of a second.

    All frames have one size, and together at most 256 colours.
    """
    from PIL.Image import fromarray

    images, delays = [], []
    colours: list[int] = []
    # Pillow's reduction to a given palette would merge colours that are nearly alike.
    index_of = np.full(1 << 24, -1, np.int16)
    for image, delay in frames:
        red, green, blue = np.moveaxis(np.asarray(image).astype(np.int32), 2, 0)
        pixels = red << 16 | green << 8 | blue
        new = np.unique(pixels[index_of[pixels] < 0])
        index_of[new] = range(len(colours), len(colours) + new.size)
        colours += new.tolist()
        images.append(fromarray(index_of[pixels].astype(np.uint8)))
        delays.append(10 * delay)
    palette = b"".join(colour.to_bytes(3) for colour in colours)
    for image in images:
        image.putpalette(palette)
    stream = BytesIO()
    images[0].save(
        stream, "GIF", save_all=True, append_images=images[1:], duration=delays, loop=0, optimize=False
    )
    return stream.getvalue()


def require_pillow() -> None:
    """Raise an error that says how to install Pillow, if it is missing."""
    if not has_package("PIL"):
        raise InputError(missing_text("PNG and GIF pictures need", "PIL"))
