"""A deduction as scenes, each an SVG picture or a frame of an animation with its words below the board."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from textwrap import wrap
from types import MappingProxyType

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.draw.grids import (
    BASELINE,
    GRID_GEM,
    GRID_GEM_SIGN,
    GRID_INK,
    GRID_NUMBER,
    GRID_PALETTE,
    GRID_PAPER,
    GRID_TRAP,
    GRID_TRAP_SIGN,
    LEAST_CELL_PIXELS_WITH_SIGNS,
    SVG_SIDE,
    SVG_TOP,
    cell_pixels,
    grid_pixels,
    numbered_grid,
    square_of,
    svg_cell,
    svg_cells,
    svg_document,
    svg_margin,
)
from gemhunter.draw.palette import CROSS_COLOUR, INK_COLOUR, NUMBER_COLOUR, PAPER_COLOUR, SURE_GEM, SURE_TRAP
from gemhunter.draw.pixels import (
    DOT,
    LINE_PIXELS,
    Pixels,
    draw_cross,
    draw_lines,
    draw_sign,
    gif_file,
    small_dots,
    wrapped,
)

# Scenes of a deduction or a search: what pictures, pages and animations of them are drawn from.


TOP_LEFT = Cell(0, 0)

SMALL_BOARD_CELLS_DRAWN, TRIM_MARGIN = 10_000, 3
"""Boards of no more cells are drawn as a whole; others without what is further from the cells that matter."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What one picture shows: `traps` and `gems` that follow from `clues`, and the words below the board.

    `broken` are clues that cannot hold, `unsure` hidden cells that can be both. Each of `thoughts` is a
    sentence with the number of suppositions that it stands under. A search also takes values back (`undone`),
    and its cells keep a mark: that they were a decision, and the decision level if it is not 0.
    """

    heading: str
    sentence: str
    clues: tuple[Cell, ...] = ()
    traps: tuple[Cell, ...] = ()
    gems: tuple[Cell, ...] = ()
    broken: tuple[Cell, ...] = ()
    unsure: tuple[Cell, ...] = ()
    thoughts: tuple[tuple[int, str], ...] = ()
    undone: tuple[Cell, ...] = ()
    level: int = 0
    is_decision: bool = False


DEDUCTION_LEGEND = (
    ("clue", "a clue that the step rests on"),
    ("new-trap", "now known to be a trap"),
    ("new-gem", "now known to be a gem"),
)
"""The marks that a page explains, by their names in `SCENE_MARKS`."""


@dataclass(frozen=True, slots=True, eq=False)
class Storyboard:
    """A grid and scenes in order; each begins with what the scenes before it have decided.

    `corner` is where the grid begins, if it is only a part of a board; cells are those of the grid. `legend`
    says what marks mean.
    """

    title: str
    grid: Grid
    scenes: tuple[Scene, ...]
    corner: Cell = TOP_LEFT
    legend: tuple[tuple[str, str], ...] = DEDUCTION_LEGEND

    def before(self, number: int) -> Grid:
        """The grid that a scene, counted from 0, begins with."""
        return with_scenes(self.grid, self.scenes[:number])


def with_scenes(grid: Grid, scenes: Iterable[Scene]) -> Grid:
    """The grid with the cells that these scenes decide, and without those that they take back."""
    codes = grid.cells.copy()
    for scene in scenes:
        for cells, code in ((scene.undone, HIDDEN), (scene.traps, TRAP), (scene.gems, GEM)):
            for cell in cells:
                codes[cell] = code
    return Grid(codes)


def trimmed(story: Storyboard) -> Storyboard:
    """A large board without the rows and columns that no scene is about; others as they are."""
    cells = [cell for scene in story.scenes for cells in _marked(scene) for cell in cells]
    if story.grid.cells.size <= SMALL_BOARD_CELLS_DRAWN or not cells:
        return story
    top, left = (max(min(places) - TRIM_MARGIN, 0) for places in zip(*cells, strict=True))
    bottom, right = (max(places) + TRIM_MARGIN + 1 for places in zip(*cells, strict=True))
    corner = Cell(top, left)
    scenes = tuple(_moved(scene, corner) for scene in story.scenes)
    part = Grid(story.grid.cells[top:bottom, left:right])
    return replace(story, grid=part, scenes=scenes, corner=corner)


def _marked(scene: Scene) -> tuple[tuple[Cell, ...], ...]:
    return scene.clues, scene.traps, scene.gems, scene.broken, scene.unsure, scene.undone


def _moved(scene: Scene, corner: Cell) -> Scene:
    """A scene on a grid that begins at `corner`."""
    clues, traps, gems, broken, unsure, undone = (
        tuple(Cell(row - corner.row, col - corner.col) for row, col in cells) for cells in _marked(scene)
    )
    return replace(scene, clues=clues, traps=traps, gems=gems, broken=broken, unsure=unsure, undone=undone)


# A scene as an SVG picture: clues outlined, conclusions hatched, the words below the board.
#
# Nothing depends on colour alone: traps and gems differ by hatch and sign, clues by a thick outline.


HATCH_STEP = 8
"""Pixels between the lines of a hatch, a quarter of a cell."""

LEAST_WORDS_WIDTH = 440
"""Pixels: small boards have space on their right, so that their words need fewer lines."""

LETTER_WIDTH = 7.6
"""Pixels of a letter, on average, in a wide font: viewers do not wrap the words of an SVG picture."""

LINE_HEIGHT, WORDS_GAP, THOUGHT_INDENT = 20, 14, 18
"""Pixels: of a line of words, around the words, and before a thought for each of its suppositions."""

SCENE_STYLE = (
    f".hatch{{fill:none;stroke-width:2}}.trap+.hatch{{stroke:{SURE_TRAP}}}.gem+.hatch{{stroke:{SURE_GEM}}}"
    f".hatch+text{{stroke:{PAPER_COLOUR};stroke-width:6;paint-order:stroke}}"
    f".outline{{fill:none;stroke:{INK_COLOUR};stroke-width:4}}"
    f".cross{{fill:none;stroke:{CROSS_COLOUR};stroke-width:3}}"
    f".words text{{font:14px system-ui,sans-serif;text-anchor:start;fill:{INK_COLOUR}}}"
    ".words .heading{font-weight:600}"
)

SEARCH_STYLE = (
    f".undone{{fill:none;stroke:{NUMBER_COLOUR};stroke-width:2;stroke-dasharray:4 3}}"
    f".level{{font-size:10px;text-anchor:start;fill:{INK_COLOUR}}}"
    f".hatch~.level,.outline~.level{{stroke:{PAPER_COLOUR};stroke-width:3;paint-order:stroke}}"
    f".trap+.decision{{fill:{SURE_TRAP}}}.gem+.decision{{fill:{SURE_GEM}}}"
    f".decision~text{{fill:{PAPER_COLOUR};paint-order:stroke}}.decision+.hatch{{stroke:{PAPER_COLOUR}66}}"
    f".trap+.decision~text{{stroke:{SURE_TRAP}}}.gem+.decision~text{{stroke:{SURE_GEM}}}"
)
"""What only the scenes of searches need."""


def _slanted() -> str:
    """Lines from the lower left to the upper right of a cell."""
    starts = [(0, reach, reach) for reach in range(HATCH_STEP, SVG_SIDE + 1, HATCH_STEP)]
    ends = [(left, SVG_SIDE, SVG_SIDE - left) for left in range(HATCH_STEP, SVG_SIDE, HATCH_STEP)]
    return "".join(f"M{x} {y}l{length} -{length}" for x, y, length in starts + ends)


def _level() -> str:
    """Lines from the left to the right of a cell."""
    return "".join(f"M0 {y}h{SVG_SIDE}" for y in range(HATCH_STEP // 2, SVG_SIDE, HATCH_STEP))


def _corners() -> str:
    """A cross without its middle, where the clue stands."""
    reach = SVG_SIDE // 3
    return "".join(
        f"M{x} {y}L{x + (reach if x == 0 else -reach)} {y + (reach if y == 0 else -reach)}"
        for x in (0, SVG_SIDE)
        for y in (0, SVG_SIDE)
    )


_TRAP_HATCH, _GEM_HATCH = (f'<path class="hatch" d="{lines}"/>' for lines in (_slanted(), _level()))
_DECISION = f'<rect class="decision" width="{SVG_SIDE}" height="{SVG_SIDE}"/>'
_INSIDE_CELL = f'x="3" y="3" width="{SVG_SIDE - 6}" height="{SVG_SIDE - 6}"'

SCENE_MARKS = MappingProxyType(
    {
        "hidden": svg_cell(HIDDEN, 0, 0),
        "trap": svg_cell(TRAP, 0, 0),
        "gem": svg_cell(GEM, 0, 0),
        "decided-trap": svg_cell(TRAP, 0, 0, hatch=_DECISION),
        "decided-gem": svg_cell(GEM, 0, 0, hatch=_DECISION),
        "new-trap": svg_cell(TRAP, 0, 0, hatch=_TRAP_HATCH),
        "new-gem": svg_cell(GEM, 0, 0, hatch=_GEM_HATCH),
        "new-decided-trap": svg_cell(TRAP, 0, 0, hatch=_DECISION + _TRAP_HATCH),
        "new-decided-gem": svg_cell(GEM, 0, 0, hatch=_DECISION + _GEM_HATCH),
        "undone": svg_cell(HIDDEN, 0, 0) + f'<rect class="undone" {_INSIDE_CELL}/>',
        "unsure": svg_cell(HIDDEN, 0, 0)
        + f'<text x="{SVG_SIDE // 2}" y="{BASELINE}" fill="{INK_COLOUR}">?</text>',
        "clue": f'<rect class="outline" {_INSIDE_CELL}/>',
        "broken": f'<path class="cross" d="{_corners()}"/>',
    }
)
"""What stands on a cell whose upper left corner is at 0, 0; `new` cells get their value in the scene itself,
and `decided` ones by a decision of a search."""


def scene_marks(scene: Scene) -> Iterator[tuple[str, Cell]]:
    """What a scene draws on the board, in order, by the names of `SCENE_MARKS`."""
    kinds = ("new-trap", scene.traps), ("new-gem", scene.gems), ("unsure", scene.unsure)
    for kind, cells in (*kinds, ("clue", scene.clues), ("broken", scene.broken)):
        for cell in cells:
            yield kind, cell


def draw_scene(story: Storyboard, number: int) -> str:
    """A scene of a storyboard, counted from 0, as a complete SVG document."""
    grid, scene = story.before(number), story.scenes[number]
    width = max(grid.cols * SVG_SIDE, LEAST_WORDS_WIDTH)
    marks = (
        f'<g transform="translate({cell.col * SVG_SIDE} {cell.row * SVG_SIDE})">{SCENE_MARKS[kind]}</g>'
        for kind, cell in scene_marks(scene)
    )
    lines = list(_lines(scene, width))
    words = _words(lines, grid.rows * SVG_SIDE + WORDS_GAP)
    body = "\n".join([f"<style>{SCENE_STYLE}</style>", svg_cells(grid), *marks, words])
    below = 2 * WORDS_GAP + LINE_HEIGHT * len(lines)
    head = _head(story.title, scene, story.corner.row + grid.rows)
    room = width + WORDS_GAP
    return svg_document(grid.rows, grid.cols, body, width=room, below=below, head=head, corner=story.corner)


def _head(title: str, scene: Scene, rows: int) -> str:
    """What a screen reader says, and the paper: words in ink cannot be read on a dark page."""
    thoughts = " ".join([scene.sentence, *(text for _, text in scene.thoughts)])
    said = f"<title>{_text(f'{title}: {scene.heading}')}</title>\n<desc>{_text(thoughts)}</desc>"
    corner = f'x="{-svg_margin(rows) - 1}" y="{-SVG_TOP - 1}"'
    return f'{said}\n<rect {corner} width="100%" height="100%" fill="{PAPER_COLOUR}" style="stroke:none"/>'


def _lines(scene: Scene, width: int) -> Iterator[tuple[str, int, str]]:
    """The class, the indentation and the text of each line below the board."""
    yield "heading", 0, scene.heading
    for depth, text in [(0, scene.sentence), *((1 + depth, text) for depth, text in scene.thoughts)]:
        indent = THOUGHT_INDENT * depth
        for line in wrap(text, max(int((width - indent) / LETTER_WIDTH), 20)):
            yield "line", indent, line


def _words(lines: list[tuple[str, int, str]], top: int) -> str:
    texts = (
        f'<text class="{kind}" x="{indent}" y="{top + LINE_HEIGHT * number - 5}">{_text(line)}</text>'
        for number, (kind, indent, line) in enumerate(lines, 1)
    )
    return "\n".join(['<g class="words">', *texts, "</g>"])


def _text(text: str) -> str:
    return escape(text, quote=False)


# A storyboard as an animation: each scene is a frame, with its words below the board.


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
