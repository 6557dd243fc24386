"""`gemhunter analyse`: what all solutions of a board have in common."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from gemhunter.board.grid import HIDDEN, Cell
from gemhunter.cli.declare import command, flag
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED, is_pending, stop_if_pending
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    TRAPS_OPTION,
    ZERO_OPTION,
    assumption_line,
    density_option,
    read_board,
    require_one_prior,
    seconds_option,
)
from gemhunter.cli.output import (
    MAPPED_CELLS,
    Outputs,
    colour_depth,
    first_names,
    format_option,
    output_option,
    prose,
    write_output,
)
from gemhunter.cli.progress import Progress
from gemhunter.draw.grids import UNKNOWN_RISK, draw_heat, draw_heat_png, heat_look, heat_sign, narrow_sign
from gemhunter.draw.text_maps import StyledLine, StyledText, fits, map_lines
from gemhunter.files.dialects import Zero
from gemhunter.printable import json_text
from gemhunter.questions.analyse import ANALYSIS_RUNS, Analysis, analyse_with
from gemhunter.questions.bounds import Bounds, count_bounds
from gemhunter.questions.forced import Forced
from gemhunter.questions.probability import Probabilities
from gemhunter.records.boards import analysis_record
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run
from gemhunter.wording import about, counted, digit_count


@command()
def analyse(
    board: str = BOARD_ARGUMENT,
    *,
    total: int | None = TRAPS_OPTION,
    density: float | None = density_option(default=0.5),
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option(
        "txt json", "the analysis", svg="the heat map as a picture", png="the heat map as a picture"
    ),
    bounds: bool = flag(
        "--bounds", "If there are too many solutions to count, prove bounds on their number.", rare=True
    ),
    time_limit: float | None = seconds_option("Give up on each question after this many seconds.", rare=True),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Say what is true of all solutions of a board.

    \b
    Examples:
      gemhunter analyse board.txt
      gemhunter analyse position.txt --traps 99 -o risk.svg
      gemhunter analyse position.txt --density 0.2 --format json
      gemhunter analyse lattice.txt --bounds --time-limit 10

    The answers are whether there is a solution, how many there are, which cells are the same in all of them,
    and the risk of each cell: the probability that it is a trap. All solutions are equally likely; --traps
    keeps only those with this total, and --density weights them by their number of traps.
    """
    require_one_prior(total, density)
    position = read_board(board, zero, total)
    grid, total = position.grid, None if density is not None else position.total
    lowest: Bounds | GaveUp | None = None
    with Progress(ANALYSIS_RUNS + bounds) as progress:

        def new_run(question: str) -> Run:
            stop_if_pending()
            progress.begin(f"{board} {question}")
            return Run(Limits(time_limit), cancel=is_pending, progress=progress.tick)

        found = analyse_with(new_run, grid, total=total, density=density)
        if isinstance(found.count, GaveUp) and bounds:
            lowest = count_bounds(grid, total=total, run=new_run("bounds"))
        stop_if_pending()

    def as_json() -> str:
        return analysis_json(analysis_record(board, found, total=total, density=density, bounds=lowest))

    def lines(columns: int | None) -> Iterator[StyledLine]:
        assumption = assumption_line(total, density, is_chosen=density is not None)
        text = summary(found, assumption, bounds_line(lowest), columns)
        yield from ([StyledText(line)] for line in text.splitlines())
        if not np.isnan(found.risk).all():
            yield from heat_map(found, columns)

    outputs.give_lines(form, as_json, lines, "the analysis")
    for path in outputs.ending("svg"):
        write_output(path, draw_heat(grid, found.risk), "the heat map")
    for path in outputs.ending("png"):
        write_output(path, draw_heat_png(grid, found.risk), "the heat map")
    return exit_code(found)


def exit_code(found: Analysis) -> int:
    """The exit code; having no solution takes precedence over giving up on a question."""
    if found.solvable is False:
        return NO_SOLUTION
    return GAVE_UP if found.gave_up else SOLVED


def analysis_json(record: Mapping[str, Any]) -> str:
    """The record of an analysis as JSON, a line per field."""
    fields = (f"  {json.dumps(name)}: {json_text(value)}" for name, value in record.items())
    return "{\n" + ",\n".join(fields) + "\n}\n"


# The answers in words, a line each.


