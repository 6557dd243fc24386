"""Sparse linear elimination of "the traps of a region's cells add up", modulo a prime below 2^31.

A pivot is a row and one of its cells; the row is subtracted from all other rows that have the cell, and it is
then done. The cheapest rows come first: those with few cells, and a cell that few rows have.
"""

import numpy as np

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import NONE
from gemhunter.kernels.structure.linear_system import (
    CHEAPEST_COST,
    COSTS,
    ENTRIES_USED,
    INCONSISTENT_ROW,
    NODES_USED,
    PIVOTS_USED,
    STEPS_USED,
    LinearSystem,
    Longs,
)

ELIMINATED, INCONSISTENT, OUT_OF_ROOM = 0, 1, 2
"""No row is left; a row cannot hold; the arrays are full."""


@kernel
def inverse(factor: int, prime: int) -> int:
    """The inverse of `factor`, which is from 1 to `prime` - 1, modulo `prime`."""
    one, other = factor, prime
    share, other_share = 1, 0
    while one > 1:
        quotient = other // one
        one, other = other - quotient * one, one
        share, other_share = other_share - quotient * share, share
    return share % prime


@kernel
def implies(s: LinearSystem, row: int, prime: int) -> bool:
    """Whether a row can hold; cells whose value it implies get that value.

    With factors of either sign, as small as possible, the sum is a whole number from `least` to `most`. If
    these are less than `prime` apart, only one number in between is congruent to the sum of the row.
    """
    first, size = s.first[row], s.size[row]
    least = most = 0
    for i in range(first, first + size):
        factor = s.factors[i]
        if 2 * factor > prime:
            least += factor - prime
        else:
            most += factor
    if most - least >= prime:
        return True
    meant = least + (s.sums[row] - least) % prime
    if meant > most:
        return False
    if meant in (least, most):
        for i in range(first, first + size):
            negative = 2 * s.factors[i] > prime
            s.value[s.cells[i]] = 1 if negative == (meant == least) else 0
    return True


@kernel
def file_by_cost(s: LinearSystem, row: int) -> int:
    """File a row under its cost unless it is empty; return its entry whose cell the fewest rows have."""
    if s.cost[row] != NONE:
        if s.before[row] != NONE:
            s.after[s.before[row]] = s.after[row]
        else:
            s.bucket[s.cost[row]] = s.after[row]
        if s.after[row] != NONE:
            s.before[s.after[row]] = s.before[row]
        s.cost[row] = NONE
    if s.size[row] == 0:
        return NONE
    best = NONE
    fewest = 1 << 40
    for i in range(s.first[row], s.first[row] + s.size[row]):
        rows = s.rows_of[s.cells[i]]
        if rows < fewest:
            best, fewest = i, rows
    cost = min((s.size[row] - 1) * (fewest - 1), COSTS - 1)
    s.cost[row] = cost
    s.before[row] = NONE
    s.after[row] = s.bucket[cost]
    if s.bucket[cost] != NONE:
        s.before[s.bucket[cost]] = row
    s.bucket[cost] = row
    s.numbers[CHEAPEST_COST] = min(s.numbers[CHEAPEST_COST], cost)
    return best


@kernel
def subtract(s: LinearSystem, row: int, pivot: int, factor: int, prime: int) -> bool:
    """Subtract `factor` times the pivot, whose factors are in `work`, from a row; False if it has no room."""
    numbers, cells, factors, work, seen = s.numbers, s.cells, s.factors, s.work, s.seen
    first, size = s.first[row], s.size[row]
    pivot_first, pivot_size = s.first[pivot], s.size[pivot]
    if size + pivot_size > s.room[row]:
        room = 2 * (size + pivot_size)
        to = numbers[ENTRIES_USED]
        if to + room > cells.size:
            return False
        numbers[ENTRIES_USED] += room
        for i in range(size):
            cells[to + i] = cells[first + i]
            factors[to + i] = factors[first + i]
        s.first[row], s.room[row] = to, room
        first = to
    stamp = numbers[STEPS_USED]
    i = first
    while i < first + size:
        cell = cells[i]
        if work[cell] != 0:
            seen[cell] = stamp
            factors[i] = (factors[i] - factor * work[cell]) % prime
            if factors[i] == 0:
                size -= 1
                cells[i], factors[i] = cells[first + size], factors[first + size]
                s.rows_of[cell] -= 1
                continue
        i += 1
    for j in range(pivot_first, pivot_first + pivot_size):
        cell = cells[j]
        if seen[cell] != stamp:
            node = numbers[NODES_USED]
            if node >= s.node_row.size:
                return False
            cells[first + size] = cell
            factors[first + size] = -factor * factors[j] % prime
            size += 1
            s.rows_of[cell] += 1
            s.node_row[node] = row
            s.node_next[node] = s.head[cell]
            s.head[cell] = node
            numbers[NODES_USED] += 1
    s.size[row] = size
    s.sums[row] = (s.sums[row] - factor * s.sums[pivot]) % prime
    return True


@kernel
def note_step(s: LinearSystem, row: int, pivot: int, factor: int) -> bool:
    """Log a subtraction; return False if there is no room."""
    step = s.numbers[STEPS_USED]
    if step >= s.step_row.size:
        return False
    s.step_row[step], s.step_pivot[step], s.step_factor[step] = row, pivot, factor
    s.numbers[STEPS_USED] += 1
    return True


