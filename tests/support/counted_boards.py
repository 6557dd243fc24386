"""Random small boards by seed, whose assignments can all be tried, and boards with clues taken away."""

from collections.abc import Collection, Iterator

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, Cell, Grid
from gemhunter.fuzzing.cases import make_board
from strategies import Planted

MOST_HIDDEN = 11


def random_boards(amount: int, seed: int) -> Iterator[Planted]:
    """Rectangles of many kinds, solvable or not, with a total that is right, a little off or any, or none."""
    random = np.random.default_rng(seed)
    while amount:
        case = make_board(random)
        if np.count_nonzero(case.grid.cells == HIDDEN) <= MOST_HIDDEN:
            amount -= 1
            yield Planted(case.grid, case.total)


def with_only(grid: Grid, clues: Collection[Cell]) -> Grid:
    """`grid` with plain gems where all other clues were."""
    codes = grid.cells.copy()
    for row, col in np.argwhere(codes >= 0).tolist():
        if (row, col) not in clues:
            codes[row, col] = GEM
    return Grid(codes)
