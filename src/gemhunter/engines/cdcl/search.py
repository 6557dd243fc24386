"""The CDCL search: propagate, analyse, learn, backjump, decide.

Read `run_steps` first: it is the algorithm. Above it are the arrays of a search and what the numbers in them
mean. Below it is what it calls, in the order in which a conflict needs it: unit propagation, conflict
analysis, learning and backjumping, restarts, decisions with the heap of unassigned variables, the deletion of
learned clauses, and at the end how clauses are stored and watched.
"""

from typing import NamedTuple, TypeAlias

import numpy as np

from gemhunter.jit.kernel import Floats, Ints, Shorts, Signs, kernel, tight_kernel
from gemhunter.jit.search_state import (
    CONFLICT_CLAUSE,
    CONFLICT_COUNT,
    DECIDE,
    DECISION_COUNT,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    GROW,
    MORE,
    NEXT_STEP,
    NONE,
    OWN_PLACES,
    PAUSED,
    PROPAGATE,
    PROPAGATION_COUNT,
    QUEUE_HEAD,
    TRAIL_SIZE,
    RandomState,
    below,
)

Int: TypeAlias = int | np.signedinteger

# The state of a search: flat arrays, and what the numbers in them mean.
#
# Variable v is 0..n-1. Literal 2v says that it is true, 2v+1 that it is false; `literal ^ 1` is the
# negation. A clause of three or more literals lies in `arena`: its size, its glue (0 for a clause of the
# formula), the conflict at which it was last used, then its literals, of which the first two are watched. A
# clause is known by where it begins. Clauses of the formula come first, learned clauses from FIRST_LEARNED
# on. A binary clause lies in the lists of `binary` only, and is never deleted.

CLAUSE_HEADER = 3
"""Numbers before the literals of a clause: CLAUSE_SIZE, GLUE, LAST_USED."""
CLAUSE_SIZE, GLUE, LAST_USED = range(CLAUSE_HEADER)

BINARY = -2
"""As a reason, `BINARY - p` is the binary clause of literal p and the literal it implied; as a conflict, that
of p and CONFLICT_LITERAL."""
LIST_FULL = -(2**31)
"""Instead of a conflict: propagation stopped because the list of watches of FULL_LIST is full."""

REDUCE, COMPACT = 6, 7
"""Why `run_steps` returns to `search` only: to delete learned clauses, or to compact lists of watches."""

ANALYSE, LEARN = 2, 3
"""Steps of the search besides PROPAGATE and DECIDE, in NEXT_STEP."""

LUBY_RESTARTS, GLUE_RESTARTS, NO_RESTARTS = range(3)
"""When to restart, in RESTART_POLICY."""

FIRST_UIP, LAST_UIP, DECISIONS = range(3)
"""How far a conflict is resolved, in LEARNING_SCHEME."""

# The scalars of a search: places in `CdclState.numbers`, after those of `jit.search_state`.
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
CLAUSE_COUNT = 19  # clauses in the arena
LEARNED_COUNT = 20  # learned clauses in the arena
RESTART_AT = 21  # the number of conflicts from which the next restart may come
REDUCE_AT = 22  # the number of conflicts from which the next deletion of clauses is due
ROOT_LOGGED = 23  # literals of level 0 that the proof has as unit clauses and the arena was simplified by
LEVEL_STAMP = 24  # the latest mark in `analysis.level_stamp`
RESTART_COUNT = 25  # restarts so far
REDUCTION_COUNT = 26  # deletions of clauses so far
LEARNED_LITERAL_COUNT = 27  # literals of all learned clauses so far
CDCL_NUMBERS = OWN_PLACES + 19

# What the search keeps as a fraction, and its settings: places in `CdclState.rates`.
ACTIVITY_INCREMENT = 0  # what the next conflict adds to the activity of a variable
RECENT_GLUE = 1  # the average glue of about 32 learned clauses, the latest ones
AVERAGE_GLUE = 2  # the average glue of about 4096 learned clauses
ACTIVITY_DECAY = 3  # what activities are multiplied by after each conflict
RESTART_POLICY = 4  # LUBY_RESTARTS, GLUE_RESTARTS or NO_RESTARTS
RESTART_UNIT = 5  # conflicts that a 1 in Luby's sequence stands for
MINIMISATION = 6  # 1 if learned clauses are minimised
PHASE_SAVING = 7  # 1 if a decision gives a variable the value that it had last
FIRST_REDUCE = 8  # conflicts before the first deletion of clauses
REDUCE_INCREMENT = 9  # how many more conflicts each further deletion waits for
RANDOM_DECISIONS = 10  # 1 if decision variables are drawn at random
LEARNING_SCHEME = 11  # FIRST_UIP, LAST_UIP or DECISIONS
CDCL_RATES = 12


