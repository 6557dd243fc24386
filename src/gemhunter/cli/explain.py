"""`gemhunter explain`: why cells are traps or gems, in steps that a person can follow.

First the command; then an explanation as text: its parts from top to bottom, steps and lines of thought, and
maps of the board or a part of it.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import partial

import click
import numpy as np

from gemhunter.board.grid import HIDDEN, TRAP, Cell, Grid
from gemhunter.cli.commands import command, flag, number
from gemhunter.cli.exit_codes import GAVE_UP, NO_SOLUTION, SOLVED
from gemhunter.cli.options import (
    BOARD_ARGUMENT,
    TRAPS_OPTION,
    ZERO_OPTION,
    cell_option,
    read_board,
    seconds_option,
)
from gemhunter.cli.output import (
    SHOWN_CELLS,
    Outputs,
    board_heading,
    ending_of,
    format_option,
    json_document,
    output_option,
    prose,
    write_output,
)
from gemhunter.cli.progress import ask_with_progress
from gemhunter.draw.text_maps import StyledLine, StyledText, fits, grid_pieces, map_lines, map_width
from gemhunter.errors import InputError
from gemhunter.explanation.explain import explain as explain_board
from gemhunter.explanation.explain import explain_cell, explain_opposite
from gemhunter.explanation.explanations import CellExplanation, ExplainedConflict, Explanation
from gemhunter.explanation.steps import Difficulty, ExplanationStep, Thought
from gemhunter.files.dialects import Zero
from gemhunter.printable import printable
from gemhunter.records.boards import cell_explanation_record, explanation_record
from gemhunter.wording import counted, listed


@command()
def explain(
    board: str = BOARD_ARGUMENT,
    *,
    cell: Cell | None = cell_option(
        "--cell", "Explain only this cell, such as r3c4, with only the steps that it needs."
    ),
    opposite: bool = flag("--not", "With --cell: show what goes wrong if the cell has the other value."),
    total: int | None = TRAPS_OPTION,
    form: str = format_option("text", "json"),
    outputs: Outputs = output_option(
        "txt json",
        "the steps",
        html="a page that plays them in any browser",
        gif="an animation",
        svg="a picture of the hardest step",
    ),
    step: int | None = number("--step", "The step that -o FILE.svg draws.", rare=True),
    time_limit: float | None = seconds_option(
        "Give up after this many seconds; the steps so far are printed.", rare=True
    ),
    zero: Zero = ZERO_OPTION,
) -> int:
    """Explain step by step why cells are traps or gems.

    \b
    Examples:
      gemhunter explain board.txt
      gemhunter explain board.txt -o steps.html
      gemhunter explain board.txt --cell r3c4
      gemhunter explain board.txt --cell r3c4 --not
      gemhunter explain position.txt --traps 99 -o steps.json -o steps.gif

    Each step uses the easiest rule that applies, and names the clues that it rests on. At the end, every cell
    that is the same in all solutions is decided; if others are left, two solutions show that they can be
    either. If the board has no solution, the steps lead from a smallest set of conflicting clues to one that
    cannot hold. A picture shows the hardest step or, with --cell, the last one.

    Returns 0 if everything is explained, 1 if the board has no solution, 2 for bad input, 3 if the time limit
    was reached first.
    """
    if opposite and cell is None:
        raise click.UsageError("--not is about one cell; name it with --cell, as in --cell r3c4 --not")
    if step is not None and not outputs.ending("svg"):
        raise click.UsageError("--step is the number of the step to draw; add -o FILE.svg")
    position = read_board(board, zero, total)
    grid, total = position.grid, position.total
    found: Explanation | CellExplanation
    if cell is None:
        found = ask_with_progress(board, time_limit, lambda run: explain_board(grid, total=total, run=run))
    else:
        if cell.row >= grid.rows or cell.col >= grid.cols:
            size = f"{counted(grid.rows, 'row')} and {counted(grid.cols, 'column')}"
            raise InputError(f"{cell} is not on the board, which has {size}")
        ask = partial(explain_opposite if opposite else explain_cell, grid, cell, total=total)
        found = ask_with_progress(f"{board} {cell}", time_limit, lambda run: ask(run=run))
    if step is not None and step > len(found.steps):
        raise InputError(f"there is no step {step}: the explanation has {counted(len(found.steps), 'step')}")

    def as_json() -> str:
        if isinstance(found, Explanation):
            return json_document(explanation_record(board, found))
        return json_document(cell_explanation_record(board, found))

    outputs.give_lines(form, as_json, partial(lines, board, found), "the explanation")
    if pictures := outputs.ending("html", "svg", "gif"):
        # This is slow to import, and few need it.
        from gemhunter.explanation.pictures import explanation_gif, explanation_html, explanation_svg

        for path in pictures:
            match ending_of(path):
                case "html":
                    write_output(path, explanation_html(found, board), "a page that plays the steps")
                case "gif":
                    write_output(path, explanation_gif(found), counted(len(found.steps), "step"))
                case _:
                    write_output(path, explanation_svg(found, board, step), "a step")
    return exit_code(found)


def exit_code(found: Explanation | CellExplanation) -> int:
    """The exit code: a board without a solution comes before a limit that was reached.

    A cell that is decided may come with a conflict: the one that its other value leads to.
    """
    is_decided = isinstance(found, CellExplanation) and found.value != HIDDEN
    if found.conflict is not None:
        if not is_decided:
            return NO_SOLUTION
        return SOLVED if found.gave_up is None and found.conflict.is_followed else GAVE_UP
    is_open = bool(found.open) if isinstance(found, Explanation) else not is_decided
    lacks_examples = is_open and len(found.examples) < 2
    return SOLVED if found.gave_up is None and not lacks_examples else GAVE_UP


# An explanation from top to bottom: the board, the steps, open cells or a conflict, and the difficulty.


Part = str | StyledLine
"""A paragraph, or a line of a map, which is not wrapped."""

NAMES_SHOWN = 20
"""The most cells of a list that are named."""


def lines(
    board: str, found: Explanation | CellExplanation, columns: int | None = None
) -> Iterator[StyledLine]:
    """An explanation in lines of `columns` characters; None is any width."""
    if isinstance(found, Explanation):
        return wrapped(_board_parts(board, found, columns), columns)
    return wrapped(_cell_parts(board, found, columns), columns)


def _board_parts(board: str, found: Explanation, columns: int | None) -> Iterator[Part]:
    heading = board_heading(board, found.grid)
    is_shown = max(found.grid.cells.shape) <= SHOWN_CELLS
    if is_shown:
        yield heading
        yield from map_of(found.grid, None, columns)
    else:
        yield f"{heading}, not shown: more than {SHOWN_CELLS} rows or columns"
    yield []
    if found.conflict is not None:
        yield from _conflict_parts(found.conflict, found.total, found.steps, columns)
        return
    yield from step_lines(found.steps, columns)
    if found.gave_up is not None:
        yield f"Gave up: {found.gave_up.reason}. More cells may be forced."
    if found.open:
        yield _open_words(found.open, is_certain=found.gave_up is None)
        if found.gave_up is None:
            yield from difference_parts(found.examples, None, columns)
        yield []
    elif not found.steps:
        yield "No cell is hidden, and every clue holds."
    else:
        yield f"Every cell is decided{':' if is_shown else '.'}"
        if is_shown:
            yield from map_of(found.filled, None, columns)
        yield []
    yield from _difficulty_words(found.difficulty)


def _cell_parts(board: str, found: CellExplanation, columns: int | None) -> Iterator[Part]:
    """The explanation of one cell, with the part of the board that it refers to."""
    shown = {found.cell, *(cell for step in found.steps for cell in (*step.clues, *step.decides))}
    area = surroundings(found.grid, found.cell, shown, columns)
    yield board_heading(board, found.grid)
    yield from map_of(found.grid, area, columns)
    yield []
    if found.value != HIDDEN:
        is_trap = found.value == TRAP
        verdict = f"{found.cell} is {'a trap' if is_trap else 'a gem'}."
        if found.conflict is None:
            yield from step_lines(found.steps, columns)
            yield verdict
            return
        # Its other value was supposed, and the steps lead to a clue that cannot hold.
        yield f"Suppose that {found.cell} is {'a gem' if is_trap else 'a trap'}."
        yield []
        yield from step_lines(found.steps, columns)
        yield _end_of(found.conflict)
        yield f"So {verdict}" if found.conflict.is_followed else verdict
    elif found.conflict is not None:
        yield from _conflict_parts(found.conflict, found.total, found.steps, columns)
    elif found.gave_up is not None:
        yield f"Gave up: {found.gave_up.reason}. More cells may be forced."
    else:
        yield f"{found.cell} is not forced: it can be a trap or a gem."
        yield from difference_parts(found.examples, area, columns)


def _conflict_parts(
    conflict: ExplainedConflict, total: int | None, steps: Sequence[ExplanationStep], columns: int | None
) -> Iterator[Part]:
    """The clues that conflict, and the steps to one that cannot hold."""
    names = [*map(str, conflict.clues), *([f"the total of {total}"] * conflict.with_total)]
    if len(names) == 1:
        what = f"the clue at {names[0]}" if conflict.clues else names[0]
        yield f"No solution: {what} cannot hold on its own."
    else:
        clues = "the clue at" if len(conflict.clues) == 1 else "the clues at"
        both = "both" if len(names) == 2 else "all"
        least = " If any one of them is left out, the rest can hold." if conflict.is_minimal else ""
        least += "" if conflict.is_smallest else " There may be a smaller set."
        yield f"No solution: {clues} {listed(names)} cannot {both} hold.{least}"
    yield []
    yield from step_lines(steps, columns)
    yield _end_of(conflict)


def _end_of(conflict: ExplainedConflict) -> str:
    """The conclusion of the steps of a conflict."""
    if conflict.is_followed:
        return conflict.sentence
    return "Gave up: the time limit was reached before the steps led to a clue that cannot hold."


def _open_words(cells: Sequence[Cell], *, is_certain: bool) -> str:
    count, are = counted(len(cells), "cell"), "is" if len(cells) == 1 else "are"
    more = f" … (--format json has all {len(cells):,})" if len(cells) > NAMES_SHOWN else ""
    either = "it can be either" if len(cells) == 1 else "each can be either"
    what = f"not forced; {either}" if is_certain else "not explained"
    return f"{count} {are} {what}: {' '.join(map(str, cells[:NAMES_SHOWN]))}{more}"


def _difficulty_words(difficulty: Difficulty) -> Iterator[str]:
    if difficulty.rule is None:
        yield f"Difficulty: {difficulty.word}."
        return
    hardest = f"hardest rule: {difficulty.rule} (level {difficulty.level})"
    yield f"Difficulty: {difficulty.word}; {hardest}; score: {difficulty.score:,}."
    choices = counted(difficulty.narrowest, "deduction")
    there = f"{choices} {'is' if difficulty.narrowest == 1 else 'are'} available"
    yield f"No step uses more than {counted(difficulty.most_clues, 'clue')}; at the narrowest point, {there}."


# Steps: numbered, each with its rule, and lines of thought below it.


GAP = "  "
"""Separates the number of a step, its rule and its sentence, and indents each deeper thought."""


def step_lines(steps: Sequence[ExplanationStep], columns: int | None) -> Iterator[StyledLine]:
    """All steps, with a blank line where the level of the rule changes, around thoughts, and at the end."""
    digits, width = len(str(len(steps))), max((len(step.rule.name) for step in steps), default=0)
    indent = " " * (digits + width + 2 * len(GAP))
    for place, (step, after) in enumerate(zip(steps, [*steps[1:], None], strict=False), 1):
        begin = f"{place:>{digits}}{GAP}{step.rule.name:<{width}}{GAP}"
        yield from paragraph(step.sentence, columns, indent, begin)
        yield from thought_lines(step.thoughts, columns, " " * digits + GAP)
        if after is None or step.thoughts or after.thoughts or after.rule.level != step.rule.level:
            yield []


def thought_lines(thoughts: Sequence[Thought], columns: int | None, indent: str) -> Iterator[StyledLine]:
    """Lines of thought, each indented by the number of its suppositions."""
    for thought in thoughts:
        begin = f"{indent}{GAP * thought.depth}"
        yield from paragraph(thought.sentence, columns, f"{begin}{GAP}", begin)


def wrapped(parts: Iterable[Part], columns: int | None) -> Iterator[StyledLine]:
    """The parts of a text, with paragraphs wrapped to `columns` characters."""
    for part in parts:
        if isinstance(part, str):
            yield from paragraph(part, columns)
        else:
            yield part


def paragraph(text: str, columns: int | None, indent: str = "", first: str | None = None) -> list[StyledLine]:
    """A text in indented lines of `columns` characters; `first` begins the first line."""
    return [[StyledText(line)] for line in prose(printable(text), columns, indent, first)]


# Maps: a board or a part of it, and two solutions side by side.


Area = tuple[slice, slice]
"""Rows and columns of a board."""


def map_of(grid: Grid, area: Area | None, columns: int | None) -> Iterator[StyledLine]:
    """A board or an area of it, with row and column numbers."""
    rows, cols = area or (slice(0, grid.rows), slice(0, grid.cols))
    return map_lines(grid_pieces(Grid(grid.cells[rows, cols])), columns, (rows.start, cols.start))


def surroundings(grid: Grid, cell: Cell, shown: Iterable[Cell], columns: int | None) -> Area | None:
    """The area around a cell with those `shown` cells that are near it; None for the whole board."""
    if max(grid.cells.shape) <= 30 and fits(grid_pieces(grid), columns):
        return None
    near = [each for each in shown if max(abs(each.row - cell.row), abs(each.col - cell.col)) <= 12]

    def span(middle: int, places: list[int], length: int) -> slice:
        """The rows or columns that cover all places with a margin of 1, and the cell with one of 3."""
        first = min(middle - 3, *(place - 1 for place in places))
        last = max(middle + 3, *(place + 1 for place in places))
        return slice(max(first, 0), min(last + 1, length))

    return (
        span(cell.row, [each.row for each in near], grid.rows),
        span(cell.col, [each.col for each in near], grid.cols),
    )


def difference_parts(examples: Sequence[Grid], area: Area | None, columns: int | None) -> Iterator[Part]:
    """Two solutions, side by side if they fit, unless the board is large; and where they differ."""
    if len(examples) < 2:
        yield "Two solutions that differ were not found within the time limit."
        return
    first, second = examples
    if area is None and max(first.cells.shape) > SHOWN_CELLS:
        yield "There are two solutions that differ."
    else:
        yield "Two solutions that differ:"
        width, gap = map_width(grid_pieces(first if area is None else Grid(first.cells[area]))), 4
        if columns is not None and 2 * width + gap > columns:
            yield from map_of(first, area, columns)
            yield []
            yield from map_of(second, area, columns)
        else:
            for left, right in zip(map_of(first, area, None), map_of(second, area, None), strict=True):
                used = sum(len(piece.text) for piece in left)
                yield [*left, StyledText(" " * (width + gap - used)), *right]
    differing = [Cell(row, col) for row, col in np.argwhere(first.cells != second.cells).tolist()]
    sentences = []
    for side, grid in (("first", first), ("second", second)):
        if traps := [cell for cell in differing if grid[cell] == TRAP]:
            names = [str(cell) for cell in traps[:NAMES_SHOWN]]
            if len(traps) > NAMES_SHOWN:
                names.append(counted(len(traps) - NAMES_SHOWN, "other cell"))
            a_trap = "a trap" if len(traps) == 1 else "traps"
            sentences.append(f"Only the {side} has {a_trap} at {listed(names)}.")
    yield " ".join(sentences)
