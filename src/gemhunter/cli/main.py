"""The `gemhunter` command: the table of commands, the handling of errors, and the demo.

The two commands that help does not list are at the end: `completion` and `warmup`.
"""

import io
import os
import re
import shlex
import shutil
import sys
from collections.abc import Sequence
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path

import click
from click.shell_completion import get_completion_class

from gemhunter import __version__
from gemhunter.cli.commands import Group, argument, command, flag, number
from gemhunter.cli.exit_codes import (
    BAD_INPUT,
    BROKEN_PIPE,
    ENGINE_FAILED,
    INTERRUPTED,
    TERMINATED,
    TerminatedError,
    complain,
    listen,
    note,
    replace_unprintable,
    show_compiling,
    stop_if_pending,
    wants_no_colours,
)
from gemhunter.errors import GemHunterError, InputError
from gemhunter.jit.choice import listening
from gemhunter.wording import PROGRAM_NAME, STARTED_AS, counted, program_name

SECTIONS = {
    "Boards": {
        "solve": "Fill in boards, or show that it cannot be done.",
        "analyse": "Say what is true of all solutions of a board.",
        "explain": "Explain step by step why cells are traps or gems.",
        "hint": "Say what to do next: a deduction, as much of it as you ask for, or the best guess.",
        "check": "Grade filled-in answers, those of one person or of a class.",
        "generate": "Make puzzles and games to order.",
        "convert": "Read a board in any dialect and write it in another form.",
    },
    "Algorithms": {
        "engines": "List all engines, show everything about some of them, or start one of your own.",
        "trace": "Show what an engine does on a board, step by step.",
        "cnf": "Write a board as a DIMACS formula for SAT solvers.",
        "proof": "Check and show proofs that a board has no solution.",
        "bench": "Compare engines on boards: which is fastest, and where.",
        "report": "Measure engines on boards, and write a report about it.",
    },
    "Games": {
        "play": "Play a game in the terminal, with keyboard or mouse.",
        "watch": "Let an agent play a game to its end, and say how it went.",
        "replay": "Play a recorded game again, and show how it ended.",
        "experiment": "Play many games, or deal many boards, and gather statistics.",
    },
    "More": {
        "web": "Open a page to analyse, understand, play, compare and make boards.",
        "samples": "List the boards that come with Gem Hunter.",
        "menu": "Choose boards and engines from a menu.",
    },
}
"""The headings of the help page, and under each its commands: `gemhunter.cli.NAME` has a function NAME."""

COMMAND_NAMES = (*(name for summaries in SECTIONS.values() for name in summaries), "warmup", "completion")
"""All commands; help does not list the last two."""

INSTEAD = {
    "advise": "hint POSITION",
    "decode": "cnf BOARD --model FILE",
    "stats": "analyse BOARD",
    "count": "analyse BOARD",
    "probability": "analyse BOARD",
    "review": "replay GAME.json --review",
    "encode": "cnf BOARD",
    "compare": "bench BOARDS -e ENGINE -e ENGINE",
    "grade": "check TESTS CLASS",
    "sheet": "generate puzzle 9x9 --count 12 -o sheet.pdf",
    "new": "generate puzzle 9x9",
    "make": "generate puzzle 9x9",
    "draw": "convert BOARD -o board.png",
    "show": "convert BOARD",
    "list": "samples",
    "version": "--version",
    "risk": "analyse BOARD",
    "risks": "analyse BOARD",
    "solutions": "solve BOARD --all",
    "dimacs": "cnf BOARD",
    "image": "convert BOARD -o board.png",
    "picture": "convert BOARD -o board.png",
    "marks": "check TESTS CLASS -o marks.csv",
    "puzzle": "generate puzzle 9x9",
    "race": "bench BOARDS -e ENGINE -e ENGINE",
    "agents": "watch --help",
    "animate": "trace BOARD -o search.gif",
    "browser": "web",
    "gui": "web",
    "serve": "web",
    "server": "web",
    "verify": "proof check BOARD PROOF",
    "winrate": "experiment winrate",
}
"""Names that people expect, and what to type for them here."""


OLD_NAMES = {"each": "count", "max-events": "limit", "max-steps": "limit"}
"""Former names of options, which still work until version 0.2, and their names now."""


# The `gemhunter` command, and the handling of errors.


DEBUG = "GEMHUNTER_DEBUG"
"""The environment variable that makes unexpected errors show their traceback."""

COMPLETION_VARIABLE = "_GEMHUNTER_COMPLETE"
"""The environment variable by which a shell asks Click for completions."""


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
        if name in UNLISTED:
            return UNLISTED[name]
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


# The output of `gemhunter` without a command: a solved sample board, and what to try next.


