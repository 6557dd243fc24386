"""A report as one HTML file without scripts, fonts or requests."""

import re
from collections.abc import Sequence
from html import escape

from gemhunter.board.grid import Grid
from gemhunter.charts.look import ChartLook
from gemhunter.draw.page import grid_svg, style_sheet
from gemhunter.files.text_tables import is_numeric
from gemhunter.report.document import (
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
    inline_parts,
    placed_blocks,
    plain_text,
)
from gemhunter.report.figures import chart_svg, graph_svg

# A document as one HTML file without scripts, fonts or requests.


_TAGS = {"code": "code", "bold": "strong", "italic": "em"}


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
