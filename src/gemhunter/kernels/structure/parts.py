"""The layout of a board that has been taken apart."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray


class Parts(NamedTuple):
    """What propagation leaves undecided of a board, merged into groups and split into independent parts.

    Group g is the cells `group_cells[group_starts[g]:group_starts[g+1]]`, which the same clues touch. Clue c
    says that exactly `need[c]` cells of its groups `clue_groups[clue_starts[c]:clue_starts[c+1]]` are traps;
    no two clues have the same groups, and 0 < need < number of cells. Part p has the groups from
    `part_groups[p]` to `part_groups[p+1]` and the clues from `part_clues[p]` to `part_clues[p+1]`; it shares
    none with another. Cells and `clue_indices` are indices on the board, in reading order from 0. Parts are
    in the reading order of their first cell, and so are groups and clues within a part.
    """

    part_groups: NDArray[np.int64]
    part_clues: NDArray[np.int64]
    group_starts: NDArray[np.int64]
    group_cells: NDArray[np.int64]
    clue_starts: NDArray[np.int64]
    clue_groups: NDArray[np.int64]
    need: NDArray[np.int64]
    clue_indices: NDArray[np.int64]
