"""Derives what follows from a knowledge base by resolution, step by step, until nothing new follows.

A step is the first of these that applies. The incoming clause is added. A clause is taken from the inbox. A
clause is simplified by a marked cell. A cell is marked, unless a round of matching is under way. A clause is
matched with a later one.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import (
    MORE,
    NONE,
)
from gemhunter.kernels.resolution.knowledge_base import (
    EMPTY_DERIVED,
    EVENTS_FULL,
    EVENTS_SIZE,
    INBOX_READ,
    INCOMING_SIZE,
    MARK_EVENT,
    MARKED_CELLS,
    NOTHING_NEW,
    PARTNER_COUNT,
    QUEUED_CELLS,
    REMOVED_LITERALS,
    ROUND_COUNT,
    SIMPLIFY_EVENT,
    STEP_COUNT,
    SUBSUME_EVENT,
    SUBSUMED_COUNT,
    UNIT_LITERAL,
    KnowledgeState,
    insert,
    needed_for_events,
    write_clause,
)
from gemhunter.kernels.resolution.matching import begin_round, in_round, match_next, next_partner


@kernel
def first_clause_with(kb: KnowledgeState, literal: int) -> int:
    """The latest clause with a literal, `NONE` if there is none; removed clauses leave the list."""
    while kb.head[literal] != NONE and not kb.alive[kb.clause_of[kb.head[literal]]]:
        kb.head[literal] = kb.following[kb.head[literal]]
    return NONE if kb.head[literal] == NONE else kb.clause_of[kb.head[literal]]


@kernel
def simplify(kb: KnowledgeState, unit: int) -> None:
    """Simplify the next clause by a marked literal; without one, the literal is done.

    A clause with the literal is removed. A clause with its negation is added again without that.
    """
    numbers, events = kb.numbers, kb.events
    clause = first_clause_with(kb, unit)
    holds = clause != NONE
    if not holds:
        clause = next_partner(kb)
    if clause == NONE:
        numbers[UNIT_LITERAL] = NONE
        return
    kb.alive[clause] = False
    begin, size = kb.start[clause], kb.size[clause]
    numbers[REMOVED_LITERALS] += size
    if events.size and not (holds and size == 1):
        events[numbers[EVENTS_SIZE]] = SUBSUME_EVENT if holds else SIMPLIFY_EVENT
        at = write_clause(events, numbers[EVENTS_SIZE] + 1, kb.queue, numbers[MARKED_CELLS] - 1, 1)
        numbers[EVENTS_SIZE] = write_clause(events, at, kb.literals, begin, size)
    if holds:
        numbers[SUBSUMED_COUNT] += size > 1
        return
    numbers[INCOMING_SIZE] = 0
    for i in range(begin, begin + size):
        if kb.literals[i] != unit ^ 1:
            kb.incoming[numbers[INCOMING_SIZE]] = kb.literals[i]
            numbers[INCOMING_SIZE] += 1


@kernel
def stack_clauses_with(kb: KnowledgeState, literal: int) -> None:
    """Put all clauses with a literal on the empty stack of partners."""
    numbers = kb.numbers
    place = kb.head[literal]
    while place != NONE:
        if kb.alive[kb.clause_of[place]]:
            kb.partners[numbers[PARTNER_COUNT]] = kb.clause_of[place] * kb.head.size + literal
            numbers[PARTNER_COUNT] += 1
        place = kb.following[place]


@kernel
def mark(kb: KnowledgeState, unit: int) -> bool:
    """Mark a cell, whose clauses are simplified next; False if it is marked as the opposite."""
    numbers, events = kb.numbers, kb.events
    if kb.value[unit ^ 1]:
        return False
    kb.value[unit] = True
    kb.marked_after[numbers[MARKED_CELLS]] = numbers[ROUND_COUNT]
    numbers[MARKED_CELLS] += 1
    numbers[UNIT_LITERAL] = unit
    stack_clauses_with(kb, unit ^ 1)
    if events.size:
        events[numbers[EVENTS_SIZE]] = MARK_EVENT
        numbers[EVENTS_SIZE] = write_clause(
            events, numbers[EVENTS_SIZE] + 1, kb.queue, numbers[MARKED_CELLS] - 1, 1
        )
    return True


@kernel
def has_room(kb: KnowledgeState) -> bool:
    """Whether `events` has room for the events of one more step, or no events are wanted."""
    return kb.events.size == 0 or kb.numbers[EVENTS_SIZE] + needed_for_events(kb) <= kb.events.size


@kernel
def take_from_inbox(kb: KnowledgeState) -> None:
    """Make the next clause of the inbox the incoming clause."""
    numbers = kb.numbers
    begin, end = kb.inbox_at[numbers[INBOX_READ]], kb.inbox_at[numbers[INBOX_READ] + 1]
    for i in range(begin, end):
        kb.incoming[i - begin] = kb.inbox[i]
    numbers[INCOMING_SIZE] = end - begin
    numbers[INBOX_READ] += 1


@kernel
def take_in(kb: KnowledgeState, end: int, most_marked: int) -> int:
    """Make steps other than matching until none applies: NOTHING_NEW. MORE after `end` steps.

    No more than `most_marked` cells are marked. EMPTY_DERIVED, GROW and EVENTS_FULL are as in `derive`.
    """
    numbers, inbox_at = kb.numbers, kb.inbox_at
    while numbers[STEP_COUNT] < end:
        if not has_room(kb):
            return EVENTS_FULL
        if numbers[INCOMING_SIZE] != NONE:
            code = insert(kb)
            if code != MORE:
                return code
            numbers[STEP_COUNT] += 1
        elif numbers[INBOX_READ] < inbox_at.size - 1:
            take_from_inbox(kb)
        elif numbers[UNIT_LITERAL] != NONE:
            simplify(kb, numbers[UNIT_LITERAL])
        elif numbers[MARKED_CELLS] < min(numbers[QUEUED_CELLS], most_marked):
            if not mark(kb, kb.queue[numbers[MARKED_CELLS]]):
                return EMPTY_DERIVED
        else:
            return NOTHING_NEW
    return MORE


@kernel(estimate=lambda _, __, steps: 1e-5 * steps)
def derive(kb: KnowledgeState, width: int, steps: int) -> int:
    """Make `steps` steps, or fewer if there is a reason to return early.

    Two clauses are matched if one of them has at most `width` literals. What counts as a step is a clause
    added, a clause taken up for matching, or a pair matched.
    """
    numbers = kb.numbers
    end = numbers[STEP_COUNT] + steps
    while True:
        is_matching = in_round(kb)
        code = take_in(kb, end, 0 if is_matching else kb.queue.size)
        if code != NOTHING_NEW:
            return code
        if is_matching:
            match_next(kb, width)
            numbers[STEP_COUNT] += 1
        elif not begin_round(kb):
            return code
