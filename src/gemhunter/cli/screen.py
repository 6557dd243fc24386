"""What people see: tables, coloured maps, and one line of progress."""

import os
import sys
import time
from collections.abc import Sequence
from typing import TextIO

import click

from gemhunter.core.grid import MARKS, TRAP, Grid

PATIENCE_SECONDS = 1.0
"""Work that is over sooner shows no progress."""

REDRAW_SECONDS = 0.1
BAR_WIDTH = 20


def has_colours() -> bool:
    """Whether standard output is a terminal, and nobody asked for no colours."""
    return sys.stdout.isatty() and not os.environ.get("NO_COLOR")


def coloured(grid: Grid) -> str:
    """A grid as canonical text, with traps and gems in colour where the terminal has any."""
    traps = click.style(MARKS[TRAP], fg="red", bold=True)
    return str(grid).replace("T", traps).replace("G", click.style("G", fg="green"))


def print_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: drawn on a terminal, plain aligned columns elsewhere."""
    if sys.stdout.isatty():
        _draw_table(headings, rows)
    else:
        click.echo("\n".join(aligned([headings, *rows])))


def aligned(rows: Sequence[Sequence[str]]) -> list[str]:
    """Rows of text with their columns padded to the same width."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    padded = ("  ".join(text.ljust(width) for text, width in zip(row, widths, strict=True)) for row in rows)
    return [line.rstrip() for line in padded]


def _draw_table(headings: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    from rich import box
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    # Two blanks between columns: with the usual three, the widest tables would not fit into 80 columns.
    table = Table(*headings, box=box.SIMPLE_HEAD, header_style="bold", padding=(0, 1, 0, 0), pad_edge=False)
    for row in rows:
        table.add_row(*map(Text, row))
    Console().print(table)


class Progress:
    """One line on standard error about long work; nothing unless that is a terminal.

    `begin` names the task at hand, `tick` is called by the run with the seconds and steps it has used.
    """

    def __init__(self, tasks: int, stream: TextIO | None = None, *, unit: str = "steps") -> None:
        self._tasks, self._unit = tasks, unit
        self._stream = stream or sys.stderr
        self._shows = self._stream.isatty()
        self._started = self._drawn = time.monotonic()
        self._done = -1
        self._name = ""

    def begin(self, name: str) -> None:
        """The next task starts."""
        self._done += 1
        self._name = name
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
