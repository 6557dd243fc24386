"""Matching rounds: every two clauses of a knowledge base are resolved, where the rules allow it.

A round takes up the clauses that are there when it begins, in order. Each is matched with all later clauses
that are there when it is taken up, those that came in during the round included; a clause that becomes
superfluous is skipped. Two clauses that have been matched need not be matched again: their resolvent, or a
part of it, has come in.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.resolution.knowledge_base import (
    CLAUSES,
    GIVEN,
    INCOMING,
    NONE,
    PAIRS,
    PARTNERS,
    RESOLVE,
    RESOLVENTS,
    ROUND,
    ROUND_END,
    ROUND_SERIAL,
    ROUNDS,
    SERIAL,
    STAMP,
    SUPERFLUOUS,
    TOLD,
    UNIT,
    USED,
    KnowledgeState,
    tell,
)


@kernel
def begin_round(kb: KnowledgeState) -> bool:
    """Begin to match all clauses; False if there are none, or none is newer than the latest round's begin."""
    numbers, events = kb.numbers, kb.events
    if numbers[USED] == numbers[SUPERFLUOUS] or numbers[SERIAL] == numbers[ROUND_SERIAL]:
        return False
    numbers[GIVEN] = 0
    numbers[ROUND_END] = numbers[CLAUSES]
    numbers[ROUND_SERIAL] = numbers[SERIAL]
    numbers[ROUNDS] += 1
    if events.size:
        events[numbers[TOLD]] = ROUND
        events[numbers[TOLD] + 1] = numbers[ROUNDS]
        numbers[TOLD] += 2
    return True


@kernel
def in_round(kb: KnowledgeState) -> bool:
    """Whether clauses are being matched."""
    numbers = kb.numbers
    return bool(numbers[GIVEN] < numbers[ROUND_END] or (numbers[PARTNERS] > 0 and numbers[UNIT] == NONE))


@kernel
def match_next(kb: KnowledgeState, width: int) -> None:
    """Match the given clause with its next partner, or take up the next clause of the round."""
    numbers = kb.numbers
    given = numbers[GIVEN] - 1
    if numbers[PARTNERS] > 0 and kb.alive[given]:
        other = next_partner(kb)
        if other != NONE:
            resolve(kb, given, other, kb.partners[numbers[PARTNERS]] % kb.head.size)
        return
    numbers[PARTNERS] = 0
    if 2 * numbers[SUPERFLUOUS] > numbers[USED]:
        forget(kb)
    if numbers[GIVEN] < numbers[ROUND_END]:
        given = numbers[GIVEN]
        numbers[GIVEN] += 1
        if kb.alive[given]:
            stack_partners(kb, given, width)
            kb.matched_to[given] = numbers[SERIAL]


@kernel
def stack_partners(kb: KnowledgeState, given: int, width: int) -> None:
    """Put the later clauses that `given` can be resolved with on the empty stack, but no pair twice.

    The lists of the opposite literals are merged from their ends. A clause in two of them clashes twice.
    """
    numbers, head, following, clause_of = kb.numbers, kb.head, kb.following, kb.clause_of
    begin, size = kb.start[given], kb.size[given]
    for i in range(size):
        kb.cursors[i] = head[kb.literals[begin + i] ^ 1]
    while True:
        latest, clashes, literal = given, 0, 0
        for i in range(size):
            place = kb.cursors[i]
            if place == NONE or clause_of[place] < latest:
                continue
            if clause_of[place] > latest:
                latest, clashes, literal = clause_of[place], 0, kb.literals[begin + i]
            clashes += 1
        if latest == given or kb.serial[latest] < kb.matched_to[given]:
            return
        for i in range(size):
            if kb.cursors[i] != NONE and clause_of[kb.cursors[i]] == latest:
                kb.cursors[i] = following[kb.cursors[i]]
        if kb.alive[latest] and min(size, kb.size[latest]) <= width:
            numbers[PAIRS] += 1
            if clashes == 1:
                kb.partners[numbers[PARTNERS]] = latest * head.size + literal
                numbers[PARTNERS] += 1


@kernel
def next_partner(kb: KnowledgeState) -> int:
    """Take the first clause off the stack of partners that still counts, `NONE` if there is none."""
    numbers = kb.numbers
    while numbers[PARTNERS] > 0:
        numbers[PARTNERS] -= 1
        clause = kb.partners[numbers[PARTNERS]] // kb.head.size
        if kb.alive[clause]:
            return int(clause)
    return NONE


@kernel
def resolve(kb: KnowledgeState, given: int, other: int, literal: int) -> None:
    """The resolvent of two clauses comes in: `given` without `literal`, and `other` without its opposite."""
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
        if their != literal ^ 1 and stamps[their] != stamp:
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
def forget(kb: KnowledgeState) -> None:
    """Move the clauses that count to the front and rebuild the lists of places; between two given clauses."""
    numbers = kb.numbers
    kb.head[:] = NONE
    count, used, given, round_end = 0, 0, 0, 0
    for clause in range(numbers[CLAUSES]):
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
        given += clause < numbers[GIVEN]
        round_end += clause < numbers[ROUND_END]
    numbers[CLAUSES], numbers[USED], numbers[SUPERFLUOUS] = count, used, 0
    numbers[GIVEN], numbers[ROUND_END] = given, round_end
