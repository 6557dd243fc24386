"""Exit codes, Ctrl-C, notes and errors on standard error, and what the terminal can show.

This is needed before a command is imported, so it imports little.
"""

import codecs
import io
import os
import signal
import sys
from types import FrameType

import click

from gemhunter.printable import printable, printable_lines

# Exit codes. With several boards or engines, the highest one applies.

SOLVED = 0  # a solution was found, the work was done, or every answer is right
NO_SOLUTION = 1  # a board has no solution, an answer is wrong, or a proof is rejected
BAD_INPUT = 2  # a board, option or file cannot be used
GAVE_UP = 3  # a limit was reached first
ENGINE_FAILED = 4  # a missing program, a crash, a wrong answer, no memory left
INTERRUPTED = 130  # Ctrl-C
BROKEN_PIPE = 141  # the reader closed the pipe
TERMINATED = 143  # SIGTERM, as `timeout` sends it


# Ctrl-C and SIGTERM are raised at once, and remembered in case the exception is swallowed.


_SWALLOWED: list[KeyboardInterrupt] = []


class TerminatedError(KeyboardInterrupt):
    """SIGTERM, which ends the program as Ctrl-C does, but with another exit code."""


def listen() -> None:
    """Handle both signals from now on."""
    signal.signal(signal.SIGINT, _raise)
    signal.signal(signal.SIGTERM, _raise)
    sys.unraisablehook = _pass_over


def is_pending() -> bool:
    """Whether a signal arrived whose exception LLVM swallowed while it loaded compiled code."""
    return bool(_SWALLOWED)


def stop_if_pending() -> None:
    """Raise the last exception of a signal, if there was one."""
    if _SWALLOWED:
        raise _SWALLOWED[-1]


def _raise(number: int, frame: FrameType | None) -> None:
    _SWALLOWED.append(TerminatedError() if number == signal.SIGTERM else KeyboardInterrupt())
    raise _SWALLOWED[-1]


def _pass_over(unraisable: "sys.UnraisableHookArgs") -> None:
    """Print nothing about a signal whose exception is lost in a destructor; it is remembered."""
    if not isinstance(unraisable.exc_value, KeyboardInterrupt):
        sys.__unraisablehook__(unraisable)


# Standard error: notes, errors and the compiler's progress; `--quiet` keeps only errors.


_QUIET = "gemhunter.cli.quiet"
"""The key in a context's `meta`, which commands share with their subcommands."""


def remember_quiet(context: click.Context, param: click.Parameter, value: bool) -> None:
    """Remember that `--quiet` was given."""
    if value:
        context.meta[_QUIET] = True


def is_quiet() -> bool:
    """Whether the running command was given `--quiet`."""
    context = click.get_current_context(silent=True)
    return context is not None and bool(context.meta.get(_QUIET))


def note(line: str) -> None:
    """Print a line about the work to standard error, unless `--quiet` is given."""
    if not is_quiet():
        click.echo(printable_lines(line), err=True)


def complain(message: object) -> None:
    """Print an error to standard error; if that is closed or full, only the exit code reports it."""
    try:
        click.echo(f"error: {printable_lines(str(message))}", err=True)
    except OSError:
        # What is left in the buffer would make Python change the exit code when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stderr.fileno())


def show_compiling(line: str, *, lasting: bool) -> None:
    """Show the compiler's progress on a terminal; an empty line clears it. A lasting line is a note.

    It is called between two kernels, so a Ctrl-C that LLVM swallowed is raised here.
    """
    stop_if_pending()
    if lasting:
        note(f"note: {line}")
    elif sys.stderr.isatty() and not is_quiet():
        sys.stderr.write(f"\r\x1b[K{line}")
        sys.stderr.flush()


# What a terminal can show: colours, changed lines, and characters beyond ASCII.


def wants_no_colours() -> bool:
    """Whether the environment forbids colours, or names a terminal without any, such as vt100."""
    return bool(os.environ.get("NO_COLOR")) or _terminal_name().startswith(("dumb", "unknown", "vt"))


def moves_cursor() -> bool:
    """Whether the terminal can overwrite text."""
    return _terminal_name() not in ("dumb", "unknown")


def _terminal_name() -> str:
    """The name of the terminal; if it has none, `dumb`, or an empty string on Windows."""
    return os.environ.get("TERM", "dumb" if os.name == "posix" else "")


LOOKALIKES = "gemhunter.lookalikes"
"""The name of the error handler that replaces characters that an encoding lacks."""

_PLAIN_SIGNS = {"×": "x", "µ": "u", "–": "-", "−": "-", "…": "...", "·": "."}


def replace_unprintable() -> None:
    """Print `x` for ×, `u` for µ and so on if the encoding lacks them, as code page 437 of Windows does.

    UTF-8 lacks lone surrogates, which stand for bytes in names of files; they are printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=LOOKALIKES)


def _replace(error: UnicodeError) -> tuple[str, int]:
    """Plain text for what an encoder refused, and the index at which encoding continues."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    plain = ""
    for sign in error.object[error.start : error.end]:
        escaped = printable(sign)
        plain += _PLAIN_SIGNS.get(sign, "?") if escaped == sign else escaped
    return plain, error.end


codecs.register_error(LOOKALIKES, _replace)
