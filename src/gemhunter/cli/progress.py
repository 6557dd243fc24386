"""Long work: a line of progress, the ledger that keeps results, and the command that continues it."""

import os
import shlex
import subprocess
import sys
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Self, TypeVar

import click
from click.core import ParameterSource

from gemhunter.cli.exit_codes import is_pending, is_quiet, moves_cursor, note, stop_if_pending
from gemhunter.cli.output import Outputs
from gemhunter.printable import printable
from gemhunter.solving.registry import starts_program
from gemhunter.solving.run import Limits, Run

if TYPE_CHECKING:
    import rich.progress

Result = TypeVar("Result")


PATIENCE_SECONDS, REDRAW_SECONDS = 1.0, 0.1
"""The time before a line of progress appears, and the time between updates."""


class Progress:
    """A line on standard error about long work: a bar of its tasks, and the current task.

    It is drawn after the first second, if standard error is a terminal that can replace a line. Calls of
    `tick` and `advance` draw it, because a thread that drew would not survive the forking of processes.
    """

    def __init__(self, tasks: int, *, done: int = 0, unit: str = "steps") -> None:
        self._tasks, self._done, self._unit = tasks, done, unit
        self._name = ""
        self._has_begun = False
        self._draws = tasks > 0 and sys.stderr.isatty() and moves_cursor() and not is_quiet()
        self._due = time.monotonic() + PATIENCE_SECONDS
        self._bar: rich.progress.Progress | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()

    def begin(self, name: str) -> None:
        """Start the next task."""
        self._done += self._has_begun
        self._has_begun = True
        self._name = printable(name)
        self.tick(0.0, 0)

    def tick(self, seconds: float, steps: int) -> None:
        """Update the line; a run calls this with the seconds and steps that it has used."""
        counted = f", {steps:,} {self._unit}" * (steps > 0)
        self._draw(self._name, f" {seconds:.1f} s{counted}")

    def advance(self, latest: str, tasks: int = 1) -> None:
        """Count tasks as done; `latest` describes the last of them in a few words."""
        self._done += tasks
        self._draw(latest)

    def show(self, line: str) -> None:
        """Show what the work waits for, such as compiling; an empty line changes nothing."""
        if line:
            self._draw(line)

    def clear(self) -> None:
        """Remove the line, before other output."""
        if self._bar is not None:
            self._bar.stop()
            self._bar = None

    def _draw(self, name: str, rest: str = "") -> None:
        if not self._draws or time.monotonic() < self._due:
            return
        self._due = time.monotonic() + REDRAW_SECONDS
        if self._bar is None:
            self._bar = self._new_bar()
        # The end of a path says more than its beginning. With several tasks, a bar of 20 columns, two numbers
        # and a time stand before it.
        room = self._bar.console.width - len(rest)
        if self._tasks > 1:
            room -= len(f" {self._tasks}/{self._tasks} 0:00:00 ") + 20
        if len(name) > room > 0:
            name = "…" + name[len(name) - room + 1 :]
        self._bar.update(self._bar.task_ids[0], completed=self._done, line=name + rest)
        self._bar.refresh()

    def _new_bar(self) -> "rich.progress.Progress":
        from rich import progress  # takes a twentieth of a second, which short work need not wait for
        from rich.console import Console

        columns: list[progress.ProgressColumn] = [progress.TextColumn("{task.fields[line]}", markup=False)]
        if self._tasks > 1:
            left = progress.TimeRemainingColumn(compact=True)
            columns = [progress.BarColumn(bar_width=20), progress.MofNCompleteColumn(), left, *columns]
        bar = progress.Progress(*columns, console=Console(stderr=True), auto_refresh=False, transient=True)
        bar.add_task("", total=self._tasks, completed=self._done, line="")
        bar.start()
        return bar


def ask_with_progress(name: str, time_limit: float | None, ask: Callable[[Run], Result]) -> Result:
    """The answer to one question, with a line of progress; Ctrl-C stops it."""
    with Progress(1) as progress:
        progress.begin(name)
        answer = ask(Run(Limits(time_limit), cancel=is_pending, progress=progress.tick))
        stop_if_pending()
        return answer


def new_ledger_path(outputs: Outputs, resume: Path | None) -> Path | None:
    """The new ledger that `-o` names, if any; an error if there are two ledgers, or it already exists."""
    found = outputs.ending("jsonl")
    if len(found) + (resume is not None) > 1:
        raise click.UsageError("results are kept in one file: give one -o FILE.jsonl, or --resume FILE")
    if found:
        from gemhunter.work.ledger import require_new

        require_new(found[0])
    return found[0] if found else None


@contextmanager
def showing_how_to_continue(ledger: Path | None, kept: Collection[str]) -> Iterator[None]:
    """If Ctrl-C or SIGTERM stops the block and there is a ledger, print the command that continues.

    `kept` are the parameters whose values the ledger keeps; others, and programs, are repeated.
    """
    try:
        yield
    except KeyboardInterrupt:
        if ledger is not None:
            note(f"to continue: {continuing_command(click.get_current_context(), ledger, kept)}")
        raise


def continuing_command(ctx: click.Context, ledger: Path, kept: Collection[str]) -> str:
    """The current command, with `--resume` in place of what the ledger keeps."""
    words = ["--resume", str(ledger)]
    for option in ctx.command.params:
        name = option.name or ""
        is_given = ctx.get_parameter_source(name) is ParameterSource.COMMANDLINE
        if not (is_given and isinstance(option, click.Option) and name in ctx.params):
            continue
        # A program is started only if the command line names it.
        programs = name in ("engines", "agents") and any(map(starts_program, ctx.params[name]))
        if name not in kept or programs:
            words += _words(option, ctx.params[name], ledger)
    return f"{ctx.command_path} {subprocess.list2cmdline(words) if os.name == 'nt' else shlex.join(words)}"


def _words(option: click.Option, value: object, ledger: Path) -> list[str]:
    flag = max(option.opts, key=len)
    if option.is_flag:
        return [flag] if value else list(option.secondary_opts)
    if isinstance(value, Outputs):
        value = tuple(path for path in value.paths if path != ledger)
    values = value if isinstance(value, tuple) else (value,)
    return [word for each in values for word in (flag, str(each))]
