"""What a CDCL search rests on: its state in flat arrays, watched literals, and unit propagation."""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.jit.codes import DECISION_LEVEL, NONE, OWN_PLACES, PROPAGATION_COUNT, QUEUE_HEAD, TRAIL_SIZE
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.jit.random_state import RandomState

# The state of the CDCL search: flat arrays, and what the numbers in them mean.
#
# Variable v is 0..n-1. Literal 2v says that it is true, 2v+1 that it is false; `literal ^ 1` is the
# negation. A clause of three or more literals lies in `arena`: its size, its glue (0 for a clause of the
# formula), the conflict at which it was last used, then its literals, of which the first two are watched. A
# clause is known by where it begins. Clauses of the formula come first, learned clauses from FIRST_LEARNED
# on. A binary clause lies in the lists of `binary` only, and is never deleted.


Numbers: TypeAlias = NDArray[np.int64]
Int: TypeAlias = int | np.signedinteger
Rates: TypeAlias = NDArray[np.float64]
Arena: TypeAlias = NDArray[np.int32]

CLAUSE_HEADER = 3
"""Numbers before the literals of a clause: CLAUSE_SIZE, GLUE, LAST_USED."""
CLAUSE_SIZE, GLUE, LAST_USED = range(CLAUSE_HEADER)

BINARY = -2
"""`BINARY - p` as a reason or conflict is the binary clause of literal p and the literal it implied, or that
of p and CONFLICT_LITERAL."""
LIST_FULL = -(2**31)
"""Instead of a conflict: propagation stopped because the list of watches of FULL_LIST is full."""

REDUCE, COMPACT = 6, 7
"""Why the steps pause for a moment: learned clauses are to be deleted, lists of watches to be compacted."""

ANALYSE, LEARN = 2, 3
"""Steps of the search besides PROPAGATE and DECIDE, in NEXT_STEP."""

LUBY_RESTARTS, GLUE_RESTARTS, NO_RESTARTS = range(3)
"""When to restart, in RESTART_POLICY."""

FIRST_UIP, LAST_UIP, DECISIONS = range(3)
"""How far a conflict is resolved, in LEARNING_SCHEME."""

# The scalars of a search: places in `CdclState.numbers`, after those of `jit.codes`.
HEAP_SIZE = 9  # variables in the heap
ARENA_SIZE = 10  # numbers of `arena` in use
FIRST_LEARNED = 11  # where in `arena` learned clauses begin
WATCHES_USED = 12  # entries of `watches` in use, gaps included
BINARY_USED = 13  # entries of `binary` in use, gaps included
PROOF_SIZE = 14  # numbers of `proof` in use
FULL_LIST = 15  # the literal whose list of watches is full, after LIST_FULL
CONFLICT_LITERAL = 16  # the second literal of a binary conflict clause
LEARNED_SIZE = 17  # literals of the clause in `analysis.learned`
BACKJUMP_LEVEL = 18  # the level on which that clause implies its first literal
CORE_SIZE = 19  # assumptions in `analysis.core`; none if the clauses alone have no model
CLAUSE_COUNT = 20  # clauses in the arena
LEARNED_COUNT = 21  # learned clauses in the arena
RESTART_AT = 22  # the number of conflicts from which the next restart may come
REDUCE_AT = 23  # the number of conflicts from which the next deletion of clauses is due
ROOT_LOGGED = 24  # literals of level 0 that the proof has as unit clauses and the arena was simplified by
LEVEL_STAMP = 25  # the latest mark in `analysis.level_stamp`
RESTART_COUNT = 26  # restarts so far
REDUCTION_COUNT = 27  # deletions of clauses so far
LEARNED_LITERAL_COUNT = 28  # literals of all learned clauses so far
CDCL_NUMBERS = OWN_PLACES + 20

# What the search keeps as a fraction, and its settings: places in `CdclState.rates`.
ACTIVITY_INCREMENT = 0  # what the next conflict adds to the activity of a variable
RECENT_GLUE = 1  # the average glue of about 32 learned clauses, the latest ones
AVERAGE_GLUE = 2  # the average glue of about 4096 learned clauses
ACTIVITY_DECAY = 3  # what activities are multiplied by after each conflict
RESTART_POLICY = 4  # LUBY_RESTARTS, GLUE_RESTARTS or NO_RESTARTS
RESTART_UNIT = 5  # conflicts that Luby's sequence counts as one
MINIMISATION = 6  # 1 if learned clauses are minimised
PHASE_SAVING = 7  # 1 if a decision gives a variable the value that it had last
FIRST_REDUCE = 8  # conflicts before the first deletion of clauses
REDUCE_INCREMENT = 9  # by how many more conflicts each further deletion has to wait
RANDOM_DECISIONS = 10  # 1 if decision variables are drawn at random
LEARNING_SCHEME = 11  # FIRST_UIP, LAST_UIP or DECISIONS
CDCL_RATES = 12


