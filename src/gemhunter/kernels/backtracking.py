"""Backtracking: on the cells of a puzzle, with or without propagation, and on clauses without propagation.

In a puzzle, region r needs `need[r]` more traps and has `room[r]` unassigned cells left; it is in conflict if
it needs fewer than none or more than it has room for. The regions of cell c are `regions[at[c]:at[c+1]]`, the
cells of region r are `cells[starts[r]:starts[r+1]]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.core.puzzle import regions_by_cell
from gemhunter.kernels.codes import (
    CONFLICT_CLAUSE,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    MORE,
    NODE_COUNT,
    OWN_PLACES,
    QUEUE_HEAD,
    TRAIL_SIZE,
    UNASSIGNED,
)

IN_CONFLICT = 9  # a place in `BacktrackingState.numbers`: 1 if a region is in conflict
BACKTRACKING_NUMBERS = OWN_PLACES + 1

ALL_SATISFIED, NONE_FALSE = -1, -2
"""Instead of a conflict clause: every clause is true, or none is false yet."""


class BacktrackingState(NamedTuple):
    """Everything a search remembers between two slices.

    `value[c]` is UNASSIGNED, 0 for a gem or 1 for a trap. `trail` has the assigned cells in order; decision d
    assigned `trail[decided[d]]`, and `flipped[d]` says that its other value has failed.
    """

    at: NDArray[np.int64]
    regions: NDArray[np.int64]
    starts: NDArray[np.int64]
    cells: NDArray[np.int64]
    need: NDArray[np.int64]
    room: NDArray[np.int64]
    value: NDArray[np.int8]
    trail: NDArray[np.int64]
    decided: NDArray[np.int64]
    flipped: NDArray[np.bool_]
    numbers: NDArray[np.int64]


def new_search(
    starts: NDArray[np.int64], cells: NDArray[np.int64], traps: NDArray[np.int64], size: int
) -> BacktrackingState:
    """A search in which none of `size` cells has a value."""
    at, regions = regions_by_cell(starts, cells, size)
    return BacktrackingState(
        at=at,
        regions=regions,
        starts=starts.copy(),
        cells=cells.copy(),
        need=traps.copy(),
        room=np.diff(starts),
        value=np.full(size, UNASSIGNED, np.int8),
        trail=np.zeros(size, np.int64),
        decided=np.zeros(size + 1, np.int64),
        flipped=np.zeros(size + 1, bool),
        numbers=np.zeros(BACKTRACKING_NUMBERS, np.int64),
    )


@kernel
def fill(s: BacktrackingState, cell: int, value: int) -> bool:
    """Give a cell a value; False if a region is in conflict."""
    s.value[cell] = value
    s.trail[s.numbers[TRAIL_SIZE]] = cell
    s.numbers[TRAIL_SIZE] += 1
    holds = True
    for i in range(s.at[cell], s.at[cell + 1]):
        region = s.regions[i]
        s.need[region] -= value
        s.room[region] -= 1
        if s.need[region] < 0 or s.need[region] > s.room[region]:
            holds = False
    return holds


@kernel
def backtrack(s: BacktrackingState, size: int) -> None:
    """Unassign the latest cells on the trail, until `size` are left."""
    while s.numbers[TRAIL_SIZE] > size:
        s.numbers[TRAIL_SIZE] -= 1
        cell = s.trail[s.numbers[TRAIL_SIZE]]
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            s.need[region] += s.value[cell]
            s.room[region] += 1
        s.value[cell] = UNASSIGNED
    s.numbers[QUEUE_HEAD] = min(s.numbers[QUEUE_HEAD], size)


@kernel
def propagate(s: BacktrackingState) -> bool:
    """Fill the cells that the cells in the queue force; False if a region is in conflict."""
    while s.numbers[QUEUE_HEAD] < s.numbers[TRAIL_SIZE]:
        cell = s.trail[s.numbers[QUEUE_HEAD]]
        s.numbers[QUEUE_HEAD] += 1
        for i in range(s.at[cell], s.at[cell + 1]):
            region = s.regions[i]
            if s.room[region] == 0 or 0 < s.need[region] < s.room[region]:
                continue
            value = 1 if s.need[region] > 0 else 0
            for j in range(s.starts[region], s.starts[region + 1]):
                if s.value[s.cells[j]] == UNASSIGNED and not fill(s, s.cells[j], value):
                    return False
    return True


@kernel(estimate=lambda s: 3e-6 * s.cells.size)
def fill_forced(s: BacktrackingState) -> bool:
    """Fill the cells that single regions force, and propagate; False if a region is in conflict."""
    for region in range(s.need.size):
        if 0 < s.need[region] < s.room[region]:
            continue
        value = 1 if s.need[region] > 0 else 0
        for j in range(s.starts[region], s.starts[region + 1]):
            if s.value[s.cells[j]] == UNASSIGNED and not fill(s, s.cells[j], value):
                return False
    return propagate(s)


@kernel
def most_constrained(s: BacktrackingState) -> int:
    """The unassigned cell whose tightest region has the least room; of equals, the one in most regions."""
    best = -1
    best_room = 0
    best_degree = 0
    for cell in range(s.value.size):
        if s.value[cell] != UNASSIGNED:
            continue
        degree = s.at[cell + 1] - s.at[cell]
        least = 1 << 60
        for i in range(s.at[cell], s.at[cell + 1]):
            least = min(least, s.room[s.regions[i]])
        if best < 0 or least < best_room or (least == best_room and degree > best_degree):
            best, best_room, best_degree = cell, least, degree
    return best


@kernel(estimate=lambda s, constrained, _, nodes: (3e-7 * s.value.size if constrained else 5e-6) * nodes)
def search_cells(s: BacktrackingState, constrained: bool, first: int, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all cells have values, EXHAUSTED if no node is left, or MORE.

    With `constrained` the most constrained cell is next and forced cells are filled at once; without, cells
    are filled in order and regions are only checked. A cell gets the value `first` before the other one.
    """
    end = s.numbers[NODE_COUNT] + nodes
    while s.numbers[NODE_COUNT] < end:
        if s.numbers[IN_CONFLICT]:
            while s.numbers[DECISION_LEVEL] > 0 and s.flipped[s.numbers[DECISION_LEVEL] - 1]:
                s.numbers[DECISION_LEVEL] -= 1
            if s.numbers[DECISION_LEVEL] == 0:
                return EXHAUSTED
            decision = s.numbers[DECISION_LEVEL] - 1
            cell = s.trail[s.decided[decision]]
            backtrack(s, s.decided[decision])
            s.flipped[decision] = True
            value = 1 - first
        else:
            if s.numbers[TRAIL_SIZE] == s.value.size:
                return FOUND
            cell = most_constrained(s) if constrained else s.numbers[TRAIL_SIZE]
            s.decided[s.numbers[DECISION_LEVEL]] = s.numbers[TRAIL_SIZE]
            s.flipped[s.numbers[DECISION_LEVEL]] = False
            s.numbers[DECISION_LEVEL] += 1
            value = first
        s.numbers[NODE_COUNT] += 1
        s.numbers[IN_CONFLICT] = not (fill(s, cell, value) and (not constrained or propagate(s)))
    return MORE


