"""Words in pixels: letters of up to five by nine dots, for the sentences below pictures made of pixels."""

from collections.abc import Iterable
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gemhunter.render.pixels import DOT, Pixels

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
