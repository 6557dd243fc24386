"""A board taken apart: single clues and pairs decide what they can, the rest splits into parts.

Cells that the same clues touch form a group; groups that share clues form a part. `take_apart` does it
all; if clues conflict, it names the clues behind that.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import GEM, TRAP, Cell, Grid
from gemhunter.counting.grid_state import (
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
)
from gemhunter.counting.propagate import propagate
from gemhunter.jit.arrays import Codes
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel, tight_kernel

# The layout of a board that has been taken apart.


class Parts(NamedTuple):
    """What propagation leaves undecided of a board, merged into groups and split into independent parts.

    Group g is the cells `group_cells[group_starts[g]:group_starts[g+1]]`, which the same clues touch. Clue c
    says that exactly `need[c]` cells of its groups `clue_groups[clue_starts[c]:clue_starts[c+1]]` are traps;
    no two clues have the same groups, and 0 < need < number of cells. Part p has the groups from
    `part_groups[p]` to `part_groups[p+1]` and the clues from `part_clues[p]` to `part_clues[p+1]`; it shares
    none with another. Cells and `clue_indices` are indices on the board, in reading order from 0. Parts are
    in the reading order of their first cell, and so are groups and clues within a part.
    """

    part_groups: NDArray[np.int64]
    part_clues: NDArray[np.int64]
    group_starts: NDArray[np.int64]
    group_cells: NDArray[np.int64]
    clue_starts: NDArray[np.int64]
    clue_groups: NDArray[np.int64]
    need: NDArray[np.int64]
    clue_indices: NDArray[np.int64]


# Merge the cells that propagation leaves hidden into groups, and split the groups into independent parts.


@kernel
def merge_and_split(b: GridState) -> Parts:
    """What `propagate` leaves undecided of a board without a conflict."""
    codes, near = b.codes, b.near
    clues = active_clues(b)
    touching = np.zeros(codes.size, np.uint8)
    for i in range(clues.size):
        clue = np.int64(clues[i])
        for k in range(8):
            if b.clues[clue] >> k & 1:
                touching[(clue + near[k]) & INDEX_MASK] |= 128 >> k
    cells = np.flatnonzero(touching).astype(np.int32)
    group_of = np.empty(codes.size, np.int32)
    parent = np.empty(cells.size, np.int32)
    groups = merge(b, cells, touching, group_of)
    for group in range(groups):
        parent[group] = group
    for i in range(clues.size):
        join(b, clues[i], group_of, parent)
    part_of = np.empty(groups, np.int32)
    parts = 0
    for group in range(groups):
        root = find(parent, group)
        if root == group:
            part_of[group] = parts
            parts += 1
        else:
            part_of[group] = part_of[root]
    part_groups, renumbered = by_part(part_of, parts)
    for i in range(cells.size):
        group_of[cells[i]] = renumbered[group_of[cells[i]]]
    group_starts, rank = by_part(group_of[cells], groups)
    group_cells = np.empty(cells.size, np.int64)
    for i in range(cells.size):
        group_cells[rank[i]] = reading_index(b, cells[i])
    part_of_clue = np.empty(clues.size, np.int32)
    part_of_number = np.empty(groups, np.int32)
    for group in range(groups):
        part_of_number[renumbered[group]] = part_of[group]
    for i in range(clues.size):
        part_of_clue[i] = part_of_number[group_of[first_cell(b, clues[i])]]
    part_clues, rank = by_part(part_of_clue, parts)
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
def active_clues(b: GridState) -> NDArray[np.int32]:
    """The clues that have hidden cells, without those that have the same cells as an earlier one."""
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
def merge(
    b: GridState, cells: NDArray[np.int32], touching: NDArray[np.uint8], group_of: NDArray[np.int32]
) -> Int:
    """Number the groups in the order of their first cell; return how many there are.

    `touching` has a bit for each neighbour of a cell that is an active clue. The cells of one group have the
    same first clue, so the group of a cell is found around that clue.
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
            # From the cell to its clue and on to the other cell, in rows and columns of five.
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
def first_cell(b: GridState, clue: Int) -> Int:
    """The first hidden cell of a clue."""
    k = 0
    while not b.clues[clue] >> k & 1:
        k += 1
    return np.int64((clue + b.near[k]) & INDEX_MASK)


@tight_kernel
def find(parent: NDArray[np.int32], group: Int) -> Int:
    """Union-find with path halving: the root of a group, which is the first group of its part."""
    while parent[group] != group:
        parent[group] = parent[parent[group]]
        group = parent[group]
    return group


@tight_kernel
def join(b: GridState, clue: Int, group_of: NDArray[np.int32], parent: NDArray[np.int32]) -> None:
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


