"""Pure literals: those whose negation is in no unsatisfied clause. See `state` for the arrays.

A clause counts as unsatisfied until one of its literals is true. Counts go down when literals of the trail
are counted and up again when they are unassigned; a literal joins the queue when its count comes to 0.
"""

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.codes import (
    NONE,
    TRAIL_SIZE,
)
from gemhunter.kernels.dpll.state import (
    COUNTED_LITERALS,
    PURE_QUEUE_HEAD,
    PURE_QUEUE_SIZE,
    WORK_DONE,
    DpllState,
    Ints,
    Shorts,
    Signs,
)


@kernel(estimate=lambda s: 1e-6 * s.literals.size)
def load_occurrences(s: DpllState) -> None:
    """List the clauses of each literal; a literal that is in none joins the queue."""
    literals, starts, at, occurrences, unsatisfied_count = (
        s.literals,
        s.starts,
        s.at,
        s.occurrences,
        s.unsatisfied_count,
    )
    for clause in range(starts.size - 1):
        s.satisfied_by[clause] = NONE
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            occurrences[at[literal] + unsatisfied_count[literal]] = clause
            unsatisfied_count[literal] += 1
    for literal in range(unsatisfied_count.size):
        if unsatisfied_count[literal] == 0 and unsatisfied_count[literal ^ 1] > 0:
            s.queue[s.numbers[PURE_QUEUE_SIZE]] = literal
            s.numbers[PURE_QUEUE_SIZE] += 1


@tight_kernel
def count_satisfied(s: DpllState) -> None:
    """Count the clauses that literals on the trail satisfy as no longer unsatisfied."""
    literals, starts, at, occurrences = s.literals, s.starts, s.at, s.occurrences
    satisfied_by, unsatisfied_count, queue, trail, numbers = (
        s.satisfied_by,
        s.unsatisfied_count,
        s.queue,
        s.trail,
        s.numbers,
    )
    queued = numbers[PURE_QUEUE_SIZE]
    for place in range(numbers[COUNTED_LITERALS], numbers[TRAIL_SIZE]):
        literal = trail[place]
        for i in range(at[literal], at[literal + 1]):
            clause = occurrences[i]
            if satisfied_by[clause] != NONE:
                continue
            satisfied_by[clause] = literal
            numbers[WORK_DONE] += starts[clause + 1] - starts[clause]
            for j in range(starts[clause], starts[clause + 1]):
                unsatisfied_count[literals[j]] -= 1
                if unsatisfied_count[literals[j]] == 0:
                    queue[queued] = literals[j]
                    queued += 1
    numbers[COUNTED_LITERALS] = numbers[TRAIL_SIZE]
    numbers[PURE_QUEUE_SIZE] = queued


@tight_kernel
def uncount_satisfied(s: DpllState, size: int) -> None:
    """Count the clauses that only literals on the trail from `size` on satisfy as unsatisfied again.

    The queue was empty when the decision at `size` was made, and is emptied again.
    """
    literals, starts, at, occurrences = s.literals, s.starts, s.at, s.occurrences
    satisfied_by, unsatisfied_count, trail, numbers = s.satisfied_by, s.unsatisfied_count, s.trail, s.numbers
    for place in range(size, numbers[COUNTED_LITERALS]):
        literal = trail[place]
        for i in range(at[literal], at[literal + 1]):
            clause = occurrences[i]
            if satisfied_by[clause] == literal:
                satisfied_by[clause] = NONE
                for j in range(starts[clause], starts[clause + 1]):
                    unsatisfied_count[literals[j]] += 1
    numbers[COUNTED_LITERALS] = min(size, numbers[COUNTED_LITERALS])
    numbers[PURE_QUEUE_HEAD] = numbers[PURE_QUEUE_SIZE] = 0


@kernel
def next_pure(queue: Shorts, value: Signs, numbers: Ints) -> int:
    """The next unassigned pure literal, or NONE; literals before it leave the queue."""
    while numbers[PURE_QUEUE_HEAD] < numbers[PURE_QUEUE_SIZE]:
        literal = queue[numbers[PURE_QUEUE_HEAD]]
        numbers[PURE_QUEUE_HEAD] += 1
        if value[literal] == 0:
            return int(literal ^ 1)
    numbers[PURE_QUEUE_HEAD] = numbers[PURE_QUEUE_SIZE] = 0
    return NONE
