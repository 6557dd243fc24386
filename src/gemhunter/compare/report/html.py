"""A document as one self-contained HTML file, and the figures of a document."""

import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.compare.charts import (
    CHART_FONT,
    SIMILAR_FONTS,
    THEME_COLOURS,
    ChartLook,
    Theme,
    svg_of,
)
from gemhunter.compare.report.document import (
    COMMANDS_SECTION,
    Block,
    Boards,
    Chart,
    Document,
    GraphDrawing,
    Items,
    Listing,
    Paragraph,
    PlacedBlock,
    Section,
    Subheading,
    Table,
    captioned,
    inline_parts,
    placed_blocks,
    plain_text,
)
from gemhunter.draw.graphs import Graph, draw_graph
from gemhunter.files.text_tables import is_numeric

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The figures of a document: SVG elements inside a page, and files for formats that cannot contain them.


COLUMNS_WITH_SIGNS = 30
"""The cells of wider grids have only colours, because letters would be too small to read."""

CELL_PIXELS, SMALL_CELL_PIXELS = 26, 3
"""Pixels per cell of a grid with signs, and of one without."""

FULL_SIZE_COLUMNS = 12
"""Grids with more columns are drawn smaller, so that two of 20 columns fit side by side."""

PAPER_SCALE = 0.72
"""The scale of charts on paper, at which their letters of 10 points match those of captions."""

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


def chart_svg(figure: "Figure", name: str, alt: str) -> str:
    """A chart that was drawn light and transparent, in the colours of the page instead of its theme."""
    prologue = r"<\?xml.*?\?>|<!DOCTYPE.*?>|<metadata>.*?</metadata>|<title>.*?</title>"
    svg = re.sub(prologue, "", svg_of(figure, name), flags=re.S)
    svg = _without_styles(svg).replace("xlink:href", "href")
    for variable, colour in _colour_variables(Theme.LIGHT).items():
        svg = svg.replace(colour, f"var(--{variable})")
    return _described(svg, f"{name}-svg", alt, "chart")


def _colour_variables(theme: Theme) -> dict[str, str]:
    """The colours of charts in a theme by their names in the style of a page."""
    colours = THEME_COLOURS[theme]
    engines = {f"engine-{place}": colour for place, colour in enumerate(colours.engines)}
    return {"ink": colours.ink, "faint": colours.faint, **engines}


def graph_svg(graph: Graph, name: str, alt: str) -> str:
    """A graph as an SVG element, styled by the rules of the page."""
    svg = _without_styles(draw_graph(graph))
    svg = svg.replace('id="tip"', f'id="{name}-tip"').replace("url(#tip)", f"url(#{name}-tip)")
    return _described(svg, f"{name}-svg", alt, "graph")


def _without_styles(svg: str) -> str:
    """An SVG element without namespaces, and without styles, which would affect the whole page."""
    return re.sub(r"<style.*?</style>|\s*xmlns(:\w+)?=\"[^\"]*\"", "", svg, flags=re.S).strip()


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


# A document as one HTML file without scripts, fonts or requests.


_TAGS = {"code": "code", "bold": "strong", "italic": "em"}

_LIGHT = "--paper:#ffffff;--soft:#f1f5f9;--line:#dbe2ea;--quiet:#526077;--accent:#0b5ea8;" + "".join(
    f"--{name}:{colour};" for name, colour in PAPER_COLOURS.items()
)

_DARK = (
    "--paper:#0f172a;--soft:#1b2740;--line:#2f3d58;--quiet:#a3b1c6;--accent:#7cc0ff;"
    "--clue:#16213a;--hidden:#33425e;--trap:#5d2731;--gem:#1d4a3a;--trap-ink:#ffb3b0;--gem-ink:#9fe6c0;"
    "--grid-line:#4a5a77;"
)


def write_page(document: Document) -> str:
    """The document as a complete HTML file."""
    sections = "\n".join(
        _section(section, number, placed)
        for number, (section, placed) in enumerate(placed_blocks(document.sections), 1)
    )
    given = (", ".join(map(_inline, document.authors)), _inline(document.course))
    authors = "".join(f'<p class="authors">{line}</p>\n' for line in given if line)
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(plain_text(document.title))}</title>\n<style>\n{style_sheet()}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{_inline(document.title)}</h1>\n{authors}"
        f'<p class="subtitle">{_inline(document.subtitle)}</p>\n'
        f"</header>\n{_contents(document.sections)}\n<main>\n{sections}\n</main>\n</body>\n</html>\n"
    )


