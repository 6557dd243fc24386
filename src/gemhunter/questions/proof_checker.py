"""The question "does this proof show that there is no solution?".

The checker shares no code and no data layout with the engines: it has its own clauses and its own
propagation, so that a bug in an engine cannot hide itself here. It checks the steps of a DRAT proof forwards;
read `check_formula_proof` first, then the kernel `check`.
"""

from dataclasses import dataclass
from typing import NamedTuple, NoReturn, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.board.grid import Grid, require_grid
from gemhunter.cnf.drat import Proof
from gemhunter.cnf.encode import encode
from gemhunter.cnf.formula import Cnf
from gemhunter.jit.kernel import Ints, Shorts, Signs, kernel, tight_kernel
from gemhunter.jit.search_state import GROW, MORE, NONE
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run


class _NoVerdictTruth:
    """A verdict is not a truth value: `if check_proof(…):` would accept a rejected proof."""

    __slots__ = ()

    def __bool__(self) -> NoReturn:
        raise TypeError("a verdict is neither true nor false; match it: Accepted, Rejected or GaveUp")


@dataclass(frozen=True, slots=True)
class Accepted(_NoVerdictTruth):
    """The proof shows that there is no solution.

    Before the conflict, `checked` clauses were shown to follow and added. `passed_over` deletions were not
    carried out.
    """

    checked: int
    passed_over: int = 0


@dataclass(frozen=True, slots=True)
class Rejected(_NoVerdictTruth):
    """The proof shows nothing: `step`, counted from 1, is the first that does not follow.

    It is None if all steps follow, but do not lead to a conflict.
    """

    step: int | None
    reason: str


Verdict: TypeAlias = Accepted | Rejected | GaveUp


def check_proof(
    grid: Grid,
    proof: Proof,
    total: int | None = None,
    encoding: str = "binomial",
    *,
    run: Run | None = None,
) -> Verdict:
    """Whether `proof` shows that `grid`, with `total` traps in all if that is known, has no solution.

    It is checked against the clauses of `encode(grid, encoding, total=total)`, with code that no engine uses.
    """
    require_grid(grid)
    return check_formula_proof(encode(grid, encoding, total=total), proof, run=run)


def check_formula_proof(cnf: Cnf, proof: Proof, *, run: Run | None = None) -> Verdict:
    """Whether `proof` shows that `cnf` has no model.

    Every added clause must follow, by RUP or by RAT on its first literal, until unit propagation alone finds
    a conflict. `run` can watch, limit and cancel the check; its steps are those of the proof.
    """
    run = run or Run()
    if not run.fits(_bytes_to_begin(cnf, proof)):
        return GaveUp(StopReason.MEMORY)
    state = _beginning(cnf, proof)
    sizes = run.slice_sizes(50_000)  # watches before the first look at the clock
    while True:
        before = max(int(state.numbers[CURRENT_STEP]) - cnf.size, 0)
        code = check(state, next(sizes))
        steps = max(int(state.numbers[CURRENT_STEP]) - cnf.size, 0)
        limit = run.spend(steps - before)
        if code == REJECTED:
            return Rejected(steps + 1, _why_rejected(proof, steps))
        if code == ENDED:
            return Rejected(None, "all steps follow, but they do not end in a conflict")
        if code == ACCEPTED:
            checked = np.count_nonzero(state.kinds[cnf.size : cnf.size + steps] == ADDED)
            return Accepted(int(checked), int(state.numbers[IGNORED_DELETIONS]))
        if code == GROW:
            if not run.fits(sum(array.nbytes for array in (*state, state.watch_place, state.watch_blocker))):
                return GaveUp(StopReason.MEMORY)
            state = _with_more_space(state)
        if limit is not None:
            return GaveUp(limit)


def _why_rejected(proof: Proof, index: int) -> str:
    start, end = proof.starts[index : index + 2]
    if start == end:
        return "unit propagation finds no conflict, so the empty clause does not follow"
    first = proof.literals[start]
    return f"the clause does not follow by unit propagation, nor is it RAT on its first literal, {first}"


# The state of a proof check: flat arrays, and what the numbers in them mean.
#
# Literal 2v says that variable v is true, 2v+1 is its negation. Of the assignment, the checker keeps only the
# set of false literals: a literal is true if its negation is false, and unassigned if neither is.


