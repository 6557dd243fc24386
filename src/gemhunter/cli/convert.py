"""`gemhunter convert`: a board in another form."""

import sys
from dataclasses import dataclass, replace
from pathlib import Path

import click

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import FirstClick
from gemhunter.cli.board_arguments import clue_warnings, total_warnings
from gemhunter.cli.notes import note, quiet_option, write_output
from gemhunter.cli.options import (
    SEED,
    complete_board,
    first_click_option,
    options_as,
    output_option,
    read_cell_name,
    traps_option,
    zero_option,
)
from gemhunter.cli.play import dealt_id
from gemhunter.draw.grids import GRID_PICTURES
from gemhunter.files.boards import KIND_OF_SUFFIX, READABLE, WRITABLE, GameFile, game_file_content
from gemhunter.files.dialects import Zero
from gemhunter.play.game_names import CORNER, is_game_id, look_up
from gemhunter.play.levels import is_level

FORM_BY_SUFFIX = {**KIND_OF_SUFFIX, **{f".{name}": name for name in GRID_PICTURES}}
"""The form to write, by how a file's name ends."""


@dataclass(frozen=True, slots=True)
class ConvertOptions:
    """The options of `gemhunter convert`."""

    form: str | None
    source_form: str | None
    mines: bool
    first: Cell | None
    seed: int | None
    first_click: FirstClick | None
    total: int | None
    zero: Zero
    output: Path | None


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.option(
    "--to",
    "form",
    type=click.Choice([*WRITABLE, *GRID_PICTURES]),
    show_default="as FILE ends, else text",
    help="Canonical text, one character per cell, JSON, a picture; or a file of a game: .mine, a mine map, "
    ".mbf, an id of the puzzle collection.",
)
@click.option(
    "--from",
    "source_form",
    type=click.Choice(READABLE),
    help="What BOARD is, if neither its name nor its content says so.",
)
@click.option("--mines", is_flag=True, help="Short for --from mines: BOARD is a mine map (`*`, `.`).")
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
@options_as(ConvertOptions)
def convert(board: str, options: ConvertOptions) -> None:
    """Read a board in any dialect and write it in another form.

    BOARD is a file or - for standard input: text, JSON, .mine, .mbf, .abf, a replay; or a game as for play:
    a level, or the id of a game. Forms of the truth (mines, mbf, sgt, sgt-masked) need a board whose
    traps are all known.

    \b
    Examples:
      gemhunter convert messy.csv -o board.txt
      gemhunter convert sample:9x9 -o board.png
      gemhunter convert map.txt --mines
      gemhunter convert game.mbf --to sgt
      gemhunter convert expert --seed 42 --first-click opening --first r8c15 -o game.mbf
    """
    form = options.form or _form_of(options.output)
    board = _dealt(board, options.seed, options.first_click)
    if options.first is not None and not form.startswith("sgt") and not is_game_id(board):
        raise click.UsageError("--first is for game ids and for --to sgt; leave it out")
    content = _content(_look_up(board, options), form, options.first)
    if options.output is not None:
        write_output(options.output, content, form)
    elif isinstance(content, bytes) and sys.stdout.isatty():
        raise click.UsageError(f"{form} is not text for a terminal; write it with -o FILE")
    else:
        click.echo(content, nl=False)


def _form_of(output: Path | None) -> str:
    """The form that the name of the file to write ends in; an unknown ending is an error before any work."""
    suffix = "" if output is None else output.suffix.lower()
    if suffix and suffix not in FORM_BY_SUFFIX:
        raise click.UsageError(
            f"{output}: unknown ending; expected {', '.join(FORM_BY_SUFFIX)}, or --to FORM"
        )
    return FORM_BY_SUFFIX.get(suffix, "text")


def _dealt(board: str, seed: int | None, rule: FirstClick | None) -> str:
    """The board's name; for a level, that of a game of it, which is printed if its seed is random."""
    if not is_level(board) or Path(board).exists():
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return board
    game = str(dealt_id(board, seed, rule))
    if seed is None:
        note(f"game {game}")
    return game


def _look_up(board: str, options: ConvertOptions) -> GameFile:
    """What the board says, with the number of traps from the command line if one is given."""
    if options.mines and options.source_form not in (None, "mines"):
        raise click.UsageError(
            f"--mines and --from {options.source_form} exclude each other; give one of them"
        )
    source_form = "mines" if options.mines else options.source_form
    file = look_up(board, source_form, options.zero, first=options.first or CORNER)
    for warning in clue_warnings(file.position.grid):
        note(f"warning: {file.source}: {warning}")
    return file if options.total is None else _with_total(file, options.total)


def _with_total(file: GameFile, total: int) -> GameFile:
    """The file with another total; an error if it shows all of its traps, and they are not that many."""
    own = file.position.total
    if HIDDEN not in file.position.grid.cells and own not in (None, total):
        raise click.UsageError(f"--traps says {total}, but {file.source} {own}")
    for warning in total_warnings(own, total):
        note(f"warning: {file.source}: {warning}")
    return replace(file, position=replace(file.position, total=total))


def _content(file: GameFile, form: str, first: Cell | None) -> str | bytes:
    """The board in a form, as the content of a file."""
    if form in GRID_PICTURES:
        return GRID_PICTURES[form](file.position.grid)
    return game_file_content(replace(file, first=first or file.first), form)
