"""Pure literals: those whose opposite is in no clause that is still open. See `dpll_state` for the arrays.

A clause is open until the first of its literals holds. Counts go down when literals on the trail are counted
and up again when they are taken back; a literal is put into the queue when its count comes to 0.
"""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.dpll.state import (
    ASKED,
    COUNTED,
    NONE,
    QUEUED,
    TRAIL,
    WORK,
    DpllState,
    Ints,
    Shorts,
    Signs,
)


@kernel(estimate=lambda s: 1e-6 * s.literals.size)
def load_occurrences(s: DpllState) -> None:
    """Note which clauses each literal is in; those in none are the first in the queue."""
    literals, starts, at, occurs, alive = s.literals, s.starts, s.at, s.occurs, s.alive
    for clause in range(starts.size - 1):
        s.holder[clause] = NONE
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            occurs[at[literal] + alive[literal]] = clause
            alive[literal] += 1
    for literal in range(alive.size):
        if alive[literal] == 0 and alive[literal ^ 1] > 0:
            s.queue[s.numbers[QUEUED]] = literal
            s.numbers[QUEUED] += 1


@kernel
def count_held(
    literals: Shorts,
    starts: Ints,
    at: Ints,
    occurs: Shorts,
    holder: Shorts,
    alive: Shorts,
    queue: Shorts,
    trail: Shorts,
    numbers: Ints,
) -> None:
    """Count the clauses that literals on the trail hold as no longer open."""
    queued = numbers[QUEUED]
    for place in range(numbers[COUNTED], numbers[TRAIL]):
        literal = trail[place]
        for i in range(at[literal], at[literal + 1]):
            clause = occurs[i]
            if holder[clause] != NONE:
                continue
            holder[clause] = literal
            numbers[WORK] += starts[clause + 1] - starts[clause]
            for j in range(starts[clause], starts[clause + 1]):
                alive[literals[j]] -= 1
                if alive[literals[j]] == 0:
                    queue[queued] = literals[j]
                    queued += 1
    numbers[COUNTED] = numbers[TRAIL]
    numbers[QUEUED] = queued


@kernel
def uncount_held(
    literals: Shorts,
    starts: Ints,
    at: Ints,
    occurs: Shorts,
    holder: Shorts,
    alive: Shorts,
    trail: Shorts,
    size: int,
    numbers: Ints,
) -> None:
    """Count them as open again, for all literals on the trail from `size` on.

    The queue had been emptied when the decision at `size` was made, and is so again.
    """
    for place in range(size, numbers[COUNTED]):
        literal = trail[place]
        for i in range(at[literal], at[literal + 1]):
            clause = occurs[i]
            if holder[clause] == literal:
                holder[clause] = NONE
                for j in range(starts[clause], starts[clause + 1]):
                    alive[literals[j]] += 1
    numbers[COUNTED] = min(size, numbers[COUNTED])
    numbers[ASKED] = numbers[QUEUED] = 0


@kernel
def next_pure(queue: Shorts, value: Signs, numbers: Ints) -> int:
    """An open literal whose opposite is in no open clause, or NONE; the queue is emptied up to there."""
    while numbers[ASKED] < numbers[QUEUED]:
        literal = queue[numbers[ASKED]]
        numbers[ASKED] += 1
        if value[literal] == 0:
            return int(literal ^ 1)
    numbers[ASKED] = numbers[QUEUED] = 0
    return NONE
