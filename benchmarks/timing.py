"""How long something takes, and the table that shows it."""

import os
import subprocess
from collections.abc import Callable, Mapping, Sequence
from statistics import median

from gemhunter.jit.choice import MODE_VARIABLE, Mode, working_clock, working_cpu_clock

MOST_ANSWER_CODE = 3
"""Exit codes up to this one are answers of `gemhunter`, and not failures."""


COMPILE = 1e9
"""How long plain Python would take for a kernel of a benchmark: so long that it is always compiled."""


def run_compiled(main: Callable[[], object]) -> None:
    """Run a benchmark with every kernel compiled, in this process and in those it starts."""
    os.environ[MODE_VARIABLE] = Mode.ALWAYS.value
    main()


def seconds_of(work: Callable[[], object]) -> float:
    """The seconds one call takes, without compiling."""
    began = working_clock()
    work()
    return working_clock() - began


def cpu_seconds(work: Callable[[], object]) -> float:
    """The processor seconds of one call, without compiling: others may be using the machine."""
    began = working_cpu_clock()
    work()
    return working_cpu_clock() - began


def cpu_seconds_of_command(words: Sequence[str], environment: Mapping[str, str] | None = None) -> float:
    """User and system time of one command, with the processes that it starts and waits for."""
    before = os.times()
    output_of_command(words, environment)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def output_of_command(words: Sequence[str], environment: Mapping[str, str] | None = None) -> str:
    """What a command prints to standard output; raises `SystemExit` with its errors if it fails."""
    # Not `run_child`: the processor time of what it starts is not that of our children.
    ended = subprocess.run(
        words, env={**os.environ, **(environment or {})}, capture_output=True, text=True, check=False
    )
    if not 0 <= ended.returncode <= MOST_ANSWER_CODE:
        raise SystemExit(ended.stderr)
    return ended.stdout


def median_seconds(work: Callable[[], object], repeats: int) -> float:
    """The median of the seconds that `repeats` calls take, without compiling."""
    return median(seconds_of(work) for _ in range(repeats))


def print_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table in Markdown: the first column to the left, all others to the right."""
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    rule = ["-" * widths[0], *("-" * (width - 1) + ":" for width in widths[1:])]
    for row in [header, rule, *rows]:
        cells = [cell.rjust(width) for cell, width in zip(row, widths, strict=True)]
        print("|", " | ".join([row[0].ljust(widths[0]), *cells[1:]]), "|")
