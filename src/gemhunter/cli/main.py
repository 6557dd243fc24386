"""The `gemhunter` command: its subcommands by name, and what happens when something goes wrong."""

import io
import os
import sys
from collections.abc import Sequence
from importlib import import_module

import click

from gemhunter import __version__
from gemhunter.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, ENGINE_FAILED, INTERRUPTED, TERMINATED
from gemhunter.cli.interrupts import TerminatedError, listen
from gemhunter.errors import GemHunterError, InputError, UnknownNameError

COMMANDS = (
    "solve",
    "analyse",
    "check",
    "cnf",
    "decode",
    "proof",
    "convert",
    "replay",
    "trace",
    "experiment",
    "engines",
    "play",
    "menu",
    "warmup",
    "fuzz",
)
"""Each lives in `gemhunter.cli.NAME` as an attribute of the same name, and is imported when it is used."""


class ReaderLeftError(Exception):
    """Whoever read our output has left, as in `gemhunter engines | head -1`."""


class LazyGroup(click.Group):
    """A group that imports a subcommand only when somebody asks for it."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = getattr(import_module(f"gemhunter.cli.{cmd_name}"), cmd_name)
        return command

    def invoke(self, ctx: click.Context) -> object:
        """Run the command; Click itself would turn a closed pipe into exit code 1."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError as error:
            raise ReaderLeftError from error

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` ask for; an unknown one is met with the nearest match."""
        if self.get_command(ctx, args[0]) is None and not args[0].startswith("-"):
            raise UnknownNameError("command", args[0], COMMANDS, see="gemhunter --help")
        return super().resolve_command(ctx, args)


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
    epilog="Exit codes: 0 solved or all right, 1 no solution or something wrong, 2 bad input or usage, "
    "3 gave up at a limit, 4 an engine failed, 130 stopped by Ctrl-C.",
)
@click.version_option(__version__, "-V", "--version", prog_name="gemhunter")
@click.pass_context
def gemhunter(ctx: click.Context) -> None:
    """Solve, check and encode trap grids: Gem Hunter boards and Minesweeper positions.

    Without a command, a sample board is solved.

    \b
    Examples:
      gemhunter solve board.txt
      gemhunter solve board.txt --engine pysat:glucose4 --engine pysat:minicard
      gemhunter cnf board.txt -o board.cnf
    """
    if ctx.invoked_subcommand is None:
        from gemhunter.cli.demo import show_demo

        show_demo()


def run(arguments: Sequence[str]) -> int:
    """Run the command line and return its exit code; no error leaves here as a traceback."""
    try:
        code = gemhunter.main(args=list(arguments), prog_name="gemhunter", standalone_mode=False)
        sys.stdout.flush()
    except click.ClickException as error:
        context = getattr(error, "ctx", None)
        where = f" (see: {context.command_path} --help)" if context else ""
        message = error.format_message()
        click.echo(f"error: {message[:1].lower()}{message[1:].rstrip('.')}{where}", err=True)
        return BAD_INPUT
    except (KeyboardInterrupt, click.Abort) as stop:
        click.echo("stopped", err=True)
        return TERMINATED if isinstance(stop.__cause__ or stop, TerminatedError) else INTERRUPTED
    except (ReaderLeftError, BrokenPipeError):
        # Python would complain about what it can no longer write when it closes the stream.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except (InputError, OSError) as error:
        click.echo(f"error: {getattr(error, 'strerror', None) or error}", err=True)
        return BAD_INPUT
    except (GemHunterError, MemoryError) as error:
        click.echo(f"error: {str(error) or 'out of memory'}", err=True)
        return ENGINE_FAILED
    return int(code or 0)


def main() -> None:
    """The console script."""
    listen()
    # NumPy would start threads for linear algebra, which nothing here does: a tenth of a second each time.
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:  # closed by the shell, as in `gemhunter >&-`
            setattr(sys, name, io.StringIO())
    sys.exit(run(sys.argv[1:]))
