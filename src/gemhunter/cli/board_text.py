"""Boards as people see them on standard output."""

import shutil
import sys
from collections.abc import Sequence

import numpy as np

from gemhunter.cli.screen import has_colours, in_look, styled
from gemhunter.core.grid import CELL_MARKS, GEM, TRAP, Grid
from gemhunter.formats.files import source_name
from gemhunter.play.game import Game
from gemhunter.render.palette import JUST_CHANGED, SHOWN_GEM, SHOWN_TRAP
from gemhunter.render.text_maps import grid_pieces, map_lines, sign_pieces

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


def seen_text(game: Game, before: Game | None = None) -> str:
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
