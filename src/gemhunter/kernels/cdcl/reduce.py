"""Forgetting: the worse half of the learned clauses, and clauses that hold for good."""

import numpy as np

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.analyse import KEPT_GLUE
from gemhunter.kernels.cdcl.state import (
    ARENA_TOP,
    CLAUSES,
    CONFLICTS,
    FIRST_FORGETTING,
    FORGET_AT,
    FORGETTINGS,
    GLUE,
    HEADER,
    LATER_FORGETTING,
    LEARNED,
    LEARNED_FROM,
    LEVEL,
    ROOT_DONE,
    TRAIL_SIZE,
    USED,
    Arena,
    CdclState,
    Clauses,
    Int,
    Trail,
)
from gemhunter.kernels.cdcl.watches import note_step

GONE = -1
"""The glue of a clause that is about to go."""


@kernel
def forget(s: CdclState) -> None:
    """Forget clauses, and say when to do so next; there must be room in the proof for all literals."""
    numbers = s.numbers
    root = s.trail.starts[0] if numbers[LEVEL] > 0 else numbers[TRAIL_SIZE]
    first = numbers[LEARNED_FROM]
    if root > numbers[ROOT_DONE]:
        first = np.int64(0)
        for i in range(numbers[ROOT_DONE], root):
            note_step(s, s.trail.literals[i : i + 1], 1, deleted=False)
        numbers[ROOT_DONE] = root
        give_up_satisfied(s)
    give_up_worse_half(s)
    close_ranks(s, first)
    numbers[FORGETTINGS] += 1
    pause = s.rates[FIRST_FORGETTING] + s.rates[LATER_FORGETTING] * numbers[FORGETTINGS]
    numbers[FORGET_AT] = numbers[CONFLICTS] + np.int64(pause)


@tight_kernel
def give_up_satisfied(s: CdclState) -> None:
    """Give up every clause with a literal that is true on level 0."""
    arena = s.clauses.arena
    clause = 0
    while clause < s.numbers[ARENA_TOP]:
        for k in range(clause + HEADER, clause + HEADER + arena[clause]):
            if s.trail.value[arena[k]] > 0 and s.trail.level[arena[k] >> 1] == 0:
                arena[clause + GLUE] = GONE
                break
        clause += HEADER + arena[clause]


@kernel
def give_up_worse_half(s: CdclState) -> None:
    """Give up half of the learned clauses that may go: those of most levels, the longest unused first."""
    arena, numbers = s.clauses.arena, s.numbers
    worth = np.empty(numbers[LEARNED], np.int64)
    count = 0
    clause = numbers[LEARNED_FROM]
    while clause < numbers[ARENA_TOP]:
        if may_go(s.trail, s.clauses, clause):
            worth[count] = worth_of(arena, clause)
            count += 1
        clause += HEADER + arena[clause]
    if count == 0:
        return
    least = np.sort(worth[:count])[count // 2]
    clause = numbers[LEARNED_FROM]
    while clause < numbers[ARENA_TOP]:
        if may_go(s.trail, s.clauses, clause) and worth_of(arena, clause) < least:
            arena[clause + GLUE] = GONE
        clause += HEADER + arena[clause]


@tight_kernel
def worth_of(arena: Arena, clause: Int) -> Int:
    """Fewer levels are worth more; with as many, the clause that was used last."""
    return np.int64(arena[clause + USED]) - (np.int64(arena[clause + GLUE]) << 32)


@tight_kernel
def may_go(trail: Trail, clauses: Clauses, clause: Int) -> bool:
    """Whether a clause is no reason of anything, and not among the best."""
    if clauses.arena[clause + GLUE] <= KEPT_GLUE:
        return False
    for w in range(2):
        literal = clauses.arena[clause + HEADER + w]
        if trail.value[literal] > 0 and trail.reason[literal >> 1] == clause:
            return False
    return True


@kernel
def close_ranks(s: CdclState, first: Int) -> None:
    """Close the gaps that the given up clauses, none of them before `first`, leave in the arena.

    Where each clause moves to is noted in the place of USED while its watches are told.
    """
    arena, numbers, reason = s.clauses.arena, s.numbers, s.trail.reason
    used = np.empty(numbers[CLAUSES] if first == 0 else numbers[LEARNED], np.int32)
    kept, gone, gone_learned = 0, 0, 0
    clause = first
    to = first
    learned_from = numbers[LEARNED_FROM]
    while clause < numbers[ARENA_TOP]:
        if clause == learned_from:
            numbers[LEARNED_FROM] = to
        size = HEADER + arena[clause]
        if arena[clause + GLUE] == GONE:
            gone += 1
            gone_learned += clause >= learned_from
            note_step(s, arena[clause + HEADER : clause + size], size - HEADER, deleted=True)
        else:
            used[kept] = arena[clause + USED]
            kept += 1
            arena[clause + USED] = to
            for w in range(2):
                v = arena[clause + HEADER + w] >> 1
                if reason[v] == clause and s.trail.value[arena[clause + HEADER + w]] > 0:
                    reason[v] = to
            to += size
        clause += size
    tell_watches(s.clauses, first)
    clause = first
    kept = 0
    while clause < numbers[ARENA_TOP]:
        size = HEADER + arena[clause]
        if arena[clause + GLUE] != GONE:
            new = np.int64(arena[clause + USED])
            for k in range(size):
                arena[new + k] = arena[clause + k]
            arena[new + USED] = used[kept]
            kept += 1
        clause += size
    if learned_from == numbers[ARENA_TOP]:
        numbers[LEARNED_FROM] = to
    numbers[ARENA_TOP] = to
    numbers[CLAUSES] -= gone
    numbers[LEARNED] -= gone_learned


@tight_kernel
def tell_watches(clauses: Clauses, first: Int) -> None:
    """Point all watches to where their clauses, from `first` on, will be; drop those of clauses that go."""
    arena, watches = clauses.arena, clauses.watches
    for literal in range(clauses.size.size):
        begin = clauses.start[literal]
        kept = begin
        for i in range(begin, begin + clauses.size[literal]):
            entry = watches[i]
            clause = entry >> 32
            if clause >= first:
                if arena[clause + GLUE] == GONE:
                    continue
                entry = (np.int64(arena[clause + USED]) << 32) | (entry & 0xFFFFFFFF)
            watches[kept] = entry
            kept += 1
        clauses.size[literal] = kept - begin