class Trail(NamedTuple):
    """The assignment: the true literals in order, each with its decision level and its reason.

    `value` is 1 for a true literal, -1 for a false one, 0 for an unassigned one. `level` and `reason` are by
    variable; the reason is the antecedent clause, or NONE for a decision. `literals` is the trail itself;
    level l+1 begins at `starts[l]`. `phase` is the sign that a decision on a variable takes.
    """

    value: Signs
    level: Shorts
    reason: Shorts
    literals: Shorts
    starts: Shorts
    phase: Signs


class Clauses(NamedTuple):
    """The clauses and their watched literals.

    When literal p becomes true, the clauses in `watches[start[p]:start[p]+size[p]]` lose a watched literal.
    Each entry is `clause << 32 | blocker`; if the blocker is true, the clause is satisfied. All literals in
    `binary[binary_start[p]:binary_start[p]+binary_size[p]]` are implied. A list that outgrows its `room`
    moves to the end of its pool.
    """

    arena: Shorts
    watches: Ints
    start: Ints
    size: Shorts
    room: Shorts
    binary: Shorts
    binary_start: Ints
    binary_size: Shorts
    binary_room: Shorts


class DecisionOrder(NamedTuple):
    """Unassigned variables in a heap, the most active on top; `place` is -1 for variables outside the heap.

    When variables are drawn at random, all activities stay equal, so any order is a heap.

    On large boards a search spends much of its time here, waiting for memory. So a node has four children
    rather than two, and `key` has the activities in the order of the heap.
    """

    heap: Shorts
    place: Shorts
    key: Floats
    activity: Floats


class ConflictAnalysis(NamedTuple):
    """Working space of conflict analysis.

    `seen` marks variables, and `marked` lists them. `stack` is for minimisation. `learned` is the learned
    clause. `level_stamp` marks the levels that have been counted for a glue.
    """

    seen: Signs
    marked: Shorts
    stack: Shorts
    learned: Shorts
    level_stamp: Ints


class CdclState(NamedTuple):
    """Everything a search remembers between two slices.

    `proof` has the steps of a DRAT proof, each as its number of literals (negative for a deletion) and the
    literals; it is empty if no proof is wanted. `random` is the state of the random numbers.
    """

    trail: Trail
    clauses: Clauses
    order: DecisionOrder
    analysis: ConflictAnalysis
    proof: Shorts
    random: RandomState
    numbers: Ints
    rates: Floats


# The search.


@kernel(estimate=lambda s, *_: 2e-5 * s.trail.level.size)
def search(s: CdclState, conflicts: Int, pause: bool) -> Int:
    """Continue the search for `conflicts` conflicts, or with `pause` for one step; return why it stopped.

    A step is to propagate, analyse, learn or decide; NEXT_STEP says which is next. EXHAUSTED means that there
    is no model.
    """
    end = s.numbers[CONFLICT_COUNT] + conflicts
    while True:
        code = run_steps(s, end, pause)
        if code == REDUCE:
            words = s.numbers[ARENA_SIZE] + 2 * s.trail.level.size
            if s.proof.size > 0 and s.numbers[PROOF_SIZE] + words > s.proof.size:
                return GROW
            reduce(s)
        elif code == COMPACT:
            compact_watches(s.clauses, s.numbers)
            if s.numbers[NEXT_STEP] == LEARN and not has_room(s):
                return GROW
        else:
            return code


@tight_kernel
def run_steps(s: CdclState, end: Int, pause: bool) -> Int:
    """Make steps until clauses must be deleted (REDUCE), lists compacted (COMPACT), or the search returns."""
    numbers = s.numbers
    while True:
        step = numbers[NEXT_STEP]
        # Unit propagation, until a conflict or until nothing more is implied.
        if step == PROPAGATE:
            conflict = propagate(s.trail, s.clauses, numbers)
            while conflict == LIST_FULL:
                if not move_to_end(s.clauses, numbers, numbers[FULL_LIST]):
                    return COMPACT
                conflict = propagate(s.trail, s.clauses, numbers)
            numbers[CONFLICT_CLAUSE] = conflict
            numbers[NEXT_STEP] = DECIDE if conflict == NONE else ANALYSE
        # A conflict on level 0 refutes the clauses. From any other, derive a clause that rules it out.
        elif step == ANALYSE:
            if numbers[DECISION_LEVEL] == 0:
                return EXHAUSTED
            if numbers[CONFLICT_COUNT] >= end:
                return MORE
            analyse_conflict(s)
            numbers[NEXT_STEP] = LEARN
        # Backjump to the level on which that clause is unit, and propagate what it implies.
        elif step == LEARN:
            if not has_room(s):
                return COMPACT
            learn(s)
            numbers[NEXT_STEP] = PROPAGATE
        # No conflict, and nothing is implied: decide. Now and then, delete clauses or restart before that.
        else:
            if numbers[CONFLICT_COUNT] >= end:
                return MORE
            if numbers[CONFLICT_COUNT] >= numbers[REDUCE_AT]:
                return REDUCE
            if numbers[CONFLICT_COUNT] >= numbers[RESTART_AT] and should_restart(s.rates):
                restart(s)
            if not decide(s):
                return FOUND
            numbers[NEXT_STEP] = PROPAGATE
        if pause:
            return PAUSED


