"""What goes to standard error: notes, errors, the compiler's progress; and Ctrl-C."""

import signal
import sys
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from types import FrameType
from typing import Any, TypeVar

import click

from gemhunter.printable import printable_lines

# Ctrl-C and SIGTERM: raised at once, and remembered in case the exception is swallowed.


_SWALLOWED: list[KeyboardInterrupt] = []


class TerminatedError(KeyboardInterrupt):
    """SIGTERM, which ends the program as Ctrl-C does, but with another exit code."""


def listen() -> None:
    """Handle both from now on."""
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)
    sys.unraisablehook = _pass_over


def is_pending() -> bool:
    """Whether a stop was asked for; LLVM, while it reads compiled code, lets no exception through."""
    return bool(_SWALLOWED)


def stop_if_pending() -> None:
    """Raise the stop that was swallowed, if any."""
    if _SWALLOWED:
        raise _SWALLOWED[-1]


def _raise(number: int, frame: FrameType | None) -> None:
    _SWALLOWED.append(TerminatedError() if number == signal.SIGTERM else KeyboardInterrupt())
    raise _SWALLOWED[-1]


def _pass_over(unraisable: "sys.UnraisableHookArgs") -> None:
    """Print nothing about a stop that cannot be raised where it arrives; it is remembered."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


# What goes to standard error: notes, errors and the compiler's progress; `--quiet` keeps only errors.


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
    from gemhunter.files.access import write_atomically

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
