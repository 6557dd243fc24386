"""A document as LaTeX, with its figures in files."""

import re
from collections.abc import Mapping
from urllib.parse import quote

from gemhunter.render.graph import Graph
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
    inline_parts,
    labels,
    without_code,
)
from gemhunter.report.tables.text_table import in_latex, write_latex

_LATEX_STYLES = {"code": "texttt", "bold": "textbf", "italic": "emph"}

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage{lmodern,graphicx}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage[margin=25mm]{geometry}
\usepackage[hidelinks]{hyperref}
\DeclareUnicodeCharacter{2212}{\ensuremath{-}}
\DeclareUnicodeCharacter{2227}{\ensuremath{\wedge}}
\DeclareUnicodeCharacter{00B7}{\ensuremath{\cdot}}
\DeclareUnicodeCharacter{2026}{\ldots}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}
"""

_VIETNAMESE = re.compile("[\u01a0\u01a1\u01af\u01b0\u1ea0-\u1ef9]")
"""Letters that only the font encoding T5 has; not every installation of LaTeX has T5."""

_FIT = r"\resizebox{\ifdim\width>\linewidth\linewidth\else\width\fi}{!}{%"
"""Makes a table smaller that is wider than the text."""


def write_latex_page(document: Document, folder: str) -> str:
    """A complete article; charts are PDF files in `folder`, as seen from it."""
    numbers = labels(document.sections)
    authors = " \\and ".join(map(_inline, document.authors))
    title = (
        f"\\title{{{_inline(document.title)}}}\n\\author{{{authors}}}\n\\date{{{_inline(document.course)}}}\n"
    )
    parts = [_PREAMBLE + title + "\\begin{document}\n\\maketitle", _inline(document.subtitle)]
    for section in document.sections:
        parts.append(f"\\section{{{_inline(section.title)}}}")
        parts += [_block(block, numbers, folder) for block in section.blocks]
    page = "\n\n".join([*parts, "\\end{document}"]) + "\n"
    return page.replace("[T1]", "[T1,T5]", 1) if _VIETNAMESE.search(page) else page


def _block(block: Block, numbers: Mapping[int, Label], folder: str) -> str:
    match block:
        case Paragraph(text, is_note):
            return f"\\fbox{{\\parbox{{.97\\linewidth}}{{{_inline(text)}}}}}" if is_note else _inline(text)
        case Items(texts, numbered):
            # Without the braces, a bracket at the beginning would be an argument of the command.
            items = "\n".join(f"\\item{{}} {_inline(text)}" for text in texts)
            kind = "enumerate" if numbered else "itemize"
            return f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}" if items else ""
        case Subheading(text, level):
            return f"\\{'sub' * level}section*{{{_inline(text)}}}"
        case Boards(grids):
            return "\n\n".join(f"{_inline(label)}:\n{_verbatim(grid_text(grid))}" for label, grid in grids)
        case Table(table, caption):
            body = f"{_FIT}\n{write_latex(without_code(table))}}}"
            return _captioned(numbers[id(block)], caption, body)
        case Listing(lines, caption):
            return _captioned(numbers[id(block)], caption, _verbatim("\n".join(lines)))
        case Chart(name, _, caption):
            body = f"\\includegraphics[width=.85\\linewidth]{{{folder}/{name}.pdf}}"
            return _captioned(numbers[id(block)], caption, body)
        case GraphDrawing(_, graph, caption):
            return _captioned(numbers[id(block)], caption, _verbatim(_graph_text(graph)))


def _captioned(label: Label, caption: str, body: str) -> str:
    return f"\\textbf{{{label.text}.}} {_inline(caption)}\n\n{body}"


def _graph_text(graph: Graph) -> str:
    """A line per node with those that lead to it."""
    names = {node.name: node.label for node in graph.nodes}
    lines = [
        f"{node.label}  <-  {', '.join(names[before] for before in node.after)}" if node.after else node.label
        for node in graph.nodes
    ]
    return "\n".join([graph.title, *lines])


def _verbatim(text: str) -> str:
    """Lines as they are, small enough for long clauses."""
    plain = text.replace("…", "...").replace("×", "x").replace("\\end{verbatim}", "\\end {verbatim}")
    return f"{{\\footnotesize\n\\begin{{verbatim}}\n{plain}\n\\end{{verbatim}}\n}}"


def _inline(text: str) -> str:
    pieces = []
    for kind, piece, url in inline_parts(text):
        shown = in_latex(piece)
        if kind == "code":  # two hyphens in a row would become a dash, in typewriter letters too
            shown = shown.replace("--", "-{}-")
        if kind == "link":
            target = re.sub("[#%&_]", r"\\\g<0>", quote(url, safe="!&'()*+,/:;=?@[]#%"))
            shown = f"\\href{{{target}}}{{{shown}}}"
        elif kind in _LATEX_STYLES:
            shown = f"\\{_LATEX_STYLES[kind]}{{{shown}}}"
        pieces.append(shown)
    return "".join(pieces)
