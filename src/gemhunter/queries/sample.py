"""The wish "some solutions, drawn at random"."""

import numpy as np

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.queries.probability import probabilities_in
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Limits, Run


def sample(
    grid: Grid,
    amount: int,
    *,
    traps: int | None = None,
    density: float | None = None,
    seed: int = 0,
    time_limit: float | None = None,
    step_limit: int | None = None,
) -> list[Grid] | Refuted | GaveUp:
    """Solutions drawn independently, each filled in."""
    run = Run(Limits(time_limit, step_limit), seed=seed)
    return sample_in(run, grid, amount, traps=traps, density=density)


def sample_in(
    run: Run, grid: Grid, amount: int, *, traps: int | None = None, density: float | None = None
) -> list[Grid] | Refuted | GaveUp:
    """The same within a run made by the caller."""
    random = np.random.default_rng(run.seed)
    first = probabilities_in(run, grid, traps=traps, density=density)
    if isinstance(first, (Refuted, GaveUp)):
        return first
    known: dict[Grid, float] = {}
    drawn = []
    for _ in range(amount):
        filled = grid
        for cell in grid.where(HIDDEN):
            if filled not in known:
                answer = probabilities_in(run, filled, traps=traps, density=density)
                if isinstance(answer, (Refuted, GaveUp)):
                    return answer
                known[filled] = answer[cell]
            codes = filled.cells.copy()
            codes[cell] = TRAP if random.random() < known[filled] else GEM
            filled = Grid(codes)
        drawn.append(filled)
    return drawn
