"""DPLL: propagate, find pure literals, decide, and flip the last decision after a conflict.

A state machine instead of a recursion: `numbers[NEXT_STEP]` says what it does next, so that it can stop after
any step. See `state` for the arrays.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import (
    CONFLICT_CLAUSE,
    CONFLICT_COUNT,
    DECIDE,
    DECISION_COUNT,
    DECISION_LEVEL,
    EXHAUSTED,
    FOUND,
    MORE,
    NEXT_STEP,
    NONE,
    PAUSED,
    PROPAGATE,
    QUEUE_HEAD,
    TRAIL_SIZE,
)
from gemhunter.kernels.dpll.clauses import (
    first_unsatisfied,
    first_variable,
    jeroslow_wang,
    literal_of_shortest,
    propagate,
)
from gemhunter.kernels.dpll.pure_literals import count_satisfied, next_pure, uncount_satisfied
from gemhunter.kernels.dpll.state import (
    BACKTRACK,
    DECIDED,
    DECISION_CURSOR,
    DECISION_RULE,
    DEPTH_LIMIT,
    FIND_PURE,
    FIRST_SIGN,
    FIRST_VARIABLE,
    FLIPPED,
    LOG_FULL,
    LOG_SIZE,
    PURE_COUNT,
    PURE_LITERAL,
    SHORTEST_CLAUSE,
    SLICE_OVER,
    TOO_DEEP,
    WORK_DONE,
    DpllState,
    Flags,
    Ints,
    Shorts,
    Signs,
)


@kernel(estimate=lambda s, *_: 2e-6 * s.literals.size)
def search(s: DpllState, steps: int, pause: bool) -> int:
    """Continue until `steps` decisions have been made and another is due, or the work limit is reached: MORE.

    FOUND if nothing is left to decide, EXHAUSTED if no decision is left to flip, TOO_DEEP or LOG_FULL. With
    `pause`, PAUSED after each step.
    """
    numbers, value, trail, reason = s.numbers, s.value, s.trail, s.reason
    decided, resume, flipped = s.decided, s.resume, s.flipped
    last = numbers[DECISION_COUNT] + steps
    numbers[WORK_DONE] = 0
    while True:
        # Unit propagation, until a conflict or until nothing more is implied.
        if numbers[NEXT_STEP] == PROPAGATE:
            conflict = propagate(
                s.literals, s.starts, s.watches, s.at, s.watch_count, value, reason, trail, numbers
            )
            if conflict == SLICE_OVER:
                return MORE
            numbers[CONFLICT_CLAUSE] = conflict
            if conflict != NONE:
                numbers[NEXT_STEP] = BACKTRACK
            else:
                numbers[NEXT_STEP] = FIND_PURE if s.unsatisfied_count.size else DECIDE
        # A pure literal can be made true without a decision.
        elif numbers[NEXT_STEP] == FIND_PURE:
            if not has_log_room(s.log, numbers):
                return LOG_FULL
            count_satisfied(s)
            literal = next_pure(s.queue, value, numbers)
            numbers[NEXT_STEP] = DECIDE if literal == NONE else PROPAGATE
            if literal != NONE:
                log_clause(s.log, literal, decided, flipped, trail, numbers)
                assign(literal, PURE_LITERAL, value, reason, trail, numbers)
                numbers[PURE_COUNT] += 1
        # Without any, a decision opens the next level; all clauses may be satisfied already.
        elif numbers[NEXT_STEP] == DECIDE:
            cursor = numbers[DECISION_CURSOR]
            if numbers[DECISION_RULE] == FIRST_VARIABLE:
                cursor = first_variable(s.at, value, cursor)
                done = 2 * cursor == value.size
            else:
                cursor = first_unsatisfied(s.literals, s.starts, value, cursor, numbers)
                done = cursor == s.starts.size - 1
            numbers[DECISION_CURSOR] = cursor
            if done:
                return FOUND
            if numbers[DECISION_COUNT] == last:
                return MORE
            level = numbers[DECISION_LEVEL]
            if numbers[DEPTH_LIMIT] and level == numbers[DEPTH_LIMIT]:
                return TOO_DEEP
            if numbers[DECISION_RULE] == FIRST_VARIABLE:
                literal = 2 * cursor + numbers[FIRST_SIGN]
            elif numbers[DECISION_RULE] == SHORTEST_CLAUSE:
                variable = literal_of_shortest(s.literals, s.starts, value, cursor, numbers) >> 1
                literal = 2 * variable + numbers[FIRST_SIGN]
            else:
                literal = jeroslow_wang(s.literals, s.starts, value, cursor, s.score, numbers)
            decided[level] = numbers[TRAIL_SIZE]
            resume[level] = cursor
            flipped[level] = False
            numbers[DECISION_LEVEL] = level + 1
            numbers[DECISION_COUNT] += 1
            assign(literal, DECIDED, value, reason, trail, numbers)
            numbers[NEXT_STEP] = PROPAGATE
        # After a conflict, levels flipped before are undone, and the latest other decision is flipped.
        else:
            if not has_log_room(s.log, numbers):
                return LOG_FULL
            level = numbers[DECISION_LEVEL]
            log_clause(s.log, NONE, decided, flipped, trail, numbers)
            while level > 0 and flipped[level - 1]:
                level -= 1
            numbers[DECISION_LEVEL] = level
            numbers[CONFLICT_COUNT] += 1
            if level == 0:
                return EXHAUSTED
            size = decided[level - 1]
            literal = trail[size]
            if s.unsatisfied_count.size:
                uncount_satisfied(s, size)
            backtrack_to(size, value, trail, numbers)
            flipped[level - 1] = True
            numbers[DECISION_CURSOR] = resume[level - 1]
            assign(literal ^ 1, FLIPPED, value, reason, trail, numbers)
            numbers[NEXT_STEP] = PROPAGATE
        if pause:
            return PAUSED


@kernel
def assign(literal: int, why: int, value: Signs, reason: Shorts, trail: Shorts, numbers: Ints) -> None:
    """Make a literal true."""
    value[literal] = 1
    value[literal ^ 1] = -1
    reason[literal >> 1] = why
    trail[numbers[TRAIL_SIZE]] = literal
    numbers[TRAIL_SIZE] += 1


@kernel
def backtrack_to(size: int, value: Signs, trail: Shorts, numbers: Ints) -> None:
    """Unassign the latest literals on the trail, until `size` are left."""
    for i in range(size, numbers[TRAIL_SIZE]):
        value[trail[i]] = 0
        value[trail[i] ^ 1] = 0
    numbers[TRAIL_SIZE] = size
    numbers[QUEUE_HEAD] = min(numbers[QUEUE_HEAD], size)


@kernel
def has_log_room(log: Shorts, numbers: Ints) -> bool:
    """Whether the log has room for one more clause, or no proof is wanted."""
    return not log.size or numbers[LOG_SIZE] + numbers[DECISION_LEVEL] + 2 <= log.size


@kernel
def log_clause(
    log: Shorts, literal: int, decided: Shorts, flipped: Flags, trail: Shorts, numbers: Ints
) -> None:
    """Log that the decisions not yet flipped cannot all be true or, with a literal, that they imply it.

    Flipped decisions follow from the others by the clauses that were logged when they were flipped.
    """
    if not log.size:
        return
    at = numbers[LOG_SIZE]
    if literal != NONE:
        log[at] = signed(literal)
        at += 1
    for level in range(numbers[DECISION_LEVEL]):
        if not flipped[level]:
            log[at] = signed(trail[decided[level]] ^ 1)
            at += 1
    log[at] = 0
    numbers[LOG_SIZE] = at + 1


@kernel
def signed(literal: int) -> int:
    """The number of a literal in DIMACS."""
    return -(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1
