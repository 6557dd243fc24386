"""`local-search`: flips cells next to wrong clues until no clue is wrong.

Read `walk` first: it is the algorithm. Above it is what a caller sees (settings, engine with its events) and
the state of a search.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from gemhunter.board.puzzle import Puzzle, Solution, impossible_regions, regions_by_cell
from gemhunter.engines.backtracking import BacktrackingState, fill_forced, new_search
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Floats, Ints, Signs, kernel
from gemhunter.jit.search_state import TRAIL_SIZE, UNASSIGNED, RandomState, below, new_random_state, share
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.events import (
    CellForced,
    Event,
    Exhausted,
    FlipsSpent,
    ModelFound,
    RegionConflict,
    WalkBegun,
    Walked,
)
from gemhunter.solving.outcomes import (
    CLUE_CANNOT_HOLD,
    SINGLE_CLUES_CONFLICT,
    GaveUp,
    Outcome,
    Refuted,
    Solved,
    StopReason,
)
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings
from gemhunter.wording import counted


def make_engine(argument: str) -> "LocalSearch":
    """The engine with these settings."""
    return read_settings(LocalSearch, "local-search", argument)


@dataclass(frozen=True, slots=True)
class LocalSearch:
    """Draws a wrong clue and one of its cells, flips that cell, and repeats.

    The error of a clue is how many traps it has too many or too few. For each unit by which it lowers the sum
    of all errors, a flip is `greed` times as likely at the beginning of a round and `greediest` times at its
    end. The first round has `round` flips for each hidden cell, and each further round twice as many as the
    one before. After `cap` flips for each hidden cell it gives up.
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
                    f"local-search: {name} must be from 1 to 1,000,000,000 flips per cell, not {flips}"
                )

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            name_with("local-search", self),
            "flips cells next to wrong clues until none is wrong; refutes only what a single clue refutes",
            complete=False,
            step="flip",
            memory_limit=True,
            settings=defaults(LocalSearch),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Fill what single clues decide, then flip cells in slices."""
        if impossible_regions(puzzle).size:
            return Refuted(CLUE_CANNOT_HOLD)
        if not run.fits(8 * (8 * puzzle.cells.size + 12 * puzzle.sizes.size + 8 * puzzle.hidden.size)):
            return GaveUp(StopReason.MEMORY, "the cells and regions would not fit")
        forced = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
        if not fill_forced(forced):
            return Refuted(SINGLE_CLUES_CONFLICT)
        state = _beginning(forced, run.seed)
        cells = int(np.count_nonzero(np.diff(state.at)))
        cap = self.cap * cells if run.limits.steps is None else run.limits.steps
        slices = self._slices(cells, run)
        spent = 0
        while True:
            greed, flips = next(slices)
            flipped = walk(state, _weights(state, greed), min(run.slice(flips), cap - spent))
            spent += flipped
            run.count(flips=flipped)
            limit = run.spend(flipped)
            if not state.numbers[WRONG_COUNT]:
                traps = forced.value == 1
                traps[forced.value == UNASSIGNED] = state.traps == 1
                return Solved(Solution(traps))
            if limit is not None or spent >= cap:
                return GaveUp(limit or StopReason.ATTEMPTS, f"{counted(spent, 'flip')} tried")

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """The cells that single clues decide, the random values of the others, and every flip."""
        forced = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
        holds = fill_forced(forced)
        for cell in forced.trail[: forced.numbers[TRAIL_SIZE]].tolist():
            yield CellForced(cell + 1 if forced.value[cell] == 1 else -cell - 1)
        if not holds:
            yield RegionConflict(int(np.flatnonzero((forced.need < 0) | (forced.need > forced.room))[0]))
            yield Exhausted()
            return
        state = _beginning(forced, run.seed)
        hidden, regions = np.flatnonzero(forced.value == UNASSIGNED), np.flatnonzero(forced.room > 0)
        touched = np.flatnonzero(np.diff(state.at))

        def wrong() -> tuple[int, ...]:
            return tuple(sorted(regions[state.wrong[: state.numbers[WRONG_COUNT]]].tolist()))

        if touched.size:
            literals = np.where(state.traps[touched] == 1, hidden[touched] + 1, -hidden[touched] - 1)
            yield WalkBegun(tuple(literals.tolist()), wrong())
        spent, cap, slices = 0, self.cap * touched.size, self._slices(touched.size, run)
        while state.numbers[WRONG_COUNT]:
            greed, flips = next(slices)
            weights = _weights(state, greed)
            for _ in range(flips):
                before = state.traps.copy()
                spent += walk(state, weights, 1)
                for cell in np.flatnonzero(state.traps != before).tolist():
                    literal = int(hidden[cell]) + 1
                    yield Walked(spent, literal if state.traps[cell] == 1 else -literal, wrong())
                if not state.numbers[WRONG_COUNT]:
                    break
                if spent == cap:
                    yield FlipsSpent(cap)
                    return
        yield ModelFound()

    def _slices(self, cells: int, run: Run) -> Iterator[tuple[float, int]]:
        """An endless series of pairs: a greed, and a number of flips.

        Greed rises fast at first: most boards are solved while it is low, lattices and totals when high.
        """
        stages = 8  # a round has at least this many, each greedier than the one before
        length = max(self.round * cells, stages)
        while True:
            piece = min(length // stages, 250_000)  # flips between two looks at the clock
            for done in range(0, length, piece):
                yield self.greed * (self.greediest / self.greed) ** math.sqrt(done / length), piece
            run.count(restarts=1)
            length *= 2


def _weights(state: "LocalSearchState", greed: float) -> Floats:
    """The weight of a flip, by how much it changes the sum of all errors."""
    most = int(np.diff(state.at).max(initial=0))
    return greed ** -np.arange(-most, most + 1.0)


# The state of a search.
#
# The regions of cell c are `regions[at[c]:at[c+1]]`, the cells of region r are
# `cells[starts[r]:starts[r+1]]`. `surplus[r]` is how many traps region r has too many, negative if too few.

WRONG_COUNT = 0
"""A place in `LocalSearchState.numbers`: how many regions are wrong."""


class LocalSearchState(NamedTuple):
    """Everything a local search remembers between two slices.

    `traps[c]` is 1 for a trap and 0 for a gem. `wrong` has the regions that are wrong, in no order, and
    region r is `wrong[place[r]]` if it is one of them.
    """

    at: Ints
    regions: Ints
    starts: Ints
    cells: Ints
    surplus: Ints
    traps: Signs
    wrong: Ints
    place: Ints
    numbers: Ints
    random: RandomState


def _beginning(forced: BacktrackingState, seed: int) -> LocalSearchState:
    """Random values for the cells that single clues do not decide, and the regions of these cells."""
    is_open, has_room = forced.value == UNASSIGNED, forced.room > 0
    cells = (np.cumsum(is_open) - 1)[forced.cells[is_open[forced.cells]]]
    starts = np.concatenate([[0], np.cumsum(forced.room[has_room])])
    at, regions = regions_by_cell(starts, cells, int(np.count_nonzero(is_open)))
    traps = np.random.default_rng(seed % 2**64).integers(0, 2, at.size - 1, np.int8)
    sums = np.concatenate([[0], np.cumsum(traps[cells], dtype=np.int64)])
    surplus = sums[starts[1:]] - sums[starts[:-1]] - forced.need[has_room]
    wrong, place = np.zeros(surplus.size, np.int64), np.zeros(surplus.size, np.int64)
    wrong_now = np.flatnonzero(surplus)
    wrong[: wrong_now.size] = wrong_now
    place[wrong_now] = np.arange(wrong_now.size)
    numbers = np.array([wrong_now.size], np.int64)
    return LocalSearchState(
        at, regions, starts, cells, surplus, traps, wrong, place, numbers, new_random_state(seed)
    )


# The search: cells of wrong regions are flipped until no region is wrong.

WEIGHED_CELLS = 64
"""How many cells of a region are weighed at most; of a larger one, such as the total, this many are drawn."""


@kernel(estimate=lambda _, __, flips: 1e-5 * flips)
def walk(w: LocalSearchState, weights: Floats, flips: int) -> int:
    """Flip at most `flips` cells, until no region is wrong; return how many flips were made.

    Each flip draws a wrong region, and one of the cells whose flip makes it less wrong. Cells are drawn by
    weight: if a cell changes the sum of all errors by e, its weight is `weights[e + weights.size // 2]`.
    """
    at, regions, starts, cells = w.at, w.regions, w.starts, w.cells
    surplus, traps, wrong, place, random = w.surplus, w.traps, w.wrong, w.place, w.random
    weighed = np.empty(WEIGHED_CELLS, np.int64)
    sums = np.empty(WEIGHED_CELLS, np.float64)
    middle = weights.size // 2
    wrong_count = w.numbers[WRONG_COUNT]
    made = 0
    while made < flips and wrong_count > 0:
        # Draw a wrong region. Its flips add a trap or take one away, whichever it needs.
        made += 1
        region = wrong[below(random, wrong_count)]
        step = 1 if surplus[region] < 0 else -1
        before = 1 if step < 0 else 0
        start, size = starts[region], starts[region + 1] - starts[region]
        # Weigh its cells that can change that way; of a large region, draw some to weigh.
        found = 0
        total = 0.0
        for i in range(min(size, WEIGHED_CELLS)):
            cell = cells[start + (i if size <= WEIGHED_CELLS else below(random, size))]
            if traps[cell] == before:
                total += weights[middle + change_of_errors(at, regions, surplus, cell, step)]
                weighed[found] = cell
                sums[found] = total
                found += 1
        if found == 0:
            continue
        # Draw one of them by weight, and flip it.
        drawn = share(random) * total
        chosen = 0
        while chosen < found - 1 and sums[chosen] <= drawn:
            chosen += 1
        cell = weighed[chosen]
        traps[cell] += step
        # Its regions may become wrong, or right. The last wrong region takes the place of one that is right.
        for i in range(at[cell], at[cell + 1]):
            region = regions[i]
            if surplus[region] == 0:
                wrong[wrong_count] = region
                place[region] = wrong_count
                wrong_count += 1
            surplus[region] += step
            if surplus[region] == 0:
                wrong_count -= 1
                last = wrong[wrong_count]
                wrong[place[region]] = last
                place[last] = place[region]
    w.numbers[WRONG_COUNT] = wrong_count
    return made


@kernel
def change_of_errors(at: Ints, regions: Ints, surplus: Ints, cell: int, step: int) -> int:
    """What `step` more traps in a cell, 1 or -1, change about the sum of all errors."""
    change = 0
    for i in range(at[cell], at[cell + 1]):
        change += 1 if surplus[regions[i]] * step >= 0 else -1
    return change
