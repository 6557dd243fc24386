"""The CDCL search: propagate, analyse, learn, backjump, decide.

Read `search` at the end first: it is the algorithm. Before it stands what it calls: the heap of
unassigned variables and backjumping, conflict analysis, and the deletion of learned clauses.
"""

import numpy as np
from numpy.typing import NDArray

from gemhunter.engines.cdcl.clauses import (
    ACTIVITY_DECAY,
    ACTIVITY_INCREMENT,
    ANALYSE,
    ARENA_SIZE,
    AVERAGE_GLUE,
    BACKJUMP_LEVEL,
    BINARY,
    BINARY_USED,
    CLAUSE_COUNT,
    CLAUSE_HEADER,
    CLAUSE_SIZE,
    COMPACT,
    CONFLICT_LITERAL,
    CORE_SIZE,
    DECISIONS,
    FIRST_LEARNED,
    FIRST_REDUCE,
    FIRST_UIP,
    FULL_LIST,
    GLUE,
    GLUE_RESTARTS,
    HEAP_SIZE,
    LAST_USED,
    LEARN,
    LEARNED_COUNT,
    LEARNED_LITERAL_COUNT,
    LEARNED_SIZE,
    LEARNING_SCHEME,
    LEVEL_STAMP,
    LIST_FULL,
    LUBY_RESTARTS,
    MINIMISATION,
    PHASE_SAVING,
    PROOF_SIZE,
    RANDOM_DECISIONS,
    RECENT_GLUE,
    REDUCE,
    REDUCE_AT,
    REDUCE_INCREMENT,
    REDUCTION_COUNT,
    RESTART_AT,
    RESTART_COUNT,
    RESTART_POLICY,
    RESTART_UNIT,
    ROOT_LOGGED,
    WATCHES_USED,
    Arena,
    CdclState,
    Clauses,
    ConflictAnalysis,
    DecisionOrder,
    Int,
    Numbers,
    Rates,
    Trail,
    add_clause,
    assign,
    compact_watches,
    log_step,
    move_to_end,
    propagate,
    watch,
)
from gemhunter.jit.codes import (
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
    PAUSED,
    PROPAGATE,
    QUEUE_HEAD,
    TRAIL_SIZE,
)
from gemhunter.jit.kernel import kernel, tight_kernel
from gemhunter.jit.random_state import RandomState, below

# The heap of unassigned variables, ordered by activity (EVSIDS), and backjumping, which refills it.


LARGEST_INCREMENT = 1e100
"""Beyond it all activities are scaled down, so that none overflows."""


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
def pop_most_active(order: DecisionOrder, numbers: Numbers) -> Int:
    """Take the most active variable out of the heap, which is not empty."""
    heap, place, key = order.heap, order.place, order.key
    top = np.int64(heap[0])
    place[top] = -1
    size = numbers[HEAP_SIZE] - 1
    numbers[HEAP_SIZE] = size
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
def next_unassigned(trail: Trail, order: DecisionOrder, numbers: Numbers) -> Int:
    """Take the most active unassigned variable out of the heap; -1 if all are assigned."""
    while numbers[HEAP_SIZE] > 0:
        v = pop_most_active(order, numbers)
        if trail.value[2 * v] == 0:
            return v
    return np.int64(-1)


@tight_kernel
def random_unassigned(trail: Trail, order: DecisionOrder, random: RandomState, numbers: Numbers) -> Int:
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


@tight_kernel
def bump_activities(order: DecisionOrder, variables: NDArray[np.int32], count: Int, rates: Rates) -> None:
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
    if rates[ACTIVITY_INCREMENT] > LARGEST_INCREMENT:
        for i in range(order.activity.size):
            order.activity[i] /= rates[ACTIVITY_INCREMENT]
            order.key[i] /= rates[ACTIVITY_INCREMENT]
        rates[ACTIVITY_INCREMENT] = 1.0


