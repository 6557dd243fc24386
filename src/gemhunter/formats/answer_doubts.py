"""Why a grid that could be read may still be something else than a wrong answer.

A right answer must not be marked wrong because it was misread. A grid that shows the board's clues and breaks
a rule is wrong. One that looks like another board, or like another notation, is left to a person.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.checker import check
from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid


def is_remark(grid: Grid, board: Grid) -> bool:
    """Whether a grid has neither a trap nor a gem, like a table of numbers, and so is not an answer."""
    return HIDDEN in board.cells and not _is_filling(grid).any()


def doubt_about(grid: Grid, board: Grid, *, is_alone: bool) -> str | None:
    """Why a grid that does not fit the board may have been misread; None if it is wrong without a doubt.

    `is_alone` says that no other cells stand around it, so that the grid is all there is.
    """
    if grid.cells.shape != board.cells.shape:
        if is_alone and grid.cells.size < board.cells.size:
            return None
        return f"the board is {board.rows}×{board.cols}, the answer {grid.rows}×{grid.cols}"
    shown, hidden = board.cells != HIDDEN, board.cells == HIDDEN
    differs = shown & (grid.cells != board.cells)
    if 2 * np.count_nonzero(differs) > np.count_nonzero(shown):
        return "most of the board's clues are not in their places; this may be the answer to another board"
    if differs.any() and (grid.cells[differs] == HIDDEN).all() and _is_filling(grid)[hidden].all():
        return "some of the board's clues are not shown; write them as the board does"
    if not _is_filling(grid)[hidden].any():
        return "no unknown cell is filled with T or G; this may be another notation"
    return None


def leaves_one_kind_out(grid: Grid, board: Grid) -> bool:
    """Whether an answer has no gems, or no traps, and is right if the cells left unknown are those.

    Minesweeper programs print `*` for a mine and `.` for anything else.
    """
    if grid.cells.shape != board.cells.shape:
        return False
    hidden = board.cells == HIDDEN
    left = (grid.cells == HIDDEN) & hidden
    missing = [kind for kind in (TRAP, GEM) if not (grid.cells[hidden] == kind).any()]
    if not left.any() or len(missing) != 1:
        return False
    return not check(board, Grid(np.where(left, missing[0], grid.cells)))


def _is_filling(grid: Grid) -> NDArray[np.bool_]:
    return np.isin(grid.cells, (TRAP, GEM))
