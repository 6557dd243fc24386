"""The rows of a linear elimination, and what it remembers.

Row r stands for the sum over `places[first[r]:first[r]+size[r]]` of `factors[...]` times the cell, and says
that it is `sums[r]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Longs = NDArray[np.int64]

NONE = -1
NOT_IMPLIED = -1
COSTS = 1024
"""Rows that cost as much or more are all in the last bucket."""

ENTRIES_USED, NODES_USED, STEPS_USED, PIVOTS_USED, CHEAPEST_COST, INCONSISTENT_ROW = range(6)
"""Places in `System.numbers`: used of `places`, of `node_row`, of `step_row`, of `pivot_row`; a cost below
which no bucket has rows; and the row that cannot hold."""


class LinearSystem(NamedTuple):
    """All rows, and what was done to them.

    Step i subtracted `step_factor[i]` times row `step_pivot[i]` from row `step_row[i]`. The rows that have
    cell c are among the nodes that begin at `head[c]` and go on at `node_next`; `rows_of[c]` counts them.
    Rows of equal cost are linked from `bucket[cost]` by `after` and `before`; `cost` is NONE for those that
    lie still. `value[c]` is UNKNOWN, or what a row says of cell c by itself. `work` and `seen` are scratch,
    one place per cell.
    """

    first: Longs
    size: Longs
    room: Longs
    sums: Longs
    places: NDArray[np.int32]
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
    pivot_place: Longs
    value: NDArray[np.int8]
    work: Longs
    seen: Longs
    numbers: Longs


def new_system(starts: Longs, cells: Longs, traps: Longs, size: int) -> LinearSystem:
    """The regions as they are, over `size` cells, with room for what is filled in.

    On all boards that were measured, `places` came to 4 times the cells of all regions, nodes to 1.8 times,
    and steps to 2 for each region.
    """
    rows, used = starts.size - 1, cells.size
    places, factors = np.empty(6 * used + 1000, np.int32), np.empty(6 * used + 1000, np.int64)
    places[:used], factors[:used] = cells, 1
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
        places=places,
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
        pivot_place=np.empty(rows, np.int64),
        value=np.full(size, NOT_IMPLIED, np.int8),
        work=np.zeros(size, np.int64),
        seen=np.full(size, NONE),
        numbers=numbers,
    )
