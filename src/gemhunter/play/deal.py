"""How a seed deals the board of a game and draws the initial safe cells."""

import numpy as np

from gemhunter.board.board import Board
from gemhunter.board.grid import TRAP, Cell
from gemhunter.board.position import OPENING_CLICK, SAFE_CLICK, FirstClick
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Codes, kernel
from gemhunter.jit.search_state import RandomState, below
from gemhunter.play.game_ids import GameId
from gemhunter.wording import counted

BOARD_STREAM, PLAYER_STREAM, INITIAL_CELLS_STREAM, REPAIR_STREAM = 0, 1, 5, 6
"""The purposes for which a seed gives random numbers, each with a separate sequence."""

REPAIR_TRIES, DEALS = (20, 500), (5, 100)
"""Lower and upper limits, for games that need no guess: on the tries to repair a board (otherwise one per
cell), and on the boards dealt before giving up (otherwise as many as time allows)."""


def deal_board(game: GameId, first: Cell) -> Board:
    """The board of this game if its player begins at `first`."""
    return Board(dealt_codes(game, first.row * game.level.cols + first.col) == TRAP)


def dealt_codes(game: GameId, first: int) -> Codes:
    """The clues and traps of this game if its player begins at the cell of this index."""
    if game.first_click.needs_no_guess:
        return deal_no_guess(game, first)
    codes = np.empty((game.level.rows, game.level.cols), np.int8)
    deal(game.seed, game.first_click.code, first, game.level.total, codes)
    return codes


def deal_no_guess(game: GameId, first: int) -> Codes:
    """The clues and traps of a board on which every step from the cell `first` follows by logic.

    The board that the rule `opening` deals is repaired. If that fails, another one is dealt, whose seed
    follows from this one. Raises `InputError` if no board can be repaired.
    """
    from gemhunter.play.repair import repair_in_slices  # a search that few games need

    level, seed = game.level, game.seed
    begin, cells = Cell(*divmod(first, level.cols)), level.rows * level.cols
    # The traps must leave the first cell and its neighbours free, or leave nothing to decide.
    high = min(begin.row + 2, level.rows) - max(begin.row - 1, 0)
    wide = min(begin.col + 2, level.cols) - max(begin.col - 1, 0)
    if (room := cells - high * wide) < level.total < cells - 1:
        raise InputError(
            f"a {level} game needs a guess: a first click at {begin} that shows a 0 "
            f"leaves room for at most {counted(room, 'trap')}"
        )
    codes = np.empty((level.rows, level.cols), np.int8)
    random = np.empty(1, np.uint64)
    set_seed(seed, REPAIR_STREAM, random)
    tries = min(max(cells, REPAIR_TRIES[0]), REPAIR_TRIES[1])
    deals = min(max(20_000_000 // (cells * tries), DEALS[0]), DEALS[1])
    fewest = cells
    for _ in range(deals):
        deal(seed, OPENING_CLICK, first, level.total, codes)
        with_total = game.first_click is FirstClick.NO_GUESS
        left = repair_in_slices(codes, first, random, with_total=with_total, tries=tries)
        if left == 0:
            return codes
        fewest = min(fewest, left)
        seed = below(random, 2**31)
    raise InputError(
        f"no {level} game that needs no guess was found for a first click at {begin}: the best "
        f"of {deals} repaired boards leaves {counted(fewest, 'cell')} undecided; try fewer traps"
    )


@kernel(estimate=lambda *arguments: 3e-6 * arguments[-1].size)
def deal(seed: int, first_click: int, first: int, total: int, codes: Codes) -> None:
    """Fill `codes`, rows × cols, with traps and clues for a game whose player begins at `first`.

    The order in which cells get traps depends on the seed alone, except that cells the rule keeps free come
    last, `first` last of all. So every board that the rule allows has the same probability.
    """
    rows, cols = codes.shape
    random = np.empty(1, np.uint64)
    set_seed(seed, BOARD_STREAM, random)
    order = np.arange(rows * cols)
    codes[:] = 0
    spared = np.empty(9, np.int64)
    left, kept, at = total, 0, 0
    first_row, first_col = first // cols, first % cols
    # Shuffle only as many cells as needed (Fisher-Yates), and put a trap on each cell that may have one.
    while left > 0 and at < order.size:
        other = at + below(random, order.size - at)
        cell = order[other]
        order[other] = order[at]
        at += 1
        row, col = cell // cols, cell % cols
        near = abs(row - first_row) <= 1 and abs(col - first_col) <= 1
        if (first_click == OPENING_CLICK and near) or (first_click == SAFE_CLICK and cell == first):
            if cell != first:
                spared[kept] = cell
                kept += 1
            continue
        codes[row, col] = TRAP
        left -= 1
    # The other cells are full: the neighbours of the first cell take the rest.
    for i in range(min(left, kept)):
        codes[spared[i] // cols, spared[i] % cols] = TRAP
    write_clues(codes)


@kernel
def write_clues(codes: Codes) -> None:
    """Write the clue of every gem."""
    rows, cols = codes.shape
    for row in range(rows):
        for col in range(cols):
            if codes[row, col] == TRAP:
                continue
            around = 0
            for r in range(max(row - 1, 0), min(row + 2, rows)):
                for c in range(max(col - 1, 0), min(col + 2, cols)):
                    around += codes[r, c] == TRAP
            codes[row, col] = around


@kernel(estimate=lambda _, __, truth, ___: 2e-6 * truth.size)
def show_initial_cells(seed: int, wanted: int, truth: Codes, shown: Codes) -> None:
    """Show `wanted` random gems of `truth`, or all of them if there are fewer; a 0 opens nothing."""
    cols = truth.shape[1]
    gems = np.empty(truth.size, np.int64)
    count = 0
    for cell in range(truth.size):
        if truth[cell // cols, cell % cols] != TRAP:
            gems[count] = cell
            count += 1
    random = np.empty(1, np.uint64)
    set_seed(seed, INITIAL_CELLS_STREAM, random)
    for i in range(min(wanted, count)):
        other = i + below(random, count - i)
        cell = gems[other]
        gems[other] = gems[i]
        shown[cell // cols, cell % cols] = truth[cell // cols, cell % cols]


# The constants of SplitMix64.
STRIDE = np.uint64(0x9E3779B97F4A7C15)
MIX, MIX_AGAIN = np.uint64(0xBF58476D1CE4E5B9), np.uint64(0x94D049BB133111EB)
FIRST_SHIFT, SECOND_SHIFT, THIRD_SHIFT = np.uint64(30), np.uint64(27), np.uint64(31)


@kernel
def set_seed(seed: int, purpose: int, random: RandomState) -> None:
    """Set a random state for a seed and a purpose (SplitMix64), identical on every machine."""
    random[0] = seed
    for _ in range(2):
        # On the array, not on its element: plain NumPy warns when a scalar overflows, as it should here.
        random += STRIDE
        random ^= random >> FIRST_SHIFT
        random *= MIX
        random ^= random >> SECOND_SHIFT
        random *= MIX_AGAIN
        random ^= random >> THIRD_SHIFT
        random += np.uint64(purpose)
    if random[0] == 0:
        random[0] = STRIDE
