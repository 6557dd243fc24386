"""Tables for a terminal, as JSON and CSV for programs, and as Markdown and LaTeX for documents."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any, TypeVar

import click

from gemhunter.cli.screen import aligned, print_table
from gemhunter.formats.csv_rows import csv_rows
from gemhunter.printable import json_text
from gemhunter.report.tables.text_table import TextTable, write_csv, write_latex, write_markdown

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
