"""Matching rounds: all pairs of clauses of a knowledge base are resolved, where the rules allow it.

A round takes up the clauses that exist when it begins, in order. Each is matched with all later clauses that
exist when it is taken up, those added during the round included; removed clauses are skipped. Two clauses are
matched once: their resolvent, or a part of it, has been added.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import (
    NONE,
)
from gemhunter.kernels.resolution.knowledge_base import (
    CLAUSES_USED,
    EVENTS_SIZE,
    GIVEN_CLAUSES,
    INCOMING_SIZE,
    LITERAL_STAMP,
    LITERALS_USED,
    MATCHED_PAIRS,
    NEXT_SERIAL,
    PARTNER_COUNT,
    REMOVED_LITERALS,
    RESOLVE_EVENT,
    RESOLVENT_COUNT,
    ROUND_COUNT,
    ROUND_END,
    ROUND_EVENT,
    ROUND_SERIAL,
    UNIT_LITERAL,
    KnowledgeState,
    write_clause,
)


@kernel
def begin_round(kb: KnowledgeState) -> bool:
    """Begin a round; False if there are no clauses, or no new ones since the latest round began."""
    numbers, events = kb.numbers, kb.events
    if numbers[LITERALS_USED] == numbers[REMOVED_LITERALS] or numbers[NEXT_SERIAL] == numbers[ROUND_SERIAL]:
        return False
    numbers[GIVEN_CLAUSES] = 0
    numbers[ROUND_END] = numbers[CLAUSES_USED]
    numbers[ROUND_SERIAL] = numbers[NEXT_SERIAL]
    numbers[ROUND_COUNT] += 1
    if events.size:
        events[numbers[EVENTS_SIZE]] = ROUND_EVENT
        events[numbers[EVENTS_SIZE] + 1] = numbers[ROUND_COUNT]
        numbers[EVENTS_SIZE] += 2
    return True


@kernel
def in_round(kb: KnowledgeState) -> bool:
    """Whether a round is under way."""
    numbers = kb.numbers
    return bool(
        numbers[GIVEN_CLAUSES] < numbers[ROUND_END]
        or (numbers[PARTNER_COUNT] > 0 and numbers[UNIT_LITERAL] == NONE)
    )


@kernel
def match_next(kb: KnowledgeState, width: int) -> None:
    """Match the given clause with its next partner, or take up the next clause of the round."""
    numbers = kb.numbers
    given = numbers[GIVEN_CLAUSES] - 1
    if numbers[PARTNER_COUNT] > 0 and kb.alive[given]:
        other = next_partner(kb)
        if other != NONE:
            resolve(kb, given, other, kb.partners[numbers[PARTNER_COUNT]] % kb.head.size)
        return
    numbers[PARTNER_COUNT] = 0
    if 2 * numbers[REMOVED_LITERALS] > numbers[LITERALS_USED]:
        compact(kb)
    if numbers[GIVEN_CLAUSES] < numbers[ROUND_END]:
        given = numbers[GIVEN_CLAUSES]
        numbers[GIVEN_CLAUSES] += 1
        if kb.alive[given]:
            stack_partners(kb, given, width)
            kb.matched_to[given] = numbers[NEXT_SERIAL]


@kernel
def stack_partners(kb: KnowledgeState, given: int, width: int) -> None:
    """Put the later clauses that `given` can be resolved with on the empty stack, but no pair twice.

    The lists of the negated literals are merged from their ends. A clause that is in two of them has only
    tautologies as resolvents.
    """
    numbers, head, following, clause_of = kb.numbers, kb.head, kb.following, kb.clause_of
    begin, size = kb.start[given], kb.size[given]
    for i in range(size):
        kb.cursors[i] = head[kb.literals[begin + i] ^ 1]
    while True:
        latest, opposites, literal = given, 0, 0
        for i in range(size):
            place = kb.cursors[i]
            if place == NONE or clause_of[place] < latest:
                continue
            if clause_of[place] > latest:
                latest, opposites, literal = clause_of[place], 0, kb.literals[begin + i]
            opposites += 1
        if latest == given or kb.serial[latest] < kb.matched_to[given]:
            return
        for i in range(size):
            if kb.cursors[i] != NONE and clause_of[kb.cursors[i]] == latest:
                kb.cursors[i] = following[kb.cursors[i]]
        if kb.alive[latest] and min(size, kb.size[latest]) <= width:
            numbers[MATCHED_PAIRS] += 1
            if opposites == 1:
                kb.partners[numbers[PARTNER_COUNT]] = latest * head.size + literal
                numbers[PARTNER_COUNT] += 1


@kernel
def next_partner(kb: KnowledgeState) -> int:
    """Take the first clause that is not removed off the stack of partners, `NONE` if there is none."""
    numbers = kb.numbers
    while numbers[PARTNER_COUNT] > 0:
        numbers[PARTNER_COUNT] -= 1
        clause = kb.partners[numbers[PARTNER_COUNT]] // kb.head.size
        if kb.alive[clause]:
            return int(clause)
    return NONE


@kernel
def resolve(kb: KnowledgeState, given: int, other: int, literal: int) -> None:
    """Make the resolvent of two clauses the incoming clause: `given` has `literal`, `other` its negation."""
    numbers, events, stamps, incoming = kb.numbers, kb.events, kb.stamps, kb.incoming
    literals, ours, theirs = kb.literals, kb.start[given], kb.start[other]
    numbers[LITERAL_STAMP] += 1
    stamp = numbers[LITERAL_STAMP]
    size = 0
    for i in range(ours, ours + kb.size[given]):
        mine = literals[i]
        stamps[mine] = stamp
        if mine != literal:
            incoming[size] = mine
            size += 1
    for i in range(theirs, theirs + kb.size[other]):
        their = literals[i]
        if their != literal ^ 1 and stamps[their] != stamp:
            incoming[size] = their
            size += 1
    numbers[INCOMING_SIZE] = size
    numbers[RESOLVENT_COUNT] += 1
    if events.size:
        events[numbers[EVENTS_SIZE]] = RESOLVE_EVENT
        at = write_clause(events, numbers[EVENTS_SIZE] + 1, literals, ours, kb.size[given])
        at = write_clause(events, at, literals, theirs, kb.size[other])
        numbers[EVENTS_SIZE] = write_clause(events, at, incoming, 0, size)


@kernel
def compact(kb: KnowledgeState) -> None:
    """Drop the removed clauses and rebuild the lists of places; between two given clauses."""
    numbers = kb.numbers
    kb.head[:] = NONE
    count, used, given, round_end = 0, 0, 0, 0
    for clause in range(numbers[CLAUSES_USED]):
        if not kb.alive[clause]:
            continue
        begin, size = kb.start[clause], kb.size[clause]
        kb.start[count], kb.size[count] = used, size
        kb.signature[count], kb.alive[count] = kb.signature[clause], True
        kb.serial[count], kb.matched_to[count] = kb.serial[clause], kb.matched_to[clause]
        for i in range(begin, begin + size):
            literal = kb.literals[i]
            kb.literals[used], kb.clause_of[used] = literal, count
            kb.following[used] = kb.head[literal]
            kb.head[literal] = used
            used += 1
        count += 1
        given += clause < numbers[GIVEN_CLAUSES]
        round_end += clause < numbers[ROUND_END]
    numbers[CLAUSES_USED], numbers[LITERALS_USED], numbers[REMOVED_LITERALS] = count, used, 0
    numbers[GIVEN_CLAUSES], numbers[ROUND_END] = given, round_end
