"""A document as one HTML file that needs nothing else: no script, no font, no request."""

import re
from collections.abc import Mapping, Sequence
from html import escape

from gemhunter.core.grid import Grid
from gemhunter.report.chart_style import ChartLook
from gemhunter.report.document import (
    COMMANDS,
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
    labels,
)
from gemhunter.report.page_style import style_sheet
from gemhunter.report.page_svg import chart_svg, graph_svg, grid_svg
from gemhunter.report.table_formats import is_numeric

_CODE = re.compile(r"`([^`]+)`")


def write_page(document: Document) -> str:
    """The whole file."""
    numbers = labels(document.sections)
    sections = "\n".join(
        _section(section, number, numbers) for number, section in enumerate(document.sections, 1)
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        f"<title>{escape(document.title)}</title>\n<style>\n{style_sheet()}</style>\n</head>\n<body>\n"
        f"<header>\n<h1>{_inline(document.title)}</h1>\n"
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
        case Paragraph(text):
            return f"<p>{_inline(text)}</p>"
        case Items(texts):
            return f"<ul>{''.join(f'<li>{_inline(text)}</li>' for text in texts)}</ul>"
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
    head = "".join(f'<th scope="col"{kind}>{_inline(text)}</th>' for text, kind in heads)
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
    return f'<figure id="{label.anchor}">\n{body}\n{caption}\n</figure>'


def _caption(block: Table | Chart | GraphDrawing | Listing, label: Label) -> str:
    link = f' <a href="#{COMMANDS}">command</a>' if block.commands else ""
    return f"<b>{label.text}.</b> {_inline(block.caption)}{link}"


def _inline(text: str) -> str:
    return _CODE.sub(r"<code>\1</code>", escape(text, quote=False))
