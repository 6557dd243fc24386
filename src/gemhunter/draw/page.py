"""Pages without scripts, fonts or requests: their style, and grids as SVG in their colours."""

from collections.abc import Iterator
from html import escape
from pathlib import Path
from types import MappingProxyType

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.draw.themes import CHART_FONT, SIMILAR_FONTS, THEME_COLOURS, Theme

COLUMNS_WITH_SIGNS = 30
"""The cells of wider grids have only colours, because letters would be too small to read."""

CELL_PIXELS, SMALL_CELL_PIXELS = 26, 3
"""Pixels per cell of a grid with signs, and of one without."""

FULL_SIZE_COLUMNS = 12
"""Grids with more columns are drawn smaller, so that two of 20 columns fit side by side."""

PAPER_COLOURS = MappingProxyType(
    {
        "clue": "#ffffff",
        "hidden": "#dfe5ec",
        "trap": "#fbd0cf",
        "gem": "#cdeeda",
        "trap-ink": "#a61b1b",
        "gem-ink": "#11663a",
        "grid-line": "#a9b4c3",
    }
)
"""The colours of grids on white: each kind of cell, the signs on two of them, and lines."""

_CLASSES = {HIDDEN: "hidden", TRAP: "trap", GEM: "gem"}


def colour_variables(theme: Theme) -> dict[str, str]:
    """The colours of charts in a theme by their names in the style of a page."""
    colours = THEME_COLOURS[theme]
    engines = {f"engine-{place}": colour for place, colour in enumerate(colours.engines)}
    return {"ink": colours.ink, "faint": colours.faint, **engines}


def grid_svg(grid: Grid, alt: str) -> str:
    """A grid: an area for each kind of cell, and a sign in each cell unless there are too many columns."""
    with_signs = grid.cols <= COLUMNS_WITH_SIGNS
    width, frame, parts = _grid_parts(grid, with_signs=with_signs)
    is_full = with_signs and grid.cols <= FULL_SIZE_COLUMNS
    scale = 0.58 if with_signs and not is_full else 1
    look = f'class="grid{" full" if is_full else ""}" role="img" aria-label="{escape(alt)}"'
    return f'<svg {look} {frame} width="{width * scale:.0f}">{parts}</svg>'


def grid_svg_file(grid: Grid) -> str:
    """A grid as a complete SVG document, in the colours of paper."""
    _, frame, parts = _grid_parts(grid, with_signs=has_signs_on_paper(grid))
    colours = PAPER_COLOURS
    fills = "".join(f".{kind}{{fill:{colours[kind]}}}" for kind in ("clue", *_CLASSES.values()))
    style = (
        f"text{{font:600 14px '{CHART_FONT}',{SIMILAR_FONTS};text-anchor:middle;"
        f"fill:{THEME_COLOURS[Theme.LIGHT].ink}}}.t{{fill:{colours['trap-ink']}}}"
        f".g{{fill:{colours['gem-ink']}}}{fills}.lines{{fill:none;stroke:{colours['grid-line']}}}"
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg" {frame}><style>{style}</style>{parts}</svg>\n'


def has_signs_on_paper(grid: Grid) -> bool:
    """Whether the cells of a grid are large enough for signs if it has to fit on a page."""
    return grid.cols <= COLUMNS_WITH_SIGNS and grid.rows <= 60


def paper_cell(grid: Grid, width: float, height: float) -> float:
    """The side of a cell, so that the grid fits into this width and height, all in millimetres.

    Three grids of 11 columns fit side by side, or two of 20, or three of 66, which have no signs.
    """
    usual = 0.78 if not has_signs_on_paper(grid) else 4.6 if grid.cols <= FULL_SIZE_COLUMNS else 3.8
    return min(usual, width / grid.cols, height / grid.rows)


def cell_runs(grid: Grid) -> Iterator[tuple[str, int, int, int]]:
    """The runs of equal cells in each row: their kind, row, first column and length."""
    codes = np.where(grid.cells >= 0, 0, grid.cells)
    for code, kind in ((0, "clue"), *_CLASSES.items()):
        for row, inside in enumerate(codes == code):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
            for begin, end in edges.reshape(-1, 2).tolist():
                yield kind, row, begin, end - begin


def cell_sign(code: int) -> str:
    """The sign on a cell; a hidden cell has none."""
    return {TRAP: "T", GEM: "G"}.get(code, str(code) if code >= 0 else "")


def _grid_parts(grid: Grid, *, with_signs: bool) -> tuple[int, str, str]:
    """The width of a grid in pixels, the `viewBox` around it, and the elements that draw it."""
    side = CELL_PIXELS if with_signs else SMALL_CELL_PIXELS
    areas: dict[str, list[str]] = {}
    for kind, row, col, length in cell_runs(grid):
        width = length * side
        areas.setdefault(kind, []).append(f"M{col * side} {row * side}h{width}v{side}h-{width}z")
    parts = [f'<path class="{kind}" d="{"".join(area)}"/>' for kind, area in areas.items()]
    width, height = grid.cols * side, grid.rows * side
    if with_signs:
        lines = [f"M0 {row * side}h{width}" for row in range(grid.rows + 1)]
        lines += [f"M{col * side} 0v{height}" for col in range(grid.cols + 1)]
        parts.append(f'<path class="lines" d="{"".join(lines)}"/>')
        for (row, col), code in np.ndenumerate(grid.cells):
            if sign := cell_sign(int(code)):
                place = f'x="{col * side + side // 2}" y="{row * side + 18}"'
                kind = {TRAP: "t", GEM: "g"}.get(int(code), f"n{code}")
                parts.append(f'<text class="{kind}" {place}>{sign}</text>')
    return width + 2, f'viewBox="-1 -1 {width + 2} {height + 2}"', "".join(parts)


_LIGHT = "--paper:#ffffff;--soft:#f1f5f9;--line:#dbe2ea;--quiet:#526077;--accent:#0b5ea8;" + "".join(
    f"--{name}:{colour};" for name, colour in PAPER_COLOURS.items()
)

_DARK = (
    "--paper:#0f172a;--soft:#1b2740;--line:#2f3d58;--quiet:#a3b1c6;--accent:#7cc0ff;"
    "--clue:#16213a;--hidden:#33425e;--trap:#5d2731;--gem:#1d4a3a;--trap-ink:#ffb3b0;--gem-ink:#9fe6c0;"
    "--grid-line:#4a5a77;"
)


def style_sheet() -> str:
    """All rules; paper is always light."""
    light, dark = (
        colours + ";".join(f"--{name}:{colour}" for name, colour in colour_variables(theme).items())
        for colours, theme in ((_LIGHT, Theme.LIGHT), (_DARK, Theme.DARK))
    )
    rules = Path(__file__).with_suffix(".css").read_text(encoding="utf-8")
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{rules}"