# The scalars of a check: places in `ProofCheck.numbers`.
CURRENT_STEP = 0  # the step to be checked next
FALSE_COUNT = 1  # literals in `falsified`
PROPAGATED_COUNT = 2  # those of them that have been propagated
PERMANENT_COUNT = 3  # those of them that are false for good, not only under the assumption of a check
WATCHES_TAKEN = 4  # entries of `watch_place` and `watch_blocker` in use, gaps included
CHECK_WORK = 5  # work done in this slice: watches, literals and clauses looked at
FINAL_CONFLICT = 6  # the clause that is false for good, or NONE
IGNORED_DELETIONS = 7  # deletions that were not carried out
LISTED_STEPS = 8  # steps whose literals are in the lists of occurrences

ORIGINAL, ADDED, DELETION, TAUTOLOGY = range(4)
"""Kinds of steps: clauses of the formula, which come first, clauses that the proof adds, and deletions. When
its turn comes, a clause with a variable and its negation becomes a TAUTOLOGY."""

NO_SPACE = -2  # instead of a conflict clause: propagation stopped because the arrays of watches are full
DELETED = -1  # instead of the first literal of a deleted clause


class ProofCheck(NamedTuple):
    """The state of a check between two slices.

    Step c has the literals from `starts[c]` to `starts[c+1]`. As a clause it ends at `ends[c]`, and after its
    deletion it is empty. `owner` has the step that each place of `literals` belongs to.

    `falsified` has the false literals in order, and `is_false` marks them. `marked` is working space.

    The first two literals of a clause are watched. The watches of literal l are the entries from
    `watches_at[l]` on, `watch_count[l]` of them, with room for `watch_room[l]`. An entry points straight at
    the literals: `watch_place` has the place of the first literal, or -1 less that place for a binary clause,
    and `watch_blocker` another literal of the clause, which satisfies it if it is true.

    Clauses are listed by the last bits of their `fingerprints`, the exclusive or of the `random_words` of
    their literals: `buckets` has the first clause of each list, and `next_in_bucket` the next one.

    The occurrences of literal l are a list of places in `literals`: `first_occurrence[l]` is the first, and
    `next_occurrence` has the next one for each.
    """

    kinds: Signs
    literals: Shorts
    starts: Ints
    ends: Ints
    owner: Shorts
    is_false: Signs
    falsified: Shorts
    marked: Signs
    watch_place: Shorts
    watch_blocker: Shorts
    watches_at: Ints
    watch_count: Shorts
    watch_room: Shorts
    random_words: Ints
    fingerprints: Ints
    buckets: Shorts
    next_in_bucket: Shorts
    first_occurrence: Shorts
    next_occurrence: Shorts
    numbers: Ints


FIRST_SPACE = 2**15  # entries of the arrays of watches, which double when they are full


def _bytes_to_begin(cnf: Cnf, proof: Proof) -> int:
    """The bytes that a check takes at first, if each literal of the proof has its own variable."""
    literals, steps = cnf.literals.size + proof.literals.size, cnf.size + proof.size
    variables = cnf.variables + proof.literals.size
    return 20 * literals + 50 * steps + 60 * variables + 8 * FIRST_SPACE


def _beginning(cnf: Cnf, proof: Proof) -> ProofCheck:
    """A check before its first step: the steps are the clauses of the formula, then those of the proof."""
    literals, variables = _numbered(np.concatenate([cnf.literals, proof.literals]), cnf.variables)
    starts = np.concatenate([cnf.starts, proof.starts[1:] + cnf.literals.size])
    kinds = np.where(proof.deletes, DELETION, ADDED)
    steps = cnf.size + proof.size
    numbers = np.zeros(LISTED_STEPS + 1, np.int64)
    numbers[FINAL_CONFLICT] = NONE
    return ProofCheck(
        kinds=np.concatenate([np.full(cnf.size, ORIGINAL), kinds]).astype(np.int8),
        literals=literals,
        starts=starts,
        ends=starts[:-1].copy(),
        owner=np.repeat(np.arange(steps, dtype=np.int32), np.diff(starts)),
        is_false=np.zeros(2 * variables, np.int8),
        falsified=np.zeros(variables, np.int32),
        marked=np.zeros(2 * variables, np.int8),
        watch_place=np.zeros(FIRST_SPACE, np.int32),
        watch_blocker=np.zeros(FIRST_SPACE, np.int32),
        watches_at=np.zeros(2 * variables, np.int64),
        watch_count=np.zeros(2 * variables, np.int32),
        watch_room=np.zeros(2 * variables, np.int32),
        random_words=np.random.default_rng(0).integers(2**62, size=2 * variables),
        fingerprints=np.zeros(steps, np.int64),
        buckets=np.full(1 << max(steps, 1).bit_length(), NONE, np.int32),
        next_in_bucket=np.full(steps, NONE, np.int32),
        first_occurrence=np.full(2 * variables, NONE, np.int32),
        next_occurrence=np.full(literals.size, NONE, np.int32),
        numbers=numbers,
    )


