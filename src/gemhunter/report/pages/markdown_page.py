"""A document as Markdown, with its figures in files."""

from collections.abc import Mapping

from gemhunter.report.document import (
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
    labels,
    without_code,
)
from gemhunter.report.tables.text_table import write_markdown


def write_markdown_page(document: Document, folder: str) -> str:
    """The text; figures are SVG files in `folder`, as seen from the text."""
    numbers = labels(document.sections)
    parts = [f"# {document.title}", document.subtitle]
    for number, section in enumerate(document.sections, 1):
        parts.append(f"## {number}. {section.title}")
        parts += [_block(block, numbers, folder) for block in section.blocks]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _block(block: Block, numbers: Mapping[int, Label], folder: str) -> str:
    match block:
        case Paragraph(text):
            return text
        case Items(texts):
            return "\n".join(f"- {text}" for text in texts)
        case Subheading(text, level):
            return f"{'#' * (level + 2)} {text}"
        case Boards(grids):
            return "\n\n".join(f"{label}:\n\n```\n{grid_text(grid)}\n```" for label, grid in grids)
        case Table(table, caption):
            return f"**{numbers[id(block)].text}.** {caption}\n\n{write_markdown(without_code(table))}"
        case Listing(lines, caption):
            listed = "\n".join(lines)
            return f"```\n{listed}\n```\n\n**{numbers[id(block)].text}.** {caption}"
        case Chart(name, _, caption, alt):
            return f"![{alt}]({folder}/{name}.svg)\n\n**{numbers[id(block)].text}.** {caption}"
        case GraphDrawing(name, graph, caption):
            return f"![{graph.title}]({folder}/{name}.svg)\n\n**{numbers[id(block)].text}.** {caption}"