class Trail(NamedTuple):
    """The assignment: which literals, in which order, on which decision level and for which reason.

    `value` is 1 for a true literal, -1 for a false one, 0 for an unassigned one. `level` and `reason` are by
    variable; the reason is the antecedent clause, or NONE for a decision. `literals` is the trail itself;
    level l+1 begins at `starts[l]`. `phase` is the sign that a decision on a variable takes.
    """

    value: NDArray[np.int8]
    level: NDArray[np.int32]
    reason: NDArray[np.int32]
    literals: NDArray[np.int32]
    starts: NDArray[np.int32]
    phase: NDArray[np.int8]


class Clauses(NamedTuple):
    """The clauses and their watched literals.

    When literal p becomes true, the clauses in `watches[start[p]:start[p]+size[p]]` lose a watched literal;
    each entry is `clause << 32 | blocker`, and a clause whose blocker is true is satisfied. All literals in
    `binary[binary_start[p]:binary_start[p]+binary_size[p]]` are implied. A list that outgrows its `room`
    moves to the end of its pool.
    """

    arena: Arena
    watches: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    room: NDArray[np.int32]
    binary: NDArray[np.int32]
    binary_start: NDArray[np.int64]
    binary_size: NDArray[np.int32]
    binary_room: NDArray[np.int32]


class DecisionOrder(NamedTuple):
    """Unassigned variables in a heap, the most active on top; `place` is -1 for variables outside the heap.

    When variables are drawn at random all activities are and stay equal: then the heap is a bag.

    A node has four children, and `key` has the activities in the order of the heap: on large boards a search
    spends much of its time here, waiting for memory.
    """

    heap: NDArray[np.int32]
    place: NDArray[np.int32]
    key: NDArray[np.float64]
    activity: NDArray[np.float64]


class ConflictAnalysis(NamedTuple):
    """Working space of conflict analysis.

    `seen` marks variables, and `marked` lists them. `stack` is for minimisation. `learned` is the learned
    clause, `core` the final conflict. A level with the latest stamp in `level_stamp` has been counted.
    """

    seen: NDArray[np.int8]
    marked: NDArray[np.int32]
    stack: NDArray[np.int32]
    learned: NDArray[np.int32]
    level_stamp: NDArray[np.int64]
    core: NDArray[np.int32]


class CdclState(NamedTuple):
    """Everything a search remembers between two slices.

    `proof` has the steps of a DRAT proof, each as its number of literals (negative for a deletion) and the
    literals; it is empty if no proof is wanted. `random` is the state of the random numbers.
    """

    trail: Trail
    clauses: Clauses
    order: DecisionOrder
    analysis: ConflictAnalysis
    assumptions: NDArray[np.int32]
    proof: NDArray[np.int32]
    random: RandomState
    numbers: Numbers
    rates: Rates


# Unit propagation with two watched literals.


LOW_HALF = 0xFFFFFFFF
"""The low half of an entry. Where it is applied to a number that has no other bits, it shows the compiler
that an index is not negative, which makes propagation faster by a seventh."""


