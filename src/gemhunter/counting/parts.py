"""A board taken apart: single clues and pairs of clues decide what they can, and the rest splits into parts.

Cells next to the same clues form a group, and groups that share clues form a part. Read `take_apart` first:
it returns the parts, or the clues that conflict. `merge_and_split` makes groups and parts; `clues_behind`
traces decided cells back to the clues that are the reason.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Cell, Grid
from gemhunter.counting.propagate import (
    AROUND,
    BIT_COUNT,
    CELLS_DECIDED,
    CLUE_DONE,
    CONFLICT_AT,
    CONFLICT_WITH,
    GRID_MARGIN,
    HERE,
    INDEX_MASK,
    ROW_WIDTH,
    SHARED,
    GridState,
    Int,
    lay_out,
    propagate,
    reading_index,
)
from gemhunter.jit.kernel import Bytes, Codes, Ints, Shorts, kernel, tight_kernel
from gemhunter.jit.search_state import NONE

TAKE_APART_BYTES_PER_CELL = 80
"""The most bytes per cell that taking apart a dense board, and a local search over all of it, need."""


class Parts(NamedTuple):
    """What propagation leaves undecided, merged into groups and split into independent parts.

    Group g has the cells `group_cells[group_starts[g]:group_starts[g+1]]`, which are next to the same clues.
    Clue c says that exactly `need[c]` cells of its groups `clue_groups[clue_starts[c]:clue_starts[c+1]]` are
    traps; no two clues have the same groups, and 0 < need < number of cells. Part p has the groups from
    `part_groups[p]` to `part_groups[p+1]` and the clues from `part_clues[p]` to `part_clues[p+1]`; it shares
    none with another part. Cells and `clue_indices` are reading indices. Parts are in the reading order of
    their first cell, and so are groups and clues within a part.
    """

    part_groups: Ints
    part_clues: Ints
    group_starts: Ints
    group_cells: Ints
    clue_starts: Ints
    clue_groups: Ints
    need: Ints
    clue_indices: Ints


@dataclass(frozen=True, slots=True)
class ConflictingClues:
    """Clues that conflict, in reading order; the conflict may not need all of them."""

    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TakenApart:
    """A board after propagation, which decided `decided` cells, and its parts.

    `codes` has the decided cells filled in, and a gem for each clue without hidden cells. Hidden cells in no
    part are next to no clue that is left.
    """

    grid: Grid
    codes: Codes
    parts: Parts
    decided: int
    board: GridState

    def behind(self, clues: Ints) -> Ints:
        """The indices of these clues and of all clues that decided the cells around them."""
        row, col = np.divmod(clues, self.grid.cols)
        return clues_behind(
            self.board, (row + GRID_MARGIN) * self.board.numbers[ROW_WIDTH] + col + GRID_MARGIN
        )

    def deciding(self) -> Ints:
        """The indices of all clues that decided cells."""
        cells = self.board.trail[: self.board.numbers[CELLS_DECIDED]]
        reasons = self.board.reason[cells]
        indices = np.union1d(reasons, reasons + self.board.steps[self.board.step[cells]])
        row, col = np.divmod(indices, self.board.numbers[ROW_WIDTH])
        return (row - GRID_MARGIN) * self.grid.cols + col - GRID_MARGIN


def take_apart(grid: Grid) -> TakenApart | ConflictingClues:
    """Propagate, merge cells next to the same clues into groups, and split the groups into parts.

    The time is linear in the size of the board. The total is not used.
    """
    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        conflicting = board.numbers[[CONFLICT_AT, CONFLICT_WITH]]
        behind = clues_behind(board, conflicting[conflicting != NONE])
        return ConflictingClues(tuple(grid.cell(index) for index in behind.tolist()))
    codes = remaining_codes(board, grid.rows, grid.cols)
    return TakenApart(grid, codes, parts, int(board.numbers[CELLS_DECIDED]), board)


def board_and_parts(codes: Codes) -> tuple[GridState, Parts]:
    """The board of these codes after propagation, and its parts."""
    arrays = take_apart_flat(codes)
    size = len(GridState._fields)
    return GridState(*arrays[:size]), Parts(*arrays[size:])


@kernel(estimate=lambda grid: 2e-5 * grid.size)
def take_apart_flat(grid: Codes) -> tuple[NDArray[Any], ...]:
    """Call `propagate_and_split` from Python: the arrays of the board and of its parts, in one tuple.

    Numba calls Python to make a NamedTuple; a Ctrl-C there would leave an entry of the enclosing tuple unset,
    which crashes.
    """
    board, parts = propagate_and_split(grid)
    return board[:] + parts[:]


@kernel
def propagate_and_split(grid: Codes) -> tuple[GridState, Parts]:
    """The board after propagation, and its parts.

    If clues conflict, `board.numbers[CONFLICT_AT]` is not NONE, and there are no parts.
    """
    board = lay_out(grid)
    return board, merge_and_split(board) if propagate(board) else no_parts()


@kernel
def no_parts() -> Parts:
    """The parts of a board whose clues conflict: none."""
    start, none = np.zeros(1, np.int64), np.zeros(0, np.int64)
    return Parts(start, start, start, none, start, none, none, none)


@kernel(estimate=lambda _, rows, cols: 6e-7 * rows * cols)
def remaining_codes(b: GridState, rows: int, cols: int) -> Codes:
    """The codes of a board without margins; a clue without hidden cells becomes a gem."""
    codes = np.empty((rows, cols), np.int8)
    for row in range(rows):
        start = (row + GRID_MARGIN) * b.numbers[ROW_WIDTH] + GRID_MARGIN
        for col in range(cols):
            clue = b.clues[start + col]
            codes[row, col] = b.codes[start + col]
            if codes[row, col] >= 0 and (clue == 0 or clue >= CLUE_DONE):
                codes[row, col] = GEM
    return codes


# Merge the cells that propagation leaves hidden into groups, and split the groups into independent parts.


@kernel
def merge_and_split(b: GridState) -> Parts:
    """Merge the cells that `propagate` leaves undecided into groups, and split these into parts."""
    codes, near = b.codes, b.near
    clues = active_clues(b)
    # Which clues are next to each hidden cell, one bit for each neighbour. Cells with the same clues form a
    # group.
    touching = np.zeros(codes.size, np.uint8)
    for i in range(clues.size):
        clue = np.int64(clues[i])
        for k in range(8):
            if b.clues[clue] >> k & 1:
                touching[(clue + near[k]) & INDEX_MASK] |= 128 >> k
    cells = np.flatnonzero(touching).astype(np.int32)
    group_of = np.empty(codes.size, np.int32)
    groups = merge(b, cells, touching, group_of)
    # Union-find over the groups of each clue. Its roots are the parts, in the order of their first group.
    parent = np.empty(cells.size, np.int32)
    for group in range(groups):
        parent[group] = group
    for i in range(clues.size):
        unite(b, clues[i], group_of, parent)
    part_of = np.empty(groups, np.int32)
    parts = 0
    for group in range(groups):
        root = find(parent, group)
        if root == group:
            part_of[group] = parts
            parts += 1
        else:
            part_of[group] = part_of[root]
    # Number the groups again, part by part; then sort the cells by group, and the clues by part.
    part_groups, renumbered = sort_by(part_of, parts)
    for i in range(cells.size):
        group_of[cells[i]] = renumbered[group_of[cells[i]]]
    group_starts, rank = sort_by(group_of[cells], groups)
    group_cells = np.empty(cells.size, np.int64)
    for i in range(cells.size):
        group_cells[rank[i]] = reading_index(b, cells[i])
    part_of_number = np.empty(groups, np.int32)
    for group in range(groups):
        part_of_number[renumbered[group]] = part_of[group]
    part_of_clue = np.empty(clues.size, np.int32)
    for i in range(clues.size):
        part_of_clue[i] = part_of_number[group_of[first_cell(b, clues[i])]]
    part_clues, rank = sort_by(part_of_clue, parts)
    ordered = np.empty(clues.size, np.int32)
    for i in range(clues.size):
        ordered[rank[i]] = clues[i]
    clue_starts, clue_groups = groups_of_clues(b, ordered, group_of)
    need = np.empty(clues.size, np.int64)
    clue_indices = np.empty(clues.size, np.int64)
    for i in range(clues.size):
        need[i] = b.clues[ordered[i]] >> 8
        clue_indices[i] = reading_index(b, ordered[i])
    return Parts(
        part_groups, part_clues, group_starts, group_cells, clue_starts, clue_groups, need, clue_indices
    )


@kernel
def active_clues(b: GridState) -> Shorts:
    """The clues with hidden cells, except those with the same hidden cells as an earlier clue."""
    clues, steps = b.clues, b.steps
    kept = np.zeros(clues.size, np.uint8)
    for index in range(clues.size):
        if clues[index] == 0 or clues[index] >= CLUE_DONE:
            continue
        cells = np.int64(clues[index]) & 255
        kept[index] = 1
        for step in range(HERE):
            other = (index + steps[step]) & INDEX_MASK
            if (
                kept[other]
                and cells & SHARED[step] == cells
                and BIT_COUNT[clues[other] & 255] == BIT_COUNT[cells]
            ):
                kept[index] = 0
    return np.flatnonzero(kept).astype(np.int32)


@tight_kernel
def merge(b: GridState, cells: Shorts, touching: Bytes, group_of: Shorts) -> Int:
    """Number the groups in the order of their first cell; return the number of groups.

    `touching` has a bit for each neighbour of a cell that is an active clue. All cells of a group have the
    same first clue, so earlier cells of the group are neighbours of that clue.
    """
    groups: Int = 0
    for i in range(cells.size):
        cell = np.int64(cells[i])
        mine = np.int64(touching[cell])
        k = 0
        while not mine >> k & 1:
            k += 1
        first = cell + b.near[k]
        group: Int = groups
        for j in range(8):
            other = (first + b.near[j]) & INDEX_MASK
            if other >= cell:
                break
            # The step from the cell to its clue and on to the other cell, on a grid of five by five steps.
            step = AROUND[k] + AROUND[j] - HERE
            if (
                touching[other]
                and BIT_COUNT[touching[other]] == BIT_COUNT[mine]
                and mine & SHARED[step] == mine
            ):
                group = np.int64(group_of[other])
                break
        group_of[cell] = group
        groups = max(groups, group + 1)
    return groups


@tight_kernel
def unite(b: GridState, clue: Int, group_of: Shorts, parent: Shorts) -> None:
    """Unite all groups of a clue into one part."""
    root = find(parent, group_of[first_cell(b, clue)])
    for k in range(8):
        if b.clues[clue] >> k & 1:
            other = find(parent, group_of[(clue + b.near[k]) & INDEX_MASK])
            if other < root:
                parent[root] = other
                root = other
            else:
                parent[other] = root


@tight_kernel
def find(parent: Shorts, group: Int) -> Int:
    """Union-find with path halving: the root of a group, which is the first group of its part."""
    while parent[group] != group:
        parent[group] = parent[parent[group]]
        group = parent[group]
    return group


@tight_kernel
def first_cell(b: GridState, clue: Int) -> Int:
    """The first hidden cell of a clue."""
    k = 0
    while not b.clues[clue] >> k & 1:
        k += 1
    return np.int64((clue + b.near[k]) & INDEX_MASK)


@kernel
def sort_by(part_of: Shorts, parts: Int) -> tuple[Ints, Ints]:
    """Sort items by part, or by group, with a stable counting sort.

    Return where each part begins, and the rank of each item.
    """
    starts = np.zeros(parts + 1, np.int64)
    for i in range(part_of.size):
        starts[part_of[i] + 1] += 1
    for part in range(parts):
        starts[part + 1] += starts[part]
    next_rank = starts.copy()
    rank = np.empty(part_of.size, np.int64)
    for i in range(part_of.size):
        rank[i] = next_rank[part_of[i]]
        next_rank[part_of[i]] += 1
    return starts, rank


@kernel
def groups_of_clues(b: GridState, clues: Shorts, group_of: Shorts) -> tuple[Ints, Ints]:
    """The groups of all clues, in ascending order for each, and where those of each clue begin."""
    starts = np.zeros(clues.size + 1, np.int64)
    groups = np.empty(8 * clues.size, np.int64)
    end = 0
    for i in range(clues.size):
        clue = np.int64(clues[i])
        start = end
        for k in range(8):
            if not b.clues[clue] >> k & 1:
                continue
            group = np.int64(group_of[(clue + b.near[k]) & INDEX_MASK])
            # Insertion sort without duplicates: a clue has at most eight groups.
            at = end
            while at > start and groups[at - 1] > group:
                at -= 1
            if at > start and groups[at - 1] == group:
                continue
            for j in range(end, at, -1):
                groups[j] = groups[j - 1]
            groups[at] = group
            end += 1
        starts[i + 1] = end
    return starts, groups[:end].copy()


# The clues behind a conflict: those that cannot hold, and all that decided the cells around them.


@kernel(estimate=lambda b, _: 1e-7 * b.codes.size)
def clues_behind(b: GridState, clues: Ints) -> Ints:
    """The reading indices, ascending, of these clues and of all clues that decided cells around them."""
    codes, steps = b.codes, b.steps
    end = b.numbers[CELLS_DECIDED]
    order = np.full(codes.size, end, np.int64)
    for i in range(end):
        order[b.trail[i]] = i
    is_behind = np.zeros(codes.size, np.uint8)
    seen = np.zeros(end, np.uint8)
    stack = np.empty(end, np.int64)
    size: Int = 0
    for i in range(clues.size):
        size = push_causes(b, clues[i], end, 0, order, seen, stack, size)
        is_behind[clues[i]] = 1
    # Each cell on the stack was decided by a clue, alone or with another. The cells around these clues that
    # were decided before are its causes.
    while size > 0:
        size -= 1
        cell = stack[size]
        clue = np.int64(b.reason[cell])
        is_behind[clue] = 1
        if b.step[cell] == HERE:
            # A clue on its own decides gems because of the traps around it, and traps because of the gems.
            kind = TRAP if codes[cell] == GEM else GEM
            size = push_causes(b, clue, order[cell], kind, order, seen, stack, size)
        else:
            other = clue + steps[b.step[cell]]
            is_behind[other] = 1
            size = push_causes(b, clue, order[cell], 0, order, seen, stack, size)
            size = push_causes(b, other, order[cell], 0, order, seen, stack, size)
    found = np.flatnonzero(is_behind)
    for i in range(found.size):
        found[i] = reading_index(b, found[i])
    return found


@kernel
def push_causes(
    b: GridState, clue: Int, before: Int, kind: Int, order: Ints, seen: Bytes, stack: Ints, size: Int
) -> Int:
    """Push the cells around a clue whose `order` is below `before`: those of `kind`, or all for kind 0."""
    for k in range(8):
        cell = (clue + b.near[k]) & INDEX_MASK
        i = order[cell]
        if i < before and not seen[i] and (kind == 0 or b.codes[cell] == kind):
            seen[i] = 1
            stack[size] = cell
            size += 1
    return size
