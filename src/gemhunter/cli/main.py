"""The `gemhunter` command, and what happens when something goes wrong."""

import io
import os
import re
import sys
from collections.abc import Sequence
from difflib import get_close_matches

import click

from gemhunter import __version__
from gemhunter.cli.commands import ARGUMENTS, OTHER_SPELLINGS, SECTIONS, HelpPage, LazyGroup
from gemhunter.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, ENGINE_FAILED, INTERRUPTED, TERMINATED
from gemhunter.cli.interrupts import TerminatedError, listen, stop_if_pending
from gemhunter.cli.notes import complain, show_compiling
from gemhunter.cli.terminals import replace_unprintable, wants_no_colours
from gemhunter.compiling.progress import listening
from gemhunter.errors import GemHunterError, InputError
from gemhunter.program_name import PROGRAM_NAME, program_name

DEBUG = "GEMHUNTER_DEBUG"
"""An environment variable: if it is set, an unexpected error is shown with its traceback."""

COMPLETION_VARIABLE = "_GEMHUNTER_COMPLETE"
"""What Click looks at to see whether a shell asks for completions."""

LONGEST_MESSAGE = 200
"""Characters that are printed of the message of an unexpected error."""

_REFUSED = re.compile(r"'(.*)' is not one of ")
"""How Click's message begins when a value is none of the choices."""


# The help of every command, also of one inside a group, is written by this class.
click.Context.formatter_class = HelpPage


class ReaderLeftError(Exception):
    """The reader closed the pipe, as in `gemhunter engines | head -1`."""


class WholeProgram(LazyGroup):
    """The group of all commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command line for options that must look at all of them."""
        ctx.meta[ARGUMENTS] = tuple(args)
        return super().parse_args(ctx, args)

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; Click itself would turn a closed pipe into exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderLeftError from error


@click.group(
    cls=WholeProgram,
    sections=SECTIONS,
    aliases=OTHER_SPELLINGS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 solved or all right, 1 no solution or something wrong, 2 bad input or usage, "
    "3 gave up at a limit, 4 an engine failed, 130 stopped by Ctrl-C.",
)
@click.version_option(__version__, "-V", "--version", prog_name=PROGRAM_NAME)
@click.pass_context
def gemhunter(ctx: click.Context) -> None:
    """Solve, explain and play trap grids: Gem Hunter boards and Minesweeper positions.

    Without a command, a sample board is solved.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve sample:9x9 --engine pysat:glucose4 --engine pysat:minicard
      gemhunter analyse sample:position --traps 3
      gemhunter play expert
      gemhunter watch easy#3 --animate game.gif
    """
    ctx.color = False if wants_no_colours() else None
    if ctx.invoked_subcommand is None:
        from gemhunter.cli.demo import show_demo  # solves a board, which `--help` does not need

        show_demo()


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; no error leaves here as a traceback."""
    try:
        with listening(show_compiling):
            code = _invoke(arguments)
        sys.stdout.flush()
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = f" (see: {context.command_path} --help)" if context else ""
        complain(f"{_with_suggestion(error)}{where}")
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort) as stop:
        click.echo("stopped", err=True)
        return TERMINATED if isinstance(stop.__cause__ or stop, TerminatedError) else INTERRUPTED
    except (ReaderLeftError, BrokenPipeError):
        # Python would complain about what it can no longer write when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (InputError, OSError) as error:
        complain(getattr(error, "strerror", None) or error)
        return BAD_INPUT
    except (GemHunterError, MemoryError) as error:
        complain(str(error) or "out of memory")
        return ENGINE_FAILED
    except Exception as error:  # noqa: BLE001 - the last resort
        _report_unexpected(error, arguments)
        return ENGINE_FAILED
    return code


def main() -> None:
    """The console script."""
    listen()
    # NumPy would start threads for linear algebra, which nothing here does: a tenth of a second each time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell, as in `gemhunter >&-`
            setattr(sys, name, io.StringIO())
    replace_unprintable()
    sys.exit(run(sys.argv[1:]))


def _invoke(arguments: Sequence[str]) -> int:
    """Run the command; an error after a stop that was swallowed, as LLVM does, is a result of that stop."""
    if "" in arguments:
        raise click.UsageError("one of the arguments is empty; is a variable of your shell not set?")
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
    """What went wrong, in one line; for a value that is none of the choices, with the nearest one."""
    message = error.format_message()
    text = f"{message[:1].lower()}{message[1:].rstrip('.')}"
    if not isinstance(error, click.BadParameter) or error.param is None:
        return text
    choices = getattr(error.param.type, "choices", ())
    refused = _REFUSED.search(error.message)
    if refused is None:
        return text
    nearest = get_close_matches(refused[1].lower(), list(map(str, choices)), n=1, cutoff=0.55)
    return f"{text}; did you mean {nearest[0]!r}?" if nearest else text


def _report_unexpected(error: Exception, arguments: Sequence[str]) -> None:
    """Print one line about an error of the program itself, and keep the details in a file."""
    if os.environ.get(DEBUG):
        raise error
    # Only a failing program needs these.
    import platform
    import shlex
    import traceback

    from gemhunter.formats.files import keep_privately

    system = f"gemhunter {__version__}, Python {platform.python_version()}, {platform.platform()}"
    command = shlex.join([PROGRAM_NAME, *arguments])
    details = "".join(traceback.format_exception(error))
    path = keep_privately(f"{system}\n{command}\n\n{details}", "error", ".txt")
    words = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_MESSAGE]
    where = "" if path is None else f", details in {path}"
    complain(f"internal error: {words}; please report it{where}")
