"""What people see: tables, and one line of progress."""

import sys
import time
from collections.abc import Sequence
from typing import TextIO

import click

from gemhunter.cli.columns import widest_line, wrapped_rows
from gemhunter.cli.notes import is_quiet
from gemhunter.cli.terminals import moves_cursor
from gemhunter.printable import printable

PATIENCE_SECONDS = 1.0
"""Work that is over sooner shows no progress."""

REDRAW_SECONDS = 0.1
BAR_WIDTH = 20


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: drawn on a terminal, plain aligned columns elsewhere."""
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


class Progress:
    """One line on standard error about long work; nothing unless that is a terminal that can take it back.

    `begin` names the task at hand, `tick` is called by the run with the seconds and steps it has used.
    """

    def __init__(self, tasks: int, stream: TextIO | None = None, *, unit: str = "steps") -> None:
        self._tasks, self._unit = tasks, unit
        self._stream = stream or sys.stderr
        self._shows = self._stream.isatty() and moves_cursor() and not is_quiet()
        self._started = self._drawn = time.monotonic()
        self._done = -1
        self._name = ""

    def begin(self, name: str) -> None:
        """The next task starts."""
        self._done += 1
        self._name = printable(name)
        self.tick(0.0, 0)

    def tick(self, seconds: float, steps: int) -> None:
        """The task goes on."""
        now = time.monotonic()
        if not self._shows or now - self._started < PATIENCE_SECONDS or now - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = now
        filled = BAR_WIDTH * self._done // self._tasks
        bar = f"[{'#' * filled}{'.' * (BAR_WIDTH - filled)}] {self._done}/{self._tasks} " * (self._tasks > 1)
        counted = f", {steps:,} {self._unit}" * (steps > 0)
        self._stream.write(f"\r\x1b[K{bar}{self._name} {seconds:.1f} s{counted}")
        self._stream.flush()

    def clear(self) -> None:
        """Take the line away, before other output."""
        if self._shows and self._drawn > self._started:
            self._stream.write("\r\x1b[K")
            self._stream.flush()
