"""`gemhunter convert`: a board in another form."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.option_types import SEED
from gemhunter.cli.options import (
    complete_board,
    first_click_option,
    output_option,
    read_cell_name,
    traps_option,
    zero_option,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from gemhunter.core.grid import Cell
    from gemhunter.formats.game_files import GameFile

SHOWN = ("text", "compact", "json", "svg", "png")
"""What is shown, as it is."""

TRUTHS = ("mines", "mbf", "sgt", "sgt-masked")
"""Where the traps are."""

BY_SUFFIX = {
    ".txt": "text",
    ".csv": "text",
    ".json": "json",
    ".svg": "svg",
    ".png": "png",
    ".mine": "mine",
    ".mbf": "mbf",
    ".abf": "mbf",
    ".sgt": "sgt",
}


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.option(
    "--to",
    "form",
    type=click.Choice([*SHOWN, "mine", *TRUTHS]),
    show_default="as FILE ends, else text",
    help="Canonical text, one character per cell, JSON, a picture; or a file of a game: .mine, a mine map, "
    ".mbf, an id of the puzzle collection.",
)
@click.option(
    "--from",
    "source_form",
    type=click.Choice(["text", "mines", "mine", "mbf", "sgt", "replay"]),
    help="What BOARD is, if neither its name nor its content tells.",
)
@click.option("--mines", is_flag=True, help="The same as --from mines: BOARD is a mine map (`*`, `.`).")
@click.option(
    "--first",
    callback=read_cell_name,
    metavar="CELL",
    help="Where the player of a game begins, such as r1c1.",
)
@click.option(
    "--seed",
    type=SEED,
    metavar="N",
    help="Deal the game of this seed, if BOARD is a level.",
)
@first_click_option
@traps_option
@zero_option
@output_option("the result")
@quiet_option
def convert(board: str, *, form: str | None, zero: Any, output: Path | None, **how: Any) -> None:
    """Read a board in any dialect and write it in another form.

    BOARD is a file or - for standard input: text, JSON, .mine, .mbf, .abf, a replay; or a game as for play:
    a level, or the id of a game. Forms of the truth (mines, mbf, sgt, sgt-masked) need a board in which no
    cell is left open.

    \b
    Examples:
      gemhunter convert messy.csv -o board.txt
      gemhunter convert sample:9x9 -o board.png
      gemhunter convert map.txt --mines
      gemhunter convert game.mbf --to sgt
      gemhunter convert expert --seed 42 --first-click opening --first r8c15 -o game.mbf
    """
    from gemhunter.play.game_names import is_game_id

    form = form or _form_of(output)
    board = _dealt(board, how.pop("seed"), how.pop("first_click"))
    if how["first"] is not None and not form.startswith("sgt") and not is_game_id(board):
        raise click.UsageError("--first is for game ids and for --to sgt; leave it out")
    content = _content(_look_up(board, zero, **how), form, how["first"])
    if output is not None:
        write_output(output, content, form)
    elif isinstance(content, bytes) and sys.stdout.isatty():
        raise click.UsageError(f"{form} is no text for a terminal; write it with -o FILE")
    else:
        click.echo(content, nl=False)


def _form_of(output: Path | None) -> str:
    """The form that the name of the file to write ends in; an unknown ending is an error before any work."""
    suffix = "" if output is None else output.suffix.lower()
    if suffix and suffix not in BY_SUFFIX:
        raise click.UsageError(f"{output}: unknown ending; expected {', '.join(BY_SUFFIX)}, or --to FORM")
    return BY_SUFFIX.get(suffix, "text")


def _dealt(board: str, seed: int | None, rule: str | None) -> str:
    """The board's name; for a level, that of a game of it, which is printed if nobody chose its seed."""
    from gemhunter.cli.play import dealt_id
    from gemhunter.play.levels import is_level

    if not is_level(board) or Path(board).exists():
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return board
    game = str(dealt_id(board, seed, rule))
    if seed is None:
        note(f"game {game}")
    return game


def _look_up(
    board: str, zero: Any, *, source_form: Any, mines: bool, first: "Cell | None", total: int | None
) -> "GameFile":
    """What the board says, with the number of traps from the command line if one is given."""
    from dataclasses import replace

    from gemhunter.cli.board_warnings import clue_warnings, total_warnings
    from gemhunter.core.grid import HIDDEN
    from gemhunter.play.game_names import CORNER, look_up

    if mines and source_form not in (None, "mines"):
        raise click.UsageError(f"--mines and --from {source_form} exclude each other; give one of them")
    file = look_up(board, "mines" if mines else source_form, zero, first=first or CORNER)
    for warning in clue_warnings(file.position.grid):
        note(f"warning: {file.source}: {warning}")
    if total is None:
        return file
    if HIDDEN not in file.position.grid.cells and file.position.total not in (None, total):
        raise click.UsageError(f"--traps says {total}, but {file.source} {file.position.total}")
    for warning in total_warnings(file.position.total, total):
        note(f"warning: {file.source}: {warning}")
    return replace(file, position=replace(file.position, total=total))


def _content(file: "GameFile", form: Any, first: "Cell | None") -> str | bytes:
    from gemhunter.formats.game_files import board_content
    from gemhunter.formats.json_boards import grid_rows
    from gemhunter.formats.mine_text import write_mine
    from gemhunter.render.grids import draw_grid, draw_grid_png

    if form in TRUTHS:
        begin, masked = first or file.first, form == "sgt-masked"
        return board_content(file.board(), form.removesuffix("-masked"), first=begin, masked=masked)
    grid = file.position.grid
    writers: dict[str, Callable[[], str | bytes]] = {
        "text": lambda: f"{grid}\n",
        "compact": lambda: str(grid).replace(", ", "") + "\n",
        "json": lambda: json.dumps({"grid": grid_rows(grid)}, indent=2) + "\n",
        "svg": lambda: draw_grid(grid),
        "png": lambda: draw_grid_png(grid),
        "mine": lambda: write_mine(file.position),
    }
    return writers[form]()