NEXT_STEPS = """Try next, in the browser: {command} web

With boards of your own, or samples (sample:9x9; {command} samples lists them):
  {command} solve BOARD -e cdcl -e pysat:g4    solve it by one engine or several; a folder works too
  {command} explain BOARD                      why each cell is a trap or a gem, step by step
  {command} cnf BOARD                          the clauses, for a solver of your own
  {command} engines --new mine.py              start a solver of your own; -e ./mine.py runs it
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
    """Solve the sample board, and suggest what to try next."""
    # Imported here, so that `--help` is fast.
    from gemhunter.cli.output import board_text
    from gemhunter.files.boards import read_game_file
    from gemhunter.files.samples import FIRST_SAMPLE
    from gemhunter.questions.solve import solve
    from gemhunter.wording import seconds_text

    report = solve(read_game_file(FIRST_SAMPLE).position.grid)
    filled = report.filled
    assert filled is not None  # noqa: S101 - the sample board is ours and has a solution
    click.echo(f"A sample board ({FIRST_SAMPLE}); `_` is unknown, a number counts the traps around it:\n")
    click.echo(board_text(report.grid))
    click.echo(f"\nSolved by {report.engine} in {seconds_text(sum(report.seconds.values()))}:\n")
    click.echo(f"{board_text(filled)}\n\n{NEXT_STEPS.format(command=program_name())}")


# The commands that help does not list.


SHELLS = {
    "bash": ('eval "$({command} completion bash --script)"', "~/.bashrc"),
    "zsh": ('eval "$({command} completion zsh --script)"', "~/.zshrc, below the line with compinit"),
    "fish": ("{command} completion fish --script | source", "~/.config/fish/config.fish"),
    "powershell": (
        "{command} completion powershell --script | Out-String | Invoke-Expression",
        "the file that $PROFILE names",
    ),
}
"""The line that makes a shell complete commands, and the file for it."""


@command()
def completion(
    shell: str = argument(type=click.Choice(list(SHELLS))),
    *,
    script: bool = flag("--script", "Print the script that the line runs."),
) -> None:
    """Print the line that makes your shell complete what you type.

    \b
    Examples:
      gemhunter completion bash
      gemhunter completion zsh

    This covers commands, options, and the names of engines, agents, levels and sample boards. From a clone,
    the line also defines the command gemhunter, so that it works in any folder. PowerShell needs Click 8.5.
    """
    started = os.environ.get(STARTED_AS)
    run_script = None if started is None else shutil.which(started)
    # The program of this clone, quoted for the shell, if its `run` started this process.
    clone = None
    if run_script is not None:
        path = str(Path(run_script).absolute())
        clone = f'& "{path}"' if shell == "powershell" else shlex.quote(path)
    text = _script(shell, clone)
    if script:
        click.echo(text, nl=False)
        return
    line, file = SHELLS[shell]
    click.echo(line.format(command=clone or PROGRAM_NAME))
    click.echo(f"put this line into {file}", err=True)


def _script(shell: str, clone: str | None) -> str:
    """Click's script; for a clone, with the path of its program and a command that runs it."""
    kind = get_completion_class(shell)
    if kind is None:
        raise click.UsageError(f"this version of Click cannot complete in {shell}; bash, zsh and fish work")
    script = kind(gemhunter, {}, PROGRAM_NAME, COMPLETION_VARIABLE).source()
    if clone is None or shell == "powershell":
        return script
    for call in ("bash_complete $1", "zsh_complete gemhunter", "(commandline -t) gemhunter"):
        script = script.replace(f"{call})", f"{call.rpartition(' ')[0]} {clone})")
    script = script.replace(f"(( ! $+commands[{PROGRAM_NAME}] )) && return 1", "")
    # Bash looks up the word that was typed, so `./run` needs an entry too.
    script = script.replace("_completion gemhunter\n}", "_completion gemhunter ./run\n}")
    if shell == "fish":
        return f"function {PROGRAM_NAME}; {clone} $argv; end\n{script}"
    return f'{PROGRAM_NAME}() {{ {clone} "$@"; }}\n{script}'


@command()
def warmup(workers: int | None = number("--workers", "Processes that compile [default: all cores].")) -> None:
    """Compile all kernels now, not when first needed.

    \b
    Examples:
      gemhunter warmup
      NUMBA_CACHE_DIR=~/scratch/gemhunter gemhunter warmup

    Small boards need no compiler: kernels run as plain Python until compiling pays off. This command compiles
    them ahead of time, for long experiments. It prints the number of kernels of each engine and agent, and
    where the compiled code is kept.
    """
    # Imported here, so that `--help` is fast.
    from gemhunter.cli.options import cores
    from gemhunter.jit.cache import cache_folder, is_cached
    from gemhunter.jit.choice import is_installed, may_compile, numba_missing
    from gemhunter.play.agents.compiled import play_seeds
    from gemhunter.play.warmup import warm_up
    from gemhunter.wording import seconds_text

    if not may_compile():
        note("nothing is compiled: the environment asks for plain Python")
        return
    if not is_installed():
        note(f"nothing is compiled: {numba_missing()}")
        return
    total, seconds = 0, 0.0
    for each in warm_up(workers or cores()):
        total += each.compiled
        seconds += each.seconds
        said = f"{each.compiled} compiled" if each.compiled else "nothing to compile"
        click.echo(f"{each.name}: {said}, {seconds_text(each.seconds)}")
    click.echo(f"{counted(total, 'kernel')} in {seconds_text(seconds)} of processor time")
    folder = cache_folder(play_seeds)
    if folder is not None and is_cached(play_seeds):
        note(f"kept in {folder.parent}")
    else:
        why = "no folder for compiled code is writable, so every process compiles again"
        note(f"not kept: {why}; set NUMBA_CACHE_DIR to a writable folder")


UNLISTED = {"warmup": warmup, "completion": completion}
