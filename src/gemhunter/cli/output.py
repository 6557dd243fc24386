"""The output of a command, printed or written to the files that `-o` names: tables, boards and colours.

`output_option` and `format_option` declare the options, `Outputs.give` prints or writes an answer, and
`table_in` makes a table in any form. Below are boards as text, and the terminal's width and colours.
"""

import os
import re
import shutil
import sys
import textwrap
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Any

import click

from gemhunter.board.grid import CELL_MARKS, GEM, TRAP, Cell, Grid
from gemhunter.cli.declare import GIVEN, Declaration, option
from gemhunter.cli.exit_codes import note, wants_no_colours
from gemhunter.draw.palette import (
    CUBE_COLOURS,
    NAMED_COLOURS,
    NO_COLOURS,
    SHOWN_GEM,
    SHOWN_TRAP,
    TRUE_COLOURS,
    Look,
)
from gemhunter.draw.text_maps import StyledLine, grid_pieces, map_lines, plain_text
from gemhunter.errors import InputError
from gemhunter.files.access import require_writable, require_writable_folder, source_name, write_atomically
from gemhunter.files.text_tables import TextTable, aligned, csv_rows, write_csv, write_latex, write_markdown
from gemhunter.printable import json_text, printable

FOLDER = "/"
"""Stands for a folder among the endings of `-o`; a name without an ending is then a folder."""


def output_option(answers: str = "", what: str = "the answer", **others: str) -> Declaration:
    """The option `-o FILE`, whose value is an `Outputs`; the ending of a file decides what is written.

    `answers` are the endings, separated by blanks, of files that receive what would be printed; `others` says
    what is written to files with other endings.
    """
    endings = dict.fromkeys(answers.split(), what) | others
    wanted = "; ".join(
        f"{' '.join(f'.{each}' for each in group)} for {text}"
        for text, group in groupby(endings, key=endings.__getitem__)
    ).replace(f".{FOLDER}", "a folder/")
    return option(
        "-o FILE",
        f"Write FILE; its ending says what: {wanted}. Can be repeated.",
        type=OutputFile(endings),
        multiple=True,
        callback=lambda _, __, paths: Outputs(paths, frozenset(answers.split())),
    )


def format_option(*forms: str, what: str = "How to print.") -> Declaration:
    """The option `--format`, whose parameter is called `form`; the first form is the default."""
    return option("--format", what, choices=forms, default=forms[0])


@dataclass(frozen=True, slots=True)
class Outputs:
    """The files that `-o` names. Those with an ending in `answers` receive what would be printed."""

    paths: tuple[Path, ...]
    answers: frozenset[str]

    def ending(self, *endings: str) -> list[Path]:
        """The files with one of these endings."""
        return [path for path in self.paths if ending_of(path) in endings]

    @property
    def is_printed(self) -> bool:
        """Whether the answer goes to standard output, because no file takes it."""
        return not self.ending(*self.answers, "")

    def give(
        self, form: str, printed: Callable[[str], str], what: str, written: Callable[[str], str] | None = None
    ) -> None:
        """Print the answer in `form`, or write it to files, each in the form of its ending.

        `printed` makes the text of a form; `written` makes it for files if they differ.
        """
        for path in self.ending(*self.answers, ""):
            write_output(path, (written or printed)(form_of(path, form)), what)
        if self.is_printed:
            click.echo(printed(form), nl=False)

    def give_lines(
        self,
        form: str,
        as_json: Callable[[], str],
        lines: Callable[[int | None], Iterable[StyledLine]],
        what: str,
    ) -> None:
        """Print or write an answer as JSON, or in lines that fit the terminal, or of any width for a file."""
        self.give(
            form,
            lambda form: as_json() if form == "json" else f"{styled(lines(terminal_columns()))}\n",
            what,
            lambda form: as_json() if form == "json" else f"{plain_text(lines(None))}\n",
        )

    def print_and_write(self, form: str, render: Callable[[str], str], what: str) -> None:
        """Print the answer of long work in `form`, and write it to files of tables as well."""
        click.echo(render(form), nl=False)
        for path in self.ending("csv", "md", "tex", "json", ""):
            write_output(path, render(form_of(path, form)), what)


def write_output(path: Path, text: str | bytes, what: str) -> None:
    """Write a result to a file that `-o` names, without colours, and note `FILE: what`."""
    write_atomically(path, click.unstyle(text) if isinstance(text, str) else text)
    note(f"{path}: {what}")


def ending_of(path: Path) -> str:
    """The ending of a file's name, in lower case and without its dot."""
    return path.suffix.lower().removeprefix(".")


def form_of(path: Path, form: str) -> str:
    """The form that the ending of a file asks for; without one it is the form that would be printed."""
    ending = ending_of(path)
    return "text" if ending in ("txt", "cnf", "dimacs") else ending or form


