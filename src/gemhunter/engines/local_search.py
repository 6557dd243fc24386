"""`local-search`: flips cells where clues are wrong, until none is."""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import Puzzle, impossible_regions, regions_by_cell
from gemhunter.core.solution import Solution
from gemhunter.deduce.sentences import CLUE_CANNOT_HOLD, SINGLE_CLUES_CONFLICT
from gemhunter.errors import InputError
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings

if TYPE_CHECKING:
    from gemhunter.kernels.backtracking import BacktrackingState
    from gemhunter.kernels.local_search import LocalSearchState

FLIPS_PER_SLICE = 250_000
STAGES = 8
"""A round is cut into so many pieces at least, each greedier than the one before."""


def make_engine(argument: str) -> "LocalSearch":
    """The engine with these settings."""
    return read_settings(LocalSearch, "local-search", argument)


@dataclass(frozen=True, slots=True)
class LocalSearch:
    """Draws a wrong clue, draws one of its cells, flips it, and so on.

    One wrong trap fewer on the whole board makes a flip `greed` times as likely at the beginning of a round
    and `greediest` times at its end. The first round has `round` flips for each open cell, every further
    one twice as many as the one before. After `cap` flips for each open cell it gives up.
    """

    greed: float = 2.0
    greediest: float = 20.0
    round: int = 100
    cap: int = 20_000

    def __post_init__(self) -> None:
        if not 1 <= self.greed <= self.greediest <= 1000:
            raise InputError(
                "local-search: 1 <= greed <= greediest <= 1000 must hold, "
                f"found {self.greed:g} and {self.greediest:g}"
            )
        for name, flips in [("round", self.round), ("cap", self.cap)]:
            if not 1 <= flips <= 10**9:
                raise InputError(
                    f"local-search: {name} is from 1 to 1,000,000,000 flips for each cell, not {flips}"
                )

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            name_with("local-search", self),
            "flips cells next to wrong clues until none is wrong; cannot refute what single clues do not",
            complete=False,
            step="flip",
            memory_limit=True,
            settings=defaults(LocalSearch),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Fill what single clues decide, then walk in slices of flips."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        if not run.fits(8 * (8 * puzzle.cells.size + 12 * puzzle.sizes.size + 8 * puzzle.hidden.size)):
            return GaveUp(StopReason.MEMORY, "the cells and regions would not fit")
        from gemhunter.kernels import local_search as kernels
        from gemhunter.kernels.backtracking import fill_forced, new_search

        forced = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
        if not fill_forced(forced):
            return Refuted(SINGLE_CLUES_CONFLICT)
        walk = _beginning(forced, run.seed)
        degree = np.diff(walk.at)
        cells, most = int(np.count_nonzero(degree)), int(degree.max(initial=0))
        cap = self.cap * cells if run.limits.steps is None else run.limits.steps
        slices = self._slices(cells, run)
        made = 0
        while True:
            greed, flips = next(slices)
            odds = greed ** -np.arange(-most, most + 1.0)
            flipped = kernels.walk(walk, odds, min(run.slice(flips), cap - made))
            made += flipped
            run.count(flips=flipped)
            limit = run.spend(flipped)
            if not walk.numbers[kernels.BROKEN]:
                return Solved(_solution(forced, walk))
            if limit is not None or made >= cap:
                return GaveUp(limit or StopReason.ATTEMPTS, f"{counted(made, 'flip')} tried")

    def _slices(self, cells: int, run: Run) -> Iterator[tuple[float, int]]:
        """How greedy to be for how many flips, without end.

        It rises fast at first: most boards are solved while it is low, lattices and totals once it is high.
        """
        length = max(self.round * cells, STAGES)
        while True:
            piece = min(length // STAGES, FLIPS_PER_SLICE)
            for done in range(0, length, piece):
                yield self.greed * (self.greediest / self.greed) ** math.sqrt(done / length), piece
            run.count(restarts=1)
            length *= 2


def _beginning(forced: "BacktrackingState", seed: int) -> "LocalSearchState":
    """A random filling of the cells that are still open, with the regions that still have some."""
    from gemhunter.kernels.backtracking import OPEN
    from gemhunter.kernels.local_search import LocalSearchState
    from gemhunter.kernels.random_state import new_random_state

    is_open, has_room = forced.value == OPEN, forced.room > 0
    cells = (np.cumsum(is_open) - 1)[forced.cells[is_open[forced.cells]]]
    starts = np.concatenate([[0], np.cumsum(forced.room[has_room])])
    at, regions = regions_by_cell(starts, cells, int(np.count_nonzero(is_open)))
    traps = np.random.default_rng(seed % 2**64).integers(0, 2, at.size - 1, np.int8)
    sums = np.concatenate([[0], np.cumsum(traps[cells], dtype=np.int64)])
    surplus = sums[starts[1:]] - sums[starts[:-1]] - forced.need[has_room]
    broken, place = np.zeros(surplus.size, np.int64), np.zeros(surplus.size, np.int64)
    wrong = np.flatnonzero(surplus)
    broken[: wrong.size] = wrong
    place[wrong] = np.arange(wrong.size)
    numbers = np.array([wrong.size], np.int64)
    return LocalSearchState(
        at, regions, starts, cells, surplus, traps, broken, place, numbers, new_random_state(seed)
    )


def _solution(forced: "BacktrackingState", walk: "LocalSearchState") -> Solution:
    traps = forced.value == 1
    traps[forced.value < 0] = walk.traps == 1
    return Solution(traps)
