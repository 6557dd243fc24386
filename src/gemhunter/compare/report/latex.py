"""A document as LaTeX, with its charts and graphs in files; LaTeX itself draws the boards."""

import re
import unicodedata
from collections.abc import Iterator, Sequence
from urllib.parse import quote

from gemhunter.board.grid import GEM, TRAP, Grid
from gemhunter.compare.report.document import (
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

TEX_TEXT_WIDTH = 165.0
"""The width of the text, in millimetres."""

COLUMN_GAP = 10.0
"""The space between columns, in points."""

_LATEX_STYLES = {"code": "texttt", "bold": "textbf", "italic": "emph"}

_BREAK_MARK = "\u200b"
"""Marks a place within a word where a line may end."""

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
% A file at a scale, or at a smaller one that fits on the page.
\newsavebox{\figurebox}
\newcommand{\figurefile}[2]{\sbox{\figurebox}{\includegraphics[scale=#1]{#2}}%
  \ifdim\wd\figurebox>\linewidth\includegraphics[width=\linewidth,height=.8\textheight,keepaspectratio]{#2}%
  \else\ifdim\ht\figurebox>.8\textheight\includegraphics[height=.8\textheight]{#2}%
  \else\usebox{\figurebox}\fi\fi}
% A line of a listing; a continuation line is indented.
\newcommand{\listingline}[1]{{\parskip=0pt\raggedright\hangindent=2em\hangafter=1\hspace*{0pt}#1\par}}
% A caption above a table, which does not widen it.
\newcommand{\tablecaption}[1]{\makebox[0pt][l]{\parbox[b]{\linewidth}{\small #1\strut}}}
% Letters that T1 lacks, put together from parts.
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
"""Replacements for characters that a minimal TeX installation lacks."""

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
"""The accents of Vietnamese letters, which the fonts of a minimal TeX installation lack."""


def write_latex_page(document: Document, folder: str) -> str:
    """A complete article; charts and graphs are PDF files in `folder`, a path relative to it."""
    authors = r" \and ".join(map(_inline, document.authors))
    course = rf"\date{{{_inline(document.course)}}}"
    parts = [r"\maketitle", _inline(document.subtitle), r"{\parskip=0pt\tableofcontents}"]
    for section, placed in placed_blocks(document.sections):
        parts.append(f"\\section{{{_inline(section.title)}}}")
        for block, label, stays in placed:
            parts.append(_block(block, label, folder) + (r"\par\nopagebreak" if stays else ""))
    title = f"\\title{{{_inline(document.title)}}}\n\\author{{{authors}}}\n{course}\n"
    body = "\n\n".join([title + r"\begin{document}", *parts, "\\end{document}"]) + "\n"
    colours = (
        f"\\definecolor{{{name}}}{{HTML}}{{{colour[1:].upper()}}}\n" for name, colour in PAPER_COLOURS.items()
    )
    return f"{_PREAMBLE}{''.join(colours)}{''.join(_declarations(body))}{body}"


def _declarations(text: str) -> Iterator[str]:
    """A declaration for each character of a text that a minimal TeX installation lacks."""
    for sign in sorted(set(text)):
        # The encoding T1 has the Latin letters up to U+017F, with a few exceptions, and some other signs.
        is_known = ord(sign) <= 0x17F and sign not in "ĦħĸĿŀŉŦŧſ"
        if sign in _DECLARED or not (is_known or sign in "‘’“”–—•€™"):
            meaning = _DECLARED.get(sign) or _spelled(sign)
            yield rf"\DeclareUnicodeCharacter{{{ord(sign):04X}}}{{{meaning}}}" + "\n"


def _spelled(sign: str) -> str:
    """A letter put together from a plain one and its accents, or the number of a character."""
    parts = unicodedata.normalize("NFD", sign)
    letter, marks = parts[0], parts[1:]
    if not letter.isascii() or not set(marks) <= _ACCENTS.keys():
        return f"[U+{ord(sign):04X}]"
    # Accents go on the letter first, because a dot below makes a box.
    for mark in sorted(marks, key="\u0323".__eq__):
        letter = _ACCENTS[mark] % letter
    return letter


def _block(block: Block, label: str, folder: str) -> str:
    match block:
        case Paragraph(text, is_note):
            return f"\\fbox{{\\parbox{{.97\\linewidth}}{{{_inline(text)}}}}}" if is_note else _inline(text)
        case Items(texts, numbered):
            # Without the braces, a bracket at the start of a text would begin an argument of the command.
            items = "\n".join(f"\\item{{}} {_inline(text)}" for text in texts)
            kind = "enumerate" if numbered else "itemize"
            return f"\\begin{{{kind}}}\\raggedright\\itemsep=0pt\n{items}\n\\end{{{kind}}}"
        case Subheading(text, level):
            return f"\\{'sub' * level}section{{{_inline(text)}}}"
        case Boards(grids):
            return _boards(grids)
        case Table(table, caption):
            return _table(table, _caption(label, caption))
        case Listing(lines, caption):
            return _listing(lines, _caption(label, caption))
        case Chart(name, _, caption):
            return _figure(PAPER_SCALE, f"{folder}/{name}.pdf", _caption(label, caption))
        case GraphDrawing(name, _, caption):
            return _figure(1, f"{folder}/{name}.pdf", _caption(label, caption))


def _caption(label: str, caption: str) -> str:
    return f"\\textbf{{{label}.}} {_inline(caption)}"


def _figure(scale: float, file: str, caption: str) -> str:
    """A picture and its caption on one page."""
    return (
        f"\\begin{{minipage}}{{\\linewidth}}\n\\figurefile{{{scale}}}{{{file}}}\\par\\smallskip\n"
        f"{{\\small {caption}\\par}}\n\\end{{minipage}}\\medskip"
    )


def _listing(lines: Sequence[str], caption: str) -> str:
    """Lines as they are, below a caption that stays with the first; ten lines or fewer stay together."""
    # Every space is kept, and a line may end at it.
    texts = (_code(with_break_marks(line, _BREAK_MARK)).replace(" ", "\\ ") for line in lines)
    shown = "\n".join(f"\\listingline{{{text}}}" for text in texts)
    text = f"{{\\small {caption}\\par}}\\nopagebreak\n{{\\fontsize{{8}}{{10}}\\ttfamily\n{shown}\n}}"
    if len(lines) <= 10:
        text = f"\\begin{{minipage}}{{\\linewidth}}\n{text}\n\\end{{minipage}}"
    return f"{text}\\medskip"


def _boards(grids: Sequence[tuple[str, Grid]]) -> str:
    """Boards side by side, each below its label."""
    boxes = []
    for label, grid in grids:
        side = paper_cell(grid, TEX_TEXT_WIDTH, 210.0)  # the height that a page has for a board
        width = max(side * grid.cols, 38)
        boxes.append(
            f"\\begin{{minipage}}[b]{{{width:.2f}mm}}\\raggedright\\footnotesize\n{_inline(label)}\\par\\smallskip\n"
            f"{_picture(grid, side)}\n\\end{{minipage}}"
        )
    return "{\\raggedright\\lineskip=3mm\n" + "\\hspace{5mm}\n".join(boxes) + "\\par}"


def _picture(grid: Grid, side: float) -> str:
    """A grid, drawn with a cell as the unit of length; clues have no background."""
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

    If even the smallest does not, the columns are split into several tables that begin with the first column.
    """
    room = TEX_TEXT_WIDTH * 72.27 / 25.4
    columns = list(zip(table.headings, *table.rows, strict=True))
    # The widths in ems: those of whole cells, and those of words, which cannot be broken.
    cell_ems = [
        max(sum(_ems(*part[:2]) for part in inline_parts(cell)) for cell in column) for column in columns
    ]
    word_ems = [
        max((_ems(*word) for cell in column for word in _words(cell)), default=0.0) for column in columns
    ]
    size = 9.0
    while size > 7.0 and sum(size * ems + COLUMN_GAP for ems in word_ems) > room:
        size -= 0.5
    natural = [size * ems + COLUMN_GAP for ems in cell_ems]
    least = [size * ems + COLUMN_GAP for ems in word_ems]
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
    """The width of the text in each column, or None if all columns can be as wide as their text."""
    if sum(natural) <= room:
        return None
    slack = max(room - sum(least), 0) / (sum(natural) - sum(least) or 1)
    return [low + (high - low) * slack - COLUMN_GAP for low, high in zip(least, natural, strict=True)]


def _longtable(table: TextTable, columns: str, caption: str) -> str:
    """A table whose headings are repeated on every page; up to twelve rows stay on one page."""
    head = " & ".join(f"\\textbf{{{_inline(heading)}}}" for heading in table.headings) + r" \\ \midrule"
    above = ""
    if caption:
        span = f"\\multicolumn{{{len(table.headings)}}}{{@{{}}l}}"
        above = f"{span}{{\\tablecaption{{{caption}}}}}\\\\[4pt]\n"
    count = len(table.rows)
    rows = []
    for place, row in enumerate(table.rows, 1):
        together = count <= 12 or place < 3 or place > count - 3
        rows.append(" & ".join(map(_inline, row)) + (r" \\*" if together and place < count else r" \\"))
    body = "\n".join([*rows, r"\bottomrule"])
    heads = f"{above}{head}\n\\endfirsthead\n{head}\n\\endhead"
    return f"\\begin{{longtable}}{{@{{}}{columns}@{{}}}}\n{heads}\n{body}\n\\end{{longtable}}"


def _words(cell: str) -> list[tuple[str, str]]:
    """The words of a cell that cannot be broken, each with its kind."""
    return [
        (kind, word)
        for kind, part, _ in inline_parts(cell)
        for word in re.split(rf"[\s{_BREAK_MARK}]+", with_break_marks(part, _BREAK_MARK))
    ]


def _ems(kind: str, text: str) -> float:
    """The approximate width of a text in bold letters, in ems."""
    return 0.53 * len(text) if kind == "code" else sum(map(_letter_ems, text))


def _letter_ems(sign: str) -> float:
    """The width of a letter in a small size of Latin Modern, whose letters are wider than in larger ones."""
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
    """A text as code, in which two hyphens in a row do not become a dash."""
    return in_latex(text).replace("--", "-{}-")
