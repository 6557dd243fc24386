"""Backtracking on clauses without propagation: a variable gets a value, then all clauses are checked."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

OPEN = -1
FOUND, EXHAUSTED, MORE = 1, 2, 3

ALL_HOLD, NONE_BROKEN = -1, -2
"""Instead of a clause that is broken: all are true, or none is false yet."""

DEPTH, NODES, BROKEN = range(3)
"""Places in `ClauseSearch.numbers`: variables assigned, nodes visited, the first clause that is false (or
ALL_HOLD or NONE_BROKEN)."""
NUMBERS = 3


class ClauseSearch(NamedTuple):
    """Everything a search remembers between two slices.

    Clause i is `literals[starts[i]:starts[i+1]]` over variables counted from 1. `order` has the variables,
    counted from 0, in the order in which clauses mention them, those in no clause last; the first DEPTH of
    them are assigned.
    `value` is OPEN, 0 for false or 1 for true. `flipped[d]` says that `order[d]` has its second value.
    """

    literals: NDArray[np.int32]
    starts: NDArray[np.int64]
    order: NDArray[np.int64]
    value: NDArray[np.int8]
    flipped: NDArray[np.bool_]
    numbers: NDArray[np.int64]


@kernel(estimate=lambda literals, *_: 4e-7 * literals.size)
def check_clauses(literals: NDArray[np.int32], starts: NDArray[np.int64], value: NDArray[np.int8]) -> int:
    """The first clause whose literals are all false; otherwise ALL_HOLD or NONE_BROKEN."""
    state = ALL_HOLD
    for clause in range(starts.size - 1):
        is_true, is_open = False, False
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            known = value[abs(literal) - 1]
            if known == OPEN:
                is_open = True
            elif (known == 1) == (literal > 0):
                is_true = True
                break
        if not is_true and not is_open:
            return clause
        if not is_true:
            state = NONE_BROKEN
    return state


@kernel(estimate=lambda s, *more: 4e-7 * s.literals.size * more[-1])
def search(s: ClauseSearch, first: int, prune: bool, nodes: int) -> int:
    """Visit at most `nodes` nodes: FOUND if all clauses hold, EXHAUSTED if no node is left, otherwise MORE.

    A node gives a variable a value, `first` before the other one. With `prune` the search goes back as soon
    as a clause is false, otherwise only when all variables have a value.
    """
    numbers, value, order, flipped = s.numbers, s.value, s.order, s.flipped
    end = numbers[NODES] + nodes
    while True:
        if numbers[BROKEN] == ALL_HOLD:
            return FOUND
        depth = numbers[DEPTH]
        goes_back = numbers[BROKEN] >= 0 and (prune or depth == order.size)
        if goes_back:
            while depth > 0 and flipped[depth - 1]:
                depth -= 1
            if depth == 0:
                return EXHAUSTED
        if numbers[NODES] == end:
            return MORE
        if goes_back:
            for i in range(depth, numbers[DEPTH]):
                value[order[i]] = OPEN
            value[order[depth - 1]] = 1 - first
            flipped[depth - 1] = True
            numbers[DEPTH] = depth
        else:
            value[order[depth]] = first
            flipped[depth] = False
            numbers[DEPTH] = depth + 1
        numbers[NODES] += 1
        numbers[BROKEN] = check_clauses(s.literals, s.starts, value)
