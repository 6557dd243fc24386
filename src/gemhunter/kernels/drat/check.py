"""Checks the steps of a DRAT proof, forwards, one after the other.

A clause may be added if assuming the opposite of all its literals leads to a broken clause by unit
propagation (RUP), or if the same holds for it together with the rest of each clause that has the opposite of
its first literal (RAT). A clause of a variable and its opposite is inert. Deletions go by content. Those of
clauses that are not there are passed over, and those of clauses that hold for good by one literal while all
others are false for good, as drat-trim does: that literal may be known because of them.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.drat.antecedents import explain
from gemhunter.kernels.drat.clauses import is_unit, make_room, print_of, propagate, same, tidy, unwatch, watch
from gemhunter.kernels.drat.state import (
    ADDED,
    ASSUMED,
    BROKEN,
    CURSOR,
    DELETION,
    FULL,
    GIVEN,
    HEAD,
    HINTS,
    IGNORED,
    INERT,
    LISTED,
    NONE,
    TOP,
    TRAIL,
    WORK,
    Check,
    Ints,
    Shorts,
    Signs,
)

ACCEPTED, REJECTED, ENDED, MORE, GROW = range(1, 6)
FOLLOWS, FAILS, NO_ROOM = range(3)


@kernel(estimate=lambda _, work: 2e-7 * work)
def check(s: Check, work: int) -> int:
    """Go on for about so much work: ACCEPTED, REJECTED, ENDED without a contradiction, MORE or GROW.

    REJECTED means the step at the cursor; GROW asks for more room in `pool` and `hints`.
    """
    numbers, starts = s.numbers, s.starts
    numbers[WORK] = 0
    while True:
        broken = propagate(
            s.literals, starts, s.ends, s.pool, s.at, s.watched, s.room, s.value, s.reason, s.trail, numbers
        )
        if broken == FULL:
            return GROW
        for i in range(numbers[TOP], numbers[TRAIL]):
            s.known[s.trail[i] >> 1] = 1
        numbers[TOP] = numbers[TRAIL]
        step = numbers[CURSOR]
        s.since[step] = numbers[HINTS]
        if broken >= 0:
            numbers[BROKEN] = broken
            return ACCEPTED
        if step == s.kinds.size:
            return ENDED
        if numbers[WORK] >= work:
            return MORE
        numbers[WORK] += 1 + starts[step + 1] - starts[step]
        end = tidy(s.literals, starts[step], starts[step + 1], s.marked)
        if s.kinds[step] == DELETION:
            delete(s, step, abs(end))
        elif end < 0:
            s.kinds[step] = INERT
            remember(s, step, -end)
        else:
            if s.kinds[step] == ADDED:
                answer = follows(s, step, end)
                take_back(s.value, s.trail, numbers, numbers[TOP])
                if answer != FOLLOWS:
                    return REJECTED if answer == FAILS else GROW
            if not attach(s, step, end):
                return GROW
            remember(s, step, end)
            if numbers[BROKEN] != NONE:
                numbers[CURSOR] += 1
                s.since[step + 1] = numbers[HINTS]
                return ACCEPTED
        numbers[CURSOR] += 1


@kernel
def follows(s: Check, step: int, end: int) -> int:
    """Whether a clause may be added: FOLLOWS, FAILS or NO_ROOM; the trail is left as it is then."""
    literals, value, trail, reason, numbers = s.literals, s.value, s.trail, s.reason, s.numbers
    if s.hints.size - numbers[HINTS] < s.known.size + 2:
        return NO_ROOM
    start = s.starts[step]
    for i in range(start, end):
        literal = literals[i]
        if value[literal] > 0:
            s.hints[numbers[HINTS]] = -1 - (literal >> 1)
            numbers[HINTS] += 1
            return FOLLOWS
        if value[literal] == 0:
            assign(literal ^ 1, ASSUMED, value, reason, trail, numbers)
    broken = propagate(
        literals, s.starts, s.ends, s.pool, s.at, s.watched, s.room, value, reason, trail, numbers
    )
    if broken >= 0:
        explain(s, broken, s.known.size)
        return FOLLOWS
    if broken == FULL:
        return NO_ROOM
    return FAILS if end == start else follows_by_first_literal(s, step, literals[start])


@kernel
def follows_by_first_literal(s: Check, step: int, pivot: int) -> int:
    """The same by RAT, when the opposite of the clause has been followed up already."""
    literals, starts, ends, value, numbers = s.literals, s.starts, s.ends, s.value, s.numbers
    base = numbers[TRAIL]
    list_occurrences(s, step)
    before, place = NONE, s.occurs[pivot ^ 1]
    while place != NONE:
        clause = s.owner[place]
        numbers[WORK] += 1
        if starts[clause] == ends[clause]:
            place = forget_place(s, pivot ^ 1, before, place)
            continue
        before, place = place, s.next_place[place]
        if s.hints.size - numbers[HINTS] < s.known.size + 2:
            numbers[HINTS] = s.since[step]
            return NO_ROOM
        held = False
        variable = s.known.size
        for i in range(starts[clause], ends[clause]):
            literal = literals[i]
            if value[literal] > 0 and literal != pivot ^ 1:
                held = True
                variable = literal >> 1
            elif value[literal] == 0:
                assign(literal ^ 1, ASSUMED, value, s.reason, s.trail, numbers)
        if not held:
            reason = propagate(
                literals, starts, ends, s.pool, s.at, s.watched, s.room, value, s.reason, s.trail, numbers
            )
            if reason < 0:
                numbers[HINTS] = s.since[step]
                return NO_ROOM if reason == FULL else FAILS
            explain(s, reason, variable)
        elif s.known[variable]:
            s.hints[numbers[HINTS]] = -1 - variable
            numbers[HINTS] += 1
        else:
            explain(s, int(s.reason[variable]), variable)
        take_back(value, s.trail, numbers, base)
    return FOLLOWS


@kernel
def list_occurrences(s: Check, step: int) -> None:
    """Put the literals of all clauses before `step` into the lists of occurrences; only RAT needs them."""
    for clause in range(s.numbers[LISTED], step):
        if s.kinds[clause] != GIVEN and s.kinds[clause] != ADDED:
            continue
        s.numbers[WORK] += 1
        for i in range(s.starts[clause], s.ends[clause]):
            s.next_place[i] = s.occurs[s.literals[i]]
            s.occurs[s.literals[i]] = i
    s.numbers[LISTED] = step


@kernel
def forget_place(s: Check, literal: int, before: int, place: int) -> int:
    """Take a deleted clause out of a literal's list, so that it is passed over once; the next place."""
    following = s.next_place[place]
    if before == NONE:
        s.occurs[literal] = following
    else:
        s.next_place[before] = following
    return int(following)


