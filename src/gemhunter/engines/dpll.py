"""`dpll`: propagate units, decide a literal, and after a conflict flip the last decision.

Read `search_until` first: it is the algorithm. Above it is what a caller sees (settings, engine) and the
arrays of a search; below it what the search rests on: unit propagation, the choice of a literal, pure
literals, the clauses of a proof; at the end the events that a trace shows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gemhunter.cnf.drat import Proof
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Flags, Floats, Ints, Shorts, Signs, kernel, tight_kernel
from gemhunter.jit.search_state import (
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
    PROPAGATION_COUNT,
    QUEUE_HEAD,
    TRAIL_SIZE,
)
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import (
    Clause,
    ClauseConflict,
    Decided,
    Event,
    Exhausted,
    Flipped,
    Implied,
    ModelFound,
    Pure,
    TooDeep,
)
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

Order = Literal["shortest", "first", "jeroslow-wang"]

DPLL_ORDERS: dict[Order, str] = {
    "shortest": "a variable of the shortest unsatisfied clause",
    "first": "the first unassigned variable",
    "jeroslow-wang": "the literal that weighs most in unsatisfied clauses, short ones counting more",
}


def make_engine(argument: str) -> "Dpll":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(Dpll, "dpll", argument)


@dataclass(frozen=True, slots=True)
class Dpll:
    """Decides one variable after another, propagates each, and flips the last decision after a conflict.

    `value` is what a decision tries first; with `jeroslow-wang` it only breaks ties. `depth` limits the
    number of decisions on one path, flipped ones included; 0 means no limit.
    """

    order: Order = "shortest"
    value: FirstValue = "gem"
    pure_literals: bool = False
    depth: int = 0

    def __post_init__(self) -> None:
        if self.depth < 0:
            raise InputError(f"dpll: depth must be ≥ 0 decisions (0 means no limit), not {self.depth}")

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with("dpll", self),
            f"unit propagation and backtracking on clauses (DPLL), deciding {DPLL_ORDERS[self.order]}",
            complete=not self.depth,
            step="decision",
            memory_limit=True,
            proofs=True,
            settings=defaults(Dpll),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search in slices; the search is a loop, not a recursion, so no formula is too deep for it."""
        held = bytes_needed(cnf, self, proof=run.wants_proof)
        if not run.fits(held):
            return GaveUp(StopReason.MEMORY, f"the search needs {held:,} bytes")
        search = beginning(cnf, self, proof=run.wants_proof)
        work = run.slice_sizes(FIRST_WORK)
        proof: list[Shorts] = []
        try:
            while True:
                before = int(search.numbers[DECISION_COUNT])
                search.numbers[WORK_LIMIT] = next(work)
                # The slice ends when its work limit is reached, long before a million decisions.
                code = search_until(search, run.slice(1_000_000), False)
                limit = run.spend(int(search.numbers[DECISION_COUNT]) - before)
                if code == FOUND:
                    # Variables that no clause mentions have no value; in the model they are false.
                    variables = np.arange(1, cnf.variables + 1)
                    return Satisfied(np.where(search.value[::2] > 0, variables, -variables))
                if code in (EXHAUSTED, LOG_FULL):
                    proof.append(search.log[: search.numbers[LOG_SIZE]].copy())
                    search.numbers[LOG_SIZE] = 0
                if code == EXHAUSTED:
                    return Unsatisfiable(_proof(proof) if run.wants_proof else None)
                if code == TOO_DEEP:
                    return GaveUp(StopReason.DEPTH, f"depth={self.depth} is not enough")
                if limit is not None:
                    return GaveUp(limit)
                # Joining the pieces at the end takes their size once more.
                if not run.fits(held + 2 * sum(piece.nbytes for piece in proof)):
                    return GaveUp(StopReason.MEMORY, "the proof does not fit")
        finally:
            run.count(**counters(search))

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The events of the search, step by step."""
        return _events(cnf, self)


def bytes_needed(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> int:
    """An upper bound on the bytes of a search and its formula; the proof grows and is not counted."""
    size, variables = cnf.literals.size, cnf.variables
    search = 12 * size + 100 * variables
    pure = 4 * size + 4 * cnf.size + 16 * variables if settings.pure_literals else 0
    log = 4 * (LOG_ROOM + 2 * variables) if proof else 0
    return cnf.nbytes + search + pure + log


def counters(search: "DpllState") -> dict[str, int]:
    """What a search has counted so far."""
    places = {"decisions": DECISION_COUNT, "propagations": PROPAGATION_COUNT, "conflicts": CONFLICT_COUNT}
    if search.unsatisfied_count.size:
        places["pure_literals"] = PURE_COUNT
    return {name: int(search.numbers[place]) for name, place in places.items()}


def _proof(pieces: list[Shorts]) -> Proof:
    """The proof whose clauses, each ended by 0, are in `pieces`."""
    numbers = np.concatenate(pieces)
    ends = np.flatnonzero(numbers == 0)
    starts = np.concatenate([[0], ends - np.arange(ends.size)])
    return Proof(numbers[numbers != 0], starts, np.zeros(ends.size, bool))


# The state of a search: flat arrays, and what the numbers in them mean.
#
# Literal 2v says that variable v, counted from 0, is true; 2v+1 is its negation, so `literal ^ 1` negates and
# `literal >> 1` is the variable. `value` is 1 for a true literal, -1 for a false one, 0 for unassigned ones.
# Clause c is `literals[starts[c]:starts[c+1]]`; its first two literals are watched. Watch i is the clause
# `watches[2*i]` with the blocking literal `watches[2*i + 1]`; literal l has the `watch_count[l]` watches from
# `at[l]` on. A literal never has more watches than occurrences, so all lists have room from the beginning.


FIND_PURE, BACKTRACK = 4, 5
"""Steps of the search besides PROPAGATE and DECIDE, in NEXT_STEP."""

TOO_DEEP, LOG_FULL = 6, 7
"""Why the search returned, besides the reasons in `jit.search_state`: the next decision would exceed the
depth limit, or `log` must be emptied first."""

# The scalars of a search: places in `DpllState.numbers`, after those of `jit.search_state`.
DECISION_RULE = 9  # a setting: FIRST_VARIABLE, SHORTEST_CLAUSE or JEROSLOW_WANG
FIRST_SIGN = 10  # a setting: whether a decision makes a variable true (0) or false (1) first
DEPTH_LIMIT = 11  # a setting: how many decisions the trail may have, 0 for no limit
WORK_LIMIT = 12  # watches and literals to look at in one slice
WORK_DONE = 13  # watches and literals looked at in this slice
DECISION_CURSOR = 14  # variables before it are assigned or, by the other rules, clauses before it satisfied
COUNTED_LITERALS = 15  # literals on the trail whose clauses have been counted as satisfied
PURE_QUEUE_HEAD = 16  # how many literals of `queue` have been looked at
PURE_QUEUE_SIZE = 17  # literals in `queue`
LOG_SIZE = 18  # numbers in `log`
PURE_COUNT = 19  # pure literals so far
DPLL_NUMBERS = 20

FIRST_VARIABLE, SHORTEST_CLAUSE, JEROSLOW_WANG = range(3)
"""How to decide, in DECISION_RULE."""

SLICE_OVER = -2
"""Instead of a conflict clause: propagation stopped because the slice is over."""

DECIDED, FLIPPED, PURE_LITERAL = -1, -2, -3
"""Instead of the clause that is the reason for a literal."""


class DpllState(NamedTuple):
    """Everything a search remembers between two slices.

    Decision d put its literal at `trail[decided[d]]` when the cursor was at `resume[d]`; `flipped[d]` says
    that the other value has failed. `score` has the weights of literals. `log` collects the clauses of a
    proof in the signed numbers of DIMACS, each ended by 0.

    For pure literals, `occurrences` has the clauses of literal l from `at[l]` to `at[l+1]`, `satisfied_by[c]`
    is the first literal that satisfied clause c, `unsatisfied_count[l]` the number of unsatisfied clauses
    with literal l, and `queue` has the literals whose count has dropped to 0. Arrays that are not needed are
    empty.
    """

    literals: Shorts
    starts: Ints
    watches: Shorts
    at: Ints
    watch_count: Shorts
    value: Signs
    reason: Shorts
    trail: Shorts
    decided: Shorts
    resume: Shorts
    flipped: Flags
    score: Floats
    occurrences: Shorts
    satisfied_by: Shorts
    unsatisfied_count: Shorts
    queue: Shorts
    log: Shorts
    numbers: Ints


FIRST_WORK = 20_000
"""Watches and literals to look at before the first look at the clock."""

LOG_ROOM = 1 << 18
"""How many numbers of a proof the kernel collects before it returns to have `log` emptied."""


def beginning(cnf: Cnf, settings: Dpll, *, proof: bool = False) -> DpllState:
    """A search before its first decision, with the literals of unit clauses on the trail."""
    size, variables = cnf.literals.size, cnf.variables
    pure = int(settings.pure_literals)
    search = DpllState(
        literals=np.empty(size, np.int32),
        starts=cnf.starts,
        watches=np.empty(2 * size, np.int32),
        at=np.zeros(2 * variables + 1, np.int64),
        watch_count=np.zeros(2 * variables, np.int32),
        value=np.zeros(2 * variables, np.int8),
        reason=np.empty(variables, np.int32),
        trail=np.empty(variables, np.int32),
        decided=np.empty(variables, np.int32),
        resume=np.empty(variables, np.int32),
        flipped=np.empty(variables, bool),
        score=np.empty(2 * variables * (settings.order == "jeroslow-wang")),
        occurrences=np.empty(pure * size, np.int32),
        satisfied_by=np.empty(pure * cnf.size, np.int32),
        unsatisfied_count=np.zeros(pure * 2 * variables, np.int32),
        queue=np.empty(pure * 2 * variables, np.int32),
        log=np.empty(proof * (LOG_ROOM + 2 * variables), np.int32),
        numbers=np.zeros(DPLL_NUMBERS, np.int64),
    )
    rules = {"first": FIRST_VARIABLE, "shortest": SHORTEST_CLAUSE, "jeroslow-wang": JEROSLOW_WANG}
    search.numbers[DECISION_RULE] = rules[settings.order]
    search.numbers[DEPTH_LIMIT] = settings.depth
    search.numbers[FIRST_SIGN] = int(settings.value == "gem")
    search.numbers[WORK_LIMIT] = FIRST_WORK
    search.numbers[CONFLICT_CLAUSE] = NONE
    load(search, cnf.literals)
    if settings.pure_literals:
        load_occurrences(search)
    return search


@kernel(estimate=lambda _, literals: 1.5e-6 * literals.size)
def load(s: DpllState, signed: Shorts) -> None:
    """Load the clauses, in the numbers of DIMACS: watch the long ones, make unit clauses true."""
    literals, starts, at, value, numbers = s.literals, s.starts, s.at, s.value, s.numbers
    # Count the occurrences of each literal. Their running sum says where the watches of a literal begin.
    for i in range(signed.size):
        literal = 2 * abs(signed[i]) - 2 + (signed[i] < 0)
        literals[i] = literal
        at[literal + 1] += 1
    for literal in range(value.size):
        at[literal + 1] += at[literal]
    # Watch two literals of each longer clause. A unit clause is true from now on, or else in conflict.
    for clause in range(starts.size - 1):
        start = starts[clause]
        size = starts[clause + 1] - start
        if size >= 2:
            one, other = literals[start], literals[start + 1]
            watch(s.watches, at, s.watch_count, one, clause, other)
            watch(s.watches, at, s.watch_count, other, clause, one)
        elif size == 0 or value[literals[start]] < 0:
            if numbers[CONFLICT_CLAUSE] == NONE:
                numbers[CONFLICT_CLAUSE] = clause
                numbers[NEXT_STEP] = BACKTRACK
        elif value[literals[start]] == 0:
            literal = literals[start]
            value[literal] = 1
            value[literal ^ 1] = -1
            s.reason[literal >> 1] = clause
            s.trail[numbers[TRAIL_SIZE]] = literal
            numbers[TRAIL_SIZE] += 1
            numbers[PROPAGATION_COUNT] += 1


@kernel
def watch(watches: Shorts, at: Ints, watch_count: Shorts, literal: int, clause: int, other: int) -> None:
    """Let a clause watch a literal, with `other` as its blocking literal."""
    place = 2 * (at[literal] + watch_count[literal])
    watches[place] = clause
    watches[place + 1] = other
    watch_count[literal] += 1


# The search: propagate, find pure literals, decide, and flip the last decision after a conflict.
#
# Textbooks write DPLL as a recursion. Here it is a loop over steps, and `numbers[NEXT_STEP]` says which is
# next: so it can stop after any step and continue later. The trail takes the place of the stack.


@kernel(estimate=lambda s, *_: 2e-6 * s.literals.size)
def search_until(s: DpllState, steps: int, pause: bool) -> int:
    """Continue the search; return why it stops.

    FOUND if nothing is left to decide, EXHAUSTED if no decision is left to flip, MORE if another decision is
    due after `steps` of them or the work limit is reached, TOO_DEEP or LOG_FULL. With `pause`, PAUSED after
    each step.
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
        # A pure literal can be made true without a decision: its negation is in no unsatisfied clause.
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
        # Nothing follows, so decide, unless every clause is satisfied. A decision opens the next level.
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
        # After a conflict, flip the latest decision that has not been flipped. Those above it have failed
        # with both values and are undone; if there is none, the formula has no model.
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
def propagate(
    literals: Shorts,
    starts: Ints,
    watches: Shorts,
    at: Ints,
    watch_count: Shorts,
    value: Signs,
    reason: Shorts,
    trail: Shorts,
    numbers: Ints,
) -> int:
    """Propagate the literals in the queue: the conflict clause, NONE, or SLICE_OVER."""
    head, filled = numbers[QUEUE_HEAD], numbers[TRAIL_SIZE]
    before, work, most = filled, numbers[WORK_DONE], numbers[WORK_LIMIT]
    conflict = NONE
    while head < filled and conflict == NONE:
        if work >= most:
            conflict = SLICE_OVER
            break
        # Take the next true literal from the queue; clauses that watch its negation may become unit.
        false = trail[head] ^ 1
        head += 1
        begin = at[false]
        i, end = begin, begin + watch_count[false]
        kept = i
        work += 1 + end - i
        while i < end:
            clause, blocker = watches[2 * i], watches[2 * i + 1]
            i += 1
            # A true blocking literal satisfies the clause, so the clause itself need not be read.
            if value[blocker] <= 0:
                start, stop = starts[clause], starts[clause + 1]
                # Bring the false literal to the second place; the other watched literal may be true.
                blocker = literals[start]
                if blocker == false:
                    blocker = literals[start + 1]
                    literals[start] = blocker
                    literals[start + 1] = false
                if value[blocker] <= 0:
                    # Look for a literal that is not false, and watch that one instead.
                    place = start + 2
                    while place < stop and value[literals[place]] < 0:
                        place += 1
                    if place < stop:
                        other = literals[place]
                        literals[start + 1] = other
                        literals[place] = false
                        new = 2 * (at[other] + watch_count[other])
                        watches[new] = clause
                        watches[new + 1] = blocker
                        watch_count[other] += 1
                        continue
                    # All literals but the other watched one are false: a conflict, or a unit clause.
                    if value[blocker] < 0:
                        conflict = clause
                    else:
                        value[blocker] = 1
                        value[blocker ^ 1] = -1
                        reason[blocker >> 1] = clause
                        trail[filled] = blocker
                        filled += 1
            # The watch stays in this list, and closes the gaps of those that have moved to other lists.
            watches[2 * kept] = clause
            watches[2 * kept + 1] = blocker
            kept += 1
            if conflict != NONE:
                break
        # After a conflict, the watches that were not looked at stay as well.
        while i < end:
            watches[2 * kept] = watches[2 * i]
            watches[2 * kept + 1] = watches[2 * i + 1]
            i += 1
            kept += 1
        watch_count[false] = kept - begin
    numbers[QUEUE_HEAD], numbers[TRAIL_SIZE], numbers[WORK_DONE] = head, filled, work
    numbers[PROPAGATION_COUNT] += filled - before
    return conflict


