"""The CDCL search: propagate, analyse, learn, decide."""

import numpy as np

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.cdcl.analyse import (
    analyse,
    analyse_final,
    find_backjump_level,
    glue_of,
    minimise,
    resolve_to_decisions,
)
from gemhunter.kernels.cdcl.decision_order import (
    backjump,
    bump_activities,
    next_unassigned,
    random_unassigned,
    reusable_level,
)
from gemhunter.kernels.cdcl.propagate import assign, propagate
from gemhunter.kernels.cdcl.reduce import reduce
from gemhunter.kernels.cdcl.state import (
    ANALYSE,
    ARENA_SIZE,
    AVERAGE_GLUE,
    BACKJUMP_LEVEL,
    BINARY,
    BINARY_USED,
    CLAUSE_COUNT,
    CLAUSE_HEADER,
    COMPACT,
    CORE_SIZE,
    DECISIONS,
    FULL_LIST,
    GLUE_RESTARTS,
    LEARN,
    LEARNED_LITERAL_COUNT,
    LEARNED_SIZE,
    LEARNING_SCHEME,
    LIST_FULL,
    LUBY_RESTARTS,
    MINIMISATION,
    PROOF_SIZE,
    RANDOM_DECISIONS,
    RECENT_GLUE,
    REDUCE,
    REDUCE_AT,
    RESTART_AT,
    RESTART_COUNT,
    RESTART_POLICY,
    RESTART_UNIT,
    WATCHES_USED,
    CdclState,
    Int,
    Rates,
)
from gemhunter.kernels.cdcl.watches import add_clause, compact_watches, log_step, move_to_end, watch
from gemhunter.kernels.codes import (
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
    TRAIL_SIZE,
)

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
