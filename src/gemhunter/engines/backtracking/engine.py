"""`backtracking`: cell by cell on the grid, taking back what breaks a clue."""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import Puzzle, impossible_regions, untouched_cells
from gemhunter.core.solution import Solution
from gemhunter.deduce.sentences import CLUE_CANNOT_HOLD, SINGLE_CLUES_CONFLICT
from gemhunter.solving.events import Event
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import Engine, EngineInfo
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, read_settings, values, without_word

if TYPE_CHECKING:
    from gemhunter.kernels.backtracking import BacktrackingState

Order = Literal["most-constrained", "reading"]

ORDERS: dict[Order, str] = {
    "most-constrained": "most constrained cell first, forced cells filled at once",
    "reading": "cells in reading order, clues checked by running counts",
}
CLAUSES = "clauses"
"""The word that asks for backtracking on clauses instead."""

MODES = (*ORDERS, CLAUSES)
"""What is worth listing after the colon."""

FIRST_SLICE = 1000
"""Nodes; on large boards finding the most constrained cell takes long."""


def make_engine(argument: str) -> Engine:
    """The engine with the settings that are spelled out, the others at their defaults."""
    rest = without_word(argument, CLAUSES)
    if rest is None:
        return read_settings(Backtracking, "backtracking", argument, also=MODES)
    from gemhunter.engines.backtracking.clauses import make_clause_engine

    return make_clause_engine(rest)


@dataclass(frozen=True, slots=True)
class Backtracking:
    """Fills one cell after the other, `value` first, and goes back when a clue can no longer hold."""

    order: Order = "most-constrained"
    value: FirstValue = "gem"

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        about = f"backtracking, {ORDERS[self.order]}"
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
        from gemhunter.kernels import backtracking as kernels

        search = _beginning(puzzle, touched)
        if constrained and not kernels.fill_forced(search):
            return Refuted(SINGLE_CLUES_CONFLICT)
        sizes = run.slice_sizes(FIRST_SLICE)
        while True:
            before = int(search.numbers[kernels.NODES])
            code = kernels.search(search, constrained, first, run.slice(next(sizes)))
            visited = int(search.numbers[kernels.NODES]) - before
            run.count(nodes=visited)
            limit = run.spend(visited)
            if code == kernels.FOUND:
                return Solved(_solution(puzzle, touched, search))
            if code == kernels.EXHAUSTED:
                return Refuted(f"all ways to fill the cells break a clue (shown by {self.info.name})")
            if limit is not None:
                return GaveUp(limit)

    def tell(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The events of the search, cell by cell."""
        from gemhunter.engines.backtracking.events import backtracking_events

        touched = np.flatnonzero(~untouched_cells(puzzle))
        return backtracking_events(
            _beginning(puzzle, touched),
            touched,
            constrained=self.order == "most-constrained",
            first=int(self.value == "trap"),
        )


def _beginning(puzzle: Puzzle, touched: NDArray[np.int64]) -> "BacktrackingState":
    """A search in which nothing is filled yet, over the cells that some region mentions."""
    from gemhunter.kernels.backtracking import new_search

    number = np.cumsum(~untouched_cells(puzzle)) - 1
    return new_search(puzzle.starts, number[puzzle.cells], puzzle.traps, touched.size)


def _bytes(puzzle: Puzzle, touched: int) -> int:
    """What the arrays of a search take, and the two that sort its cells."""
    return 8 * (4 * puzzle.cells.size + 3 * puzzle.sizes.size + 5 * touched + puzzle.hidden.size)


def _solution(puzzle: Puzzle, touched: NDArray[np.int64], search: "BacktrackingState") -> Solution:
    traps = np.zeros(puzzle.hidden.size, bool)
    traps[touched] = search.value == 1
    return Solution(traps)
