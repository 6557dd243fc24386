"""Tables of text, and how they are written as CSV without formulas, Markdown and LaTeX."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.printable import printable

# Rows as CSV in which a spreadsheet finds no formulas.


_SPREADSHEET_FORMULA = re.compile(r"[=+\-@＝＋－＠\t\r]")
_SPREADSHEET_NUMBER = re.compile(r"[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?")
_LONE_SIGN = frozenset("+-")


def csv_rows(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV; an apostrophe precedes a text that could be a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value as it is written: numbers unchanged, text without control characters."""
    if not isinstance(value, str):
        return value
    is_formula = (
        _SPREADSHEET_FORMULA.match(value)
        and value not in _LONE_SIGN
        and not _SPREADSHEET_NUMBER.fullmatch(value)
    )
    return f"'{printable(value)}" if is_formula else printable(value)


# Tables of text, and how they are written as CSV, Markdown and LaTeX.


_LATEX = {
    "\\": r"\textbackslash{}",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    "µ": r"$\mu$",
    "×": r"$\times$",
    "±": r"$\pm$",
    **{sign: f"\\{sign}" for sign in "&%$#_{}"},
}
"""Characters that LaTeX would take for something else, or that its older fonts lack."""

_MARKDOWN = re.compile(r"([\\`*_\[\]<>|~$]|&(?=#?\w+;))")

_LINE_ENDS = re.compile(r"[\r\n]+")

_NUMBER_CELL = re.compile(r"<?[\d.,]+( (µs|ms|s))?")
"""A cell that is a number, with or without a unit of time."""


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table as text: every row has an entry per heading."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def write_csv(table: TextTable) -> str:
    """Headings and rows, separated by commas."""
    return csv_rows([table.headings, *table.rows])


def write_markdown(table: TextTable) -> str:
    """A table as GitHub and most other programs read it, its columns padded to be read as text, too."""
    lines = [[in_markdown(cell) for cell in row] for row in (table.headings, *table.rows)]
    widths = [max(3, *map(len, column)) for column in zip(*lines, strict=True)]
    rights = is_numeric(table)
    rules = ["-" * (width - right) + ":" * right for width, right in zip(widths, rights, strict=True)]
    padded = [
        [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(line, widths, rights, strict=True)
        ]
        for line in lines
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in [padded[0], rules, *padded[1:]])


def write_latex(table: TextTable) -> str:
    """A `tabular` that needs no package; numbers are on the right of their columns."""
    columns = "".join("r" if right else "l" for right in is_numeric(table))
    lines = [" & ".join(map(in_latex, row)) + r" \\" for row in (table.headings, *table.rows)]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    return f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{body}\n\\hline\n\\end{{tabular}}\n"


def is_numeric(table: TextTable) -> tuple[bool, ...]:
    """For each column, whether any of its cells is a number."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.headings)
    return tuple(any(_NUMBER_CELL.fullmatch(cell) for cell in column) for column in columns)


def in_markdown(text: str) -> str:
    """A text in which Markdown takes every character for itself; at the start of a line some need more."""
    return _MARKDOWN.sub(r"\\\1", printable(_LINE_ENDS.sub(" ", text)))


def in_latex(text: str) -> str:
    """A text in which LaTeX takes every character for itself."""
    return "".join(_LATEX.get(sign, sign) for sign in printable(_LINE_ENDS.sub(" ", text)))
