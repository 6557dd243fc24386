"""Linear elimination: what follows from the clues as linear equations, a conflict or values of cells."""

from dataclasses import dataclass
from operator import mul
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle
from gemhunter.jit.arrays import Ints
from gemhunter.jit.codes import NONE
from gemhunter.jit.kernel import kernel

# A sparse system of linear equations over the hidden cells, and the log of its elimination.
#
# Row r says that the sum over `cells[first[r]:first[r]+size[r]]` of `factors[...]` times the cell is
# `sums[r]`.


Longs = NDArray[np.int64]

NOT_IMPLIED = -1
COSTS = 1024
"""Buckets of rows by cost; the last one has all rows that cost as much or more."""

# The scalars of a system: places in `LinearSystem.numbers`.
ENTRIES_USED = 0  # entries of `cells` and `factors` in use, gaps included
NODES_USED = 1  # nodes of `node_row` in use
STEPS_USED = 2  # subtractions in the log, `step_row` and its companions
PIVOTS_USED = 3  # rows that have been pivots
CHEAPEST_COST = 4  # no bucket below this one has rows
INCONSISTENT_ROW = 5  # the row that cannot hold


class LinearSystem(NamedTuple):
    """All rows, and the log of what was done to them.

    Step i subtracted `step_factor[i]` times row `step_pivot[i]` from row `step_row[i]`. The rows that have
    cell c are among the nodes that begin at `head[c]` and go on at `node_next`; `rows_of[c]` counts them.
    Rows of equal cost are linked from `bucket[cost]` by `after` and `before`; `cost` is NONE for rows that
    are done. `value[c]` is NOT_IMPLIED, or the value of cell c that a row implies. `work` and `seen` are
    scratch space, one entry per cell.
    """

    first: Longs
    size: Longs
    room: Longs
    sums: Longs
    cells: NDArray[np.int32]
    factors: Longs
    head: Longs
    rows_of: Longs
    node_row: NDArray[np.int32]
    node_next: Longs
    bucket: Longs
    after: Longs
    before: Longs
    cost: Longs
    step_row: NDArray[np.int32]
    step_pivot: NDArray[np.int32]
    step_factor: Longs
    pivot_row: Longs
    pivot_entry: Longs
    value: NDArray[np.int8]
    work: Longs
    seen: Longs
    numbers: Longs


def new_system(starts: Longs, cells: Longs, traps: Longs, size: int) -> LinearSystem:
    """One row for each region, over `size` cells, with room for fill-in.

    On all boards that were measured, entries came to 4 times the cells of all regions, nodes to 1.8 times,
    and steps to 2 for each region.
    """
    rows, used = starts.size - 1, cells.size
    row_cells, factors = np.empty(6 * used + 1000, np.int32), np.empty(6 * used + 1000, np.int64)
    row_cells[:used], factors[:used] = cells, 1
    nodes = np.empty(3 * used + 1000, np.int32)
    nodes[:used] = np.repeat(np.arange(rows), np.diff(starts))
    steps = 6 * rows + 1000
    numbers = np.zeros(6, np.int64)
    numbers[ENTRIES_USED] = numbers[NODES_USED] = used
    links = np.full((3, rows), NONE)
    return LinearSystem(
        first=starts[:-1].copy(),
        size=np.diff(starts),
        room=np.diff(starts),
        sums=traps.copy(),
        cells=row_cells,
        factors=factors,
        head=np.full(size, NONE),
        rows_of=np.bincount(cells, minlength=size),
        node_row=nodes,
        node_next=np.empty(nodes.size, np.int64),
        bucket=np.full(COSTS, NONE),
        after=links[0],
        before=links[1],
        cost=links[2],
        step_row=np.empty(steps, np.int32),
        step_pivot=np.empty(steps, np.int32),
        step_factor=np.empty(steps, np.int64),
        pivot_row=np.empty(rows, np.int64),
        pivot_entry=np.empty(rows, np.int64),
        value=np.full(size, NOT_IMPLIED, np.int8),
        work=np.zeros(size, np.int64),
        seen=np.full(size, NONE),
        numbers=numbers,
    )


# Sparse linear elimination of "the traps of a region's cells add up", modulo a prime below 2^31.
#
# A pivot is a row and one of its cells; the row is subtracted from all other rows that have the cell, and
# it is then done. The cheapest rows come first: those with few cells, and a cell that few rows have.


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