# Unit propagation with two watched literals.


LOW_HALF = 0xFFFFFFFF
"""The low half of an entry. Where it is applied to a number that has no other bits, it shows the compiler
that an index is not negative, which makes propagation faster by a seventh."""


@tight_kernel
def propagate(trail: Trail, clauses: Clauses, numbers: Ints) -> Int:
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
            # A true blocking literal satisfies the clause, so the clause itself need not be read.
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
            # All literals but the other watched one are false: a conflict if that is false too, else a unit
            # clause.
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
        # Close the gap that moved watches have left; if the loop ended early, with the entries it did not
        # reach.
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
def assign(trail: Trail, numbers: Ints, literal: Int, reason: Int) -> None:
    """Make a literal true on the current decision level."""
    trail.value[literal] = 1
    trail.value[literal ^ 1] = -1
    trail.level[literal >> 1] = numbers[DECISION_LEVEL]
    trail.reason[literal >> 1] = reason
    trail.literals[numbers[TRAIL_SIZE]] = literal
    numbers[TRAIL_SIZE] += 1


# Conflict analysis: the learned clause of a unique implication point (UIP) or of decisions, minimised.


@tight_kernel
def analyse_conflict(s: CdclState) -> None:
    """Derive the learned clause from a conflict, into `analysis.learned`, and bump the variables involved."""
    numbers, analysis = s.numbers, s.analysis
    numbers[CONFLICT_COUNT] += 1
    scheme = np.int64(s.rates[LEARNING_SCHEME])
    met = analyse(s.trail, s.clauses.arena, analysis, numbers, scheme)
    if scheme == DECISIONS:
        met = resolve_to_decisions(s.trail, s.clauses.arena, analysis, numbers, met)
    marked = met
    if s.rates[MINIMISATION] > 0:
        marked = minimise(s.trail, s.clauses.arena, analysis, numbers, met)
    for i in range(marked):
        analysis.seen[analysis.marked[i]] = 0
    find_backjump_level(s.trail, analysis, numbers)
    bump_activities(s.order, analysis.marked, met, s.rates)


@tight_kernel
def analyse(trail: Trail, arena: Shorts, analysis: ConflictAnalysis, numbers: Ints, scheme: Int) -> Int:
    """Resolve the conflict clause with reasons, latest literal first, until one literal of its level is left.

    That literal, the negation of the first UIP, comes first in the clause in `analysis.learned`. Unless
    `scheme` is FIRST_UIP, resolution continues to the last UIP, which is the decision. Returns how many
    variables were met; they are listed in `analysis.marked`, and `analysis.seen` is 1 for them.
    """
    level, reason, literals = trail.level, trail.reason, trail.literals
    seen, marked, learned = analysis.seen, analysis.marked, analysis.learned
    conflict_level = numbers[DECISION_LEVEL]
    met = 0
    # The first place of the learned clause is left for the UIP, which is found last.
    size = 1
    unresolved = 0
    at = numbers[TRAIL_SIZE]
    p = np.int64(-1)
    antecedent = numbers[CONFLICT_CLAUSE]
    while True:
        # Read the literals of the conflict clause or, from the second turn on, of the reason for p.
        if antecedent >= 0:
            begin = antecedent + CLAUSE_HEADER
            end = begin + arena[antecedent]
            if arena[antecedent + GLUE] > 0:
                note_use(trail, arena, analysis, numbers, antecedent)
        else:
            begin, end = (0, 1) if p >= 0 else (0, 2)
        # Those of earlier levels go into the learned clause; those of the conflict level are resolved later.
        for k in range(begin, end):
            if antecedent >= 0:
                q = np.int64(arena[k])
            else:
                q = BINARY - antecedent if k == 0 else numbers[CONFLICT_LITERAL]
            v = q >> 1
            if q == p or seen[v] or level[v] == 0:
                continue
            seen[v] = 1
            marked[met] = v
            met += 1
            if level[v] == conflict_level:
                unresolved += 1
            else:
                learned[size] = q
                size += 1
        # Walk back along the trail to the latest literal that was met, and resolve on it.
        at -= 1
        while not seen[literals[at] >> 1]:
            at -= 1
        p = np.int64(literals[at])
        antecedent = np.int64(reason[p >> 1])
        unresolved -= 1
        # If no other literal of this level is left, p is a UIP: every path to the conflict meets it.
        if unresolved == 0 and (scheme == FIRST_UIP or antecedent == NONE):
            break
    learned[0] = p ^ 1
    numbers[LEARNED_SIZE] = size
    return met


