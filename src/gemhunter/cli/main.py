"""The `gemhunter` command: the table of commands, the demo, and what happens when something goes wrong."""

import io
import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from difflib import get_close_matches
from importlib import import_module
from types import MappingProxyType
from typing import Any, NamedTuple

import click

from gemhunter import __version__
from gemhunter.cli.exit_codes import BAD_INPUT, BROKEN_PIPE, ENGINE_FAILED, INTERRUPTED, TERMINATED
from gemhunter.cli.notes import TerminatedError, complain, listen, show_compiling, stop_if_pending
from gemhunter.cli.terminals import replace_unprintable, wants_no_colours
from gemhunter.errors import GemHunterError, InputError, UnknownNameError
from gemhunter.jit.choice import listening
from gemhunter.printable import PROGRAM_NAME, program_name

# The table of commands, and groups that import a command only when it is used.


ARGUMENTS = "gemhunter.cli.arguments"
"""The key in a context's `meta` for all words of the command line."""


class CommandEntry(NamedTuple):
    """Where a command lives, as `module:attribute`, and the first sentence of its help."""

    home: str
    summary: str


Sections = Mapping[str, Mapping[str, CommandEntry]]
"""The headings of a help page, and under each its commands by name."""


def _entries(**summaries: str) -> dict[str, CommandEntry]:
    """Commands that live in `gemhunter.cli.NAME` as an attribute of the same name."""
    return {name: CommandEntry(f"gemhunter.cli.{name}:{name}", text) for name, text in summaries.items()}


SECTIONS: Sections = MappingProxyType(
    {
        "Boards": _entries(
            solve="Fill in boards, or show that it cannot be done.",
            analyse="Say what is true of all solutions of a board.",
            explain="Explain step by step why cells are traps or gems.",
            hint="Help with the next deduction, as much as you ask for.",
            advise="Say what the agent `expert` would play in a position, and why.",
            check="Grade filled-in answers, those of one person or of a class.",
            generate="Make puzzles and games to order.",
            trace="Show what an engine does about a board, step by step.",
            convert="Read a board in any dialect and write it in another form.",
            cnf="Write a board as a DIMACS formula for SAT solvers.",
            decode="Fill in a board from what a SAT solver printed.",
            proof="Check and show proofs that a board has no solution.",
        ),
        "Comparing": _entries(
            bench="Compare engines on boards: which is fastest, and where.",
            report="Measure engines on boards, and write a report about it.",
        ),
        "Games": _entries(
            play="Play a game in the terminal, with keyboard or mouse.",
            watch="Let an agent play a game to its end, and say how it went.",
            replay="Play a recorded game again, and show how it ended.",
            experiment="Play many games, or deal many boards, and count.",
        ),
        "More": _entries(
            web="Open a page to analyse, understand, play, compare and make boards.",
            samples="List the boards that come with Gem Hunter.",
            engines="List all engines, show everything about some of them, or begin one of your own.",
            menu="Choose boards and engines from a menu.",
            warmup="Compile all kernels now, not when first needed.",
            completion="Print the line that makes your shell complete what you type.",
        ),
    }
)

COMMAND_NAMES = tuple(name for entries in SECTIONS.values() for name in entries)

OTHER_SPELLINGS = MappingProxyType({"analyze": "analyse"})


_TYPED = re.compile(rf"\b{PROGRAM_NAME}(?= (?:-|(?:{'|'.join(COMMAND_NAMES)})\b))")
"""The name of the program where help shows a command."""


class HelpPage(click.HelpFormatter):
    """Help whose commands begin with the name that this program was started by."""

    def write_text(self, text: str) -> None:
        """Write a paragraph, or the lines of examples."""
        super().write_text(_as_typed(text))

    def write_dl(self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2) -> None:
        """Write options or commands, and what each is for."""
        super().write_dl([(name, _as_typed(text)) for name, text in rows], col_max, col_spacing)


def _as_typed(text: str) -> str:
    return _TYPED.sub(lambda _: program_name(), text)


