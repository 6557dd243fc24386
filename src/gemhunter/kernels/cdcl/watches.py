"""The lists of who watches what: clauses come in, lists move and are laid out anew."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.propagate import assign
from gemhunter.kernels.cdcl.state import (
    ARENA_TOP,
    CLAUSES,
    GLUE,
    HEAD,
    HEADER,
    LEARNED,
    LEARNED_FROM,
    NONE,
    PAIR_TOP,
    PROOF_TOP,
    SIZE,
    USED,
    WATCH_TOP,
    CdclState,
    Clauses,
    Int,
    Numbers,
)


@kernel(estimate=lambda _, literals, __: 4e-6 * literals.size)
def load(s: CdclState, literals: NDArray[np.int32], starts: NDArray[np.int64]) -> bool:
    """Add clauses, as `Cnf` has them, on level 0; False if one is empty or two contradict each other.

    Repeated literals are left out. What was followed up already cannot be watched for any more: literals that
    are false for good are then left out too, and clauses that hold for good.
    """
    value, seen, clause = s.trail.value, s.notes.seen, s.notes.learned
    followed = s.numbers[HEAD] > 0
    for index in range(starts.size - 1):
        size = 0
        holds = False
        for k in range(starts[index], starts[index + 1]):
            number = np.int64(literals[k])
            literal = 2 * number - 2 if number > 0 else -2 * number - 1
            sign = 1 + (literal & 1)
            truth = value[literal] if followed else 0
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
            note_step(s, clause, size, deleted=False)
        if size == 0 or (size == 1 and value[clause[0]] < 0):
            return False
        if size > 1 or value[clause[0]] == 0:
            add_clause(s, size, 0, 0)
    watch_all(s.clauses, s.numbers)
    s.numbers[LEARNED_FROM] = s.numbers[ARENA_TOP]
    return True


@tight_kernel
def add_clause(s: CdclState, size: Int, glue: Int, used: Int) -> Int:
    """Add the clause in `notes.learned`, one literal or more, not yet watched; where it lies, or NONE."""
    numbers, arena, literals = s.numbers, s.clauses.arena, s.notes.learned
    if size == 1:
        assign(s.trail, numbers, np.int64(literals[0]), NONE)
        return NONE
    if size == 2:
        pair_up(s.clauses, numbers, np.int64(literals[0]), np.int64(literals[1]))
        return NONE
    clause = np.int64(numbers[ARENA_TOP])
    arena[clause + SIZE] = size
    arena[clause + GLUE] = glue
    arena[clause + USED] = used
    for i in range(size):
        arena[clause + HEADER + i] = literals[i]
    numbers[ARENA_TOP] = clause + HEADER + size
    numbers[CLAUSES] += 1
    numbers[LEARNED] += glue > 0
    return clause


@tight_kernel
def note_step(s: CdclState, literals: NDArray[np.int32], size: Int, deleted: bool) -> None:
    """Write one step of the proof, if there is to be one; there must be room for it."""
    if s.proof.size == 0:
        return
    top = s.numbers[PROOF_TOP]
    s.proof[top] = -size if deleted else size
    for i in range(size):
        s.proof[top + 1 + i] = literals[i]
    s.numbers[PROOF_TOP] = top + 1 + size


@tight_kernel
def pair_up(clauses: Clauses, numbers: Numbers, literal: Int, other: Int) -> None:
    """Add the clause of two literals: each must be true once the other is false."""
    for turn in range(2):
        p = (literal if turn == 0 else other) ^ 1
        count = clauses.pair_size[p]
        if count == clauses.pair_room[p]:
            top = numbers[PAIR_TOP]
            begin = clauses.pair_start[p]
            for i in range(count):
                clauses.pairs[top + i] = clauses.pairs[begin + i]
            clauses.pair_start[p] = top
            clauses.pair_room[p] = 2 * count + 4
            numbers[PAIR_TOP] = top + 2 * count + 4
        clauses.pairs[clauses.pair_start[p] + count] = other if turn == 0 else literal
        clauses.pair_size[p] = count + 1


@tight_kernel
def watch(clauses: Clauses, numbers: Numbers, clause: Int) -> None:
    """Watch the first two literals of a clause; there must be room for it."""
    entry = np.int64(clause) << 32
    for w in range(2):
        literal = np.int64(clauses.arena[clause + HEADER + w]) ^ 1
        blocker = np.int64(clauses.arena[clause + HEADER + 1 - w])
        if clauses.size[literal] == clauses.room[literal]:
            move_to_end(clauses, numbers, literal)
        clauses.watches[clauses.start[literal] + clauses.size[literal]] = entry | blocker
        clauses.size[literal] += 1


@tight_kernel
def move_to_end(clauses: Clauses, numbers: Numbers, literal: Int) -> bool:
    """Move the list of a literal to the end of the pool, with twice the room; False if the pool is full."""
    room = 2 * clauses.size[literal] + 4
    top = numbers[WATCH_TOP]
    if top + room > clauses.watches.size:
        return False
    begin = clauses.start[literal]
    for i in range(clauses.size[literal]):
        clauses.watches[top + i] = clauses.watches[begin + i]
    clauses.start[literal] = top
    clauses.room[literal] = room
    numbers[WATCH_TOP] = top + room
    return True


@tight_kernel
def watch_all(clauses: Clauses, numbers: Numbers) -> None:
    """Make all lists anew from the arena, each with some room to spare."""
    arena, size, start, room = clauses.arena, clauses.size, clauses.start, clauses.room
    for literal in range(size.size):
        size[literal] = 0
    clause = 0
    while clause < numbers[ARENA_TOP]:
        size[arena[clause + HEADER] ^ 1] += 1
        size[arena[clause + HEADER + 1] ^ 1] += 1
        clause += HEADER + arena[clause]
    top = 0
    for literal in range(size.size):
        start[literal] = top
        room[literal] = size[literal] + (size[literal] >> 1) + 2
        top += room[literal]
        size[literal] = 0
    numbers[WATCH_TOP] = top
    clause = 0
    while clause < numbers[ARENA_TOP]:
        watch(clauses, numbers, clause)
        clause += HEADER + arena[clause]


@kernel
def close_gaps(clauses: Clauses, numbers: Numbers) -> None:
    """Lay all lists end to end again, each with some room to spare."""
    old = clauses.watches[: numbers[WATCH_TOP]].copy()
    top = 0
    for literal in range(clauses.size.size):
        size = clauses.size[literal]
        begin = clauses.start[literal]
        for i in range(size):
            clauses.watches[top + i] = old[begin + i]
        clauses.start[literal] = top
        clauses.room[literal] = size + (size >> 1) + 2
        top += clauses.room[literal]
    numbers[WATCH_TOP] = top
