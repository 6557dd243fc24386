"""Backtracking told cell by cell, from the same kernel that runs at full speed when nobody listens."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.solving.events import (
    CellForced,
    Decided,
    Event,
    Exhausted,
    Flipped,
    ModelFound,
    RegionConflict,
)

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from gemhunter.kernels.backtracking import BacktrackingState


def backtracking_events(
    search: "BacktrackingState", touched: "NDArray[np.int64]", *, constrained: bool, first: int
) -> Iterator[Event]:
    """Everything that happens, in order; the last event is Found or Exhausted.

    `touched` has the hidden cell behind each cell of the search; `first` is tried first, 1 for a trap.
    """
    from gemhunter.kernels import backtracking as kernels

    def literal(place: int) -> int:
        cell = search.trail[place]
        return int(touched[cell] + 1) * (1 if search.value[cell] == 1 else -1)

    if constrained:
        holds = kernels.fill_forced(search)
        yield from (CellForced(literal(place)) for place in range(search.numbers[kernels.TRAIL]))
        if not holds:
            yield from _broken(search)
            yield Exhausted()
            return
    while True:
        code = kernels.search(search, constrained, first, 1)
        if code != kernels.MORE:
            yield ModelFound() if code == kernels.FOUND else Exhausted()
            return
        level = int(search.numbers[kernels.DEPTH])
        place = int(search.decided[level - 1])
        flipped = search.flipped[level - 1]
        yield Flipped(literal(place), level) if flipped else Decided(literal(place), level)
        yield from (CellForced(literal(later)) for later in range(place + 1, search.numbers[kernels.TRAIL]))
        yield from _broken(search)


def _broken(search: "BacktrackingState") -> Iterator[Event]:
    """The first region that can no longer hold, if there is one."""
    broken = np.flatnonzero((search.need < 0) | (search.need > search.room))
    yield from (RegionConflict(int(region)) for region in broken[:1])
