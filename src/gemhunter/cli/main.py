"""The `gemhunter` command: its subcommands by name, and what happens when something goes wrong."""

import io
import os
import sys
from collections.abc import Sequence

import click

from gemhunter import __version__
from gemhunter.cli.apart import ARGUMENTS
from gemhunter.cli.compiler_line import show_compiling
from gemhunter.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, ENGINE_FAILED, INTERRUPTED, TERMINATED
from gemhunter.cli.interrupts import TerminatedError, listen, stop_if_pending
from gemhunter.cli.lazy_group import LazyGroup
from gemhunter.cli.lookalikes import LOOKALIKES
from gemhunter.cli.notes import complain
from gemhunter.cli.suggestions import with_suggestion
from gemhunter.cli.terminals import wants_no_colours
from gemhunter.compiling.progress import listening
from gemhunter.errors import GemHunterError, InputError

SECTIONS = {
    "Boards": ("solve", "analyse", "advise", "check", "trace", "convert", "cnf", "decode", "proof"),
    "Comparing": ("bench", "peers", "report"),
    "Games": ("play", "watch", "replay", "experiment"),
    "More": ("samples", "engines", "menu", "warmup", "fuzz", "completion"),
}
"""Each command lives in `gemhunter.cli.NAME` as an attribute of the same name."""

OTHER_SPELLINGS = {"analyze": "analyse"}

COMMANDS = tuple(name for names in SECTIONS.values() for name in names)


class ReaderLeftError(Exception):
    """Whoever read our output has left, as in `gemhunter engines | head -1`."""


class WholeProgram(LazyGroup):
    """The group of all commands."""

    def parse_args(self, ctx: click.Context, args: list[str]) -> list[str]:
        """Keep the words of the command line for those who have to look at all of them."""
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
    sections={
        section: {name: f"gemhunter.cli.{name}:{name}" for name in names}
        for section, names in SECTIONS.items()
    },
    aliases=OTHER_SPELLINGS,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 solved or all right, 1 no solution or something wrong, 2 bad input or usage, "
    "3 gave up at a limit, 4 an engine failed, 130 stopped by Ctrl-C.",
)
@click.version_option(__version__, "-V", "--version", prog_name="gemhunter")
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
        from gemhunter.cli.demo import show_demo

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
        complain(f"{with_suggestion(error)}{where}")
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
        from gemhunter.cli.last_resort import report_unforeseen

        report_unforeseen(error, arguments)
        return ENGINE_FAILED
    return code


def _invoke(arguments: Sequence[str]) -> int:
    """Run the command; an error after a stop that somebody swallowed, as LLVM does, comes of that stop."""
    if "" in arguments:
        raise click.UsageError("one of the arguments is empty; is a variable of your shell not set?")
    try:
        return int(gemhunter.main(args=list(arguments), prog_name="gemhunter", standalone_mode=False) or 0)
    except Exception:
        stop_if_pending()
        raise


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


def replace_unprintable() -> None:
    """Print `x` for ×, `u` for µ, `?` for others that the output lacks, as Windows' code page 437 lacks ×.

    UTF-8 lacks lone surrogates, which stand for bytes in names of files; they are printed as escapes.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=LOOKALIKES)
