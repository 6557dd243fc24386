"""Deals boards that need no guess: an ordinary board, repaired where a player would get stuck."""

import numpy as np

from gemhunter.core.first_click import OPENING_CLICK
from gemhunter.core.grid import Cell, Codes
from gemhunter.core.plurals import counted
from gemhunter.errors import InputError
from gemhunter.kernels.play.deal import REPAIR_STREAM, deal, set_seed
from gemhunter.kernels.play.no_guess import repair_board
from gemhunter.kernels.random_state import RandomState, below
from gemhunter.play.levels import Level

FEWEST_DEALS, MOST_DEALS = 5, 100
"""Boards that are tried for one game before it counts as impossible: fewer where a board takes longer."""

FEWEST_REPAIRS, MOST_REPAIRS = 20, 500
"""Tries to repair a board, one for each cell within these bounds."""

CELLS_OF_DEALS = 20_000_000
"""Cells times tries, over all deals, beyond which only the fewest deals are made."""

CELLS_PER_CALL = 2_000_000
"""Cells times tries of one call of the kernel, so that Ctrl-C is answered on large boards too."""

SEEDS_OF_DEALS = 2**31


def deal_no_guess(level: Level, seed: int, first: int, *, with_total: bool) -> Codes:
    """Clues and traps of a board on which every step follows by logic, from the cell `first` on.

    `with_total` says whether the total may be used. The board of the rule `opening` is repaired; if that
    fails, another one, whose seed follows from this one. An `InputError` if no board can be repaired.
    """
    _require_room(level, first)
    codes = np.empty((level.rows, level.cols), np.int8)
    random = np.empty(1, np.uint64)
    set_seed(seed, REPAIR_STREAM, random)
    fewest, tries = codes.size, min(max(codes.size, FEWEST_REPAIRS), MOST_REPAIRS)
    deals = min(max(CELLS_OF_DEALS // (codes.size * tries), FEWEST_DEALS), MOST_DEALS)
    for _ in range(deals):
        deal(seed, OPENING_CLICK, first, level.total, codes)
        left = _repaired(codes, first, random, with_total=with_total, tries=tries)
        if left == 0:
            return codes
        fewest = min(fewest, left)
        seed = below(random, SEEDS_OF_DEALS)
    raise InputError(
        f"no {level} game that needs no guess was found for a first click at {_cell(level, first)}: the best "
        f"of {deals} repaired boards leaves {counted(fewest, 'cell')} undecided; try fewer traps"
    )


def prepare_no_guess(level: Level, plain_seconds: float) -> None:
    """Compile the repair of boards if that pays off for games that take plain Python this long.

    Other processes then find it in the cache.
    """
    codes, random = np.zeros((level.rows, level.cols), np.int8), np.zeros(1, np.uint64)
    repair_board.prepare(plain_seconds, codes, 0, True, 1, random)


def _repaired(codes: Codes, first: int, random: RandomState, *, with_total: bool, tries: int) -> int:
    """Repair a board in place; the number of cells that stay undecided."""
    at_once = max(1, min(tries, CELLS_PER_CALL // codes.size))
    left = codes.size
    for _ in range(0, tries, at_once):
        left = repair_board(codes, first, with_total, at_once, random)
        if left == 0:
            break
    return left


def _require_room(level: Level, first: int) -> None:
    """The traps leave the first cell and its neighbours free, or leave nothing to decide."""
    cells = level.rows * level.cols
    row, col = divmod(first, level.cols)
    high = min(row + 2, level.rows) - max(row - 1, 0)
    wide = min(col + 2, level.cols) - max(col - 1, 0)
    if cells - high * wide < level.total < cells - 1:
        most = counted(cells - high * wide, "trap")
        raise InputError(
            f"a {level} game needs a guess: a first click at {_cell(level, first)} that shows a 0 "
            f"leaves room for at most {most}"
        )


def _cell(level: Level, first: int) -> Cell:
    return Cell(*divmod(first, level.cols))
