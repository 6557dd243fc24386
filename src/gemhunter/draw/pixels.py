"""Pictures made of pixels: PNG files, letters of a few dots, and animated GIF files."""

import struct
import zlib
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.draw.palette import Colour

# Pictures made of pixels: PNG files, and signs of 3×5 dots.
#
# A package that draws would be larger than all of Gem Hunter, for a few signs and coloured squares.


Pixels = NDArray[np.uint8]
"""Rows of pixels, each the number of a colour."""

DOT = 2
"""Pixels per dot of a sign."""

SIGN_ROWS = (
    *("75557", "26227", "71747", "71717", "55711", "74717"),
    *("74757", "71122", "75757", "75717", "72222", "74557", "71302"),
)
SIGNS = dict(zip("0123456789TG?", SIGN_ROWS, strict=True))
"""Five rows from the top, each the bits of its three dots as one digit."""


def png_file(pixels: Pixels, palette: Sequence[Colour]) -> bytes:
    """Signature, header, palette, compressed rows, end.

    A row is stored as its difference from the row above, which a byte before it says: most are alike.
    """
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    differences = np.diff(pixels, axis=0, prepend=np.zeros((1, width), np.uint8))
    rows = np.pad(differences, ((0, 0), (1, 0)), constant_values=2).tobytes()
    colours = bytes(value for colour in palette for value in colour)
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))


def draw_sign(square: NDArray[np.uint8], text: str, colour: int) -> None:
    """Put signs into the middle of a square of pixels."""
    dots = _large_dots(text)
    height, width = dots.shape
    top, left = (square.shape[0] - height) // 2, (square.shape[1] - width) // 2
    square[top : top + height, left : left + width][dots] = colour


def draw_cross(square: NDArray[np.uint8], colour: int) -> None:
    """Put two diagonals, a little thicker than the dots of a sign, into the middle of a square of pixels."""
    side = min(square.shape)
    middle, reach = (side - 1) / 2, side / 4
    down, right = np.indices(square.shape) - middle
    near = (abs(down) <= reach) & (abs(right) <= reach)
    square[near & (abs(abs(down) - abs(right)) <= 1)] = colour


@lru_cache(maxsize=1024)
def _large_dots(text: str) -> NDArray[np.bool_]:
    return np.repeat(np.repeat(small_dots(text), DOT, axis=0), DOT, axis=1)


def small_dots(text: str) -> NDArray[np.bool_]:
    """The dots of some signs, with a column of empty dots between them."""
    shifts = (3, 2, 1, 0)
    signs = [[[int(row) >> shift & 1 for shift in shifts] for row in SIGNS[sign]] for sign in text]
    return np.concatenate(np.array(signs, bool), axis=1)[:, 1:]


# Words in pixels: letters of up to five by nine dots, for the sentences below pictures made of pixels.


LETTER_ROWS, ROWS_BETWEEN_LINES = 9, 2
"""Dots: the height of a letter with its descender, and between two lines."""

COLUMNS_BETWEEN_WORDS = 2
"""Dots of a space, beside those between any two letters."""

_CHARACTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789.,:;-–'’\"()?!·/%+=×"
_LETTER_DOTS = (
    "699f99900 e99e99e00 788888700 e99999e00 f88e88f00 f88e88800 788b99700 999f99900 "
    "722222700 311119600 99aca9900 888888f00 hrllhhh00 hppljjh00 699999600 e99e88800 "
    "69999b700 e99ea9900 788611e00 v44444400 999999600 hhhaaa400 hhhllrh00 hha4ahh00 "
    "hha444400 f12448f00 006179700 88e999e00 003444300 117999700 0069f8700 347444400 "
    "007999716 88e999900 101111100 101111112 889aca900 222222100 00qllll00 00e999900 "
    "006999600 00e999e88 007999711 005644400 007861e00 447444300 009999700 00hhaa400 "
    "00hllla00 00ha4ah00 009999716 00f168f00 699999600 262222700 691248f00 e11611e00 "
    "3559f1100 f8e111e00 688e99600 f11224400 699699600 699711600 000001100 000001120 "
    "001101100 001101120 000700000 000f00000 110000000 110000000 550000000 122222100 "
    "211111200 691240400 111110100 000100000 112244800 992449900 000272000 000707000 "
    "000966900"
)
LETTERS = dict(zip(_CHARACTERS, _LETTER_DOTS.split(), strict=True))
"""The rows of each letter from the top, each the bits of its dots as one digit of base 32."""

UNKNOWN_LETTER = "vhhhhhv00"
"""A box, for a character that has no letter."""


