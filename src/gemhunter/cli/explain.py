"""`gemhunter explain`: why cells are traps or gems, in steps that a person can follow."""

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import click
import numpy as np

from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.cli.board_arguments import LARGEST_SHOWN, BoardReading, board_heading, terminal_columns
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.notes import print_or_write, quiet_option
from gemhunter.cli.options import (
    OutputFile,
    complete_board,
    format_option,
    options_as,
    output_option,
    read_cell_name,
    seconds_option,
    traps_option,
    zero_option,
)
from gemhunter.cli.output import styled
from gemhunter.cli.progress import ask_with_progress
from gemhunter.draw.text_maps import (
    StyledLine,
    StyledText,
    fits,
    grid_pieces,
    map_lines,
    map_width,
    plain_text,
)
from gemhunter.errors import InputError
from gemhunter.explanation.explain import (
    CellExplanation,
    ExplainedConflict,
    Explanation,
    explain_cell,
    explain_opposite,
)
from gemhunter.explanation.explain import explain as explain_board
from gemhunter.explanation.steps import Difficulty, ExplanationStep, Thought
from gemhunter.files.access import write_atomically
from gemhunter.files.dialects import Zero
from gemhunter.printable import counted, json_text, listed, printable
from gemhunter.records.boards import cell_explanation_record, explanation_record
from gemhunter.solving.outcomes import GaveUp

# Steps of explanations as text: numbered, each with its rule, and lines of thought below it.


GAP = "  "
"""Between the number of a step, its rule and its sentence, and before each deeper thought."""

NARROWEST_COLUMN = 30
"""Characters that a sentence has in a line, however narrow the terminal is."""


def paragraph(text: str, columns: int | None, indent: str = "", first: str | None = None) -> list[StyledLine]:
    """A text in lines of `columns` characters with an indent; `first` is what the first line begins with."""
    begin = indent if first is None else first
    if columns is None:
        return [[StyledText(printable(begin + text))]]
    width = max(columns, len(indent) + NARROWEST_COLUMN)
    lines = textwrap.wrap(
        printable(text),
        width,
        initial_indent=begin,
        subsequent_indent=indent,
        break_long_words=False,
        break_on_hyphens=False,
    )
    return [[StyledText(line)] for line in lines]


def step_lines(steps: Sequence[ExplanationStep], columns: int | None) -> Iterator[StyledLine]:
    """All steps, with a blank line where the level of the rule changes, around thoughts, and at the end."""
    if not steps:
        return
    digits, width = len(str(len(steps))), max(len(step.rule.name) for step in steps)
    indent = " " * (digits + width + 2 * len(GAP))
    for number, (step, after) in enumerate(pairwise([*steps, None]), 1):
        if step is None:
            continue
        begin = f"{number:>{digits}}{GAP}{step.rule.name:<{width}}{GAP}"
        yield from paragraph(step.sentence, columns, indent, begin)
        yield from thought_lines(step.thoughts, columns, " " * digits + GAP)
        if after is None or step.thoughts or after.thoughts or after.rule.level != step.rule.level:
            yield []


def thought_lines(thoughts: Sequence[Thought], columns: int | None, indent: str) -> Iterator[StyledLine]:
    """Lines of thought, each indented by the number of suppositions that it stands under."""
    for thought in thoughts:
        begin = f"{indent}{GAP * thought.depth}"
        yield from paragraph(thought.sentence, columns, f"{begin}{GAP}", begin)


# Maps for explanations: a board or the part of it that matters, and two solutions side by side.


Area = tuple[slice, slice]
"""Rows and columns of a board."""

LARGEST_WHOLE_MAP = 30
"""Rows and columns of a board that is shown whole although only one cell matters."""

FARTHEST_SHOWN = 12
"""How far from the cell that matters a map of a larger board reaches."""

LEAST_SURROUNDINGS = 3
"""How far it reaches at least."""

