"""How long something takes, and the table that shows it."""

import time
from collections.abc import Callable, Sequence
from statistics import median


def seconds_of(work: Callable[[], object]) -> float:
    """The seconds one call takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median over `repeats` calls."""
    return median(seconds_of(work) for _ in range(repeats))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown: the first column to the left, all others to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in [header, rule, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("|", " | ".join([row[0].ljust(widths[0]), *cells[1:]]), "|")
