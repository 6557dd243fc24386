"""Merge the cells that propagation leaves hidden into groups, and split the groups into independent parts."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.structure.grid_state import (
    AROUND,
    BIT_COUNT,
    CLUE_DONE,
    GRID_MARGIN,
    HERE,
    INDEX_MASK,
    ROW_WIDTH,
    SHARED,
    GridState,
    Int,
)
from gemhunter.kernels.structure.parts import Parts


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
