"""The `gemhunter` command: finding the command that is asked for, and the handling of errors."""

import io
import os
import re
import shlex
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module

import click

from gemhunter import __version__
from gemhunter.cli.commands import COMMAND_NAMES, COMPLETION_VARIABLE, INSTEAD, OLD_NAMES, SECTIONS
from gemhunter.cli.declare import Group
from gemhunter.cli.demo import show_demo
from gemhunter.cli.exit_codes import (
    BAD_INPUT,
    BROKEN_PIPE,
    ENGINE_FAILED,
    INTERRUPTED,
    TERMINATED,
    TerminatedError,
    complain,
    listen,
    replace_unprintable,
    show_compiling,
    stop_if_pending,
    wants_no_colours,
)
from gemhunter.errors import GemHunterError, InputError
from gemhunter.jit.choice import listening
from gemhunter.wording import PROGRAM_NAME, program_name

# The `gemhunter` command, and the handling of errors.


DEBUG = "GEMHUNTER_DEBUG"
"""The environment variable that makes unexpected errors show their traceback."""


class ReaderLeftError(Exception):
    """The reader closed the pipe, as in `gemhunter engines | head -1`."""


class WholeProgram(Group):
    """The group of all commands, which imports a command when it is used."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(COMMAND_NAMES)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        name = "analyse" if cmd_name == "analyze" else cmd_name
        if name not in COMMAND_NAMES:
            return None
        found: click.Command = getattr(import_module(f"gemhunter.cli.{name}"), name)
        return found

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List all commands with their summaries, section by section, in common columns."""
        width = max(map(len, COMMAND_NAMES))
        for section, summaries in SECTIONS.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), summary) for name, summary in summaries.items()])

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; Click itself would turn a closed pipe into exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderLeftError from error


@click.group(
    cls=WholeProgram,
    instead=INSTEAD,
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "token_normalize_func": lambda name: OLD_NAMES.get(name, name),
    },
    epilog="Exit codes: 0 solved or all right, 1 no solution or something wrong, 2 bad input or usage, "
    "3 gave up at a limit, 4 an engine failed, 130 stopped by Ctrl-C.",
)
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM_NAME)
@click.pass_context
def gemhunter(ctx: click.Context) -> None:
    """Solve, explain and play trap grids: Gem Hunter boards and Minesweeper positions.

    Without a command, a sample board is solved. BOARD is a file, a sample such as sample:9x9, or a position
    of a game; solve, check, bench and report also take a folder of boards.

    \b
    With boards of a course:
      gemhunter solve BOARD -e cdcl -e pysat:glucose4
      gemhunter explain BOARD -o steps.html
      gemhunter report BOARDS -e ./mine.py -e cdcl -o report.pdf

    \b
    With a class:
      gemhunter generate puzzle 9x9 --count 12 -o sheet.pdf
      gemhunter check TESTS CLASS -o marks.csv -o report.html

    \b
    To play:
      gemhunter play expert
      gemhunter hint POSITION --traps 99 --rung 4
    """
    ctx.color = False if wants_no_colours() else None
    if ctx.invoked_subcommand is None:
        show_demo()


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; errors become messages, never tracebacks."""
    code = _exit_code(arguments)
    try:
        sys.stdout.flush()  # whatever an error has left there
    except OSError as error:
        return _without_output(error)
    return code


def _exit_code(arguments: Sequence[str]) -> int:
    """Run the command line, and report its error if it has one."""
    try:
        with listening(show_compiling):
            code = _invoke(arguments)
        click.echo(nl=False)  # writes what is still buffered
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = f" (see: {context.command_path} --help)" if context else ""
        complain(f"{_with_suggestion(error)}{where}")
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort) as stop:
        click.echo("stopped", err=True)
        return TERMINATED if isinstance(stop.__cause__ or stop, TerminatedError) else INTERRUPTED
    except (ReaderLeftError, BrokenPipeError):
        _drop_output()
        return BROKEN_PIPE
    except InputError as error:
        complain(error)
        return BAD_INPUT
    except OSError as error:
        from traceback import walk_tb  # only a failing program needs it

        if any(frame.f_code is click.echo.__code__ for frame, _ in walk_tb(error.__traceback__)):
            return _without_output(error)
        where = f"{os.fsdecode(error.filename)}: " if isinstance(error.filename, str | bytes) else ""
        complain(f"{where}{error.strerror or error}")
        return BAD_INPUT
    except (GemHunterError, MemoryError) as error:
        complain(str(error) or "out of memory")
        return ENGINE_FAILED
    except Exception as error:  # noqa: BLE001 - the last resort
        _report_unexpected(error, arguments)
        return ENGINE_FAILED
    return code


def _without_output(error: OSError) -> int:
    """Report that standard output takes no more, as on a full disk; returns the exit code."""
    complain(f"cannot write standard output: {(error.strerror or str(error)).lower()}")
    _drop_output()
    return BAD_INPUT


def _drop_output() -> None:
    """Drop what standard output still holds: Python would complain about it when it closes the stream."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def main() -> None:
    """The console script."""
    listen()
    # NumPy would spend a tenth of a second starting threads for linear algebra, which nothing here uses.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell, as in `gemhunter >&-`
            setattr(sys, name, io.StringIO())
    if isinstance(sys.stdout, io.TextIOWrapper) and isinstance(sys.stdout.buffer, io.RawIOBase):
        # With PYTHONUNBUFFERED, text goes straight to the file, and what a full disk or a pipe did not take
        # in one call would be lost without an error. The stream is not detached from the file, because
        # `sys.__stdout__`, which Textual asks for the size of the terminal, is the same stream.
        buffer = io.BufferedWriter(sys.stdout.buffer)
        sys.stdout = io.TextIOWrapper(buffer, sys.stdout.encoding, line_buffering=True)
    replace_unprintable()
    sys.exit(run(sys.argv[1:]))