# Linear elimination: what follows from the clues as linear equations, a conflict or values of cells.


LARGE_PRIME = 2**31 - 1
PRIMES = (LARGE_PRIME, 2)
"""The large one stands for whole numbers; 2 finds what only parity shows, such as circuits of XOR gates."""

LARGEST_SYSTEM = 4_000_000
"""Cells of all regions together. With more, elimination would take more than seconds."""

ELIMINATION_BYTES_PER_CELL = 200
"""Held at most for each cell of a region, each hidden cell and each region; a test measures it."""
ELIMINATION_FIXED_BYTES = 100_000

WHOLE_NUMBERS = 0
"""The modulus of a combination of whole numbers."""


@dataclass(frozen=True, slots=True, eq=False)
class LinearConflict:
    """The regions, each taken `coefficients[i]` times and added up, say what no solution can make true.

    Both sides are numbers modulo `modulus`, or whole numbers for `WHOLE_NUMBERS`.
    """

    regions: Ints
    coefficients: Ints
    modulus: int


@dataclass(frozen=True, slots=True, eq=False)
class ImpliedValues:
    """Hidden cell `cells[i]` is a trap in all solutions if `values[i]`, otherwise in none."""

    cells: Ints
    values: NDArray[np.bool_]


Implied: TypeAlias = LinearConflict | ImpliedValues


def bytes_needed(puzzle: Puzzle) -> int:
    """How many bytes `eliminated` holds at most."""
    return (
        ELIMINATION_BYTES_PER_CELL * (puzzle.cells.size + puzzle.hidden.size + puzzle.traps.size)
        + ELIMINATION_FIXED_BYTES
    )


def eliminated(puzzle: Puzzle, prime: int) -> Implied:
    """What the clues and the total imply by linear algebra modulo `prime`.

    A conflict has been multiplied out. None is overlooked unless rows fill in until the arrays are full.
    """
    clues = puzzle.traps.size - has_total(puzzle)
    starts = puzzle.starts[: clues + 1]
    total = int(puzzle.traps[-1]) if has_total(puzzle) else None
    found = _eliminated(
        starts,
        puzzle.cells[: starts[-1]],
        puzzle.traps[:clues],
        size=puzzle.hidden.size,
        total=total,
        prime=prime,
    )
    if isinstance(found, LinearConflict) and not is_linear_conflict(puzzle, found):
        raise ArithmeticError("linear elimination went wrong: its combination of clues can hold")
    return found


def has_total(puzzle: Puzzle) -> bool:
    """Whether the last region is the total."""
    return bool(puzzle.clues.size and puzzle.clues[-1] == TOTAL_CLUE)


def is_linear_conflict(puzzle: Puzzle, conflict: LinearConflict) -> bool:
    """Multiply a combination of regions out, and return whether no solution reaches its sum."""
    times = np.zeros(puzzle.traps.size, np.int64)
    times[conflict.regions] = conflict.coefficients
    factors = np.zeros(puzzle.hidden.size, np.int64)
    np.add.at(factors, puzzle.cells, np.repeat(times, puzzle.sizes))
    # Python's numbers: a coefficient times an absurd total needs more than 64 bits.
    total = sum(map(mul, times.tolist(), puzzle.traps.tolist()))
    modulus = conflict.modulus
    if modulus:
        factors %= modulus
        factors[2 * factors > modulus] -= modulus
    least, most = int(factors[factors < 0].sum()), int(factors[factors > 0].sum())
    if modulus:
        total = least + (total - least) % modulus
    return not least <= total <= most


def _eliminated(
    starts: Ints, cells: Ints, traps: Ints, *, size: int, total: int | None, prime: int
) -> Implied:
    system = new_system(starts, cells, traps, size)
    code = eliminate(system, prime)
    if code == ELIMINATED and total is not None:
        code = reduce_total(system, total % prime, prime)
    if code == INCONSISTENT:
        shares = combination(system, int(system.numbers[INCONSISTENT_ROW]), prime)
        regions = np.flatnonzero(shares)
        return LinearConflict(regions, np.where(2 * shares > prime, shares - prime, shares)[regions], prime)
    implied = np.flatnonzero(system.value != NOT_IMPLIED)
    return ImpliedValues(implied, system.value[implied] == 1)
