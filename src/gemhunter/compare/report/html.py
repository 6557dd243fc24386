"""A document as one HTML file that needs nothing else, and the figures of a document."""

import io
import re
from collections.abc import Iterator, Mapping, Sequence
from html import escape
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
    chart_settings,
    graph_chart,
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
    Label,
    Listing,
    Paragraph,
    Section,
    Subheading,
    Table,
    captioned,
    inline_parts,
    labels,
    plain_text,
)
from gemhunter.compare.sheets import EMBEDDED_TRUETYPE
from gemhunter.draw.graphs import Graph, draw_graph
from gemhunter.files.tables import is_numeric

if TYPE_CHECKING:
    from matplotlib.figure import Figure


# The figures of a document: SVG elements inside a page, and files beside formats that cannot hold them.


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


# A document as one HTML file that needs nothing else: no script, no font, no request.


_TAGS = {"code": "code", "bold": "strong", "italic": "em"}

PRINTED_LINES_TOGETHER = 16
"""Longer listings may be divided between pages of paper."""

_CODE_ELEMENT = re.compile(r"<code>.*?</code>")
_SIGN_IN_NAME = re.compile(r"[:=-]")

_LIGHT = "--paper:#ffffff;--soft:#f1f5f9;--line:#dbe2ea;--quiet:#526077;--accent:#0b5ea8;" + "".join(
    f"--{name}:{colour};" for name, colour in PAPER_COLOURS.items()
)

_DARK = (
    "--paper:#0f172a;--soft:#1b2740;--line:#2f3d58;--quiet:#a3b1c6;--accent:#7cc0ff;"
    "--clue:#16213a;--hidden:#33425e;--trap:#5d2731;--gem:#1d4a3a;--trap-ink:#ffb3b0;--gem-ink:#9fe6c0;"
    "--grid-line:#4a5a77;"
)

_RULES = """
*{box-sizing:border-box}
html{font-size:17px;color-scheme:light dark;scroll-behavior:smooth;-webkit-text-size-adjust:100%}
body{margin:0 auto;padding:3rem 1.5rem 5rem;max-width:54rem;background:var(--paper);color:var(--ink);
 font-family:Charter,"Bitstream Charter","Sitka Text",Cambria,"DejaVu Serif",Georgia,serif;line-height:1.55}
h1,h2,h3,h4,nav,figcaption,caption,th,td,.subtitle,.authors,.grid-label{
 font-family:system-ui,"Segoe UI",Roboto,"Helvetica Neue","DejaVu Sans",sans-serif}
h1{font-size:2.1rem;line-height:1.15;margin:0 0 .4rem;letter-spacing:-.015em}
h2{font-size:1.5rem;margin:3.6rem 0 1rem;padding-top:1.1rem;border-top:2px solid var(--line)}
h3{font-size:1.16rem;margin:2.6rem 0 .6rem}h4{font-size:1rem;margin:1.9rem 0 .4rem}
h1,h2,h3,h4{text-wrap:balance;break-after:avoid}
p,ul,ol{margin:.7rem 0}li{margin:.3rem 0}
.subtitle,.authors{color:var(--quiet);margin:0 0 2rem}.authors{color:var(--ink);margin:0 0 .4rem}
.note{background:var(--soft);border-left:4px solid var(--accent);border-radius:.25rem;padding:.7rem 1rem}
a{color:var(--accent);text-decoration-thickness:1px;text-underline-offset:.15em}
code,pre{font-family:ui-monospace,"Cascadia Code","SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.86em;background:var(--soft);border-radius:.25rem;padding:.08em .3em;overflow-wrap:anywhere}
th code{background:none;padding:0;overflow-wrap:normal}
nav{background:var(--soft);border-radius:.6rem;padding:1rem 1.4rem;font-size:.92rem}
nav h2{border:0;margin:0;padding:0;font-size:.95rem}
nav ol{margin:.5rem 0 0;padding-left:1.4rem;columns:2;column-gap:2.5rem}
nav li{margin:.2rem 0;break-inside:avoid}
figure{margin:1.6rem 0;break-inside:avoid}
figcaption,caption{color:var(--quiet);font-size:.83rem;line-height:1.45;text-align:left}
figcaption{margin-top:.5rem}caption{caption-side:top;padding:0 0 .45rem}
figcaption b,caption b{color:var(--ink)}
caption a,figcaption a{color:inherit}
.scroll{overflow-x:auto;margin:1.5rem 0;-webkit-overflow-scrolling:touch}
.scroll:focus-visible{outline:2px solid var(--accent);outline-offset:3px}
table{border-collapse:collapse;font-size:.83rem;font-variant-numeric:tabular-nums;min-width:40%}
thead{display:table-header-group}
th,td{padding:.36rem .75rem .36rem 0;text-align:left;vertical-align:baseline;
 border-bottom:1px solid var(--line)}
th{font-weight:600;border-bottom:2px solid var(--faint);vertical-align:bottom}
td.number,th.number{text-align:right}tbody tr:hover{background:var(--soft)}
tr{break-inside:avoid}
pre{background:var(--soft);border-radius:.5rem;padding:.9rem 1.1rem;overflow-x:auto;font-size:.78rem;
 line-height:1.5;margin:0}
svg.chart,svg.graph{max-width:100%;height:auto;display:block}
svg.chart{stroke-linejoin:round}svg.chart text{fill:var(--ink)}
.grids{display:flex;flex-wrap:wrap;gap:1.4rem 2rem;margin:1.3rem 0}
.grids figure{margin:0;max-width:100%}svg.grid{max-width:100%;height:auto;display:block}
.grid-label{font-size:.83rem;color:var(--quiet);margin:0 0 .35rem;max-width:22rem}
.grid text{font:600 14px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle;fill:var(--ink)}
.grid .clue{fill:var(--clue)}.grid .hidden{fill:var(--hidden)}.grid .trap{fill:var(--trap)}
.grid .gem{fill:var(--gem)}
.grid .lines{fill:none;stroke:var(--grid-line);stroke-width:1}
.grid text.t{fill:var(--trap-ink)}.grid text.g{fill:var(--gem-ink)}.grid text.n0{fill:var(--quiet)}
.graph text{font:13px system-ui,"DejaVu Sans",sans-serif;text-anchor:middle;fill:#1e293b}
.graph .title{text-anchor:start;fill:var(--ink)}.graph rect{stroke:#475569}.graph line{stroke:var(--quiet)}
.graph line.cut{stroke:#d1493f;stroke-dasharray:6 5;stroke-width:2}
@media (max-width:40rem){html{font-size:16px}body{padding:1.5rem 1rem 3rem}nav ol{columns:1}}
@media print{
 html{font-size:10pt}body{padding:0;max-width:none;line-height:1.45}@page{size:A4;margin:16mm 17mm 18mm}
 .command{display:none}a{color:inherit;text-decoration:none}
 h2{break-before:auto;margin:1.8rem 0 .7rem;padding-top:.8rem}h3{margin:1.5rem 0 .4rem}
 h4{margin:1.2rem 0 .3rem}
 p,ul{margin:.5rem 0}p{orphans:3;widows:3}p:has(+.grids){break-after:avoid}
 figure,.scroll{margin:1rem 0}figcaption{break-before:avoid}caption{break-after:avoid}
 .scroll{overflow:visible;break-inside:avoid}.scroll:has(tbody tr:nth-child(13)){break-inside:auto}
 table{font-size:8.2pt}th,td{padding:.18rem .5rem .18rem 0}th code{overflow-wrap:break-word}
 .scroll:has(th:nth-child(9)) table{font-size:7pt}.scroll:has(th:nth-child(9)) :is(th,td){padding-right:.4rem}
 pre{white-space:pre-wrap;overflow:visible;font-size:8pt;line-height:1.35;padding:.6rem .8rem}
 figure.long{break-inside:auto}.long pre{orphans:5;widows:5}
 svg.chart{max-height:6.2cm;width:auto}svg.graph{max-height:17cm}
 .grids{gap:.8rem 1.2rem;margin:.8rem 0}.grids .full{zoom:.68}
}
"""


