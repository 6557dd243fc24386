"""Checks the steps of a DRAT proof forwards, one after another.

A clause may be added if unit propagation finds a conflict when all its literals are assumed false (RUP), or
if it does so for the clause together with the rest of each clause that has the negation of its first
literal (RAT). A tautology is added but never used. A deletion names its clause by its literals. It is ignored
if there is no such clause, or if one literal of the clause is true and all others are false for good, as
drat-trim does: the clause may be the reason for that literal.
"""

from gemhunter.compiling.kernel import kernel, tight_kernel
from gemhunter.kernels.codes import GROW, MORE, NONE
from gemhunter.kernels.drat.antecedents import explain
from gemhunter.kernels.drat.clauses import attach, delete, drop_repeated, register
from gemhunter.kernels.drat.propagate import falsify, propagate, retract
from gemhunter.kernels.drat.state import (
    ADDED,
    ANTECEDENT_COUNT,
    ASSUMED,
    CHECK_WORK,
    CURRENT_STEP,
    DELETION,
    FALSE_COUNT,
    FINAL_CONFLICT,
    LISTED_STEPS,
    NO_SPACE,
    ORIGINAL,
    PERMANENT_COUNT,
    TAUTOLOGY,
    ProofCheck,
)

ACCEPTED, REJECTED, ENDED = 6, 7, 8
"""Why a check returned, besides MORE and GROW: the proof is right, the current step does not follow, or all
steps follow without a final conflict."""

FOLLOWS, FAILS, SPACE_NEEDED = range(3)
"""Whether a clause follows; SPACE_NEEDED asks for more space."""


@kernel(estimate=lambda _, work: 2e-7 * work)
def check(s: ProofCheck, work: int) -> int:
    """Continue the check for about `work`: ACCEPTED, REJECTED, ENDED, MORE or GROW.

    GROW asks for more space for watches and antecedents.
    """
    numbers, starts = s.numbers, s.starts
    numbers[CHECK_WORK] = 0
    while True:
        # Propagate what the clauses so far decide for good.
        conflict = propagate(s)
        if conflict == NO_SPACE:
            return GROW
        for i in range(numbers[PERMANENT_COUNT], numbers[FALSE_COUNT]):
            s.is_permanent[s.falsified[i] >> 1] = 1
        numbers[PERMANENT_COUNT] = numbers[FALSE_COUNT]
        step = numbers[CURRENT_STEP]
        s.antecedents_at[step] = numbers[ANTECEDENT_COUNT]
        if conflict >= 0:
            numbers[FINAL_CONFLICT] = conflict
            return ACCEPTED
        if step == s.kinds.size:
            return ENDED
        if numbers[CHECK_WORK] >= work:
            return MORE
        # Carry out the next step: delete a clause, or check one and add it.
        numbers[CHECK_WORK] += 1 + starts[step + 1] - starts[step]
        end = drop_repeated(s, starts[step], starts[step + 1])
        if s.kinds[step] == DELETION:
            delete(s, step, abs(end))
        elif end < 0:
            s.kinds[step] = TAUTOLOGY
            register(s, step, -end)
        else:
            if s.kinds[step] == ADDED:
                answer = follows(s, step, end)
                retract(s, numbers[PERMANENT_COUNT])
                if answer != FOLLOWS:
                    return REJECTED if answer == FAILS else GROW
            if not attach(s, step, end):
                return GROW
            register(s, step, end)
            if numbers[FINAL_CONFLICT] != NONE:
                numbers[CURRENT_STEP] += 1
                s.antecedents_at[step + 1] = numbers[ANTECEDENT_COUNT]
                return ACCEPTED
        numbers[CURRENT_STEP] += 1


@tight_kernel
def follows(s: ProofCheck, step: int, end: int) -> int:
    """Whether a clause may be added: FOLLOWS, FAILS or SPACE_NEEDED; its literals may be false afterwards."""
    literals, is_false, numbers = s.literals, s.is_false, s.numbers
    if s.antecedents.size - numbers[ANTECEDENT_COUNT] < s.is_permanent.size + 2:
        return SPACE_NEEDED
    start = s.starts[step]
    for i in range(start, end):
        literal = literals[i]
        if is_false[literal ^ 1]:
            s.antecedents[numbers[ANTECEDENT_COUNT]] = -1 - (literal >> 1)
            numbers[ANTECEDENT_COUNT] += 1
            return FOLLOWS
        if not is_false[literal]:
            falsify(s, literal, ASSUMED)
    conflict = propagate(s)
    if conflict >= 0:
        explain(s, conflict, s.is_permanent.size)
        return FOLLOWS
    if conflict == NO_SPACE:
        return SPACE_NEEDED
    return FAILS if end == start else is_rat(s, step, literals[start])


@tight_kernel
def is_rat(s: ProofCheck, step: int, pivot: int) -> int:
    """Whether a clause whose literals are false already is RAT on `pivot`: FOLLOWS, FAILS or SPACE_NEEDED."""
    literals, starts, ends, is_false, numbers = s.literals, s.starts, s.ends, s.is_false, s.numbers
    assumed = numbers[FALSE_COUNT]
    list_occurrences(s, step)
    before, place = NONE, s.first_occurrence[pivot ^ 1]
    while place != NONE:
        clause = s.owner[place]
        numbers[CHECK_WORK] += 1
        if starts[clause] == ends[clause]:
            place = unlink(s, pivot ^ 1, before, place)
            continue
        before, place = place, s.next_occurrence[place]
        if s.antecedents.size - numbers[ANTECEDENT_COUNT] < s.is_permanent.size + 2:
            numbers[ANTECEDENT_COUNT] = s.antecedents_at[step]
            return SPACE_NEEDED
        # Assume that the other literals of this clause are false too; one of them may be true already.
        satisfied = False
        variable = s.is_permanent.size
        for i in range(starts[clause], ends[clause]):
            literal = literals[i]
            if is_false[literal ^ 1]:
                if literal != pivot ^ 1:
                    satisfied = True
                    variable = literal >> 1
            elif not is_false[literal]:
                falsify(s, literal, ASSUMED)
        if not satisfied:
            conflict = propagate(s)
            if conflict < 0:
                numbers[ANTECEDENT_COUNT] = s.antecedents_at[step]
                return SPACE_NEEDED if conflict == NO_SPACE else FAILS
            explain(s, conflict, variable)
        elif s.is_permanent[variable]:
            s.antecedents[numbers[ANTECEDENT_COUNT]] = -1 - variable
            numbers[ANTECEDENT_COUNT] += 1
        else:
            explain(s, s.reason[variable], variable)
        retract(s, assumed)
    return FOLLOWS


@tight_kernel
def list_occurrences(s: ProofCheck, step: int) -> None:
    """Put the literals of all clauses before `step` into the lists of occurrences, which only RAT needs."""
    for clause in range(s.numbers[LISTED_STEPS], step):
        if s.kinds[clause] != ORIGINAL and s.kinds[clause] != ADDED:
            continue
        s.numbers[CHECK_WORK] += 1
        for i in range(s.starts[clause], s.ends[clause]):
            s.next_occurrence[i] = s.first_occurrence[s.literals[i]]
            s.first_occurrence[s.literals[i]] = i
    s.numbers[LISTED_STEPS] = step


@tight_kernel
def unlink(s: ProofCheck, literal: int, before: int, place: int) -> int:
    """Take a deleted clause out of the list of a literal; the place after it."""
    following = s.next_occurrence[place]
    if before == NONE:
        s.first_occurrence[literal] = following
    else:
        s.next_occurrence[before] = following
    return int(following)