@tight_kernel
def resolve_to_decisions(
    trail: Trail, arena: Shorts, analysis: ConflictAnalysis, numbers: Ints, met: Int
) -> Int:
    """Resolve the learned clause of the last UIP with reasons until all its literals are negated decisions.

    `met` is the number of variables marked before; returns the number marked afterwards.
    """
    level, seen, marked, learned = trail.level, analysis.seen, analysis.marked, analysis.learned
    unresolved = numbers[LEARNED_SIZE] - 1
    size = 1
    at = np.int64(trail.starts[numbers[DECISION_LEVEL] - 1])
    while unresolved > 0:
        # Walk back along the trail, over earlier levels only, to the latest literal that was met.
        at -= 1
        p = np.int64(trail.literals[at])
        if not seen[p >> 1]:
            continue
        unresolved -= 1
        # A decision stays. Any other literal is replaced by those of its reason that are new.
        antecedent = np.int64(trail.reason[p >> 1])
        if antecedent == NONE:
            learned[size] = p ^ 1
            size += 1
            continue
        begin, end = np.int64(0), np.int64(1)
        if antecedent >= 0:
            begin = antecedent + CLAUSE_HEADER
            end = begin + arena[antecedent]
            if arena[antecedent + GLUE] > 0:
                note_use(trail, arena, analysis, numbers, antecedent)
        for k in range(begin, end):
            q = np.int64(arena[k]) if antecedent >= 0 else BINARY - antecedent
            v = q >> 1
            if seen[v] or level[v] == 0:
                continue
            seen[v] = 1
            marked[met] = v
            met += 1
            unresolved += 1
    numbers[LEARNED_SIZE] = size
    return met


@tight_kernel
def minimise(trail: Trail, arena: Shorts, analysis: ConflictAnalysis, numbers: Ints, met: Int) -> Int:
    """Drop the literals of the learned clause that its other literals imply (recursive minimisation).

    `met` is the number of variables marked before; returns the number marked afterwards.
    """
    level, reason, learned = trail.level, trail.reason, analysis.learned
    seen, marked, stack = analysis.seen, analysis.marked, analysis.stack
    # The clause implies no literal of a level on which it has none itself; bit l mod 64 stands for level l.
    levels = np.int64(0)
    for i in range(1, numbers[LEARNED_SIZE]):
        levels |= np.int64(1) << (level[learned[i] >> 1] & 63)
    kept = 1
    total = met
    for i in range(1, numbers[LEARNED_SIZE]):
        # Search the implication graph back from the literal; every path must end in the clause or on level 0.
        literal = np.int64(learned[i])
        needed = reason[literal >> 1] == NONE
        depth = 0 if needed else 1
        stack[0] = literal
        before = total
        while depth > 0 and not needed:
            depth -= 1
            v = np.int64(stack[depth]) >> 1
            antecedent = np.int64(reason[v])
            begin, end = np.int64(0), np.int64(1)
            if antecedent >= 0:
                begin = antecedent + CLAUSE_HEADER
                end = begin + arena[antecedent]
            for k in range(begin, end):
                q = np.int64(arena[k]) if antecedent >= 0 else BINARY - antecedent
                u = q >> 1
                if u == v or seen[u] or level[u] == 0:
                    continue
                if reason[u] == NONE or not (levels >> (level[u] & 63)) & 1:
                    needed = True
                    break
                seen[u] = 1
                marked[total] = u
                total += 1
                stack[depth] = q
                depth += 1
        # A path ended in another decision: the literal stays, and the marks of this search are removed.
        if needed:
            for k in range(before, total):
                seen[marked[k]] = 0
            total = before
            learned[kept] = literal
            kept += 1
    numbers[LEARNED_SIZE] = kept
    return total


@tight_kernel
def find_backjump_level(trail: Trail, analysis: ConflictAnalysis, numbers: Ints) -> None:
    """Find the second highest level of the learned clause, and move a literal of it to the second place.

    After a backjump to that level the clause is unit. Its first two literals are the ones to watch, as they
    are the first to be unassigned when the search backjumps further.
    """
    level, learned = trail.level, analysis.learned
    numbers[BACKJUMP_LEVEL] = 0
    if numbers[LEARNED_SIZE] == 1:
        return
    highest = 1
    for i in range(2, numbers[LEARNED_SIZE]):
        if level[learned[i] >> 1] > level[learned[highest] >> 1]:
            highest = i
    second = learned[highest]
    learned[highest] = learned[1]
    learned[1] = second
    numbers[BACKJUMP_LEVEL] = level[second >> 1]


KEPT_GLUE = 2
"""A learned clause with literals of no more decision levels is never deleted."""


@tight_kernel
def note_use(trail: Trail, arena: Shorts, analysis: ConflictAnalysis, numbers: Ints, clause: Int) -> None:
    """Record that a learned clause took part in a conflict, and its glue if that has become lower."""
    arena[clause + LAST_USED] = numbers[CONFLICT_COUNT]
    if arena[clause + GLUE] > KEPT_GLUE:
        begin = clause + CLAUSE_HEADER
        glue = glue_of(trail, analysis, arena, numbers, begin, begin + arena[clause + CLAUSE_SIZE])
        arena[clause + GLUE] = min(arena[clause + GLUE], glue)