@kernel
def by_part(part_of: NDArray[np.int32], parts: Int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Counting sort by part: where each part begins, and the rank of each item.

    Items of one part keep their order.
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
def groups_of_clues(
    b: GridState, clues: NDArray[np.int32], group_of: NDArray[np.int32]
) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The groups of each clue, in ascending order, one clue after the other."""
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


@tight_kernel
def reading_index(b: GridState, index: Int) -> Int:
    """The index of a cell on the board itself, without margins."""
    width = b.numbers[ROW_WIDTH]
    return np.int64((index // width - GRID_MARGIN) * (width - 2 * GRID_MARGIN) + index % width - GRID_MARGIN)


# A board taken apart in one call: propagated, merged and split.


@kernel
def propagate_and_split(grid: NDArray[np.int8]) -> tuple[GridState, Parts]:
    """The board with everything decided that single clues and pairs of clues decide, and its parts.

    If clues conflict, `board.numbers[CONFLICT_AT]` is not NONE, and there are no parts.
    """
    board = lay_out(grid)
    if not propagate(board):
        none, begin = np.empty(0, np.int64), np.zeros(1, np.int64)
        return board, Parts(begin, begin, begin, none, begin, none, none, none)
    return board, merge_and_split(board)


@kernel(estimate=lambda grid: 2e-5 * grid.size)
def take_apart_flat(grid: NDArray[np.int8]) -> tuple[NDArray[Any], ...]:
    """For Python: the arrays of the board, then those of its parts, in one tuple.

    Numba calls Python to make a NamedTuple. A Ctrl-C there leaves a hole in the tuple around it, and crashes.
    """
    board, parts = propagate_and_split(grid)
    return board[:] + parts[:]


@kernel(estimate=lambda _, rows, cols: 6e-7 * rows * cols)
def remaining_codes(b: GridState, rows: int, cols: int) -> NDArray[np.int8]:
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


# Which clues are behind a conflict: those that cannot hold, and all that decided the cells around them.


@kernel(estimate=lambda b: 1e-7 * b.codes.size)
def conflict_clues(b: GridState) -> NDArray[np.int64]:
    """The reading indices, ascending, of clues that conflict; none unless `propagate` met a conflict."""
    both = np.array([b.numbers[CONFLICT_AT], b.numbers[CONFLICT_WITH]])
    return clues_behind(b, both[both != NONE])


@kernel(estimate=lambda b, _: 1e-7 * b.codes.size)
def clues_behind(b: GridState, clues: NDArray[np.int64]) -> NDArray[np.int64]:
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
    while size > 0:
        size -= 1
        cell = stack[size]
        clue = np.int64(b.reason[cell])
        is_behind[clue] = 1
        if b.step[cell] == HERE:
            # Enough traps make the others gems, enough gems make the others traps.
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
    b: GridState,
    clue: Int,
    before: Int,
    kind: Int,
    order: NDArray[np.int64],
    seen: NDArray[np.uint8],
    stack: NDArray[np.int64],
    size: Int,
) -> Int:
    """Push the cells around a clue that were decided earlier, those of one kind or, for kind 0, of both."""
    for k in range(8):
        cell = (clue + b.near[k]) & INDEX_MASK
        i = order[cell]
        if i < before and not seen[i] and (kind == 0 or b.codes[cell] == kind):
            seen[i] = 1
            stack[size] = cell
            size += 1
    return size


# Take a board apart: decide what single clues and pairs of clues decide, and split the rest into parts.


TAKE_APART_BYTES_PER_CELL = 80
"""What taking a board apart, and a local search over all of it, hold at most, on dense boards."""


@dataclass(frozen=True, slots=True)
class ConflictingClues:
    """Clues that conflict, in reading order; the conflict may not need all of them."""

    clues: tuple[Cell, ...]


@dataclass(frozen=True, slots=True, eq=False)
class TakenApart:
    """A board with `decided` decided cells; hidden cells in no part are next to no clue that is left.

    `codes` is the board with the decided cells filled in, and a gem for each clue without hidden cells.
    """

    grid: Grid
    codes: Codes
    parts: Parts
    decided: int
    board: GridState

    def behind(self, clues: NDArray[np.int64]) -> NDArray[np.int64]:
        """The indices of these clues and of all that decided the cells around them."""
        row, col = np.divmod(clues, self.grid.cols)
        return clues_behind(
            self.board, (row + GRID_MARGIN) * self.board.numbers[ROW_WIDTH] + col + GRID_MARGIN
        )

    def deciding(self) -> NDArray[np.int64]:
        """The indices of all clues that have decided cells."""
        cells = self.board.trail[: self.board.numbers[CELLS_DECIDED]]
        reasons = self.board.reason[cells]
        indices = np.union1d(reasons, reasons + self.board.steps[self.board.step[cells]])
        row, col = np.divmod(indices, self.board.numbers[ROW_WIDTH])
        found: NDArray[np.int64] = (row - GRID_MARGIN) * self.grid.cols + col - GRID_MARGIN
        return found


def take_apart(grid: Grid) -> TakenApart | ConflictingClues:
    """Propagate, merge the cells that the same clues touch into groups, and split these into parts.

    The time is linear in the size of the board. A known total is not looked at.
    """
    board, parts = board_and_parts(grid.cells.copy())
    if board.numbers[CONFLICT_AT] != NONE:
        return ConflictingClues(tuple(grid.cell(index) for index in conflict_clues(board).tolist()))
    codes = remaining_codes(board, grid.rows, grid.cols)
    return TakenApart(grid, codes, parts, int(board.numbers[CELLS_DECIDED]), board)


def board_and_parts(codes: Codes) -> tuple[GridState, Parts]:
    """The board of these codes after propagation, and its parts."""
    arrays = take_apart_flat(codes)
    size = len(GridState._fields)
    return GridState(*arrays[:size]), Parts(*arrays[size:])
