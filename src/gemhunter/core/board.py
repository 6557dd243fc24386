"""The truth of a game: where the traps are."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import TRAP, Codes, Grid
from gemhunter.core.neighbours import count_around
from gemhunter.core.plurals import counted


@dataclass(frozen=True, slots=True, eq=False)
class Board:
    """Rows × cols cells, true where a trap lies. A player sees a `View`, never this."""

    traps: NDArray[np.bool_]

    def __post_init__(self) -> None:
        traps = np.array(self.traps, dtype=bool, order="C")
        if traps.ndim != 2 or traps.size == 0:
            raise ValueError(f"a board has rows and columns, not the shape {traps.shape}")
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
        """The clue of every gem, and `TRAP` where one lies."""
        return np.where(self.traps, np.int8(TRAP), count_around(self.traps))

    def grid(self) -> Grid:
        """The board as a grid with every clue and trap shown, to draw or print it."""
        return Grid(self.codes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Board) and np.array_equal(self.traps, other.traps)

    def __hash__(self) -> int:
        return hash((self.traps.shape, self.traps.tobytes()))

    def __reduce__(self) -> tuple[type["Board"], tuple[NDArray[np.bool_]]]:
        return Board, (self.traps,)

    def __repr__(self) -> str:
        return f"<Board {self.rows}×{self.cols}, {counted(self.total, 'trap')}>"
