"""The figures of a document: SVG elements inside a page, and files beside formats that cannot hold them."""

import io
import re
from collections.abc import Iterator, Mapping
from html import escape
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.render.graph import Graph, draw_graph
from gemhunter.report.charts.implication_graph import graph_chart
from gemhunter.report.charts.sheets import EMBEDDED_TRUETYPE
from gemhunter.report.charts.style import (
    CHART_FONT,
    SIMILAR_FONTS,
    THEME_COLOURS,
    ChartLook,
    Theme,
    chart_settings,
    svg_of,
)
from gemhunter.report.document import Chart, Document, GraphDrawing, captioned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIGNS = 30
"""Columns: the cells of wider grids have colours only, as letters would be too small to read."""

CELL_PIXELS, SMALL_CELL_PIXELS = 26, 3
"""Pixels per cell of a grid with signs, and of one without."""

FULL_SIZE_COLUMNS, SMALLER_SCALE = 12, 0.58
"""Grids with more columns are drawn smaller, so that two of 20 columns fit side by side."""

MOST_ROWS_WITH_SIGNS = 60
"""Taller grids have colours only on paper, where they have to fit on a page."""

PAPER_SCALE = 0.72
"""Charts are made smaller by this on paper, so that their letters of 10 points match those of captions."""

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
"""The colours of grids on white: of each kind of cell, of the signs on two of them, and of lines."""

_SIGNS = {TRAP: "T", GEM: "G"}

_CLASSES = {HIDDEN: "hidden", TRAP: "trap", GEM: "gem"}