class OutputFile(click.Path):
    """A file to write; one that cannot be written, or has another ending, is reported before any work."""

    def __init__(self, endings: Collection[str]) -> None:
        super().__init__(path_type=Path)
        self._endings = endings

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        ending = ending_of(path)
        if FOLDER in self._endings and not ending:
            require_writable_folder(path)
            return path
        if ending and ending not in self._endings:
            known = ", ".join(f".{each}" for each in self._endings if each != FOLDER)
            message = f"{path}: cannot write .{ending} here; the name of the file may end in {known}"
            has_charts = ctx is not None and any("--charts" in each.opts for each in ctx.command.params)
            if has_charts and ending in ("svg", "png", "pdf"):
                message += "; --charts FOLDER draws charts"
            raise InputError(message)
        require_writable(path)
        if ctx is not None:
            _require_apart(path, ctx)
        return path


def _require_apart(path: Path, ctx: click.Context) -> None:
    """Raise an error if a file to write is also read, or is written twice."""
    if path.exists() and not path.is_file():  # a device or a pipe can be written twice
        return
    others: list[Path] = ctx.meta.setdefault("gemhunter.cli.outputs", [])
    if any(_is_same(path, other) for other in others):
        raise InputError(f"{path} would be written twice; name two files")
    others.append(path)
    must_differ = path.is_file() and ctx.command.name != "convert"  # which may replace what it reads
    if must_differ and any(_is_same(path, each) for each in _files_read(ctx)):
        raise InputError(f"{path} is read by this command; name another file to write")


def _files_read(ctx: click.Context) -> Iterator[Path]:
    """The files that a command reads: its arguments, and options whose type is a file."""
    for param in ctx.command.params:
        is_file = isinstance(param.type, click.Path) and not isinstance(param.type, OutputFile)
        if isinstance(param, click.Argument) or is_file:
            match ctx.meta[GIVEN].get(param.name):
                case str(word):
                    yield Path(word)
                case list() | tuple() as words:
                    yield from map(Path, words)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # at least one of them does not exist
        return one.absolute() == other.absolute()


# JSON, and tables: for a terminal, as JSON and CSV for programs, as Markdown and LaTeX for documents.


TABLE_FORMS = ("text", "json", "csv", "md")


def json_document(value: object) -> str:
    """A value as JSON, indented."""
    return f"{json_text(value, indent=2)}\n"


def table_in(
    form: str, rows: Sequence[Sequence[str]], records: Sequence[Mapping[str, Any]] | None = None
) -> str:
    """A table whose first row has the headings; `records`, if there are any, are its JSON and CSV."""
    if records is not None and form == "json":
        return json_document(records)
    if records is not None and form == "csv":
        return csv_text(records)
    if form == "text":
        return _screen_table(rows)
    headings, *others = map(tuple, rows)
    write = {"csv": write_csv, "md": write_markdown, "tex": write_latex}[form]
    return write(TextTable(headings, tuple(others)))


def csv_text(records: Sequence[Mapping[str, Any]]) -> str:
    """A row per record, all with the same keys; the entries of a list or mapping share a cell."""
    keys = list(records[0]) if records else []
    return csv_rows([keys, *([_cell(record[key]) for key in keys] for record in records)]) if keys else ""


def _cell(value: Any) -> Any:
    if isinstance(value, Mapping):
        return " ".join(f"{key}={each}" for key, each in value.items())
    return " ".join(map(str, value)) if isinstance(value, list | tuple) else value


