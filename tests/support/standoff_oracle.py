"""What standoffs cost: as kernels say it, and by definition from all solutions listed."""

from itertools import product

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import HIDDEN, Grid
from gemhunter.counting.propagate import index_with_margins
from gemhunter.play.guessing.choose import HIDDEN_WALLS_ALLOWED, standoff_shares
from gemhunter.play.notes import blank_notes, read_grid
from gemhunter.play.risks import BY_TOTAL, log_factorials, note_certain, risks_by_index, weigh_in_play
from random_positions import TRAPPED, shown_by_solutions

Floats = NDArray[np.float64]


def shares_of(grid: Grid, total: int) -> Floats:
    """What the kernel says, cell by cell."""
    notes, logs = read_grid(grid.cells.copy()), log_factorials(grid.cells.size)
    w = weigh_in_play(notes.board, total, BY_TOTAL, True, logs)
    while note_certain(notes, w):
        w = weigh_in_play(notes.board, total, BY_TOTAL, True, logs)
    risks = risks_by_index(notes.board, w)
    shares = standoff_shares(notes, blank_notes(grid.rows, grid.cols), w, risks, total, logs)
    places = [int(index_with_margins(notes.board, cell)) for cell in range(grid.cells.size)]
    return np.array([shares[place] for place in places]).reshape(grid.cells.shape)


def plain_shares(grid: Grid, total: int) -> Floats:
    """The same by definition, from all solutions; nothing in the grid may be certain."""
    shows, hidden = shown_by_solutions(grid, total), grid.cells == HIDDEN
    traps = np.zeros((len(shows), *hidden.shape), bool)
    traps[:, hidden] = shows == TRAPPED
    shares: Floats = np.zeros(hidden.shape)
    for row, col, (down, right) in product(range(grid.rows), range(grid.cols), [(1, 2), (2, 1), (2, 2)]):
        cells = [(row + d, col + r) for d in range(down) for r in range(right)]
        if row + down > grid.rows or col + right > grid.cols or not all(hidden[cell] for cell in cells):
            continue
        walls = [
            wall
            for wall in product(range(grid.rows), range(grid.cols))
            if wall not in cells and sum(touch(wall, cell) for cell in cells) == 1
        ]
        if len(walls) > HIDDEN_WALLS_ALLOWED or not all(hidden[wall] for wall in walls):
            continue
        first = [cell for cell in cells if (cell[0] - row + cell[1] - col) % 2 == 0]
        fits = [
            all(solution[cell] == (cell in first) for cell in cells) and all(solution[wall] for wall in walls)
            for solution in traps
        ]
        for cell in cells + walls:
            shares[cell] += np.mean(fits)
    risks: Floats = traps.mean(axis=0)
    return np.minimum(shares, np.minimum(risks, 1.0 - risks))


def touch(one: tuple[int, int], other: tuple[int, int]) -> bool:
    return max(abs(one[0] - other[0]), abs(one[1] - other[1])) == 1