class ClauseBacktrackingState(NamedTuple):
    """Everything a search remembers between two slices.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1. `order` has the variables,
    counted from 0, in the order in which clauses mention them, those in no clause last; each assigned one is
    a decision level. `value` is UNASSIGNED, 0 for false or 1 for true. `flipped[d]` says that `order[d]` has
    its second value. CONFLICT_CLAUSE is the first false clause, or ALL_SATISFIED, or NONE_FALSE.
    """

    literals: NDArray[np.int32]
    starts: NDArray[np.int64]
    order: NDArray[np.int64]
    value: NDArray[np.int8]
    flipped: NDArray[np.bool_]
    numbers: NDArray[np.int64]


@kernel(estimate=lambda literals, *_: 4e-7 * literals.size)
def check_clauses(literals: NDArray[np.int32], starts: NDArray[np.int64], value: NDArray[np.int8]) -> int:
    """The first false clause; otherwise ALL_SATISFIED or NONE_FALSE."""
    state = ALL_SATISFIED
    for clause in range(starts.size - 1):
        is_true, is_open = False, False
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            known = value[abs(literal) - 1]
            if known == UNASSIGNED:
                is_open = True
            elif (known == 1) == (literal > 0):
                is_true = True
                break
        if not is_true and not is_open:
            return clause
        if not is_true:
            state = NONE_FALSE
    return state


@kernel(estimate=lambda s, *more: 4e-7 * s.literals.size * more[-1])
def search_clauses(s: ClauseBacktrackingState, first: int, prune: bool, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all clauses are true, EXHAUSTED if no node is left, or MORE.

    A node gives a variable a value, `first` before the other one. With `prune` the search backtracks as soon
    as a clause is false, otherwise only when all variables have values.
    """
    numbers, value, order, flipped = s.numbers, s.value, s.order, s.flipped
    end = numbers[NODE_COUNT] + nodes
    while True:
        if numbers[CONFLICT_CLAUSE] == ALL_SATISFIED:
            return FOUND
        depth = numbers[DECISION_LEVEL]
        backtracks = numbers[CONFLICT_CLAUSE] >= 0 and (prune or depth == order.size)
        if backtracks:
            while depth > 0 and flipped[depth - 1]:
                depth -= 1
            if depth == 0:
                return EXHAUSTED
        if numbers[NODE_COUNT] == end:
            return MORE
        if backtracks:
            for i in range(depth, numbers[DECISION_LEVEL]):
                value[order[i]] = UNASSIGNED
            value[order[depth - 1]] = 1 - first
            flipped[depth - 1] = True
            numbers[DECISION_LEVEL] = depth
        else:
            value[order[depth]] = first
            flipped[depth] = False
            numbers[DECISION_LEVEL] = depth + 1
        numbers[NODE_COUNT] += 1
        numbers[CONFLICT_CLAUSE] = check_clauses(s.literals, s.starts, value)
