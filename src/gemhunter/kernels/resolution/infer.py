"""What follows from a knowledge base by resolution: one move after the other, until there is nothing new.

A move is the first of these that can be made. A clause that has been made comes in. A clause of the inbox
is taken. A marked cell is taken out of a clause. A cell is marked, unless a round of matching is under way.
A clause is matched with a later one.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.resolution.knowledge_base import (
    ARRIVED,
    EMPTY,
    INCOMING,
    LISTEN,
    MARK,
    MARKED,
    MORE,
    NONE,
    NOTHING_NEW,
    PARTNERS,
    QUEUED,
    ROUNDS,
    SIMPLIFY,
    STEPS,
    SUBSUME,
    SUBSUMED,
    SUPERFLUOUS,
    TOLD,
    UNIT,
    KnowledgeState,
    insert,
    needed_for_events,
    tell,
)
from gemhunter.kernels.resolution.matching import begin_round, in_round, match_next, next_partner


@kernel
def first_clause_with(kb: KnowledgeState, literal: int) -> int:
    """The latest clause with that literal, `NONE` if there is none; what no longer counts leaves the list."""
    while kb.head[literal] != NONE and not kb.alive[kb.clause_of[kb.head[literal]]]:
        kb.head[literal] = kb.following[kb.head[literal]]
    return NONE if kb.head[literal] == NONE else kb.clause_of[kb.head[literal]]


@kernel
def simplify(kb: KnowledgeState, unit: int) -> None:
    """Apply a marked literal to one more clause that has it or its opposite, until there is none left.

    A clause that has it is superfluous. One that has the opposite comes in again without that.
    """
    numbers, events = kb.numbers, kb.events
    clause = first_clause_with(kb, unit)
    holds = clause != NONE
    if not holds:
        clause = next_partner(kb)
    if clause == NONE:
        numbers[UNIT] = NONE
        return
    kb.alive[clause] = False
    begin, size = kb.start[clause], kb.size[clause]
    numbers[SUPERFLUOUS] += size
    if events.size and not (holds and size == 1):
        events[numbers[TOLD]] = SUBSUME if holds else SIMPLIFY
        at = tell(events, numbers[TOLD] + 1, kb.queue, numbers[MARKED] - 1, 1)
        numbers[TOLD] = tell(events, at, kb.literals, begin, size)
    if holds:
        numbers[SUBSUMED] += size > 1
        return
    numbers[INCOMING] = 0
    for i in range(begin, begin + size):
        if kb.literals[i] != unit ^ 1:
            kb.incoming[numbers[INCOMING]] = kb.literals[i]
            numbers[INCOMING] += 1


@kernel
def stack_clauses_with(kb: KnowledgeState, literal: int) -> None:
    """Put all clauses with that literal on the empty stack of partners."""
    numbers = kb.numbers
    place = kb.head[literal]
    while place != NONE:
        if kb.alive[kb.clause_of[place]]:
            kb.partners[numbers[PARTNERS]] = kb.clause_of[place] * kb.head.size + literal
            numbers[PARTNERS] += 1
        place = kb.following[place]


@kernel
def mark(kb: KnowledgeState, unit: int) -> bool:
    """Mark the cell of a literal, whose clauses are simplified next; False if it has the other mark."""
    numbers, events = kb.numbers, kb.events
    if kb.value[unit ^ 1]:
        return False
    kb.value[unit] = True
    kb.marked_after[numbers[MARKED]] = numbers[ROUNDS]
    numbers[MARKED] += 1
    numbers[UNIT] = unit
    stack_clauses_with(kb, unit ^ 1)
    if events.size:
        events[numbers[TOLD]] = MARK
        numbers[TOLD] = tell(events, numbers[TOLD] + 1, kb.queue, numbers[MARKED] - 1, 1)
    return True


@kernel
def has_room(kb: KnowledgeState) -> bool:
    """Whether the events of one more move can be told, or nobody listens."""
    return kb.events.size == 0 or kb.numbers[TOLD] + needed_for_events(kb) <= kb.events.size


@kernel
def take_from_inbox(kb: KnowledgeState) -> None:
    """The next clause of the inbox comes in."""
    numbers = kb.numbers
    begin, end = kb.inbox_at[numbers[ARRIVED]], kb.inbox_at[numbers[ARRIVED] + 1]
    for i in range(begin, end):
        kb.incoming[i - begin] = kb.inbox[i]
    numbers[INCOMING] = end - begin
    numbers[ARRIVED] += 1


@kernel
def take_in(kb: KnowledgeState, end: int, most_marked: int) -> int:
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
def derive(kb: KnowledgeState, width: int, steps: int) -> int:
    """Make so many steps, or fewer if there is a reason to return before.

    Two clauses are matched if one of them has at most `width` literals. A step is a clause that comes in, a
    clause taken up for matching, or a pair matched.
    """
    numbers = kb.numbers
    end = numbers[STEPS] + steps
    while True:
        is_matching = in_round(kb)
        code = take_in(kb, end, 0 if is_matching else kb.queue.size)
        if code != NOTHING_NEW:
            return code
        if is_matching:
            match_next(kb, width)
            numbers[STEPS] += 1
        elif not begin_round(kb):
            return code