def _contents(sections: Sequence[Section]) -> str:
    lines = "".join(f'<li><a href="#{each.name}">{_inline(each.title)}</a></li>' for each in sections)
    title = '<h2 id="contents">Contents</h2>'
    return f'<nav aria-labelledby="contents">\n{title}\n<ol>{lines}</ol>\n</nav>'


def _section(section: Section, number: int, placed: Sequence[PlacedBlock]) -> str:
    blocks = "\n".join(_block(block, label) for block, label, _ in placed)
    title = f'<h2 id="{section.name}">{number} · {_inline(section.title)}</h2>'
    return f'<section aria-labelledby="{section.name}">\n{title}\n{blocks}\n</section>'


def _block(block: Block, label: str) -> str:
    match block:
        case Paragraph(text, is_note):
            kind = ' class="note"' if is_note else ""
            return f"<p{kind}>{_inline(text)}</p>"
        case Items(texts, numbered):
            kind = "ol" if numbered else "ul"
            return f"<{kind}>{''.join(f'<li>{_inline(text)}</li>' for text in texts)}</{kind}>"
        case Subheading(text, level):
            return f"<h{level + 2}>{_inline(text)}</h{level + 2}>"
        case Boards(grids):
            return f'<div class="grids">{"".join(_grid(title, grid) for title, grid in grids)}</div>'
        case Table():
            return _table(block, label)
        case _:
            return _figure(block, label)


def _grid(label: str, grid: Grid) -> str:
    picture = grid_svg(grid, label.replace("`", ""))
    return f'<figure><p class="grid-label">{_inline(label)}</p>{picture}</figure>'


def _table(block: Table, label: str) -> str:
    classes = [' class="number"' if right else "" for right in is_numeric(block.table)]
    heads = zip(block.table.headings, classes, strict=True)
    head = "".join(f'<th scope="col"{kind}>{_heading(text)}</th>' for text, kind in heads)
    rows = "".join(
        f"<tr>{''.join(f'<td{kind}>{_inline(t)}</td>' for t, kind in zip(row, classes, strict=True))}</tr>\n"
        for row in block.table.rows
    )
    caption = f"<caption>{_caption(block, label)}</caption>"
    return (
        f'<div class="scroll" id="{_anchor(label)}" tabindex="0" role="region" aria-label="{label}">\n'
        f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n</div>"
    )


def _figure(block: Chart | GraphDrawing | Listing, label: str) -> str:
    match block:
        case Chart(name, draw, _, alt):
            body = chart_svg(draw(ChartLook(transparent=True)), name, alt)
        case GraphDrawing(name, graph, _):
            body = graph_svg(graph, name, graph.title)
        case _:
            body = f'<pre tabindex="0">{escape(chr(10).join(block.lines))}</pre>'
    caption = f"<figcaption>{_caption(block, label)}</figcaption>"
    # On paper, a long listing may continue on the next page.
    is_long = isinstance(block, Listing) and len(block.lines) > 16
    kind = ' class="long"' if is_long else ""
    return f'<figure id="{_anchor(label)}"{kind}>\n{body}\n{caption}\n</figure>'


def _caption(block: Table | Chart | GraphDrawing | Listing, label: str) -> str:
    link = f' <a class="command" href="#{COMMANDS_SECTION}">command</a>' if block.commands else ""
    return f"<b>{label}.</b> {_inline(block.caption)}{link}"


def _anchor(label: str) -> str:
    return label.lower().replace(" ", "-")


def _heading(text: str) -> str:
    """The heading of a column; on paper, a line may end after a sign in the name of an engine."""
    return re.sub("<code>.*?</code>", lambda code: re.sub("[:=-]", r"\g<0><wbr>", code[0]), _inline(text))


def _inline(text: str) -> str:
    pieces = []
    for kind, piece, url in inline_parts(text):
        shown = escape(piece, quote=False)
        if kind == "link":
            shown = f'<a href="{escape(url)}">{shown}</a>'
        elif kind in _TAGS:
            shown = f"<{_TAGS[kind]}>{shown}</{_TAGS[kind]}>"
        pieces.append(shown)
    return "".join(pieces)


def style_sheet() -> str:
    """All rules; paper is always light."""
    light, dark = (
        colours + ";".join(f"--{name}:{colour}" for name, colour in _colour_variables(theme).items())
        for colours, theme in ((_LIGHT, Theme.LIGHT), (_DARK, Theme.DARK))
    )
    rules = Path(__file__).with_name("report.css").read_text(encoding="utf-8")
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}\n{rules}"
