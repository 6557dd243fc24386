"""The independent checker: does a filled grid answer a board?

It reads only grids and shares no code with `puzzle`, so a mistake there cannot hide here.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import CELL_MARKS, GEM, HIDDEN_CODE, TRAP_CODE, Cell, Grid, require_grid
from gemhunter.jit.kernel import Codes
from gemhunter.wording import counted

Rule = Literal["size", "given", "unfilled", "clue", "total"]


@dataclass(frozen=True, slots=True)
class Violation:
    """One rule broken by a filled grid, at one cell unless the whole grid is at fault."""

    rule: Rule
    cell: Cell | None
    message: str

    def __str__(self) -> str:
        return self.message


def check(grid: Grid, filled: Grid, total: int | None = None) -> list[Violation]:
    """Every rule that `filled` breaks as an answer to `grid`; an empty list means that it is right.

    An answer has the size of the board, keeps what the board shows, fills every hidden cell with a trap or a
    gem, satisfies every clue, and has `total` traps if that is given.
    """
    require_grid(grid)
    require_grid(filled)
    if grid.cells.shape != filled.cells.shape:
        sizes = f"the board is {grid.rows}×{grid.cols}, the answer {filled.rows}×{filled.cols}"
        return [Violation("size", None, sizes)]
    return [] if _is_right(grid.cells, filled.cells, total) else [*_violations(grid, filled, total)]


def _is_right(shown: Codes, filled: Codes, total: int | None) -> bool:
    """Whether no rule is broken; on tiny boards this takes half as long as looking for each violation."""
    traps = filled == TRAP_CODE
    # Exactly the hidden cells have changed. None is now a clue: its code, HIDDEN, equals no count of traps.
    is_filled = not np.count_nonzero((shown != filled) != (shown == HIDDEN_CODE))
    holds = not np.count_nonzero((filled > HIDDEN_CODE) & (shown != _traps_around(traps)))
    return is_filled and holds and (total is None or total == np.count_nonzero(traps))


def _violations(grid: Grid, filled: Grid, total: int | None) -> Iterator[Violation]:
    """Wrong cells, then clues that do not hold, then the total."""
    was_hidden = grid.cells == HIDDEN_CODE
    for cell in _where(~was_hidden & (grid.cells != filled.cells)):
        shown, answered = CELL_MARKS[grid[cell]], CELL_MARKS[filled[cell]]
        yield Violation("given", cell, f"{cell} shows {shown} on the board, but {answered} in the answer")
    for cell in _where(was_hidden & (filled.cells != TRAP_CODE) & (filled.cells != GEM)):
        answered = CELL_MARKS[filled[cell]]
        yield Violation("unfilled", cell, f"{cell} must be T or G in the answer, not {answered}")
    traps = filled.cells == TRAP_CODE
    around = _traps_around(traps)
    for cell in _where((grid.cells >= 0) & (grid.cells != around)):
        touched = counted(int(around[cell]), "trap")
        yield Violation("clue", cell, f"{cell} says {grid[cell]}, but touches {touched}")
    if total is not None and total != (count := int(np.count_nonzero(traps))):
        yield Violation("total", None, f"the number of traps must be {total}, the answer has {count}")


def _where(wrong: NDArray[np.bool_]) -> Iterator[Cell]:
    """The marked cells in reading order."""
    # On a flat array this is many times faster than in rows and columns.
    return (Cell(*divmod(index, wrong.shape[1])) for index in wrong.ravel().nonzero()[0].tolist())


def _traps_around(traps: NDArray[np.bool_]) -> NDArray[np.int8]:
    """How many of each cell's neighbours are traps: sums over three columns, then over three rows."""
    # Rows lie end to end with an empty cell between them, and an empty row and cell at both ends: in one
    # dimension, NumPy takes less time for a tiny board.
    rows, cols = traps.shape
    width = cols + 1
    flat = np.zeros((rows + 2) * width + 2, np.int8)
    board = flat[width + 1 : -width - 1]
    board.reshape(rows, width)[:, :cols] = traps
    in_row = flat[:-2] + flat[1:-1] + flat[2:]
    blocks = in_row[: -2 * width] + in_row[width:-width] + in_row[2 * width :]
    around: NDArray[np.int8] = (blocks - board).reshape(rows, width)[:, :cols]
    return around
