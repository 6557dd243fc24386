"""What single clues leave open of a board that has a solution."""

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from gemhunter.core.puzzle import TOTAL_CLUE, Ints, Puzzle, Regions, regions_by_cell

OPEN, GEM, TRAP = -1, 0, 1
"""What is known of a hidden cell."""

MOST_ROUNDS = 1000
"""A chain of implications as long as the board is left to whoever comes next after so many links."""

MOST_CLUES = 8
"""Around a cell."""


@dataclass(frozen=True, slots=True, eq=False)
class OpenCells:
    """What propagation leaves open of a puzzle, without its total.

    `value` says what is known of each hidden cell. `touched` are the open cells that a clue speaks of, `free`
    the others, both numbered as hidden cells; `puzzle` has the clues about `touched` that do not hold by
    themselves. `traps` is how many traps are among all of them, if that is known.
    """

    value: NDArray[np.int8]
    touched: Ints
    free: Ints
    puzzle: Regions
    traps: int | None

    def groups(self) -> Ints:
        """A number for each touched cell, the same for cells that the same clues touch."""
        cells = self.touched.size
        at, regions = regions_by_cell(self.puzzle.starts, self.puzzle.cells, cells)
        touching = np.full((cells, MOST_CLUES), -1)
        owner = np.repeat(np.arange(cells), np.diff(at))
        touching[owner, np.arange(regions.size) - at[owner]] = regions
        return np.unique(touching, axis=0, return_inverse=True)[1].reshape(-1)

    def parts(self) -> Ints:
        """A number for each touched cell: cells of different parts have no clue in common, even indirectly.

        Parts are numbered in the reading order of their first cells.
        """
        leader = list(range(self.touched.size))
        starts, cells = self.puzzle.starts.tolist(), self.puzzle.cells.tolist()
        for begin, end in pairwise(starts):
            first = _leader_of(leader, cells[begin])
            for cell in cells[begin + 1 : end]:
                other = _leader_of(leader, cell)
                first, other = min(first, other), max(first, other)
                leader[other] = first
        leaders = np.array([_leader_of(leader, cell) for cell in range(len(leader))], np.int64)
        return np.unique(leaders, return_inverse=True)[1].reshape(-1)


def open_cells(puzzle: Puzzle) -> OpenCells:
    """Decide what clues decide by themselves, again and again; the total is left aside.

    The puzzle must have a solution: contradictions are not looked for.
    """
    with_total = puzzle.clues.size > 0 and puzzle.clues[-1] == TOTAL_CLUE
    clues = puzzle.clues.size - with_total
    sizes, cells = puzzle.sizes[:clues], puzzle.cells[: puzzle.starts[clues]]
    value = np.full(puzzle.hidden.size, OPEN, np.int8)
    region = np.repeat(np.arange(clues), sizes)
    need = _propagate(value, cells, region, puzzle.traps[:clues].copy())

    is_open = value[cells] == OPEN
    cells, region = cells[is_open], region[is_open]
    left, of_entry = np.unique(region, return_inverse=True)
    touched = np.unique(cells)
    starts = np.concatenate([[0], np.cumsum(np.bincount(of_entry, minlength=left.size))])
    rest = Regions(puzzle.cols, puzzle.hidden[touched], starts, np.searchsorted(touched, cells), need[left])
    untouched = value == OPEN
    untouched[touched] = False
    traps = int(puzzle.traps[-1]) - int(np.count_nonzero(value == TRAP)) if with_total else None
    return OpenCells(value, touched, np.flatnonzero(untouched), rest, traps)


def _propagate(value: NDArray[np.int8], cells: Ints, region: Ints, need: Ints) -> Ints:
    """Fill in `value`; the traps that each region still needs. Entry i says that region[i] has cells[i]."""
    for _ in range(MOST_ROUNDS):
        left = np.bincount(region, minlength=need.size)
        decided = np.flatnonzero((left > 0) & ((need == 0) | (need == left)))
        if not decided.size:
            break
        full = np.zeros(need.size, bool)
        full[decided] = True
        sure = full[region]
        value[cells[sure]] = (need[region[sure]] > 0).astype(np.int8)
        known = value[cells]
        need -= np.bincount(region[known == TRAP], minlength=need.size)
        cells, region = cells[known == OPEN], region[known == OPEN]
    return need


def _leader_of(leader: list[int], cell: int) -> int:
    """The least cell that is known to belong to the same part."""
    while leader[cell] != cell:
        leader[cell] = cell = leader[leader[cell]]
    return cell