def summary(found: Analysis, assumption: str, more: Sequence[str] = (), columns: int | None = None) -> str:
    """All answers but the map, in lines of `columns` characters; `more` is about the number of solutions."""
    match found.verdict:
        case Refuted(reason):
            lines = [f"no solution: {reason}"]
            if found.verdict.clues:
                lines.append(_listed("conflicting clues", found.verdict.clues, columns))
            return "\n".join(lines)
        case GaveUp() as gave_up if found.solvable is None:
            lines = [f"solution: {_gave_up(gave_up)}"]
        case _:
            lines = ["has a solution"]
    lines += [assumption, f"solutions: {_count_words(found.count)}", *more]
    unique = found.unique
    lines.append(f"unique: {_gave_up(unique) if isinstance(unique, GaveUp) else 'yes' if unique else 'no'}")
    match found.forced:
        case Forced(_, traps, gems):
            lines += [_listed("forced traps", traps, columns), _listed("forced gems", gems, columns)]
        case GaveUp() as gave_up:
            lines.append(f"forced cells: {_gave_up(gave_up)}")
    match found.probabilities:
        case Probabilities() as probabilities:
            safest = f"safest: {_safest_words(probabilities, found.forced)}"
            lines += prose(safest, columns, indent="  ", first="")
        case GaveUp() as gave_up:
            lines.append(f"safest: {_gave_up(gave_up)}")
    return "\n".join(lines)


def bounds_line(bounds: Bounds | GaveUp | None) -> list[str]:
    """The bounds on a number of solutions that is too large to count, if they were requested."""
    match bounds:
        case Bounds(low, high):
            return [f"at least {_short(low)} and at most {_short(high)} solutions, both proven"]
        case GaveUp(reason=reason):
            return [f"bounds: gave up: {reason}"]
        case None:
            return []


def _gave_up(answer: GaveUp) -> str:
    return f"gave up: {answer.reason}"


def _safest_words(probabilities: Probabilities, forced: Forced | Refuted | GaveUp) -> str:
    if isinstance(forced, Forced) and forced.gems:
        return "the forced gems, risk 0 %"
    places = probabilities.safest_places()
    if not places.size:
        is_hidden = probabilities.grid.cells == HIDDEN
        return "none, every hidden cell is a trap" if is_hidden.any() else "no cell is unknown"
    cells = [Cell(row, col) for row, col in places[:20].tolist()]  # naming a million cells would take long
    return f"{first_names(cells, len(places))}, risk {100 * probabilities[cells[0]]:.3g} %"


def _listed(label: str, cells: Sequence[Cell], columns: int | None) -> str:
    """A label and the names of cells; only very long lists are cut, because a player must not miss a cell."""
    names = " ".join(map(str, cells[:200])) or "none"
    left = len(cells) - 200
    more = f" and {left:,} more; --format json has them all" if left > 0 else ""
    return "\n".join(prose(f"{label}: {names}{more}", columns, indent="  ", first=""))


READABLE_DIGITS = 15
"""The most digits of a number that is shown without a short form beside it."""


def _count_words(number: int | GaveUp) -> str:
    if isinstance(number, GaveUp):
        return _gave_up(number)
    if number < 10**READABLE_DIGITS:
        return f"{number:,}"
    if number < 10**60:
        return f"{number} (≈{about(number)})"
    return f"≈{about(number)} ({counted(digit_count(number), 'digit')}; --format json has them)"


def _short(number: int) -> str:
    return str(number) if number < 10**READABLE_DIGITS else about(number)


# The map of risks.


def heat_map(found: Analysis, columns: int | None = None) -> Iterator[StyledLine]:
    """The map and its legend in lines of `columns` characters; a note if the board is too large.

    If percentages do not fit, letters stand for them.
    """
    rows, cols = found.grid.cells.shape
    if max(rows, cols) > MAPPED_CELLS:
        yield [StyledText(f"no map of {rows}×{cols} cells in text; -o FILE.svg or FILE.png draws one")]
        return
    depth = colour_depth()

    def pieces(sign: Callable[[int, float], str]) -> list[StyledLine]:
        rows = zip(found.grid.cells.tolist(), found.risk.tolist(), strict=True)
        return [
            [StyledText(sign(*cell), heat_look(*cell, depth)) for cell in zip(codes, risks, strict=True)]
            for codes, risks in rows
        ]

    wide, narrow = pieces(heat_sign), pieces(narrow_sign)
    is_narrow = not fits(wide, columns) and fits(narrow, columns, gap=0)
    yield from map_lines(narrow if is_narrow else wide, columns)
    legend = "risk in percent, two digits; T and G are certain"
    if is_narrow:
        legend = "a to j: risk below 10 %, below 20 % and so on; T and G are certain"
    if any(piece.text == UNKNOWN_RISK for row in wide for piece in row):
        legend += f"; {UNKNOWN_RISK[0] if is_narrow else UNKNOWN_RISK} is not known"
    yield [StyledText(legend)]
