"""Boards and formulas among the arguments of a command: how they are read and shown."""

import os
import shutil
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import TYPE_CHECKING

import click
import numpy as np
from click.core import ParameterSource

from gemhunter.board.grid import CELL_MARKS, GEM, LARGEST_CLUE, LARGEST_DIGIT, TRAP, Grid
from gemhunter.board.position import Position
from gemhunter.cli.notes import note
from gemhunter.cli.output import has_colours, in_look, styled
from gemhunter.cnf.dimacs import is_formula
from gemhunter.draw.palette import JUST_CHANGED, SHOWN_GEM, SHOWN_TRAP
from gemhunter.draw.text_maps import grid_pieces, map_lines, sign_pieces
from gemhunter.files.access import source_name
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted

# Boards among the arguments of a command: how they are read, what is odd about them, and formulas.

if TYPE_CHECKING:
    from gemhunter.play.game import Game


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
        from gemhunter.play.game_names import read_position  # names of games are known to `play`

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
    from gemhunter.questions.probability import assumption_words

    return f"{assumption_words(total, density)}{how}"


def require_one_prior(total: int | None, density: float | None) -> None:
    """Raise an error if both `--traps` and `--density` were given."""
    if total is not None and density is not None:
        raise click.UsageError("--traps and --density exclude each other; give one of them")


# Boards as people see them on standard output.


MOST_MAPPED = 200
"""Rows or columns of a board that is laid out cell by cell."""

LARGEST_SHOWN = 100
"""Rows and columns of a board that is shown above what is said about it."""

HIT = "X"
"""The trap that ended a game."""

CANONICAL_WIDTH = 3
"""Characters per cell of canonical text: the mark, a comma and a space."""


def terminal_columns() -> int | None:
    """How many characters a line may have; None if standard output is not a terminal."""
    return shutil.get_terminal_size().columns if sys.stdout.isatty() else None


def board_text(grid: Grid) -> str:
    """Canonical text, which can be copied into a file; a map with numbers where that would wrap.

    On a terminal with colours, traps and gems are coloured.
    """
    columns = terminal_columns()
    needed = CANONICAL_WIDTH * grid.cols - 2
    if columns is not None and needed > columns and max(grid.cells.shape) <= MOST_MAPPED:
        return styled(map_lines(grid_pieces(grid), columns))
    return _coloured(grid) if has_colours() else str(grid)


def board_heading(name: str, grid: Grid) -> str:
    """The name of a board and its size."""
    return f"{source_name(name)} ({grid.rows}×{grid.cols})"


def shown_board(name: str, grid: Grid, *, in_file: bool = False) -> str:
    """The board below its name, unless it is too large to be looked at; in a file it is canonical text."""
    heading = board_heading(name, grid)
    if max(grid.cells.shape) > LARGEST_SHOWN:
        return f"{heading}, not shown: more than {LARGEST_SHOWN} rows or columns"
    return f"{heading}\n{grid if in_file else board_text(grid)}"


def seen_text(game: "Game", before: "Game | None" = None) -> str:
    """What the player of a game sees, as a map with numbers: `T` is a flag, `X` the trap that was hit.

    With colours, what has changed since `before` stands out.
    """
    seen = np.where(game.held, np.int8(TRAP), game.shown)
    signs = [[CELL_MARKS[code] for code in codes] for codes in seen.tolist()]
    if game.exploded is not None:
        signs[game.exploded.row][game.exploded.col] = HIT
    pieces = sign_pieces(signs)
    if before is not None:
        for row, col in np.argwhere((game.shown != before.shown) | (game.held != before.held)):
            pieces[row][col] = pieces[row][col]._replace(look=JUST_CHANGED)
    return styled(map_lines(pieces, terminal_columns()))


def rows_text(rows: Sequence[str]) -> str:
    """Rows of canonical text; on a terminal a map with numbers that fits its width."""
    columns = terminal_columns()
    if columns is None or max(len(rows), len(rows[0].split(", "))) > MOST_MAPPED:
        return "\n".join(rows)
    return styled(map_lines(sign_pieces(row.split(", ") for row in rows), columns))


def _coloured(grid: Grid) -> str:
    text = str(grid)
    for code, look in ((TRAP, SHOWN_TRAP), (GEM, SHOWN_GEM)):
        text = text.replace(CELL_MARKS[code], in_look(CELL_MARKS[code], look))
    return text
