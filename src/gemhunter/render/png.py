"""PNG files of pictures with few colours: a palette, rows, and zlib."""

import struct
import zlib
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gemhunter.render.palette import Colour

Pixels = NDArray[np.uint8]
"""Rows of pixels, each the number of a colour."""


def png_file(pixels: Pixels, palette: Sequence[Colour]) -> bytes:
    """Signature, header, palette, compressed rows (each after a byte that says: unfiltered), end."""
    height, width = pixels.shape
    header = struct.pack(">IIBBBBB", width, height, 8, 3, 0, 0, 0)
    rows = np.pad(pixels, ((0, 0), (1, 0))).tobytes()
    colours = bytes(value for colour in palette for value in colour)
    chunks = [(b"IHDR", header), (b"PLTE", colours), (b"IDAT", zlib.compress(rows)), (b"IEND", b"")]
    return b"\x89PNG\r\n\x1a\n" + b"".join(_chunk(kind, content) for kind, content in chunks)


def _chunk(kind: bytes, content: bytes) -> bytes:
    return struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
