"""A document as PDF, typeset by Typst.

Every text is a string literal in the source and never markup, so that Typst cannot read a name as a command.
"""

import re
from collections.abc import Mapping
from pathlib import Path

from gemhunter.charts.look import ChartLook, require_matplotlib, svg_of
from gemhunter.draw.graphs import draw_graph
from gemhunter.draw.page import grid_svg_file, paper_cell
from gemhunter.draw.themes import CHART_FONT
from gemhunter.errors import InputError
from gemhunter.files.text_tables import is_numeric
from gemhunter.optional_packages import has_package, missing_text
from gemhunter.printable import printable, printable_lines
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
    inline_parts,
    placed_blocks,
    plain_text,
    with_break_marks,
)
from gemhunter.report.figures import PAPER_SCALE

TEMPLATE = Path(__file__).with_name("report.typ")

_TYPST_FUNCTIONS = {"code": "code", "bold": "strong", "italic": "emph"}

MAY_BREAK = "\u200b"
"""A space without width, at which a line may end."""


def require_typst() -> None:
    """Raise an error if a package that PDF files need is missing."""
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
    # Typst comes with its own fonts, and Matplotlib with that of charts. The fonts of this machine are used
    # only if these lack a character, so that the file is usually the same on all machines.
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
    pictures: dict[str, str] = {}
    authors = "".join(f"{_string(plain_text(author))}, " for author in document.authors)
    title = _string(plain_text(document.title))
    heading = f"{title}, [{_inline(document.subtitle)}], ({authors}), {_string(plain_text(document.course))}"
    parts = [f'#import "{TEMPLATE.name}": *', f"#show: body => report({heading}, body)"]
    for section, placed in placed_blocks(document.sections):
        parts.append(f"#heading(level: 1)[{_inline(section.title)}]")
        for block, label, stays in placed:
            part = _block(block, label, pictures)
            parts.append(f"#block(sticky: true)[{part}]" if stays else part)
    template = TEMPLATE.read_text(encoding="utf-8")
    texts = {"main.typ": "\n\n".join(parts) + "\n", TEMPLATE.name: template, **pictures}
    return {name: printable_lines(text).encode() for name, text in texts.items()}


def _block(block: Block, label: str, pictures: dict[str, str]) -> str:
    """The source of a block; its pictures are added to `pictures`."""
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
            return _table(block, label)
        case Listing(lines, caption):
            text = _string("\n".join(lines), keep="\n")
            return f"#listing({_caption(label, caption)}, {text})"
        case Chart(name, _, caption, alt):
            pictures[f"{name}.svg"] = svg_of(block.draw(ChartLook(transparent=True)))
            share = f"share: {PAPER_SCALE}"
            return f'#drawing({_caption(label, caption)}, "{name}.svg", {_string(alt)}, {share})'
        case GraphDrawing(name, graph, caption):
            pictures[f"{name}.svg"] = draw_graph(graph)
            return f'#drawing({_caption(label, caption)}, "{name}.svg", {_string(graph.title)})'


def _caption(label: str, caption: str) -> str:
    return f"{_string(label)}, [{_inline(caption)}]"


def _boards(block: Boards, pictures: dict[str, str]) -> str:
    boards = []
    for title, grid in block.grids:
        name = f"grid-{len(pictures)}.svg"
        pictures[name] = grid_svg_file(grid)
        # The text of the template is 170 mm wide, and a page has 220 mm for a board.
        width = paper_cell(grid, 170.0, 220.0) * grid.cols
        boards.append(f'([{_inline(title)}], "{name}", {_string(plain_text(title))}, {width:.2f}mm)')
    return f"#boards({', '.join(boards)})"


def _table(block: Table, label: str) -> str:
    rows = (block.table.headings, *block.table.rows)
    cells = "".join(f"({''.join(f'[{_inline(cell)}], ' for cell in row)}), " for row in rows)
    sides = "".join("right, " if right else "left, " for right in is_numeric(block.table))
    longest = map(_longest, zip(*rows, strict=True))
    words = "".join(f"({''.join(f'{word}, ' for word in column)}), " for column in longest)
    return f"#data-table({_caption(label, block.caption)}, ({cells}), ({sides}), ({words}))"


def _longest(column: tuple[str, ...]) -> list[str]:
    """The three longest unbreakable words of a column; the template measures which is widest."""
    words = {
        (word, kind)
        for cell in column
        for kind, part, _ in inline_parts(cell)
        for word in re.split(rf"[\s{MAY_BREAK}]+", with_break_marks(part, MAY_BREAK))
    }
    longest = sorted(words, key=lambda pair: (-len(pair[0]), pair))[:3]
    return [f"code({_string(word)})" if kind == "code" else _string(word) for word, kind in longest]


def _inline(text: str) -> str:
    """The source of a text with its code, its links, and its bold and italic parts."""
    return "".join(
        f"#link({_string(url, may_break=False)}, {_string(part)})"
        if kind == "link"
        else f"#{_TYPST_FUNCTIONS[kind]}({_string(part)})"
        if kind in _TYPST_FUNCTIONS
        else f"#{_string(part)}"
        for kind, part, url in inline_parts(text)
    )


def _string(text: str, *, keep: str = "", may_break: bool = True) -> str:
    """A string literal of Typst; line ends become spaces unless they are in `keep`."""
    text = text if "\n" in keep else re.sub(r"[\r\n]+", " ", text)
    marked = with_break_marks(text, MAY_BREAK) if may_break else text
    return '"' + printable(marked, keep).replace("\\", "\\\\").replace('"', '\\"') + '"'
