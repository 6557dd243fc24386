"""`gemhunter convert`: a board in another form."""

import json
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.options import output_option, zero_option


@click.command()
@click.argument("board")
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "compact", "json", "svg"]),
    default="text",
    show_default=True,
    help="The canonical text, one character per cell, JSON, or a picture.",
)
@click.option("--mines", is_flag=True, help="BOARD is a mine map (`*` mine, `.` none): show all its clues.")
@zero_option
@output_option("the result")
def convert(board: str, *, form: str, mines: bool, zero: Any, output: Path | None) -> None:
    """Read a board in any dialect and write it in another form.

    \b
    Examples:
      gemhunter convert messy.csv -o board.txt
      gemhunter convert board.txt --to svg -o board.svg
      gemhunter convert map.txt --mines
    """
    from gemhunter.core.truth import position
    from gemhunter.formats.files import read_text, source_name, write_atomically
    from gemhunter.formats.json_boards import grid_rows
    from gemhunter.formats.mines import parse_mines
    from gemhunter.formats.text import read_grid
    from gemhunter.render.svg import draw_grid

    source = source_name(board)
    grid = position(parse_mines(read_text(board), source=source)) if mines else read_grid(board, zero)
    text = {
        "text": lambda: f"{grid}\n",
        "compact": lambda: str(grid).replace(", ", "") + "\n",
        "json": lambda: json.dumps({"grid": grid_rows(grid)}, indent=2) + "\n",
        "svg": lambda: draw_grid(grid),
    }[form]()
    if output is None:
        click.echo(text, nl=False)
    else:
        write_atomically(output, text)
