"""Simplify a puzzle: fill in the cells that single clues and linear algebra decide."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Grid
from gemhunter.core.puzzle import TOTAL_CLUE, Puzzle, impossible_regions, read_puzzle
from gemhunter.core.solution import Solution
from gemhunter.deduce.conflicts import clue_cells
from gemhunter.deduce.sentences import SINGLE_CLUES_CONFLICT, linear_conflict
from gemhunter.kernels.backtracking import fill_forced, new_search
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run
from gemhunter.structure.elimination import (
    LARGEST_SYSTEM,
    PRIMES,
    LinearConflict,
    bytes_needed,
    eliminated,
    has_total,
)
from gemhunter.structure.total_bounds import total_conflict

UNDECIDED = -1

MOST_ELIMINATED_CELLS = 300_000
"""Cells of regions, in all rounds together, after which no further round of elimination is worth its time."""


@dataclass(frozen=True, slots=True, eq=False)
class Simplified:
    """Hidden cell i of a puzzle is a trap if `values[i]` is 1, a gem if 0, and in `rest` if UNDECIDED."""

    values: NDArray[np.int8]
    rest: Puzzle

    def solution(self, rest: Solution) -> Solution:
        """The solution of the whole puzzle, given one of the rest."""
        traps = self.values == 1
        traps[self.values == UNDECIDED] = rest.traps
        return Solution(traps)

    def decided(self) -> tuple[int, ...]:
        """The decided cells, as `GaveUp` has them."""
        known = np.flatnonzero(self.values != UNDECIDED)
        return tuple(np.where(self.values[known] == 1, known + 1, -known - 1).tolist())


def simplify(puzzle: Puzzle, run: Run) -> Simplified | Refuted | GaveUp:
    """Fill in what single clues and linear algebra imply, until nothing more follows or it takes too long.

    A refutation names its clues unless it needs cells that were filled in before.
    """
    values, rest = np.full(puzzle.hidden.size, UNDECIDED, np.int8), puzzle
    looked_at = 0
    while True:
        if (found := _forced(rest)) is None:
            return Refuted(SINGLE_CLUES_CONFLICT)
        values, rest = _filled(puzzle, values, found)
        if stop := run.spend():
            return GaveUp(stop)
        if rest.cells.size > LARGEST_SYSTEM or not run.fits(bytes_needed(rest)):
            return Simplified(values, rest)
        implied = _implied(rest)
        if isinstance(implied, LinearConflict):
            run.count(by_elimination=1)
            return _refuted(rest, implied, complete=rest is puzzle)
        looked_at += rest.cells.size
        if looked_at > MOST_ELIMINATED_CELLS or not (implied != UNDECIDED).any():
            break
        values, rest = _filled(puzzle, values, implied)
    if (conflict := total_conflict(rest)) is not None:
        run.count(by_total=1)
        return _refuted(rest, conflict, complete=rest is puzzle)
    return Simplified(values, rest)


def _forced(puzzle: Puzzle) -> NDArray[np.int8] | None:
    """The values that single clues decide; None if they conflict."""
    if impossible_regions(puzzle).size:
        return None
    search = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
    return search.value if fill_forced(search) else None


def _implied(puzzle: Puzzle) -> NDArray[np.int8] | LinearConflict:
    """The values that follow by linear algebra; parity is tried only if whole numbers imply nothing."""
    values = np.full(puzzle.hidden.size, UNDECIDED, np.int8)
    for prime in PRIMES:
        found = eliminated(puzzle, prime)
        if isinstance(found, LinearConflict):
            return found
        values[found.cells] = found.values
        if found.cells.size:
            break
    return values


def _filled(
    puzzle: Puzzle, values: NDArray[np.int8], found: NDArray[np.int8]
) -> tuple[NDArray[np.int8], Puzzle]:
    """All values, with those just found for undecided cells, and what is left of the puzzle."""
    known = values.copy()
    known[values == UNDECIDED] = found
    return known, _rest(puzzle, known) if (known != UNDECIDED).any() else puzzle


def _rest(puzzle: Puzzle, values: NDArray[np.int8]) -> Puzzle:
    """The puzzle with the decided cells filled in; each clue must still be able to hold."""
    codes = np.full(puzzle.rows * puzzle.cols, GEM, np.int8)
    is_clue = puzzle.clues != TOTAL_CLUE
    codes[puzzle.clues[is_clue]] = puzzle.traps[is_clue]
    codes[puzzle.hidden] = np.where(values == UNDECIDED, HIDDEN, np.where(values == 1, TRAP, GEM))
    grid = Grid(codes.reshape(puzzle.rows, puzzle.cols))
    return read_puzzle(grid, int(puzzle.traps[-1]) if has_total(puzzle) else None)


def _refuted(puzzle: Puzzle, conflict: LinearConflict, *, complete: bool) -> Refuted:
    """The refutation by a combination of regions, with its clues unless cells were filled in before."""
    clues = clue_cells(puzzle, puzzle.clues[conflict.regions])
    with_total = len(clues) < conflict.regions.size
    reason = linear_conflict(len(clues), conflict.modulus, with_total=with_total)
    return Refuted(reason, clues if complete else ())
