"""The antecedents of each step of a proof, and how many steps the final conflict rests on."""

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.drat.state import (
    ADDED,
    ANTECEDENT_COUNT,
    ASSUMED,
    FALSE_COUNT,
    FINAL_CONFLICT,
    ProofCheck,
    Shorts,
    Signs,
)


@tight_kernel
def explain(s: ProofCheck, clause: int, variable: int) -> None:
    """Write down the antecedents of a conflict clause, or of the clause that is the reason for `variable`.

    `variable` is the number of variables for a conflict clause.
    """
    falsified, marked, antecedents, numbers = s.falsified, s.marked, s.antecedents, s.numbers
    first, at, pending = numbers[ANTECEDENT_COUNT], numbers[FALSE_COUNT], 0
    while True:
        if clause != ASSUMED:
            antecedents[numbers[ANTECEDENT_COUNT]] = clause
            numbers[ANTECEDENT_COUNT] += 1
            for i in range(s.starts[clause], s.ends[clause]):
                pending += mark(s, s.literals[i] >> 1, variable)
        if pending == 0:
            break
        # Go back to the latest marked variable, and explain that one.
        at -= 1
        while not marked[falsified[at] & -2]:
            at -= 1
        marked[falsified[at] & -2] = 0
        pending -= 1
        variable = falsified[at] >> 1
        clause = s.reason[variable]
    for i in range(first, numbers[ANTECEDENT_COUNT]):
        if antecedents[i] < 0:
            marked[2 * (-1 - antecedents[i])] = 0


@tight_kernel
def mark(s: ProofCheck, variable: int, implied: int) -> int:
    """Mark a variable; 1 if it has to be explained, which a permanent one has not: it is an antecedent."""
    if variable == implied or s.marked[2 * variable]:
        return 0
    s.marked[2 * variable] = 1
    if not s.is_permanent[variable]:
        return 1
    s.antecedents[s.numbers[ANTECEDENT_COUNT]] = -1 - variable
    s.numbers[ANTECEDENT_COUNT] += 1
    return 0


@kernel(estimate=lambda s, *_: 1e-6 * s.literals.size)
def count_needed(s: ProofCheck, needed: Signs, stack: Shorts) -> int:
    """How many added clauses the final conflict rests on.

    `needed` has a place for each step and then one for each variable; `stack` has as many.
    """
    steps = s.kinds.size
    conflict = s.numbers[FINAL_CONFLICT]
    height = visit(conflict, steps, needed, stack, 0)
    for i in range(s.starts[conflict], s.ends[conflict]):
        height = visit(-1 - (s.literals[i] >> 1), steps, needed, stack, height)
    total = 0
    while height > 0:
        height -= 1
        place = stack[height]
        if place < steps:
            if s.kinds[place] == ADDED:
                total += 1
                for i in range(s.antecedents_at[place], s.antecedents_at[place + 1]):
                    height = visit(s.antecedents[i], steps, needed, stack, height)
            continue
        clause = s.reason[place - steps]
        height = visit(clause, steps, needed, stack, height)
        for i in range(s.starts[clause], s.ends[clause]):
            height = visit(-1 - (s.literals[i] >> 1), steps, needed, stack, height)
    return total


@kernel
def visit(antecedent: int, steps: int, needed: Signs, stack: Shorts, height: int) -> int:
    """Put a clause, or a permanent variable, on the stack if it has not been there; the new height."""
    place = antecedent if antecedent >= 0 else steps - 1 - antecedent
    if needed[place]:
        return height
    needed[place] = 1
    stack[height] = place
    return height + 1
