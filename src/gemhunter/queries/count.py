"""The question "how many solutions are there?"."""

from collections import Counter
from math import comb

import numpy as np

from gemhunter.core.grid import TRAP, Grid
from gemhunter.core.puzzle import impossible_regions, read_puzzle, regions_by_cell, untouched_cells
from gemhunter.solving.outcomes import GaveUp, Limit
from gemhunter.solving.run import Limits, Run

MOST_STATES = 3000


def count(
    grid: Grid, *, traps: int | None = None, time_limit: float | None = None, step_limit: int | None = None
) -> int | GaveUp:
    """How many solutions `grid` has, with `traps` traps on the whole board if that is known."""
    return count_in(Run(Limits(time_limit, step_limit)), grid, traps=traps)


def count_in(run: Run, grid: Grid, *, traps: int | None = None) -> int | GaveUp:
    """The same within a run made by the caller."""
    read_puzzle(grid, traps)
    by_traps = count_by_traps_in(run, grid)
    if isinstance(by_traps, GaveUp):
        return by_traps
    return sum(by_traps.values()) if traps is None else by_traps.get(traps, 0)


def count_by_traps(
    grid: Grid, *, time_limit: float | None = None, step_limit: int | None = None
) -> dict[int, int] | GaveUp:
    """How many solutions `grid` has for each number of traps on the board."""
    return count_by_traps_in(Run(Limits(time_limit, step_limit)), grid)


def count_by_traps_in(run: Run, grid: Grid) -> dict[int, int] | GaveUp:
    """The same within a run made by the caller."""
    puzzle = read_puzzle(grid)
    free = untouched_cells(puzzle)
    if impossible_regions(puzzle).size:
        return {}
    at, regions = regions_by_cell(puzzle.starts, puzzle.cells, puzzle.hidden.size)
    turn = np.argsort(puzzle.hidden % grid.cols * grid.rows + puzzle.hidden // grid.cols)
    order = [int(c) for c in (turn if grid.cols > grid.rows else np.arange(free.size)) if not free[c]]
    place = {cell: index for index, cell in enumerate(order)}
    last = {r: max(place[int(c)] for c in puzzle.region(r)) for r in np.flatnonzero(puzzle.sizes).tolist()}
    touching = {cell: regions[at[cell] : at[cell + 1]].tolist() for cell in order}
    left: dict[tuple[tuple[int, int], ...], Counter[int]] = {(): Counter({0: 1})}
    for index, cell in enumerate(order):
        if limit := run.spend(len(left)):
            return GaveUp(limit)
        if len(left) > MOST_STATES:
            return GaveUp(Limit.STATES)
        left = _next(left, {r: (int(puzzle.traps[r]), last[r] == index) for r in touching[cell]})
    near = left.get((), Counter())
    amount, known = int(np.count_nonzero(free)), int(np.count_nonzero(grid.cells == TRAP))
    by_traps: dict[int, int] = {}
    for base, ways in near.items():
        for more in range(amount + 1):
            by_traps[known + base + more] = by_traps.get(known + base + more, 0) + ways * comb(amount, more)
    return by_traps


def _next(
    left: dict[tuple[tuple[int, int], ...], Counter[int]], touched: dict[int, tuple[int, bool]]
) -> dict[tuple[tuple[int, int], ...], Counter[int]]:
    after: dict[tuple[tuple[int, int], ...], Counter[int]] = {}
    for state, ways in left.items():
        for trap in (0, 1):
            needs = dict(state)
            for region, (need, _) in touched.items():
                needs[region] = needs.get(region, need) - trap
            if any(needs[r] < 0 or (ends and needs[r]) for r, (_, ends) in touched.items()):
                continue
            key = tuple(sorted((r, n) for r, n in needs.items() if not (r in touched and touched[r][1])))
            tally = after.setdefault(key, Counter())
            for traps, amount in ways.items():
                tally[traps + trap] += amount
    return after
