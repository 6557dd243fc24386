"""Conflict analysis: the clause of the first unique implication point, made as short as it can be."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import tight_kernel
from gemhunter.kernels.cdcl.state import (
    CLASH,
    CLASH_LITERAL,
    CONFLICTS,
    CORE_SIZE,
    GLUE,
    HEADER,
    LEARNED_LEVEL,
    LEARNED_SIZE,
    LEVEL,
    NONE,
    PAIR,
    SIZE,
    STAMP,
    TRAIL_SIZE,
    USED,
    AnalysisScratch,
    Arena,
    Int,
    Numbers,
    Trail,
)

KEPT_GLUE = 2
"""A learned clause of no more levels is kept for ever."""


@tight_kernel
def analyse(trail: Trail, arena: Arena, notes: AnalysisScratch, numbers: Numbers) -> Int:
    """Resolve the clash with reasons, last assigned first, until one literal of its level is left.

    The clause is in `notes.learned`, that literal first. Returns how many variables were met on the way;
    these are in `notes.marked`, and `notes.seen` is set for them.
    """
    level, reason, literals = trail.level, trail.reason, trail.literals
    seen, marked, learned = notes.seen, notes.marked, notes.learned
    here = numbers[LEVEL]
    met = 0
    size = 1
    open_here = 0
    at = numbers[TRAIL_SIZE]
    p = np.int64(-1)
    why = numbers[CLASH]
    while True:
        if why >= 0:
            begin = why + HEADER
            end = begin + arena[why]
            if arena[why + GLUE] > 0:
                use_again(trail, arena, notes, numbers, why)
        else:
            begin, end = (0, 1) if p >= 0 else (0, 2)
        for k in range(begin, end):
            q = np.int64(arena[k]) if why >= 0 else (PAIR - why if k == 0 else numbers[CLASH_LITERAL])
            v = q >> 1
            if q == p or seen[v] or level[v] == 0:
                continue
            seen[v] = 1
            marked[met] = v
            met += 1
            if level[v] == here:
                open_here += 1
            else:
                learned[size] = q
                size += 1
        at -= 1
        while not seen[literals[at] >> 1]:
            at -= 1
        p = np.int64(literals[at])
        why = np.int64(reason[p >> 1])
        open_here -= 1
        if open_here == 0:
            break
    learned[0] = p ^ 1
    numbers[LEARNED_SIZE] = size
    return met


@tight_kernel
def use_again(trail: Trail, arena: Arena, notes: AnalysisScratch, numbers: Numbers, clause: Int) -> None:
    """Note that a learned clause was of use, and its glue if that is better than it was."""
    arena[clause + USED] = numbers[CONFLICTS]
    if arena[clause + GLUE] > KEPT_GLUE:
        begin = clause + HEADER
        glue = glue_of(trail, notes, arena, numbers, begin, begin + arena[clause + SIZE])
        arena[clause + GLUE] = min(arena[clause + GLUE], glue)


@tight_kernel
def glue_of(
    trail: Trail, notes: AnalysisScratch, literals: NDArray[np.int32], numbers: Numbers, begin: Int, end: Int
) -> Int:
    """How many different levels some literals have."""
    numbers[STAMP] += 1
    stamp = numbers[STAMP]
    glue = 0
    for k in range(begin, end):
        level = trail.level[literals[k] >> 1]
        if notes.level_stamp[level] != stamp:
            notes.level_stamp[level] = stamp
            glue += 1
    return glue


@tight_kernel
def shorten(trail: Trail, arena: Arena, notes: AnalysisScratch, numbers: Numbers, met: Int) -> Int:
    """Drop the literals of the learned clause that follow from its others (recursive minimisation).

    Returns how many variables are marked then.
    """
    level, reason, learned, seen, marked = trail.level, trail.reason, notes.learned, notes.seen, notes.marked
    stack = notes.stack
    levels = np.int64(0)
    for i in range(1, numbers[LEARNED_SIZE]):
        levels |= np.int64(1) << (level[learned[i] >> 1] & 63)
    kept = 1
    noted = met
    for i in range(1, numbers[LEARNED_SIZE]):
        literal = np.int64(learned[i])
        needed = reason[literal >> 1] == NONE
        depth = 0 if needed else 1
        stack[0] = literal
        began = noted
        while depth > 0 and not needed:
            depth -= 1
            v = np.int64(stack[depth]) >> 1
            why = np.int64(reason[v])
            begin, end = (why + HEADER, why + HEADER + arena[why]) if why >= 0 else (0, 1)
            for k in range(begin, end):
                q = np.int64(arena[k]) if why >= 0 else PAIR - why
                u = q >> 1
                if u == v or seen[u] or level[u] == 0:
                    continue
                if reason[u] == NONE or not (levels >> (level[u] & 63)) & 1:
                    needed = True
                    break
                seen[u] = 1
                marked[noted] = u
                noted += 1
                stack[depth] = q
                depth += 1
        if needed:
            for k in range(began, noted):
                seen[marked[k]] = 0
            noted = began
            learned[kept] = literal
            kept += 1
    numbers[LEARNED_SIZE] = kept
    return noted


@tight_kernel
def choose_level(trail: Trail, notes: AnalysisScratch, numbers: Numbers) -> None:
    """Find the level to go back to, the highest but one, and bring a literal of it to the second place."""
    level, learned = trail.level, notes.learned
    numbers[LEARNED_LEVEL] = 0
    if numbers[LEARNED_SIZE] == 1:
        return
    highest = 1
    for i in range(2, numbers[LEARNED_SIZE]):
        if level[learned[i] >> 1] > level[learned[highest] >> 1]:
            highest = i
    second = learned[highest]
    learned[highest] = learned[1]
    learned[1] = second
    numbers[LEARNED_LEVEL] = level[second >> 1]


@tight_kernel
def blame(trail: Trail, arena: Arena, notes: AnalysisScratch, numbers: Numbers, literal: Int) -> None:
    """Find the assumptions that make one more false; together they are the final conflict, `notes.core`."""
    seen, core = notes.seen, notes.core
    core[0] = literal
    size = 1
    seen[literal >> 1] = 1
    for i in range(numbers[TRAIL_SIZE] - 1, -1, -1):
        p = np.int64(trail.literals[i])
        v = p >> 1
        if not seen[v]:
            continue
        seen[v] = 0
        why = np.int64(trail.reason[v])
        if trail.level[v] == 0:
            continue
        if why == NONE:
            core[size] = p
            size += 1
            continue
        begin, end = (why + HEADER, why + HEADER + arena[why]) if why >= 0 else (0, 1)
        for k in range(begin, end):
            q = np.int64(arena[k]) if why >= 0 else PAIR - why
            if q >> 1 != v:
                seen[q >> 1] = 1
    numbers[CORE_SIZE] = size
