"""Boards among the arguments of a command: how they are read, what is odd about them, and formulas."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice

import click
from click.core import ParameterSource

from gemhunter.cli.notes import note
from gemhunter.cnf.formula_files import is_formula
from gemhunter.core.grid import LARGEST_CLUE, LARGEST_DIGIT, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.positions import Position
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import source_name
from gemhunter.play.game_names import read_position
from gemhunter.queries.probability import assumption_words

CELLS_IN_WARNING = 5
"""Cells that a warning names."""


@dataclass(frozen=True, slots=True)
class BoardReading:
    """How to read a board: the values of `--zero` and `--traps`."""

    zero: Zero = "clue"
    total: int | None = None

    def read(self, path: str | os.PathLike[str]) -> tuple[Position, list[str]]:
        """The position in a board file, a replay or a game id, and what is odd about it, a line each.

        Its total is the one of the command line, if there is one, else its own.
        """
        position = read_position(path, self.zero)
        odd = [*total_warnings(position.total, self.total), *board_warnings(position.grid, self.zero)]
        warnings = [f"warning: {source_name(path)}: {each}" for each in odd]
        return position if self.total is None else replace(position, total=self.total), warnings

    def read_and_warn(self, path: str | os.PathLike[str]) -> Position:
        """The position in a board file, a replay or a game id; warnings go to standard error."""
        position, warnings = self.read(path)
        for warning in warnings:
            note(warning)
        return position


def total_warnings(own: int | None, total: int | None) -> list[str]:
    """A warning if the number of traps on the command line is not the one that the board gives."""
    if own is None or total is None or own == total:
        return []
    return [f"the board gives {own} as its number of traps; --traps {total} is used instead"]


def board_warnings(grid: Grid, zero: Zero = "clue") -> list[str]:
    """Warnings about clues that can never hold, and about plain numbers without an unknown cell."""
    warnings = clue_warnings(grid)
    if zero == "clue" and int(grid.cells.min()) == 0:
        zeros = int((grid.cells == 0).sum())
        written = counted(zeros, "zero", "zeros")
        warnings.append(f"no unknown cell, but {written}; if 0 means unknown here, add --zero unknown")
    return warnings


def clue_warnings(grid: Grid) -> list[str]:
    """A warning about clues that can never hold."""
    nines = int((grid.cells == LARGEST_DIGIT).sum())
    if not nines:
        return []
    named = ", ".join(map(str, islice(grid.where(LARGEST_DIGIT), CELLS_IN_WARNING)))
    more = f" and {nines - CELLS_IN_WARNING} more" if nines > CELLS_IN_WARNING else ""
    rule = f"a clue of {LARGEST_DIGIT} can never hold; a cell has at most {LARGEST_CLUE} neighbours"
    return [f"{named}{more}: {rule}"]


def are_formulas(arguments: Sequence[str]) -> bool:
    """Whether the files are formulas; an error if only some of them are."""
    formulas = [argument for argument in arguments if is_formula(argument)]
    boards = [argument for argument in arguments if argument not in formulas]
    if formulas and boards:
        raise click.UsageError(
            f"{formulas[0]} is a formula, {boards[0]} is not; ask about them one at a time"
        )
    return bool(formulas)


def refuse_options_about_boards(formula: str, *kept: str) -> None:
    """Raise an error if an option was given, other than those in `kept`, that means nothing to a formula."""
    context = click.get_current_context()
    for option in context.command.params:
        typed = context.get_parameter_source(option.name or "") is ParameterSource.COMMANDLINE
        if isinstance(option, click.Option) and typed and option.name not in kept:
            raise click.UsageError(f"{option.opts[-1]} is about boards, but {formula} is a formula")


def assumption_line(total: int | None, density: float | None, *, is_chosen: bool) -> str:
    """What risks rest on, and how to change it where it was not chosen."""
    how = "" if is_chosen or total is not None else " (see --traps, --density)"
    return f"{assumption_words(total, density)}{how}"


def require_one_prior(total: int | None, density: float | None) -> None:
    """Raise an error if both `--traps` and `--density` were given."""
    if total is not None and density is not None:
        raise click.UsageError("--traps and --density exclude each other; give one of them")