def _numbered(literals: NDArray[np.int32], variables: int) -> tuple[NDArray[np.int32], int]:
    """Literal v as 2v-2 and -v as 2v-1, and the number of variables.

    New variables in a proof may have any numbers; they are renumbered to the next free ones.
    """
    numbers = np.abs(literals.astype(np.int64)) - 1
    new = numbers >= variables
    if new.any():
        names, places = np.unique(numbers[new], return_inverse=True)
        numbers[new] = variables + places
        variables += names.size
    return (2 * numbers + (literals < 0)).astype(np.int32), variables


def _with_more_space(state: ProofCheck) -> ProofCheck:
    """Double the space for watches."""
    # One more, so that an array of size 0 grows too.
    place, blocker = (
        np.concatenate([array, np.zeros(array.size + 1, array.dtype)])
        for array in (state.watch_place, state.watch_blocker)
    )
    return state._replace(watch_place=place, watch_blocker=blocker)


# Checks the steps of a DRAT proof forwards, one after another.
#
# A clause may be added if unit propagation finds a conflict when all its literals are assumed false (RUP),
# or if it finds one for the clause together with the rest of each clause that has the negation of its first
# literal (RAT). A tautology is added but never used. A deletion names its clause by its literals. As in
# drat-trim, it is ignored if there is no such clause, or if one literal of the clause is true and all others
# are false for good, because the clause may be the reason for that literal.


ACCEPTED, REJECTED, ENDED = 6, 7, 8
"""Why a check returned, besides MORE and GROW: the proof is accepted, the current step does not follow, or
all steps follow without a final conflict."""

FOLLOWS, FAILS, SPACE_NEEDED = range(3)
"""Whether a clause follows; SPACE_NEEDED asks for more space."""


@kernel(estimate=lambda _, work: 2e-7 * work)
def check(s: ProofCheck, work: int) -> int:
    """Continue the check for about `work`: ACCEPTED, REJECTED, ENDED, MORE, or GROW for more watches."""
    numbers, starts = s.numbers, s.starts
    numbers[CHECK_WORK] = 0
    while True:
        # Propagate what the clauses so far decide for good.
        conflict = propagate(s)
        if conflict == NO_SPACE:
            return GROW
        numbers[PERMANENT_COUNT] = numbers[FALSE_COUNT]
        step = numbers[CURRENT_STEP]
        if conflict >= 0:
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
                return ACCEPTED
        numbers[CURRENT_STEP] += 1


@tight_kernel
def follows(s: ProofCheck, step: int, end: int) -> int:
    """Whether a clause may be added: FOLLOWS, FAILS or SPACE_NEEDED; its literals may be false afterwards."""
    literals, is_false = s.literals, s.is_false
    start = s.starts[step]
    for i in range(start, end):
        literal = literals[i]
        if is_false[literal ^ 1]:
            return FOLLOWS
        if not is_false[literal]:
            falsify(s, literal)
    conflict = propagate(s)
    if conflict >= 0:
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
        following = s.next_occurrence[place]
        if starts[clause] == ends[clause]:
            # The clause has been deleted: take it out of the list.
            if before == NONE:
                s.first_occurrence[pivot ^ 1] = following
            else:
                s.next_occurrence[before] = following
            place = following
            continue
        before, place = place, following
        # Assume that the other literals of this clause are false too; one of them may be true already.
        satisfied = False
        for i in range(starts[clause], ends[clause]):
            literal = literals[i]
            if is_false[literal ^ 1]:
                satisfied = satisfied or literal != pivot ^ 1
            elif not is_false[literal]:
                falsify(s, literal)
        if not satisfied:
            conflict = propagate(s)
            if conflict < 0:
                return SPACE_NEEDED if conflict == NO_SPACE else FAILS
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


# Unit propagation: false literals, and the watches that find the clauses they affect.


@tight_kernel
def falsify(s: ProofCheck, literal: int) -> None:
    """Make a literal false."""
    s.is_false[literal] = 1
    s.falsified[s.numbers[FALSE_COUNT]] = literal
    s.numbers[FALSE_COUNT] += 1


