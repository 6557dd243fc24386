"""Linear reasoning: a conflict, or values of cells, that follow from the clues as linear equations.

`eliminated` solves the equations modulo a prime; `total_conflict` bounds the total by weighted sums of clues.
Each conflict is a combination of clues that `is_linear_conflict` checks with code independent of the kernels.
"""

from dataclasses import dataclass
from operator import mul
from typing import NamedTuple, TypeAlias

import numpy as np

from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle
from gemhunter.jit.kernel import Codes, Flags, Floats, Ints, Shorts, kernel
from gemhunter.jit.search_state import NONE

LARGE_PRIME = 2**31 - 1
PRIMES = (LARGE_PRIME, 2)
"""The large one stands in for whole numbers; 2 finds what only parity shows, as in circuits of XOR gates."""

SYSTEM_CELL_LIMIT = 4_000_000
"""With more cells in all regions together, elimination would take more than a few seconds."""

WHOLE_NUMBERS = 0
"""The modulus of a combination of whole numbers."""

ELIMINATED, INCONSISTENT, OUT_OF_ROOM = 0, 1, 2
"""No row is left; a row cannot hold; the arrays are full."""

NOT_IMPLIED = -1
COSTS = 1024
"""The number of buckets for rows by cost; the last bucket has all rows with its cost or more."""

# Places in `LinearSystem.numbers`.
ENTRIES_USED = 0  # entries of `cells` and `factors` in use, gaps included
NODES_USED = 1  # nodes of `node_row` and `node_next` in use
STEPS_USED = 2  # subtractions in the log: `step_row`, `step_pivot` and `step_factor`
PIVOTS_USED = 3  # rows that have been pivots
CHEAPEST_COST = 4  # buckets below this one are empty
INCONSISTENT_ROW = 5  # the row that cannot hold


@dataclass(frozen=True, slots=True, eq=False)
class LinearConflict:
    """A sum of regions, each multiplied by `coefficients[i]`, that no solution satisfies.

    Both sides are numbers modulo `modulus`, or whole numbers for `WHOLE_NUMBERS`.
    """

    regions: Ints
    coefficients: Ints
    modulus: int


@dataclass(frozen=True, slots=True, eq=False)
class ImpliedValues:
    """Hidden cell `cells[i]` is a trap in all solutions if `values[i]`, otherwise in none."""

    cells: Ints
    values: Flags


Implied: TypeAlias = LinearConflict | ImpliedValues


def eliminated(puzzle: Puzzle, prime: int) -> Implied:
    """What the clues and the total imply by linear algebra modulo `prime`.

    A conflict is checked before it is returned. If fill-in uses up the arrays, a conflict can be missed.
    """
    clues = puzzle.traps.size - has_total(puzzle)
    starts = puzzle.starts[: clues + 1]
    system = new_system(starts, puzzle.cells[: starts[-1]], puzzle.traps[:clues], puzzle.hidden.size)
    code = eliminate(system, prime)
    if code == ELIMINATED and has_total(puzzle):
        code = reduce_total(system, int(puzzle.traps[-1]) % prime, prime)
    if code != INCONSISTENT:
        implied = np.flatnonzero(system.value != NOT_IMPLIED)
        return ImpliedValues(implied, system.value[implied] == 1)
    shares = combination(system, int(system.numbers[INCONSISTENT_ROW]), prime)
    regions = np.flatnonzero(shares)
    conflict = LinearConflict(regions, np.where(2 * shares > prime, shares - prime, shares)[regions], prime)
    if not is_linear_conflict(puzzle, conflict):
        raise ArithmeticError("linear elimination went wrong: its combination of clues can hold")
    return conflict


def bytes_needed(puzzle: Puzzle) -> int:
    """The most bytes that `eliminated` holds; a test measures it."""
    return 200 * (puzzle.cells.size + puzzle.hidden.size + puzzle.traps.size) + 100_000


def has_total(puzzle: Puzzle) -> bool:
    """Whether the last region is the total."""
    return bool(puzzle.clues.size and puzzle.clues[-1] == TOTAL_CLUE)


def is_linear_conflict(puzzle: Puzzle, conflict: LinearConflict) -> bool:
    """Multiply out a combination of regions, and return whether no solution reaches its sum."""
    times = np.zeros(puzzle.traps.size, np.int64)
    times[conflict.regions] = conflict.coefficients
    factors = np.zeros(puzzle.hidden.size, np.int64)
    np.add.at(factors, puzzle.cells, np.repeat(times, puzzle.sizes))
    # Python's numbers, because a coefficient times an absurd total needs more than 64 bits.
    total = sum(map(mul, times.tolist(), puzzle.traps.tolist()))
    modulus = conflict.modulus
    if modulus:
        factors %= modulus
        factors[2 * factors > modulus] -= modulus
    least, most = int(factors[factors < 0].sum()), int(factors[factors > 0].sum())
    if modulus:
        total = least + (total - least) % modulus
    return not least <= total <= most


