"""Conflict analysis: the learned clause of a unique implication point (UIP) or of decisions, minimised."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    BACKJUMP_LEVEL,
    BINARY,
    CLAUSE_HEADER,
    CLAUSE_SIZE,
    CONFLICT_LITERAL,
    CORE_SIZE,
    FIRST_UIP,
    GLUE,
    LAST_USED,
    LEARNED_SIZE,
    LEVEL_STAMP,
    Arena,
    ConflictAnalysis,
    Int,
    Numbers,
    Trail,
)
from gemhunter.kernels.codes import CONFLICT_CLAUSE, CONFLICT_COUNT, DECISION_LEVEL, NONE, TRAIL_SIZE

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