@kernel
def use_pivot(s: LinearSystem, pivot: int, entry: int, prime: int) -> int:
    """Subtract a row from all other rows that have the cell of this entry, so that none has it any more."""
    cells, factors, work = s.cells, s.factors, s.work
    cell = cells[entry]
    inverted = inverse(factors[entry], prime)
    for j in range(s.first[pivot], s.first[pivot] + s.size[pivot]):
        work[cells[j]] = factors[j]
        s.rows_of[cells[j]] -= 1
    code = ELIMINATED
    node = s.head[cell]
    while node != NONE and code == ELIMINATED:
        row = s.node_row[node]
        node = s.node_next[node]
        if s.cost[row] == NONE:
            continue
        end = s.first[row] + s.size[row]
        i = s.first[row]
        while i < end and cells[i] != cell:
            i += 1
        if i == end:
            continue
        factor = factors[i] * inverted % prime
        if not (subtract(s, row, pivot, factor, prime) and note_step(s, row, pivot, factor)):
            code = OUT_OF_ROOM
        elif not implies(s, row, prime):
            s.numbers[INCONSISTENT_ROW] = row
            code = INCONSISTENT
        else:
            file_by_cost(s, row)
    for j in range(s.first[pivot], s.first[pivot] + s.size[pivot]):
        work[cells[j]] = 0
    return code


@kernel(estimate=lambda s, _: 1e-5 * s.cells.size)
def eliminate(s: LinearSystem, prime: int) -> int:
    """Make every row a pivot: ELIMINATED, INCONSISTENT if a row cannot hold, or OUT_OF_ROOM."""
    rows = s.size.size
    for row in range(rows):
        for i in range(s.first[row], s.first[row] + s.size[row]):
            s.node_next[i] = s.head[s.cells[i]]
            s.head[s.cells[i]] = i
        s.sums[row] %= prime
    for row in range(rows):
        if not implies(s, row, prime):
            s.numbers[INCONSISTENT_ROW] = row
            return INCONSISTENT
        file_by_cost(s, row)
    while True:
        while s.numbers[CHEAPEST_COST] < COSTS and s.bucket[s.numbers[CHEAPEST_COST]] == NONE:
            s.numbers[CHEAPEST_COST] += 1
        cost = s.numbers[CHEAPEST_COST]
        if cost == COSTS:
            return ELIMINATED
        row = s.bucket[cost]
        entry = file_by_cost(s, row)
        if s.cost[row] > cost:
            continue
        s.bucket[s.cost[row]] = s.after[row]
        if s.after[row] != NONE:
            s.before[s.after[row]] = NONE
        s.cost[row] = NONE
        s.pivot_row[s.numbers[PIVOTS_USED]] = row
        s.pivot_entry[s.numbers[PIVOTS_USED]] = entry
        s.numbers[PIVOTS_USED] += 1
        code = use_pivot(s, row, entry, prime)
        if code != ELIMINATED:
            return code


@kernel(estimate=lambda s, *_: 2e-6 * s.cells.size)
def reduce_total(s: LinearSystem, traps: int, prime: int) -> int:
    """Reduce the row of the total, "all cells together have `traps` traps", by all pivots.

    This row has every cell, so it would fill in if it took part earlier. It counts as the row after the last.
    """
    work = s.work
    work[:] = 1
    for i in range(s.numbers[PIVOTS_USED]):
        row, entry = s.pivot_row[i], s.pivot_entry[i]
        factor = work[s.cells[entry]] * inverse(s.factors[entry], prime) % prime
        if factor == 0:
            continue
        for j in range(s.first[row], s.first[row] + s.size[row]):
            work[s.cells[j]] = (work[s.cells[j]] - factor * s.factors[j]) % prime
        traps = (traps - factor * s.sums[row]) % prime
        if not note_step(s, s.size.size, row, factor):
            return OUT_OF_ROOM
    least = most = 0
    for cell in range(work.size):
        if 2 * work[cell] > prime:
            least += work[cell] - prime
        else:
            most += work[cell]
    if most - least >= prime:
        return ELIMINATED
    meant = least + (traps - least) % prime
    if meant > most:
        s.numbers[INCONSISTENT_ROW] = s.size.size
        return INCONSISTENT
    if meant in (least, most):
        for cell in range(work.size):
            if work[cell] != 0:
                s.value[cell] = 1 if (2 * work[cell] > prime) == (meant == least) else 0
    return ELIMINATED


@kernel(estimate=lambda s, *_: 1e-6 * s.step_row.size)
def combination(s: LinearSystem, row: int, prime: int) -> Longs:
    """The combination of the original rows, the total last, that a row of the reduced system is."""
    shares = np.zeros(s.size.size + 1, np.int64)
    shares[row] = 1
    for step in range(s.numbers[STEPS_USED] - 1, -1, -1):
        share = shares[s.step_row[step]]
        if share != 0:
            pivot = s.step_pivot[step]
            shares[pivot] = (shares[pivot] - share * s.step_factor[step]) % prime
    return shares
