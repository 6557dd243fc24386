"""The risk of each hidden cell, as far as a view shows it."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.play.view import View
from gemhunter.queries.answers import SAME, Forced, Probabilities
from gemhunter.queries.forced import forced
from gemhunter.queries.probability import probabilities
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run

USUAL_LIMITS = Limits(seconds=5.0)
"""For each of two questions; ordinary positions take a thousandth of it."""


@dataclass(frozen=True, slots=True, eq=False)
class Risks:
    """The risk of each hidden cell: exactly 0 or 1 where the clues and the total decide it.

    Not a number where the cell is shown, and where it is not known; then `gap` says why, and `gave_up` is the
    answer that the question for all risks got.
    """

    risks: NDArray[np.float64]
    gap: str = ""
    gave_up: GaveUp | None = None

    def risk(self, cell: Cell) -> float:
        """The risk of this cell."""
        return float(self.risks[cell])

    def gems(self) -> list[Cell]:
        """The hidden cells that cannot be traps, in reading order."""
        return _cells(self.risks == 0.0)

    def traps(self) -> list[Cell]:
        """The hidden cells that cannot be anything else, in reading order."""
        return _cells(self.risks == 1.0)

    def safest(self) -> list[Cell]:
        """The hidden cells with the least risk; none while some risks are not known."""
        if self.gap or np.isnan(self.risks).all():
            return []
        return _cells(self.risks <= np.nanmin(self.risks) * (1 + SAME))


def know(view: View, run: Run | None = None) -> Risks:
    """What can be known in this position; where exact answers give up, what the clues alone decide."""
    found = know_grid(view.grid, run, total=view.total)
    return (
        Risks(np.full(view.grid.cells.shape, np.nan), found.reason) if isinstance(found, Refuted) else found
    )


def know_grid(
    grid: Grid, run: Run | None = None, *, total: int | None = None, density: float | None = None
) -> Risks | Refuted:
    """What can be known of a grid, with a total or with a density; or that it has no solution."""
    run = run or Run(USUAL_LIMITS)
    second = run.within()
    weighed = probabilities(grid, total=total, density=density, run=run)
    if isinstance(weighed, Probabilities):
        return Risks(weighed.values)
    if isinstance(weighed, Refuted):
        return weighed
    decided = forced(grid, run=second)
    risks = np.full(grid.cells.shape, np.nan)
    if isinstance(decided, Forced | GaveUp):
        filled = decided.filled if isinstance(decided, Forced) else decided.fill(grid)
        was_hidden = grid.cells == HIDDEN
        risks[was_hidden & (filled.cells == GEM)] = 0.0
        risks[was_hidden & (filled.cells == TRAP)] = 1.0
    return Risks(risks, weighed.reason, weighed)


def clues_around(grid: Grid, cell: Cell) -> tuple[Cell, ...]:
    """The clues next to a cell, in reading order."""
    return tuple(each for each in grid.around(cell) if grid[each] >= 0)


def nearest(cells: list[Cell], to: Cell) -> Cell:
    """The cell with the fewest steps of a king to another one; the first in reading order of several."""
    return min(cells, key=lambda cell: max(abs(cell.row - to.row), abs(cell.col - to.col)))


def _cells(where: NDArray[np.bool_]) -> list[Cell]:
    return [Cell(row, col) for row, col in np.argwhere(where).tolist()]
