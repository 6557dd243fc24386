"""What goes to standard error beside errors, and `--quiet`, which leaves it out."""

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeVar

import click

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
    """Print a line about the work to standard error, unless that is to be quiet."""
    if not is_quiet():
        click.echo(printable_lines(line), err=True)


def complain(message: object) -> None:
    """Print an error to standard error, if anything can be written there: the exit code says it too."""
    with suppress(OSError):
        click.echo(f"error: {printable_lines(str(message))}", err=True)


def write_output(path: Path, text: str | bytes, what: str) -> None:
    """Write the result of a command to the file after `-o`, and say so: `FILE: what`."""
    from gemhunter.formats.files import write_atomically

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