def total_conflict(puzzle: Puzzle) -> LinearConflict | None:
    """A combination of clues that conflicts with the total; None if there seems to be none.

    The bounds on the total are nearly those of linear programming.
    """
    if not has_total(puzzle) or not puzzle.cells.size:
        return None
    clues = puzzle.traps.size - 1
    # Copies, because a puzzle's arrays are read-only, which is another type to a compiled kernel.
    starts, traps = puzzle.starts[: clues + 1].copy(), puzzle.traps[:clues].copy()
    cells, total = puzzle.cells[: starts[-1]].copy(), int(puzzle.traps[-1])
    # All rounds together look at ten million cells of regions at most, which takes some nanoseconds each.
    rounds = min(2000, 10_000_000 // max(cells.size, 1))
    # The total may have too few traps, or, with traps and gems exchanged, too few gems.
    for need, goal in ((traps, total), (puzzle.sizes[:clues] - traps, puzzle.hidden.size - total)):
        weights = np.zeros(clues)
        # The total must miss the bound by more than rounding the weights to 2^-20 can change.
        if not raise_bound(starts, cells, need, goal + 0.02, rounds, weights):
            continue
        units = np.rint(weights * 2**20).astype(np.int64)
        regions = np.append(np.flatnonzero(units), clues)
        conflict = LinearConflict(regions, np.append(units[units != 0], -(2**20)), WHOLE_NUMBERS)
        if is_linear_conflict(puzzle, conflict):
            return conflict
    return None


# Sparse Gaussian elimination, modulo a prime below 2^31. Each clue is an equation: its cells, 1 for a trap
# and 0 for a gem, add up to the number of its traps.
#
# A pivot is a row and one of its cells. The row is subtracted from all other rows with the cell, and is then
# done. The cheapest pivots come first (the Markowitz rule): rows with few cells, and cells in few rows.


class LinearSystem(NamedTuple):
    """All rows, and the log of what was done to them.

    Row r says that its cells, those from `cells[first[r]]` to `cells[first[r]+size[r]]`, times their
    `factors` add up to `sums[r]`; it has space for `room[r]` cells. Step i subtracted `step_factor[i]` times
    row `step_pivot[i]` from row `step_row[i]`. The rows with cell c are among the `node_row` of the list that
    begins at node `head[c]` and is linked by `node_next`; there are `rows_of[c]` of them. Rows of equal cost
    are in a list that begins at `bucket[cost]` and is linked by `after` and `before`; `cost` is NONE for rows
    that are done. `pivot_row` and `pivot_entry` list the pivots so far. `value[c]` is the value of cell c
    that a row implies, or NOT_IMPLIED. `work` and `seen` are scratch space, one entry per cell.
    """

    first: Ints
    size: Ints
    room: Ints
    sums: Ints
    cells: Shorts
    factors: Ints
    head: Ints
    rows_of: Ints
    node_row: Shorts
    node_next: Ints
    bucket: Ints
    after: Ints
    before: Ints
    cost: Ints
    step_row: Shorts
    step_pivot: Shorts
    step_factor: Ints
    pivot_row: Ints
    pivot_entry: Ints
    value: Codes
    work: Ints
    seen: Ints
    numbers: Ints


def new_system(starts: Ints, cells: Ints, traps: Ints, size: int) -> LinearSystem:
    """One row for each region, over `size` cells, with room for fill-in.

    Boards that were measured needed up to 4 entries and 1.8 nodes for each cell of a region, and 2 steps for
    each region.
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


@kernel(estimate=lambda s, _: 1e-5 * s.cells.size)
def eliminate(s: LinearSystem, prime: int) -> int:
    """Make every row a pivot; return ELIMINATED, INCONSISTENT if a row cannot hold, or OUT_OF_ROOM."""
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
    # All rows are filed. Take the cheapest one next, or file it again if its cost has risen.
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
        # It is the pivot. It leaves its bucket for good, and is subtracted from the other rows.
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


@kernel
def use_pivot(s: LinearSystem, pivot: int, entry: int, prime: int) -> int:
    """Eliminate the cell of `entry` from all rows not yet done, by subtracting multiples of the pivot."""
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


@kernel
def subtract(s: LinearSystem, row: int, pivot: int, factor: int, prime: int) -> bool:
    """Subtract `factor` times the pivot, whose factors are in `work`, from a row; False if it has no room."""
    numbers, cells, factors, work, seen = s.numbers, s.cells, s.factors, s.work, s.seen
    first, size = s.first[row], s.size[row]
    pivot_first, pivot_size = s.first[pivot], s.size[pivot]
    # If the row has no room for the cells of both, move it to the end of the arrays.
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
    # In cells that both have, subtract the factors; a cell whose factor becomes 0 leaves the row.
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
    # Cells that only the pivot has join the row: this is the fill-in.
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
def implies(s: LinearSystem, row: int, prime: int) -> bool:
    """Whether a row can hold; write down the values of cells that it implies.

    Take each factor as the congruent number nearest to 0. Then the row adds up to a whole number from `least`
    to `most`. If these are less than `prime` apart, at most one number in between is congruent to its sum.
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
    """File a row under its cost unless it is empty; return its entry whose cell is in the fewest rows."""
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
def inverse(factor: int, prime: int) -> int:
    """The inverse modulo `prime` of a factor from 1 to `prime` - 1, by Euclid's extended algorithm."""
    one, other = factor, prime
    share, other_share = 1, 0
    while one > 1:
        quotient = other // one
        one, other = other - quotient * one, one
        share, other_share = other_share - quotient * share, share
    return share % prime


@kernel(estimate=lambda s, *_: 2e-6 * s.cells.size)
def reduce_total(s: LinearSystem, traps: int, prime: int) -> int:
    """Subtract the pivots from the row of the total, which says that all cells together have `traps` traps.

    This row has every cell, so it would cause much fill-in earlier. In the log it is the row after the last.
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
    # See what the rest of the row implies, as `implies` does for the other rows.
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
def combination(s: LinearSystem, row: int, prime: int) -> Ints:
    """How many times each original row, the total last, is in a row of the reduced system."""
    shares = np.zeros(s.size.size + 1, np.int64)
    shares[row] = 1
    for step in range(s.numbers[STEPS_USED] - 1, -1, -1):
        share = shares[s.step_row[step]]
        if share != 0:
            pivot = s.step_pivot[step]
            shares[pivot] = (shares[pivot] - share * s.step_factor[step]) % prime
    return shares


# Lower bounds on the number of traps of the whole board, by subgradient ascent on weights of the clues.
#
# If region r has `need[r]` traps and the weight w[r], then the board has at least as many traps as the sum of
# w · need, less the excess over 1 of each cell whose regions weigh more than 1 together.


@kernel(estimate=lambda _, cells, *more: 5e-7 * more[2] * cells.size)
def raise_bound(starts: Ints, cells: Ints, need: Ints, goal: float, rounds: int, weights: Floats) -> bool:
    """Find weights with a bound above `goal`; return False if `rounds` rounds are not enough.

    Each round moves all weights along the subgradient, `slope`: a region gains weight if it has more traps
    than cells whose regions weigh more than 1 together. The stride would reach the goal if the slope did not
    change (Polyak's step size).
    """
    regions, size = need.size, 0
    for i in range(cells.size):
        size = max(size, cells[i] + 1)
    load = np.empty(size, np.float64)
    slope = np.empty(regions, np.float64)
    tried = np.zeros(regions, np.float64)
    best = -1e300
    stride, waited = 1.0, 0
    for _ in range(rounds):
        load[:] = 1.0
        bound = 0.0
        for r in range(regions):
            bound += tried[r] * need[r]
            for i in range(starts[r], starts[r + 1]):
                load[cells[i]] -= tried[r]
        for cell in range(size):
            bound += min(load[cell], 0.0)
        waited += 1
        if bound > best:
            best, waited = bound, 0
            weights[:] = tried
            if bound > goal:
                return True
        # After 20 rounds without a better bound, halve the stride and go back to the best weights.
        if waited > 20:
            stride, waited = stride / 2, 0
            tried[:] = weights
            continue
        steepness = 0.0
        for r in range(regions):
            slope[r] = need[r]
            for i in range(starts[r], starts[r + 1]):
                if load[cells[i]] < 0.0:
                    slope[r] -= 1.0
            steepness += slope[r] * slope[r]
        if steepness == 0.0:
            return False
        for r in range(regions):
            tried[r] += stride * (goal + 1.0 - bound) / steepness * slope[r]
    return False
