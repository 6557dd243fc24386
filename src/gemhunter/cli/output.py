"""Text for people on standard output, and tables for people, programs and documents."""

import os
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import click

from gemhunter.cli.terminals import wants_no_colours
from gemhunter.draw.palette import CUBE_COLOURS, NAMED_COLOURS, NO_COLOURS, TRUE_COLOURS, Look
from gemhunter.draw.text_maps import StyledLine, plain_text
from gemhunter.files.tables import TextTable, csv_rows, write_csv, write_latex, write_markdown
from gemhunter.printable import json_text, printable

# Text for people on standard output: colours, tables, and columns that fit.


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


# Tables for a terminal, as JSON and CSV for programs, and as Markdown and LaTeX for documents.


Command = TypeVar("Command", bound=Callable[..., Any])

TABLE_FORMS = ("text", "json", "csv", "md")

DOCUMENT_WRITERS: Mapping[str, Callable[[TextTable], str]] = MappingProxyType(
    {"csv": write_csv, "md": write_markdown, "tex": write_latex}
)
DOCUMENT_FORMS = ("text", *DOCUMENT_WRITERS, "json")
"""How tables of times can be written."""


@dataclass(frozen=True, slots=True)
class RecordTable:
    """Rows for people under their headings, and records with these facts for programs."""

    headings: Sequence[str]
    rows: Sequence[Sequence[str]]
    records: Sequence[Mapping[str, Any]]


def table_format_option(command: Command) -> Command:
    """How to print a table."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(TABLE_FORMS),
        default="text",
        show_default=True,
        help="How to print.",
    )(command)


def print_table_as(form: str, table: RecordTable) -> None:
    """Print a table for people, for programs, or for a page."""
    if form == "text":
        print_rows(form, table.headings, table.rows)
    else:
        click.echo(table_text(form, table), nl=False)


def table_text(form: str, table: RecordTable) -> str:
    """A table as it is written to a file."""
    match form:
        case "json":
            return json_text(table.records, indent=2) + "\n"
        case "csv":
            return csv_text(table.records)
        case "md":
            return markdown_text(table.headings, table.rows)
        case _:
            return "\n".join(aligned([table.headings, *table.rows])) + "\n"


def print_rows(form: str, headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Print rows for a terminal, or as `md` for a page."""
    if form == "md":
        click.echo(markdown_text(headings, rows), nl=False)
    else:
        print_table(headings, rows)


def text_table_in(form: str, table: TextTable) -> str:
    """A table for people, or in one of the forms that documents are made of."""
    if form in DOCUMENT_WRITERS:
        return DOCUMENT_WRITERS[form](table)
    return "".join(f"{line}\n" for line in aligned([table.headings, *table.rows]))


def markdown_text(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    """Rows as a table of a page in Markdown."""
    return write_markdown(TextTable(tuple(headings), tuple(map(tuple, rows))))


def csv_text(records: Sequence[Mapping[str, Any]]) -> str:
    """A row per record, all of which have the same keys; the entries of a list or mapping share a cell."""
    keys = list(records[0]) if records else []
    return csv_rows([keys, *([_cell(record[key]) for key in keys] for record in records)]) if keys else ""


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={each}" for key, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value
