"""How long something takes, and the table that shows it."""

import os
from collections.abc import Callable, Sequence
from statistics import median

from gemhunter.compiling.choice import MODE_VARIABLE, Mode
from gemhunter.compiling.progress import working_clock


def run_compiled(main: Callable[[], object]) -> None:
    """Run a benchmark with every kernel compiled, in this process and in those it starts."""
    os.environ[MODE_VARIABLE] = Mode.ALWAYS.value
    main()


def seconds_of(work: Callable[[], object]) -> float:
    """The seconds one call takes, without compiling."""
    began = working_clock()
    work()
    return working_clock() - began


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
