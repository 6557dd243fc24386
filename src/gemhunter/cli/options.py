"""Options and arguments that several commands share, and how boards among them are read.

Commands use a constant such as `TRAPS_OPTION` as the default of a parameter; a function such as
`seconds_option` declares an option whose help or default differs between commands.
"""

import os
import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import islice
from math import isnan
from pathlib import Path
from typing import Any, get_args

import click
from click.core import ParameterSource
from click.shell_completion import CompletionItem

from gemhunter.board.grid import LARGEST_CLUE, LARGEST_DIGIT, Grid
from gemhunter.board.position import FirstClick, Position
from gemhunter.cli.declare import Declaration, argument, flag, option
from gemhunter.cli.exit_codes import note
from gemhunter.cnf.dimacs import is_formula
from gemhunter.cnf.encodings import ENCODINGS
from gemhunter.files.access import STDIN, source_name
from gemhunter.files.boards import is_board_file, read_game_file
from gemhunter.files.dialects import Zero, read_cell
from gemhunter.files.samples import SAMPLE_PREFIX, SAMPLES
from gemhunter.jit.choice import Mode, compiling_everywhere
from gemhunter.solving.registry import engine_names
from gemhunter.wording import counted

# Types of values.


class RealNumber(click.FloatRange):
    """A number within bounds; Click itself accepts NaN, which is neither below nor above anything."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """The number, or an error."""
        found = super().convert(value, param, ctx)
        if isnan(found):
            self.fail(f"{value!r} is not a number.", param, ctx)
        return found


SEED = click.IntRange(0, 2**63 - 1)
FIRST_SEED = click.IntRange(0, 2**62)
"""The first of consecutive seeds."""


def read_size(ctx: click.Context, param: click.Parameter, text: str | None) -> int | None:
    """A size in bytes: `500MB` and `500M` are 500 million, `500MiB` is 500 · 1024²."""
    if text is None:
        return None
    found = re.fullmatch(r"(\d+(?:\.\d+)?)\s*([KMGT]?)(I?)B?", text.strip(), re.IGNORECASE | re.ASCII)
    if found is None or (found[3] and not found[2]):
        raise click.BadParameter(f"{text!r} is not a size; expected bytes, as in 500MB, 300MiB or 1000000")
    power = " KMGT".index(found[2].upper() or " ")
    size = float(found[1]) * (1024 if found[3] else 1000) ** power
    if size < 1:
        raise click.BadParameter(f"{text!r} is too little memory; expected a size above 0")
    if size > 2**60:
        raise click.BadParameter(f"{text!r} is more than any machine has; leave the limit out instead")
    return int(size)


def cores() -> int:
    """The number of processes that can run at once."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


# Completion in a shell.


