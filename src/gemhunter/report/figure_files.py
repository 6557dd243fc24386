"""The figures of a document as files beside it, for formats that cannot hold them."""

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING

from gemhunter.render.graph import draw_graph
from gemhunter.report.chart_style import ChartLook, svg_of
from gemhunter.report.document import Chart, Document, GraphDrawing, captioned

if TYPE_CHECKING:
    from matplotlib.figure import Figure

SVG, PDF = "svg", "pdf"
"""Pictures for Markdown, and for LaTeX, which reads no SVG."""


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
