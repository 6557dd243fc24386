"""A scene as an SVG picture: clues outlined, conclusions hatched, the words below the board.

Nothing depends on colour alone: traps and gems differ by hatch and sign, clues by a thick outline.
"""

from collections.abc import Iterator
from html import escape
from textwrap import wrap
from types import MappingProxyType

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell
from gemhunter.render.coordinates import SVG_TOP, svg_margin
from gemhunter.render.grids import BASELINE, SVG_SIDE, svg_cell, svg_cells, svg_document
from gemhunter.render.palette import (
    CROSS_COLOUR,
    INK_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    SURE_GEM,
    SURE_TRAP,
)
from gemhunter.render.storyboard import Scene, Storyboard

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
