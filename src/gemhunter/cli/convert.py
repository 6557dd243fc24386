"""`gemhunter convert`: a board in another form."""

import sys
from dataclasses import replace
from pathlib import Path

import click

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.board.position import FirstClick
from gemhunter.cli.declare import command, option
from gemhunter.cli.exit_codes import note
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    FIRST_CLICK_OPTION,
    SEED,
    TRAPS_OPTION,
    ZERO_OPTION,
    cell_option,
    clue_warnings,
    total_warnings,
)
from gemhunter.cli.output import Outputs, ending_of, format_option, output_option, write_output
from gemhunter.draw.grids import GRID_PICTURES
from gemhunter.files.boards import FILE_KINDS, KIND_OF_SUFFIX, READABLE, WRITABLE, GameFile, game_file_content
from gemhunter.files.dialects import Zero
from gemhunter.play.game_ids import dealt_id, is_level, read_game_id
from gemhunter.play.game_names import is_game_id, look_up

FORM_BY_ENDING = {suffix.removeprefix("."): kind for suffix, kind in KIND_OF_SUFFIX.items()}
FORM_BY_ENDING |= {name: name for name in GRID_PICTURES}
"""The form to write, by the ending of a file's name."""


@command()
def convert(
    board: str = BOARD_ARGUMENT,
    *,
    form: str = format_option(
        *("text", *(form for form in WRITABLE if form != "text"), "svg"),
        what="What to print: canonical text, one character per cell, JSON, a picture; or a file of a "
        "game: .mine, a mine map, .mbf, an id of the puzzle collection.",
    ),
    outputs: Outputs = output_option(" ".join(FORM_BY_ENDING), "the board in that form"),
    source_form: str | None = option(
        "--from",
        "The form of BOARD, if neither its name nor its content shows it; mines is a mine map (`*`, `.`).",
        choices=READABLE,
    ),
    total: int | None = TRAPS_OPTION,
    first: Cell | None = cell_option("--first", "Where the player of a game begins, such as r1c1."),
    seed: int | None = option("--seed N", "Deal the game with this seed, if BOARD is a level.", type=SEED),
    first_click: FirstClick | None = FIRST_CLICK_OPTION,
    zero: Zero = ZERO_OPTION,
) -> None:
    """Read a board in any dialect and write it in another form.

    \b
    Examples:
      gemhunter convert messy.csv -o board.txt
      gemhunter convert sample:9x9 -o board.png
      gemhunter convert map.txt --from mines
      gemhunter convert game.mbf --format sgt
      gemhunter convert expert --seed 42 --first-click opening --first r8c15 -o game.mbf

    BOARD is a file or - for standard input: text, JSON, .mine, .mbf, .abf, a replay; or, as for play, a level
    or the id of a game. Forms that store the traps (mines, mbf, sgt, sgt-masked) need a board whose traps are
    all known.
    """
    board = _dealt(board, seed, first_click)
    forms = [FORM_BY_ENDING.get(ending_of(path), form) for path in outputs.paths]
    is_sgt = all(each.startswith("sgt") for each in forms or [form])
    if first is not None and not is_game_id(board) and not is_sgt:
        raise click.UsageError("--first is for game ids and for --format sgt; leave it out")
    file = look_up(board, source_form, zero, first=first)
    if first is None and is_game_id(board) and read_game_id(board).first_click.needs_no_guess:
        note(f"{board}: the player begins at {file.first}; --first deals for another cell")
    for warning in clue_warnings(file.position.grid):
        note(f"warning: {file.source}: {warning}")
    if total is not None:
        file = _with_total(file, total)

    def content(form: str) -> str | bytes:
        if form in GRID_PICTURES:
            return GRID_PICTURES[form](file.position.grid)
        return game_file_content(replace(file, first=first or file.first), form)

    position = file.position
    lost = ["the number of traps"] * (position.total is not None and HIDDEN in position.grid.cells)
    lost += ["flags"] * bool(position.flags.any())
    if lost and not {"text", "compact"}.isdisjoint(forms or [form]):
        note(f"note: {' and '.join(lost)} cannot be written as text; .json and .mine keep them")
    for path, each in zip(outputs.paths, forms, strict=True):
        kind = FILE_KINDS.get(each)
        write_output(path, content(each), "the board as a picture" if kind is None else kind.holds)
    if outputs.is_printed:
        printed = content(form)
        if isinstance(printed, bytes) and sys.stdout.isatty():
            raise click.UsageError(f"{form} is not text for a terminal; write it with -o FILE")
        click.echo(printed, nl=False)


def _dealt(board: str, seed: int | None, rule: FirstClick | None) -> str:
    """The name of a board; a level is replaced by the id of a game, printed if its seed is random."""
    if not is_level(board) or Path(board).exists():
        if seed is not None or rule is not None:
            raise click.UsageError("--seed and --first-click are for levels; an id or a file has its own")
        return board
    game = str(dealt_id(board, seed, rule))
    if seed is None:
        note(f"game {game}")
    return game


def _with_total(file: GameFile, total: int) -> GameFile:
    """The file with another total; an error if it shows all of its traps, and their number differs."""
    own = file.position.total
    if HIDDEN not in file.position.grid.cells and own not in (None, total):
        raise click.UsageError(f"--traps says {total}, but {file.source} has {own}")
    for warning in total_warnings(own, total):
        note(f"warning: {file.source}: {warning}")
    return replace(file, position=replace(file.position, total=total))
