"""`gemhunter convert`: a board in another form."""

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.options import output_option, read_cell_name, traps_option, zero_option

if TYPE_CHECKING:
    from gemhunter.core.grid import Cell
    from gemhunter.formats.game_files import GameFile

SHOWN = ("text", "compact", "json", "svg")
"""What is shown, as it is."""

TRUTHS = ("mines", "mbf", "sgt", "sgt-masked")
"""Where the traps are."""

BY_SUFFIX = {".mine": "mine", ".mbf": "mbf", ".abf": "mbf", ".sgt": "sgt", ".json": "json", ".svg": "svg"}


@click.command()
@click.argument("board")
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
@traps_option
@zero_option
@output_option("the result")
def convert(board: str, *, form: str | None, zero: Any, output: Path | None, **how: Any) -> None:
    """Read a board in any dialect and write it in another form.

    BOARD is a file or - for standard input: text, JSON, .mine, .mbf, .abf, a replay; or the id of a game.
    Forms of the truth (mines, mbf, sgt, sgt-masked) need a board in which no cell is left open.

    \b
    Examples:
      gemhunter convert messy.csv -o board.txt
      gemhunter convert board.txt --to svg -o board.svg
      gemhunter convert map.txt --mines
      gemhunter convert game.mbf --to sgt
      gemhunter convert expert#42:opening --first r8c15 -o game.mbf
    """
    from gemhunter.formats.files import write_atomically
    from gemhunter.play.opening_files import is_game_id

    if form is None:
        form = BY_SUFFIX.get("" if output is None else output.suffix.lower(), "text")
    if how["first"] is not None and not form.startswith("sgt") and not is_game_id(board):
        raise click.UsageError("--first is for game ids and for --to sgt; leave it out")
    content = _content(_look_up(board, zero, **how), form, how["first"])
    if output is not None:
        write_atomically(output, content)
    elif isinstance(content, bytes) and sys.stdout.isatty():
        raise click.UsageError("an .mbf file is no text for a terminal; write it with -o FILE")
    else:
        click.echo(content, nl=False)


def _look_up(
    board: str, zero: Any, *, source_form: Any, mines: bool, first: "Cell | None", traps: int | None
) -> "GameFile":
    """What the board says, and the number of traps from the command line if it says none."""
    from dataclasses import replace

    from gemhunter.cli.board_warnings import clue_warnings
    from gemhunter.play.opening_files import CORNER, look_up

    if mines and source_form not in (None, "mines"):
        raise click.UsageError(f"--mines and --from {source_form} exclude each other; give one of them")
    file = look_up(board, "mines" if mines else source_form, zero, first=first or CORNER)
    for warning in clue_warnings(file.position.grid):
        click.echo(f"warning: {file.source}: {warning}", err=True)
    if traps is None:
        return file
    if file.position.total not in (None, traps):
        raise click.UsageError(f"--traps says {traps}, but {file.source} {file.position.total}")
    return replace(file, position=replace(file.position, total=traps))


def _content(file: "GameFile", form: Any, first: "Cell | None") -> str | bytes:
    from gemhunter.formats.game_files import board_content
    from gemhunter.formats.json_boards import grid_rows
    from gemhunter.formats.mine_text import write_mine
    from gemhunter.render.svg import draw_grid

    if form in TRUTHS:
        begin, masked = first or file.first, form == "sgt-masked"
        return board_content(file.board(), form.removesuffix("-masked"), first=begin, masked=masked)
    grid = file.position.grid
    return {
        "text": lambda: f"{grid}\n",
        "compact": lambda: str(grid).replace(", ", "") + "\n",
        "json": lambda: json.dumps({"grid": grid_rows(grid)}, indent=2) + "\n",
        "svg": lambda: draw_grid(grid),
        "mine": lambda: write_mine(file.position),
    }[form]()