def _screen_table(rows: Sequence[Sequence[str]]) -> str:
    """A table with a line below its headings on a terminal, and aligned columns elsewhere."""
    if not sys.stdout.isatty():
        return "".join(f"{line}\n" for line in aligned(rows))
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # With the usual three blanks between columns, the widest tables would not fit into 80 columns.
    table = Table(box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    edges, screen = 2 * len(rows[0]), Console().width
    first, *others = wrapped_rows([[printable(cell) for cell in row] for row in rows], screen - edges)
    for heading in first:
        table.add_column(Text(heading), no_wrap=True)
    for row in others:
        table.add_row(*map(Text, row))
    # Rich would cut names to make a table fit; a table that is still too wide is left to the terminal.
    columns = zip(first, *others, strict=True)
    needed = sum(max(len(line) for cell in column for line in cell.split("\n")) for column in columns)
    console = Console(width=max(screen, needed + edges))
    with console.capture() as drawn:
        console.print(table, crop=False)
    return drawn.get()


def pieces(text: str) -> list[str]:
    """Split a text wherever a line may end: after blanks and after signs such as `/`, `:` and `-`."""
    number_with_unit = r"\d[\d,.]* (?:[µu]?s|ms|%)(?!\w)\s*"
    word_with_signs_after_it = r"(?:[^\s/:,;=_-]|,(?=\d))*(?:[/:;=_-]+|,+(?!\d)|\s+|$)"
    return [piece for piece in re.findall(f"{number_with_unit}|{word_with_signs_after_it}", text) if piece]


def wrap(text: str, width: int | None) -> list[str]:
    """Wrap a text to lines of at most `width` characters; a longer piece has a line to itself."""
    lines = [""]
    for piece in pieces(text):
        if width is not None and lines[-1] and len(f"{lines[-1]}{piece}".rstrip()) > width:
            lines.append("")
        lines[-1] += piece
    return [line.rstrip() for line in lines]


def wrapped_rows(rows: Sequence[Sequence[str]], room: int) -> list[list[str]]:
    """Rows whose cells are wrapped so that all columns together fit into `room`, if they can."""
    widths = fitting_widths(rows, room)
    return [["\n".join(wrap(cell, width)) for cell, width in zip(row, widths, strict=True)] for row in rows]


def fitting_widths(rows: Sequence[Sequence[str]], room: int) -> list[int]:
    """The width of each column, so that all of them together fit into `room`, if they can.

    The widest columns are narrowed to one common width, but none below its longest piece.
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


# Text for people.


def prose(text: str, columns: int | None, indent: str = "", first: str | None = None) -> list[str]:
    """Sentences in indented lines of `columns` characters, None for any width; `first` begins the first line.

    Words stay whole, including names of engines such as `brute-force`.
    """
    begin = indent if first is None else first
    if columns is None:
        return [begin + text]
    wide = max(columns, len(indent) + 30)  # on a very narrow terminal, sentences keep 30 characters
    lines = textwrap.wrap(
        text,
        wide,
        initial_indent=begin,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return lines or [begin]


def first_names(cells: Sequence[Cell], count: int | None = None) -> str:
    """The names of the first 20 cells, and the number of all cells if there are more."""
    count = len(cells) if count is None else count
    more = f" … ({count:,} in all; --format json has them)" if count > 20 else ""
    return " ".join(map(str, cells[:20])) + more if cells else "none"


# Boards as text on standard output.


MAPPED_CELLS = 200
"""The most rows or columns of a board that is laid out cell by cell."""

SHOWN_CELLS = 100
"""The most rows or columns of a board that is shown above an answer."""


def board_text(grid: Grid) -> str:
    """Canonical text, which can be copied into a file; if a terminal would wrap it, a map with numbers."""
    columns = terminal_columns()
    # A cell of canonical text is a mark, a comma and a space.
    if columns is not None and 3 * grid.cols - 2 > columns and max(grid.cells.shape) <= MAPPED_CELLS:
        return styled(map_lines(grid_pieces(grid), columns))
    text = str(grid)
    if has_colours():
        for code, look in ((TRAP, SHOWN_TRAP), (GEM, SHOWN_GEM)):
            text = text.replace(CELL_MARKS[code], in_look(CELL_MARKS[code], look))
    return text


def board_heading(name: str, grid: Grid) -> str:
    """The name of a board and its size."""
    return f"{source_name(name)} ({grid.rows}×{grid.cols})"


def shown_board(name: str, grid: Grid, *, in_file: bool = False) -> str:
    """The board below its name, unless it is too large to read; in a file it is canonical text."""
    heading = board_heading(name, grid)
    if max(grid.cells.shape) > SHOWN_CELLS:
        return f"{heading}, not shown: more than {SHOWN_CELLS} rows or columns"
    return f"{heading}\n{grid if in_file else board_text(grid)}"


# The width and the colours of standard output.


def terminal_columns() -> int | None:
    """The width of the terminal; None if standard output is not one."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def has_colours() -> bool:
    """Whether standard output is a terminal with colours, and the environment allows them."""
    return sys.stdout.isatty() and not wants_no_colours()


def colour_depth() -> int:
    """The number of colours that standard output can show."""
    if not has_colours():
        return NO_COLOURS
    if os.environ.get("COLORTERM", "").lower() in ("truecolor", "24bit") or "WT_SESSION" in os.environ:
        return TRUE_COLOURS
    return CUBE_COLOURS if "256color" in os.environ.get("TERM", "") else NAMED_COLOURS


def styled(lines: Iterable[StyledLine]) -> str:
    """Lines as text for standard output, in colour if it has colours."""
    if not has_colours():
        return plain_text(lines)
    return "\n".join("".join(in_look(*piece) for piece in line) for line in lines)


def in_look(text: str, look: Look) -> str:
    """Text between the terminal codes of a look, if it has any."""
    wanted = {name: value for name, value in look._asdict().items() if value}
    return click.style(text, **wanted) if wanted else text