def write_page(document: Document) -> str:
    """The whole file."""
    numbers = labels(document.sections)
    sections = "\n".join(
        _section(section, number, numbers) for number, section in enumerate(document.sections, 1)
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


def _section(section: Section, number: int, numbers: Mapping[int, Label]) -> str:
    blocks = "\n".join(_block(block, numbers) for block in section.blocks)
    title = f'<h2 id="{section.name}">{number} · {_inline(section.title)}</h2>'
    return f'<section aria-labelledby="{section.name}">\n{title}\n{blocks}\n</section>'


def _block(block: Block, numbers: Mapping[int, Label]) -> str:
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
            return f'<div class="grids">{"".join(_grid(label, grid) for label, grid in grids)}</div>'
        case Table():
            return _table(block, numbers[id(block)])
        case _:
            return _figure(block, numbers[id(block)])


def _grid(label: str, grid: Grid) -> str:
    picture = grid_svg(grid, label.replace("`", ""))
    return f'<figure><p class="grid-label">{_inline(label)}</p>{picture}</figure>'


def _table(block: Table, label: Label) -> str:
    classes = [' class="number"' if right else "" for right in is_numeric(block.table)]
    heads = zip(block.table.headings, classes, strict=True)
    head = "".join(f'<th scope="col"{kind}>{_heading(text)}</th>' for text, kind in heads)
    rows = "".join(
        f"<tr>{''.join(f'<td{kind}>{_inline(t)}</td>' for t, kind in zip(row, classes, strict=True))}</tr>\n"
        for row in block.table.rows
    )
    caption = f"<caption>{_caption(block, label)}</caption>"
    return (
        f'<div class="scroll" id="{label.anchor}" tabindex="0" role="region" aria-label="{label.text}">\n'
        f"<table>{caption}\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}</tbody></table>\n</div>"
    )


def _figure(block: Chart | GraphDrawing | Listing, label: Label) -> str:
    match block:
        case Chart(name, draw, _, alt):
            body = chart_svg(draw(ChartLook(transparent=True)), name, alt)
        case GraphDrawing(name, graph, _):
            body = graph_svg(graph, name, graph.title)
        case _:
            lines = block.lines
            body = f'<pre tabindex="0">{escape(chr(10).join(lines))}</pre>'
    caption = f"<figcaption>{_caption(block, label)}</figcaption>"
    is_long = isinstance(block, Listing) and len(block.lines) > PRINTED_LINES_TOGETHER
    kind = ' class="long"' if is_long else ""
    return f'<figure id="{label.anchor}"{kind}>\n{body}\n{caption}\n</figure>'


def _caption(block: Table | Chart | GraphDrawing | Listing, label: Label) -> str:
    link = f' <a class="command" href="#{COMMANDS_SECTION}">command</a>' if block.commands else ""
    return f"<b>{label.text}.</b> {_inline(block.caption)}{link}"


def _heading(text: str) -> str:
    """The heading of a column; on paper, names of engines may be broken after a sign."""
    return _CODE_ELEMENT.sub(lambda code: _SIGN_IN_NAME.sub(r"\g<0><wbr>", code[0]), _inline(text))


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
    light, dark = _LIGHT + colour_rules(Theme.LIGHT), _DARK + colour_rules(Theme.DARK)
    return f":root{{{light}}}\n@media screen and (prefers-color-scheme:dark){{:root{{{dark}}}}}{_RULES}"
