"""Long work: how far it is, what Ctrl-C leaves, and the command that continues it."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Self, TextIO, TypeVar

import click
from click.core import ParameterSource

from gemhunter.cli.notes import is_pending, is_quiet, note, stop_if_pending
from gemhunter.cli.terminals import moves_cursor
from gemhunter.printable import printable
from gemhunter.solving.run import Limits, Run

if TYPE_CHECKING:
    import rich.progress

Result = TypeVar("Result")

PATIENCE_SECONDS = 1.0
"""Work that is over sooner shows no progress."""

REDRAW_SECONDS = 0.1
PROGRESS_BAR_WIDTH = 20


class Progress:
    """One line on standard error about long work, on a terminal that can replace it.

    `begin` names the current task; the run calls `tick` with the seconds and steps it has used.
    """

    def __init__(self, tasks: int, stream: TextIO | None = None, *, unit: str = "steps") -> None:
        self._tasks, self._unit = tasks, unit
        self._stream = stream or sys.stderr
        self._shows = self._stream.isatty() and moves_cursor() and not is_quiet()
        self._started = self._drawn = time.monotonic()
        self._done = -1
        self._name = ""

    def begin(self, name: str) -> None:
        """Start the next task."""
        self._done += 1
        self._name = printable(name)
        self.tick(0.0, 0)

    def tick(self, seconds: float, steps: int) -> None:
        """Show that the task continues."""
        now = time.monotonic()
        if not self._shows or now - self._started < PATIENCE_SECONDS or now - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = now
        filled = PROGRESS_BAR_WIDTH * self._done // self._tasks
        bar = "#" * filled + "." * (PROGRESS_BAR_WIDTH - filled)
        place = f"[{bar}] {self._done}/{self._tasks} " if self._tasks > 1 else ""
        counted = f", {steps:,} {self._unit}" * (steps > 0)
        self._stream.write(f"\r\x1b[K{place}{self._name} {seconds:.1f} s{counted}")
        self._stream.flush()

    def clear(self) -> None:
        """Remove the line, before other output."""
        if self._shows and self._drawn > self._started:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def ask_with_progress(name: str, time_limit: float | None, ask: Callable[[Run], Result]) -> Result:
    """The answer to one question, with a line of progress; Ctrl-C stops it."""
    progress = Progress(1)
    progress.begin(name)
    try:
        answer = ask(Run(Limits(time_limit), cancel=is_pending, progress=progress.tick))
        stop_if_pending()
        return answer
    finally:
        progress.clear()


class ProgressBar:
    """A bar of all runs on standard error, with the time left and the latest run.

    Nothing is drawn unless standard error is a terminal. The caller draws: a thread that drew would not
    survive the forking of processes.
    """

    def __init__(self, runs: int, done: int = 0) -> None:
        self._runs, self._done = runs, done
        self._bar: tuple[rich.progress.Progress, rich.progress.TaskID] | None = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty() and self._runs and not is_quiet():
            self._bar = _new_bar(self._runs, self._done)
        return self

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar[0].stop()

    def advance(self, latest: str, runs: int = 1) -> None:
        """Move on by `runs`; `latest` names the last of them in a few words."""
        if self._bar is None:
            return
        progress, task = self._bar
        progress.update(task, advance=runs, latest=latest)
        progress.refresh()

    def show(self, line: str) -> None:
        """Show what keeps the work, such as compiling, until the next run; an empty line changes nothing."""
        if line:
            self.advance(line, runs=0)


def _new_bar(runs: int, done: int) -> "tuple[rich.progress.Progress, rich.progress.TaskID]":
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = [
        BarColumn(bar_width=PROGRESS_BAR_WIDTH),
        MofNCompleteColumn(),
        TimeRemainingColumn(compact=True),
        TextColumn("{task.fields[latest]}", markup=False),
    ]
    progress = Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
    task = progress.add_task("", total=runs, completed=done, latest="")
    progress.start()
    return progress, task


@dataclass(frozen=True, slots=True)
class ExperimentProgress:
    """How far an experiment is: the number of its tasks, and what a result says about the current one.

    `at_hand` returns the current task and how many units of it are done.
    """

    tasks: int
    unit: str
    at_hand: Callable[[Any], tuple[str, int]]


def run_to_end(results: Iterator[Result], pace: ExperimentProgress, show: Callable[[Result], None]) -> None:
    """Show progress while ever more complete results arrive; show the last one, also after Ctrl-C."""
    progress, task, began = Progress(pace.tasks, unit=pace.unit), "", time.monotonic()
    latest: Result | None = None
    try:
        for latest in results:
            stop_if_pending()
            name, count = pace.at_hand(latest)
            if name != task:
                task, began = name, time.monotonic()
                progress.begin(name)
            progress.tick(time.monotonic() - began, count)
    finally:
        progress.clear()
        if latest is not None:
            show(latest)


@contextmanager
def showing_how_to_continue(ledger: Path | None, kept: Collection[str]) -> Iterator[None]:
    """If the block is stopped by Ctrl-C or SIGTERM, print the command that continues it, if there is one.

    `ledger` is the file to resume. `kept` are the parameters whose values it keeps; others are repeated.
    """
    try:
        yield
    except KeyboardInterrupt:
        if ledger is not None:
            command = continuing_command(click.get_current_context(), ledger, kept)
            note(f"to continue: {command}")
        raise


def continuing_command(ctx: click.Context, ledger: Path, kept: Collection[str]) -> str:
    """The command that was given, with `--resume` in place of what the ledger keeps."""
    words = ["--resume", str(ledger)]
    for option in ctx.command.params:
        name = option.name or ""
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if is_given and isinstance(option, click.Option) and name in ctx.params and name not in kept:
            words += _words(option, ctx.params[name])
    return f"{ctx.command_path} {subprocess.list2cmdline(words) if os.name == 'nt' else shlex.join(words)}"


def _words(option: click.Option, value: object) -> list[str]:
    flag = max(option.opts, key=len)
    if option.is_flag:
        return [flag] if value else list(option.secondary_opts)
    values = value if isinstance(value, tuple) else (value,)
    return [word for each in values for word in (flag, str(each))]
