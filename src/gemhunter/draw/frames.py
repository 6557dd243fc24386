"""Frames of a game, in which the colour of a cell shows how the player marked it.

Grey is unmarked, green was found safe, yellow was marked as a trap, and red is a trap that was revealed. A
cell shows what the player sees: the clue of a safe cell, `T` on a cell marked as a trap, a cross on a trap
that was revealed. A frame that shows the truth has the true clue or a cross on every cell.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, LARGEST_DIGIT, TRAP, Grid
from gemhunter.draw.palette import (
    CLUE_COLOURS,
    CROSS_COLOUR,
    EXPLODED_GROUND,
    GEM_GROUND,
    HIDDEN_GROUND,
    PRESUMED_GROUND,
)
from gemhunter.draw.pixels import (
    CROSS_SIGN,
    CellLook,
    board_image,
    cell_pixels,
    gif_file,
    png_file,
    png_scale,
)

if TYPE_CHECKING:
    from PIL.Image import Image

UNMARKED, FOUND_SAFE, PRESUMED_TRAP, EXPLODED = range(4)
"""How the player has marked a cell."""

MARK_COLOURS = (HIDDEN_GROUND, GEM_GROUND, PRESUMED_GROUND, EXPLODED_GROUND)

FRAME_PIXELS = 4_000_000  # larger boards get smaller cells, because there is a picture for every step
_CODES = range(TRAP, LARGEST_DIGIT + 1)  # the cells of the truth


@dataclass(frozen=True, slots=True, eq=False)
class Frame:
    """A moment of a game: `truth` has the clues of all gems, `marks` has the player's mark on each cell."""

    truth: Grid
    marks: NDArray[np.uint8]
    shows_truth: bool = False


def draw_frame_png(frame: Frame) -> bytes:
    """The frame as a PNG file, large enough to print."""
    side = _side(frame, FRAME_PIXELS)
    return png_file(frame_image(frame, side, png_scale(frame.marks.size, side, FRAME_PIXELS)))


def animated_frames(frames: Sequence[Frame], delays: Sequence[int]) -> bytes:
    """Frames as one GIF file, each shown for its delay in hundredths of a second."""
    # All frames are in memory at once: longer animations get smaller cells.
    side = _side(frames[0], min(FRAME_PIXELS, 1_000_000_000 // len(frames)))
    return gif_file(zip((frame_image(frame, side) for frame in frames), delays, strict=True))


def frame_image(frame: Frame, side: int, scale: int = 1) -> "Image":
    """The picture in pixels; small cells have no signs."""
    cells = frame.marks * np.int64(len(_CODES)) + frame.truth.cells - TRAP  # indices of looks
    return board_image(_looks(frame.shows_truth), cells, side, scale=scale)


def _side(frame: Frame, most: int) -> int:
    return cell_pixels(frame.marks.size, 24, most)


@lru_cache
def _looks(shows_truth: bool) -> tuple[CellLook, ...]:
    """The looks of all codes for each mark."""
    return tuple(_look(mark, code, shows_truth) for mark in range(len(MARK_COLOURS)) for code in _CODES)


def _look(mark: int, code: int, shows_truth: bool) -> CellLook:
    ground = MARK_COLOURS[mark]
    if mark == UNMARKED and not shows_truth:
        return CellLook(ground)
    if mark == PRESUMED_TRAP and not shows_truth:
        return CellLook(ground, CELL_MARKS[TRAP])
    if code == TRAP:
        return CellLook(ground, CROSS_SIGN, CROSS_COLOUR)
    return CellLook(ground, str(code), CLUE_COLOURS[code])
