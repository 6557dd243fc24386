"""Animated GIF files of pictures with few colours: each frame has only the rectangle that has changed."""

import struct
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gemhunter.render.palette import Colour
from gemhunter.render.pixels import Pixels

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