@tight_kernel
def propagate(trail: Trail, clauses: Clauses, numbers: Numbers) -> Int:
    """Propagate all literals in the queue; the conflict clause, or NONE, or LIST_FULL.

    A binary conflict clause is `BINARY - p` for its literal p, and CONFLICT_LITERAL has the other literal.
    """
    value, level, reason, literals = trail.value, trail.level, trail.reason, trail.literals
    arena, watches = clauses.arena, clauses.watches
    start, size, room = clauses.start, clauses.size, clauses.room
    binary, binary_start, binary_size = clauses.binary, clauses.binary_start, clauses.binary_size
    current_level = numbers[DECISION_LEVEL]
    head, assigned = numbers[QUEUE_HEAD], numbers[TRAIL_SIZE]
    conflict: Int = NONE
    while head < assigned and conflict == NONE:
        # Take the next true literal from the queue; clauses that watch its negation may become unit.
        p = np.int64(literals[head]) & LOW_HALF
        head += 1
        false = p ^ 1
        # Binary clauses: the other literal is implied, or the clause is a conflict.
        for i in range(binary_start[p], binary_start[p] + binary_size[p]):
            q = np.int64(binary[i]) & LOW_HALF
            truth = value[q]
            if truth > 0:
                continue
            if truth < 0:
                conflict = BINARY - false
                numbers[CONFLICT_LITERAL] = q
                break
            value[q] = 1
            value[q ^ 1] = -1
            level[q >> 1] = current_level
            reason[q >> 1] = BINARY - false
            literals[assigned] = q
            assigned += 1
        if conflict != NONE:
            break
        # Longer clauses: go through the list of watches; those that stay are moved up to `kept`.
        kept = i = start[p]
        end = i + size[p]
        while i < end:
            # A true blocking literal satisfies the clause, which need not be read.
            entry = watches[i]
            i += 1
            if value[entry & LOW_HALF] > 0:
                watches[kept] = entry
                kept += 1
                continue
            # If the other watched literal is true it satisfies the clause, and becomes the blocking literal.
            clause = (entry >> 32) & LOW_HALF
            base = clause + CLAUSE_HEADER
            other = (np.int64(arena[base] ^ arena[base + 1]) ^ false) & LOW_HALF
            truth = value[other]
            entry = (clause << 32) | other
            if truth > 0:
                watches[kept] = entry
                kept += 1
                continue
            # Look for a literal that is not false, and watch that one instead.
            k = base + 2
            last = base + arena[clause]
            while k < last and value[np.int64(arena[k]) & LOW_HALF] < 0:
                k += 1
            if k < last:
                watched = np.int64(arena[k]) & LOW_HALF
                to = watched ^ 1
                if size[to] == room[to]:
                    numbers[FULL_LIST] = to
                    conflict = LIST_FULL
                    i -= 1
                    break
                arena[base] = other
                arena[base + 1] = watched
                arena[k] = false
                watches[start[to] + size[to]] = entry
                size[to] += 1
                continue
            # All literals but the other watched one are false: a conflict if that is false too, or else unit.
            watches[kept] = entry
            kept += 1
            if truth < 0:
                conflict = clause
                break
            value[other] = 1
            value[other ^ 1] = -1
            level[other >> 1] = current_level
            reason[other >> 1] = clause
            literals[assigned] = other
            assigned += 1
        # Close the gap that moved watches have left, with the entries that were not looked at.
        if kept < i:
            while i < end:
                watches[kept] = watches[i]
                kept += 1
                i += 1
            size[p] = kept - start[p]
    if conflict == LIST_FULL:
        head -= 1
    numbers[PROPAGATION_COUNT] += head - numbers[QUEUE_HEAD]
    numbers[TRAIL_SIZE] = assigned
    numbers[QUEUE_HEAD] = head
    return conflict


@tight_kernel
def assign(trail: Trail, numbers: Numbers, literal: Int, reason: Int) -> None:
    """Make a literal true on the current decision level."""
    trail.value[literal] = 1
    trail.value[literal ^ 1] = -1
    trail.level[literal >> 1] = numbers[DECISION_LEVEL]
    trail.reason[literal >> 1] = reason
    trail.literals[numbers[TRAIL_SIZE]] = literal
    numbers[TRAIL_SIZE] += 1


# Clauses and their watched literals: adding clauses, and making room in the lists of watches.


@kernel(estimate=lambda _, literals, __: 4e-6 * literals.size)
def load(s: CdclState, literals: NDArray[np.int32], starts: NDArray[np.int64]) -> bool:
    """Add clauses, laid out as in `Cnf`, on level 0; False if one is empty or two are in conflict.

    Repeated literals are left out. A literal that has been propagated visits no watches again: from then on
    literals that are false on level 0 are left out too, and clauses that are true on level 0.
    """
    value, seen, clause = s.trail.value, s.analysis.seen, s.analysis.learned
    has_propagated = s.numbers[QUEUE_HEAD] > 0
    for index in range(starts.size - 1):
        size = 0
        holds = False
        for k in range(starts[index], starts[index + 1]):
            number = np.int64(literals[k])
            literal = 2 * number - 2 if number > 0 else -2 * number - 1
            sign = 1 + (literal & 1)
            truth = value[literal] if has_propagated else 0
            if seen[literal >> 1] == sign or truth < 0:
                continue
            if seen[literal >> 1] != 0 or truth > 0:
                holds = True
                break
            seen[literal >> 1] = sign
            clause[size] = literal
            size += 1
        for k in range(size):
            seen[clause[k] >> 1] = 0
        if holds:
            continue
        if size < starts[index + 1] - starts[index]:
            log_step(s, clause, size, deleted=False)
        if size == 0 or (size == 1 and value[clause[0]] < 0):
            return False
        if size > 1 or value[clause[0]] == 0:
            add_clause(s, size, 0, 0)
    rebuild_watches(s.clauses, s.numbers)
    s.numbers[FIRST_LEARNED] = s.numbers[ARENA_SIZE]
    return True


