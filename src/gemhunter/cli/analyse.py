"""`gemhunter analyse`: what all solutions of a board have in common."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import click

from gemhunter.cli.analyse_text import (
    analysis_json,
    exit_code,
    has_heat,
    heat_map,
    heat_note,
    rough_lines,
    summary,
)
from gemhunter.cli.board_arguments import BoardReading, assumption_line, require_one_prior
from gemhunter.cli.board_text import terminal_columns
from gemhunter.cli.interrupts import is_pending, stop_if_pending
from gemhunter.cli.notes import print_or_write, quiet_option
from gemhunter.cli.option_types import OutputFile, options_as
from gemhunter.cli.options import (
    complete_board,
    density_option,
    format_option,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.progress import Progress
from gemhunter.cli.screen import colour_depth
from gemhunter.core.grid import Grid
from gemhunter.formats.dialects import Zero
from gemhunter.formats.files import write_atomically
from gemhunter.queries.analyse import MOST_ANALYSIS_RUNS, Analysis, analyse_with
from gemhunter.queries.bounds import Bounds, count_bounds
from gemhunter.queries.estimate import Estimate, estimate_count
from gemhunter.records.analyses import analysis_record
from gemhunter.render.heat import draw_heat, draw_heat_png
from gemhunter.render.palette import NO_COLOURS
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Limits, Run


@dataclass(frozen=True, slots=True)
class AnalyseOptions:
    """The options of `gemhunter analyse`."""

    total: int | None
    density: float | None
    time_limit: float | None
    step_limit: int | None
    bounds: bool
    estimate: bool
    zero: Zero
    form: str
    svg: Path | None
    png: Path | None
    output: Path | None


@dataclass(frozen=True, slots=True)
class RoughCounts:
    """Bounds on the number of solutions and an estimate of it, each None unless it was asked for."""

    bounds: Bounds | GaveUp | None = None
    estimate: Estimate | GaveUp | None = None


@click.command()
@click.argument("board", shell_complete=complete_board)
@traps_option
@density_option(default=0.5)
@seconds_option("Give up on each question after this many seconds.")
@click.option(
    "--step-limit",
    type=click.IntRange(min=1),
    metavar="N",
    help="Give up on each question after this many steps.",
)
@click.option(
    "--bounds", is_flag=True, help="If there are too many solutions to count, prove bounds on their number."
)
@click.option(
    "--estimate",
    is_flag=True,
    help="If there are too many solutions to count, estimate their number (pip install 'gemhunter[approx]').",
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
@options_as(AnalyseOptions)
def analyse(board: str, options: AnalyseOptions) -> int:
    """Say what is true of all solutions of a board.

    Whether it has one, how many, which cells are the same in all of them, and the risk of each cell: the
    probability that it is a trap, if all solutions are equally likely, with the number of traps on the board,
    or with their density.

    \b
    Examples:
      gemhunter analyse board.txt
      gemhunter analyse position.txt --traps 99 --svg risk.svg
      gemhunter analyse position.txt --density 0.2 --format json
      gemhunter analyse lattice.txt --bounds --time-limit 10
    """
    require_one_prior(options.total, options.density)
    position = BoardReading(options.zero, options.total).read_and_warn(board)
    total, density = None if options.density is not None else position.total, options.density
    found, rough = _analyse(board, position.grid, total, options)
    if options.form == "json":
        record = analysis_record(
            board, found, total=total, density=density, bounds=rough.bounds, estimate=rough.estimate
        )
        print_or_write(analysis_json(record), options.output, "the analysis")
    else:
        assumption = assumption_line(total, density, is_chosen=density is not None)
        more = rough_lines(rough.bounds, rough.estimate)
        _print_text(found, assumption, more, options.output)
    _write_pictures(found, options.svg, options.png)
    return exit_code(found)


def _analyse(
    board: str, grid: Grid, total: int | None, options: AnalyseOptions
) -> tuple[Analysis, RoughCounts]:
    """Ask all questions, with a line of progress for each."""
    limits = Limits(options.time_limit, options.step_limit)
    progress = Progress(MOST_ANALYSIS_RUNS + options.bounds + options.estimate)

    def new_run(question: str) -> Run:
        stop_if_pending()
        progress.begin(f"{board} {question}")
        return Run(limits, cancel=is_pending, progress=progress.tick)

    try:
        found = analyse_with(new_run, grid, total=total, density=options.density)
        is_rough = isinstance(found.count, GaveUp)
        rough = _rough_counts(new_run, grid, total, options) if is_rough else RoughCounts()
        stop_if_pending()
        return found, rough
    finally:
        progress.clear()


def _rough_counts(
    new_run: Callable[[str], Run], grid: Grid, total: int | None, options: AnalyseOptions
) -> RoughCounts:
    """The bounds and the estimate that were asked for, of a number of solutions too large to count."""
    return RoughCounts(
        count_bounds(grid, total=total, run=new_run("bounds")) if options.bounds else None,
        estimate_count(grid, total=total, run=new_run("estimate")) if options.estimate else None,
    )


def _print_text(found: Analysis, assumption: str, more: list[str], output: Path | None) -> None:
    """Print lines as wide as the terminal, or write lines of any width, without colours, to a file."""
    columns, depth = (terminal_columns(), colour_depth()) if output is None else (None, NO_COLOURS)
    text = f"{summary(found, assumption, more, columns)}\n"
    if has_heat(found):
        text += f"{heat_note(found) or heat_map(found, columns, depth)}\n"
    print_or_write(text, output, "the analysis")


def _write_pictures(found: Analysis, svg: Path | None, png: Path | None) -> None:
    if svg is not None:
        write_atomically(svg, draw_heat(found.grid, found.risk))
    if png is not None:
        write_atomically(png, draw_heat_png(found.grid, found.risk))
