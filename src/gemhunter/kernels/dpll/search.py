"""DPLL: propagate, look for pure literals, decide, and take the last decision back when a clause breaks.

A small machine rather than a recursion: `numbers[NEXT]` says what it does next, so that it can be stopped
after any step and looked at. See `dpll_state` for the arrays.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.dpll.clauses import first_clause, first_variable, from_shortest, heaviest, propagate
from gemhunter.kernels.dpll.pure_literals import count_held, next_pure, uncount_held
from gemhunter.kernels.dpll.state import (
    BACKTRACK,
    CLASH,
    CONFLICTS,
    CURSOR,
    DECIDE,
    DECIDED,
    DECISIONS,
    DEEPEST,
    FIRST,
    FLIPPED,
    HEAD,
    LEVEL,
    LOGGED,
    LONELY,
    NEXT,
    NONE,
    PROPAGATE,
    PURE,
    PURES,
    RULE,
    SHORTEST,
    SIGN,
    TRAIL,
    UNFINISHED,
    WORK,
    DpllState,
    Flags,
    Ints,
    Shorts,
    Signs,
)

FOUND, EXHAUSTED, MORE, PAUSED, TOO_DEEP, LOG_FULL = range(1, 7)


@kernel(estimate=lambda s, *_: 2e-6 * s.literals.size)
def search(s: DpllState, steps: int, pause: bool) -> int:
    """Go on until `steps` decisions have been made and another one is due, or much work is done: MORE.

    FOUND if there is nothing left to decide, EXHAUSTED if no decision is left to take back, TOO_DEEP if
    the next decision would be deeper than allowed, LOG_FULL if `log` has to be emptied first. With `pause`,
    PAUSED after everything that `numbers[NEXT]` names.
    """
    numbers, value, trail, reason = s.numbers, s.value, s.trail, s.reason
    decided, resume, flipped = s.decided, s.resume, s.flipped
    last = numbers[DECISIONS] + steps
    numbers[WORK] = 0
    while True:
        if numbers[NEXT] == PROPAGATE:
            clash = propagate(s.literals, s.starts, s.pool, s.at, s.watched, value, reason, trail, numbers)
            if clash == UNFINISHED:
                return MORE
            numbers[CLASH] = clash
            if clash != NONE:
                numbers[NEXT] = BACKTRACK
            else:
                numbers[NEXT] = PURE if s.alive.size else DECIDE
        elif numbers[NEXT] == PURE:
            if not room_in(s.log, numbers):
                return LOG_FULL
            count_held(s.literals, s.starts, s.at, s.occurs, s.holder, s.alive, s.queue, trail, numbers)
            literal = next_pure(s.queue, value, numbers)
            numbers[NEXT] = DECIDE if literal == NONE else PROPAGATE
            if literal != NONE:
                log_clause(s.log, literal, decided, flipped, trail, numbers)
                assign(literal, LONELY, value, reason, trail, numbers)
                numbers[PURES] += 1
        elif numbers[NEXT] == DECIDE:
            cursor = numbers[CURSOR]
            if numbers[RULE] == FIRST:
                cursor = first_variable(s.at, value, cursor)
                done = 2 * cursor == value.size
            else:
                cursor = first_clause(s.literals, s.starts, value, cursor, numbers)
                done = cursor == s.starts.size - 1
            numbers[CURSOR] = cursor
            if done:
                return FOUND
            if numbers[DECISIONS] == last:
                return MORE
            level = numbers[LEVEL]
            if numbers[DEEPEST] and level == numbers[DEEPEST]:
                return TOO_DEEP
            if numbers[RULE] == FIRST:
                literal = 2 * cursor + numbers[SIGN]
            elif numbers[RULE] == SHORTEST:
                variable = from_shortest(s.literals, s.starts, value, cursor, numbers) >> 1
                literal = 2 * variable + numbers[SIGN]
            else:
                literal = heaviest(s.literals, s.starts, value, cursor, s.score, numbers)
            decided[level] = numbers[TRAIL]
            resume[level] = cursor
            flipped[level] = False
            numbers[LEVEL] = level + 1
            numbers[DECISIONS] += 1
            assign(literal, DECIDED, value, reason, trail, numbers)
            numbers[NEXT] = PROPAGATE
        else:
            if not room_in(s.log, numbers):
                return LOG_FULL
            level = numbers[LEVEL]
            log_clause(s.log, NONE, decided, flipped, trail, numbers)
            while level > 0 and flipped[level - 1]:
                level -= 1
            numbers[LEVEL] = level
            numbers[CONFLICTS] += 1
            if level == 0:
                return EXHAUSTED
            size = decided[level - 1]
            literal = trail[size]
            if s.alive.size:
                uncount_held(s.literals, s.starts, s.at, s.occurs, s.holder, s.alive, trail, size, numbers)
            take_back(size, value, trail, numbers)
            flipped[level - 1] = True
            numbers[CURSOR] = resume[level - 1]
            assign(literal ^ 1, FLIPPED, value, reason, trail, numbers)
            numbers[NEXT] = PROPAGATE
        if pause:
            return PAUSED


@kernel
def assign(literal: int, why: int, value: Signs, reason: Shorts, trail: Shorts, numbers: Ints) -> None:
    """Let a literal hold."""
    value[literal] = 1
    value[literal ^ 1] = -1
    reason[literal >> 1] = why
    trail[numbers[TRAIL]] = literal
    numbers[TRAIL] += 1


@kernel
def take_back(size: int, value: Signs, trail: Shorts, numbers: Ints) -> None:
    """Open the literals that were put on the trail last, until `size` are left."""
    for i in range(size, numbers[TRAIL]):
        value[trail[i]] = 0
        value[trail[i] ^ 1] = 0
    numbers[TRAIL] = size
    numbers[HEAD] = min(numbers[HEAD], size)


@kernel
def room_in(log: Shorts, numbers: Ints) -> bool:
    """Whether one more clause fits into the log; always, if nothing is logged."""
    return not log.size or numbers[LOGGED] + numbers[LEVEL] + 2 <= log.size


@kernel
def log_clause(
    log: Shorts, literal: int, decided: Shorts, flipped: Flags, trail: Shorts, numbers: Ints
) -> None:
    """Log that the decisions not yet flipped cannot all hold, or, with a literal, that they lead to it.

    Flipped decisions follow from the others by the clauses that were logged when they were flipped.
    """
    if not log.size:
        return
    at = numbers[LOGGED]
    if literal != NONE:
        log[at] = signed(literal)
        at += 1
    for level in range(numbers[LEVEL]):
        if not flipped[level]:
            log[at] = signed(trail[decided[level]] ^ 1)
            at += 1
    log[at] = 0
    numbers[LOGGED] = at + 1


@kernel
def signed(literal: int) -> int:
    """The number of a literal in DIMACS."""
    return -(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1
