"""The question "how likely is each cell a trap?"."""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.puzzle import read_puzzle, untouched_cells
from gemhunter.errors import InputError
from gemhunter.queries.answers import Probabilities
from gemhunter.queries.count import count_by_traps_in
from gemhunter.queries.solve import solve
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run


def probabilities(
    grid: Grid,
    *,
    traps: int | None = None,
    density: float | None = None,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> Probabilities | Refuted | GaveUp:
    """How likely each hidden cell is a trap."""
    return probabilities_in(Run(Limits(time_limit, step_limit)), grid, traps=traps, density=density)


def probabilities_in(
    run: Run, grid: Grid, *, traps: int | None = None, density: float | None = None
) -> Probabilities | Refuted | GaveUp:
    """The same within a run made by the caller."""
    if traps is not None and density is not None:
        raise InputError("a total or a density, not both")
    if density is not None and not 0 <= density <= 1:
        raise InputError("a share")
    whole = _weight(run, grid, traps, density)
    if isinstance(whole, GaveUp):
        return whole
    if not whole:
        clues = tuple(cell for clue in range(9) for cell in grid.where(clue))
        outcome = solve(grid, traps=traps).outcome
        return Refuted("brute force", clues) if isinstance(outcome, Refuted) else Refuted("the total", clues)
    values = np.full(grid.cells.shape, np.nan)
    puzzle = read_puzzle(grid)
    free = puzzle.hidden[untouched_cells(puzzle)]
    for cell in grid.where(HIDDEN):
        if free.size and cell != grid.cell(free[0]) and cell.row * grid.cols + cell.col in free:
            values[cell] = values[grid.cell(free[0])]
            continue
        codes = grid.cells.copy()
        codes[cell] = TRAP
        part = _weight(run, Grid(codes), traps, density)
        if isinstance(part, GaveUp):
            return part
        values[cell] = float(part / whole)
    return Probabilities(grid, values)


def probabilities_of_many(
    grids: Sequence[Grid], *, traps: int | None = None, density: float | None = None
) -> list[Probabilities | Refuted | GaveUp]:
    """The same for many boards."""
    return [probabilities(grid, traps=traps, density=density) for grid in grids]


def _weight(run: Run, grid: Grid, traps: int | None, density: float | None) -> Fraction | GaveUp:
    by_traps = count_by_traps_in(run, grid)
    if isinstance(by_traps, GaveUp):
        return by_traps
    if density is None:
        return Fraction(sum(by_traps.values()) if traps is None else by_traps.get(traps, 0))
    p, cells = Fraction(density), int(np.isin(grid.cells, (HIDDEN, TRAP, GEM)).sum())
    return sum((n * p**k * (1 - p) ** (cells - k) for k, n in by_traps.items()), start=Fraction(0))
