"""What goes to standard error: notes, errors and the compiler's progress; `--quiet` keeps only errors."""

import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

from gemhunter.cli.interrupts import stop_if_pending
from gemhunter.printable import printable_lines

Command = TypeVar("Command", bound=Callable[..., Any])

_QUIET = "gemhunter.cli.quiet"
"""The key in a context's `meta`, which commands share with their subcommands."""


def quiet_option(command: Command) -> Command:
    """Print errors only to standard error."""
    return click.option(
        "-q",
        "--quiet",
        is_flag=True,
        expose_value=False,
        callback=_remember,
        help="Print errors only: no progress, notes or warnings.",
    )(command)


def is_quiet() -> bool:
    """Whether the command that runs was given `--quiet`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def note(line: str) -> None:
    """Print a line about the work to standard error, unless `--quiet` is given."""
    if not is_quiet():
        click.echo(printable_lines(line), err=True)


def complain(message: object) -> None:
    """Print an error to standard error; if that is closed, the exit code still reports it."""
    with suppress(OSError):
        click.echo(f"error: {printable_lines(str(message))}", err=True)


def show_compiling(line: str, *, lasting: bool) -> None:
    """Show the compiler's progress on a terminal; an empty line clears it. A lasting line is a note.

    This is called between two kernels, so it is also where to stop after a Ctrl-C that LLVM swallowed.
    """
    stop_if_pending()
    if lasting:
        note(f"note: {line}")
    elif sys.stderr.isatty() and not is_quiet():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


def write_output(path: Path, text: str | bytes, what: str) -> None:
    """Write the result of a command to the file after `-o`, and print a note: `FILE: what`."""
    from gemhunter.formats.files import write_atomically  # not needed by `gemhunter --help`

    write_atomically(path, text)
    note(f"{path}: {what}")


def print_or_write(text: str, output: Path | None, what: str) -> None:
    """Print the result of a command or, with `-o`, write it to that file instead."""
    if output is None:
        click.echo(text, nl=False)
    else:
        write_output(output, text, what)


def _remember(context: click.Context, param: click.Parameter, value: bool) -> None:
    if value:
        context.meta[_QUIET] = True
