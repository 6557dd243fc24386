"""The figures of a report as SVG, which every format takes."""

import re
from collections.abc import Mapping
from html import escape
from typing import TYPE_CHECKING

from gemhunter.charts.look import ChartLook, svg_of
from gemhunter.draw.graphs import Graph, draw_graph
from gemhunter.draw.page import colour_variables
from gemhunter.draw.themes import Theme
from gemhunter.report.document import Chart, Document, GraphDrawing, captioned

if TYPE_CHECKING:
    from matplotlib.figure import Figure


PAPER_SCALE = 0.72
"""The scale of charts on paper, at which their letters of 10 points match those of captions."""


def chart_svg(figure: "Figure", name: str, alt: str) -> str:
    """A chart that was drawn light and transparent, in the colours of the page instead of its theme."""
    prologue = r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<title>.*?</title>"
    svg = re.sub(prologue, "", svg_of(figure, name), flags=re.S)
    svg = _without_styles(svg).replace("xlink:href", "href")
    for variable, colour in colour_variables(Theme.LIGHT).items():
        svg = svg.replace(colour, f"var(--{variable})")
    return _described(svg, f"{name}-svg", alt, "chart")


def graph_svg(graph: Graph, name: str, alt: str) -> str:
    """A graph as an SVG element, styled by the rules of the page."""
    svg = _without_styles(draw_graph(graph))
    svg = svg.replace('id="tip"', f'id="{name}-tip"').replace("url(#tip)", f"url(#{name}-tip)")
    return _described(svg, f"{name}-svg", alt, "graph")


def _without_styles(svg: str) -> str:
    """An SVG element without namespaces, and without styles, which would affect the whole page."""
    return re.sub(r"<style.*?</style>|\s*xmlns(:\w+)?=\"[^\"]*\"", "", svg, flags=re.S).strip()


def _described(svg: str, name: str, alt: str, kind: str) -> str:
    """An SVG element with a title for browsers and screen readers."""
    opening = f'<svg class="{kind}" role="img" aria-labelledby="{name}-title" '
    title = f'<title id="{name}-title">{escape(alt)}</title>'
    return re.sub(r"<svg\s+([^>]*)>", lambda found: f"{opening}{found[1]}>{title}", svg, count=1)


def figure_files(document: Document) -> Mapping[str, bytes]:
    """The content of each figure by the name of its file."""
    files: dict[str, bytes] = {}
    for block, _ in captioned(document.sections):
        if isinstance(block, Chart | GraphDrawing):
            svg = svg_of(block.draw(ChartLook())) if isinstance(block, Chart) else draw_graph(block.graph)
            files[f"{block.name}.svg"] = svg.encode()
    return files
