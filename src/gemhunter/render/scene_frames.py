"""A storyboard as an animation: each scene is a frame, with its words below the board."""

from collections.abc import Iterator, Mapping

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import TRAP, Cell, Grid
from gemhunter.render.gif import gif_file
from gemhunter.render.grids import (
    GRID_GEM,
    GRID_GEM_SIGN,
    GRID_INK,
    GRID_NUMBER,
    GRID_PALETTE,
    GRID_PAPER,
    GRID_TRAP,
    GRID_TRAP_SIGN,
    LEAST_CELL_PIXELS_WITH_SIGNS,
    cell_pixels,
    grid_pixels,
    numbered_grid,
    square_of,
)
from gemhunter.render.letters import LINE_PIXELS, draw_lines, wrapped
from gemhunter.render.pixels import DOT, Pixels, draw_cross, draw_sign, small_dots
from gemhunter.render.storyboard import Scene, Storyboard, with_scenes

SCENE_CELL_PIXELS = 24
"""Pixels per cell, with its line on the left and above."""

MOST_SCENE_PIXELS = 1_300_000
"""Larger boards get smaller cells, as there is a picture for every scene."""

LEAST_FRAME_WIDTH = 420
"""Pixels, so that a sentence below a small board needs only a few lines."""

MOST_WORD_LINES = 10
"""What does not fit below the board is left out."""

FRAME_MARGIN = 8
"""Pixels around the words."""

LEAST_DELAY, DELAY_PER_LETTER, LAST_SCENE_DELAY = 80, 2, 500
"""Hundredths of a second: every scene, for each letter of its sentence, and the last scene."""

MOST_ANIMATED_SCENES, MOST_ANIMATED_PIXELS = 48, 20_000_000
"""An animation of more scenes is too long to watch, one of more pixels too large a file and slow to write."""

HATCH_PIXELS = 4
"""From one line of a hatch to the next."""


def most_animated_scenes(grid: Grid) -> int:
    """How many scenes an animation should have."""
    side = cell_pixels(grid, SCENE_CELL_PIXELS, MOST_SCENE_PIXELS)
    fitting = MOST_ANIMATED_PIXELS // (grid.cells.size * side * side)
    return min(max(fitting, 1), MOST_ANIMATED_SCENES)


def animated_scenes(story: Storyboard) -> bytes:
    """All scenes as one GIF file; long sentences stand longer."""
    delays = [LEAST_DELAY + DELAY_PER_LETTER * len(scene.sentence) for scene in story.scenes]
    delays[-1] = max(delays[-1], LAST_SCENE_DELAY)
    return gif_file(zip(scene_pixels(story), delays, strict=True), GRID_PALETTE)


def scene_pixels(story: Storyboard) -> Iterator[Pixels]:
    """Each scene as numbers in `GRID_PALETTE`, all of the same size."""
    side = cell_pixels(story.grid, SCENE_CELL_PIXELS, MOST_SCENE_PIXELS)
    boards = [*_boards(story, side)]
    width = max(boards[0].shape[1], LEAST_FRAME_WIDTH)
    lines = [_word_lines(scene, width - 2 * FRAME_MARGIN) for scene in story.scenes]
    below = LINE_PIXELS * max(map(len, lines)) + 2 * FRAME_MARGIN
    for board, words in zip(boards, lines, strict=True):
        beside = width - board.shape[1]
        pixels = np.pad(board, ((0, below), (0, beside)), constant_values=GRID_PAPER)
        draw_lines(pixels, words, (board.shape[0] + FRAME_MARGIN, FRAME_MARGIN), GRID_INK)
        yield pixels


def _word_lines(scene: Scene, width: int) -> list[str]:
    return [*wrapped(scene.heading, width), *wrapped(scene.sentence, width)][:MOST_WORD_LINES]


def _boards(story: Storyboard, side: int) -> Iterator[Pixels]:
    """The board of each scene."""
    grid = story.grid
    assigned: dict[Cell, Scene] = {}
    for scene in story.scenes:
        grid = with_scenes(grid, [scene])
        for cell in scene.undone:
            assigned.pop(cell, None)
        assigned |= dict.fromkeys((*scene.traps, *scene.gems), scene)
        yield numbered_grid(_board(grid, scene, assigned, side), grid, side, story.corner)


def _board(grid: Grid, scene: Scene, assigned: Mapping[Cell, Scene], side: int) -> Pixels:
    """The grid after a scene, with its marks; `assigned` has the scene in which a cell got its value."""
    pixels = grid_pixels(grid, side)
    down, right = np.indices((side + 1, side + 1))
    slanted, level = (down + right) % HATCH_PIXELS == 0, down % HATCH_PIXELS == 0
    for cell in scene.traps:
        _hatch(square_of(pixels, cell, side), slanted, GRID_TRAP, GRID_TRAP_SIGN)
    for cell in scene.gems:
        _hatch(square_of(pixels, cell, side), level, GRID_GEM, GRID_GEM_SIGN)
    for cell, by in assigned.items():
        if by.is_decision:
            _strengthen(square_of(pixels, cell, side), is_trap=grid[cell] == TRAP)
    for cell in scene.undone:
        dashed = np.zeros_like(slanted)
        dashed[[3, side - 3], 3 : side - 2] = dashed[3 : side - 2, [3, side - 3]] = True
        square_of(pixels, cell, side)[dashed & ((down + right) // 3 % 2 == 0)] = GRID_NUMBER
    if side >= LEAST_CELL_PIXELS_WITH_SIGNS:
        for cell in scene.unsure:
            draw_sign(square_of(pixels, cell, side), "?", GRID_INK)
    for cell in scene.clues:
        _outline(square_of(pixels, cell, side))
    for cell, by in assigned.items():
        if by.level and side >= SCENE_CELL_PIXELS:
            _number(square_of(pixels, cell, side), by.level)
    for cell in scene.broken:
        draw_cross(square_of(pixels, cell, side), GRID_TRAP_SIGN)
    return pixels


def _hatch(square: Pixels, lines: NDArray[np.bool_], ground: int, colour: int) -> None:
    """Draw lines on the ground of a cell, but not around its sign."""
    lines = lines & (square == ground)
    if len(square) > LEAST_CELL_PIXELS_WITH_SIGNS:
        rows, cols = np.nonzero(square == colour)
        lines[rows.min() - DOT : rows.max() + DOT + 1, cols.min() - DOT : cols.max() + DOT + 1] = False
    square[lines] = colour


def _strengthen(square: Pixels, *, is_trap: bool) -> None:
    """Show that a value was decided, not implied: the colours of ground and sign change places."""
    pale, strong = (GRID_TRAP, GRID_TRAP_SIGN) if is_trap else (GRID_GEM, GRID_GEM_SIGN)
    is_ground, is_sign = square == pale, square == strong
    square[is_ground], square[is_sign] = strong, pale


def _number(square: Pixels, level: int) -> None:
    """Write a decision level into the upper left corner of a cell, over any hatch or outline."""
    dots = small_dots(str(level))[:, : len(square) - 4]
    box = square[1 : 3 + len(dots), 1 : 3 + dots.shape[1]]
    box[:] = GRID_PAPER
    box[1:-1, 1:-1][dots] = GRID_INK


def _outline(square: Pixels) -> None:
    """Draw a thick line inside the border of a cell."""
    side = len(square) - 1
    thick = max(side // 8, 1)
    inside = square[1:side, 1:side]
    kept = inside[thick:-thick, thick:-thick].copy()
    inside[:] = GRID_INK
    inside[thick:-thick, thick:-thick] = kept
