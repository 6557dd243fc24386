"""A sparse system of linear equations over the hidden cells, and the log of its elimination.

Row r says that the sum over `cells[first[r]:first[r]+size[r]]` of `factors[...]` times the cell is `sums[r]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.kernels.codes import NONE

Longs = NDArray[np.int64]

NOT_IMPLIED = -1
COSTS = 1024
"""Buckets of rows by cost; the last one has all rows that cost as much or more."""

# The scalars of a system: places in `LinearSystem.numbers`.
ENTRIES_USED = 0  # entries of `cells` and `factors` in use, gaps included
NODES_USED = 1  # nodes of `node_row` in use
STEPS_USED = 2  # subtractions in the log, `step_row` and its companions
PIVOTS_USED = 3  # rows that have been pivots
CHEAPEST_COST = 4  # no bucket below this one has rows
INCONSISTENT_ROW = 5  # the row that cannot hold


class LinearSystem(NamedTuple):
    """All rows, and the log of what was done to them.

    Step i subtracted `step_factor[i]` times row `step_pivot[i]` from row `step_row[i]`. The rows that have
    cell c are among the nodes that begin at `head[c]` and go on at `node_next`; `rows_of[c]` counts them.
    Rows of equal cost are linked from `bucket[cost]` by `after` and `before`; `cost` is NONE for rows that
    are done. `value[c]` is NOT_IMPLIED, or the value of cell c that a row implies. `work` and `seen` are
    scratch space, one entry per cell.
    """

    first: Longs
    size: Longs
    room: Longs
    sums: Longs
    cells: NDArray[np.int32]
    factors: Longs
    head: Longs
    rows_of: Longs
    node_row: NDArray[np.int32]
    node_next: Longs
    bucket: Longs
    after: Longs
    before: Longs
    cost: Longs
    step_row: NDArray[np.int32]
    step_pivot: NDArray[np.int32]
    step_factor: Longs
    pivot_row: Longs
    pivot_entry: Longs
    value: NDArray[np.int8]
    work: Longs
    seen: Longs
    numbers: Longs


def new_system(starts: Longs, cells: Longs, traps: Longs, size: int) -> LinearSystem:
    """One row for each region, over `size` cells, with room for fill-in.

    On all boards that were measured, entries came to 4 times the cells of all regions, nodes to 1.8 times,
    and steps to 2 for each region.
    """
    rows, used = starts.size - 1, cells.size
    row_cells, factors = np.empty(6 * used + 1000, np.int32), np.empty(6 * used + 1000, np.int64)
    row_cells[:used], factors[:used] = cells, 1
    nodes = np.empty(3 * used + 1000, np.int32)
    nodes[:used] = np.repeat(np.arange(rows), np.diff(starts))
    steps = 6 * rows + 1000
    numbers = np.zeros(6, np.int64)
    numbers[ENTRIES_USED] = numbers[NODES_USED] = used
    links = np.full((3, rows), NONE)
    return LinearSystem(
        first=starts[:-1].copy(),
        size=np.diff(starts),
        room=np.diff(starts),
        sums=traps.copy(),
        cells=row_cells,
        factors=factors,
        head=np.full(size, NONE),
        rows_of=np.bincount(cells, minlength=size),
        node_row=nodes,
        node_next=np.empty(nodes.size, np.int64),
        bucket=np.full(COSTS, NONE),
        after=links[0],
        before=links[1],
        cost=links[2],
        step_row=np.empty(steps, np.int32),
        step_pivot=np.empty(steps, np.int32),
        step_factor=np.empty(steps, np.int64),
        pivot_row=np.empty(rows, np.int64),
        pivot_entry=np.empty(rows, np.int64),
        value=np.full(size, NOT_IMPLIED, np.int8),
        work=np.zeros(size, np.int64),
        seen=np.full(size, NONE),
        numbers=numbers,
    )