def wrapped(text: str, width: int) -> list[str]:
    """The text in lines of at most `width` pixels, or of one word."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if lines[-1] and text_dots(longer).shape[1] > width:
            lines.append(word)
        else:
            lines[-1] = longer
    return lines


def draw_lines(pixels: Pixels, lines: Iterable[str], corner: tuple[int, int], colour: int) -> None:
    """Put lines of text on a picture, from a corner downwards; what does not fit is cut off."""
    top, left = corner
    for line in lines:
        dots = text_dots(line)
        part = pixels[top : top + dots.shape[0], left : left + dots.shape[1]]
        part[dots[: part.shape[0], : part.shape[1]]] = colour
        top += LINE_PIXELS


LINE_PIXELS = DOT * (LETTER_ROWS + ROWS_BETWEEN_LINES)
"""From one line of text to the next."""


@lru_cache(maxsize=1024)
def text_dots(text: str) -> NDArray[np.bool_]:
    """The pixels of a line of text."""
    space = np.zeros((LETTER_ROWS, COLUMNS_BETWEEN_WORDS), bool)
    gap = np.zeros((LETTER_ROWS, 1), bool)
    parts = [part for sign in text for part in (space if sign == " " else _letter(sign), gap)]
    bits = np.concatenate(parts or [gap], axis=1)
    return np.repeat(np.repeat(bits, DOT, axis=0), DOT, axis=1)


@lru_cache
def _letter(sign: str) -> NDArray[np.bool_]:
    """The dots of a letter, without empty columns on its left."""
    rows = [int(digit, 32) for digit in LETTERS.get(sign, UNKNOWN_LETTER)]
    width = max(rows).bit_length()
    return np.array([[bool(row >> shift & 1) for shift in range(width - 1, -1, -1)] for row in rows])


# Animated GIF files of pictures with few colours: each frame has only the rectangle that has changed.


LARGEST_LZW_CODE = 4095
"""Codes have at most twelve bits; then a new table begins."""

LARGEST_GIF_SIDE = 65535


def gif_file(frames: Iterable[tuple[Pixels, int]], palette: Sequence[Colour]) -> bytes:
    """An animation that repeats for ever, of frames and how long each is shown, in hundredths of a second.

    All frames have the same size, at most `LARGEST_GIF_SIDE` pixels each way, and at most 256 colours.
    """
    bits = max((len(palette) - 1).bit_length(), 2)
    blocks, before = [], None
    for pixels, delay in frames:
        if before is None:
            blocks.append(_header(pixels, palette, bits))
        blocks += _frame(pixels, before, delay, bits)
        before = pixels
    if before is None:
        raise ValueError("an animation has at least one frame")
    return b"".join(blocks) + b";"


def _header(pixels: Pixels, palette: Sequence[Colour], bits: int) -> bytes:
    """Signature, size, the palette filled up to a power of two, and the request to repeat for ever."""
    height, width = pixels.shape
    size = struct.pack("<HHBBB", width, height, 0xF0 | bits - 1, 0, 0)
    colours = bytes(value for colour in palette for value in colour).ljust(3 << bits, b"\0")
    return b"GIF89a" + size + colours + b"\x21\xff\x0bNETSCAPE2.0\x03\x01\0\0\0"


def _frame(pixels: Pixels, before: Pixels | None, delay: int, bits: int) -> Iterator[bytes]:
    """How long a frame is shown, where its rectangle is, and its codes, in pieces of up to 255 bytes."""
    top, left, part = _changed(pixels, before)
    yield b"\x21\xf9\x04\x04" + struct.pack("<HBB", delay, 0, 0)
    yield b"\x2c" + struct.pack("<HHHHB", left, top, part.shape[1], part.shape[0], 0) + bytes([bits])
    data = _packed(_codes(part.ravel().tolist(), bits))
    for start in range(0, len(data), 255):
        piece = data[start : start + 255]
        yield bytes([len(piece)]) + piece
    yield b"\0"


def _changed(pixels: Pixels, before: Pixels | None) -> tuple[int, int, Pixels]:
    """The smallest rectangle that holds every change; one pixel if nothing changed."""
    if before is None:
        return 0, 0, pixels
    different = pixels != before
    rows, cols = np.flatnonzero(different.any(axis=1)), np.flatnonzero(different.any(axis=0))
    if not rows.size:
        return 0, 0, pixels[:1, :1]
    top, left = int(rows[0]), int(cols[0])
    return top, left, pixels[top : rows[-1] + 1, left : cols[-1] + 1]


def _codes(colours: list[int], bits: int) -> Iterator[tuple[int, int]]:
    """LZW: a code for the longest run of colours that has been seen, with the bits it is written in.

    A single colour is a run; `longer` has the code of a run and one more colour, which has eight bits.
    """
    clear, end = 1 << bits, (1 << bits) + 1
    width, latest = bits + 1, end
    longer: dict[int, int] = {}
    yield clear, width
    run = colours[0]
    for colour in colours[1:]:
        both = run << 8 | colour
        if both in longer:
            run = longer[both]
            continue
        yield run, width
        latest += 1
        longer[both] = latest
        run = colour
        if latest == 1 << width:
            width += 1
        if latest == LARGEST_LZW_CODE:
            yield clear, width
            width, latest = bits + 1, end
            longer.clear()
    yield run, width
    yield end, width


def _packed(codes: Iterable[tuple[int, int]]) -> bytes:
    """The codes one after the other, lowest bit first."""
    data, held, count = bytearray(), 0, 0
    for code, width in codes:
        held |= code << count
        count += width
        while count >= 8:
            data.append(held & 255)
            held >>= 8
            count -= 8
    if count:
        data.append(held)
    return bytes(data)
