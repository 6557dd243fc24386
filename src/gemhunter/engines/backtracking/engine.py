"""`backtracking`: cell by cell on the grid, backtracking when a clue can no longer hold."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import Puzzle, impossible_regions, untouched_cells
from gemhunter.core.solution import Solution
from gemhunter.deduce.sentences import CLUE_CANNOT_HOLD, SINGLE_CLUES_CONFLICT
from gemhunter.engines.backtracking.clauses import make_clause_engine
from gemhunter.kernels.backtracking import BacktrackingState, fill_forced, new_search, search_cells
from gemhunter.kernels.codes import DECISION_LEVEL, EXHAUSTED, FOUND, MORE, NODE_COUNT, TRAIL_SIZE
from gemhunter.solving.events import (
    CellForced,
    Decided,
    Event,
    Exhausted,
    Flipped,
    ModelFound,
    RegionConflict,
)
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import Engine, EngineInfo
from gemhunter.solving.run import Run
from gemhunter.solving.settings import CLAUSE_MODE, FirstValue, read_settings, values, without_word

Order = Literal["most-constrained", "reading"]

CELL_ORDERS: dict[Order, str] = {
    "most-constrained": "most constrained cell first, forced cells filled at once",
    "reading": "cells in reading order, clues checked by running counts",
}

BACKTRACKING_MODES = (*CELL_ORDERS, CLAUSE_MODE)
"""What the list of engines shows after the colon."""

FIRST_SLICE_NODES = 1000
"""On large boards, finding the most constrained cell takes long."""


def make_engine(argument: str) -> Engine:
    """The engine with the settings in `argument`, the others at their defaults."""
    rest = without_word(argument, CLAUSE_MODE)
    if rest is None:
        return read_settings(Backtracking, "backtracking", argument, also=BACKTRACKING_MODES)
    return make_clause_engine(rest)


@dataclass(frozen=True, slots=True)
class Backtracking:
    """Fills one cell after another, `value` first, and backtracks when a clue can no longer hold."""

    order: Order = "most-constrained"
    value: FirstValue = "gem"

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        about = f"backtracking, {CELL_ORDERS[self.order]}"
        name = f"backtracking:{self.order}" + (",value=trap" if self.value == "trap" else "")
        return EngineInfo(name, about, step="node", memory_limit=True, settings=values(self))

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Search in slices of nodes; the search is a loop, so no board is too deep for it."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        touched = np.flatnonzero(~untouched_cells(puzzle))
        if not run.fits(_bytes(puzzle, touched.size)):
            return GaveUp(StopReason.MEMORY)
        constrained, first = self.order == "most-constrained", int(self.value == "trap")
        search = _beginning(puzzle, touched)
        if constrained and not fill_forced(search):
            return Refuted(SINGLE_CLUES_CONFLICT)
        sizes = run.slice_sizes(FIRST_SLICE_NODES)
        while True:
            before = int(search.numbers[NODE_COUNT])
            code = search_cells(search, constrained, first, run.slice(next(sizes)))
            visited = int(search.numbers[NODE_COUNT]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == FOUND:
                return Solved(_solution(puzzle, touched, search))
            if code == EXHAUSTED:
                return Refuted(f"all ways to fill the cells break a clue (shown by {self.info.name})")
            if limit is not None:
                return GaveUp(limit)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The events of the search, cell by cell."""
        touched = np.flatnonzero(~untouched_cells(puzzle))
        return _events(
            _beginning(puzzle, touched),
            touched,
            constrained=self.order == "most-constrained",
            first=int(self.value == "trap"),
        )


def _beginning(puzzle: Puzzle, touched: NDArray[np.int64]) -> BacktrackingState:
    """A search in which no cell has a value, over the cells of all regions."""
    number = np.cumsum(~untouched_cells(puzzle)) - 1
    return new_search(puzzle.starts, number[puzzle.cells], puzzle.traps, touched.size)


def _bytes(puzzle: Puzzle, touched: int) -> int:
    """How many bytes a search takes, with the two arrays that sort its cells."""
    return 8 * (4 * puzzle.cells.size + 3 * puzzle.sizes.size + 5 * touched + puzzle.hidden.size)


def _solution(puzzle: Puzzle, touched: NDArray[np.int64], search: BacktrackingState) -> Solution:
    traps = np.zeros(puzzle.hidden.size, bool)
    traps[touched] = search.value == 1
    return Solution(traps)


def _events(
    search: BacktrackingState, touched: NDArray[np.int64], *, constrained: bool, first: int
) -> Iterator[Event]:
    """All events of a search, in order; the last is `ModelFound` or `Exhausted`.

    `touched` has the hidden cell behind each cell of the search; `first` is tried first, 1 for a trap.
    """

    def literal(index: int) -> int:
        cell = search.trail[index]
        return int(touched[cell] + 1) * (1 if search.value[cell] == 1 else -1)

    if constrained:
        holds = fill_forced(search)
        yield from (CellForced(literal(index)) for index in range(search.numbers[TRAIL_SIZE]))
        if not holds:
            yield from _conflict(search)
            yield Exhausted()
            return
    while True:
        code = search_cells(search, constrained, first, 1)
        if code != MORE:
            yield ModelFound() if code == FOUND else Exhausted()
            return
        level = int(search.numbers[DECISION_LEVEL])
        index = int(search.decided[level - 1])
        flipped = search.flipped[level - 1]
        yield Flipped(literal(index), level) if flipped else Decided(literal(index), level)
        yield from (CellForced(literal(later)) for later in range(index + 1, search.numbers[TRAIL_SIZE]))
        yield from _conflict(search)


def _conflict(search: BacktrackingState) -> Iterator[Event]:
    """The first region that can no longer hold, if there is one."""
    regions = np.flatnonzero((search.need < 0) | (search.need > search.room))
    yield from (RegionConflict(int(region)) for region in regions[:1])