@tight_kernel
def glue_of(
    trail: Trail, analysis: ConflictAnalysis, literals: Shorts, numbers: Ints, begin: Int, end: Int
) -> Int:
    """How many decision levels the literals from `begin` to `end` have (literal block distance)."""
    numbers[LEVEL_STAMP] += 1
    stamp = numbers[LEVEL_STAMP]
    glue = 0
    for k in range(begin, end):
        level = trail.level[literals[k] >> 1]
        if analysis.level_stamp[level] != stamp:
            analysis.level_stamp[level] = stamp
            glue += 1
    return glue


# Learning: backjump, store the clause, and assign the literal that it implies.


@tight_kernel
def learn(s: CdclState) -> None:
    """Backjump, add the learned clause, and assign its first literal: all others are false on that level."""
    numbers, learned = s.numbers, s.analysis.learned
    size = numbers[LEARNED_SIZE]
    # Update the averages that decide about restarts.
    glue = glue_of(s.trail, s.analysis, learned, numbers, 0, size)
    s.rates[RECENT_GLUE] += (glue - s.rates[RECENT_GLUE]) / 32
    s.rates[AVERAGE_GLUE] += (glue - s.rates[AVERAGE_GLUE]) / min(numbers[CONFLICT_COUNT], 4096)
    numbers[LEARNED_LITERAL_COUNT] += size
    backjump(s.trail, s.order, numbers, s.rates, numbers[BACKJUMP_LEVEL])
    log_step(s, learned, size, deleted=False)
    clause = add_clause(s, size, glue, numbers[CONFLICT_COUNT])
    if clause != NONE:
        watch(s.clauses, numbers, clause)
        assign(s.trail, numbers, np.int64(learned[0]), clause)
    elif size == 2:
        assign(s.trail, numbers, np.int64(learned[0]), BINARY - np.int64(learned[1]))


@tight_kernel
def has_room(s: CdclState) -> bool:
    """Whether the learned clause can be stored, watched and written into the proof."""
    numbers, clauses, learned = s.numbers, s.clauses, s.analysis.learned
    size = numbers[LEARNED_SIZE]
    if numbers[ARENA_SIZE] + CLAUSE_HEADER + size > clauses.arena.size:
        return False
    if s.proof.size > 0 and numbers[PROOF_SIZE] + 1 + size > s.proof.size:
        return False
    # Compacted lists take up to three entries for each clause and two for each list; that must leave space.
    if 4 * (numbers[CLAUSE_COUNT] + 1) + 4 * clauses.size.size > clauses.watches.size:
        return False
    # The lists of the first two literals may each have to move, with twice their room and four entries more.
    watches, binary = 8, 8
    for i in range(min(size, 2)):
        watches += 2 * clauses.size[learned[i] ^ 1]
        binary += 2 * clauses.binary_size[learned[i] ^ 1]
    if numbers[WATCHES_USED] + watches > clauses.watches.size:
        return False
    return bool(numbers[BINARY_USED] + binary <= clauses.binary.size)


@tight_kernel
def backjump(trail: Trail, order: DecisionOrder, numbers: Ints, rates: Floats, level: Int) -> None:
    """Undo all assignments above a decision level, saving phases and putting variables back into the heap."""
    if numbers[DECISION_LEVEL] <= level:
        return
    value, phase, literals = trail.value, trail.phase, trail.literals
    saves_phases = rates[PHASE_SAVING] > 0
    bottom = trail.starts[level]
    for i in range(numbers[TRAIL_SIZE] - 1, bottom - 1, -1):
        literal = np.int64(literals[i])
        v = literal >> 1
        value[literal] = 0
        value[literal ^ 1] = 0
        if saves_phases:
            phase[v] = literal & 1
        if order.place[v] < 0:
            insert(order, numbers, v)
    numbers[TRAIL_SIZE] = bottom
    numbers[QUEUE_HEAD] = bottom
    numbers[DECISION_LEVEL] = level


# Restarts, by Luby's sequence or by the glue of recent clauses.


@tight_kernel
def should_restart(rates: Floats) -> bool:
    """Whether to restart after enough conflicts; with glue as the policy, only if recent glue is high."""
    if rates[RESTART_POLICY] == GLUE_RESTARTS:
        return bool(rates[RECENT_GLUE] > 1.15 * rates[AVERAGE_GLUE])
    return bool(rates[RESTART_POLICY] == LUBY_RESTARTS)


@tight_kernel
def restart(s: CdclState) -> None:
    """Backjump, but keep the decisions that would be repeated at once; set RESTART_AT."""
    numbers = s.numbers
    numbers[RESTART_COUNT] += 1
    wait = np.int64(10)  # conflicts, at least, between two restarts by glue
    if s.rates[RESTART_POLICY] == LUBY_RESTARTS:
        wait = np.int64(s.rates[RESTART_UNIT]) * luby(numbers[RESTART_COUNT])
    numbers[RESTART_AT] = numbers[CONFLICT_COUNT] + wait
    backjump(s.trail, s.order, numbers, s.rates, reusable_level(s.trail, s.order, numbers))