@tight_kernel
def retract(s: ProofCheck, count: int) -> None:
    """Remove the latest false literals, until `count` are left."""
    while s.numbers[FALSE_COUNT] > count:
        s.numbers[FALSE_COUNT] -= 1
        s.is_false[s.falsified[s.numbers[FALSE_COUNT]]] = 0
    s.numbers[PROPAGATED_COUNT] = min(s.numbers[PROPAGATED_COUNT], count)


@tight_kernel
def propagate(s: ProofCheck) -> int:
    """Falsify the negations of all literals that unit clauses imply: the conflict clause, NONE or NO_SPACE.

    After NO_SPACE, the literal that was being propagated must be propagated again.
    """
    literals, is_false, falsified = s.literals, s.is_false, s.falsified
    place_of, blocker_of = s.watch_place, s.watch_blocker
    done, count = s.numbers[PROPAGATED_COUNT], s.numbers[FALSE_COUNT]
    conflict = NONE
    while done < count and conflict == NONE:
        false = falsified[done]
        i = s.watches_at[false]
        end = i + s.watch_count[false]
        s.numbers[CHECK_WORK] += 1 + end - i
        lost = 0
        while i < end:
            # Close the gap that watches before this one have left. A true blocker satisfies the clause.
            place, blocker = place_of[i], blocker_of[i]
            if lost:
                place_of[i - lost] = place
                blocker_of[i - lost] = blocker
            i += 1
            if is_false[blocker ^ 1]:
                continue
            implied = blocker
            if place < 0:
                place = -1 - place
            else:
                one, other = literals[place], literals[place + 1]
                if one < 0:  # the clause has been deleted
                    lost += 1
                    continue
                watched = place
                implied = other
                if other == false:
                    watched = place + 1
                    implied = one
                if is_false[implied ^ 1]:
                    blocker_of[i - 1 - lost] = implied
                    continue
                # Look for a third literal that is not false, to be watched instead of the false one.
                third, last = place + 2, s.ends[s.owner[place]]
                while third < last and is_false[literals[third]]:
                    third += 1
                if third < last:
                    found = literals[third]
                    if not add_watch(s, found, place, implied):
                        conflict = NO_SPACE
                        break
                    literals[watched] = found
                    literals[third] = false
                    lost += 1
                    continue
            # All other literals are false: the last one is implied, unless it is false too.
            if is_false[implied]:
                conflict = s.owner[place]
                break
            is_false[implied ^ 1] = 1
            falsified[count] = implied ^ 1
            count += 1
        if lost:
            while i < end:
                place_of[i - lost] = place_of[i]
                blocker_of[i - lost] = blocker_of[i]
                i += 1
            s.watch_count[false] -= lost
        done += conflict == NONE
    s.numbers[PROPAGATED_COUNT], s.numbers[FALSE_COUNT] = done, count
    return conflict


@tight_kernel
def add_watch(s: ProofCheck, literal: int, place: int, blocker: int) -> bool:
    """Add a watch to the list of a literal; False if there is no space for it."""
    if not reserve_watch(s, literal):
        return False
    i = s.watches_at[literal] + s.watch_count[literal]
    s.watch_place[i] = place
    s.watch_blocker[i] = blocker
    s.watch_count[literal] += 1
    return True


@tight_kernel
def reserve_watch(s: ProofCheck, literal: int) -> bool:
    """Make sure that a literal can have one more watch, moving its list if necessary; False if it cannot."""
    count = s.watch_count[literal]
    if count < s.watch_room[literal]:
        return True
    room = max(4, 2 * count)
    old, new = s.watches_at[literal], s.numbers[WATCHES_TAKEN]
    if new + room > s.watch_place.size:
        return False
    for i in range(count):
        s.watch_place[new + i] = s.watch_place[old + i]
        s.watch_blocker[new + i] = s.watch_blocker[old + i]
    s.watches_at[literal] = new
    s.watch_room[literal] = room
    s.numbers[WATCHES_TAKEN] = new + room
    return True


@tight_kernel
def remove_watch(s: ProofCheck, literal: int, place: int) -> None:
    """Remove the watch with this place from the list of a literal, if it is there."""
    begin = s.watches_at[literal]
    last = begin + s.watch_count[literal] - 1
    for i in range(begin, last + 1):
        if s.watch_place[i] == place:
            s.watch_place[i] = s.watch_place[last]
            s.watch_blocker[i] = s.watch_blocker[last]
            s.watch_count[literal] -= 1
            return


