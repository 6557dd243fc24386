"""`gemhunter hint`: help with the next deduction, in rungs that say more and more."""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from pathlib import Path

import click

from gemhunter.board.grid import Grid
from gemhunter.cli.board_arguments import BoardReading, terminal_columns
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.explain import GAP, map_of, paragraph, surroundings, thought_lines
from gemhunter.cli.notes import note, print_or_write, quiet_option
from gemhunter.cli.options import (
    complete_board,
    format_option,
    options_as,
    output_option,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import styled
from gemhunter.cli.progress import ask_with_progress
from gemhunter.draw.text_maps import StyledLine, plain_text
from gemhunter.explanation.hint import CONCLUSION_RUNG, RUNGS, HintLadder, NothingToDeduce
from gemhunter.explanation.hint import hint as hint_about
from gemhunter.files.dialects import Zero
from gemhunter.printable import capital, json_text
from gemhunter.records.boards import hint_record


@dataclass(frozen=True, slots=True)
class HintOptions:
    """The options of `gemhunter hint`."""

    rung: int
    total: int | None
    time_limit: float | None
    zero: Zero
    form: str
    output: Path | None


@click.command()
@click.argument("board", shell_complete=complete_board)
@click.option(
    "--rung",
    type=click.IntRange(1, RUNGS),
    default=1,
    show_default=True,
    metavar="N",
    help=f"How much to say, from 1 to {RUNGS}.",
)
@traps_option
@seconds_option("Give up after this many seconds.")
@zero_option
@format_option
@output_option("what would be printed, without colours,")
@quiet_option
@options_as(HintOptions)
def hint(board: str, options: HintOptions) -> int:
    """Help with the next deduction, as much as you ask for.

    The first rung says which kind of deduction there is, the next ones where to look, at which clues, what
    follows, and what the board looks like then. Flags (F) count as traps that you know, so hints do not
    repeat them.

    Returns 0 with a hint, or if nothing is certain or hidden; 1 if there is none because the clues conflict,
    2 for bad input, 3 if the time limit was reached first.

    \b
    Examples:
      gemhunter hint board.txt
      gemhunter hint board.txt --rung 4
      gemhunter hint position.txt --traps 99
    """
    position = BoardReading(options.zero, options.total).read_and_warn(board)
    flags = [position.grid.cell(index) for index in position.flags.ravel().nonzero()[0].tolist()]
    ask = partial(hint_about, position.grid, total=position.total, marked=flags)
    found = ask_with_progress(board, options.time_limit, lambda run: ask(run=run))
    print_or_write(_text(board, position.grid, found, options), options.output, "the hint")
    if isinstance(found, HintLadder) and options.rung < RUNGS:
        note(f"`--rung {options.rung + 1}` says more")
    return _exit_code(found)


def _exit_code(found: HintLadder | NothingToDeduce) -> int:
    if isinstance(found, HintLadder):
        return SOLVED
    if found.has_conflict:
        return NO_SOLUTION
    return SOLVED if found.gave_up is None else GAVE_UP


def _text(board: str, grid: Grid, found: HintLadder | NothingToDeduce, options: HintOptions) -> str:
    if options.form == "json":
        return f"{json_text(hint_record(board, found, options.rung), indent=2)}\n"
    columns = terminal_columns() if options.output is None else None
    lines = _lines(grid, found, options.rung, columns)
    return f"{styled(lines) if options.output is None else plain_text(lines)}\n"


def _lines(
    grid: Grid, found: HintLadder | NothingToDeduce, rung: int, columns: int | None
) -> Iterator[StyledLine]:
    """The rung; from the conclusion on with its line of thought, and the last with the board."""
    if isinstance(found, NothingToDeduce):
        yield from paragraph(f"{capital(found.reason)}.", columns)
        return
    yield from paragraph(f"{rung} of {RUNGS}: {found.rungs[rung - 1]}", columns)
    step = found.step
    if rung >= CONCLUSION_RUNG:
        yield from thought_lines(step.thoughts, columns, GAP)
    if rung > CONCLUSION_RUNG:
        area = surroundings(grid, step.decides[0], (*step.clues, *step.decides), columns)
        yield from map_of(found.filled, area, columns)
