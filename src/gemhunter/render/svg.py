"""Grids as SVG pictures."""

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.render.coordinates import SVG_TOP, svg_margin, svg_numbers
from gemhunter.render.palette import (
    CLUE_COLOURS,
    CLUE_GROUND,
    GEM_GROUND,
    HIDDEN_GROUND,
    LINE_COLOUR,
    SURE_GEM,
    SURE_TRAP,
    TRAP_GROUND,
)

SIDE = 32
"""Pixels per cell."""

BASELINE = 22
"""Where a cell's sign stands, so that it looks centred; not every viewer can centre text by itself."""

_STYLE = (
    "text{font:600 17px system-ui,sans-serif;text-anchor:middle}.numbers text{font:12px system-ui,sans-serif}"
    f".clue{{fill:{CLUE_GROUND}}}.hidden{{fill:{HIDDEN_GROUND}}}.trap{{fill:{TRAP_GROUND}}}"
    f".gem{{fill:{GEM_GROUND}}}rect{{stroke:{LINE_COLOUR}}}"
)
_LOOKS = {HIDDEN: ("hidden", ""), TRAP: ("trap", "✹"), GEM: ("gem", "◆")}
_SIGN_COLOURS = {TRAP: SURE_TRAP, GEM: SURE_GEM}


def draw_grid(grid: Grid) -> str:
    """A picture of one grid, as a complete SVG document."""
    return document(grid.rows, grid.cols, _cells(grid, 0))


def draw_answer(grid: Grid, filled: Grid) -> str:
    """A board and its answer side by side, as a complete SVG document."""
    width, gap = grid.cols * SIDE, 2 * SIDE
    second = width + gap + svg_margin(grid.rows)
    arrow = (
        f'<text x="{width + gap / 2}" y="{grid.rows * SIDE / 2 + 6:g}" fill="#475569" font-size="26">→</text>'
    )
    numbers = svg_numbers(grid.rows, grid.cols, SIDE, left=second)
    parts = [_cells(grid, 0), arrow, _cells(filled, second), numbers]
    return document(grid.rows, grid.cols, "\n".join(parts), width=second + width)


def document(rows: int, cols: int, body: str, *, width: int | None = None) -> str:
    """A complete SVG document around a board with its numbers; `width` is for more beside it, in pixels."""
    left, top = svg_margin(rows) + 1, SVG_TOP + 1
    wide, high = left + (width or cols * SIDE) + 1, top + rows * SIDE + 1
    frame = f'viewBox="{-left} {-top} {wide} {high}" width="{wide}" height="{high}"'
    parts = [f"<style>{_STYLE}</style>", svg_numbers(rows, cols, SIDE), body, "</svg>\n"]
    return "\n".join([f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>', *parts])


def _cells(grid: Grid, left: int) -> str:
    parts = []
    for row, codes in enumerate(grid.cells.tolist()):
        for col, code in enumerate(codes):
            look, sign = _LOOKS.get(code, ("clue", str(code)))
            colour = _SIGN_COLOURS[code] if code in _SIGN_COLOURS else CLUE_COLOURS[max(code, 0)]
            x, y = left + col * SIDE, row * SIDE
            parts.append(f'<rect class="{look}" x="{x}" y="{y}" width="{SIDE}" height="{SIDE}"/>')
            if sign:
                middle = f'x="{x + SIDE / 2:g}" y="{y + BASELINE}"'
                parts.append(f'<text {middle} fill="{colour}">{sign}</text>')
    return "\n".join(parts)