@tight_kernel
def backjump(trail: Trail, order: DecisionOrder, numbers: Numbers, rates: Rates, level: Int) -> None:
    """Undo all assignments above a decision level, saving phases and putting variables back into the heap."""
    if numbers[DECISION_LEVEL] <= level:
        return
    value, phase, literals = trail.value, trail.phase, trail.literals
    heap, place = order.heap, order.place
    saves_phases = rates[PHASE_SAVING] > 0
    bottom = trail.starts[level]
    for i in range(numbers[TRAIL_SIZE] - 1, bottom - 1, -1):
        literal = np.int64(literals[i])
        v = literal >> 1
        value[literal] = 0
        value[literal ^ 1] = 0
        if saves_phases:
            phase[v] = literal & 1
        if place[v] < 0:
            at = numbers[HEAP_SIZE]
            heap[at] = v
            order.key[at] = order.activity[v]
            numbers[HEAP_SIZE] = at + 1
            sift_up(order, at)
    numbers[TRAIL_SIZE] = bottom
    numbers[QUEUE_HEAD] = bottom
    numbers[DECISION_LEVEL] = level


@tight_kernel
def reusable_level(trail: Trail, order: DecisionOrder, numbers: Numbers, least: Int) -> Int:
    """The level that a restart goes back to, at least `least`: it keeps decisions it would repeat at once."""
    v = next_unassigned(trail, order, numbers)
    if v < 0:
        return np.int64(numbers[DECISION_LEVEL])
    at = numbers[HEAP_SIZE]
    order.heap[at] = v
    order.key[at] = order.activity[v]
    numbers[HEAP_SIZE] = at + 1
    sift_up(order, at)
    level = np.int64(min(least, numbers[DECISION_LEVEL]))
    while level < numbers[DECISION_LEVEL]:
        if order.activity[trail.literals[trail.starts[level]] >> 1] <= order.activity[v]:
            break
        level += 1
    return level


# Conflict analysis: the learned clause of a unique implication point (UIP) or of decisions, minimised.


KEPT_GLUE = 2
"""A learned clause with literals of no more decision levels is never deleted."""


@tight_kernel
def analyse(trail: Trail, arena: Arena, analysis: ConflictAnalysis, numbers: Numbers, scheme: Int) -> Int:
    """Resolve the conflict clause with reasons, latest literal first, until one literal of its level is left.

    That literal is the negation of the first UIP, and the first of the clause in `analysis.learned`. Unless
    `scheme` is FIRST_UIP, resolution goes on to the last UIP, which is the decision. Returns how many
    variables were met; they are in `analysis.marked`, and `analysis.seen` is 1 for them.
    """
    level, reason, literals = trail.level, trail.reason, trail.literals
    seen, marked, learned = analysis.seen, analysis.marked, analysis.learned
    conflict_level = numbers[DECISION_LEVEL]
    met = 0
    size = 1
    unresolved = 0
    at = numbers[TRAIL_SIZE]
    p = np.int64(-1)
    antecedent = numbers[CONFLICT_CLAUSE]
    while True:
        # Find the literals of the conflict clause or, from then on, of the reason for p.
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
    trail: Trail, arena: Arena, analysis: ConflictAnalysis, numbers: Numbers, met: Int
) -> Int:
    """Resolve the learned clause of the last UIP with reasons until all its literals are negated decisions.

    `met` variables are marked before; returns how many are marked afterwards.
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
def note_use(trail: Trail, arena: Arena, analysis: ConflictAnalysis, numbers: Numbers, clause: Int) -> None:
    """Record that a learned clause took part in a conflict, and its glue if that has become lower."""
    arena[clause + LAST_USED] = numbers[CONFLICT_COUNT]
    if arena[clause + GLUE] > KEPT_GLUE:
        begin = clause + CLAUSE_HEADER
        glue = glue_of(trail, analysis, arena, numbers, begin, begin + arena[clause + CLAUSE_SIZE])
        arena[clause + GLUE] = min(arena[clause + GLUE], glue)


@tight_kernel
def glue_of(
    trail: Trail,
    analysis: ConflictAnalysis,
    literals: NDArray[np.int32],
    numbers: Numbers,
    begin: Int,
    end: Int,
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


@tight_kernel
def minimise(trail: Trail, arena: Arena, analysis: ConflictAnalysis, numbers: Numbers, met: Int) -> Int:
    """Drop the literals of the learned clause that its other literals imply (recursive minimisation).

    `met` variables are marked before; returns how many are marked afterwards.
    """
    level, reason, learned = trail.level, trail.reason, analysis.learned
    seen, marked, stack = analysis.seen, analysis.marked, analysis.stack
    # The clause implies no literal of a level that it has none of; 64 bits stand for all levels.
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
def find_backjump_level(trail: Trail, analysis: ConflictAnalysis, numbers: Numbers) -> None:
    """Find the second highest level of the learned clause, and move a literal of it to the second place.

    After a backjump to that level the clause is unit, and its first two literals are the ones to watch.
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