# The clauses that a proof is checked against: adding them, finding them by their literals, deleting them.


@tight_kernel
def drop_repeated(s: ProofCheck, start: int, end: int) -> int:
    """Drop repeated literals, keeping the order; the new end, or minus the new end for a tautology."""
    literals, marked = s.literals, s.marked
    kept = start
    sign = 1
    for i in range(start, end):
        literal = literals[i]
        if marked[literal]:
            continue
        if marked[literal ^ 1]:
            sign = -1
        marked[literal] = 1
        literals[kept] = literal
        kept += 1
    for i in range(start, kept):
        marked[literals[i]] = 0
    return sign * kept


@tight_kernel
def attach(s: ProofCheck, step: int, end: int) -> bool:
    """Add a clause: watch it, or record what it decides for good; False if there is no space for watches."""
    literals, is_false = s.literals, s.is_false
    start = s.starts[step]
    first, second = NONE, NONE
    for i in range(start, end):
        if is_false[literals[i] ^ 1]:
            return True
        if not is_false[literals[i]]:
            if first == NONE:
                first = i
            elif second == NONE:
                second = i
    if first == NONE:
        s.numbers[FINAL_CONFLICT] = step
        return True
    one = literals[first]
    if second == NONE:
        falsify(s, one ^ 1)
        return True
    other = literals[second]
    # No literal may move before there is space: the first one matters if the step is checked again.
    if not reserve_watch(s, one) or not reserve_watch(s, other):
        return False
    literals[first], literals[start] = literals[start], one
    literals[second], literals[start + 1] = literals[start + 1], other
    place = -1 - start if end - start == 2 else start
    add_watch(s, one, place, other)
    add_watch(s, other, place, one)
    return True


@tight_kernel
def register(s: ProofCheck, step: int, end: int) -> None:
    """Make it possible to find a clause by its literals."""
    s.ends[step] = end
    s.fingerprints[step] = fingerprint(s, s.starts[step], end)
    bucket = s.fingerprints[step] & (s.buckets.size - 1)
    s.next_in_bucket[step] = s.buckets[bucket]
    s.buckets[bucket] = step


@tight_kernel
def delete(s: ProofCheck, step: int, end: int) -> None:
    """Delete the latest clause that has the literals of a step, unless it may be the reason for one."""
    starts, ends = s.starts, s.ends
    wanted = fingerprint(s, starts[step], end)
    bucket = wanted & (s.buckets.size - 1)
    before, clause = NONE, s.buckets[bucket]
    while clause != NONE:
        if s.fingerprints[clause] == wanted and has_literals(s, clause, starts[step], end):
            break
        before, clause = clause, s.next_in_bucket[clause]
    if clause == NONE or (s.kinds[clause] != TAUTOLOGY and is_unit(s, clause)):
        s.numbers[IGNORED_DELETIONS] += 1
        return
    if before == NONE:
        s.buckets[bucket] = s.next_in_bucket[clause]
    else:
        s.next_in_bucket[before] = s.next_in_bucket[clause]
    start = starts[clause]
    if ends[clause] - start == 2:
        remove_watch(s, s.literals[start], -1 - start)
        remove_watch(s, s.literals[start + 1], -1 - start)
    if ends[clause] > start:
        s.literals[start] = DELETED
    ends[clause] = start


@tight_kernel
def has_literals(s: ProofCheck, clause: int, start: int, end: int) -> bool:
    """Whether a clause has exactly the literals from `start` to `end`, in any order."""
    literals, marked = s.literals, s.marked
    if s.ends[clause] - s.starts[clause] != end - start:
        return False
    for i in range(start, end):
        marked[literals[i]] = 1
    alike = True
    for i in range(s.starts[clause], s.ends[clause]):
        if not marked[literals[i]]:
            alike = False
    for i in range(start, end):
        marked[literals[i]] = 0
    return alike


@tight_kernel
def fingerprint(s: ProofCheck, start: int, end: int) -> int:
    """A number that few clauses share unless they have equal sets of literals."""
    total = 0
    for i in range(start, end):
        total ^= s.random_words[s.literals[i]]
    return total


@tight_kernel
def is_unit(s: ProofCheck, clause: int) -> bool:
    """Whether exactly one literal of a clause is true and all others are false."""
    true = 0
    for i in range(s.starts[clause], s.ends[clause]):
        literal = s.literals[i]
        if s.is_false[literal]:
            continue
        if not s.is_false[literal ^ 1]:
            return False
        true += 1
    return true == 1