def complete_engine(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The engines whose names begin with the text typed so far."""
    return [name for name in engine_names() if name.startswith(incomplete)]


def complete_agent(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The agents whose names begin with the text typed so far."""
    from gemhunter.play.agents.registry import agent_names

    return [name for name in agent_names() if name.startswith(incomplete)]


def complete_level(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The levels whose names begin with the text typed so far."""
    from gemhunter.play.game_ids import LEVELS

    return [name for name in LEVELS if name.startswith(incomplete)]


def complete_game(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str] | list[CompletionItem]:
    """The levels that begin like this, or files if there are none."""
    return complete_level(ctx, param, incomplete) or [CompletionItem(incomplete, type="file")]


def complete_board(
    ctx: click.Context, param: click.Parameter, incomplete: str
) -> list[str] | list[CompletionItem]:
    """The sample boards that begin like this, or files if there are none."""
    names = (f"{SAMPLE_PREFIX}{name}" for name in SAMPLES)
    found = [name for name in names if incomplete and name.startswith(incomplete)]
    return found or [CompletionItem(incomplete, type="file")]


# Options about a board.

BOARD_ARGUMENT = argument(shell_complete=complete_board)

TRAPS_OPTION = option(
    "--traps N", "The number of traps on the whole board, if it is known.", type=click.IntRange(min=0)
)

ZERO_OPTION = option(
    "--zero", "What a 0 on the board means.", rare=True, choices=get_args(Zero), default="clue"
)

FIRST_ENCODING, *OTHER_ENCODINGS = ENCODINGS  # our own, and those of PySAT

ENCODING_OPTION = option(
    "--encoding NAME",
    f"{FIRST_ENCODING}, or one of PySAT's: {', '.join(OTHER_ENCODINGS)}.",
    default=FIRST_ENCODING,
)


def density_option(default: float) -> Declaration:
    """The probability of a trap if the number of traps is unknown; 0.5 has no effect."""
    return option(
        "--density P",
        "If the number of traps is unknown: the probability that a cell is a trap before the clues are "
        f"known; with 0.5, all solutions are equally likely [default: {default:g}].",
        type=RealNumber(0, 1, min_open=True, max_open=True),
    )


def cell_option(flags: str, what: str) -> Declaration:
    """A cell such as `r1c1`."""
    return option(
        flags, what, callback=lambda _, __, text: None if text is None else read_cell(text), metavar="CELL"
    )


# Options about engines and their limits.

MEMORY_OPTION = option(
    "--memory-limit SIZE",
    "Give up if the search needs more memory than SIZE, such as 500MB, 2GB or 300MiB.",
    rare=True,
    callback=read_size,
)

ENGINE_SEED_OPTION = option("--seed N", "Seed of randomised engines.", rare=True, type=SEED, default=0)

FIRST_RUN_SEED_OPTION = option(
    "--seed",
    "Seed of the first runs; later runs use the next seeds.",
    rare=True,
    type=FIRST_SEED,
    metavar="N",
    default=0,
)


def _choose_plain(context: click.Context, _: click.Parameter, is_plain: bool) -> bool:
    if is_plain:
        context.with_resource(compiling_everywhere(Mode.NEVER))
    return is_plain


PLAIN_OPTION = option(
    "--plain",
    "Compile nothing: the engines of Gem Hunter run as plain Python, as fast as your own code would.",
    rare=True,
    is_flag=True,
    callback=_choose_plain,
)
"""It takes effect before the command begins."""


def seconds_option(what: str, *, default: float | None = None, rare: bool = False) -> Declaration:
    """A time limit."""
    limit = RealNumber(min=0, min_open=True)
    return option("--time-limit SECONDS", what, rare=rare, type=limit, default=default)


ENGINES_TO_NAME = (
    "one that `gemhunter engines` lists, or yours: ./mine.py:FUNCTION in Python, cmd:PROGRAM for a SAT "
    "solver, grid:PROGRAM for a program that fills in boards"
)
"""What can follow `-e`."""


def engine_option(what: str, *, multiple: bool = False, default: str = "auto") -> Declaration:
    """The engine that solves, or several engines."""
    usual = [default] if multiple else default
    return option("-e --engine NAME", what, multiple=multiple, default=usual, shell_complete=complete_engine)


def compared_engines_option(otherwise: str) -> Declaration:
    """The engines to compare; `otherwise` describes those compared by default."""
    what = f"Engine to compare: {ENGINES_TO_NAME}; may be given several times [default: {otherwise}]."
    return option("-e --engine NAME", what, multiple=True, shell_complete=complete_engine)


# Options about games.

FIRST_CLICK_OPTION = option(
    "--first-click",
    "The first cell is safe (the default), a 0, or anything; or a 0 after which no guess is needed, "
    "given the clues and the total or the clues alone.",
    choices=[rule.value for rule in FirstClick],
    callback=lambda _, __, text: None if text is None else FirstClick(text),
)

TRUTH_OPTION = flag(
    "--truth", "In pictures, show all clues and traps, not only what the player sees.", rare=True
)

FIRST_SEED_OPTION = option(
    "--seed",
    "Seed of the first game or board; the others follow it.",
    rare=True,
    type=FIRST_SEED,
    metavar="N",
    default=1,
)


def agents_option(what: str) -> Declaration:
    """The agents that play."""
    return option("-a --agent NAME", what, multiple=True, shell_complete=complete_agent)


def levels_option(default: str) -> Declaration:
    """The levels to play on."""
    return option(
        "--level NAME",
        "A level such as expert, or its rows, columns and traps as in 16x30n99; may be given several "
        f"times [default: {default}].",
        multiple=True,
        shell_complete=complete_level,
    )


# Options about long work.


def _read_workers(ctx: click.Context, param: click.Parameter, text: str | None) -> int | str | None:
    """A number of processes, or the address of a Dask scheduler."""
    if text is None or "://" in text or text == "dask":
        return text
    processes: int = click.IntRange(1, 2**63 - 1)(text, param, ctx)
    return processes


TIMING_WORKERS = "1, as runs at the same time slow each other down"
"""The default of commands that measure times."""


def workers_option(what: str, otherwise: str = "all cores") -> Declaration:
    """The number of workers that do `what`, by default `otherwise`, or the address of a Dask cluster."""
    return option(
        "--workers N|ADDRESS",
        f"{what} in N processes [default: {otherwise}], or on the Dask cluster at ADDRESS, such as "
        "tcp://host:8786; `dask` starts one on this machine.",
        rare=True,
        callback=_read_workers,
    )


def resume_option(what: str) -> Declaration:
    """The ledger of earlier work to continue."""
    file = click.Path(exists=True, dir_okay=False, path_type=Path)
    return option("--resume FILE", what, type=file)


# Boards and formulas among the arguments of a command: reading them, and warnings about them.


def read_board(path: str | os.PathLike[str], zero: Zero, total: int | None) -> Position:
    """The position in a board file, a replay or a game id; warnings go to standard error."""
    position, warnings = read_with_warnings(path, zero, total)
    for warning in warnings:
        note(warning)
    return position


def read_with_warnings(
    path: str | os.PathLike[str], zero: Zero, total: int | None = None
) -> tuple[Position, list[str]]:
    """The position in a board file, a replay or a game id, and warnings; `total` replaces its own total."""
    position = _read_position(path, zero)
    warnings = [*total_warnings(position.total, total), *board_warnings(position.grid, zero)]
    warnings = [f"warning: {source_name(path)}: {warning}" for warning in warnings]
    return position if total is None else replace(position, total=total), warnings


def _read_position(path: str | os.PathLike[str], zero: Zero) -> Position:
    """The position that a name stands for; `play` is imported only if it is a game."""
    if is_board_file(path):
        file = read_game_file(path, zero=zero)
        if file.replay is None and file.first is None:
            return file.position
        from gemhunter.play.game_names import game_in

        return (game_in(file) or file).position
    from gemhunter.play.game_names import read_position

    return read_position(path, zero)


def total_warnings(own: int | None, total: int | None) -> list[str]:
    """A warning if the number of traps on the command line differs from that of the board."""
    if own is None or total is None or own == total:
        return []
    return [f"the board gives {own} as its number of traps; --traps {total} is used instead"]


def board_warnings(grid: Grid, zero: Zero) -> list[str]:
    """Warnings about clues that can never hold, and about zeros on a board without unknown cells."""
    warnings = clue_warnings(grid)
    if zero == "clue" and int(grid.cells.min()) == 0:
        written = counted(int((grid.cells == 0).sum()), "zero", "zeros")
        warnings.append(f"no unknown cell, but {written}; if 0 means unknown here, add --zero unknown")
    return warnings


def clue_warnings(grid: Grid) -> list[str]:
    """A warning about clues that can never hold, with the first five of them."""
    nines = int((grid.cells == LARGEST_DIGIT).sum())
    if not nines:
        return []
    named = ", ".join(map(str, islice(grid.where(LARGEST_DIGIT), 5)))
    more = f" and {nines - 5} more" if nines > 5 else ""
    rule = f"a clue of {LARGEST_DIGIT} can never hold; a cell has at most {LARGEST_CLUE} neighbours"
    return [f"{named}{more}: {rule}"]


def are_formulas(arguments: Sequence[str]) -> bool:
    """Whether the files are formulas; an error if only some of them are."""
    formulas = [file for file in arguments if is_formula(file)]
    boards = [file for file in arguments if file not in formulas]
    if formulas and boards:
        raise click.UsageError(f"{formulas[0]} is a formula, {boards[0]} is not; solve them one at a time")
    return bool(formulas)


def require_one_stdin(*files: str) -> None:
    """Raise an error if standard input, which can be read only once, stands for two different files."""
    if files.count(STDIN) > 1:
        raise click.UsageError("standard input can be only one of the files; name the others")


def is_given(name: str) -> bool:
    """Whether the command line gives a value for this parameter of the running command."""
    return click.get_current_context().get_parameter_source(name) is ParameterSource.COMMANDLINE


def refuse_options_about_boards(formula: str, *kept: str) -> None:
    """Raise an error if an option was given, other than those in `kept`, that is only about boards."""
    for each in click.get_current_context().command.params:
        if isinstance(each, click.Option) and is_given(each.name or "") and each.name not in ("quiet", *kept):
            raise click.UsageError(f"{each.opts[-1]} is about boards, but {formula} is a formula")


def assumption_line(total: int | None, density: float | None, *, is_chosen: bool) -> str:
    """What the risks assume, and how to change that if it was not chosen."""
    from gemhunter.questions.probability import assumption_words

    how = "" if is_chosen or total is not None else " (see --traps, --density)"
    return f"{assumption_words(total, density)}{how}"


def require_one_prior(total: int | None, density: float | None) -> None:
    """Raise an error if both `--traps` and `--density` were given."""
    if total is not None and density is not None:
        raise click.UsageError("give either --traps or --density, not both")
