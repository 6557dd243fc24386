"""A storyboard as a page that plays it: one HTML file with a board, its scenes as data, and a small script.

The page requests nothing, and says so in its content security policy.
"""

from html import escape
from importlib.resources import files
from typing import Any

from gemhunter.board.grid import Cell
from gemhunter.draw.grids import SVG_SIDE, svg_cell, svg_cells, svg_document
from gemhunter.draw.scenes import SCENE_MARKS, SCENE_STYLE, SEARCH_STYLE, Scene, Storyboard
from gemhunter.printable import json_text

LEAST_PLAYED_SIDE = 20
"""Pixels: the cells of a large board become no smaller than this; the page scrolls to those that matter."""

SPEEDS = (1, 2, 4, 10)
"""How many times faster than reading the page can play."""

LEGEND_CLUE = 2
"""The clue below a mark of clues in the legend."""

FRAMED_WORDS, MOST_FRAMED = 350, 800
"""Pixels of a page in a notebook: its height beside that of the board, and all of it at most."""

_POLICY = "default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'"


def draw_player(story: Storyboard) -> str:
    """A complete HTML document."""
    parts = [
        "<!DOCTYPE html>",
        '<html lang="en">',
        '<meta charset="utf-8">',
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">',
        '<meta name="viewport" content="width=device-width, initial-scale=1">',
        f"<title>{escape(story.title)}</title>",
        f"<style>\n{_source('player.css')}</style>",
        f"<h1>{escape(story.title)}</h1>",
        _board(story),
        _controls(len(story.scenes)),
        _words(story.scenes[0]),
        _legend(story),
        f'<script id="story" type="application/json">{_json(_story_record(story))}</script>',
        f"<script>\n{_source('player.js')}</script>",
        "</html>\n",
    ]
    return "\n".join(parts)


def framed_player(story: Storyboard) -> str:
    """The page in a frame of its own, so that it changes nothing in the page of a notebook around it."""
    height = min(FRAMED_WORDS + story.grid.rows * SVG_SIDE, MOST_FRAMED)
    size = f'style="width:100%;height:{height}px;border:0"'
    page = f'sandbox="allow-scripts" title="{escape(story.title)}" srcdoc="{escape(draw_player(story))}"'
    return f"<iframe {size} {page}>{escape(story.scenes[0].sentence)}</iframe>"


def _board(story: Storyboard) -> str:
    rows, cols = story.grid.rows, story.grid.cols
    layers = '<g id="decided"></g>\n<g id="current"></g>'
    body = f"<style>{SCENE_STYLE}{SEARCH_STYLE}</style>\n{svg_cells(story.grid)}\n{layers}"
    head = f"<title>a board of {rows} rows and {cols} columns</title>"
    least = f"--least-width:{cols * LEAST_PLAYED_SIDE}px"
    picture = svg_document(rows, cols, body, head=head, corner=story.corner)
    return f'<div class="board" id="board" style="{least}">\n{picture}</div>'


def _controls(scenes: int) -> str:
    buttons = (
        f'<button id="{word.lower()}" type="button">{word}</button>'
        for word in ("First", "Back", "Play", "Next", "Last")
    )
    speeds = "".join(f'<option value="{speed}">{speed}×</option>' for speed in SPEEDS)
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


def _words(scene: Scene) -> str:
    return (
        f'<div aria-live="polite">\n<h2 id="heading">{escape(scene.heading)}</h2>\n'
        f'<p id="sentence">{escape(scene.sentence)}</p>\n</div>\n<ul id="thoughts"></ul>'
    )


def _legend(story: Storyboard) -> str:
    box = f'viewBox="-1 -1 {SVG_SIDE + 2} {SVG_SIDE + 2}" aria-hidden="true"'
    clue = svg_cell(LEGEND_CLUE, 0, 0)
    entries = (
        f"<span><svg {box}>{clue * (kind in ('clue', 'broken'))}{SCENE_MARKS[kind]}</svg>{meaning}</span>"
        for kind, meaning in story.legend
    )
    keys = "<span>Keys: arrow left and right, Home, End; space plays.</span>"
    return "\n".join(['<div class="legend">', *entries, keys, "</div>"])


def _story_record(story: Storyboard) -> dict[str, Any]:
    """What the script needs; cells are indices in reading order."""
    return {
        "cols": story.grid.cols,
        "side": SVG_SIDE,
        "marks": dict(SCENE_MARKS),
        "scenes": [_scene_record(scene, story.grid.cols) for scene in story.scenes],
    }


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
    """Data inside a page: no text in it can end the script element."""
    text = json_text(record, separators=(",", ":"))
    return text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")


def _source(name: str) -> str:
    """A file of this package."""
    return files("gemhunter.draw").joinpath(name).read_text(encoding="utf-8")
