"""The truth of a game: where the traps are, and the grid that shows its clues."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.array_values import ArrayValue
from gemhunter.board.grid import HIDDEN, TRAP, Grid, clue_neighbours, count_around
from gemhunter.jit.kernel import Codes
from gemhunter.wording import counted


@dataclass(frozen=True, slots=True, eq=False)
class Board(ArrayValue):
    """True for each of rows × cols cells that is a trap. A player sees a `View`, never this."""

    traps: NDArray[np.bool_]

    def __post_init__(self) -> None:
        traps = np.array(self.traps, dtype=bool, order="C")
        if traps.ndim != 2 or traps.size == 0:
            raise ValueError(f"a board must have rows and columns, not the shape {traps.shape}")
        traps.setflags(write=False)
        object.__setattr__(self, "traps", traps)

    @property
    def rows(self) -> int:
        """How many rows."""
        return int(self.traps.shape[0])

    @property
    def cols(self) -> int:
        """How many columns."""
        return int(self.traps.shape[1])

    @property
    def total(self) -> int:
        """How many traps."""
        return int(np.count_nonzero(self.traps))

    def codes(self) -> Codes:
        """The clue of every gem, and `TRAP` for every trap."""
        return np.where(self.traps, np.int8(TRAP), count_around(self.traps))

    def grid(self) -> Grid:
        """The board as a grid that shows every clue and trap."""
        return Grid(self.codes())

    def __repr__(self) -> str:
        return f"<Board {self.rows}×{self.cols}, {counted(self.total, 'trap')}>"


def grid_from_traps(traps: NDArray[np.bool_], shown: NDArray[np.bool_] | None = None) -> Grid:
    """What a player sees: a clue on every gem that is `shown` (all by default); others are hidden."""
    traps = np.asarray(traps, dtype=bool)
    looked = np.ones_like(traps) if shown is None else np.asarray(shown, dtype=bool)
    if looked.shape != traps.shape:
        raise ValueError(f"the trap map is {traps.shape}, the map of shown cells {looked.shape}")
    clues = np.flatnonzero(looked & ~traps)
    codes = np.full(traps.size, HIDDEN, np.int8)
    codes[clues] = np.count_nonzero(clue_neighbours(traps, clues, outside=False), axis=1)
    return Grid(codes.reshape(traps.shape))


def random_traps(rows: int, cols: int, density: float, seed: int) -> NDArray[np.bool_]:
    """An array that is True for traps; each cell is one with probability `density`."""
    return np.random.default_rng(seed).random((rows, cols)) < density


def random_grid(rows: int, cols: int, *, density: float = 0.2, shown: float = 0.5, seed: int = 0) -> Grid:
    """A random grid: each cell is a trap with probability `density`; gems show with probability `shown`."""
    looked = np.random.default_rng([seed, 1]).random((rows, cols)) < shown
    return grid_from_traps(random_traps(rows, cols, density, seed), looked)
