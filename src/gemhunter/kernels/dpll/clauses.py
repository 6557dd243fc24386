"""The clauses of a DPLL search: loading, unit propagation, choosing a literal. See `state` for the arrays."""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import (
    CONFLICT_CLAUSE,
    NEXT_STEP,
    NONE,
    PROPAGATION_COUNT,
    QUEUE_HEAD,
    TRAIL_SIZE,
)
from gemhunter.kernels.dpll.state import (
    BACKTRACK,
    FIRST_SIGN,
    SLICE_OVER,
    WORK_DONE,
    WORK_LIMIT,
    DpllState,
    Ints,
    Shorts,
    Signs,
    Weights,
)

CLAUSE_WINDOW = 10_000
"""How many clauses are searched for the shortest, so that decisions cost no more on larger boards."""


@kernel(estimate=lambda _, literals: 1.5e-6 * literals.size)
def load(s: DpllState, signed: Shorts) -> None:
    """Load the clauses, in the numbers of DIMACS: watch the long ones, make unit clauses true."""
    literals, starts, at, value, numbers = s.literals, s.starts, s.at, s.value, s.numbers
    for i in range(signed.size):
        literal = 2 * abs(signed[i]) - 2 + (signed[i] < 0)
        literals[i] = literal
        at[literal + 1] += 1
    for literal in range(value.size):
        at[literal + 1] += at[literal]
    for clause in range(starts.size - 1):
        start = starts[clause]
        size = starts[clause + 1] - start
        if size >= 2:
            one, other = literals[start], literals[start + 1]
            watch(s.watches, at, s.watch_count, one, clause, other)
            watch(s.watches, at, s.watch_count, other, clause, one)
        elif size == 0 or value[literals[start]] < 0:
            if numbers[CONFLICT_CLAUSE] == NONE:
                numbers[CONFLICT_CLAUSE] = clause
                numbers[NEXT_STEP] = BACKTRACK
        elif value[literals[start]] == 0:
            literal = literals[start]
            value[literal] = 1
            value[literal ^ 1] = -1
            s.reason[literal >> 1] = clause
            s.trail[numbers[TRAIL_SIZE]] = literal
            numbers[TRAIL_SIZE] += 1
            numbers[PROPAGATION_COUNT] += 1


@kernel
def watch(watches: Shorts, at: Ints, watch_count: Shorts, literal: int, clause: int, other: int) -> None:
    """Let a clause watch a literal, with `other` as its blocking literal."""
    place = 2 * (at[literal] + watch_count[literal])
    watches[place] = clause
    watches[place + 1] = other
    watch_count[literal] += 1


@kernel
def propagate(
    literals: Shorts,
    starts: Ints,
    watches: Shorts,
    at: Ints,
    watch_count: Shorts,
    value: Signs,
    reason: Shorts,
    trail: Shorts,
    numbers: Ints,
) -> int:
    """Propagate the literals in the queue: the conflict clause, NONE, or SLICE_OVER."""
    head, filled = numbers[QUEUE_HEAD], numbers[TRAIL_SIZE]
    before, work, most = filled, numbers[WORK_DONE], numbers[WORK_LIMIT]
    conflict = NONE
    while head < filled and conflict == NONE:
        if work >= most:
            conflict = SLICE_OVER
            break
        # Take the next true literal from the queue; clauses that watch its negation may become unit.
        false = trail[head] ^ 1
        head += 1
        begin = at[false]
        i, end = begin, begin + watch_count[false]
        kept = i
        work += 1 + end - i
        while i < end:
            clause, blocker = watches[2 * i], watches[2 * i + 1]
            i += 1
            # A true blocking literal satisfies the clause, which need not be read.
            if value[blocker] <= 0:
                start, stop = starts[clause], starts[clause + 1]
                # Bring the false literal to the second place; the other watched literal may be true.
                blocker = literals[start]
                if blocker == false:
                    blocker = literals[start + 1]
                    literals[start] = blocker
                    literals[start + 1] = false
                if value[blocker] <= 0:
                    # Look for a literal that is not false, and watch that one instead.
                    place = start + 2
                    while place < stop and value[literals[place]] < 0:
                        place += 1
                    if place < stop:
                        other = literals[place]
                        literals[start + 1] = other
                        literals[place] = false
                        new = 2 * (at[other] + watch_count[other])
                        watches[new] = clause
                        watches[new + 1] = blocker
                        watch_count[other] += 1
                        continue
                    # All literals but the other watched one are false: a conflict, or a unit clause.
                    if value[blocker] < 0:
                        conflict = clause
                    else:
                        value[blocker] = 1
                        value[blocker ^ 1] = -1
                        reason[blocker >> 1] = clause
                        trail[filled] = blocker
                        filled += 1
            # The watch stays; it moves up over those that have gone.
            watches[2 * kept] = clause
            watches[2 * kept + 1] = blocker
            kept += 1
            if conflict != NONE:
                break
        while i < end:
            watches[2 * kept] = watches[2 * i]
            watches[2 * kept + 1] = watches[2 * i + 1]
            i += 1
            kept += 1
        watch_count[false] = kept - begin
    numbers[QUEUE_HEAD], numbers[TRAIL_SIZE], numbers[WORK_DONE] = head, filled, work
    numbers[PROPAGATION_COUNT] += filled - before
    return conflict