@kernel
def assign(literal: int, why: int, value: Signs, reason: Shorts, trail: Shorts, numbers: Ints) -> None:
    """Let a literal hold."""
    value[literal] = 1
    value[literal ^ 1] = -1
    reason[literal >> 1] = why
    trail[numbers[TRAIL]] = literal
    numbers[TRAIL] += 1


@kernel
def take_back(value: Signs, trail: Shorts, numbers: Ints, size: int) -> None:
    """Open the literals that were put on the trail last, until `size` are left."""
    for i in range(size, numbers[TRAIL]):
        value[trail[i]] = 0
        value[trail[i] ^ 1] = 0
    numbers[TRAIL] = size
    numbers[HEAD] = min(numbers[HEAD], size)


@kernel
def attach(s: Check, step: int, end: int) -> bool:
    """Take a clause in: watch it, or note what it decides for good; False if the pool is full."""
    literals, value, numbers = s.literals, s.value, s.numbers
    start = s.starts[step]
    first, second = NONE, NONE
    for i in range(start, end):
        if value[literals[i]] > 0:
            return True
        if value[literals[i]] == 0:
            if first == NONE:
                first = i
            elif second == NONE:
                second = i
    if first == NONE:
        numbers[BROKEN] = step
        return True
    one = literals[first]
    if second == NONE:
        assign(one, step, value, s.reason, s.trail, numbers)
        return True
    other = literals[second]
    # Nothing may be moved before there is room: the first literal matters if the step is checked again.
    if not make_room(s.pool, s.at, s.watched, s.room, one, numbers):
        return False
    if not make_room(s.pool, s.at, s.watched, s.room, other, numbers):
        return False
    literals[first], literals[start] = literals[start], one
    literals[second], literals[start + 1] = literals[start + 1], other
    clause = -1 - step if end - start == 2 else step
    watch(s.pool, s.at, s.watched, one, clause, other)
    watch(s.pool, s.at, s.watched, other, clause, one)
    return True


@kernel
def remember(s: Check, step: int, end: int) -> None:
    """Let a clause be found by its content."""
    s.ends[step] = end
    s.prints[step] = print_of(s.literals, s.starts[step], end, s.mixed)
    bucket = s.prints[step] & (s.buckets.size - 1)
    s.following[step] = s.buckets[bucket]
    s.buckets[bucket] = step


@kernel
def delete(s: Check, step: int, end: int) -> None:
    """Delete the latest clause with these literals, unless something may be known because of it."""
    literals, starts, ends = s.literals, s.starts, s.ends
    wanted = print_of(literals, starts[step], end, s.mixed)
    bucket = wanted & (s.buckets.size - 1)
    before, clause = NONE, s.buckets[bucket]
    while clause != NONE:
        if s.prints[clause] == wanted and same(literals, starts, ends, clause, starts[step], end, s.marked):
            break
        before, clause = clause, s.following[clause]
    if clause == NONE or (
        s.kinds[clause] != INERT and is_unit(literals, starts[clause], ends[clause], s.value)
    ):
        s.numbers[IGNORED] += 1
        return
    if before == NONE:
        s.buckets[bucket] = s.following[clause]
    else:
        s.following[before] = s.following[clause]
    if ends[clause] - starts[clause] == 2:
        for i in range(starts[clause], ends[clause]):
            unwatch(s.pool, s.at, s.watched, literals[i], -1 - clause)
    ends[clause] = starts[clause]
