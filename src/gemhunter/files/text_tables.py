"""Tables of text, and writing them as Markdown, LaTeX, and CSV without formulas."""

import csv
import io
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gemhunter.printable import printable


def csv_rows(rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV, with an apostrophe before each text that could be a formula."""
    text = io.StringIO()
    csv.writer(text, lineterminator="\n").writerows(map(_cell, row) for row in rows)
    return text.getvalue()


def _cell(value: object) -> object:
    """A value as CSV has it: a number unchanged, a text without control characters."""
    if not isinstance(value, str):
        return value
    harmless = r"[+-]|[+-]?(?:\d[\d,]*\.?\d*|\.\d+)(?:[eE][+-]?\d+)?%?"  # a sign, or a number
    is_formula = re.match(r"[=+\-@＝＋－＠\t\r]", value) and not re.fullmatch(harmless, value)
    return f"'{printable(value)}" if is_formula else printable(value)


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
"""Characters that LaTeX would misread, or that its older fonts lack."""

_LINE_ENDS = re.compile(r"[\r\n]+")


@dataclass(frozen=True, slots=True)
class TextTable:
    """A table of text; every row has an entry for each heading."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows as lines of printable text, with padded columns."""
    shown = [[printable(cell) for cell in row] for row in rows]
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    padded = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in shown)
    return [line.rstrip() for line in padded]


def write_csv(table: TextTable) -> str:
    """Headings and rows, separated by commas."""
    return csv_rows([table.headings, *table.rows])


def write_markdown(table: TextTable) -> str:
    """A table in the Markdown of GitHub, with padded columns so that it also reads well as text."""
    lines = [[in_markdown(cell) for cell in row] for row in (table.headings, *table.rows)]
    widths = [max(3, *map(len, column)) for column in zip(*lines, strict=True)]
    rights = is_numeric(table)
    rules = ["-" * (width - right) + ":" * right for width, right in zip(widths, rights, strict=True)]
    sides = [">" if right else "<" for right in rights]
    padded = [
        [f"{cell:{side}{width}}" for cell, side, width in zip(line, sides, widths, strict=True)]
        for line in lines
    ]
    return "".join(f"| {' | '.join(line)} |\n" for line in [padded[0], rules, *padded[1:]])


def write_latex(table: TextTable) -> str:
    """A `tabular` that needs no package; columns of numbers are aligned right."""
    columns = "".join("r" if right else "l" for right in is_numeric(table))
    lines = [" & ".join(map(in_latex, row)) + r" \\" for row in (table.headings, *table.rows)]
    body = "\n".join([lines[0], r"\hline", *lines[1:]])
    return f"\\begin{{tabular}}{{{columns}}}\n\\hline\n{body}\n\\hline\n\\end{{tabular}}\n"


def is_numeric(table: TextTable) -> tuple[bool, ...]:
    """Whether each column has a number, with or without a unit of time."""
    columns = zip(*table.rows, strict=True) if table.rows else ((),) * len(table.headings)
    return tuple(any(re.fullmatch(r"<?[\d.,]+( (µs|ms|s))?", cell) for cell in column) for column in columns)


def in_markdown(text: str) -> str:
    """A text with everything escaped that Markdown could misread within a line."""
    return re.sub(r"([\\`*_\[\]<>|~$]|&(?=#?\w+;))", r"\\\1", printable(_LINE_ENDS.sub(" ", text)))


def in_latex(text: str) -> str:
    """A text with everything escaped that LaTeX could misread."""
    return "".join(_LATEX.get(sign, sign) for sign in printable(_LINE_ENDS.sub(" ", text)))
