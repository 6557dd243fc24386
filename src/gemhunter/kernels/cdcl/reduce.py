"""Clause deletion: the worse half of the learned clauses, and clauses that are true on level 0."""

import numpy as np

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.analyse import KEPT_GLUE
from gemhunter.kernels.cdcl.state import (
    ARENA_SIZE,
    CLAUSE_COUNT,
    CLAUSE_HEADER,
    FIRST_LEARNED,
    FIRST_REDUCE,
    GLUE,
    LAST_USED,
    LEARNED_COUNT,
    REDUCE_AT,
    REDUCE_INCREMENT,
    REDUCTION_COUNT,
    ROOT_LOGGED,
    Arena,
    CdclState,
    Clauses,
    Int,
    Trail,
)
from gemhunter.kernels.cdcl.watches import log_step
from gemhunter.kernels.codes import (
    CONFLICT_COUNT,
    DECISION_LEVEL,
    TRAIL_SIZE,
)

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
