"""The clauses of a DPLL search: loading, following up what holds, weighing literals. See `dpll_state`."""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.dpll.state import (
    BACKTRACK,
    CLASH,
    HEAD,
    MOST_WORK,
    NEXT,
    NONE,
    PROPAGATIONS,
    SIGN,
    TRAIL,
    UNFINISHED,
    WORK,
    DpllState,
    Ints,
    Shorts,
    Signs,
    Weights,
)

WINDOW = 10_000
"""Clauses among which the shortest is looked for, so that a decision does not cost more on a larger board."""


@kernel(estimate=lambda _, literals: 1.5e-6 * literals.size)
def load(s: DpllState, signed: Shorts) -> None:
    """Take in the clauses, in the numbers of DIMACS: watch the long ones, let those of one literal hold."""
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
            watch(s.pool, at, s.watched, one, clause, other)
            watch(s.pool, at, s.watched, other, clause, one)
        elif size == 0 or value[literals[start]] < 0:
            if numbers[CLASH] == NONE:
                numbers[CLASH] = clause
                numbers[NEXT] = BACKTRACK
        elif value[literals[start]] == 0:
            literal = literals[start]
            value[literal] = 1
            value[literal ^ 1] = -1
            s.reason[literal >> 1] = clause
            s.trail[numbers[TRAIL]] = literal
            numbers[TRAIL] += 1
            numbers[PROPAGATIONS] += 1


@kernel
def watch(pool: Shorts, at: Ints, watched: Shorts, literal: int, clause: int, other: int) -> None:
    """Add a watch."""
    place = 2 * (at[literal] + watched[literal])
    pool[place] = clause
    pool[place + 1] = other
    watched[literal] += 1


@kernel
def propagate(
    literals: Shorts,
    starts: Ints,
    pool: Shorts,
    at: Ints,
    watched: Shorts,
    value: Signs,
    reason: Shorts,
    trail: Shorts,
    numbers: Ints,
) -> int:
    """Follow up the literals on the trail: the clause that breaks, NONE, or UNFINISHED."""
    head, filled = numbers[HEAD], numbers[TRAIL]
    before, work, most = filled, numbers[WORK], numbers[MOST_WORK]
    broken = NONE
    while head < filled and broken == NONE:
        if work >= most:
            broken = UNFINISHED
            break
        false = trail[head] ^ 1
        head += 1
        begin = at[false]
        i, end = begin, begin + watched[false]
        kept = i
        work += 1 + end - i
        while i < end:
            clause, blocker = pool[2 * i], pool[2 * i + 1]
            i += 1
            if value[blocker] <= 0:
                start, stop = starts[clause], starts[clause + 1]
                blocker = literals[start]
                if blocker == false:
                    blocker = literals[start + 1]
                    literals[start] = blocker
                    literals[start + 1] = false
                if value[blocker] <= 0:
                    place = start + 2
                    while place < stop and value[literals[place]] < 0:
                        place += 1
                    if place < stop:
                        other = literals[place]
                        literals[start + 1] = other
                        literals[place] = false
                        new = 2 * (at[other] + watched[other])
                        pool[new] = clause
                        pool[new + 1] = blocker
                        watched[other] += 1
                        continue
                    if value[blocker] < 0:
                        broken = clause
                    else:
                        value[blocker] = 1
                        value[blocker ^ 1] = -1
                        reason[blocker >> 1] = clause
                        trail[filled] = blocker
                        filled += 1
            pool[2 * kept] = clause
            pool[2 * kept + 1] = blocker
            kept += 1
            if broken != NONE:
                break
        while i < end:
            pool[2 * kept] = pool[2 * i]
            pool[2 * kept + 1] = pool[2 * i + 1]
            i += 1
            kept += 1
        watched[false] = kept - begin
    numbers[HEAD], numbers[TRAIL], numbers[WORK] = head, filled, work
    numbers[PROPAGATIONS] += filled - before
    return broken


@kernel
def first_variable(at: Ints, value: Signs, cursor: int) -> int:
    """The first variable from `cursor` on that is open and in some clause, or as many as there are."""
    while cursor < value.size >> 1 and (value[2 * cursor] != 0 or at[2 * cursor] == at[2 * cursor + 2]):
        cursor += 1
    return cursor


@kernel
def first_clause(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The first clause from `cursor` on in which no literal holds, or as many as there are."""
    begin = starts[cursor]
    while cursor < starts.size - 1:
        held = False
        for i in range(starts[cursor], starts[cursor + 1]):
            held |= value[literals[i]] > 0
        if not held:
            break
        cursor += 1
    numbers[WORK] += starts[cursor] - begin
    return cursor


@kernel
def from_shortest(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The open literal with the least number in the first of the clauses with fewest open literals.

    Clauses in which a literal holds do not count; that at `cursor`, where the window begins, must not be one.
    When nothing is left to follow up, two open literals are the fewest that there can be.
    """
    best, least = NONE, 0
    clause = cursor
    end = min(starts.size - 1, cursor + WINDOW)
    while clause < end and (best == NONE or least > 2):
        opened, one = 0, NONE
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            if value[literal] > 0:
                one = NONE
                break
            if value[literal] == 0:
                opened += 1
                if one == NONE or literal < one:
                    one = literal
        if one != NONE and (best == NONE or opened < least):
            best, least = one, opened
        clause += 1
    numbers[WORK] += starts[clause] - starts[cursor]
    return best


@kernel
def heaviest(literals: Shorts, starts: Ints, value: Signs, cursor: int, score: Weights, numbers: Ints) -> int:
    """The heavier literal of the open variable whose two literals weigh most (Jeroslow and Wang, two-sided).

    Each clause from `cursor` on in which no literal holds gives its n open literals 2^-n each. Where both
    weigh the same, `numbers[SIGN]` decides.
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
    numbers[WORK] += score.size + starts[starts.size - 1] - starts[cursor]
    best, most = 0, -1.0
    for literal in range(0, value.size, 2):
        total = score[literal] + score[literal + 1]
        if value[literal] == 0 and total > most:
            best, most = literal, total
    if score[best] == score[best + 1]:
        return int(best + numbers[SIGN])
    return best if score[best] > score[best + 1] else best + 1
