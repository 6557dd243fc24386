"""Which cells are the same in every solution, read off the circuit of a board."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, TRAP
from gemhunter.counting.plan import NoSolution, Planned
from gemhunter.counting.weighing import WeighedBoard, traps_and_gems, weigh_board
from gemhunter.solving.outcomes import GaveUp
from gemhunter.solving.run import Run


def forced_codes(planned: Planned, run: Run, total: int | None) -> NDArray[np.int8] | NoSolution | GaveUp:
    """The codes of the board with every cell filled in that is the same in all solutions."""
    weighed = weigh_board(planned, run, total=total, only_whether=True)
    if not isinstance(weighed, WeighedBoard):
        return weighed
    found = traps_and_gems(weighed, run)
    if isinstance(found, GaveUp):
        return found
    can_be_trap, can_be_gem = found
    codes = planned.codes.copy().ravel()
    cells = planned.parts.group_cells
    codes[cells[can_be_trap == 0.0]] = GEM
    codes[cells[can_be_gem == 0.0]] = TRAP
    if weighed.surplus is not None and planned.free.size:
        in_free_cells = weighed.rest - np.flatnonzero(weighed.surplus)
        if in_free_cells.max() == 0:
            codes[planned.free] = GEM
        elif in_free_cells.min() == planned.free.size:
            codes[planned.free] = TRAP
    return codes.reshape(planned.codes.shape)
