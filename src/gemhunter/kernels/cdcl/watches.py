"""Clauses and their watched literals: adding clauses, and making room in the lists of watches."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.propagate import assign
from gemhunter.kernels.cdcl.state import (
    ARENA_SIZE,
    BINARY_USED,
    CLAUSE_COUNT,
    CLAUSE_HEADER,
    CLAUSE_SIZE,
    FIRST_LEARNED,
    GLUE,
    LAST_USED,
    LEARNED_COUNT,
    PROOF_SIZE,
    WATCHES_USED,
    CdclState,
    Clauses,
    Int,
    Numbers,
)
from gemhunter.kernels.codes import (
    NONE,
    QUEUE_HEAD,
)


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
