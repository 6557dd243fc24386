"""Graphs with a cut through them, as DOT and SVG, and bar charts as SVG."""

from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

from gemhunter.draw.palette import (
    ARROW_COLOUR,
    BAR_COLOURS,
    CONFLICT_NODE,
    CUT_COLOUR,
    GIVEN_NODE,
    INK_COLOUR,
    LINE_COLOUR,
    NUMBER_COLOUR,
    PAPER_COLOUR,
    UIP_NODE,
)

NodeKind = Literal["plain", "given", "UIP", "conflict"]

NODE_HEIGHT, GAP_X, GAP_Y, GRAPH_MARGIN = 30, 44, 30, 24
NODE_COLOURS: dict[NodeKind, str] = {
    "plain": PAPER_COLOUR,
    "given": GIVEN_NODE,
    "UIP": UIP_NODE,
    "conflict": CONFLICT_NODE,
}


@dataclass(frozen=True, slots=True)
class Node:
    """A node, the names of the nodes `after` which it comes, and whether it lies `beyond` the cut."""

    name: str
    label: str
    kind: NodeKind
    beyond: bool
    after: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Graph:
    """Nodes in order, each after those that lead to it, and a title about the cut."""

    nodes: tuple[Node, ...]
    title: str


def write_dot(graph: Graph) -> str:
    """The graph in the language of Graphviz; nodes beyond the cut are in a separate box."""
    lines = ["digraph implications {", "  rankdir=LR;", f"  label={_quoted(graph.title)};"]
    lines += ["  node [shape=box, style=filled, fillcolor=white];"]
    lines += [_dot_node(node, "  ") for node in graph.nodes if not node.beyond]
    lines += [
        "  subgraph cluster_beyond {",
        f'    label="beyond the cut"; style=dashed; color="{CUT_COLOUR}";',
    ]
    lines += [_dot_node(node, "    ") for node in graph.nodes if node.beyond]
    edges = [(before, node.name) for node in graph.nodes for before in node.after]
    lines += ["  }", *(f"  {_quoted(before)} -> {_quoted(after)};" for before, after in edges)]
    return "\n".join([*lines, "}", ""])


def draw_graph(graph: Graph) -> str:
    """The graph as a complete SVG document, from left to right, the cut a dashed line."""
    places, cut = place_nodes(graph)
    columns, rows = (max(ends) + 1 for ends in zip(*places.values(), strict=True))
    node_width = 9 * max(len(node.label) for node in graph.nodes) + 14
    corners: dict[str, tuple[int, int]] = {}
    for name, (column, row) in places.items():
        x = GRAPH_MARGIN + column * (node_width + GAP_X)
        # Every second column stands lower, so that edges pass between nodes rather than behind them.
        y = 2 * GRAPH_MARGIN + row * (NODE_HEIGHT + GAP_Y) + column % 2 * NODE_HEIGHT
        corners[name] = (x, y)
    width = 2 * GRAPH_MARGIN + max(columns * (node_width + GAP_X) - GAP_X, 9 * len(graph.title))
    height = 3 * GRAPH_MARGIN + rows * (NODE_HEIGHT + GAP_Y) + NODE_HEIGHT
    cut_x = GRAPH_MARGIN + cut * (node_width + GAP_X) - GAP_X // 2
    title = escape(graph.title, quote=False)
    parts = [f'<text class="title" x="{GRAPH_MARGIN}" y="{GRAPH_MARGIN}">{title}</text>']
    for node in graph.nodes:
        parts += [_edge(corners[before], corners[node.name], node_width) for before in node.after]
    parts += [_box(node, corners[node.name], node_width) for node in graph.nodes]
    parts += [f'<line class="cut" x1="{cut_x}" y1="{GRAPH_MARGIN + 10}" x2="{cut_x}" y2="{height - 10}"/>']
    arrow = (
        '<defs><marker id="tip" markerWidth="9" markerHeight="7" refX="9" refY="3.5" orient="auto">'
        f'<path d="M0 0L9 3.5L0 7z" fill="{NUMBER_COLOUR}"/></marker></defs>'
    )
    style = (
        "text{font:14px system-ui,'DejaVu Sans',sans-serif;text-anchor:middle}.title{text-anchor:start}"
        f"rect{{stroke:{ARROW_COLOUR}}}line{{stroke:{NUMBER_COLOUR}}}"
        f".cut{{stroke:{CUT_COLOUR};stroke-dasharray:6 5;stroke-width:2}}"
    )
    return _document(width, height, style, "\n".join([arrow, *parts]))


def place_nodes(graph: Graph) -> tuple[dict[str, tuple[int, int]], int]:
    """The column and the row of each node, and the first column beyond the cut."""
    column = _columns(graph)
    cut = max((column[node.name] for node in graph.nodes if not node.beyond), default=-1) + 1
    used: dict[int, int] = {}
    places: dict[str, tuple[int, int]] = {}
    for node in graph.nodes:
        row = used.get(column[node.name], 0)
        used[column[node.name]] = row + 1
        places[node.name] = (column[node.name], row)
    return places, cut


