"""A document as PDF, typeset by Typst.

Every text is a string literal in the source, never markup, so that Typst takes no name for a command.
"""

import re
from collections.abc import Mapping
from itertools import zip_longest
from pathlib import Path

from gemhunter.compare.charts import CHART_FONT, require_matplotlib, svg_of
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
    inline_parts,
    labels,
    plain_text,
    with_break_marks,
)
from gemhunter.compare.report.html import PAPER_SCALE, grid_svg_file, paper_cell, paper_figure
from gemhunter.errors import InputError
from gemhunter.extras import has_package, missing_text
from gemhunter.files.tables import is_numeric
from gemhunter.printable import printable, printable_lines

TEMPLATE = Path(__file__).with_name("report.typ")

TYPST_TEXT_WIDTH, TYPST_BOARD_HEIGHT = 170.0, 220.0
"""Millimetres: the width of the text in the template, and the height that a page has for a board."""

MEASURED_WORDS = 3
"""How many of the longest words of a column are measured to find the widest one."""

_TYPST_FUNCTIONS = {"code": "code", "bold": "strong", "italic": "emph"}
_LINE_BREAKS = re.compile(r"[\r\n]+")

MAY_BREAK = "\u200b"
"""A space without width, at which a line may end."""


def require_typst() -> None:
    """Report a missing package before any work is done."""
    require_matplotlib("reports as PDF need")
    if not has_package("typst"):
        raise InputError(missing_text("reports as PDF need", "typst"))


def write_pdf_page(document: Document) -> bytes:
    """A PDF file; equal documents give equal bytes."""
    require_typst()
    import matplotlib
    import typst
    from matplotlib.font_manager import FontProperties, findfont, get_font

    files = typst_files(document)
    # Typst brings its own fonts, and Matplotlib brings that of charts. Fonts of this machine are used only if
    # those lack a character; otherwise the file is the same on all machines.
    known = get_font(findfont(FontProperties(family=CHART_FONT))).get_charmap().keys()
    used = {ord(sign) for content in files.values() for sign in content.decode()}
    pdf: bytes = typst.compile(  # type: ignore[call-overload] # its types know no files by name
        dict(files),
        font_paths=[str(Path(matplotlib.get_data_path(), "fonts", "ttf"))],
        ignore_system_fonts=used <= {*known, *map(ord, f"\n{MAY_BREAK}")},
    )
    return pdf


def typst_files(document: Document) -> Mapping[str, bytes]:
    """The source `main.typ`, the template that it imports, and the pictures, by the names of their files."""
    numbers = labels(document.sections)
    pictures: dict[str, str] = {}
    authors = "".join(f"{_string(plain_text(author))}, " for author in document.authors)
    title = _string(plain_text(document.title))
    heading = f"{title}, [{_inline(document.subtitle)}], ({authors}), {_string(plain_text(document.course))}"
    parts = [f'#import "{TEMPLATE.name}": *', f"#show: body => report({heading}, body)"]
    for section in document.sections:
        parts.append(f"#heading(level: 1)[{_inline(section.title)}]")
        for block, following in zip_longest(section.blocks, section.blocks[1:]):
            part = _block(block, numbers, pictures)
            introduces = isinstance(block, Paragraph) and isinstance(following, Boards)
            # A sentence about boards stays on their page.
            parts.append(f"#block(sticky: true)[{part}]" if introduces else part)
    template = TEMPLATE.read_text(encoding="utf-8")
    texts = {"main.typ": "\n\n".join(parts) + "\n", TEMPLATE.name: template, **pictures}
    return {name: printable_lines(text).encode() for name, text in texts.items()}


def _block(block: Block, numbers: Mapping[int, Label], pictures: dict[str, str]) -> str:
    """The source of a block; pictures that it shows are added to `pictures`."""
    match block:
        case Paragraph(text, is_note):
            return f"#note[{_inline(text)}]" if is_note else _inline(text)
        case Items(texts, numbered):
            kind = "enum" if numbered else "list"
            return f"#{kind}({''.join(f'[{_inline(text)}], ' for text in texts)})"
        case Subheading(text, level):
            return f"#heading(level: {level + 1})[{_inline(text)}]"
        case Boards():
            return _boards(block, pictures)
        case Table():
            return _table(block, numbers[id(block)])
        case Listing(lines, caption):
            text = _string("\n".join(lines), keep="\n")
            return f"#listing({_caption(numbers[id(block)], caption)}, {text})"
        case Chart(name, _, caption, alt):
            pictures[f"{name}.svg"] = svg_of(paper_figure(block))
            share = f"share: {PAPER_SCALE}"
            return f'#drawing({_caption(numbers[id(block)], caption)}, "{name}.svg", {_string(alt)}, {share})'
        case GraphDrawing(name, graph, caption):
            pictures[f"{name}.svg"] = svg_of(paper_figure(block))
            return f'#drawing({_caption(numbers[id(block)], caption)}, "{name}.svg", {_string(graph.title)})'


def _caption(label: Label, caption: str) -> str:
    return f"{_string(label.text)}, [{_inline(caption)}]"


def _boards(block: Boards, pictures: dict[str, str]) -> str:
    boards = []
    for label, grid in block.grids:
        name = f"grid-{len(pictures)}.svg"
        pictures[name] = grid_svg_file(grid)
        width = paper_cell(grid, TYPST_TEXT_WIDTH, TYPST_BOARD_HEIGHT) * grid.cols
        boards.append(f'([{_inline(label)}], "{name}", {_string(plain_text(label))}, {width:.2f}mm)')
    return f"#boards({', '.join(boards)})"


def _table(block: Table, label: Label) -> str:
    rows = (block.table.headings, *block.table.rows)
    cells = "".join(f"({''.join(f'[{_inline(cell)}], ' for cell in row)}), " for row in rows)
    sides = "".join("right, " if right else "left, " for right in is_numeric(block.table))
    longest = map(_longest, zip(*rows, strict=True))
    words = "".join(f"({''.join(f'{word}, ' for word in column)}), " for column in longest)
    return f"#data-table({_caption(label, block.caption)}, ({cells}), ({sides}), ({words}))"


def _longest(column: tuple[str, ...]) -> list[str]:
    """The longest words of a column that cannot be broken, as code where they are code."""
    found = {
        (word, kind)
        for cell in column
        for kind, part, _ in inline_parts(cell)
        for word in re.split(rf"[\s{MAY_BREAK}]+", with_break_marks(part, MAY_BREAK))
    }
    longest = sorted(found, key=lambda each: (-len(each[0]), each))[:MEASURED_WORDS]
    return [f"code({_string(word)})" if kind == "code" else _string(word) for word, kind in longest]


def _inline(text: str) -> str:
    """A text with its code, its links and what is bold or italic."""
    return "".join(
        f"#link({_string(url, may_break=False)}, {_string(part)})"
        if kind == "link"
        else f"#{_TYPST_FUNCTIONS[kind]}({_string(part)})"
        if kind in _TYPST_FUNCTIONS
        else f"#{_string(part)}"
        for kind, part, url in inline_parts(text)
    )


def _string(text: str, *, keep: str = "", may_break: bool = True) -> str:
    """A string literal of Typst; line ends are kept or become spaces."""
    one = text if "\n" in keep else _LINE_BREAKS.sub(" ", text)
    marked = with_break_marks(one, MAY_BREAK) if may_break else one
    return '"' + printable(marked, keep).replace("\\", "\\\\").replace('"', '\\"') + '"'
