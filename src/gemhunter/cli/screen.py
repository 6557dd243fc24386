"""Text for people on standard output: colours, tables, and columns that fit."""

import os
import re
import sys
from collections.abc import Iterable, Sequence

import click

from gemhunter.cli.terminals import wants_no_colours
from gemhunter.printable import printable
from gemhunter.render.palette import CUBE_COLOURS, NAMED_COLOURS, NO_COLOURS, TRUE_COLOURS, Look
from gemhunter.render.text_maps import StyledLine, plain_text

_PIECE = re.compile(
    r"\d[\d,.]* (?:[µu]?s|ms|%)(?!\w)\s*|"
    r"(?:[^\s/:,;=_-]|,(?=\d))*(?:[/:;=_-]+|,+(?!\d)|\s+|$)",
)
"""What a line can end with: a number with its unit, or a word with the blanks or signs after it."""


def has_colours() -> bool:
    """Whether standard output is a terminal with colours, and the environment allows them."""
    return sys.stdout.isatty() and not wants_no_colours()


def colour_depth() -> int:
    """How many colours standard output can show."""
    if not has_colours():
        return NO_COLOURS
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in os.environ:
        return TRUE_COLOURS
    return CUBE_COLOURS if "256color" in os.environ.get("TERM", "") else NAMED_COLOURS


def styled(lines: Iterable[StyledLine]) -> str:
    """Lines as text for standard output, with looks if it has colours."""
    if not has_colours():
        return plain_text(lines)
    return "\n".join("".join(in_look(*piece) for piece in line) for line in lines)


def in_look(text: str, look: Look) -> str:
    """Text between the terminal codes of a look; a look without any leaves it as it is."""
    wanted = {name: value for name, value in look._asdict().items() if value}
    return click.style(text, **wanted) if wanted else text


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print a table: drawn on a terminal, plain aligned columns elsewhere."""
    if sys.stdout.isatty():
        first, *others = _printable_rows([headings, *rows])
        _draw_table(first, others)
    else:
        click.echo("\n".join(aligned([headings, *rows])))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text with their columns padded to the same width."""
    shown = _printable_rows(rows)
    widths = [max(map(len, column)) for column in zip(*shown, strict=True)]
    padded = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in shown)
    return [line.rstrip() for line in padded]


def _printable_rows(rows: Sequence[Sequence[str]]) -> list[list[str]]:
    return [[printable(cell) for cell in row] for row in rows]


def _draw_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Two blanks between columns: with the usual three, the widest tables would not fit into 80 columns.
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    edges = 2 * len(headings)
    screen = Console().width
    first, *others = wrapped_rows([headings, *rows], screen - edges)
    for heading in first:
        table.add_column(Text(heading), no_wrap=True)
    for row in others:
        table.add_row(*map(Text, row))
    # Rich would cut names to make a table fit; one that is too wide all the same is left to the terminal.
    needed = sum(map(widest_line, zip(first, *others, strict=True))) + edges
    Console(width=max(screen, needed)).print(table, crop=False)


def pieces(text: str) -> list[str]:
    """Split a text wherever a line may end: after blanks and after signs such as `/`, `:` and `-`."""
    return [piece for piece in _PIECE.findall(text) if piece]


def wrap(text: str, width: int) -> list[str]:
    """Wrap a text to lines of at most `width` characters; a longer piece has a line of its own."""
    lines = [""]
    for piece in pieces(text):
        if lines[-1] and len(f"{lines[-1]}{piece}".rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def fitting_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """How wide each column is, if all of them together may be as wide as `room`.

    The widest columns are made narrower, all to the same width. None gets narrower than its longest piece, so
    the sum can exceed `room`.
    """
    columns = list(zip(*rows, strict=True))
    natural = [max(map(len, column)) for column in columns]
    least = [
        max(len(piece.rstrip()) for cell in column for piece in pieces(cell) or [""]) for column in columns
    ]

    def widths(cap: int) -> list[int]:
        return [max(few, min(many, cap)) for few, many in zip(least, natural, strict=True)]

    cap = max(natural, default=0)
    while cap > 0 and sum(widths(cap)) > room:
        cap -= 1
    return widths(cap)


def wrapped_rows(rows: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Rows whose cells are wrapped such that all columns together are as wide as `room`, if they can be."""
    widths = fitting_widths(rows, room)
    return [["\n".join(wrap(cell, width)) for cell, width in zip(row, widths, strict=True)] for row in rows]


def widest_line(cells: Sequence[str]) -> int:
    """How long the longest line is among these cells."""
    return max(len(line) for cell in cells for line in cell.split("\n"))
