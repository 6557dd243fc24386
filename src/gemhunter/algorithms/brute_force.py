"""`brute-force`: every filling of the cells that clues touch, one after the other."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import Puzzle, impossible_regions, untouched_cells
from gemhunter.core.solution import Solution
from gemhunter.errors import InputError
from gemhunter.solving.outcomes import GaveUp, Limit, Outcome, Refuted, Solved
from gemhunter.solving.protocols import EngineInfo
from gemhunter.solving.run import Run

DEFAULT_ATTEMPTS = 2_000_000
MOST_CELLS = 62
"""With more, the number of the last filling does not fit into a machine word."""

FIRST_SLICE = 200_000
BYTES_PER_WORD = 8


def make_engine(argument: str) -> "BruteForce":
    """The engine; it has no settings."""
    if argument:
        raise InputError(f"brute-force takes no argument, found {argument!r}")
    return BruteForce()


@dataclass(frozen=True, slots=True)
class BruteForce:
    """Tries all 2^n fillings of the n cells that some clue touches."""

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        about = "tries every filling, 2,000,000 of them unless a step limit says otherwise"
        return EngineInfo("brute-force", about, step="attempt", memory_limit=True)

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Walk through all fillings, one flipped cell at a time."""
        cells = np.flatnonzero(~untouched_cells(puzzle))
        if impossible_regions(puzzle).size:
            return Refuted("a clue cannot hold by itself")
        if cells.size > MOST_CELLS and run.limits.steps is None:
            return GaveUp(Limit.STEPS, f"2^{cells.size} fillings; a step limit tries some of them")
        word, shift = _fields(puzzle.sizes)
        words = int(word.max(initial=0)) + 1
        if not run.fits((cells.size + 2) * words * BYTES_PER_WORD):
            return GaveUp(Limit.MEMORY)
        change, target = _packed(puzzle, cells, word, shift)
        counts = np.zeros_like(target)
        from gemhunter.kernels.gray_code import try_fillings

        sizes = run.slice_sizes(FIRST_SLICE)
        cap = DEFAULT_ATTEMPTS if run.limits.steps is None else run.limits.steps
        last = 2 ** min(cells.size, MOST_CELLS) - 1
        number = 0
        while True:
            steps = min(run.slice(next(sizes)), cap - number)
            reached = try_fillings(change, target, counts, number, last, steps)
            tried = reached - number + 1 if np.array_equal(counts, target) or reached == last else steps
            run.count(attempts=tried)
            limit = run.spend(tried)
            number = reached
            if np.array_equal(counts, target):
                return Solved(_filling(puzzle, cells, number))
            if number == last and cells.size <= MOST_CELLS:
                return Refuted(f"none of all {last + 1:,} fillings satisfies all clues")
            if limit is not None or number >= cap:
                return GaveUp(limit or Limit.STEPS)


def _packed(
    puzzle: Puzzle, cells: NDArray[np.int64], word: NDArray[np.int64], shift: NDArray[np.int64]
) -> tuple[NDArray[np.uint64], NDArray[np.uint64]]:
    """What a trap in each cell adds to the packed counts of all regions, and what these must come to.

    A region of s cells gets a field just wide enough for the number s, as `_fields` says.
    """
    place = {int(cell): index for index, cell in enumerate(cells)}
    words = int(word.max(initial=0)) + 1
    change = np.zeros((cells.size, words), np.uint64)
    target = np.zeros(words, np.uint64)
    for region in range(puzzle.sizes.size):
        one = np.uint64(1) << np.uint64(shift[region])
        target[word[region]] += np.uint64(puzzle.traps[region]) * one
        for cell in puzzle.region(region):
            change[place[int(cell)], word[region]] += one
    return change, target


def _fields(sizes: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The word of each region's field, and the lowest bit of it; a field never spans two words."""
    word = np.zeros(sizes.size, np.int64)
    shift = np.zeros(sizes.size, np.int64)
    at, used = 0, 0
    for region, size in enumerate(sizes.tolist()):
        width = max(size.bit_length(), 1)
        if used + width > 64:
            at, used = at + 1, 0
        word[region], shift[region] = at, used
        used += width
    return word, shift


def _filling(puzzle: Puzzle, cells: NDArray[np.int64], number: int) -> Solution:
    """Filling `number` in Gray-code order."""
    traps = np.zeros(puzzle.hidden.size, bool)
    code = number ^ (number >> 1)
    traps[cells] = [bool(code >> min(bit, MOST_CELLS) & 1) for bit in range(cells.size)]
    return Solution(traps)
