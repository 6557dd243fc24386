"""The search itself: propagate, analyse, learn, decide."""

import numpy as np

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.analyse import analyse, blame, choose_level, glue_of, shorten
from gemhunter.kernels.cdcl.decision_order import bump, go_back, level_to_keep, next_open, random_open
from gemhunter.kernels.cdcl.propagate import assign, propagate
from gemhunter.kernels.cdcl.reduce import forget
from gemhunter.kernels.cdcl.state import (
    ANALYSE,
    ARENA_TOP,
    BY_GLUE,
    CLASH,
    CLAUSES,
    CONFLICTS,
    CORE_SIZE,
    CROWDED,
    DECIDE,
    DECISIONS,
    FAST_GLUE,
    FORGET,
    FORGET_AT,
    FOUND,
    FULL_LIST,
    GROW,
    HEADER,
    LEARN,
    LEARNED_LEVEL,
    LEARNED_LITERALS,
    LEARNED_SIZE,
    LEVEL,
    LUBY,
    MORE,
    NONE,
    PAIR,
    PAIR_TOP,
    PAUSED,
    PICKING_AT_RANDOM,
    PROOF_TOP,
    PROPAGATE,
    REFUTED,
    RESTART_AT,
    RESTART_UNIT,
    RESTARTING,
    RESTARTS,
    SHORTENING,
    SLOW_GLUE,
    STEP,
    TIDY,
    TRAIL_SIZE,
    WATCH_TOP,
    CdclState,
    Int,
    Rates,
)
from gemhunter.kernels.cdcl.watches import add_clause, close_gaps, move_to_end, note_step, watch

GLUE_MARGIN = 1.15
"""Restarts by glue: when the latest clauses have so many times more levels than all have on average."""
GLUE_WAIT = 10


@kernel(estimate=lambda s, *_: 2e-5 * s.trail.level.size)
def search(s: CdclState, conflicts: Int, pause: bool) -> Int:
    """Search on, through so many conflicts, or with `pause` for one step; why it returned.

    A step is one of propagate, analyse, learn and decide; STEP has the next one, so that whoever calls with
    `pause` sees everything in between.
    """
    end = s.numbers[CONFLICTS] + conflicts
    while True:
        code = take_steps(s, end, pause)
        if code == FORGET:
            words = s.numbers[ARENA_TOP] + 2 * s.trail.level.size
            if s.proof.size > 0 and s.numbers[PROOF_TOP] + words > s.proof.size:
                return GROW
            forget(s)
        elif code == TIDY:
            close_gaps(s.clauses, s.numbers)
            if s.numbers[STEP] == LEARN and not has_room(s):
                return GROW
        else:
            return code


@tight_kernel
def take_steps(s: CdclState, end: Int, pause: bool) -> Int:
    """Step by step, until something needs memory (FORGET, TIDY) or there is something to say."""
    numbers = s.numbers
    while True:
        step = numbers[STEP]
        if step == PROPAGATE:
            clash = propagate(s.trail, s.clauses, numbers)
            while clash == CROWDED:
                if not move_to_end(s.clauses, numbers, numbers[FULL_LIST]):
                    return TIDY
                clash = propagate(s.trail, s.clauses, numbers)
            numbers[CLASH] = clash
            numbers[STEP] = DECIDE if clash == NONE else ANALYSE
        elif step == ANALYSE:
            if numbers[LEVEL] == 0:
                numbers[CORE_SIZE] = 0
                return REFUTED
            if numbers[CONFLICTS] >= end:
                return MORE
            resolve_clash(s)
            numbers[STEP] = LEARN
        elif step == LEARN:
            if not has_room(s):
                return TIDY
            learn(s)
            numbers[STEP] = PROPAGATE
        else:
            if numbers[CONFLICTS] >= end:
                return MORE
            if numbers[CONFLICTS] >= numbers[FORGET_AT]:
                return FORGET
            if numbers[CONFLICTS] >= numbers[RESTART_AT] and is_time_to_restart(s.rates):
                restart(s)
            code = assume(s) if numbers[LEVEL] < s.assumptions.size else NONE
            if code == NONE:
                code = decide(s)
            if code != MORE:
                return code
            numbers[STEP] = PROPAGATE
        if pause:
            return PAUSED


@tight_kernel
def resolve_clash(s: CdclState) -> None:
    """From a clash to the clause to be learned, in `notes.learned`."""
    numbers, notes = s.numbers, s.notes
    numbers[CONFLICTS] += 1
    met = analyse(s.trail, s.clauses.arena, notes, numbers)
    noted = met
    if s.rates[SHORTENING] > 0:
        noted = shorten(s.trail, s.clauses.arena, notes, numbers, met)
    for i in range(noted):
        notes.seen[notes.marked[i]] = 0
    choose_level(s.trail, notes, numbers)
    bump(s.order, notes.marked, met, s.rates)


