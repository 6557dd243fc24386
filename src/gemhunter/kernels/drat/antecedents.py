"""What each step of a proof rests on, and which of them the contradiction rests on in the end."""

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.drat.state import ADDED, ASSUMED, BROKEN, HINTS, TRAIL, Check, Ints, Shorts, Signs


@kernel
def explain(s: Check, clause: int, variable: int) -> None:
    """Write down what a clause rests on that is broken, or that is the reason for `variable`.

    `variable` is the number of variables for a broken clause.
    """
    trail, marked, hints, numbers = s.trail, s.marked, s.hints, s.numbers
    first, place, pending = numbers[HINTS], numbers[TRAIL], 0
    while True:
        if clause != ASSUMED:
            hints[numbers[HINTS]] = clause
            numbers[HINTS] += 1
            for i in range(s.starts[clause], s.ends[clause]):
                pending += mark(s.literals[i] >> 1, variable, marked, s.known, hints, numbers)
        if pending == 0:
            break
        place -= 1
        while not marked[trail[place] & -2]:
            place -= 1
        marked[trail[place] & -2] = 0
        pending -= 1
        variable = trail[place] >> 1
        clause = s.reason[variable]
    for i in range(first, numbers[HINTS]):
        if hints[i] < 0:
            marked[2 * (-1 - hints[i])] = 0


@kernel
def mark(variable: int, implied: int, marked: Signs, known: Signs, hints: Shorts, numbers: Ints) -> int:
    """Mark a variable that has to be explained; 1 if that is new and it is not known for good."""
    if variable == implied or marked[2 * variable]:
        return 0
    marked[2 * variable] = 1
    if not known[variable]:
        return 1
    hints[numbers[HINTS]] = -1 - variable
    numbers[HINTS] += 1
    return 0


@kernel(estimate=lambda s, *_: 1e-6 * s.literals.size)
def count_needed(s: Check, needed: Signs, stack: Shorts) -> int:
    """How many added clauses the contradiction rests on.

    `needed` has a place for each step and then one for each variable; `stack` has as many.
    """
    steps = s.kinds.size
    broken = s.numbers[BROKEN]
    height = visit(broken, steps, needed, stack, 0)
    for i in range(s.starts[broken], s.ends[broken]):
        height = visit(-1 - (s.literals[i] >> 1), steps, needed, stack, height)
    total = 0
    while height > 0:
        height -= 1
        place = stack[height]
        if place < steps:
            if s.kinds[place] == ADDED:
                total += 1
                for i in range(s.since[place], s.since[place + 1]):
                    height = visit(s.hints[i], steps, needed, stack, height)
            continue
        clause = s.reason[place - steps]
        height = visit(clause, steps, needed, stack, height)
        for i in range(s.starts[clause], s.ends[clause]):
            height = visit(-1 - (s.literals[i] >> 1), steps, needed, stack, height)
    return total


@kernel
def visit(hint: int, steps: int, needed: Signs, stack: Shorts, height: int) -> int:
    """Put a clause, or a variable that is known for good, on the stack once."""
    place = hint if hint >= 0 else steps - 1 - hint
    if needed[place]:
        return height
    needed[place] = 1
    stack[height] = place
    return height + 1
