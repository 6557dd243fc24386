"""Positions of games: what some random reveals show of a random board."""

from collections.abc import Iterator
from functools import cache

import numpy as np
from numpy.typing import NDArray

import oracles
from gemhunter.board.grid import HIDDEN, TRAP, Grid, count_around

Codes = NDArray[np.int8]
TRAPPED = 15


def random_positions(
    seed: int, amount: int, *, rows: int = 5, cols: int = 6, most_hidden: int = 12
) -> Iterator[tuple[Grid, int]]:
    """Grids with clues and hidden cells, a gem at least among these, and the number of traps."""
    chance = np.random.default_rng(seed)
    while amount > 0:
        shape = (chance.integers(1, rows + 1), chance.integers(1, cols + 1))
        traps = chance.random(shape) < chance.uniform(0.1, 0.5)
        shown = np.where(
            traps | (chance.random(shape) < chance.uniform(0.05, 0.6)), HIDDEN, true_codes(traps)
        )
        hidden = np.count_nonzero(shown == HIDDEN)
        if np.count_nonzero(traps) < hidden <= most_hidden and hidden < traps.size:
            amount -= 1
            yield Grid(shown.astype(np.int8)), int(np.count_nonzero(traps))


def true_codes(traps: NDArray[np.bool_]) -> Codes:
    """A board without anything hidden."""
    return np.where(traps, TRAP, count_around(traps)).astype(np.int8)


def shown_by_solutions(grid: Grid, total: int) -> NDArray[np.uint8]:
    """For every solution, a row each, what each hidden cell shows, in reading order, or `TRAPPED`."""
    solutions = oracles.solution_table(grid, total)
    hidden = grid.cells == HIDDEN
    rows = [np.empty((0, np.count_nonzero(hidden)), np.uint8)]
    for solution in solutions:
        traps = np.zeros(hidden.shape, bool)
        traps[hidden] = solution == 1
        rows.append(np.where(traps, TRAPPED, count_around(traps))[hidden][None].astype(np.uint8))
    return np.concatenate(rows)


def most_won(shows: NDArray[np.uint8]) -> int:
    """How many of these solutions the best player wins: every cell is tried in every position."""
    everything = frozenset(range(len(shows)))
    return _most_won(tuple(map(tuple, shows.tolist())), everything, frozenset())


def won_after(shows: NDArray[np.uint8], cell: int) -> int:
    """The same for a player who begins with this cell."""
    table = tuple(map(tuple, shows.tolist()))
    return _won_by(table, frozenset(range(len(shows))), frozenset(), cell)


@cache
def _most_won(table: tuple[tuple[int, ...], ...], possible: frozenset[int], revealed: frozenset[int]) -> int:
    if len(possible) <= 1:
        return len(possible)
    cells = set(range(len(table[0]))) - revealed
    return max(_won_by(table, possible, revealed, cell) for cell in cells)


def _won_by(
    table: tuple[tuple[int, ...], ...], possible: frozenset[int], revealed: frozenset[int], cell: int
) -> int:
    clues = {table[s][cell] for s in possible} - {TRAPPED}
    left = [frozenset(s for s in possible if table[s][cell] == clue) for clue in clues]
    return sum(_most_won(table, some, revealed | {cell}) for some in left)