BETWEEN_MAPS = 4
"""Blanks between two maps side by side."""

DIFFERENCES_LISTED = 20
"""Traps that only one of two solutions has and that are listed by name."""


def map_of(grid: Grid, area: Area | None, columns: int | None) -> Iterator[StyledLine]:
    """A board, or an area of it, with row and column numbers."""
    rows, cols = area or (slice(0, grid.rows), slice(0, grid.cols))
    return map_lines(grid_pieces(Grid(grid.cells[rows, cols])), columns, (rows.start, cols.start))


def surroundings(grid: Grid, cell: Cell, shown: Iterable[Cell], columns: int | None) -> Area | None:
    """The area around a cell that has the cells to be shown, as far as they are near; None for all of it."""
    is_small = max(grid.cells.shape) <= LARGEST_WHOLE_MAP
    if is_small and fits(grid_pieces(grid), columns):
        return None
    near = [each for each in shown if max(map(abs, _apart(each, cell))) <= FARTHEST_SHOWN]
    return (
        _span(cell.row, [each.row for each in near], grid.rows),
        _span(cell.col, [each.col for each in near], grid.cols),
    )


def _apart(one: Cell, other: Cell) -> tuple[int, int]:
    return one.row - other.row, one.col - other.col


def _span(middle: int, places: list[int], length: int) -> slice:
    """The rows or columns that have all places, with one more on each side."""
    first = min(middle - LEAST_SURROUNDINGS, *(place - 1 for place in places))
    last = max(middle + LEAST_SURROUNDINGS, *(place + 1 for place in places))
    return slice(max(first, 0), min(last + 1, length))


def differing_lines(
    first: Grid, second: Grid, area: Area | None, columns: int | None
) -> Iterator[StyledLine]:
    """Two solutions, side by side if they fit, and where they differ; of large boards only the latter."""
    differing = [Cell(row, col) for row, col in np.argwhere(first.cells != second.cells).tolist()]
    if area is not None or max(first.cells.shape) <= LARGEST_SHOWN:
        yield from paragraph("Two solutions that differ:", columns)
        yield from _side_by_side(first, second, area, columns)
    else:
        yield from paragraph("There are two solutions that differ.", columns)
    sides = (("first", first), ("second", second))
    texts = [_only_in(side, [cell for cell in differing if grid[cell] == TRAP]) for side, grid in sides]
    yield from paragraph(" ".join(filter(None, texts)), columns)


def _only_in(side: str, traps: list[Cell]) -> str:
    """Which traps only one of two solutions has; an empty text if it has none of its own."""
    if not traps:
        return ""
    names = [str(cell) for cell in traps[:DIFFERENCES_LISTED]]
    if len(traps) > DIFFERENCES_LISTED:
        names.append(counted(len(traps) - DIFFERENCES_LISTED, "other cell"))
    return f"Only the {side} has {'a trap' if len(traps) == 1 else 'traps'} at {listed(names)}."


def _side_by_side(first: Grid, second: Grid, area: Area | None, columns: int | None) -> Iterator[StyledLine]:
    width = map_width(grid_pieces(_part(first, area)))
    if columns is not None and 2 * width + BETWEEN_MAPS > columns:
        yield from map_of(first, area, columns)
        yield []
        yield from map_of(second, area, columns)
        return
    maps = (map_of(first, area, None), map_of(second, area, None))
    for left, right in zip(*maps, strict=True):
        used = sum(len(piece.text) for piece in left)
        yield [*left, StyledText(" " * (width + BETWEEN_MAPS - used)), *right]


def _part(grid: Grid, area: Area | None) -> Grid:
    return grid if area is None else Grid(grid.cells[area])


# Explanations as text: the board, the steps, what is open or in conflict, and how hard the board is.


OPEN_CELLS_LISTED = 20
"""Open cells that are listed by name; programs get them all."""

