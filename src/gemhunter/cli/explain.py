"""`gemhunter explain`: why cells are traps or gems, in steps that a person can follow."""

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import click

from gemhunter.cli.board_arguments import BoardReading
from gemhunter.cli.board_text import terminal_columns
from gemhunter.cli.explain_text import cell_explanation_lines, exit_code, explanation_lines
from gemhunter.cli.notes import print_or_write, quiet_option
from gemhunter.cli.option_types import OutputFile, options_as
from gemhunter.cli.options import (
    complete_board,
    format_option,
    output_option,
    read_cell_name,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.progress import ask_with_progress
from gemhunter.cli.screen import styled
from gemhunter.core.grid import Cell, Grid
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import write_atomically
from gemhunter.printable import json_text
from gemhunter.queries.explain import Explanation
from gemhunter.queries.explain import explain as explain_board
from gemhunter.queries.explain_cell import CellExplanation, explain_cell, explain_opposite
from gemhunter.records.explanations import cell_explanation_record, explanation_record
from gemhunter.render.text_maps import plain_text


@dataclass(frozen=True, slots=True)
class ExplainOptions:
    """The options of `gemhunter explain`."""

    cell: Cell | None
    opposite: bool
    total: int | None
    time_limit: float | None
    zero: Zero
    form: str
    html: Path | None
    svg: Path | None
    step: int | None
    gif: Path | None
    output: Path | None


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.option(
    "--cell",
    callback=read_cell_name,
    metavar="CELL",
    help="Explain this cell alone, such as r3c4, with only the steps that it needs.",
)
@click.option(
    "--not",
    "opposite",
    is_flag=True,
    help="With --cell: show what goes wrong if the cell has the other value.",
)
@traps_option
@seconds_option("Give up after this many seconds; the steps so far are printed.")
@zero_option
@format_option
@click.option(
    "--html",
    type=OutputFile(),
    metavar="FILE",
    help="Write a page that plays the steps, for any browser; it needs no network.",
)
@click.option(
    "--svg",
    type=OutputFile(),
    metavar="FILE",
    help="Write a picture of the hardest step, or of the last one with --cell.",
)
@click.option(
    "--step", type=click.IntRange(min=1), metavar="N", help="With --svg: the number of the step to draw."
)
@click.option("--gif", type=OutputFile(), metavar="FILE", help="Write the steps as an animation.")
@output_option("what would be printed, without colours,")
@quiet_option
@options_as(ExplainOptions)
def explain(board: str, options: ExplainOptions) -> int:
    """Explain step by step why cells are traps or gems.

    Each step uses the easiest rule there is, and names the clues that it rests on. At the end, all cells are
    decided that are the same in every solution; if others are left, two solutions show that they can be both.
    If the board has no solution, the steps lead from a smallest set of conflicting clues to one that cannot
    hold.

    Returns 0 if everything is explained, 1 if the board has no solution, 2 for bad input, 3 if the time limit
    was reached first.

    \b
    Examples:
      gemhunter explain board.txt
      gemhunter explain position.txt --traps 99
      gemhunter explain board.txt --cell r3c4
      gemhunter explain board.txt --cell r3c4 --not
      gemhunter explain board.txt --format json -o steps.json
      gemhunter explain board.txt --html steps.html --gif steps.gif
    """
    if options.opposite and options.cell is None:
        raise click.UsageError("--not is about one cell; name it with --cell, as in --cell r3c4 --not")
    if options.step is not None and options.svg is None:
        raise click.UsageError("--step is the number of the step that --svg draws; add --svg FILE")
    position = BoardReading(options.zero, options.total).read_and_warn(board)
    found = _explain(board, position.grid, position.total, options)
    if options.step is not None and options.step > len(found.steps):
        count = counted(len(found.steps), "step")
        raise InputError(f"there is no step {options.step}: the explanation has {count}")
    print_or_write(_text(board, found, options), options.output, "the explanation")
    if options.html or options.svg or options.gif:
        _write_pictures(board, found, options)
    return exit_code(found)


def _explain(
    board: str, grid: Grid, total: int | None, options: ExplainOptions
) -> Explanation | CellExplanation:
    """Explain the board, or the cell that the options name, with a line of progress."""
    cell, limit = options.cell, options.time_limit
    if cell is None:
        return ask_with_progress(board, limit, lambda run: explain_board(grid, total=total, run=run))
    require_on_board(grid, cell)
    ask = explain_opposite if options.opposite else explain_cell
    return ask_with_progress(f"{board} {cell}", limit, lambda run: ask(grid, cell, total=total, run=run))


def require_on_board(grid: Grid, cell: Cell) -> None:
    """Raise an error unless the board has this cell."""
    if cell.row >= grid.rows or cell.col >= grid.cols:
        size = f"{counted(grid.rows, 'row')} and {counted(grid.cols, 'column')}"
        raise InputError(f"{cell} is not on the board, which has {size}")


def _text(board: str, found: Explanation | CellExplanation, options: ExplainOptions) -> str:
    """The explanation as JSON; or for a terminal, with colours, or for a file, with lines of any width."""
    if options.form == "json":
        return f"{json_text(_record(board, found), indent=2)}\n"
    columns = terminal_columns() if options.output is None else None
    if isinstance(found, Explanation):
        lines = explanation_lines(board, found, columns)
    else:
        lines = cell_explanation_lines(board, found, columns)
    return f"{styled(lines) if options.output is None else plain_text(lines)}\n"


def _record(board: str, found: Explanation | CellExplanation) -> dict[str, Any]:
    if isinstance(found, Explanation):
        return explanation_record(board, found)
    return cell_explanation_record(board, found)


def _write_pictures(board: str, found: Explanation | CellExplanation, options: ExplainOptions) -> None:
    # What draws is loaded only for those who want pictures.
    from gemhunter.queries.explain_pictures import explanation_gif, explanation_html, explanation_svg

    if options.html is not None:
        write_atomically(options.html, explanation_html(found, board))
    if options.svg is not None:
        write_atomically(options.svg, explanation_svg(found, board, options.step))
    if options.gif is not None:
        write_atomically(options.gif, explanation_gif(found))
