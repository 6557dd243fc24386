"""What is left of a puzzle when single clues and linear algebra have said all they can."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.grid import GEM, HIDDEN, TRAP, Cell, Grid
from gemhunter.core.plurals import counted
from gemhunter.core.puzzle import TOTAL, Puzzle, impossible_regions, read_puzzle
from gemhunter.core.solution import Solution
from gemhunter.solving.outcomes import GaveUp, Refuted
from gemhunter.solving.run import Run
from gemhunter.structure.elimination import (
    LARGEST,
    PRIMES,
    LinearConflict,
    bytes_needed,
    eliminated,
    has_total,
)
from gemhunter.structure.total_bounds import total_conflict

OPEN = -1

ENOUGH = 300_000
"""Cells of regions, in all rounds together, after which no further round of elimination is worth its time."""


@dataclass(frozen=True, slots=True, eq=False)
class Simplified:
    """Hidden cell i of a puzzle is a trap if `values[i]` is 1, a gem if 0, and one of `rest` if OPEN."""

    values: NDArray[np.int8]
    rest: Puzzle

    def solution(self, rest: Solution) -> Solution:
        """The solution of the whole puzzle with that of the rest."""
        traps = self.values == 1
        traps[self.values == OPEN] = rest.traps
        return Solution(traps)

    def decided(self) -> tuple[int, ...]:
        """The cells that have their value, as `GaveUp` has them."""
        known = np.flatnonzero(self.values != OPEN)
        return tuple(np.where(self.values[known] == 1, known + 1, -known - 1).tolist())


def simplify(puzzle: Puzzle, run: Run) -> Simplified | Refuted | GaveUp:
    """Fill in what single clues and linear algebra imply, until nothing more follows or it takes too long.

    A refutation names the clues that it takes, if they are enough without cells filled in before.
    """
    values, rest = np.full(puzzle.hidden.size, OPEN, np.int8), puzzle
    looked_at = 0
    while True:
        if (found := _forced(rest)) is None:
            return Refuted("what single clues decide breaks a clue")
        values, rest = _filled(puzzle, values, found)
        if limit := run.spend():
            return GaveUp(limit)
        if rest.cells.size > LARGEST or not run.fits(bytes_needed(rest)):
            return Simplified(values, rest)
        implied = _implied(rest)
        if isinstance(implied, LinearConflict):
            run.count(by_elimination=1)
            return _refuted(rest, implied, complete=rest is puzzle)
        looked_at += rest.cells.size
        if looked_at > ENOUGH or not (implied != OPEN).any():
            break
        values, rest = _filled(puzzle, values, implied)
    if (clash := total_conflict(rest)) is not None:
        run.count(by_total=1)
        return _refuted(rest, clash, complete=rest is puzzle)
    return Simplified(values, rest)


def _forced(puzzle: Puzzle) -> NDArray[np.int8] | None:
    """The values that single clues leave no choice about; None if a clue breaks."""
    from gemhunter.kernels.backtracking import fill_forced, new_search

    if impossible_regions(puzzle).size:
        return None
    search = new_search(puzzle.starts, puzzle.cells, puzzle.traps, puzzle.hidden.size)
    return search.value if fill_forced(search) else None


def _implied(puzzle: Puzzle) -> NDArray[np.int8] | LinearConflict:
    """The values that follow by linear algebra; by parity only if they do not without it."""
    values = np.full(puzzle.hidden.size, OPEN, np.int8)
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
    """All values, with those just found of cells that were open, and what is left of the puzzle then."""
    known = values.copy()
    known[values == OPEN] = found
    return known, _rest(puzzle, known) if (known != OPEN).any() else puzzle


def _rest(puzzle: Puzzle, values: NDArray[np.int8]) -> Puzzle:
    """The puzzle with cells that have a value filled in; its traps must be possible, clue by clue."""
    codes = np.full(puzzle.rows * puzzle.cols, GEM, np.int8)
    is_clue = puzzle.clues != TOTAL
    codes[puzzle.clues[is_clue]] = puzzle.traps[is_clue]
    codes[puzzle.hidden] = np.where(values == OPEN, HIDDEN, np.where(values == 1, TRAP, GEM))
    grid = Grid(codes.reshape(puzzle.rows, puzzle.cols))
    return read_puzzle(grid, int(puzzle.traps[-1]) if has_total(puzzle) else None)


def _refuted(puzzle: Puzzle, clash: LinearConflict, *, complete: bool) -> Refuted:
    """The refutation by a combination of regions, with its clues unless cells were filled in before."""
    places = puzzle.clues[clash.regions]
    total = "the total and " if (places == TOTAL).any() else ""
    places = places[places != TOTAL]
    how = f"added up modulo {clash.modulus:,}" if clash.modulus else "weighed and added up"
    reason = f"{total}{counted(places.size, 'clue')} clash: {how}, they say what no filling can make true"
    clues = tuple(Cell(*divmod(place, puzzle.cols)) for place in places.tolist())
    return Refuted(reason, clues if complete else ())
