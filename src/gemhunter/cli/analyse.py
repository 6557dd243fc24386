"""`gemhunter analyse`: what all solutions of a board have in common."""

import json
import textwrap
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from math import log10
from pathlib import Path
from typing import Any

import click
import numpy as np

from gemhunter.board.grid import HIDDEN, Cell, Grid
from gemhunter.cli.board_arguments import (
    MOST_MAPPED,
    BoardReading,
    assumption_line,
    require_one_prior,
    terminal_columns,
)
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import is_pending, print_or_write, quiet_option, stop_if_pending
from gemhunter.cli.options import (
    OutputFile,
    complete_board,
    density_option,
    format_option,
    options_as,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import colour_depth, styled
from gemhunter.cli.progress import Progress
from gemhunter.draw.heat import UNKNOWN_RISK, draw_heat, draw_heat_png, heat_look, heat_sign, narrow_sign
from gemhunter.draw.palette import NO_COLOURS
from gemhunter.draw.text_maps import StyledLine, StyledText, fits, map_lines, plain_text
from gemhunter.files.access import write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted, json_text
from gemhunter.questions.analyse import MOST_ANALYSIS_RUNS, Analysis, analyse_with
from gemhunter.questions.answers import Forced, Probabilities
from gemhunter.questions.bounds import Bounds, count_bounds
from gemhunter.questions.estimate import Estimate, estimate_count
from gemhunter.records.boards import analysis_record
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

# `gemhunter analyse`: an analysis as text, as JSON, and as a heat map in text.


MOST_SAFEST_NAMES = 20
"""The most equally safe cells that are listed by name; programs get them all."""

MOST_FORCED_NAMES = 200
"""The most forced cells that are listed by name: a player must not miss one."""

INDENT = "  "
"""The margin of a list's lines after its first."""

MOST_DIGITS_IN_FULL = 60
"""The most digits of a number of solutions that is printed in full."""

EXACT_BITS = 200
"""The most bits of a number that is shortened exactly; of longer ones only this many leading bits count."""

READABLE_DIGITS = 15
"""The most digits of a number that can be read without a short form beside it."""

WIDE_LEGEND = "risk in percent, two digits; T and G are certain"
NARROW_LEGEND = "a to j: risk below 10 %, below 20 % and so on; T and G are certain"


def exit_code(found: Analysis) -> int:
    """The exit code: having no solution comes before giving up on a question."""
    if found.solvable is False:
        return NO_SOLUTION
    return GAVE_UP if found.gave_up else SOLVED


def digit_count(number: int) -> int:
    """How many decimal digits a number above 0 has, found without writing them, which can take long."""
    power = _logarithm(number)
    nearest = round(power)
    if abs(power - nearest) > 1e-6:
        return int(power) + 1
    return nearest + 1 if number >= 10**nearest else nearest


def about(number: int) -> str:
    """A large number in short, as in 1.2e34."""
    if number.bit_length() <= EXACT_BITS:
        return f"{Decimal(number):.1e}".replace("e+", "e")
    exponent = digit_count(number) - 1
    leading = f"{10 ** (_logarithm(number) - exponent):.1f}"
    return f"1.0e{exponent + 1}" if leading == "10.0" else f"{leading}e{exponent}"


def _logarithm(number: int) -> float:
    """The decimal logarithm of a number above 0, from its leading bits."""
    shift = max(number.bit_length() - EXACT_BITS, 0)
    return log10(number >> shift) + shift * log10(2)


def analysis_json(record: Mapping[str, Any]) -> str:
    """The record of an analysis as JSON, a line per field."""
    fields = (f"  {json.dumps(name)}: {json_text(value)}" for name, value in record.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


def rough_lines(bounds: Bounds | GaveUp | None, estimate: Estimate | GaveUp | None) -> list[str]:
    """Lines about a number of solutions that was too large to count."""
    lines = []
    match bounds:
        case Bounds(low, high):
            lines.append(f"at least {_short(low)} and at most {_short(high)} solutions, both proven")
        case GaveUp(reason=reason):
            lines.append(f"bounds: gave up: {reason}")
    match estimate:
        case Estimate(value, epsilon, delta):
            sure = f"within a factor of {1 + epsilon:g} with probability {1 - delta:g}"
            lines.append(f"about {_short(value)} solutions, {sure}")
        case GaveUp(reason=reason):
            lines.append(f"estimate: gave up: {reason}")
    return lines


def _short(number: int) -> str:
    return str(number) if number < 10**READABLE_DIGITS else about(number)


def summary(found: Analysis, assumption: str, more: Sequence[str] = (), columns: int | None = None) -> str:
    """Everything but the map, a line per answer; `more` is about the number of solutions.

    Lists of cells are wrapped to lines of `columns` characters.
    """
    lines = [_verdict_words(found)]
    if isinstance(found.verdict, Refuted):
        conflict = [_listed("conflicting clues", found.verdict.clues, columns)] * bool(found.verdict.clues)
        return "\n".join(lines + conflict)
    lines += [assumption, f"solutions: {_count_words(found.count)}", *more]
    lines.append(f"unique: {_unique_words(found.unique)}")
    match found.forced:
        case Forced(_, traps, gems):
            lines += [_listed("forced traps", traps, columns), _listed("forced gems", gems, columns)]
        case GaveUp() as gave_up:
            lines.append(f"forced cells: {_gave_up(gave_up)}")
    match found.probabilities:
        case Probabilities() as probabilities:
            lines.append(_wrapped(f"safest: {_safest_words(probabilities, found.forced)}", columns))
        case GaveUp() as gave_up:
            lines.append(f"safest: {_gave_up(gave_up)}")
    return "\n".join(lines)


def _verdict_words(found: Analysis) -> str:
    match found.verdict:
        case Refuted(reason):
            return f"no solution: {reason}"
        case GaveUp() as gave_up if found.solvable is None:
            return f"solution: {_gave_up(gave_up)}"
        case _:
            return "has a solution"


def _count_words(number: int | GaveUp) -> str:
    if isinstance(number, GaveUp):
        return _gave_up(number)
    if number < 10**READABLE_DIGITS:
        return f"{number:,}"
    if number < 10**MOST_DIGITS_IN_FULL:
        return f"{number} (≈{about(number)})"
    return f"≈{about(number)} ({counted(digit_count(number), 'digit')}; --format json has them)"


def _unique_words(unique: bool | GaveUp) -> str:
    if isinstance(unique, GaveUp):
        return _gave_up(unique)
    return "yes" if unique else "no"


def _safest_words(probabilities: Probabilities, forced: Forced | Refuted | GaveUp) -> str:
    if isinstance(forced, Forced) and forced.gems:
        return "the forced gems, risk 0 %"
    places = probabilities.safest_places()
    if not places.size:
        is_hidden = probabilities.grid.cells == HIDDEN
        return "none, every hidden cell is a trap" if is_hidden.any() else "no cell is unknown"
    first = [Cell(row, col) for row, col in places[:MOST_SAFEST_NAMES].tolist()]
    more = f" … ({len(places):,} in all; --format json has them)" if len(places) > MOST_SAFEST_NAMES else ""
    return f"{' '.join(map(str, first))}{more}, risk {100 * probabilities[first[0]]:.3g} %"


def _gave_up(answer: GaveUp) -> str:
    return f"gave up: {answer.reason}"


def _listed(label: str, cells: Sequence[Cell], columns: int | None) -> str:
    """A label and the names of cells; after the first few hundred, only how many more there are."""
    names = " ".join(map(str, cells[:MOST_FORCED_NAMES])) or "none"
    left = len(cells) - MOST_FORCED_NAMES
    more = f" and {left:,} more; --format json has them all" if left > 0 else ""
    return _wrapped(f"{label}: {names}{more}", columns)


def _wrapped(text: str, columns: int | None) -> str:
    if columns is None or len(text) <= columns:
        return text
    return textwrap.fill(text, columns, subsequent_indent=INDENT, break_on_hyphens=False)


def has_heat(found: Analysis) -> bool:
    """Whether the risk of any cell is known."""
    return not np.isnan(found.risk).all()


def heat_note(found: Analysis) -> str | None:
    """Why the map is not shown, if it would be too large."""
    rows, cols = found.grid.cells.shape
    if max(rows, cols) > MOST_MAPPED:
        return f"no map of {rows}×{cols} cells in text; --svg or --png draw one"
    return None


def heat_map(found: Analysis, columns: int | None = None, depth: int = NO_COLOURS) -> str:
    """The map with its numbers and what its signs mean, for a line of `columns` characters.

    If percentages do not fit, letters stand for them.
    """
    wide, narrow = _pieces(found, heat_sign, depth), _pieces(found, narrow_sign, depth)
    is_narrow = not fits(wide, columns) and fits(narrow, columns, gap=0)
    lines = map_lines(narrow if is_narrow else wide, columns)
    text = styled(lines) if depth else plain_text(lines)
    return f"{text}\n{_legend(wide, is_narrow=is_narrow)}"


def _pieces(found: Analysis, sign: Callable[[int, float], str], depth: int) -> list[StyledLine]:
    rows = zip(found.grid.cells.tolist(), found.risk.tolist(), strict=True)
    return [
        [StyledText(sign(*cell), heat_look(*cell, depth)) for cell in zip(codes, risks, strict=True)]
        for codes, risks in rows
    ]


def _legend(rows: list[StyledLine], *, is_narrow: bool) -> str:
    unknown = UNKNOWN_RISK[0] if is_narrow else UNKNOWN_RISK
    has_unknown = any(piece.text == UNKNOWN_RISK for row in rows for piece in row)
    legend = NARROW_LEGEND if is_narrow else WIDE_LEGEND
    return f"{legend}; {unknown} is not known" if has_unknown else legend


# `gemhunter analyse`: what all solutions of a board have in common.


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
