"""A document as LaTeX, with its charts and graphs in files; boards are drawn by LaTeX itself."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import zip_longest
from urllib.parse import quote

from gemhunter.board.grid import GEM, TRAP, Grid
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
    with_break_marks,
)
from gemhunter.compare.report.html import (
    PAPER_COLOURS,
    PAPER_SCALE,
    cell_runs,
    cell_sign,
    has_signs_on_paper,
    paper_cell,
)
from gemhunter.files.tables import TextTable, in_latex, is_numeric

TEX_TEXT_WIDTH, TEX_BOARD_HEIGHT = 165.0, 210.0
"""Millimetres: the width of the text, and the height that a page has for a board."""

TABLE_SIZES = (9.0, 8.5, 8.0, 7.5, 7.0)
"""Points: a table has the largest text in which its words fit on the page."""

COLUMN_GAP = 10.0
"""Points between columns."""

TEX_ROWS_TOGETHER, TEX_LINES_TOGETHER = 12, 10
"""Longer tables and listings may be divided between pages."""

_LATEX_STYLES = {"code": "texttt", "bold": "textbf", "italic": "emph"}

_BREAK_MARK = "\u200b"
"""Stands for a place within a word where a line may end, until the text has been escaped."""

_PREAMBLE = r"""\documentclass[11pt,a4paper]{article}
\usepackage[T1]{fontenc}
\usepackage[utf8]{inputenc}
\usepackage{lmodern,graphicx,xcolor,array,longtable,booktabs}
\usepackage[width=165mm,height=245mm]{geometry}
\usepackage[hidelinks]{hyperref}
\setlength{\parindent}{0pt}\setlength{\parskip}{6pt}
\setlength{\LTleft}{0pt}\setlength{\LTpre}{8pt}\setlength{\LTpost}{8pt}
\setcounter{secnumdepth}{2}\setcounter{tocdepth}{2}
\sloppy\raggedbottom
% A file at a scale, or smaller if the page is.
\newsavebox{\figurebox}
\newcommand{\figurefile}[2]{\sbox{\figurebox}{\includegraphics[scale=#1]{#2}}%
  \ifdim\wd\figurebox>\linewidth\includegraphics[width=\linewidth,height=.8\textheight,keepaspectratio]{#2}%
  \else\ifdim\ht\figurebox>.8\textheight\includegraphics[height=.8\textheight]{#2}%
  \else\usebox{\figurebox}\fi\fi}
% A line of a listing; what does not fit is continued further to the right.
\newcommand{\listingline}[1]{{\parskip=0pt\raggedright\hangindent=2em\hangafter=1\hspace*{0pt}#1\par}}
% A caption that takes no width in the table that it stands above.
\newcommand{\tablecaption}[1]{\makebox[0pt][l]{\parbox[b]{\linewidth}{\small #1\strut}}}
% Letters of which T1 has only parts.
\newcommand{\hornletter}[1]{#1\kern-.12em\raisebox{.3ex}{'}}
\newcommand{\hookletter}[1]{\leavevmode\vbox{\offinterlineskip\halign{\hfil##\hfil\cr
  \scalebox{.55}{\textsf{?}}\cr\noalign{\kern-.1ex}#1\cr}}}
"""

_DECLARED = {
    "−": r"\ensuremath{-}",
    "∧": r"\ensuremath{\wedge}",
    "·": r"\ensuremath{\cdot}",
    "…": r"\ldots{}",
    "≤": r"\ensuremath{\le}",
    "≥": r"\ensuremath{\ge}",
    "≈": r"\ensuremath{\approx}",
    "→": r"\ensuremath{\to}",
    _BREAK_MARK: r"\allowbreak{}",
}
"""Characters that have a meaning in this document."""

LAST_LATIN, LATIN_NOT_IN_T1 = 0x17F, "ĦħĸĿŀŉŦŧſ"
"""The letters up to the first are in the encoding T1, except for these."""

_ACCENTS = {
    "\u0300": r"\`{%s}",
    "\u0301": r"\'{%s}",
    "\u0302": r"\^{%s}",
    "\u0303": r"\~{%s}",
    "\u0306": r"\u{%s}",
    "\u0309": r"\hookletter{%s}",
    "\u031b": r"\hornletter{%s}",
    "\u0323": r"\d{%s}",
}
"""The marks of Vietnamese letters, which the fonts of a small TeX lack."""


def write_latex_page(document: Document, folder: str) -> str:
    """A complete article; charts and graphs are PDF files in `folder`, as seen from it."""
    numbers = labels(document.sections)
    authors = r" \and ".join(map(_inline, document.authors))
    course = rf"\date{{{_inline(document.course)}}}"
    parts = [r"\maketitle", _inline(document.subtitle), r"{\parskip=0pt\tableofcontents}"]
    for section in document.sections:
        parts.append(f"\\section{{{_inline(section.title)}}}")
        for block, following in zip_longest(section.blocks, section.blocks[1:]):
            # A sentence about boards stays on their page.
            introduces = isinstance(block, Paragraph) and isinstance(following, Boards)
            parts.append(_block(block, numbers, folder) + (r"\par\nopagebreak" if introduces else ""))
    title = f"\\title{{{_inline(document.title)}}}\n\\author{{{authors}}}\n{course}\n"
    body = "\n\n".join([title + r"\begin{document}", *parts, "\\end{document}"]) + "\n"
    return f"{_PREAMBLE}{_colours()}{''.join(_declarations(body))}{body}"


def _colours() -> str:
    return "".join(
        f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}\n" for name, colour in PAPER_COLOURS.items()
    )


def _declarations(text: str) -> Iterator[str]:
    """What each character of a text stands for that a small TeX does not know."""
    for sign in sorted(set(text)):
        if sign in _DECLARED:
            yield rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_DECLARED[sign]}}}" + "\n"
        elif sign in LATIN_NOT_IN_T1 or (ord(sign) > LAST_LATIN and sign not in "‘’“”–—•€™"):
            yield rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{_spelled(sign)}}}" + "\n"


def _spelled(sign: str) -> str:
    """A letter put together from a plain one and its marks, or the number of a character."""
    parts = unicodedata.normalize("NFD", sign)
    letter, marks = parts[0], parts[1:]
    if not letter.isascii() or not set(marks) <= _ACCENTS.keys():
        return f"[U+{ord(sign):04X}]"
    # An accent needs a letter below it, not a box, which a dot below makes.
    for mark in sorted(marks, key="\u0323".__eq__):
        letter = _ACCENTS[mark] % letter
    return letter


def _block(block: Block, numbers: Mapping[int, Label], folder: str) -> str:
    match block:
        case Paragraph(text, is_note):
            return f"\\fbox{{\\parbox{{.97\\linewidth}}{{{_inline(text)}}}}}" if is_note else _inline(text)
        case Items(texts, numbered):
            # Without the braces, a bracket at the beginning would be an argument of the command.
            items = "\n".join(f"\\item{{}} {_inline(text)}" for text in texts)
            kind = "enumerate" if numbered else "itemize"
            return f"\\begin{{{kind}}}\\raggedright\\itemsep=0pt\n{items}\n\\end{{{kind}}}" if items else ""
        case Subheading(text, level):
            return f"\\{'sub' * level}section{{{_inline(text)}}}"
        case Boards(grids):
            return _boards(grids)
        case Table(table, caption):
            return _table(table, _caption(numbers[id(block)], caption))
        case Listing(lines, caption):
            return _listing(lines, _caption(numbers[id(block)], caption))
        case Chart(name, _, caption):
            return _figure(PAPER_SCALE, f"{folder}/{name}.pdf", _caption(numbers[id(block)], caption))
        case GraphDrawing(name, _, caption):
            return _figure(1, f"{folder}/{name}.pdf", _caption(numbers[id(block)], caption))


def _caption(label: Label, caption: str) -> str:
    return f"\\textbf{{{label.text}.}} {_inline(caption)}"


def _figure(scale: float, file: str, caption: str) -> str:
    """A picture and its caption on one page."""
    return (
        f"\\begin{{minipage}}{{\\linewidth}}\n\\figurefile{{{scale}}}{{{file}}}\\par\\smallskip\n"
        f"{{\\small {caption}\\par}}\n\\end{{minipage}}\\medskip"
    )


def _listing(lines: Sequence[str], caption: str) -> str:
    """Lines as they are, after a caption that stays with the first; a short listing is not divided."""
    shown = "\n".join(f"\\listingline{{{_listing_line(line)}}}" for line in lines)
    text = f"{{\\small {caption}\\par}}\\nopagebreak\n{{\\fontsize{{8}}{{10}}\\ttfamily\n{shown}\n}}"
    if len(lines) <= TEX_LINES_TOGETHER:
        text = f"\\begin{{minipage}}{{\\linewidth}}\n{text}\n\\end{{minipage}}"
    return f"{text}\\medskip"


def _listing_line(line: str) -> str:
    """Every space of a listing counts, and a line may end at it."""
    return _code(with_break_marks(line, _BREAK_MARK)).replace(" ", "\\ ")


def _boards(grids: Sequence[tuple[str, Grid]]) -> str:
    """Boards side by side, each below its label."""
    boxes = []
    for label, grid in grids:
        side = paper_cell(grid, TEX_TEXT_WIDTH, TEX_BOARD_HEIGHT)
        width = max(side * grid.cols, 38)
        boxes.append(
            f"\\begin{{minipage}}[b]{{{width:.2f}mm}}\\raggedright\\footnotesize\n{_inline(label)}\\par\\smallskip\n"
            f"{_picture(grid, side)}\n\\end{{minipage}}"
        )
    return "{\\raggedright\\lineskip=3mm\n" + "\\hspace{5mm}\n".join(boxes) + "\\par}"


def _picture(grid: Grid, side: float) -> str:
    """A grid whose unit of length is a cell; clues are on white paper."""
    rows, cols = grid.rows, grid.cols
    parts = [
        f"\\put({col},{rows - row - 1}){{\\color{{{kind}}}\\rule{{{length}\\unitlength}}{{\\unitlength}}}}"
        for kind, row, col, length in cell_runs(grid)
        if kind != "clue"
    ]
    if has_signs_on_paper(grid):
        parts += [
            "\\color{grid-line}\\linethickness{.4pt}",
            f"\\multiput(0,0)(0,1){{{rows + 1}}}{{\\line(1,0){{{cols}}}}}",
            f"\\multiput(0,0)(1,0){{{cols + 1}}}{{\\line(0,1){{{rows}}}}}",
            "\\color{black}\\fontsize{7.5}{8}\\selectfont\\sffamily",
        ]
        colours = {TRAP: "\\color{trap-ink}", GEM: "\\color{gem-ink}"}
        parts += [
            f"\\put({col}.5,{rows - row - 1}.5){{\\makebox(0,0){{{colours.get(code, '')}{sign}}}}}"
            for row, codes in enumerate(grid.cells.tolist())
            for col, code in enumerate(codes)
            if (sign := cell_sign(code))
        ]
    body = "\n".join(parts)
    return (
        f"\\setlength{{\\unitlength}}{{{side:.4f}mm}}%\n"
        f"\\begin{{picture}}({cols},{rows})\n{body}\n\\end{{picture}}"
    )


def _table(table: TextTable, caption: str) -> str:
    """A table in the largest text that fits.

    If even the smallest does not, the columns are divided over several tables that begin with the first one.
    """
    room = TEX_TEXT_WIDTH * 72.27 / 25.4
    columns = list(zip(table.headings, *table.rows, strict=True))
    size, natural, least = TABLE_SIZES[-1], [0.0], [0.0]
    for size in TABLE_SIZES:
        natural = [size * max(map(_cell_ems, column)) + COLUMN_GAP for column in columns]
        least = [
            size * max((_ems(*word) for cell in column for word in _words(cell)), default=0.0) + COLUMN_GAP
            for column in columns
        ]
        if sum(least) <= room:
            break
    groups = [[0]]
    for place in range(1, len(columns)):
        if len(groups[-1]) > 1 and sum(least[each] for each in groups[-1]) + least[place] > room:
            groups.append([0])
        groups[-1].append(place)
    sides = is_numeric(table)
    written = []
    for group in groups:
        widths = _widths([natural[each] for each in group], [least[each] for each in group], room)
        part = TextTable(
            tuple(table.headings[each] for each in group),
            tuple(tuple(row[each] for each in group) for row in table.rows),
        )
        kinds = "".join(
            ("r" if sides[each] else "l")
            if widths is None
            else f">{{\\ragged{'left' if sides[each] else 'right'}\\arraybackslash}}p{{{width:.1f}pt}}"
            for each, width in zip(group, widths or natural, strict=False)
        )
        written.append(_longtable(part, kinds, caption if group is groups[0] else ""))
    gap = f"\\setlength{{\\tabcolsep}}{{{COLUMN_GAP / 2:g}pt}}"
    return f"{{\\fontsize{{{size:g}}}{{{size * 1.2:g}}}\\selectfont{gap}\n" + "\n".join(written) + "\n}"


def _widths(natural: Sequence[float], least: Sequence[float], room: float) -> list[float] | None:
    """The width of the text in each column, or None if no column has to be narrower than its text."""
    if sum(natural) <= room:
        return None
    slack = max(room - sum(least), 0) / (sum(natural) - sum(least) or 1)
    return [low + (high - low) * slack - COLUMN_GAP for low, high in zip(least, natural, strict=True)]


def _longtable(table: TextTable, columns: str, caption: str) -> str:
    """A table whose headings are repeated on every page; a short one is not divided."""
    head = " & ".join(f"\\textbf{{{_inline(heading)}}}" for heading in table.headings) + r" \\ \midrule"
    above = (
        f"\\multicolumn{{{len(table.headings)}}}{{@{{}}l}}{{\\tablecaption{{{caption}}}}}\\\\[4pt]\n"
        if caption
        else ""
    )
    count = len(table.rows)
    rows = []
    for place, row in enumerate(table.rows, 1):
        together = count <= TEX_ROWS_TOGETHER or place < 3 or place > count - 3
        rows.append(" & ".join(map(_inline, row)) + (r" \\*" if together and place < count else r" \\"))
    return "\n".join(
        [
            f"\\begin{{longtable}}{{@{{}}{columns}@{{}}}}",
            f"{above}{head}\n\\endfirsthead",
            f"{head}\n\\endhead",
            *rows,
            r"\bottomrule",
            r"\end{longtable}",
        ]
    )


def _words(cell: str) -> list[tuple[str, str]]:
    """The kind of each word that cannot be broken in a cell, and the word."""
    return [
        (kind, word)
        for kind, part, _ in inline_parts(cell)
        for word in re.split(rf"[\s{_BREAK_MARK}]+", with_break_marks(part, _BREAK_MARK))
    ]


def _cell_ems(cell: str) -> float:
    return sum(_ems(kind, part) for kind, part, _ in inline_parts(cell))


def _ems(kind: str, text: str) -> float:
    """About how wide a text is in bold letters, in sizes of its font."""
    return 0.53 * len(text) if kind == "code" else sum(map(_letter_ems, text))


def _letter_ems(sign: str) -> float:
    """As wide as in a small size of Latin Modern, whose letters are wider there."""
    if sign in " .,:;'|!()[]/ijlft":
        return 0.4
    if sign.isdigit():
        return 0.58
    return 0.95 if sign in "mwMW%@+=" or sign.isupper() else 0.67


def _inline(text: str) -> str:
    pieces = []
    for kind, piece, url in inline_parts(text):
        marked = with_break_marks(piece, _BREAK_MARK)
        shown = _code(marked) if kind == "code" else in_latex(marked)
        if kind == "link":
            target = re.sub("[#%&_]", r"\\\g<0>", quote(url, safe="!&'()*+,/:;=?@[]#%"))
            shown = f"\\href{{{target}}}{{{shown}}}"
        elif kind in _LATEX_STYLES:
            shown = f"\\{_LATEX_STYLES[kind]}{{{shown}}}"
        pieces.append(shown)
    return "".join(pieces)


def _code(text: str) -> str:
    """Two hyphens in a row would become a dash, in typewriter letters too."""
    return in_latex(text).replace("--", "-{}-")