@tight_kernel
def analyse_final(
    trail: Trail, arena: Arena, analysis: ConflictAnalysis, numbers: Numbers, literal: Int
) -> None:
    """Find the assumptions that imply that assumption `literal` is false.

    Together with it they are the final conflict, `analysis.core`.
    """
    seen, core = analysis.seen, analysis.core
    core[0] = literal
    size = 1
    seen[literal >> 1] = 1
    for i in range(numbers[TRAIL_SIZE] - 1, -1, -1):
        p = np.int64(trail.literals[i])
        v = p >> 1
        if not seen[v]:
            continue
        seen[v] = 0
        antecedent = np.int64(trail.reason[v])
        if trail.level[v] == 0:
            continue
        # Without a reason it is a decision, and below the last assumption all decisions are assumptions.
        if antecedent == NONE:
            core[size] = p
            size += 1
            continue
        begin, end = np.int64(0), np.int64(1)
        if antecedent >= 0:
            begin = antecedent + CLAUSE_HEADER
            end = begin + arena[antecedent]
        for k in range(begin, end):
            q = np.int64(arena[k]) if antecedent >= 0 else BINARY - antecedent
            if q >> 1 != v:
                seen[q >> 1] = 1
    numbers[CORE_SIZE] = size


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
    """Mark half of the removable learned clauses as deleted: highest glue first, then longest unused."""
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
def worth_of(arena: Arena, clause: Int) -> Int:
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


# The CDCL search: propagate, analyse, learn, decide.


GLUE_MARGIN = 1.15
"""A restart by glue is due when recent glue is this many times the average."""
GLUE_WAIT = 10
"""Conflicts between two restarts by glue, at least."""


