"""A document as Markdown, with its figures in files; also reads the Markdown of authors."""

import re
from collections.abc import Iterator
from dataclasses import replace

from gemhunter.files.text_tables import TextTable, in_markdown, write_markdown
from gemhunter.report.document import (
    Block,
    Boards,
    Chart,
    Document,
    GraphDrawing,
    Items,
    Listing,
    Paragraph,
    Subheading,
    Table,
    grid_text,
    inline_parts,
    placed_blocks,
)


def write_markdown_page(document: Document, folder: str) -> str:
    """The document as Markdown; figures are SVG files in `folder`, a path relative to the file."""
    parts = [
        f"# {_inline(document.title)}",
        ", ".join(map(_inline, document.authors)),
        _inline(document.course),
    ]
    parts = [*filter(None, parts), _inline(document.subtitle)]
    for number, (section, placed) in enumerate(placed_blocks(document.sections), 1):
        parts.append(f"## {number}. {_inline(section.title)}")
        parts += [_block(block, label, folder) for block, label, _ in placed]
    return "\n\n".join(part.strip("\n") for part in parts) + "\n"


def _block(block: Block, label: str, folder: str) -> str:
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
            return "\n\n".join(f"{_line(title)}:\n\n```\n{grid_text(grid)}\n```" for title, grid in grids)
        case Table(table, caption):
            # Backticks are escaped in cells, so that readers would see them.
            headings, *rows = (
                tuple(cell.replace("`", "") for cell in row) for row in (table.headings, *table.rows)
            )
            return f"{_caption(label, caption)}\n\n{write_markdown(TextTable(headings, tuple(rows)))}"
        case Listing(lines, caption):
            listed = "\n".join(lines)
            fence = _longer_than_any("```", listed)
            return f"{fence}\n{listed}\n{fence}\n\n{_caption(label, caption)}"
        case Chart(name, _, caption, alt):
            return f"![{in_markdown(alt)}]({folder}/{name}.svg)\n\n{_caption(label, caption)}"
        case GraphDrawing(name, graph, caption):
            alt = in_markdown(graph.title)
            return f"![{alt}]({folder}/{name}.svg)\n\n{_caption(label, caption)}"


def _caption(label: str, caption: str) -> str:
    return f"**{label}.** {_inline(caption)}"


def _line(text: str) -> str:
    """A text at the start of a line, where `#`, `-`, `+` and `1.` must be escaped."""
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
        elif kind in ("bold", "italic") and piece.strip():
            # A blank next to an asterisk would make it a plain character.
            before, after = " " * piece.startswith(" "), " " * piece.endswith(" ")
            stars = "**" if kind == "bold" else "*"
            shown = f"{before}{stars}{shown.strip()}{stars}{after}"
        pieces.append(shown)
    return "".join(pieces)


def _longer_than_any(ticks: str, text: str) -> str:
    """Backticks, one more than the text has in a row if it has at least as many."""
    while ticks in text:
        ticks += "`"
    return ticks


# The text of an author: paragraphs, headings, lists and code blocks.


_INDENT = " " * 4
_FENCE = re.compile(r" *(?P<fence>`{3,}+|~{3,}+) *+(?P<language>[^\s`]*+) *+(?P<caption>[^`]*)$")
_HEADING = re.compile(r" {0,3}(?P<marks>#{1,6})(?:\s++(?P<text>.*?))?(?<!\s)(?:\s++#++)?\s*+$")
_ITEM = re.compile(r" *(?:[-*+]|\d{1,9}[.)]) +(?P<text>\S.*)$")
_FIRST_ITEM = re.compile(r" {0,3}(?:[-*+]|(?P<number>1)[.)]) +\S")
"""A numbered list begins with 1, so that a year at the start of a line is not an item."""


def read_markdown(text: str, title: str = "") -> tuple[Block, ...]:
    """Paragraphs, headings, lists of one level and code blocks; everything else is part of a paragraph.

    The largest headings of the text become the largest of a section. A first heading that repeats `title` is
    left out.
    """
    blocks = list(_blocks(text.expandtabs(4).splitlines()))
    if blocks and isinstance(blocks[0], Subheading) and blocks[0].text.casefold() == title.casefold():
        del blocks[0]
    highest = min((block.level for block in blocks if isinstance(block, Subheading)), default=1)
    return tuple(
        replace(block, level=min(block.level - highest + 1, 2)) if isinstance(block, Subheading) else block
        for block in blocks
    )


def _blocks(lines: list[str]) -> Iterator[Block]:
    """The blocks, with the original levels of headings: 1 for `#`, 2 for `##` and so on."""
    place = 0
    while place < len(lines):
        line, begin = lines[place], place
        place += 1
        if not line.strip():
            continue
        if fence := _FENCE.match(line):
            while place < len(lines) and not _closes(lines[place], fence["fence"]):
                place += 1
            # Words after the language are the caption.
            yield Listing(tuple(lines[begin + 1 : place]), fence["caption"].strip())
            place += 1
        elif heading := _HEADING.match(line):
            yield Subheading(heading["text"] or "", len(heading["marks"]))
        elif first := _FIRST_ITEM.match(line):
            numbered = first["number"] is not None
            while place < len(lines) and _continues_list(lines[place - 1], lines[place], numbered=numbered):
                place += 1
            yield Items(tuple(_items(lines[begin:place])), numbered)
        elif line.startswith(_INDENT):
            while place < len(lines) and (lines[place].startswith(_INDENT) or not lines[place].strip()):
                place += 1
            code = "\n".join(each.removeprefix(_INDENT) for each in lines[begin:place])
            yield Listing(tuple(code.rstrip().split("\n")), "")
        else:
            while place < len(lines) and lines[place].strip() and not _begins_block(lines[place]):
                place += 1
            yield Paragraph(" ".join(each.strip() for each in lines[begin:place]))


def _begins_block(line: str) -> bool:
    return any(pattern.match(line) for pattern in (_FENCE, _HEADING, _FIRST_ITEM))


def _closes(line: str, fence: str) -> bool:
    return line.strip().startswith(fence) and not line.strip().strip(fence[0])


def _continues_list(before: str, line: str, *, numbered: bool) -> bool:
    """Whether a line belongs to the list above it: an item, indented, or the rest of the line before."""
    if _FENCE.match(line) or _HEADING.match(line):
        return False
    first = _FIRST_ITEM.match(line)
    if first and not line.startswith(" ") and (first["number"] is not None) != numbered:
        return False
    return not line.strip() or line.startswith(" ") or _ITEM.match(line) is not None or before.strip() != ""


def _items(lines: list[str]) -> list[str]:
    """The text of each item of a list."""
    items: list[str] = []
    for line in filter(str.strip, lines):
        if item := _ITEM.match(line):
            items.append(item["text"].strip())
        else:
            items[-1] += f" {line.strip()}"
    return items