# The choice of a literal.


@kernel
def first_variable(at: Ints, value: Signs, cursor: int) -> int:
    """The first unassigned variable in a clause from `cursor` on, or the number of variables."""
    while cursor < value.size >> 1 and (value[2 * cursor] != 0 or at[2 * cursor] == at[2 * cursor + 2]):
        cursor += 1
    return cursor


@kernel
def first_unsatisfied(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The first clause from `cursor` on that is not satisfied, or the number of clauses."""
    begin = starts[cursor]
    while cursor < starts.size - 1:
        satisfied = False
        for i in range(starts[cursor], starts[cursor + 1]):
            satisfied |= value[literals[i]] > 0
        if not satisfied:
            break
        cursor += 1
    numbers[WORK_DONE] += starts[cursor] - begin
    return cursor


@kernel
def literal_of_shortest(literals: Shorts, starts: Ints, value: Signs, cursor: int, numbers: Ints) -> int:
    """The lowest unassigned literal of the first unsatisfied clause with the fewest unassigned literals.

    The search for it begins at `cursor`, with an unsatisfied clause. After propagation, every unsatisfied
    clause has at least two unassigned literals, so one with two ends the search.
    """
    best, least = NONE, 0
    clause = cursor
    # Only 10,000 clauses are compared, so that decisions cost no more on larger boards.
    end = min(starts.size - 1, cursor + 10_000)
    while clause < end and (best == NONE or least > 2):
        unassigned, lowest = 0, NONE
        for i in range(starts[clause], starts[clause + 1]):
            literal = literals[i]
            if value[literal] > 0:
                lowest = NONE
                break
            if value[literal] == 0:
                unassigned += 1
                if lowest == NONE or literal < lowest:
                    lowest = literal
        if lowest != NONE and (best == NONE or unassigned < least):
            best, least = lowest, unassigned
        clause += 1
    numbers[WORK_DONE] += starts[clause] - starts[cursor]
    return best


@kernel
def jeroslow_wang(
    literals: Shorts, starts: Ints, value: Signs, cursor: int, score: Floats, numbers: Ints
) -> int:
    """The heavier literal of the unassigned variable whose literals weigh most (two-sided Jeroslow-Wang).

    Each unsatisfied clause from `cursor` on gives its n unassigned literals 2^-n each. If both literals
    weigh the same, `numbers[FIRST_SIGN]` decides.
    """
    score[:] = 0
    # Add the weight of each unsatisfied clause to the scores of its literals, the false ones included.
    for clause in range(cursor, starts.size - 1):
        weight = 1.0
        for i in range(starts[clause], starts[clause + 1]):
            if value[literals[i]] > 0:
                weight = 0.0
                break
            if value[literals[i]] == 0:
                weight *= 0.5
        if weight > 0:
            for i in range(starts[clause], starts[clause + 1]):
                score[literals[i]] += weight
    numbers[WORK_DONE] += score.size + starts[starts.size - 1] - starts[cursor]
    # Choose the unassigned variable with the highest sum, then its heavier literal.
    best, most = 0, -1.0
    for literal in range(0, value.size, 2):
        total = score[literal] + score[literal + 1]
        if value[literal] == 0 and total > most:
            best, most = literal, total
    if score[best] == score[best + 1]:
        return int(best + numbers[FIRST_SIGN])
    return best if score[best] > score[best + 1] else best + 1


# Pure literals: those whose negation is in no unsatisfied clause.
#
# A clause counts as unsatisfied until one of its literals is true. Counts go down when literals of the trail
# are counted, and up again when they are unassigned. A literal whose count drops to 0 joins the queue: its
# negation is pure.


@kernel(estimate=lambda s: 1e-6 * s.literals.size)
def load_occurrences(s: DpllState) -> None:
    """List the clauses of each literal; a literal that is in none joins the queue."""
    literals, starts, at = s.literals, s.starts, s.at
    occurrences, unsatisfied_count = s.occurrences, s.unsatisfied_count
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
    """Subtract the clauses that new literals on the trail satisfy from the counts of unsatisfied clauses."""
    literals, starts, at, occurrences = s.literals, s.starts, s.at, s.occurrences
    satisfied_by, unsatisfied_count, queue = s.satisfied_by, s.unsatisfied_count, s.queue
    trail, numbers = s.trail, s.numbers
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
    """Add the clauses that only literals on the trail from `size` on satisfy back to the counts.

    The queue was empty when the decision at `size` was made, so it is emptied again.
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
    """The next unassigned pure literal, the negation of one in the queue, or NONE if the queue ends first."""
    while numbers[PURE_QUEUE_HEAD] < numbers[PURE_QUEUE_SIZE]:
        literal = queue[numbers[PURE_QUEUE_HEAD]]
        numbers[PURE_QUEUE_HEAD] += 1
        if value[literal] == 0:
            return int(literal ^ 1)
    numbers[PURE_QUEUE_HEAD] = numbers[PURE_QUEUE_SIZE] = 0
    return NONE


# The clauses of a proof.


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


# The events of a search, read from its arrays between two steps.


def _events(cnf: Cnf, settings: Dpll) -> Iterator[Event]:
    """All events of a search, in order; the last is `ModelFound`, `Exhausted` or `TooDeep`."""
    endings: dict[int, Event] = {
        FOUND: ModelFound(),
        EXHAUSTED: Exhausted(),
        TOO_DEEP: TooDeep(settings.depth),
    }
    search = beginning(cnf, settings)
    numbers, reported = search.numbers, 0
    while True:
        for index in range(reported, numbers[TRAIL_SIZE]):
            yield _assignment(cnf, search, index)
        reported = int(numbers[TRAIL_SIZE])
        has_conflict = numbers[NEXT_STEP] == BACKTRACK
        if has_conflict:
            yield ClauseConflict(_clause(cnf, numbers[CONFLICT_CLAUSE]))
        code = search_until(search, 1, True)
        if code in endings:
            yield endings[code]
            return
        if has_conflict:
            # After backtracking the trail ends with the flipped decision.
            reported = int(numbers[TRAIL_SIZE]) - 1


def _assignment(cnf: Cnf, search: DpllState, index: int) -> Event:
    """How the literal at an index of the trail became true; no decision may have been made after it."""
    inner, level = int(search.trail[index]), int(search.numbers[DECISION_LEVEL])
    literal = signed(inner)
    reason = search.reason[inner >> 1]
    if reason == DECIDED:
        return Decided(literal, level)
    if reason == FLIPPED:
        return Flipped(literal, level)
    return Pure(literal) if reason == PURE_LITERAL else Implied(literal, _clause(cnf, reason))


def _clause(cnf: Cnf, index: int) -> Clause:
    return tuple(cnf.literals[cnf.starts[index] : cnf.starts[index + 1]].tolist())