@tight_kernel
def has_room(s: CdclState) -> bool:
    """Whether the learned clause can be stored, watched and written into the proof."""
    numbers, clauses, learned = s.numbers, s.clauses, s.notes.learned
    size = numbers[LEARNED_SIZE]
    if numbers[ARENA_TOP] + HEADER + size > clauses.arena.size:
        return False
    if s.proof.size > 0 and numbers[PROOF_TOP] + 1 + size > s.proof.size:
        return False
    if 4 * (numbers[CLAUSES] + 1) + 4 * clauses.size.size > clauses.watches.size:
        return False
    watches, pairs = 8, 8
    for i in range(min(size, 2)):
        watches += 2 * clauses.size[learned[i] ^ 1]
        pairs += 2 * clauses.pair_size[learned[i] ^ 1]
    if numbers[WATCH_TOP] + watches > clauses.watches.size:
        return False
    return bool(numbers[PAIR_TOP] + pairs <= clauses.pairs.size)


@tight_kernel
def learn(s: CdclState) -> None:
    """Go back, add the learned clause, and follow it: all its literals but the first are false there."""
    numbers, learned = s.numbers, s.notes.learned
    size = numbers[LEARNED_SIZE]
    glue = glue_of(s.trail, s.notes, learned, numbers, 0, size)
    s.rates[FAST_GLUE] += (glue - s.rates[FAST_GLUE]) / 32
    s.rates[SLOW_GLUE] += (glue - s.rates[SLOW_GLUE]) / min(numbers[CONFLICTS], 4096)
    numbers[LEARNED_LITERALS] += size
    go_back(s.trail, s.order, numbers, s.rates, numbers[LEARNED_LEVEL])
    note_step(s, learned, size, deleted=False)
    clause = add_clause(s, size, glue, numbers[CONFLICTS])
    if clause != NONE:
        watch(s.clauses, numbers, clause)
        assign(s.trail, numbers, np.int64(learned[0]), clause)
    elif size == 2:
        assign(s.trail, numbers, np.int64(learned[0]), PAIR - np.int64(learned[1]))


@tight_kernel
def is_time_to_restart(rates: Rates) -> bool:
    """Whether enough conflicts since the last restart are enough, or their clauses are bad as well."""
    if rates[RESTARTING] == BY_GLUE:
        return bool(rates[FAST_GLUE] > GLUE_MARGIN * rates[SLOW_GLUE])
    return bool(rates[RESTARTING] == LUBY)


@tight_kernel
def restart(s: CdclState) -> None:
    """Go back as far as makes a difference, and say when to do so next."""
    numbers = s.numbers
    numbers[RESTARTS] += 1
    wait = np.int64(GLUE_WAIT)
    if s.rates[RESTARTING] == LUBY:
        wait = np.int64(s.rates[RESTART_UNIT]) * luby(numbers[RESTARTS])
    numbers[RESTART_AT] = numbers[CONFLICTS] + wait
    level = level_to_keep(s.trail, s.order, numbers, s.assumptions.size)
    go_back(s.trail, s.order, numbers, s.rates, level)


@tight_kernel
def luby(index: Int) -> Int:
    """Number `index`, from 0, of 1 1 2 1 1 2 4 1 1 2 1 1 2 4 8 …"""
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
def assume(s: CdclState) -> Int:
    """Open a level for each assumption that holds, and for the first open one; NONE if there is none.

    REFUTED if an assumption is false, MORE to do if one was made.
    """
    numbers, value = s.numbers, s.trail.value
    while numbers[LEVEL] < s.assumptions.size:
        literal = np.int64(s.assumptions[numbers[LEVEL]])
        if value[literal] < 0:
            blame(s.trail, s.clauses.arena, s.notes, numbers, literal)
            return REFUTED
        s.trail.starts[numbers[LEVEL]] = numbers[TRAIL_SIZE]
        numbers[LEVEL] += 1
        if value[literal] == 0:
            assign(s.trail, numbers, literal, NONE)
            return MORE
    return NONE


@tight_kernel
def decide(s: CdclState) -> Int:
    """Open a level with the most active variable, or a random one; FOUND if none is open, otherwise MORE."""
    numbers, trail = s.numbers, s.trail
    if s.rates[PICKING_AT_RANDOM] > 0:
        v = random_open(trail, s.order, s.random, numbers)
    else:
        v = next_open(trail, s.order, numbers)
    if v < 0:
        return FOUND
    numbers[DECISIONS] += 1
    trail.starts[numbers[LEVEL]] = numbers[TRAIL_SIZE]
    numbers[LEVEL] += 1
    assign(trail, numbers, 2 * v + trail.phase[v], NONE)
    return MORE