class LazyGroup(click.Group):
    """A group that imports a command when it is used; a wrong name is answered with the nearest one."""

    def __init__(
        self,
        *arguments: Any,
        sections: Sections,
        aliases: Mapping[str, str] = MappingProxyType({}),
        kind: str = "command",
        **more: Any,
    ) -> None:
        """`aliases` are names that no page lists; `kind` is what commands are called in messages."""
        super().__init__(*arguments, **more)
        self._sections, self._aliases, self._kind = sections, aliases, kind
        self.entries = {name: entry for section in sections.values() for name, entry in section.items()}

    def list_commands(self, ctx: click.Context) -> list[str]:
        """All names, in the order of the help page."""
        return list(self.entries)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """The command of that name, or None."""
        cmd_name = self._aliases.get(cmd_name, cmd_name)
        if cmd_name not in self.entries:
            return None
        module, _, attribute = self.entries[cmd_name].home.partition(":")
        command: click.Command = getattr(import_module(module), attribute)
        return command

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The command that `args` ask for; an error about an unknown one suggests the nearest."""
        args = [self._aliases.get(args[0], args[0]), *args[1:]]
        if args[0] not in self.entries and not args[0].startswith("-"):
            see = f"{ctx.command_path} --help".removeprefix(f"{ctx.find_root().info_name} ")
            raise UnknownNameError(self._kind, args[0], self.entries, see=see)
        return super().resolve_command(ctx, args)

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        """List what each command is for, section by section, all in the same columns."""
        width = max(map(len, self.entries))
        for section, entries in self._sections.items():
            with formatter.section(section):
                formatter.write_dl([(name.ljust(width), entry.summary) for name, entry in entries.items()])


# What `gemhunter` shows without a command: a solved sample board, and what to try next.


NEXT_STEPS = """Try next, in the browser: {command} web

With boards of your own, or samples (sample:9x9; {command} samples lists them):
  {command} solve BOARD -e cdcl -e pysat:g4    solve it by one engine or several; a folder works too
  {command} explain BOARD                      why each cell is a trap or a gem, step by step
  {command} cnf BOARD                          the clauses, for a solver of your own
  {command} engines --new mine.py              begin a solver of your own, to be used by -e ./mine.py
  {command} bench BOARD -e dpll -e cdcl        compare engines fairly
  {command} report BOARD -o report.html        clauses, traces, tables and charts, ready to hand in
With a class:
  {command} generate puzzle 9x9 --count 4      puzzles with one solution, at a chosen difficulty
  {command} check BOARD ANSWER                 grade an answer, or a folder of a whole class
To play:
  {command} play                               the game in the terminal, with hints and agents
  {command} watch                              an agent plays

{command} --help has everything else"""


def show_demo() -> None:
    """Solve the sample board and say what to try next."""
    # Imported here, so that `--help` imports nothing of boards.
    from gemhunter.cli.board_arguments import board_text
    from gemhunter.draw.text_maps import seconds_text
    from gemhunter.files.samples import FIRST_SAMPLE
    from gemhunter.play.game_names import read_grid
    from gemhunter.questions.solve import solve

    report = solve(read_grid(FIRST_SAMPLE))
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({FIRST_SAMPLE}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(board_text(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    click.echo(f"{board_text(filled)}\n\n{NEXT_STEPS.format(command=program_name())}")


# The `gemhunter` command, and what happens when something goes wrong.


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

    from gemhunter.files.access import keep_privately

    system = f"gemhunter {__version__}, Python {platform.python_version()}, {platform.platform()}"
    command = shlex.join([PROGRAM_NAME, *arguments])
    details = "".join(traceback.format_exception(error))
    path = keep_privately(f"{system}\n{command}\n\n{details}", "error", ".txt")
    words = " ".join(f"{type(error).__name__}: {error}".split())[:LONGEST_MESSAGE]
    where = "" if path is None else f", details in {path}"
    complain(f"internal error: {words}; please report it{where}")
