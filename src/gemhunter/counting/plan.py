"""A board taken apart, and the plan by which its parts are counted."""

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import HIDDEN, TRAP, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import regions_by_cell
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.counting.make_plan import plan_parts_flat
from gemhunter.kernels.counting.plan import FITS, CountPlan
from gemhunter.kernels.structure.grid_state import CONFLICT_AT, GRID_MARGIN, ROW_WIDTH
from gemhunter.kernels.structure.parts import Parts
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.structure.take_apart import board_and_parts

Ints = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class NoSolution:
    """The clues of the board, or its clues and its total, are in conflict."""


@dataclass(frozen=True, slots=True, eq=False)
class BoardPlan:
    """A board with all filled in that follows at once, its independent parts, and the plan to count them.

    `codes` is the board with the decided cells filled in. `untouched` are the hidden cells next to no clue
    that has anything left to say. The plan has `steps` steps.
    """

    grid: Grid
    codes: NDArray[np.int8]
    untouched: Ints
    parts: Parts
    plan: CountPlan
    steps: int

    @property
    def traps(self) -> int:
        """The number of known traps, on the board or by what follows at once."""
        return int(np.count_nonzero(self.codes == TRAP))

    @property
    def cost(self) -> float:
        """An upper bound on the number of states."""
        return float(self.plan.bound[: self.steps].sum())

    @property
    def width(self) -> str:
        """How large the largest table can be, in words."""
        return f"up to 2^{math.log2(self.plan.bound[: self.steps].max(initial=1)):.0f} states at once"


def plan_board(grid: Grid) -> BoardPlan | NoSolution | GaveUp:
    """Take a board apart and plan how to count its parts."""
    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return NoSolution()
    wide = board.codes.reshape(-1, board.numbers[ROW_WIDTH])
    codes = wide[GRID_MARGIN : GRID_MARGIN + grid.rows, GRID_MARGIN : GRID_MARGIN + grid.cols]
    untouched = codes.ravel() == HIDDEN
    untouched[parts.group_cells] = False
    fits, steps, *arrays = plan_parts_flat(
        parts.part_clues, parts.group_starts, parts.clue_starts, parts.clue_groups, parts.need
    )
    if fits != FITS:
        width = _open_at_once(parts, int(steps))
        return GaveUp(
            StopReason.STATES, f"too wide: about {counted(width, 'clue')} would be unfinished at once"
        )
    return BoardPlan(grid, codes, np.flatnonzero(untouched), parts, CountPlan(*arrays), int(steps))


def _open_at_once(parts: Parts, part: int) -> int:
    """The most clues of a part that are partly decided at once, if cells are decided in reading order."""
    at, clues = regions_by_cell(parts.clue_starts, parts.clue_groups, parts.group_starts.size - 1)
    first = np.arange(parts.need.size)
    np.minimum.at(first, clues, np.repeat(clues[at[:-1]], np.diff(at)))
    low, high = parts.part_clues[part], parts.part_clues[part + 1]
    opened = np.bincount(first[low:high] - low, minlength=high - low)
    return int((np.cumsum(opened) - np.arange(high - low)).max())
