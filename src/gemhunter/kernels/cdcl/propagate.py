"""Unit propagation with two watched literals."""

import numpy as np

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    BINARY,
    CLAUSE_HEADER,
    CONFLICT_LITERAL,
    FULL_LIST,
    LIST_FULL,
    Clauses,
    Int,
    Numbers,
    Trail,
)
from gemhunter.kernels.codes import DECISION_LEVEL, NONE, PROPAGATION_COUNT, QUEUE_HEAD, TRAIL_SIZE

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