@tight_kernel
def add_clause(s: CdclState, size: Int, glue: Int, used: Int) -> Int:
    """Add the clause in `analysis.learned`, which is not empty; where it lies, not yet watched, or NONE."""
    numbers, arena, literals = s.numbers, s.clauses.arena, s.analysis.learned
    if size == 1:
        assign(s.trail, numbers, np.int64(literals[0]), NONE)
        return NONE
    if size == 2:
        add_binary(s.clauses, numbers, np.int64(literals[0]), np.int64(literals[1]))
        return NONE
    clause = np.int64(numbers[ARENA_SIZE])
    arena[clause + CLAUSE_SIZE] = size
    arena[clause + GLUE] = glue
    arena[clause + LAST_USED] = used
    for i in range(size):
        arena[clause + CLAUSE_HEADER + i] = literals[i]
    numbers[ARENA_SIZE] = clause + CLAUSE_HEADER + size
    numbers[CLAUSE_COUNT] += 1
    numbers[LEARNED_COUNT] += glue > 0
    return clause


@tight_kernel
def log_step(s: CdclState, literals: NDArray[np.int32], size: Int, deleted: bool) -> None:
    """Write one step of the proof, if one is wanted; there must be room for it."""
    if s.proof.size == 0:
        return
    top = s.numbers[PROOF_SIZE]
    s.proof[top] = -size if deleted else size
    for i in range(size):
        s.proof[top + 1 + i] = literals[i]
    s.numbers[PROOF_SIZE] = top + 1 + size


@tight_kernel
def add_binary(clauses: Clauses, numbers: Numbers, literal: Int, other: Int) -> None:
    """Add a binary clause: each literal is implied when the other is false."""
    for turn in range(2):
        p = (literal if turn == 0 else other) ^ 1
        count = clauses.binary_size[p]
        if count == clauses.binary_room[p]:
            top = numbers[BINARY_USED]
            begin = clauses.binary_start[p]
            for i in range(count):
                clauses.binary[top + i] = clauses.binary[begin + i]
            clauses.binary_start[p] = top
            clauses.binary_room[p] = 2 * count + 4
            numbers[BINARY_USED] = top + 2 * count + 4
        clauses.binary[clauses.binary_start[p] + count] = other if turn == 0 else literal
        clauses.binary_size[p] = count + 1


@tight_kernel
def watch(clauses: Clauses, numbers: Numbers, clause: Int) -> None:
    """Watch the first two literals of a clause; there must be room for it."""
    entry = np.int64(clause) << 32
    for w in range(2):
        literal = np.int64(clauses.arena[clause + CLAUSE_HEADER + w]) ^ 1
        blocker = np.int64(clauses.arena[clause + CLAUSE_HEADER + 1 - w])
        if clauses.size[literal] == clauses.room[literal]:
            move_to_end(clauses, numbers, literal)
        clauses.watches[clauses.start[literal] + clauses.size[literal]] = entry | blocker
        clauses.size[literal] += 1


@tight_kernel
def move_to_end(clauses: Clauses, numbers: Numbers, literal: Int) -> bool:
    """Move a list of watches to the end of the pool, with twice the room; False if the pool is full."""
    room = 2 * clauses.size[literal] + 4
    top = numbers[WATCHES_USED]
    if top + room > clauses.watches.size:
        return False
    begin = clauses.start[literal]
    for i in range(clauses.size[literal]):
        clauses.watches[top + i] = clauses.watches[begin + i]
    clauses.start[literal] = top
    clauses.room[literal] = room
    numbers[WATCHES_USED] = top + room
    return True


@tight_kernel
def rebuild_watches(clauses: Clauses, numbers: Numbers) -> None:
    """Make all lists of watches from the clauses in the arena, each with some room to spare."""
    arena, size, start, room = clauses.arena, clauses.size, clauses.start, clauses.room
    for literal in range(size.size):
        size[literal] = 0
    clause = 0
    while clause < numbers[ARENA_SIZE]:
        size[arena[clause + CLAUSE_HEADER] ^ 1] += 1
        size[arena[clause + CLAUSE_HEADER + 1] ^ 1] += 1
        clause += CLAUSE_HEADER + arena[clause]
    top = 0
    for literal in range(size.size):
        start[literal] = top
        room[literal] = size[literal] + (size[literal] >> 1) + 2
        top += room[literal]
        size[literal] = 0
    numbers[WATCHES_USED] = top
    clause = 0
    while clause < numbers[ARENA_SIZE]:
        watch(clauses, numbers, clause)
        clause += CLAUSE_HEADER + arena[clause]


@kernel
def compact_watches(clauses: Clauses, numbers: Numbers) -> None:
    """Close the gaps between the lists of watches, leaving each some room to spare."""
    old = clauses.watches[: numbers[WATCHES_USED]].copy()
    top = 0
    for literal in range(clauses.size.size):
        size = clauses.size[literal]
        begin = clauses.start[literal]
        for i in range(size):
            clauses.watches[top + i] = old[begin + i]
        clauses.start[literal] = top
        clauses.room[literal] = size + (size >> 1) + 2
        top += clauses.room[literal]
    numbers[WATCHES_USED] = top