@tight_kernel
def reusable_level(trail: Trail, order: DecisionOrder, numbers: Ints) -> Int:
    """The level that a restart backjumps to: it keeps decisions it would repeat at once."""
    # Decisions on variables more active than every unassigned one would come back, in some order.
    v = next_unassigned(trail, order, numbers)
    if v < 0:
        return np.int64(numbers[DECISION_LEVEL])
    insert(order, numbers, v)
    level = np.int64(0)
    while level < numbers[DECISION_LEVEL]:
        if order.activity[trail.literals[trail.starts[level]] >> 1] <= order.activity[v]:
            break
        level += 1
    return level


@tight_kernel
def luby(index: Int) -> Int:
    """Number `index`, counted from 0, of Luby's sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …"""
    # The sequence begins with 1, with 1 1 2, with 1 1 2 1 1 2 4 … Find the shortest of these with the index.
    size = 1
    power = 0
    while size < index + 1:
        power += 1
        size = 2 * size + 1
    # Its last number is a new power of two. Any other number is in one of its two halves, which are equal.
    while size - 1 != index:
        size = (size - 1) >> 1
        power -= 1
        index %= size
    return 1 << power


# Decisions: the most active variable (EVSIDS), which is on top of the heap.


@tight_kernel
def decide(s: CdclState) -> bool:
    """Decide the most active variable, or a random one; False if all variables are assigned."""
    numbers, trail = s.numbers, s.trail
    if s.rates[RANDOM_DECISIONS] > 0:
        v = random_unassigned(trail, s.order, s.random, numbers)
    else:
        v = next_unassigned(trail, s.order, numbers)
    if v < 0:
        return False
    numbers[DECISION_COUNT] += 1
    trail.starts[numbers[DECISION_LEVEL]] = numbers[TRAIL_SIZE]
    numbers[DECISION_LEVEL] += 1
    assign(trail, numbers, 2 * v + trail.phase[v], NONE)
    return True


@tight_kernel
def next_unassigned(trail: Trail, order: DecisionOrder, numbers: Ints) -> Int:
    """Take the most active unassigned variable out of the heap; -1 if all are assigned."""
    while numbers[HEAP_SIZE] > 0:
        v = pop_most_active(order, numbers)
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


@tight_kernel
def random_unassigned(trail: Trail, order: DecisionOrder, random: RandomState, numbers: Ints) -> Int:
    """Take an unassigned variable, drawn at random, out of the heap; -1 if all are assigned.

    The last variable of the heap takes its place, which leaves a heap only if all activities are equal.
    """
    heap, place = order.heap, order.place
    while numbers[HEAP_SIZE] > 0:
        at = below(random, numbers[HEAP_SIZE])
        v = np.int64(heap[at])
        size = numbers[HEAP_SIZE] - 1
        numbers[HEAP_SIZE] = size
        heap[at] = heap[size]
        place[heap[at]] = at
        place[v] = -1
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


# The heap of unassigned variables.


@tight_kernel
def insert(order: DecisionOrder, numbers: Ints, v: Int) -> None:
    """Put a variable into the heap."""
    at = numbers[HEAP_SIZE]
    order.heap[at] = v
    order.key[at] = order.activity[v]
    numbers[HEAP_SIZE] = at + 1
    sift_up(order, at)


@tight_kernel
def pop_most_active(order: DecisionOrder, numbers: Ints) -> Int:
    """Take the most active variable out of the heap, which is not empty."""
    heap, place, key = order.heap, order.place, order.key
    top = np.int64(heap[0])
    place[top] = -1
    size = numbers[HEAP_SIZE] - 1
    numbers[HEAP_SIZE] = size
    # The last variable fills the gap at the top, and moves down as long as a child is more active.
    v = heap[size]
    own = key[size]
    at = 0
    child = 1
    while child < size:
        largest = child
        for other in range(child + 1, min(child + 4, size)):
            if key[other] > key[largest]:
                largest = other
        if key[largest] <= own:
            break
        heap[at] = heap[largest]
        key[at] = key[largest]
        place[heap[at]] = at
        at = largest
        child = 4 * at + 1
    if size > 0:
        heap[at] = v
        key[at] = own
        place[v] = at
    return top


@tight_kernel
def sift_up(order: DecisionOrder, at: Int) -> None:
    """Move the variable at an index of the heap up to where it belongs."""
    heap, place, key = order.heap, order.place, order.key
    v = heap[at]
    own = key[at]
    while at > 0:
        parent = (at - 1) >> 2
        if key[parent] >= own:
            break
        heap[at] = heap[parent]
        key[at] = key[parent]
        place[heap[at]] = at
        at = parent
    heap[at] = v
    key[at] = own
    place[v] = at


