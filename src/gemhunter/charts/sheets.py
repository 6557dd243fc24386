"""Sheets of boards as one PDF file to print, with the layout of `draw/sheets.py`."""

import io
from collections import defaultdict
from collections.abc import Sequence
from functools import cache
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.board.grid import HIDDEN
from gemhunter.charts.look import UNDATED_PDF, chart_settings, require_matplotlib
from gemhunter.draw.grids import SIGN_SIZE, SVG_SIDE, sign_of
from gemhunter.draw.palette import INK_COLOUR, LINE_COLOUR
from gemhunter.draw.sheets import (
    HEADING_BASELINE,
    HEADING_SIZE,
    LABEL_BASELINE,
    LABEL_HEIGHT,
    LABEL_SIZE,
    PAGE_HEIGHT,
    PAGE_WIDTH,
    PlacedBoard,
    SheetPage,
)
from gemhunter.draw.themes import CHART_FONT

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from matplotlib.path import Path


MM_PER_INCH = 25.4
POINTS_PER_MM = 72 / MM_PER_INCH


def require_pdf() -> None:
    """Raise an error if Matplotlib is missing."""
    require_matplotlib("sheets as PDF need")


def pdf_of_sheets(pages: Sequence[SheetPage]) -> bytes:
    """A PDF file of these pages; equal pages give equal bytes."""
    require_pdf()
    from matplotlib.backends.backend_pdf import PdfPages

    content = io.BytesIO()
    with chart_settings(), PdfPages(content, metadata=UNDATED_PDF) as file:
        for page in pages:
            file.savefig(_page_figure(page))
    return content.getvalue()


def _page_figure(page: SheetPage) -> "Figure":
    """A page whose coordinates are millimetres from its upper left corner."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(PAGE_WIDTH / MM_PER_INCH, PAGE_HEIGHT / MM_PER_INCH))
    axes = figure.add_axes((0, 0, 1, 1))
    axes.set(xlim=(0, PAGE_WIDTH), ylim=(PAGE_HEIGHT, 0))
    axes.axis("off")
    heading = axes.text(PAGE_WIDTH / 2, HEADING_BASELINE, page.heading, color=INK_COLOUR, ha="center")
    heading.set(fontsize=HEADING_SIZE * POINTS_PER_MM, fontweight="bold")
    for board in page.boards:
        _draw_board(axes, board)
    return figure


def _draw_board(axes: "Axes", placed: PlacedBoard) -> None:
    label, size = placed.board.label, LABEL_SIZE * POINTS_PER_MM
    axes.text(placed.middle, placed.y + LABEL_BASELINE, label, color=INK_COLOUR, fontsize=size, ha="center")
    rows, cols = placed.board.grid.cells.shape
    across = placed.x + placed.cell * np.arange(cols + 1)
    down = placed.y + LABEL_HEIGHT + placed.cell * np.arange(rows + 1)
    width = placed.cell / SVG_SIDE * POINTS_PER_MM
    axes.hlines(down, across[0], across[-1], LINE_COLOUR, linewidth=width, capstyle="projecting")
    axes.vlines(across, down[0], down[-1], LINE_COLOUR, linewidth=width, capstyle="projecting")
    _draw_signs(axes, placed)


def _draw_signs(axes: "Axes", placed: PlacedBoard) -> None:
    """Draw the signs of all cells: each kind is stored once and stamped, as text would take seconds."""
    places: defaultdict[int, list[tuple[float, float]]] = defaultdict(list)
    for (row, col), code in np.ndenumerate(placed.board.grid.cells):
        if code != HIDDEN:
            middle = placed.y + LABEL_HEIGHT + (row + 0.5) * placed.cell
            places[int(code)].append((placed.x + (col + 0.5) * placed.cell, middle))
    points = placed.cell * SIGN_SIZE / SVG_SIDE * POINTS_PER_MM
    for kind, spots in sorted(places.items()):
        sign, colour = sign_of(kind)
        path = _sign_path(sign)
        # The distance of a marker's farthest point from its middle becomes half of its size.
        size = 2 * points * float(np.abs(path.vertices).max())
        x, y = zip(*spots, strict=True)
        axes.plot(x, y, linestyle="", marker=path, markersize=size, color=colour, markeredgewidth=0)


@cache
def _sign_path(sign: str) -> "Path":
    """The outline of a sign in a font of size 1, with its middle at the origin."""
    from matplotlib.font_manager import FontProperties
    from matplotlib.path import Path
    from matplotlib.textpath import TextPath

    outline = TextPath((0, 0), sign, size=1, prop=FontProperties(family=CHART_FONT, weight="bold"))
    box = outline.get_extents()
    middle = (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2
    return Path(np.asarray(outline.vertices) - middle, outline.codes)
