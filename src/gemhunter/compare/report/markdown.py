"""A document as Markdown, with its figures in files."""

import re
from collections.abc import Mapping

from gemhunter.compare.report.document import (
    Block,
    Boards,
    Chart,
    Document,
    GraphDrawing,
    Items,
    Label,
    Listing,
    Paragraph,
    Subheading,
    Table,
    grid_text,
    inline_parts,
    labels,
    without_code,
)
from gemhunter.files.tables import in_markdown, write_markdown

_MARKDOWN_STYLES = {"bold": "**", "italic": "*"}


def write_markdown_page(document: Document, folder: str) -> str:
    """The text; figures are SVG files in `folder`, as seen from the text."""
    numbers = labels(document.sections)
    parts = [
        f"# {_inline(document.title)}",
        ", ".join(map(_inline, document.authors)),
        _inline(document.course),
    ]
    parts = [*filter(None, parts), _inline(document.subtitle)]
    for number, section in enumerate(document.sections, 1):
        parts.append(f"## {number}. {_inline(section.title)}")
        parts += [_block(block, numbers, folder) for block in section.blocks]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _block(block: Block, numbers: Mapping[int, Label], folder: str) -> str:
    match block:
        case Paragraph(text, is_note):
            return ("> " if is_note else "") + _line(text)
        case Items(texts, numbered):
            return "\n".join(
                f"{f'{n}.' if numbered else '-'} {_line(text)}" for n, text in enumerate(texts, 1)
            )
        case Subheading(text, level):
            return f"{'#' * (level + 2)} {_inline(text)}"
        case Boards(grids):
            return "\n\n".join(f"{_line(label)}:\n\n```\n{grid_text(grid)}\n```" for label, grid in grids)
        case Table(table, caption):
            return f"{_caption(numbers[id(block)], caption)}\n\n{write_markdown(without_code(table))}"
        case Listing(lines, caption):
            listed = "\n".join(lines)
            fence = _longer_than_any("```", listed)
            return f"{fence}\n{listed}\n{fence}\n\n{_caption(numbers[id(block)], caption)}"
        case Chart(name, _, caption, alt):
            return f"![{in_markdown(alt)}]({folder}/{name}.svg)\n\n{_caption(numbers[id(block)], caption)}"
        case GraphDrawing(name, graph, caption):
            alt = in_markdown(graph.title)
            return f"![{alt}]({folder}/{name}.svg)\n\n{_caption(numbers[id(block)], caption)}"


def _caption(label: Label, caption: str) -> str:
    return f"**{label.text}.** {_inline(caption)}"


def _line(text: str) -> str:
    """A text that begins a line, where `#`, `-`, `+` and `1.` would be marks."""
    return re.sub(r"^(\d*)([#+.)-])", r"\1\\\2", _inline(text))


def _inline(text: str) -> str:
    pieces = []
    for kind, piece, url in inline_parts(text):
        shown = in_markdown(piece)
        if kind == "code":
            ticks = _longer_than_any("`", piece)
            space = " " * ("`" in piece)
            shown = f"{ticks}{space}{piece}{space}{ticks}"
        elif kind == "link":
            shown = f"[{shown}]({url})"
        elif kind in _MARKDOWN_STYLES and piece.strip():
            # A blank inside of the asterisks would make them plain characters.
            before, after = " " * piece.startswith(" "), " " * piece.endswith(" ")
            shown = f"{before}{_MARKDOWN_STYLES[kind]}{shown.strip()}{_MARKDOWN_STYLES[kind]}{after}"
        pieces.append(shown)
    return "".join(pieces)


def _longer_than_any(ticks: str, text: str) -> str:
    """The ticks, with more of them if the text has as many in a row."""
    while ticks in text:
        ticks += "`"
    return ticks
