"""The clauses that a proof is checked against: found by content, watched by two of their literals.

Literal 2v says that variable v is true, 2v+1 the opposite; `value` is 1 for literals that hold, -1 for their
opposites, 0 for open ones. Clause c is `literals[starts[c]:ends[c]]`; nothing once it is deleted. The watches
of literal l are `pool[2*i]` (the clause, or -1-c for one of two literals) and `pool[2*i + 1]` (another of its
literals) for i from `at[l]`, `watched[l]` of them, with room for `room[l]`.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.drat.state import FULL, HEAD, NONE, POOL, TRAIL, WORK, Ints, Shorts, Signs


@kernel
def tidy(literals: Shorts, start: int, end: int, marked: Signs) -> int:
    """Drop repeated literals, keeping the order; the new end, or minus that for a clause with v and not v."""
    kept = start
    sign = 1
    for i in range(start, end):
        literal = literals[i]
        if marked[literal]:
            continue
        if marked[literal ^ 1]:
            sign = -1
        marked[literal] = 1
        literals[kept] = literal
        kept += 1
    for i in range(start, kept):
        marked[literals[i]] = 0
    return sign * kept


@kernel
def same(
    literals: Shorts, starts: Ints, ends: Ints, clause: int, start: int, end: int, marked: Signs
) -> bool:
    """Whether a clause has exactly the literals from `start` to `end`, in any order."""
    if ends[clause] - starts[clause] != end - start:
        return False
    for i in range(start, end):
        marked[literals[i]] = 1
    alike = True
    for i in range(starts[clause], ends[clause]):
        if not marked[literals[i]]:
            alike = False
    for i in range(start, end):
        marked[literals[i]] = 0
    return alike


@kernel
def print_of(literals: Shorts, start: int, end: int, mixed: Ints) -> int:
    """A number that clauses with the same literals share, and few others."""
    total = 0
    for i in range(start, end):
        total ^= mixed[literals[i]]
    return total


@kernel
def is_unit(literals: Shorts, start: int, end: int, value: Signs) -> bool:
    """Whether exactly one literal holds and all others are false."""
    holding = 0
    for i in range(start, end):
        if value[literals[i]] == 0:
            return False
        if value[literals[i]] > 0:
            holding += 1
    return holding == 1


@kernel
def make_room(pool: Shorts, at: Ints, watched: Shorts, room: Shorts, literal: int, numbers: Ints) -> bool:
    """Make sure that a literal can have one more watch; False if the pool is full."""
    if watched[literal] < room[literal]:
        return True
    larger = max(4, 2 * room[literal])
    begin = numbers[POOL]
    if 2 * (begin + larger) > pool.size:
        return False
    old = at[literal]
    for i in range(2 * watched[literal]):
        pool[2 * begin + i] = pool[2 * old + i]
    at[literal] = begin
    room[literal] = larger
    numbers[POOL] = begin + larger
    return True


@kernel
def watch(pool: Shorts, at: Ints, watched: Shorts, literal: int, clause: int, other: int) -> None:
    """Add a watch where there is room for it."""
    place = 2 * (at[literal] + watched[literal])
    pool[place] = clause
    pool[place + 1] = other
    watched[literal] += 1


@kernel
def unwatch(pool: Shorts, at: Ints, watched: Shorts, literal: int, clause: int) -> None:
    """Take a watch away, if it is there."""
    begin = at[literal]
    last = begin + watched[literal] - 1
    for i in range(begin, last + 1):
        if pool[2 * i] == clause:
            pool[2 * i] = pool[2 * last]
            pool[2 * i + 1] = pool[2 * last + 1]
            watched[literal] -= 1
            return


@kernel
def propagate(
    literals: Shorts,
    starts: Ints,
    ends: Ints,
    pool: Shorts,
    at: Ints,
    watched: Shorts,
    room: Shorts,
    value: Signs,
    reason: Shorts,
    trail: Shorts,
    numbers: Ints,
) -> int:
    """Follow up the literals on the trail: the clause that breaks, or NONE, or FULL.

    After FULL the literal at the head has to be followed up again.
    """
    head, filled = numbers[HEAD], numbers[TRAIL]
    broken = NONE
    while head < filled and broken == NONE:
        false = trail[head] ^ 1
        i = at[false]
        kept = i
        end = i + watched[false]
        numbers[WORK] += 1 + end - i
        while i < end:
            clause, blocker = pool[2 * i], pool[2 * i + 1]
            pool[2 * kept] = clause
            pool[2 * kept + 1] = blocker
            i += 1
            kept += 1
            if value[blocker] > 0:
                continue
            first = blocker
            if clause < 0:
                clause = -1 - clause
            else:
                start, stop = starts[clause], ends[clause]
                if start == stop:  # deleted meanwhile
                    kept -= 1
                    continue
                first = literals[start]
                if first == false:
                    first = literals[start + 1]
                    literals[start] = first
                    literals[start + 1] = false
                if value[first] > 0:
                    pool[2 * kept - 1] = first
                    continue
                place = start + 2
                while place < stop and value[literals[place]] < 0:
                    place += 1
                if place < stop:
                    other = literals[place]
                    if watched[other] == room[other] and not make_room(
                        pool, at, watched, room, other, numbers
                    ):
                        broken = FULL
                        break
                    literals[start + 1] = other
                    literals[place] = false
                    watch(pool, at, watched, other, clause, first)
                    kept -= 1
                    continue
            if value[first] < 0:
                broken = clause
                break
            value[first] = 1
            value[first ^ 1] = -1
            reason[first >> 1] = clause
            trail[filled] = first
            filled += 1
        while i < end:
            pool[2 * kept] = pool[2 * i]
            pool[2 * kept + 1] = pool[2 * i + 1]
            i += 1
            kept += 1
        watched[false] = kept - at[false]
        head += broken == NONE
    numbers[HEAD], numbers[TRAIL] = head, filled
    return broken