def _columns(graph: Graph) -> dict[str, int]:
    """A column for each node, right of all that lead to it; nodes beyond the cut are right of all others."""
    column: dict[str, int] = {}
    for beyond in (False, True):
        first = max(column.values(), default=-1) + 1 if beyond else 0
        for node in graph.nodes:
            if node.beyond == beyond:
                column[node.name] = max([first, *(column[before] + 1 for before in node.after)])
    return column


def _dot_node(node: Node, indent: str) -> str:
    look = f'label={_quoted(node.label)}, fillcolor="{NODE_COLOURS[node.kind]}"'
    return f"{indent}{_quoted(node.name)} [{look}];"


def _quoted(text: str) -> str:
    return '"' + text.replace("\\", "\\\\").replace('"', '\\"') + '"'


def _edge(start: tuple[int, int], end: tuple[int, int], node_width: int) -> str:
    x1, y1, x2, y2 = start[0] + node_width, start[1] + NODE_HEIGHT // 2, end[0], end[1] + NODE_HEIGHT // 2
    return f'<line x1="{x1}" y1="{y1}" x2="{x2}" y2="{y2}" marker-end="url(#tip)"/>'


def _box(node: Node, corner: tuple[int, int], width: int) -> str:
    x, y = corner
    size = f'width="{width}" height="{NODE_HEIGHT}"'
    rect = f'<rect x="{x}" y="{y}" {size} rx="5" fill="{NODE_COLOURS[node.kind]}"/>'
    return f'{rect}<text x="{x + width // 2}" y="{y + 20}">{escape(node.label, quote=False)}</text>'


# Bar charts as SVG pictures: groups of bars, each with its number above it.


BAR_PIXELS, GROUP_GAP, HIGHEST_BAR, CHART_MARGIN = 54, 46, 220, 40
"""Pixels: the width of a bar, the gap between groups, the height of the largest bar, and the margin."""


@dataclass(frozen=True, slots=True)
class Bars:
    """A series of a bar chart: its name, and a share from 0 to 1 for each group."""

    name: str
    shares: tuple[float, ...]


def draw_bars(title: str, groups: Sequence[str], series: Sequence[Bars]) -> str:
    """A bar chart as a complete SVG document; the largest bar has the full height."""
    width = len(groups) * (len(series) * BAR_PIXELS + GROUP_GAP) + GROUP_GAP + 2 * CHART_MARGIN
    top = max((share for bars in series for share in bars.shares), default=0) or 1
    parts = [f'<text x="{width / 2:g}" y="26" class="title">{escape(title, quote=False)}</text>']
    base = CHART_MARGIN + 30 + HIGHEST_BAR
    for column, group in enumerate(groups):
        left = CHART_MARGIN + GROUP_GAP + column * (len(series) * BAR_PIXELS + GROUP_GAP)
        for number, bars in enumerate(series):
            share, corner = bars.shares[column], (left + number * BAR_PIXELS, base)
            parts.append(_bar(corner, HIGHEST_BAR * share / top, f"{share:.1%}", BAR_COLOURS[number]))
        middle = left + len(series) * BAR_PIXELS / 2
        parts.append(f'<text x="{middle:g}" y="{base + 22}">{escape(group, quote=False)}</text>')
    parts.append(f'<line x1="{CHART_MARGIN}" y1="{base}" x2="{width - CHART_MARGIN}" y2="{base}"/>')
    for number, bars in enumerate(series):
        x, y = CHART_MARGIN + GROUP_GAP, base + 48 + 22 * number
        parts.append(f'<rect x="{x}" y="{y - 11}" width="13" height="13" fill="{BAR_COLOURS[number]}"/>')
        parts.append(f'<text x="{x + 22}" y="{y}" class="legend">{escape(bars.name, quote=False)}</text>')
    style = (
        f"text{{font:13px system-ui,sans-serif;text-anchor:middle;fill:{INK_COLOUR}}}"
        f".title{{font-weight:600;font-size:16px}}.legend{{text-anchor:start}}line{{stroke:{LINE_COLOUR}}}"
    )
    height = base + 48 + 22 * len(series)
    back = f'<rect width="{width}" height="{height}" fill="{PAPER_COLOUR}"/>'
    return _document(width, height, style, "\n".join([back, *parts]))


def _bar(corner: tuple[int, int], height: float, label: str, colour: str) -> str:
    """A bar whose lower left corner is at `corner`."""
    x, y = corner[0], corner[1] - height
    size = f'width="{BAR_PIXELS - 6}" height="{height:.1f}"'
    box = f'<rect x="{x + 3}" y="{y:.1f}" {size} rx="3" fill="{colour}"/>'
    return f'{box}<text x="{x + BAR_PIXELS / 2:g}" y="{y - 6:.1f}">{label}</text>'


def _document(width: int, height: int, style: str, body: str) -> str:
    size = f'viewBox="0 0 {width} {height}" width="{width}" height="{height}"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}>\n<style>{style}</style>\n{body}\n</svg>\n'
