"""The figures of a document: SVG elements inside a page, and files beside formats that cannot hold them."""

import io
import re
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.render.graph import Graph, draw_graph
from gemhunter.report.charts.style import THEME_COLOURS, ChartLook, Theme, svg_of
from gemhunter.report.document import Chart, Document, GraphDrawing, captioned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

MOST_SIGNS = 30
"""Columns: the cells of wider grids have colours only, as letters would be too small to read."""

CELL_PIXELS, SMALL_CELL_PIXELS = 26, 3
"""Pixels per cell of a grid with signs, and of one without."""

FULL_SIZE_COLUMNS, SMALLER_SCALE = 12, 0.58
"""Grids with more columns are drawn smaller, so that two of 20 columns fit side by side."""

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
    side = CELL_PIXELS if with_signs else SMALL_CELL_PIXELS
    codes = np.where(grid.cells >= 0, 0, grid.cells)
    kinds = [(code, name) for code, name in ((0, "clue"), *_CLASSES.items()) if (codes == code).any()]
    areas = [f'<path class="{name}" d="{_area(codes == code, side)}"/>' for code, name in kinds]
    width, height = grid.cols * side, grid.rows * side
    parts = [*areas, f'<path class="lines" d="{_lines(grid, side)}"/>' if with_signs else ""]
    parts += _texts(grid) if with_signs else []
    scale = SMALLER_SCALE if with_signs and grid.cols > FULL_SIZE_COLUMNS else 1
    size = f'viewBox="-1 -1 {width + 2} {height + 2}" width="{(width + 2) * scale:.0f}"'
    return f'<svg class="grid" role="img" aria-label="{escape(alt)}" {size}>{"".join(parts)}</svg>'


def _area(cells: NDArray[np.bool_], side: int) -> str:
    """A path around all these cells: a rectangle for each run of cells in a row."""
    path = []
    for row, inside in enumerate(cells):
        edges = np.flatnonzero(np.diff(np.concatenate([[0], inside.astype(np.int8), [0]])))
        for begin, end in edges.reshape(-1, 2).tolist():
            width = (end - begin) * side
            path.append(f"M{begin * side} {row * side}h{width}v{side}h-{width}z")
    return "".join(path)


def _lines(grid: Grid, side: int) -> str:
    width, height = grid.cols * side, grid.rows * side
    rows = (f"M0 {row * side}h{width}" for row in range(grid.rows + 1))
    return "".join([*rows, *(f"M{col * side} 0v{height}" for col in range(grid.cols + 1))])


def _texts(grid: Grid) -> list[str]:
    texts = []
    for row, codes in enumerate(grid.cells.tolist()):
        for col, code in enumerate(codes):
            sign = _SIGNS.get(code, str(code) if code >= 0 else "")
            if sign:
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
    """The content of each figure by the name of its file. There is no PDF of a graph."""
    files: dict[str, bytes] = {}
    for block in captioned(document.sections):
        if isinstance(block, Chart):
            figure = block.draw(ChartLook())
            files[f"{block.name}.{kind}"] = svg_of(figure).encode() if kind == SVG else _pdf(figure)
        elif isinstance(block, GraphDrawing) and kind == SVG:
            files[f"{block.name}.{kind}"] = draw_graph(block.graph).encode()
    return files


def _pdf(figure: "Figure") -> bytes:
    content = io.BytesIO()
    figure.savefig(content, format="pdf", metadata={"CreationDate": None, "Producer": None, "Creator": None})
    return content.getvalue()
