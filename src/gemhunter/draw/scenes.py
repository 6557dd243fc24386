"""Storyboards: a deduction or a search as scenes, with words below the board.

A scene can be drawn as an SVG picture, a storyboard as an animation or as a page that plays it.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from html import escape
from importlib.resources import files
from textwrap import wrap
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.draw.grids import (
    BASELINE,
    SVG_SIDE,
    SVG_TOP,
    grid_looks,
    svg_cell,
    svg_cells,
    svg_document,
    svg_margin,
)
from gemhunter.draw.palette import CROSS_COLOUR, INK_COLOUR, NUMBER_COLOUR, PAPER_COLOUR, SURE_GEM, SURE_TRAP
from gemhunter.draw.pixels import (
    LINE_PIXELS,
    SMALLEST_SIGNED_CELL,
    CellLook,
    Hatch,
    board_image,
    cell_pixels,
    draw_lines,
    draw_sign,
    gif_file,
    number_margins,
    require_pillow,
    wrapped,
)
from gemhunter.printable import json_text

if TYPE_CHECKING:
    from PIL.Image import Image


TOP_LEFT = Cell(0, 0)


@dataclass(frozen=True, slots=True)
class Scene:
    """What one picture shows: `traps` and `gems` that follow from `clues`, and the words below the board.

    `broken` are clues that cannot hold, `unsure` are hidden cells that can be either. Each of `thoughts` is a
    sentence and the number of suppositions that it depends on. A search also takes values back (`undone`),
    and marks cells that were decisions, and the decision level if it is not 0.
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


@dataclass(frozen=True, slots=True, eq=False)
class Storyboard:
    """A grid and scenes in order; each begins with what the scenes before it have decided.

    `corner` is where the grid begins, if it is only a part of a board; cells in scenes are relative to it.
    `legend` explains marks by their names in `SCENE_MARKS`.
    """

    title: str
    grid: Grid
    scenes: tuple[Scene, ...]
    corner: Cell = TOP_LEFT
    legend: tuple[tuple[str, str], ...] = (
        ("clue", "a clue that the step rests on"),
        ("new-trap", "now known to be a trap"),
        ("new-gem", "now known to be a gem"),
    )

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
    """A storyboard without rows and columns that no scene is about, if its board has over 10,000 cells."""
    cells = [cell for scene in story.scenes for cells in _marked(scene) for cell in cells]
    if story.grid.cells.size <= 10_000 or not cells:
        return story
    # Keep three rows and columns around the cells that matter.
    top, left = (max(min(places) - 3, 0) for places in zip(*cells, strict=True))
    bottom, right = (max(places) + 4 for places in zip(*cells, strict=True))
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


# A scene as an SVG picture: clues are outlined, conclusions hatched, and the words stand below the board.
#
# Nothing depends on colour alone: traps and gems differ by hatch and sign, clues have a thick outline.


HATCH_STEP = 8  # pixels between the lines of a hatch, a quarter of a cell
LINE_HEIGHT, WORDS_GAP = 20, 14  # pixels of a line of words, and around the words

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


