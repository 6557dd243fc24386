"""From maps of traps to grids with their clues, and maps drawn at random."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.neighbours import clue_neighbours


def grid_from_traps(traps: NDArray[np.bool_], shown: NDArray[np.bool_] | None = None) -> Grid:
    """The grid that a player sees: a clue on every shown cell without a trap, all others hidden.

    `traps` is true where a trap lies; `shown` is true where the player has looked, by default everywhere.
    """
    traps = np.asarray(traps, dtype=bool)
    looked = np.ones_like(traps) if shown is None else np.asarray(shown, dtype=bool)
    if looked.shape != traps.shape:
        raise ValueError(f"the trap map is {traps.shape}, the map of shown cells {looked.shape}")
    clues = np.flatnonzero(looked & ~traps)
    codes = np.full(traps.size, HIDDEN, np.int8)
    codes[clues] = np.count_nonzero(clue_neighbours(traps, clues, outside=False), axis=1)
    return Grid(codes.reshape(traps.shape))


def random_traps(rows: int, cols: int, density: float, seed: int) -> NDArray[np.bool_]:
    """A map where each cell is a trap with the probability `density`."""
    return np.random.default_rng(seed).random((rows, cols)) < density


def random_grid(rows: int, cols: int, *, density: float = 0.2, shown: float = 0.5, seed: int = 0) -> Grid:
    """A grid with traps at `density`, of which the player has looked at the share `shown`."""
    looked = np.random.default_rng([seed, 1]).random((rows, cols)) < shown
    return grid_from_traps(random_traps(rows, cols, density, seed), looked)
