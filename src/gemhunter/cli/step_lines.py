"""Steps, lines of thought and maps in the terminal, as `explain` and `hint` print them."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gemhunter.board.grid import TRAP, Cell, Grid
from gemhunter.cli.output import SHOWN_CELLS, prose
from gemhunter.draw.text_maps import StyledLine, StyledText, fits, grid_pieces, map_lines, map_width
from gemhunter.explanation.steps import ExplanationStep, Thought
from gemhunter.printable import printable
from gemhunter.wording import counted, listed

Part = str | StyledLine
"""A paragraph, or a line of a map, which is not wrapped."""

NAMES_SHOWN = 20
"""The most cells of a list that are named."""


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