@kernel(estimate=lambda s, *_: 2e-5 * s.trail.level.size)
def search(s: CdclState, conflicts: Int, pause: bool) -> Int:
    """Continue the search for `conflicts` conflicts, or with `pause` for one step; why it returned.

    A step is one of propagate, analyse, learn and decide; NEXT_STEP says which is next. EXHAUSTED means that
    there is no model under the assumptions.
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
        if step == PROPAGATE:
            conflict = propagate(s.trail, s.clauses, numbers)
            while conflict == LIST_FULL:
                if not move_to_end(s.clauses, numbers, numbers[FULL_LIST]):
                    return COMPACT
                conflict = propagate(s.trail, s.clauses, numbers)
            numbers[CONFLICT_CLAUSE] = conflict
            numbers[NEXT_STEP] = DECIDE if conflict == NONE else ANALYSE
        elif step == ANALYSE:
            if numbers[DECISION_LEVEL] == 0:
                numbers[CORE_SIZE] = 0
                return EXHAUSTED
            if numbers[CONFLICT_COUNT] >= end:
                return MORE
            analyse_conflict(s)
            numbers[NEXT_STEP] = LEARN
        elif step == LEARN:
            if not has_room(s):
                return COMPACT
            learn(s)
            numbers[NEXT_STEP] = PROPAGATE
        else:
            if numbers[CONFLICT_COUNT] >= end:
                return MORE
            if numbers[CONFLICT_COUNT] >= numbers[REDUCE_AT]:
                return REDUCE
            if numbers[CONFLICT_COUNT] >= numbers[RESTART_AT] and should_restart(s.rates):
                restart(s)
            code = decide_assumption(s) if numbers[DECISION_LEVEL] < s.assumptions.size else NONE
            if code == NONE:
                code = decide(s)
            if code != MORE:
                return code
            numbers[NEXT_STEP] = PROPAGATE
        if pause:
            return PAUSED


@tight_kernel
def analyse_conflict(s: CdclState) -> None:
    """Derive the learned clause from a conflict, in `analysis.learned`, and bump the variables involved."""
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
def has_room(s: CdclState) -> bool:
    """Whether the learned clause can be stored, watched and written into the proof."""
    numbers, clauses, learned = s.numbers, s.clauses, s.analysis.learned
    size = numbers[LEARNED_SIZE]
    if numbers[ARENA_SIZE] + CLAUSE_HEADER + size > clauses.arena.size:
        return False
    if s.proof.size > 0 and numbers[PROOF_SIZE] + 1 + size > s.proof.size:
        return False
    if 4 * (numbers[CLAUSE_COUNT] + 1) + 4 * clauses.size.size > clauses.watches.size:
        return False
    watches, binary = 8, 8
    for i in range(min(size, 2)):
        watches += 2 * clauses.size[learned[i] ^ 1]
        binary += 2 * clauses.binary_size[learned[i] ^ 1]
    if numbers[WATCHES_USED] + watches > clauses.watches.size:
        return False
    return bool(numbers[BINARY_USED] + binary <= clauses.binary.size)


@tight_kernel
def learn(s: CdclState) -> None:
    """Backjump, add the learned clause, and assign its first literal: all others are false on that level."""
    numbers, learned = s.numbers, s.analysis.learned
    size = numbers[LEARNED_SIZE]
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
def should_restart(rates: Rates) -> bool:
    """Whether to restart after enough conflicts: with glue as the policy, only if recent clauses are bad."""
    if rates[RESTART_POLICY] == GLUE_RESTARTS:
        return bool(rates[RECENT_GLUE] > GLUE_MARGIN * rates[AVERAGE_GLUE])
    return bool(rates[RESTART_POLICY] == LUBY_RESTARTS)


@tight_kernel
def restart(s: CdclState) -> None:
    """Backjump to the lowest level that makes a difference, and set RESTART_AT."""
    numbers = s.numbers
    numbers[RESTART_COUNT] += 1
    wait = np.int64(GLUE_WAIT)
    if s.rates[RESTART_POLICY] == LUBY_RESTARTS:
        wait = np.int64(s.rates[RESTART_UNIT]) * luby(numbers[RESTART_COUNT])
    numbers[RESTART_AT] = numbers[CONFLICT_COUNT] + wait
    level = reusable_level(s.trail, s.order, numbers, s.assumptions.size)
    backjump(s.trail, s.order, numbers, s.rates, level)


@tight_kernel
def luby(index: Int) -> Int:
    """Number `index`, counted from 0, of Luby's sequence 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …"""
    size = 1
    power = 0
    while size < index + 1:
        power += 1
        size = 2 * size + 1
    while size - 1 != index:
        size = (size - 1) >> 1
        power -= 1
        index %= size
    return 1 << power


@tight_kernel
def decide_assumption(s: CdclState) -> Int:
    """Open a decision level for each true assumption, and for the first unassigned one: MORE.

    EXHAUSTED if an assumption is false, NONE if all assumptions are true.
    """
    numbers, value = s.numbers, s.trail.value
    while numbers[DECISION_LEVEL] < s.assumptions.size:
        literal = np.int64(s.assumptions[numbers[DECISION_LEVEL]])
        if value[literal] < 0:
            analyse_final(s.trail, s.clauses.arena, s.analysis, numbers, literal)
            return EXHAUSTED
        s.trail.starts[numbers[DECISION_LEVEL]] = numbers[TRAIL_SIZE]
        numbers[DECISION_LEVEL] += 1
        if value[literal] == 0:
            assign(s.trail, numbers, literal, NONE)
            return MORE
    return NONE


@tight_kernel
def decide(s: CdclState) -> Int:
    """Decide the most active variable, or a random one: MORE; FOUND if all variables are assigned."""
    numbers, trail = s.numbers, s.trail
    if s.rates[RANDOM_DECISIONS] > 0:
        v = random_unassigned(trail, s.order, s.random, numbers)
    else:
        v = next_unassigned(trail, s.order, numbers)
    if v < 0:
        return FOUND
    numbers[DECISION_COUNT] += 1
    trail.starts[numbers[DECISION_LEVEL]] = numbers[TRAIL_SIZE]
    numbers[DECISION_LEVEL] += 1
    assign(trail, numbers, 2 * v + trail.phase[v], NONE)
    return MORE
