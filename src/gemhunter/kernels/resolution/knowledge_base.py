"""A knowledge base of clauses: how it is kept, and how a clause comes in.

Literal 2v says that cell v is a trap, 2v+1 that it is a gem. Clause c has the `size[c]` literals from
`literals[start[c]]` on and counts as long as `alive[c]`. The places of a literal l in the clauses are a list,
`head[l]`, `following[head[l]]`, … to `NONE`, latest clause first.

Two things hold between any two moves. No clause contains another one: that is seen to when a clause comes in.
And clause c has been matched with every later clause whose serial number is below `matched_to[c]`.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel

Literals = NDArray[np.int32]

EMPTY, NOTHING_NEW, MORE, GROW, LISTEN = range(1, 6)
"""Why `derive` returns: the empty clause, all that follows is there, the steps are used up, there is no room
for the clause that comes in, there may be no room for the next events."""

MARK, SIMPLIFY, RESOLVE, SUBSUME, ROUND = range(1, 6)
"""Events: a kind, then its clauses as a size and that many literals each.

MARK has the clause of one literal. SIMPLIFY has the marked literal and the clause that loses its opposite.
RESOLVE has both clauses and their resolvent. SUBSUME has the clause that is kept and the one that it makes
superfluous. ROUND has its number in place of a clause.
"""

NONE = -1
"""Instead of a place: there is none."""

(ARRIVED, INCOMING, USED, CLAUSES, SUPERFLUOUS, SERIAL, QUEUED, MARKED, UNIT, GIVEN, PARTNERS) = range(11)
(ROUND_END, ROUND_SERIAL, STAMP, STEPS, PAIRS, RESOLVENTS, SUBSUMED, ROUNDS, TOLD) = range(11, 20)
NUMBERS = 20
"""Places in `Knowledge.numbers`.

ARRIVED clauses of the inbox have been taken out. INCOMING literals in `incoming` are the clause that comes
in, `NONE` if there is none. There are USED literals in CLAUSES clauses, of these SUPERFLUOUS literals in
clauses that no longer count; SERIAL clauses have come in since the beginning. MARKED of QUEUED cells are
marked, and UNIT is the literal whose clauses are being simplified. In a round, the clauses before GIVEN have
been taken up for matching, the round is over at clause ROUND_END, and PARTNERS clauses wait to be matched
with the latest one taken up. ROUND_SERIAL clauses had come in when the latest round began.
"""


class KnowledgeState(NamedTuple):
    """Everything that is known, and how far the derivation has come.

    The inbox has the clauses to begin with: clause i is `inbox[inbox_at[i]:inbox_at[i+1]]`. `clause_of` has
    the clause that each place belongs to, `signature` a bit for each literal of a clause, `serial` how many
    clauses came in before it. `queue` has the cells to mark in order, and `marked_after` how many rounds had
    begun when each was marked. `partners` is a stack of the clauses to be handled next, first clause on top,
    as clause · 2 · cells + the literal to resolve on; `cursors` is scratch space. `stamps` marks the literals
    of the clause at hand. `events` has what happened, if it has any room.
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
def tell(events: Literals, at: int, literals: Literals, begin: int, size: int) -> int:
    """Write one clause of an event, `literals[begin:begin+size]`; returns where the next one goes."""
    events[at] = size
    for i in range(size):
        events[at + 1 + i] = literals[begin + i]
    return at + 1 + size


@kernel
def needed_for_events(kb: KnowledgeState) -> int:
    """No move tells more than this: a resolvent, or that every clause is superfluous."""
    clauses, used, incoming = kb.numbers[CLAUSES], kb.numbers[USED], kb.numbers[INCOMING]
    return int(8 + 3 * kb.incoming.size + clauses * (3 + max(incoming, 1)) + used)


@kernel
def is_known(kb: KnowledgeState, signature: np.uint64, stamp: int) -> int:
    """A clause whose literals are all among those that come in, `NONE` if there is none."""
    following, clause_of, alive, stamps = kb.following, kb.clause_of, kb.alive, kb.stamps
    start, sizes, signatures, literals = kb.start, kb.size, kb.signature, kb.literals
    for i in range(kb.numbers[INCOMING]):
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
    """Every clause that has all the literals that come in, and more, becomes superfluous."""
    numbers, events = kb.numbers, kb.events
    incoming, wanted = kb.incoming, numbers[INCOMING]
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
            numbers[SUPERFLUOUS] += size
            numbers[SUBSUMED] += 1
            if events.size:
                events[numbers[TOLD]] = SUBSUME
                at = tell(events, numbers[TOLD] + 1, incoming, 0, wanted)
                numbers[TOLD] = tell(events, at, kb.literals, begin, size)


@kernel
def insert(kb: KnowledgeState) -> int:
    """Take in the clause that comes in, unless it is known already: EMPTY, GROW or MORE."""
    numbers, events, head = kb.numbers, kb.events, kb.head
    incoming, size = kb.incoming, numbers[INCOMING]
    if size == 0:
        return EMPTY
    if numbers[CLAUSES] == kb.start.size or numbers[USED] + size > kb.literals.size:
        return GROW
    numbers[STAMP] += 1
    signature = np.uint64(0)
    for i in range(size):
        literal = incoming[i]
        kb.stamps[literal] = numbers[STAMP]
        # The top six of sixteen bits of a product with this odd number look random.
        signature |= np.uint64(1) << np.uint64((int(literal) * 40503 & 0xFFFF) >> 10)
    known = is_known(kb, signature, numbers[STAMP])
    if known != NONE:
        numbers[SUBSUMED] += 1
        if events.size:
            events[numbers[TOLD]] = SUBSUME
            at = tell(events, numbers[TOLD] + 1, kb.literals, kb.start[known], kb.size[known])
            numbers[TOLD] = tell(events, at, incoming, 0, size)
        numbers[INCOMING] = NONE
        return MORE
    remove_subsumed(kb, signature, numbers[STAMP])
    if size == 1 and not kb.queued[incoming[0]]:
        kb.queued[incoming[0]] = True
        kb.queue[numbers[QUEUED]] = incoming[0]
        numbers[QUEUED] += 1
    clause = numbers[CLAUSES]
    kb.start[clause] = numbers[USED]
    kb.size[clause] = size
    kb.signature[clause] = signature
    kb.alive[clause] = True
    kb.serial[clause] = numbers[SERIAL]
    kb.matched_to[clause] = 0
    numbers[SERIAL] += 1
    for i in range(size):
        literal, place = incoming[i], numbers[USED]
        kb.literals[place] = literal
        kb.clause_of[place] = clause
        kb.following[place] = head[literal]
        head[literal] = place
        numbers[USED] += 1
    numbers[CLAUSES] += 1
    numbers[INCOMING] = NONE
    return MORE
