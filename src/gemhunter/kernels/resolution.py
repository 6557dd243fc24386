"""What follows from a knowledge base by resolution: one move after the other, until there is nothing new.

A move is the first of these that can be made. A clause that has been made comes in. A clause of the inbox
is taken. A marked cell is taken out of a clause. A cell is marked. A clause is matched with an earlier one.
When a clause has been matched with all earlier ones, the next is; a round ends with the last clause that was
there when it began.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.knowledge import (
    ARRIVED,
    AT,
    CLAUSES,
    EMPTY,
    FIRST,
    GIVEN,
    INCOMING,
    LISTEN,
    MARK,
    MARKED,
    MORE,
    NONE,
    NOTHING_NEW,
    PAIRS,
    PARTNER,
    QUEUED,
    RESOLVE,
    RESOLVENTS,
    ROUND,
    ROUND_END,
    ROUNDS,
    SIMPLIFY,
    STAMP,
    STEPS,
    SUBSUME,
    SUBSUMED,
    SUPERFLUOUS,
    TOLD,
    UNIT,
    USED,
    Knowledge,
    insert,
    needed_for_events,
    tell,
)


@kernel
def first_clause_with(kb: Knowledge, literal: int) -> int:
    """The latest clause with that literal, `NONE` if there is none; what no longer counts leaves the list."""
    while kb.head[literal] != NONE and not kb.alive[kb.clause_of[kb.head[literal]]]:
        kb.head[literal] = kb.following[kb.head[literal]]
    return NONE if kb.head[literal] == NONE else kb.clause_of[kb.head[literal]]


@kernel
def simplify(kb: Knowledge, unit: int) -> None:
    """Apply a marked literal to one more clause that has it or its opposite, until there is none left.

    A clause that has it is superfluous. One that has the opposite comes in again without that.
    """
    numbers, events = kb.numbers, kb.events
    holds = True
    clause = first_clause_with(kb, unit)
    if clause == NONE:
        holds = False
        clause = first_clause_with(kb, unit ^ 1)
    if clause == NONE:
        numbers[UNIT] = NONE
        return
    kb.alive[clause] = False
    begin, size = kb.start[clause], kb.size[clause]
    numbers[SUPERFLUOUS] += size
    if events.size:
        events[numbers[TOLD]] = SUBSUME if holds else SIMPLIFY
        at = tell(events, numbers[TOLD] + 1, kb.queue, numbers[MARKED] - 1, 1)
        numbers[TOLD] = tell(events, at, kb.literals, begin, size)
    if holds:
        numbers[SUBSUMED] += 1
        return
    numbers[INCOMING] = 0
    for i in range(begin, begin + size):
        if kb.literals[i] != unit ^ 1:
            kb.incoming[numbers[INCOMING]] = kb.literals[i]
            numbers[INCOMING] += 1


@kernel
def resolve(kb: Knowledge, given: int, other: int, literal: int) -> None:
    """The resolvent on `literal` of `given` and another clause comes in, unless they clash elsewhere too."""
    numbers, events, stamps, incoming = kb.numbers, kb.events, kb.stamps, kb.incoming
    literals, ours, theirs = kb.literals, kb.start[given], kb.start[other]
    numbers[STAMP] += 1
    stamp = numbers[STAMP]
    size = 0
    for i in range(ours, ours + kb.size[given]):
        mine = literals[i]
        stamps[mine] = stamp
        if mine != literal:
            incoming[size] = mine
            size += 1
    for i in range(theirs, theirs + kb.size[other]):
        their = literals[i]
        if their == literal ^ 1:
            continue
        if stamps[their ^ 1] == stamp:
            return
        if stamps[their] != stamp:
            incoming[size] = their
            size += 1
    numbers[INCOMING] = size
    numbers[RESOLVENTS] += 1
    if events.size:
        events[numbers[TOLD]] = RESOLVE
        at = tell(events, numbers[TOLD] + 1, literals, ours, kb.size[given])
        at = tell(events, at, literals, theirs, kb.size[other])
        numbers[TOLD] = tell(events, at, incoming, 0, size)


@kernel
def forget(kb: Knowledge) -> None:
    """Move the clauses that count to the front and list their places anew; between two given clauses only."""
    numbers = kb.numbers
    kb.head[:] = NONE
    count, used, given, round_end = 0, 0, 0, 0
    for clause in range(numbers[CLAUSES]):
        if not kb.alive[clause]:
            continue
        begin, size = kb.start[clause], kb.size[clause]
        kb.start[count], kb.size[count] = used, size
        kb.signature[count], kb.alive[count] = kb.signature[clause], True
        for i in range(begin, begin + size):
            literal = kb.literals[i]
            kb.literals[used], kb.clause_of[used] = literal, count
            kb.following[used] = kb.head[literal]
            kb.head[literal] = used
            used += 1
        count += 1
        given += clause < numbers[GIVEN]
        round_end += clause < numbers[ROUND_END]
    numbers[CLAUSES], numbers[USED], numbers[SUPERFLUOUS] = count, used, 0
    numbers[GIVEN], numbers[ROUND_END] = given, round_end


@kernel
def mark(kb: Knowledge, unit: int) -> bool:
    """Mark the cell of a literal, whose clauses are simplified next; False if it has the other mark."""
    numbers, events = kb.numbers, kb.events
    if kb.value[unit ^ 1]:
        return False
    kb.value[unit] = True
    numbers[MARKED] += 1
    numbers[UNIT] = unit
    if events.size:
        events[numbers[TOLD]] = MARK
        numbers[TOLD] = tell(events, numbers[TOLD] + 1, kb.queue, numbers[MARKED] - 1, 1)
    return True


@kernel
def next_given(kb: Knowledge) -> bool:
    """Take up the next clause for matching; False if all have been."""
    numbers, events = kb.numbers, kb.events
    numbers[AT] = kb.incoming.size
    if 2 * numbers[SUPERFLUOUS] > numbers[USED]:
        forget(kb)
    if numbers[GIVEN] == numbers[CLAUSES]:
        return False
    if numbers[GIVEN] == numbers[ROUND_END]:
        numbers[ROUND_END] = numbers[CLAUSES]
        numbers[ROUNDS] += 1
        if events.size:
            events[numbers[TOLD]] = ROUND
            events[numbers[TOLD] + 1] = numbers[ROUNDS]
            numbers[TOLD] += 2
    numbers[GIVEN] += 1
    numbers[AT], numbers[PARTNER] = 0, FIRST
    return True


@kernel
def match(kb: Knowledge, width: int) -> bool:
    """Match the given clause with one more earlier clause; False if there is none left."""
    numbers, following, clause_of, alive, size = kb.numbers, kb.following, kb.clause_of, kb.alive, kb.size
    given = numbers[GIVEN] - 1
    while alive[given] and numbers[AT] < size[given]:
        literal = kb.literals[kb.start[given] + numbers[AT]]
        place = kb.head[literal ^ 1] if numbers[PARTNER] == FIRST else numbers[PARTNER]
        while place != NONE:
            other = clause_of[place]
            place = following[place]
            if other < given and alive[other] and min(size[given], size[other]) <= width:
                numbers[PARTNER] = place
                numbers[PAIRS] += 1
                resolve(kb, given, other, literal)
                return True
        numbers[AT] += 1
        numbers[PARTNER] = FIRST
    return False


@kernel
def has_room(kb: Knowledge) -> bool:
    """Whether the events of one more move can be told, or nobody listens."""
    return kb.events.size == 0 or kb.numbers[TOLD] + needed_for_events(kb) <= kb.events.size


@kernel
def take_from_inbox(kb: Knowledge) -> None:
    """The next clause of the inbox comes in."""
    numbers = kb.numbers
    begin, end = kb.inbox_at[numbers[ARRIVED]], kb.inbox_at[numbers[ARRIVED] + 1]
    for i in range(begin, end):
        kb.incoming[i - begin] = kb.inbox[i]
    numbers[INCOMING] = end - begin
    numbers[ARRIVED] += 1


@kernel
def take_in(kb: Knowledge, end: int, most_marked: int) -> int:
    """Make moves that are not matching until there is none: NOTHING_NEW. MORE if `end` steps are made before.

    Cells are marked until there are `most_marked`, for those who have more to tell of each. EMPTY, GROW and
    LISTEN are as in `derive`.
    """
    numbers, inbox_at = kb.numbers, kb.inbox_at
    while numbers[STEPS] < end:
        if not has_room(kb):
            return LISTEN
        if numbers[INCOMING] != NONE:
            code = insert(kb)
            if code != MORE:
                return code
            numbers[STEPS] += 1
        elif numbers[ARRIVED] < inbox_at.size - 1:
            take_from_inbox(kb)
        elif numbers[UNIT] != NONE:
            simplify(kb, numbers[UNIT])
        elif numbers[MARKED] < min(numbers[QUEUED], most_marked):
            if not mark(kb, kb.queue[numbers[MARKED]]):
                return EMPTY
        else:
            return NOTHING_NEW
    return MORE


@kernel(estimate=lambda _, __, steps: 1e-5 * steps)
def derive(kb: Knowledge, width: int, steps: int) -> int:
    """Make so many steps, or fewer if there is a reason to return before.

    Two clauses are matched if one of them has at most `width` literals. A step is a clause that comes in, a
    clause taken up for matching, or a pair matched.
    """
    numbers = kb.numbers
    end = numbers[STEPS] + steps
    while True:
        code = take_in(kb, end, kb.queue.size)
        if code != NOTHING_NEW or not (match(kb, width) or next_given(kb)):
            return code
        numbers[STEPS] += 1
