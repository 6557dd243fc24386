"""Unit propagation with two watched literals."""

import numpy as np

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    CLASH_LITERAL,
    CROWDED,
    FULL_LIST,
    HEAD,
    HEADER,
    LEVEL,
    NONE,
    PAIR,
    PROPAGATIONS,
    TRAIL_SIZE,
    Clauses,
    Int,
    Numbers,
    Trail,
)

LOW = 0xFFFFFFFF
"""The low half of an entry. Where it is put on something that is in that half anyway, it tells the compiler
that an index is not negative, which makes propagation faster by a seventh."""


@tight_kernel
def propagate(trail: Trail, clauses: Clauses, numbers: Numbers) -> Int:
    """Follow all implications of what is assigned; the clause that clashes, or NONE, or CROWDED.

    For a clause of two literals the clash is `PAIR - p` with the one literal p; CLASH_LITERAL has the other.
    """
    value, level, reason, literals = trail.value, trail.level, trail.reason, trail.literals
    arena, watches, start = clauses.arena, clauses.watches, clauses.start
    size, room = clauses.size, clauses.room
    pairs, pair_start, pair_size = clauses.pairs, clauses.pair_start, clauses.pair_size
    here = numbers[LEVEL]
    head = numbers[HEAD]
    began = head
    assigned = numbers[TRAIL_SIZE]
    clash: Int = NONE
    while head < assigned and clash == NONE:
        p = np.int64(literals[head]) & LOW
        head += 1
        false = p ^ 1
        first_pair = pair_start[p]
        for i in range(first_pair, first_pair + pair_size[p]):
            q = np.int64(pairs[i]) & LOW
            truth = value[q]
            if truth > 0:
                continue
            if truth < 0:
                clash = PAIR - false
                numbers[CLASH_LITERAL] = q
                break
            value[q] = 1
            value[q ^ 1] = -1
            level[q >> 1] = here
            reason[q >> 1] = PAIR - false
            literals[assigned] = q
            assigned += 1
        if clash != NONE:
            break
        i = start[p]
        kept = i
        end = i + size[p]
        while i < end:
            entry = watches[i]
            i += 1
            if value[entry & LOW] > 0:
                watches[kept] = entry
                kept += 1
                continue
            clause = (entry >> 32) & LOW
            base = clause + HEADER
            other = (np.int64(arena[base] ^ arena[base + 1]) ^ false) & LOW
            truth = value[other]
            entry = (clause << 32) | other
            if truth > 0:
                watches[kept] = entry
                kept += 1
                continue
            k = base + 2
            last = base + arena[clause]
            while k < last and value[np.int64(arena[k]) & LOW] < 0:
                k += 1
            if k < last:
                watched = np.int64(arena[k]) & LOW
                to = watched ^ 1
                if size[to] == room[to]:
                    numbers[FULL_LIST] = to
                    clash = CROWDED
                    i -= 1
                    break
                arena[base] = other
                arena[base + 1] = watched
                arena[k] = false
                watches[start[to] + size[to]] = entry
                size[to] += 1
                continue
            watches[kept] = entry
            kept += 1
            if truth < 0:
                clash = clause
                break
            value[other] = 1
            value[other ^ 1] = -1
            level[other >> 1] = here
            reason[other >> 1] = clause
            literals[assigned] = other
            assigned += 1
        if kept < i:
            while i < end:
                watches[kept] = watches[i]
                kept += 1
                i += 1
            size[p] = kept - start[p]
    if clash == CROWDED:
        head -= 1
    numbers[PROPAGATIONS] += head - began
    numbers[TRAIL_SIZE] = assigned
    numbers[HEAD] = head
    return clash


@tight_kernel
def assign(trail: Trail, numbers: Numbers, literal: Int, reason: Int) -> None:
    """Make a literal true on the present level."""
    trail.value[literal] = 1
    trail.value[literal ^ 1] = -1
    trail.level[literal >> 1] = numbers[LEVEL]
    trail.reason[literal >> 1] = reason
    trail.literals[numbers[TRAIL_SIZE]] = literal
    numbers[TRAIL_SIZE] += 1