@tight_kernel
def bump_activities(order: DecisionOrder, variables: Shorts, count: Int, rates: Floats) -> None:
    """Raise the activity of the first `count` variables, and then the increment, so that activities decay."""
    increment = rates[ACTIVITY_INCREMENT]
    for i in range(count):
        v = variables[i]
        order.activity[v] += increment
        at = order.place[v]
        if at >= 0:
            order.key[at] = order.activity[v]
            sift_up(order, at)
    rates[ACTIVITY_INCREMENT] = increment / rates[ACTIVITY_DECAY]
    # All activities are scaled down before one overflows.
    if rates[ACTIVITY_INCREMENT] > 1e100:
        for i in range(order.activity.size):
            order.activity[i] /= rates[ACTIVITY_INCREMENT]
            order.key[i] /= rates[ACTIVITY_INCREMENT]
        rates[ACTIVITY_INCREMENT] = 1.0


# Clause deletion: the worse half of the learned clauses, and clauses that are true on level 0.


REMOVED = -1
"""The glue of a clause that is about to be deleted."""


@kernel
def reduce(s: CdclState) -> None:
    """Delete clauses, and set REDUCE_AT; the proof must have room for the literals of all clauses."""
    numbers = s.numbers
    # Literals that are new on level 0 go into the proof as unit clauses; clauses they satisfy are marked.
    root = s.trail.starts[0] if numbers[DECISION_LEVEL] > 0 else numbers[TRAIL_SIZE]
    first = numbers[FIRST_LEARNED]
    if root > numbers[ROOT_LOGGED]:
        first = np.int64(0)
        for i in range(numbers[ROOT_LOGGED], root):
            log_step(s, s.trail.literals[i : i + 1], 1, deleted=False)
        numbers[ROOT_LOGGED] = root
        mark_satisfied(s)
    # Mark the worse half of the learned clauses that may be deleted, then remove all marked clauses.
    mark_worse_half(s)
    compact_arena(s, first)
    # Each deletion waits for more conflicts than the one before, so that more and more clauses are kept.
    numbers[REDUCTION_COUNT] += 1
    wait = s.rates[FIRST_REDUCE] + s.rates[REDUCE_INCREMENT] * numbers[REDUCTION_COUNT]
    numbers[REDUCE_AT] = numbers[CONFLICT_COUNT] + np.int64(wait)


@tight_kernel
def mark_satisfied(s: CdclState) -> None:
    """Mark every clause with a literal that is true on level 0 as deleted."""
    arena = s.clauses.arena
    clause = 0
    while clause < s.numbers[ARENA_SIZE]:
        for k in range(clause + CLAUSE_HEADER, clause + CLAUSE_HEADER + arena[clause]):
            if s.trail.value[arena[k]] > 0 and s.trail.level[arena[k] >> 1] == 0:
                arena[clause + GLUE] = REMOVED
                break
        clause += CLAUSE_HEADER + arena[clause]


