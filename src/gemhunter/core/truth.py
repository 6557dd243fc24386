"""From the truth to a position: the clues that a map of traps gives rise to."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, Grid
from gemhunter.core.neighbours import clue_neighbours


def position(traps: NDArray[np.bool_], shown: NDArray[np.bool_] | None = None) -> Grid:
    """The board a player sees: a clue on every shown cell that is no trap, all others hidden.

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