# The lines over a trap rise from left to right.
_STARTS = [(max(i - SVG_SIDE, 0), min(i, SVG_SIDE)) for i in range(HATCH_STEP, 2 * SVG_SIDE, HATCH_STEP)]
_RISING = "".join(f"M{x} {y}l{y - x} -{y - x}" for x, y in _STARTS)
_LEVEL = "".join(f"M0 {y}h{SVG_SIDE}" for y in range(HATCH_STEP // 2, SVG_SIDE, HATCH_STEP))
_TRAP_HATCH, _GEM_HATCH = (f'<path class="hatch" d="{lines}"/>' for lines in (_RISING, _LEVEL))
# The cross over a broken clue leaves out the middle, where the clue stands.
_ARMS = ((0, SVG_SIDE // 3), (SVG_SIDE, SVG_SIDE - SVG_SIDE // 3))
_CROSS = "".join(f"M{x} {y}L{to_x} {to_y}" for x, to_x in _ARMS for y, to_y in _ARMS)
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
        "broken": f'<path class="cross" d="{_CROSS}"/>',
    }
)
"""What is drawn on a cell whose upper left corner is at 0, 0; `new` cells get their value in the scene, and
`decided` cells by a decision of a search."""


def scene_marks(scene: Scene) -> Iterator[tuple[str, Cell]]:
    """What a scene draws on the board, in order, by name in `SCENE_MARKS`."""
    kinds = ("new-trap", scene.traps), ("new-gem", scene.gems), ("unsure", scene.unsure)
    for kind, cells in (*kinds, ("clue", scene.clues), ("broken", scene.broken)):
        for cell in cells:
            yield kind, cell


def draw_scene(story: Storyboard, number: int) -> str:
    """A scene of a storyboard, counted from 0, as a complete SVG document."""
    grid, scene = story.before(number), story.scenes[number]
    # Small boards get space on their right, so that the words need fewer lines.
    width = max(grid.cols * SVG_SIDE, 440)
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
    """A title and a description for screen readers, and white paper, as ink cannot be read on a dark page."""
    thoughts = " ".join([scene.sentence, *(text for _, text in scene.thoughts)])
    spoken = f"<title>{_text(f'{title}: {scene.heading}')}</title>\n<desc>{_text(thoughts)}</desc>"
    corner = f'x="{-svg_margin(rows) - 1}" y="{-SVG_TOP - 1}"'
    return f'{spoken}\n<rect {corner} width="100%" height="100%" fill="{PAPER_COLOUR}" style="stroke:none"/>'


def _lines(scene: Scene, width: int) -> Iterator[tuple[str, int, str]]:
    """The class, the indentation and the text of each line below the board."""
    yield "heading", 0, scene.heading
    for depth, text in [(0, scene.sentence), *((1 + depth, text) for depth, text in scene.thoughts)]:
        indent = 18 * depth
        # Viewers do not wrap text in SVG pictures. In a wide font, letters are 7.6 pixels wide on average.
        for line in wrap(text, max(int((width - indent) / 7.6), 20)):
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


# The side of a cell, and the largest board; larger ones get smaller cells, as every scene is a picture.
SCENE_CELL_PIXELS, SCENE_PIXELS = 24, 1_300_000

ANIMATED_SCENES = 48  # a longer animation takes too long to watch


def scene_limit(grid: Grid) -> int:
    """How many scenes an animation should have at most."""
    side = cell_pixels(grid.cells.size, SCENE_CELL_PIXELS, SCENE_PIXELS)
    fitting = 20_000_000 // (grid.cells.size * side * side)  # more pixels make too large a file
    return min(max(fitting, 1), ANIMATED_SCENES)


def animated_scenes(story: Storyboard) -> bytes:
    """All scenes as one GIF file; long sentences are shown longer."""
    delays = [80 + 2 * len(scene.sentence) for scene in story.scenes]
    delays[-1] = max(delays[-1], 500)  # hundredths of a second
    return gif_file(zip(scene_images(story), delays, strict=True))


def scene_images(story: Storyboard) -> "list[Image]":
    """Each scene in pixels, all of the same size."""
    require_pillow()
    from PIL.Image import new

    side = cell_pixels(story.grid.cells.size, SCENE_CELL_PIXELS, SCENE_PIXELS)
    boards = [*_board_images(story, side)]
    margin = 8
    # Small boards get space on their right, so that the words need fewer lines.
    width = max(boards[0].width, 420)
    room = width - 2 * margin
    # What does not fit into ten lines is left out.
    words = [[*wrapped(scene.heading, room), *wrapped(scene.sentence, room)][:10] for scene in story.scenes]
    height = boards[0].height + LINE_PIXELS * max(map(len, words)) + 2 * margin
    images = []
    for board, lines in zip(boards, words, strict=True):
        image = new("RGB", (width, height), PAPER_COLOUR)
        image.paste(board)
        draw_lines(image, lines, (margin, board.height + margin), INK_COLOUR)
        images.append(image)
    return images


def _board_images(story: Storyboard, side: int) -> "Iterator[Image]":
    """The board after each scene, with its marks."""
    plain = grid_looks()
    looks = (*plain, *_variants(plain[TRAP - GEM], "slanted"), *_variants(plain[0], "level"))
    grid = story.grid
    assigned: dict[Cell, Scene] = {}
    for scene in story.scenes:
        grid = with_scenes(grid, [scene])
        for cell in scene.undone:
            assigned.pop(cell, None)
        assigned |= dict.fromkeys((*scene.traps, *scene.gems), scene)
        cells = grid.cells - GEM
        for cell, by in assigned.items():
            if variant := by.is_decision + 2 * (by is scene):
                cells[cell] = len(plain) + 3 * (grid[cell] == GEM) + variant - 1
        image = board_image(looks, cells, side, corner=story.corner)
        _mark(image, scene, assigned, side, story.corner.row + grid.rows)
        yield image


def _variants(look: CellLook, hatch: Hatch) -> tuple[CellLook, CellLook, CellLook]:
    """The looks of a decision, a new value and a new decision: decisions swap ground and ink."""
    decided = CellLook(look.ink, look.sign, look.ground)
    return decided, look._replace(hatch=hatch), decided._replace(hatch=hatch)


def _mark(image: "Image", scene: Scene, assigned: Mapping[Cell, Scene], side: int, rows: int) -> None:
    """Draw what a scene marks on its board; `assigned` has the scene in which each cell got its value."""
    from PIL.ImageDraw import Draw

    draw, has_signs = Draw(image), side >= SMALLEST_SIGNED_CELL
    top, left = number_margins(rows) if has_signs else (0, 0)

    def corner(cell: Cell) -> tuple[int, int]:
        return left + cell.col * side, top + cell.row * side

    for x, y in map(corner, scene.undone):  # a dashed square
        for start in range(3, side - 5, 5):
            for near in (3, side - 3):
                draw.line((x + start, y + near, x + start + 2, y + near), NUMBER_COLOUR)
                draw.line((x + near, y + start, x + near, y + start + 2), NUMBER_COLOUR)
    for x, y in map(corner, scene.unsure if has_signs else ()):
        draw_sign(image, (x + side / 2, y + side / 2), "?", INK_COLOUR, size=side * 58 // 100)
    for x, y in map(corner, scene.clues):
        draw.rectangle((x + 1, y + 1, x + side - 1, y + side - 1), None, INK_COLOUR, max(side // 8, 1))
    for cell, by in assigned.items():
        if by.level and side >= SCENE_CELL_PIXELS:
            # The decision level in the upper left corner, over any hatch or outline.
            x, y = corner(cell)
            draw_sign(image, (x + 5, y + 5), str(by.level), INK_COLOUR, size=9, ground=PAPER_COLOUR)
    arms = ((0, side // 3), (side, side - side // 3))
    for x, y in map(corner, scene.broken):  # a cross without its middle, where the clue stands
        for from_x, to_x in arms:
            for from_y, to_y in arms:
                draw.line((x + from_x, y + from_y, x + to_x, y + to_y), CROSS_COLOUR, 2)


# A storyboard as a page that plays it: one HTML file with a board, the scenes as data, and a small script.


def draw_player(story: Storyboard) -> str:
    """A complete HTML document; its content security policy forbids all requests."""
    policy = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{policy}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(story.title)}</title>",
        f"<style>\n{_source('player.css')}</style>",
        f"<h1>{escape(story.title)}</h1>",
        _board(story),
        _controls(len(story.scenes)),
        '<div aria-live="polite">',
        f'<h2 id="heading">{escape(story.scenes[0].heading)}</h2>',
        f'<p id="sentence">{escape(story.scenes[0].sentence)}</p>\n</div>\n<ul id="thoughts"></ul>',
        _legend(story),
        f'<script id="story" type="application/json">{_json(_record(story))}</script>',
        f"<script>\n{_source('player.js')}</script>",
        "</html>\n",
    ]
    return "\n".join(parts)


def framed_player(story: Storyboard) -> str:
    """The page in a frame, so that it does not affect the notebook around it."""
    height = min(350 + story.grid.rows * SVG_SIDE, 800)  # the words take 350 pixels
    size = f'style="width:100%;height:{height}px;border:0"'
    page = f'sandbox="allow-scripts" title="{escape(story.title)}" srcdoc="{escape(draw_player(story))}"'
    return f"<iframe {size} {page}>{escape(story.scenes[0].sentence)}</iframe>"


def _board(story: Storyboard) -> str:
    rows, cols = story.grid.rows, story.grid.cols
    layers = '<g id="decided"></g>\n<g id="current"></g>'
    body = f"<style>{SCENE_STYLE}{SEARCH_STYLE}</style>\n{svg_cells(story.grid)}\n{layers}"
    head = f"<title>a board of {rows} rows and {cols} columns</title>"
    # Cells are at least 20 pixels wide; on a large board the page scrolls to those that matter.
    least = f"--least-width:{20 * cols}px"
    picture = svg_document(rows, cols, body, head=head, corner=story.corner)
    return f'<div class="board" id="board" style="{least}">\n{picture}</div>'


def _controls(scenes: int) -> str:
    buttons = (
        f'<button id="{word.lower()}" type="button">{word}</button>'
        for word in ("First", "Back", "Play", "Next", "Last")
    )
    # How many times faster than reading speed the page can play.
    speeds = "".join(f'<option value="{speed}">{speed}×</option>' for speed in (1, 2, 4, 10))
    return "\n".join(
        [
            '<div class="controls">',
            *buttons,
            f'<input id="slider" type="range" min="0" max="{scenes - 1}" value="0" aria-label="Step">',
            f'<label>Speed <select id="speed">{speeds}</select></label>',
            '<label><input id="whole" type="checkbox"> Whole board</label>',
            "</div>",
        ]
    )


def _legend(story: Storyboard) -> str:
    box = f'viewBox="-1 -1 {SVG_SIDE + 2} {SVG_SIDE + 2}" aria-hidden="true"'
    clue = svg_cell(2, 0, 0)  # what stands below a mark of clues
    entries = (
        f"<span><svg {box}>{clue * (kind in ('clue', 'broken'))}{SCENE_MARKS[kind]}</svg>{meaning}</span>"
        for kind, meaning in story.legend
    )
    keys = "<span>Keys: arrow left and right, Home, End; space plays.</span>"
    return "\n".join(['<div class="legend">', *entries, keys, "</div>"])


def _record(story: Storyboard) -> dict[str, Any]:
    """The data for the script; cells are indices in reading order."""
    scenes = [_scene_record(scene, story.grid.cols) for scene in story.scenes]
    return {"cols": story.grid.cols, "side": SVG_SIDE, "marks": dict(SCENE_MARKS), "scenes": scenes}


def _scene_record(scene: Scene, cols: int) -> dict[str, Any]:
    """A scene without the fields that it leaves empty."""

    def indices(cells: tuple[Cell, ...]) -> list[int]:
        return [cell.row * cols + cell.col for cell in cells]

    marks = {
        "clues": indices(scene.clues),
        "decidedTraps" if scene.is_decision else "traps": indices(scene.traps),
        "decidedGems" if scene.is_decision else "gems": indices(scene.gems),
        "broken": indices(scene.broken),
        "unsure": indices(scene.unsure),
        "thoughts": scene.thoughts,
        "undone": indices(scene.undone),
        "level": scene.level,
    }
    used = {name: value for name, value in marks.items() if value}
    return {"heading": scene.heading, "sentence": scene.sentence, **used}


def _json(record: dict[str, Any]) -> str:
    """JSON in which no text can end the script element around it."""
    text = json_text(record, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _source(name: str) -> str:
    """A file of this package."""
    return files("gemhunter.draw").joinpath(name).read_text(encoding="utf-8")
