"""A graph with a cut through it, drawn for paper: no wider than a page, its letters large enough to read."""

import textwrap
from typing import TYPE_CHECKING

from gemhunter.render.graph import NODE_COLOURS, Graph, place_nodes
from gemhunter.render.palette import ARROW_COLOUR, CUT_COLOUR, INK_COLOUR, NUMBER_COLOUR
from gemhunter.report.charts.style import ChartLook, new_figure

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PAGE_POINTS, LETTER_POINTS = 450.0, 8.0
"""Points: the width of a page, and the size of letters, which is smaller only if the graph is too wide."""

NODE_LETTER_WIDTH, BOX_HEIGHT, GAP_ACROSS, GAP_DOWN = 0.64, 2.0, 3.2, 1.1
"""In sizes of a letter, as is everything that is drawn."""


def graph_chart(graph: Graph, look: ChartLook) -> "Figure":
    """The figure; it shows what the SVG picture of `render/graph.py` shows."""
    from matplotlib.patches import FancyArrowPatch, FancyBboxPatch

    places, cut = place_nodes(graph)
    columns, rows = (max(ends) + 1 for ends in zip(*places.values(), strict=True))
    box_width = NODE_LETTER_WIDTH * max(len(node.label) for node in graph.nodes) + 1.4
    width = columns * (box_width + GAP_ACROSS) - GAP_ACROSS + 1
    letter = min(LETTER_POINTS, PAGE_POINTS / width)
    title = textwrap.wrap(graph.title, int(max(width, PAGE_POINTS / letter / 2) / NODE_LETTER_WIDTH))
    top = 1.5 * len(title) + 1.6
    # Every second column stands lower, so that edges pass between nodes rather than behind them.
    height = top + rows * (BOX_HEIGHT + GAP_DOWN) + BOX_HEIGHT / 2
    corners = {
        name: (
            0.5 + column * (box_width + GAP_ACROSS),
            top + row * (BOX_HEIGHT + GAP_DOWN) + column % 2 * (BOX_HEIGHT + GAP_DOWN) / 2,
        )
        for name, (column, row) in places.items()
    }

    width = max(width, NODE_LETTER_WIDTH * max(map(len, title), default=0))
    with new_figure(look, width * letter / 72, height * letter / 72) as figure:
        figure.set_layout_engine("none")
        axes = figure.add_axes((0, 0, 1, 1))
        axes.set(xlim=(0, width), ylim=(height, 0))
        axes.axis("off")
        axes.text(0.5, 1.2, "\n".join(title), size=letter, color=INK_COLOUR, va="top", linespacing=1.3)
        middle = BOX_HEIGHT / 2
        for node in graph.nodes:
            x, y = corners[node.name]
            for before in node.after:
                start = corners[before][0] + box_width, corners[before][1] + middle
                arrow = FancyArrowPatch(
                    start,
                    (x, y + middle),
                    arrowstyle="-|>",
                    mutation_scale=letter * 0.8,
                    shrinkA=0,
                    shrinkB=0,
                )
                arrow.set(color=NUMBER_COLOUR, linewidth=0.6)
                axes.add_patch(arrow)
            shape = FancyBboxPatch((x, y), box_width, BOX_HEIGHT, boxstyle="round,pad=0,rounding_size=0.35")
            shape.set(facecolor=NODE_COLOURS[node.kind], edgecolor=ARROW_COLOUR, linewidth=0.6, zorder=2)
            axes.add_patch(shape)
            axes.text(
                *(x + box_width / 2, y + middle, node.label),
                size=letter,
                color=INK_COLOUR,
                ha="center",
                va="center_baseline",
                zorder=3,
            )
        across = 0.5 + cut * (box_width + GAP_ACROSS) - GAP_ACROSS / 2
        axes.plot([across, across], [top - 0.8, height - 0.3], "--", color=CUT_COLOUR, linewidth=1.2)
    return figure
