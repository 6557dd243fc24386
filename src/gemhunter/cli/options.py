"""Options that several commands share, spelled once, and the types of their values."""

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields
from functools import wraps
from math import isnan
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeVar, get_args

import click
from click.shell_completion import CompletionItem

from gemhunter.board.grid import Cell
from gemhunter.board.position import FirstClick
from gemhunter.cli.main import ARGUMENTS
from gemhunter.cnf.encode import Numbering
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.errors import InputError
from gemhunter.files.access import require_writable
from gemhunter.files.dialects import Zero, read_cell
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.jit.choice import Mode, compiling_everywhere
from gemhunter.play.levels import LEVELS
from gemhunter.solving.registry import engine_names

if TYPE_CHECKING:
    from _typeshed import DataclassInstance


# Types of options: bounded numbers, sizes of memory, files to write, and dataclasses of several options.


Returned = TypeVar("Returned")

LARGEST_INTEGER = 2**63 - 1
"""No number may be too large for the arrays it ends up in."""

SEED = click.IntRange(0, LARGEST_INTEGER)
FIRST_SEED = click.IntRange(0, 2**62)
"""A seed that others follow, one by one."""

AT_LEAST_ONE = click.IntRange(1, LARGEST_INTEGER)

LARGEST_MEMORY = 2**60
_UNITS = MappingProxyType({"": 0, "K": 1, "M": 2, "G": 3, "T": 4})
_MEMORY_SIZE = re.compile(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?", re.IGNORECASE | re.ASCII)

OUTPUTS = "gemhunter.cli.outputs"
"""The key in a context's `meta` for the files that options have named so far."""

IN_PLACE = ("convert",)
"""Commands that may replace the file they read."""


class RealNumber(click.FloatRange):
    """A number within bounds; Click itself lets NaN through, which is neither below nor above anything."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error."""
        number = super().convert(value, param, ctx)
        if isnan(number):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return number


class OutputFile(click.Path):
    """A file to write, refused before any work is done if it cannot be written."""

    def __init__(self) -> None:
        super().__init__(dir_okay=False, path_type=Path)

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The path, or an error."""
        path = Path(os.fsdecode(super().convert(value, param, ctx)))
        require_writable(path)
        if ctx is not None:
            _require_apart(path, ctx)
        return path


@dataclass(frozen=True, slots=True)
class LedgerFiles:
    """A new file that keeps what is measured, or one to resume."""

    output: Path | None
    resume: Path | None


@dataclass(frozen=True, slots=True)
class WorkerOptions:
    """Which workers do the work: the address of a Dask cluster, and how many workers on this machine."""

    dask: str | None
    workers: int | None


def options_as(
    kind: "type[DataclassInstance]", parameter: str = "options"
) -> Callable[[Callable[..., Returned]], Callable[..., Returned]]:
    """Hand a command those options that are fields of the dataclass `kind` as one value, `parameter`.

    This decorator stands below those of the options.
    """
    names = {field.name for field in fields(kind)}

    def decorate(command: Callable[..., Returned]) -> Callable[..., Returned]:
        @wraps(command)
        def with_options(**given: Any) -> Returned:
            value = kind(**{name: given.pop(name) for name in names})
            return command(**given, **{parameter: value})

        return with_options

    return decorate


def read_size(ctx: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """The bytes that a text means: `500MB` and `500M` are 500 million, `500MiB` are 500 · 1024²."""
    if text is None:
        return None
    found = _MEMORY_SIZE.fullmatch(text.strip())
    if found is None or (found[3] and not found[2]):
        raise click.BadParameter(f"{text!r} is not a size; expected bytes, as in 500MB, 300MiB or 1000000")
    size = float(found[1]) * (1024 if found[3] else 1000) ** _UNITS[found[2].upper()]
    if size < 1:
        raise click.BadParameter(f"{text!r} is too little memory; expected a size above 0")
    if size > LARGEST_MEMORY:
        raise click.BadParameter(f"{text!r} is more than any machine has; leave the limit out instead")
    return int(size)


def _require_apart(path: Path, ctx: click.Context) -> None:
    """Raise if this file to write is read too, or is the file of another option."""
    if path.exists() and not path.is_file():  # a device or a pipe takes everything
        return
    others: list[Path] = ctx.meta.setdefault(OUTPUTS, [])
    if any(_is_same(path, other) for other in others):
        raise InputError(f"{path} would be written twice; name two files")
    others.append(path)
    words: Sequence[str] = ctx.meta.get(ARGUMENTS, ())
    if path.is_file() and ctx.command.name not in IN_PLACE and _times_named(path, words) > 1:
        raise InputError(f"{path} is read by this command; name another file to write")


def _times_named(path: Path, words: Sequence[str]) -> int:
    """How many words of the command line lead to a file, with or without `--option=` before it."""
    values = (word.partition("=")[2] if word.startswith("--") and "=" in word else word for word in words)
    return sum(_is_same(path, Path(value)) for value in values)


def _is_same(one: Path, other: Path) -> bool:
    try:
        return one.samefile(other)
    except (OSError, ValueError):  # at least one of them does not exist
        return one.absolute() == other.absolute()


# Options that several commands share, spelled once.


Command = TypeVar("Command", bound=Callable[..., Any])

FIRST_ENCODING, *OTHER_ENCODINGS = ENCODINGS
"""Our own encoding, which is the default, and those of PySAT."""


def cores() -> int:
    """How many processes can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def complete_engine(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Engine names for the shell's completion."""
    return [name for name in engine_names() if name.startswith(incomplete)]


def complete_agent(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of agents for the shell's completion."""
    from gemhunter.play.agents.registry import agent_names

    return [name for name in agent_names() if name.startswith(incomplete)]


def complete_level(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of levels for the shell's completion."""
    return [name for name in LEVELS if name.startswith(incomplete)]


def complete_game(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str] | list[CompletionItem]:
    """Names of levels for the shell's completion; files if none begins like this."""
    return complete_level(ctx, param, incomplete) or [CompletionItem(incomplete, type="file")]


def complete_board(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str] | list[CompletionItem]:
    """Names of sample boards for the shell's completion; files if none begins like this."""
    names = [f"{SAMPLE_PREFIX}{name}" for name in SAMPLES]
    found = [name for name in names if incomplete and name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


def zero_option(command: Command) -> Command:
    """What a 0 on the board means."""
    return click.option(
        "--zero",
        type=click.Choice(get_args(Zero)),
        default="clue",
        show_default=True,
        help="What a 0 on the board means.",
    )(command)


def traps_option(command: Command) -> Command:
    """The total number of traps."""
    return click.option(
        "--traps",
        "total",
        type=click.IntRange(min=0),
        metavar="N",
        help="The number of traps on the whole board, if it is known.",
    )(command)


def density_option(default: float) -> Callable[[Command], Command]:
    """The probability of a trap where the number of traps is unknown; 0.5 is the same as none."""
    return click.option(
        "--density",
        type=RealNumber(0, 1, min_open=True, max_open=True),
        metavar="P",
        help="If the number of traps is unknown: the probability that a cell is a trap before the clues are "
        f"known; with 0.5 all solutions count the same [default: {default:g}].",
    )


def numbering_option(command: Command) -> Command:
    """How variables are numbered."""
    return click.option(
        "--variables",
        type=click.Choice(get_args(Numbering)),
        default="hidden",
        show_default=True,
        help="Number unknown cells 1..n, or by place, r·C + c + 1: `all` with units for clues, or `places`.",
    )(command)


def plain_option(command: Command) -> Command:
    """Run the engines of this package as plain Python."""

    def choose(context: click.Context, _: click.Parameter, is_plain: bool) -> None:
        if is_plain:
            context.with_resource(compiling_everywhere(Mode.NEVER))

    return click.option(
        "--plain",
        is_flag=True,
        expose_value=False,
        callback=choose,
        help="Compile nothing: engines written here run as plain Python, as fast as your own code would.",
    )(command)


def encoding_option(command: Command) -> Command:
    """How regions become clauses."""
    return click.option(
        "--encoding",
        default=FIRST_ENCODING,
        show_default=True,
        metavar="NAME",
        help=f"{FIRST_ENCODING}, or one of PySAT's: {', '.join(OTHER_ENCODINGS)}.",
    )(command)


def read_cell_name(ctx: click.Context, param: click.Parameter, text: str | None) -> Cell | None:
    """The cell that a text such as `r1c1` names."""
    return None if text is None else read_cell(text)


def output_option(what: str) -> Callable[[Command], Command]:
    """The file to write to."""
    return click.option(
        "-o",
        "--output",
        type=OutputFile(),
        metavar="FILE",
        help=f"Write {what} to FILE.",
    )


def seconds_option(what: str, default: float | None = None) -> Callable[[Command], Command]:
    """A time limit."""
    return click.option(
        "--time-limit",
        type=RealNumber(min=0, min_open=True),
        metavar="SECONDS",
        default=default,
        show_default=default is not None,
        help=what,
    )


def memory_option(command: Command) -> Command:
    """A memory limit."""
    return click.option(
        "--memory-limit",
        callback=read_size,
        metavar="SIZE",
        help="Give up rather than hold more than SIZE for the search, such as 500MB, 2GB or 300MiB.",
    )(command)


def engine_option(
    help_text: str, *, multiple: bool = False, default: str = "auto"
) -> Callable[[Command], Command]:
    """Which engine solves, or which engines do."""
    return click.option(
        "-e",
        "--engine",
        metavar="NAME",
        multiple=multiple,
        default=[default] if multiple else default,
        show_default=default,
        shell_complete=complete_engine,
        help=help_text,
    )


def compared_engines_option(otherwise: str) -> Callable[[Command], Command]:
    """Which engines a comparison is about; `otherwise` are those compared by default."""
    return click.option(
        "-e",
        "--engine",
        "engines",
        multiple=True,
        metavar="NAME",
        shell_complete=complete_engine,
        help=f"Engine to compare; may be given several times [default: {otherwise}].",
    )


def seed_option(command: Command) -> Command:
    """The seed of the first game or board of an experiment."""
    return click.option(
        "--seed",
        type=FIRST_SEED,
        default=1,
        show_default=True,
        help="Seed of the first game or board; the others follow it.",
    )(command)


def first_seed_option(command: Command) -> Command:
    """The seed of an engine's first run."""
    return click.option(
        "--seed", type=FIRST_SEED, default=0, show_default=True, help="Seed of first runs; others follow."
    )(command)


def agent_option(help_text: str, default: str) -> Callable[[Command], Command]:
    """Which agent plays."""
    return click.option(
        "-a",
        "--agent",
        metavar="NAME",
        default=default,
        show_default=True,
        shell_complete=complete_agent,
        help=help_text,
    )


def compared_agents_option(help_text: str) -> Callable[[Command], Command]:
    """Which agents a comparison is about."""
    return click.option(
        "-a",
        "--agent",
        "agents",
        multiple=True,
        metavar="NAME",
        shell_complete=complete_agent,
        help=help_text,
    )


def truth_option(command: Command) -> Command:
    """Whether pictures of games show every cell."""
    return click.option(
        "--truth", is_flag=True, help="In pictures, show all clues and traps, not only what the player sees."
    )(command)


def levels_option(default: str) -> Callable[[Command], Command]:
    """The levels to play on."""
    return click.option(
        "--level",
        "levels",
        multiple=True,
        metavar="NAME",
        shell_complete=complete_level,
        help="A level such as expert, or its rows, columns and traps as in 16x30n99; may be given several "
        f"times [default: {default}].",
    )


def first_click_option(command: Command) -> Command:
    """What the first cell of a game can be."""
    return click.option(
        "--first-click",
        type=click.Choice([rule.value for rule in FirstClick]),
        callback=_read_first_click,
        help="What the first cell can be: no trap (this is the default), a 0, or anything; or a 0 after "
        "which no guess is needed, by the clues and the total, or by the clues alone.",
    )(command)


def _read_first_click(ctx: click.Context, param: click.Parameter, text: str | None) -> FirstClick | None:
    return None if text is None else FirstClick(text)


def workers_option(command: Command) -> Command:
    """How many runs are made at the same time."""
    return click.option(
        "--workers",
        type=AT_LEAST_ONE,
        metavar="N",
        help="Runs side by side [default: all cores]; 1 gives the quietest times.",
    )(command)


def dask_option(what: str) -> Callable[[Command], Command]:
    """The Dask cluster that does the work."""
    return click.option(
        "--dask",
        metavar="ADDRESS",
        help=f"{what} on the Dask cluster of this scheduler, or on a `local` one.",
    )


def lines_format_option(help_text: str) -> Callable[[Command], Command]:
    """How to print results that come one after the other: as text, or a JSON object on each line."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "jsonl"]),
        default="text",
        show_default=True,
        help=help_text,
    )


def format_option(command: Command) -> Command:
    """Whether to print for people or for programs."""
    return click.option(
        "--format",
        "form",
        type=click.Choice(["text", "json"]),
        default="text",
        show_default=True,
        help="How to print.",
    )(command)
