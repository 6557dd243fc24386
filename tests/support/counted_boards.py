"""Random small boards whose assignments can all be tried, and boards with clues taken away."""

from collections.abc import Collection, Iterator
from random import Random

import numpy as np

from gemhunter.board.board import grid_from_traps
from gemhunter.board.grid import GEM, HIDDEN, TRAP, Cell, Grid
from strategies import Planted

MOST_HIDDEN = 11
BOARD_SHAPES = ((1, 1), (1, 3), (1, 9), (7, 1), (2, 3), (3, 4), (4, 3), (4, 5), (5, 5), (3, 9), (7, 6))


def make_board(random: Random) -> Planted:
    """Planted traps, shown in some pattern; sometimes spoiled, given away in places, or with a total."""
    rows, cols = random.choice(BOARD_SHAPES)

    def some_cells(share: float) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
        return np.array([[random.random() < share for _ in range(cols)] for _ in range(rows)])

    traps = some_cells(random.choice((0.0, 0.15, 0.2, 0.35, 0.35, 0.4, 0.6, 1.0)))
    down, right = np.indices((rows, cols))
    # Shown are a lattice, most cells, half of them or few, in places only on the left.
    share = random.choice((None, 0.75, 0.5, 0.2))
    shown = (down % 2 == 0) & (right % 2 == 0) if share is None else some_cells(share)
    if random.random() < 0.15:
        shown &= right < cols / 2
    codes = grid_from_traps(traps, shown).cells.copy()
    given = (codes == HIDDEN) & some_cells(random.choice((0.0, 0.0, 0.0, 0.2, 0.2, 0.9)))
    codes = np.where(given, np.where(traps, TRAP, GEM), codes).astype(np.int8)
    for _ in range(random.choice((0, 0, 0, 0, 0, 1, 1, 1, 1, 3))):
        if (clues := np.argwhere(codes >= 0)).size:
            row, col = random.choice(clues.tolist())
            codes[row, col] = np.clip(codes[row, col] + random.choice((-2, -1, 1, 2, 5)), 0, 8)
    right_total = int(traps.sum())
    totals = (
        None,
        None,
        None,
        right_total,
        max(right_total + random.choice((-1, 1)), 0),
        random.randrange(60),
    )
    return Planted(Grid(codes), random.choice(totals))


def random_boards(amount: int, seed: int) -> Iterator[Planted]:
    """Rectangles of many kinds, solvable or not, with a total that is right, a little off or any, or none."""
    random = Random(seed)
    while amount:
        board = make_board(random)
        if np.count_nonzero(board.grid.cells == HIDDEN) <= MOST_HIDDEN:
            amount -= 1
            yield board


def with_only(grid: Grid, clues: Collection[Cell]) -> Grid:
    """`grid` with plain gems where all other clues were."""
    codes = grid.cells.copy()
    for row, col in np.argwhere(codes >= 0).tolist():
        if (row, col) not in clues:
            codes[row, col] = GEM
    return Grid(codes)
