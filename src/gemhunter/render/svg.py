"""Grids as SVG pictures."""

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid

SIDE = 32
"""Pixels per cell."""

BASELINE = 22
"""Where a cell's sign stands, so that it looks centred; not every viewer can centre text by itself."""

CLUE_COLOURS = (
    *("#8a8f98", "#1d4ed8", "#15803d", "#b91c1c", "#6d28d9"),
    *("#9a3412", "#0e7490", "#111827", "#4b5563", "#000000"),
)
"""Of the clues 0 to 9."""

_STYLE = (
    "text{font:600 17px system-ui,sans-serif;text-anchor:middle}"
    ".clue{fill:#f8fafc}.hidden{fill:#cbd5e1}.trap{fill:#fecaca}.gem{fill:#bbf7d0}rect{stroke:#94a3b8}"
)
_LOOKS = {HIDDEN: ("hidden", ""), TRAP: ("trap", "✹"), GEM: ("gem", "◆")}
_SIGN_COLOURS = {TRAP: "#b91c1c", GEM: "#15803d"}


def draw_grid(grid: Grid) -> str:
    """A picture of one grid, as a complete SVG document."""
    return document(grid.cols * SIDE, grid.rows * SIDE, _cells(grid, 0))


def draw_answer(grid: Grid, filled: Grid) -> str:
    """A board and its answer side by side, as a complete SVG document."""
    left, gap = grid.cols * SIDE, 2 * SIDE
    arrow = (
        f'<text x="{left + gap / 2}" y="{grid.rows * SIDE / 2 + 6:g}" fill="#475569" font-size="26">→</text>'
    )
    parts = [_cells(grid, 0), arrow, _cells(filled, left + gap)]
    return document(2 * left + gap, grid.rows * SIDE, "\n".join(parts))


def document(width: int, height: int, body: str) -> str:
    """A complete SVG document around the picture of a grid, so many pixels wide and high."""
    frame = f'viewBox="-1 -1 {width + 2} {height + 2}" width="{width + 2}" height="{height + 2}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}>\n<style>{_STYLE}</style>\n{body}\n</svg>\n'


def rgb(colour: str) -> tuple[int, int, int]:
    """Red, green and blue of a colour that is spelled `#rrggbb`."""
    red, green, blue = bytes.fromhex(colour[1:])
    return red, green, blue


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
