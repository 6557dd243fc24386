"""The state of a knowledge base of clauses, and how a clause is added to it.

Literal 2v says that cell v is a trap, 2v+1 that it is a gem. Clause c has the `size[c]` literals from
`literals[start[c]]` on, and is removed when `alive[c]` is False. The places of literal l in the clauses are a
list, `head[l]`, `following[head[l]]`, … to `NONE`, latest clause first.

Two invariants hold between any two steps. No clause contains another, which adding a clause ensures. Clause c
has been matched with every later clause whose serial number is below `matched_to[c]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import GROW, MORE, NONE

Literals = NDArray[np.int32]

EMPTY_DERIVED, NOTHING_NEW, EVENTS_FULL = 6, 7, 8
"""Why `derive` returns, besides MORE and GROW: it has derived the empty clause, nothing new follows, or
`events` may have no room for the next step."""

MARK_EVENT, SIMPLIFY_EVENT, RESOLVE_EVENT, SUBSUME_EVENT, ROUND_EVENT = range(1, 6)
"""Events: a kind, then its clauses, each as its size and its literals.

MARK_EVENT has the unit clause. SIMPLIFY_EVENT has the marked literal and the clause that loses its negation.
RESOLVE_EVENT has both clauses and their resolvent. SUBSUME_EVENT has the clause that is kept and the clause
that it subsumes. ROUND_EVENT has its number instead of a clause.
"""

# The scalars of a knowledge base: places in `KnowledgeState.numbers`.
INBOX_READ = 0  # clauses that have been taken from the inbox
INCOMING_SIZE = 1  # literals of the clause in `incoming`, NONE if there is none
LITERALS_USED = 2  # places of `literals` in use
CLAUSES_USED = 3  # clauses in use, removed ones included
REMOVED_LITERALS = 4  # literals of removed clauses among LITERALS_USED
NEXT_SERIAL = 5  # clauses that have been added since the beginning
QUEUED_CELLS = 6  # cells in `queue`
MARKED_CELLS = 7  # how many of them are marked
UNIT_LITERAL = 8  # the marked literal whose clauses are being simplified, or NONE
GIVEN_CLAUSES = 9  # clauses that the current round has taken up for matching
PARTNER_COUNT = 10  # clauses in `partners`, to be matched with the latest clause taken up
ROUND_END = 11  # the clause at which the current round ends
ROUND_SERIAL = 12  # NEXT_SERIAL when the latest round began
LITERAL_STAMP = 13  # the latest mark in `stamps`
STEP_COUNT = 14  # steps so far
MATCHED_PAIRS = 15  # pairs of clauses matched so far
RESOLVENT_COUNT = 16  # resolvents so far
SUBSUMED_COUNT = 17  # clauses subsumed so far
ROUND_COUNT = 18  # rounds begun so far
EVENTS_SIZE = 19  # numbers in `events`
KNOWLEDGE_NUMBERS = 20


class KnowledgeState(NamedTuple):
    """Everything that is known, and how far the derivation has come.

    The inbox has the clauses to add: clause i is `inbox[inbox_at[i]:inbox_at[i+1]]`. `clause_of` has the
    clause that each place belongs to, `signature` a bit for each literal of a clause, `serial` the number of
    clauses added before it. `queue` has the cells to mark in order, and `marked_after` the number of rounds
    that had begun when each was marked. `partners` is a stack of the clauses to be handled next, first clause
    on top, as clause · 2 · cells + the literal to resolve on; `cursors` is working space. `stamps` marks the
    literals of the current clause. `events` has the events, if it has any room.
    """

    inbox: Literals
    inbox_at: NDArray[np.int64]
    incoming: Literals
    literals: Literals
    clause_of: NDArray[np.int32]
    following: NDArray[np.int64]
    head: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    signature: NDArray[np.uint64]
    alive: NDArray[np.bool_]
    serial: NDArray[np.int64]
    matched_to: NDArray[np.int64]
    partners: NDArray[np.int64]
    cursors: NDArray[np.int64]
    value: NDArray[np.bool_]
    queued: NDArray[np.bool_]
    queue: Literals
    marked_after: NDArray[np.int64]
    stamps: NDArray[np.int64]
    events: Literals
    numbers: NDArray[np.int64]


@kernel
def write_clause(events: Literals, at: int, literals: Literals, begin: int, size: int) -> int:
    """Write a clause of an event, `literals[begin:begin+size]`; where the next one goes."""
    events[at] = size
    for i in range(size):
        events[at + 1 + i] = literals[begin + i]
    return at + 1 + size


@kernel
def needed_for_events(kb: KnowledgeState) -> int:
    """The largest size of the events of one step: a resolvent, or that every clause is removed."""
    clauses, used, incoming = kb.numbers[CLAUSES_USED], kb.numbers[LITERALS_USED], kb.numbers[INCOMING_SIZE]
    return int(8 + 3 * kb.incoming.size + clauses * (3 + max(incoming, 1)) + used)


@kernel
def find_subsuming(kb: KnowledgeState, signature: np.uint64, stamp: int) -> int:
    """A clause whose literals are all in the incoming clause, `NONE` if there is none."""
    following, clause_of, alive, stamps = kb.following, kb.clause_of, kb.alive, kb.stamps
    start, sizes, signatures, literals = kb.start, kb.size, kb.signature, kb.literals
    for i in range(kb.numbers[INCOMING_SIZE]):
        place = kb.head[kb.incoming[i]]
        while place != NONE:
            clause = clause_of[place]
            place = following[place]
            if not alive[clause] or signatures[clause] & ~signature:
                continue
            contained = True
            for j in range(start[clause], start[clause] + sizes[clause]):
                if stamps[literals[j]] != stamp:
                    contained = False
                    break
            if contained:
                return int(clause)
    return NONE


@kernel
def remove_subsumed(kb: KnowledgeState, signature: np.uint64, stamp: int) -> None:
    """Remove every clause that has all the literals of the incoming clause."""
    numbers, events = kb.numbers, kb.events
    incoming, wanted = kb.incoming, numbers[INCOMING_SIZE]
    place = kb.head[incoming[0]]
    while place != NONE:
        clause = kb.clause_of[place]
        place = kb.following[place]
        if not kb.alive[clause] or signature & ~kb.signature[clause]:
            continue
        begin, size = kb.start[clause], kb.size[clause]
        common = 0
        for i in range(begin, begin + size):
            if kb.stamps[kb.literals[i]] == stamp:
                common += 1
        if common == wanted:
            kb.alive[clause] = False
            numbers[REMOVED_LITERALS] += size
            numbers[SUBSUMED_COUNT] += 1
            if events.size:
                events[numbers[EVENTS_SIZE]] = SUBSUME_EVENT
                at = write_clause(events, numbers[EVENTS_SIZE] + 1, incoming, 0, wanted)
                numbers[EVENTS_SIZE] = write_clause(events, at, kb.literals, begin, size)


@kernel
def insert(kb: KnowledgeState) -> int:
    """Add the incoming clause, unless a clause subsumes it: EMPTY_DERIVED, GROW or MORE."""
    numbers, events, head = kb.numbers, kb.events, kb.head
    incoming, size = kb.incoming, numbers[INCOMING_SIZE]
    if size == 0:
        return EMPTY_DERIVED
    if numbers[CLAUSES_USED] == kb.start.size or numbers[LITERALS_USED] + size > kb.literals.size:
        return GROW
    numbers[LITERAL_STAMP] += 1
    signature = np.uint64(0)
    for i in range(size):
        literal = incoming[i]
        kb.stamps[literal] = numbers[LITERAL_STAMP]
        # The top six of sixteen bits of a product with this odd number look random.
        signature |= np.uint64(1) << np.uint64((int(literal) * 40503 & 0xFFFF) >> 10)
    known = find_subsuming(kb, signature, numbers[LITERAL_STAMP])
    if known != NONE:
        numbers[SUBSUMED_COUNT] += 1
        if events.size:
            events[numbers[EVENTS_SIZE]] = SUBSUME_EVENT
            at = write_clause(events, numbers[EVENTS_SIZE] + 1, kb.literals, kb.start[known], kb.size[known])
            numbers[EVENTS_SIZE] = write_clause(events, at, incoming, 0, size)
        numbers[INCOMING_SIZE] = NONE
        return MORE
    remove_subsumed(kb, signature, numbers[LITERAL_STAMP])
    if size == 1 and not kb.queued[incoming[0]]:
        kb.queued[incoming[0]] = True
        kb.queue[numbers[QUEUED_CELLS]] = incoming[0]
        numbers[QUEUED_CELLS] += 1
    clause = numbers[CLAUSES_USED]
    kb.start[clause] = numbers[LITERALS_USED]
    kb.size[clause] = size
    kb.signature[clause] = signature
    kb.alive[clause] = True
    kb.serial[clause] = numbers[NEXT_SERIAL]
    kb.matched_to[clause] = 0
    numbers[NEXT_SERIAL] += 1
    for i in range(size):
        literal, place = incoming[i], numbers[LITERALS_USED]
        kb.literals[place] = literal
        kb.clause_of[place] = clause
        kb.following[place] = head[literal]
        head[literal] = place
        numbers[LITERALS_USED] += 1
    numbers[CLAUSES_USED] += 1
    numbers[INCOMING_SIZE] = NONE
    return MORE