_PROLOGUE = re.compile(r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<title>.*?</title>", re.S)

_NAMESPACE = re.compile(r"\s*xmlns(:\w+)?=\"[^\"]*\"")

_STYLES = re.compile(r"<style.*?</style>", re.S)

SVG, PDF = "svg", "pdf"
"""Pictures for Markdown, and for LaTeX, which reads no SVG."""


def chart_svg(figure: "Figure", name: str, alt: str) -> str:
    """A chart that was drawn light and transparent, with the page's colours instead of those of its theme."""
    svg = _NAMESPACE.sub("", _PROLOGUE.sub("", svg_of(figure, name))).replace("xlink:href", "href")
    # A style inside an SVG element would hold for the whole page.
    svg = _STYLES.sub("", svg).strip()
    for colour, variable in _variables().items():
        svg = svg.replace(colour, f"var(--{variable})")
    return _described(svg, f"{name}-svg", alt, "chart")


def _variables() -> dict[str, str]:
    """The light colours of charts, and the names they have in the style of a page."""
    light = THEME_COLOURS[Theme.LIGHT]
    engines = {colour: f"engine-{place}" for place, colour in enumerate(light.engines)}
    return {light.ink: "ink", light.faint: "faint", **engines}


def colour_rules(theme: Theme) -> str:
    """The colours of charts in a theme, as declarations of a style sheet."""
    colours = THEME_COLOURS[theme]
    engines = (f"--engine-{place}:{colour}" for place, colour in enumerate(colours.engines))
    return ";".join([f"--ink:{colours.ink}", f"--faint:{colours.faint}", *engines])


def graph_svg(graph: Graph, name: str, alt: str) -> str:
    """A graph; the page's style has the rules for what is in it."""
    svg = _NAMESPACE.sub("", _STYLES.sub("", draw_graph(graph)))
    svg = svg.replace('id="tip"', f'id="{name}-tip"').replace("url(#tip)", f"url(#{name}-tip)")
    return _described(svg.strip(), f"{name}-svg", alt, "graph")


def grid_svg(grid: Grid, alt: str) -> str:
    """A grid: an area for each kind of cell, and a sign in each cell unless it has very many columns."""
    with_signs = grid.cols <= MOST_SIGNS
    width, frame, parts = _grid_parts(grid, with_signs=with_signs)
    is_full = with_signs and grid.cols <= FULL_SIZE_COLUMNS
    scale = SMALLER_SCALE if with_signs and not is_full else 1
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
    return grid.cols <= MOST_SIGNS and grid.rows <= MOST_ROWS_WITH_SIGNS


def paper_cell(grid: Grid, width: float, height: float) -> float:
    """The side of a cell of a grid that has to fit, all in millimetres.

    Three grids of 11 columns fit side by side, or two of 20, or three of 66, which have no signs.
    """
    usual = 0.78 if not has_signs_on_paper(grid) else 4.6 if grid.cols <= FULL_SIZE_COLUMNS else 3.8
    return min(usual, width / grid.cols, height / grid.rows)


def cell_runs(grid: Grid) -> Iterator[tuple[str, int, int, int]]:
    """The kind of each run of equal cells in a row, its row, its first column and its length."""
    codes = np.where(grid.cells >= 0, 0, grid.cells)
    for code, kind in ((0, "clue"), *_CLASSES.items()):
        for row, inside in enumerate(codes == code):
            edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
            for begin, end in edges.reshape(-1, 2).tolist():
                yield kind, row, begin, end - begin


def cell_sign(code: int) -> str:
    """The sign on a cell; hidden cells have none."""
    return _SIGNS.get(code, str(code) if code >= 0 else "")


def _grid_parts(grid: Grid, *, with_signs: bool) -> tuple[int, str, str]:
    """The width of a grid in pixels, the `viewBox` around it, and the elements that draw it."""
    side = CELL_PIXELS if with_signs else SMALL_CELL_PIXELS
    areas: dict[str, list[str]] = {}
    for kind, row, col, length in cell_runs(grid):
        width = length * side
        areas.setdefault(kind, []).append(f"M{col * side} {row * side}h{width}v{side}h-{width}z")
    parts = [f'<path class="{kind}" d="{"".join(area)}"/>' for kind, area in areas.items()]
    if with_signs:
        parts += [f'<path class="lines" d="{_lines(grid, side)}"/>', *_texts(grid)]
    width, height = grid.cols * side + 2, grid.rows * side + 2
    return width, f'viewBox="-1 -1 {width} {height}"', "".join(parts)


def _lines(grid: Grid, side: int) -> str:
    width, height = grid.cols * side, grid.rows * side
    rows = (f"M0 {row * side}h{width}" for row in range(grid.rows + 1))
    return "".join([*rows, *(f"M{col * side} 0v{height}" for col in range(grid.cols + 1))])


def _texts(grid: Grid) -> list[str]:
    texts = []
    for row, codes in enumerate(grid.cells.tolist()):
        for col, code in enumerate(codes):
            if sign := cell_sign(code):
                place = f'x="{col * CELL_PIXELS + CELL_PIXELS // 2}" y="{row * CELL_PIXELS + 18}"'
                kind = {TRAP: "t", GEM: "g"}.get(code, f"n{code}")
                texts.append(f'<text class="{kind}" {place}>{sign}</text>')
    return texts


def _described(svg: str, name: str, alt: str, kind: str) -> str:
    """An SVG element with a title, which browsers show and screen readers read."""
    opening = f'<svg class="{kind}" role="img" aria-labelledby="{name}-title" '
    title = f'<title id="{name}-title">{escape(alt)}</title>'
    return re.sub(r"<svg\s+([^>]*)>", lambda found: f"{opening}{found[1]}>{title}", svg, count=1)


def figure_files(document: Document, kind: str) -> Mapping[str, bytes]:
    """The content of each figure by the name of its file."""
    files: dict[str, bytes] = {}
    for block in captioned(document.sections):
        if isinstance(block, Chart | GraphDrawing):
            files[f"{block.name}.{kind}"] = _file(block, kind)
    return files


def _file(block: Chart | GraphDrawing, kind: str) -> bytes:
    if kind == PDF:
        return _pdf(paper_figure(block))
    return (svg_of(block.draw(ChartLook())) if isinstance(block, Chart) else draw_graph(block.graph)).encode()


def paper_figure(block: Chart | GraphDrawing) -> "Figure":
    """A chart or a graph as it is drawn on paper."""
    look = ChartLook(transparent=True)
    return block.draw(look) if isinstance(block, Chart) else graph_chart(block.graph, look)


def _pdf(figure: "Figure") -> bytes:
    import matplotlib

    content = io.BytesIO()
    undated = dict.fromkeys(("CreationDate", "Producer", "Creator"))
    with chart_settings():
        matplotlib.rcParams["pdf.fonttype"] = EMBEDDED_TRUETYPE
        figure.savefig(content, format="pdf", metadata=undated)
    return content.getvalue()