@kernel
def mark_worse_half(s: CdclState) -> None:
    """Mark half of the removable learned clauses as deleted: those of highest glue, then longest unused."""
    arena, numbers = s.clauses.arena, s.numbers
    # Find the median of their worth.
    worth = np.empty(numbers[LEARNED_COUNT], np.int64)
    count = 0
    clause = numbers[FIRST_LEARNED]
    while clause < numbers[ARENA_SIZE]:
        if is_removable(s.trail, s.clauses, clause):
            worth[count] = worth_of(arena, clause)
            count += 1
        clause += CLAUSE_HEADER + arena[clause]
    if count == 0:
        return
    least = np.sort(worth[:count])[count // 2]
    # Mark the clauses below it.
    clause = numbers[FIRST_LEARNED]
    while clause < numbers[ARENA_SIZE]:
        if is_removable(s.trail, s.clauses, clause) and worth_of(arena, clause) < least:
            arena[clause + GLUE] = REMOVED
        clause += CLAUSE_HEADER + arena[clause]


@tight_kernel
def worth_of(arena: Shorts, clause: Int) -> Int:
    """A clause with lower glue is worth more; of equal ones, the one that was used last."""
    return np.int64(arena[clause + LAST_USED]) - (np.int64(arena[clause + GLUE]) << 32)


@tight_kernel
def is_removable(trail: Trail, clauses: Clauses, clause: Int) -> bool:
    """Whether a clause has high glue and is not the reason for a literal on the trail."""
    if clauses.arena[clause + GLUE] <= KEPT_GLUE:
        return False
    for w in range(2):
        literal = clauses.arena[clause + CLAUSE_HEADER + w]
        if trail.value[literal] > 0 and trail.reason[literal >> 1] == clause:
            return False
    return True


@kernel
def compact_arena(s: CdclState, first: Int) -> None:
    """Remove the marked clauses, none of them before `first`, and close the gaps in the arena."""
    arena, numbers, reason = s.clauses.arena, s.numbers, s.trail.reason
    used = np.empty(numbers[CLAUSE_COUNT] if first == 0 else numbers[LEARNED_COUNT], np.int32)
    kept, gone, gone_learned = 0, 0, 0
    # Decide where each clause moves to. LAST_USED has the new place for now; `used` keeps its number.
    clause = first
    to = first
    learned_from = numbers[FIRST_LEARNED]
    while clause < numbers[ARENA_SIZE]:
        if clause == learned_from:
            numbers[FIRST_LEARNED] = to
        size = CLAUSE_HEADER + arena[clause]
        if arena[clause + GLUE] == REMOVED:
            gone += 1
            gone_learned += clause >= learned_from
            log_step(s, arena[clause + CLAUSE_HEADER : clause + size], size - CLAUSE_HEADER, deleted=True)
        else:
            used[kept] = arena[clause + LAST_USED]
            kept += 1
            arena[clause + LAST_USED] = to
            for w in range(2):
                v = arena[clause + CLAUSE_HEADER + w] >> 1
                if reason[v] == clause and s.trail.value[arena[clause + CLAUSE_HEADER + w]] > 0:
                    reason[v] = to
            to += size
        clause += size
    # With both places known, update the watches; then move the clauses.
    relocate_watches(s.clauses, first)
    clause = first
    kept = 0
    while clause < numbers[ARENA_SIZE]:
        size = CLAUSE_HEADER + arena[clause]
        if arena[clause + GLUE] != REMOVED:
            new = np.int64(arena[clause + LAST_USED])
            for k in range(size):
                arena[new + k] = arena[clause + k]
            arena[new + LAST_USED] = used[kept]
            kept += 1
        clause += size
    if learned_from == numbers[ARENA_SIZE]:
        numbers[FIRST_LEARNED] = to
    numbers[ARENA_SIZE] = to
    numbers[CLAUSE_COUNT] -= gone
    numbers[LEARNED_COUNT] -= gone_learned


@tight_kernel
def relocate_watches(clauses: Clauses, first: Int) -> None:
    """Point all watches to the new places of their clauses, and drop those of deleted clauses."""
    arena, watches = clauses.arena, clauses.watches
    for literal in range(clauses.size.size):
        begin = clauses.start[literal]
        kept = begin
        for i in range(begin, begin + clauses.size[literal]):
            entry = watches[i]
            clause = entry >> 32
            if clause >= first:
                if arena[clause + GLUE] == REMOVED:
                    continue
                entry = (np.int64(arena[clause + LAST_USED]) << 32) | (entry & 0xFFFFFFFF)
            watches[kept] = entry
            kept += 1
        clauses.size[literal] = kept - begin


# Clauses and their watched literals: adding clauses, and making room in the lists of watches.


@kernel(estimate=lambda _, literals, __: 4e-6 * literals.size)
def load(s: CdclState, literals: Shorts, starts: Ints) -> bool:
    """Store the clauses of a formula, laid out as in `Cnf`; False if one is empty or two are in conflict.

    Repeated literals are left out, and clauses that always hold.
    """
    value, seen, clause = s.trail.value, s.analysis.seen, s.analysis.learned
    for index in range(starts.size - 1):
        # Collect the literals of the clause, each once. With a literal and its negation, it always holds.
        size = 0
        holds = False
        for k in range(starts[index], starts[index + 1]):
            number = np.int64(literals[k])
            literal = 2 * number - 2 if number > 0 else -2 * number - 1
            sign = 1 + (literal & 1)
            if seen[literal >> 1] == sign:
                continue
            if seen[literal >> 1] != 0:
                holds = True
                break
            seen[literal >> 1] = sign
            clause[size] = literal
            size += 1
        for k in range(size):
            seen[clause[k] >> 1] = 0
        if holds:
            continue
        # A shortened clause is a proof step. An empty one, or a false unit clause, refutes the formula.
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
    """Add the clause in `analysis.learned`; return where it begins, not yet watched, or NONE if it is short.

    A unit clause is assigned, a binary clause goes into the lists of `binary`.
    """
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
def log_step(s: CdclState, literals: Shorts, size: Int, deleted: bool) -> None:
    """Write one step of the proof, if one is wanted; there must be room for it."""
    if s.proof.size == 0:
        return
    top = s.numbers[PROOF_SIZE]
    s.proof[top] = -size if deleted else size
    for i in range(size):
        s.proof[top + 1 + i] = literals[i]
    s.numbers[PROOF_SIZE] = top + 1 + size


@tight_kernel
def add_binary(clauses: Clauses, numbers: Ints, literal: Int, other: Int) -> None:
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
def watch(clauses: Clauses, numbers: Ints, clause: Int) -> None:
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
def move_to_end(clauses: Clauses, numbers: Ints, literal: Int) -> bool:
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
def rebuild_watches(clauses: Clauses, numbers: Ints) -> None:
    """Make all lists of watches from the clauses in the arena, each with spare room."""
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
def compact_watches(clauses: Clauses, numbers: Ints) -> None:
    """Close the gaps between the lists of watches, leaving each spare room."""
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