@kernel
def first_variable(at: Ints, value: Signs, cursor: int) -> int:
    """The first unassigned variable in a clause from `cursor` on, or the number of variables."""
    while cursor < value.size >> 1 and (value[2 * cursor] != 0 or at[2 * cursor] == at[2 * cursor + 2]):
        cursor += 1
    return cursor


@kernel
def first_unsatisfied(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The first clause from `cursor` on that is not satisfied, or the number of clauses."""
    begin = starts[cursor]
    while cursor < starts.size - 1:
        satisfied = False
        for i in range(starts[cursor], starts[cursor + 1]):
            satisfied |= value[literals[i]] > 0
        if not satisfied:
            break
        cursor += 1
    numbers[WORK_DONE] += starts[cursor] - begin
    return cursor


@kernel
def literal_of_shortest(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The lowest unassigned literal of the first unsatisfied clause with the fewest unassigned literals.

    The window begins at `cursor`, with a clause that is not satisfied. After propagation, no unsatisfied
    clause has fewer than two unassigned literals.
    """
    best, least = NONE, 0
    clause = cursor
    end = min(starts.size - 1, cursor + CLAUSE_WINDOW)
    while clause < end and (best == NONE or least > 2):
        unassigned, lowest = 0, NONE
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            if value[literal] > 0:
                lowest = NONE
                break
            if value[literal] == 0:
                unassigned += 1
                if lowest == NONE or literal < lowest:
                    lowest = literal
        if lowest != NONE and (best == NONE or unassigned < least):
            best, least = lowest, unassigned
        clause += 1
    numbers[WORK_DONE] += starts[clause] - starts[cursor]
    return best


@kernel
def jeroslow_wang(
    literals: Shorts, starts: Ints, value: Signs, cursor: int, score: Weights, numbers: Ints
) -> int:
    """The heavier literal of the unassigned variable whose literals weigh most (two-sided Jeroslow-Wang).

    Each unsatisfied clause from `cursor` on gives its n unassigned literals 2^-n each. If both literals
    weigh the same, `numbers[FIRST_SIGN]` decides.
    """
    score[:] = 0
    for clause in range(cursor, starts.size - 1):
        weight = 1.0
        for i in range(starts[clause], starts[clause + 1]):
            if value[literals[i]] > 0:
                weight = 0.0
                break
            if value[literals[i]] == 0:
                weight *= 0.5
        if weight > 0:
            for i in range(starts[clause], starts[clause + 1]):
                score[literals[i]] += weight
    numbers[WORK_DONE] += score.size + starts[starts.size - 1] - starts[cursor]
    best, most = 0, -1.0
    for literal in range(0, value.size, 2):
        total = score[literal] + score[literal + 1]
        if value[literal] == 0 and total > most:
            best, most = literal, total
    if score[best] == score[best + 1]:
        return int(best + numbers[FIRST_SIGN])
    return best if score[best] > score[best + 1] else best + 1