VALUE_WORDS = {TRAP: "a trap", GEM: "a gem"}
OPPOSITES = {TRAP: GEM, GEM: TRAP}


def exit_code(found: Explanation | CellExplanation) -> int:
    """The exit code: a board without a solution comes before a limit that was reached.

    A cell that is decided may come with a conflict: the one that its other value leads to.
    """
    is_decided = isinstance(found, CellExplanation) and found.value != HIDDEN
    if found.conflict is not None and not is_decided:
        return NO_SOLUTION
    is_whole = found.gave_up is None and not _lacks_examples(found)
    is_followed = found.conflict is None or found.conflict.is_followed
    return SOLVED if is_whole and is_followed else GAVE_UP


def explanation_lines(board: str, found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    """The explanation of a board, for lines of `columns` characters; None is any width."""
    yield from _heading(board, found.grid, columns)
    yield []
    if found.conflict is not None:
        yield from _conflict(found.conflict, found.total, columns)
        yield from step_lines(found.steps, columns)
        yield from paragraph(_end_of(found.conflict), columns)
        return
    yield from step_lines(found.steps, columns)
    if found.gave_up is not None:
        yield from _gave_up(found.gave_up, columns)
    if found.open:
        yield from _open_cells(found, columns)
    else:
        yield from _filled(found, columns)
    for text in _difficulty_words(found.difficulty):
        yield from paragraph(text, columns)


def cell_explanation_lines(board: str, found: CellExplanation, columns: int | None) -> Iterator[StyledLine]:
    """The explanation of one cell, with the part of the board that matters."""
    shown = {found.cell, *(cell for step in found.steps for cell in (*step.clues, *step.decides))}
    area = surroundings(found.grid, found.cell, shown, columns)
    yield from paragraph(board_heading(board, found.grid), columns)
    yield from map_of(found.grid, area, columns)
    yield []
    if found.value != HIDDEN:
        yield from _decided_cell(found, columns)
    elif found.conflict is not None:
        yield from _conflict(found.conflict, found.total, columns)
        yield from step_lines(found.steps, columns)
        yield from paragraph(_end_of(found.conflict), columns)
    elif found.gave_up is not None:
        yield from _gave_up(found.gave_up, columns)
    else:
        yield from paragraph(f"{found.cell} is not forced: it can be a trap or a gem.", columns)
        yield from _examples(found.examples, area, columns)


def _decided_cell(found: CellExplanation, columns: int | None) -> Iterator[StyledLine]:
    """The steps to a cell; or, if its other value was supposed, those to the clue that cannot hold."""
    verdict = f"{found.cell} is {VALUE_WORDS[found.value]}."
    if found.conflict is None:
        yield from step_lines(found.steps, columns)
        yield from paragraph(verdict, columns)
        return
    yield from paragraph(f"Suppose that {found.cell} is {VALUE_WORDS[OPPOSITES[found.value]]}.", columns)
    yield []
    yield from step_lines(found.steps, columns)
    yield from paragraph(_end_of(found.conflict), columns)
    yield from paragraph(f"So {verdict}" if found.conflict.is_followed else verdict, columns)


def _heading(board: str, grid: Grid, columns: int | None) -> Iterator[StyledLine]:
    heading = board_heading(board, grid)
    if max(grid.cells.shape) > LARGEST_SHOWN:
        yield from paragraph(f"{heading}, not shown: more than {LARGEST_SHOWN} rows or columns", columns)
        return
    yield from paragraph(heading, columns)
    yield from map_of(grid, None, columns)


def _conflict(conflict: ExplainedConflict, total: int | None, columns: int | None) -> Iterator[StyledLine]:
    """Which clues conflict, and whether none of them can be left out."""
    names = [*map(str, conflict.clues), *([f"the total of {total}"] * conflict.with_total)]
    if len(names) == 1:
        what = f"the clue at {names[0]}" if conflict.clues else names[0]
        text = f"No solution: {what} cannot hold, whatever the others are."
    else:
        clues = "the clue at" if len(conflict.clues) == 1 else "the clues at"
        both = "both" if len(names) == 2 else "all"
        least = " Leave out any one of them, and the others named here can." if conflict.is_minimal else ""
        least += "" if conflict.is_smallest else " There may be a smaller set."
        text = f"No solution: {clues} {listed(names)} cannot {both} hold.{least}"
    yield from paragraph(text, columns)
    yield []


def _end_of(conflict: ExplainedConflict) -> str:
    """Where the steps of a conflict lead."""
    if conflict.is_followed:
        return conflict.sentence
    return "Gave up: the time limit was reached before the steps led to a clue that cannot hold."


def _gave_up(gave_up: GaveUp, columns: int | None) -> Iterator[StyledLine]:
    yield from paragraph(f"Gave up: {gave_up.reason}. More cells may be forced.", columns)


def _filled(found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    if not found.steps:
        yield from paragraph("No cell is hidden, and every clue holds.", columns)
        return
    if max(found.grid.cells.shape) > LARGEST_SHOWN:
        yield from paragraph("Every cell is decided.", columns)
    else:
        yield from paragraph("Every cell is decided:", columns)
        yield from map_of(found.filled, None, columns)
    yield []


def _open_cells(found: Explanation, columns: int | None) -> Iterator[StyledLine]:
    """The cells that are left, and two solutions that differ there."""
    yield from paragraph(_open_words(found.open, is_certain=found.gave_up is None), columns)
    if found.gave_up is None:
        yield from _examples(found.examples, None, columns)
    yield []


def _open_words(cells: Sequence[Cell], *, is_certain: bool) -> str:
    count = counted(len(cells), "cell")
    more = f" … (--format json has all {len(cells):,})" if len(cells) > OPEN_CELLS_LISTED else ""
    names = f"{' '.join(map(str, cells[:OPEN_CELLS_LISTED]))}{more}"
    if not is_certain:
        return f"{count} {'is' if len(cells) == 1 else 'are'} not explained: {names}"
    is_not = "is not forced" if len(cells) == 1 else "are not forced"
    return f"{count} {is_not}, both values are possible: {names}"


def _examples(
    examples: Sequence[Grid], area: tuple[slice, slice] | None, columns: int | None
) -> Iterator[StyledLine]:
    if len(examples) < 2:
        yield from paragraph("Two solutions that differ were not found within the time limit.", columns)
        return
    yield from differing_lines(examples[0], examples[1], area, columns)


def _lacks_examples(found: Explanation | CellExplanation) -> bool:
    """Whether two solutions should have been shown, but were not found in time."""
    is_open = bool(found.open) if isinstance(found, Explanation) else found.value == HIDDEN
    return is_open and found.conflict is None and len(found.examples) < 2


def _difficulty_words(difficulty: Difficulty) -> Iterator[str]:
    if difficulty.rule is None:
        yield f"Difficulty: {difficulty.word}."
        return
    hardest = f"hardest rule: {difficulty.rule} (level {difficulty.level})"
    yield f"Difficulty: {difficulty.word}; {hardest}; score: {difficulty.score:,}."
    choices = counted(difficulty.narrowest, "deduction")
    there = f"there {'is' if difficulty.narrowest == 1 else 'are'} {choices} to find"
    yield f"A step uses at most {counted(difficulty.most_clues, 'clue')}; at the narrowest point {there}."


# `gemhunter explain`: why cells are traps or gems, in steps that a person can follow.


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
    from gemhunter.explanation.pictures import explanation_gif, explanation_html, explanation_svg

    if options.html is not None:
        write_atomically(options.html, explanation_html(found, board))
    if options.svg is not None:
        write_atomically(options.svg, explanation_svg(found, board, options.step))
    if options.gif is not None:
        write_atomically(options.gif, explanation_gif(found))
