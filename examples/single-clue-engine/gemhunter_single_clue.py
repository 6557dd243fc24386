"""An engine of your own: it fills in what single clues decide, over and over, and never guesses.

Copy this folder, rename it, and replace the body of `solve`. The entry point in pyproject.toml is all it
takes for `gemhunter solve BOARD --engine single-clue` to find it.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import Puzzle, Solution, untouched_cells
from gemhunter.errors import InputError
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run

Values = NDArray[np.int64]
UNDECIDED, GEM, TRAP = -1, 0, 1


def make_engine(argument: str) -> "SingleClueEngine":
    """The registry calls this with what follows the colon in `single-clue:…`, or with nothing."""
    if argument:
        raise InputError(f"single-clue takes no argument, found {argument!r}")
    return SingleClueEngine()


@dataclass(frozen=True, slots=True)
class SingleClueEngine:
    """A clue that has all its traps makes the rest gems; one that needs all its cells makes them traps."""

    @property
    def info(self) -> EngineInfo:
        """Incomplete: where no single clue decides anything, it gives up."""
        return EngineInfo("single-clue", "fills in what single clues decide", complete=False, step="pass")

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Pass over all regions until nothing changes."""
        value = np.full(puzzle.hidden.size, UNDECIDED)
        value[untouched_cells(puzzle)] = GEM
        while True:
            before = value.copy()
            for index in range(puzzle.traps.size):
                if not _decide(value, puzzle.region(index), int(puzzle.traps[index])):
                    return Refuted("a clue cannot hold once single clues are filled in")
            if np.array_equal(value, before):
                return _answer(value)
            if limit := run.spend(1):
                return GaveUp(limit)


def _answer(value: Values) -> Outcome:
    """What the values say once every region agrees with them."""
    if (value == UNDECIDED).any():
        return GaveUp(StopReason.UNDECIDED, "stuck: no single clue decides another cell")
    return Solved(Solution(value == TRAP))


def _decide(value: Values, cells: Values, traps: int) -> bool:
    """Fill in the rest of one region if it is certain; False if the region cannot hold any more."""
    open_cells = cells[value[cells] == UNDECIDED]
    missing = traps - int(np.count_nonzero(value[cells] == TRAP))
    if missing < 0 or missing > open_cells.size:
        return False
    if missing in (0, open_cells.size):
        value[open_cells] = TRAP if missing else GEM
    return True
