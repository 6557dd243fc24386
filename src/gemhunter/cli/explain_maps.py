"""Maps for explanations: a board or the part of it that matters, and two solutions side by side."""

from collections.abc import Iterable, Iterator

import numpy as np

from gemhunter.cli.board_text import LARGEST_SHOWN
from gemhunter.cli.step_text import paragraph
from gemhunter.core.grid import TRAP, Cell, Grid
from gemhunter.core.plurals import counted, listed
from gemhunter.render.text_maps import StyledLine, StyledText, fits, grid_pieces, map_lines, map_width

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
