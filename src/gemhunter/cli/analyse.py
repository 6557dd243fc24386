"""`gemhunter analyse`: what all solutions of a board have in common."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from gemhunter.cli.notes import quiet_option
from gemhunter.cli.option_types import OutputFile, RealNumber
from gemhunter.cli.options import (
    complete_board,
    format_option,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)

if TYPE_CHECKING:
    from gemhunter.cli.rough_counts import RoughCounts
    from gemhunter.core.grid import Grid
    from gemhunter.queries.analyse import Analysis
    from gemhunter.solving.run import Limits


@click.command()
@click.argument("board", shell_complete=complete_board)
@traps_option
@click.option(
    "--density",
    type=RealNumber(0, 1, min_open=True, max_open=True),
    metavar="P",
    help="How likely a cell is a trap before anything is known of it, between 0 and 1.",
)
@seconds_option("Give up on each question after this many seconds.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up on each question after this many steps.",
)
@click.option("--bounds", is_flag=True, help="If solutions are too many to count, prove bounds on them.")
@click.option(
    "--estimate",
    is_flag=True,
    help="If solutions are too many to count, estimate them (pip install 'gemhunter[approx]').",
)
@zero_option
@format_option
@click.option(
    "--svg",
    type=OutputFile(),
    metavar="FILE",
    help="Write the heat map as an SVG picture.",
)
@click.option(
    "--png",
    type=OutputFile(),
    metavar="FILE",
    help="Write the heat map as a PNG picture.",
)
@output_option("what would be printed, without colours,")
@quiet_option
def analyse(board: str, *, zero: Any, form: str, output: Path | None, **how: Any) -> int:
    """Say what is true of all solutions of a board.

    Whether it has one, how many, which cells are the same in all of them, and how likely each cell is a
    trap: if all solutions are equally likely, with the number of traps on the board, or with their density.

    \b
    Examples:
      gemhunter analyse board.txt
      gemhunter analyse position.txt --traps 99 --svg risk.svg
      gemhunter analyse position.txt --density 0.2 --format json
      gemhunter analyse lattice.txt --bounds --time-limit 10
    """
    from gemhunter.cli.board_warnings import read_and_warn
    from gemhunter.cli.findings import as_json, exit_code
    from gemhunter.cli.notes import print_or_write, write_output
    from gemhunter.solving.run import Limits

    if None not in (how["total"], how["density"]):
        raise click.UsageError("--traps and --density exclude each other; give one of them")
    position = read_and_warn(board, zero, how["total"])
    grid, density = position.grid, how["density"]
    prior = {"total": position.total if density is None else None, "density": density}
    limits = Limits(how["time_limit"], how["step_limit"])
    found, rough = _analyse(board, grid, limits, bounds=how["bounds"], estimate=how["estimate"], **prior)
    if form == "json":
        print_or_write(f"{as_json(board, found, rough.fields, **prior)}\n", output, "the analysis")
    elif output is not None:
        write_output(output, _text_in_file(found, rough.lines), "the analysis")
    else:
        _print_text(found, rough.lines)
    _write_pictures(found, how["svg"], how["png"])
    return exit_code(found)


def _analyse(
    board: str, grid: "Grid", limits: "Limits", *, bounds: bool, estimate: bool, **prior: Any
) -> "tuple[Analysis, RoughCounts]":
    """Ask all questions, with a line of progress for each."""
    from gemhunter.cli.interrupts import is_pending, stop_if_pending
    from gemhunter.cli.progress import Progress
    from gemhunter.cli.rough_counts import rough_counts
    from gemhunter.queries.analyse import QUESTIONS, analyse_with
    from gemhunter.solving.outcomes import GaveUp
    from gemhunter.solving.run import Run

    progress = Progress(QUESTIONS + bounds + estimate)

    def new_run(question: str) -> Run:
        stop_if_pending()
        progress.begin(f"{board} {question}")
        return Run(limits, cancel=is_pending, progress=progress.tick)

    try:
        found = analyse_with(new_run, grid, **prior)
        is_rough = isinstance(found.count, GaveUp)
        asked = {"bounds": bounds and is_rough, "estimate": estimate and is_rough}
        rough = rough_counts(new_run, grid, total=prior["total"], **asked)
        stop_if_pending()
        return found, rough
    finally:
        progress.clear()


def _print_text(found: "Analysis", more: list[str]) -> None:
    """Print for people, in lines as wide as the terminal."""
    from gemhunter.cli.board_text import terminal_columns
    from gemhunter.cli.findings import summary
    from gemhunter.cli.heat_maps import has_heat, heat_map, heat_note
    from gemhunter.cli.screen import colour_depth

    columns = terminal_columns()
    click.echo(summary(found, more, columns))
    if has_heat(found):
        click.echo(heat_note(found) or heat_map(found, columns, colour_depth()))


def _text_in_file(found: "Analysis", more: list[str]) -> str:
    """What is written to a file: lines of any width, without colours."""
    from gemhunter.cli.findings import summary
    from gemhunter.cli.heat_maps import has_heat, heat_map, heat_note

    heat = f"{heat_note(found) or heat_map(found)}\n" if has_heat(found) else ""
    return f"{summary(found, more)}\n{heat}"


def _write_pictures(found: "Analysis", svg: Path | None, png: Path | None) -> None:
    from gemhunter.formats.files import write_atomically
    from gemhunter.render.heat import draw_heat, draw_heat_png

    if svg is not None:
        write_atomically(svg, draw_heat(found.grid, found.risk))
    if png is not None:
        write_atomically(png, draw_heat_png(found.grid, found.risk))