def _invoke(arguments: Sequence[str]) -> int:
    """Run the command; if LLVM swallowed a Ctrl-C, a later error is reported as that Ctrl-C."""
    if arguments[:1] == ["help"]:
        arguments = [*arguments[1:], "--help"]
    if "" in arguments:
        raise click.UsageError("one of the arguments is empty; is a shell variable unset?")
    try:
        result = gemhunter.main(
            args=list(arguments),
            prog_name=program_name(),
            complete_var=COMPLETION_VARIABLE,
            standalone_mode=False,
        )
        return int(result or 0)
    except Exception:
        stop_if_pending()
        raise


def _with_suggestion(error: click.ClickException) -> str:
    """The message of an error in one line; for a value that is not a choice, with the nearest choice."""
    if isinstance(error, click.NoSuchOption) and error.ctx is not None:
        return _no_such_option(error.option_name, error.ctx.command)
    message = error.format_message()
    text = f"{message[:1].lower()}{message[1:].rstrip('.')}"
    group = error.ctx.command if isinstance(error, click.UsageError) and error.ctx is not None else None
    if text == "missing command" and isinstance(group, click.Group):
        return f"{text}; expected one of {', '.join(group.commands)}"
    # Click names its own types here, and irrelevant bounds.
    text = re.sub(r"is not a valid integer( range)?$", "is not a whole number", text)
    for value, least in ((r"-\d+", 0), ("0", 1)):
        crossed = rf"(: {value}) is not in the range (?:x>=)?{least}(?:<=x<=\d{{15,}})?$"
        text = re.sub(crossed, rf"\1 is too small; expected {least} or more", text)
    if not isinstance(error, click.BadParameter) or error.param is None:
        return text
    choices = getattr(error.param.type, "choices", ())
    refused = re.search(r"'(.*)' is not one of ", error.message)  # the wording of Click
    if refused is None:
        return text
    nearest = get_close_matches(refused[1].lower(), list(map(str, choices)), n=1, cutoff=0.55)
    return f"{text}; did you mean {nearest[0]!r}?" if nearest else text


def _no_such_option(name: str, command: click.Command) -> str:
    """A message that suggests what to type instead of an option that a command does not have."""
    if command is gemhunter:
        return f"no such option {name!r}; options follow the command: {program_name()} solve BOARD -e cdcl"
    bare = name.lstrip("-")
    known = {word: option for option in command.params for word in option.opts if word.startswith("-")}
    text = f"no such option {name!r}"
    if "-o" in known and (ending := OUTPUT_ENDINGS.get(bare)) is not None:
        forms = getattr(getattr(known.get("--format"), "type", None), "choices", ())
        prints = f", and --format {bare} prints it" if bare in forms else ""
        return f"{text}; -o FILE{ending} writes a file{prints}"
    if (here := f"--{OPTIONS_HERE.get(bare, bare)}") in known:
        return f"{text}; did you mean {here}?"
    nearest = get_close_matches(bare, [word[2:] for word in known if word.startswith("--")], n=1, cutoff=0.65)
    return f"{text}; did you mean --{nearest[0]}?" if nearest else text


OUTPUT_ENDINGS = {
    name: f".{name}" for name in ("csv", "gif", "html", "json", "md", "pdf", "png", "svg", "tex", "txt")
}
OUTPUT_ENDINGS |= dict.fromkeys(("file", "out", "output", "save", "to"), "")
"""Output options that users know from other programs, and the ending that each means here."""

OPTIONS_HERE = {
    "algorithm": "engine",
    "bombs": "traps",
    "j": "workers",
    "jobs": "workers",
    "level": "difficulty",
    "mines": "traps",
    "player": "agent",
    "solver": "engine",
    "threads": "workers",
    "timeout": "time-limit",
    "total": "traps",
}
"""Other options that users know from elsewhere, and their names here."""


def _report_unexpected(error: Exception, arguments: Sequence[str]) -> None:
    """Print one line about an unexpected error, and keep the details in a file."""
    if os.environ.get(DEBUG):
        raise error
    # Only a failing program needs these.
    import platform
    import traceback

    from gemhunter.files.access import keep_privately

    system = f"gemhunter {__version__}, Python {platform.python_version()}, {platform.platform()}"
    command = shlex.join([PROGRAM_NAME, *arguments])
    details = "".join(traceback.format_exception(error))
    path = keep_privately(f"{system}\n{command}\n\n{details}", "error", ".txt")
    words = " ".join(f"{type(error).__name__}: {error}".split())[:200]
    where = "" if path is None else f", details in {path}"
    complain(f"internal error: {words}; please report it{where}")
