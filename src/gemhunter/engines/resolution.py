"""`resolution`: derives cells from a knowledge base of clauses, as a textbook's logical agent does.

Read `derive` first: it is the algorithm. Above it are the engine with its settings, the knowledge base of a
board, and the arrays that it consists of. Below it is what it rests on: adding a clause, with subsumption;
marking a cell; rounds in which clauses are matched and resolved; and the events that a trace shows.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import chain
from typing import Any, NamedTuple

import numpy as np

from gemhunter.board.puzzle import TOTAL_CLUE, Puzzle, Solution, untouched_cells
from gemhunter.cnf.encode import encode_puzzle
from gemhunter.cnf.encodings import COMBINED_CELLS_LIMIT, template
from gemhunter.cnf.formula import Cnf
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Flags, Ints, Shorts, Words, kernel
from gemhunter.jit.search_state import GROW, MORE, NONE
from gemhunter.solving.engine import EngineInfo
from gemhunter.solving.events import (
    Clause,
    Done,
    Empty,
    Event,
    Marked,
    MatchRound,
    NothingFollows,
    Resolve,
    Simplify,
    Subsume,
)
from gemhunter.solving.outcomes import GaveUp, Outcome, Refuted, Solved, StopReason
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings
from gemhunter.wording import counted

KNOWLEDGE_BYTES_LIMIT = 2 * 2**30
"""The limit if the run has none: with a large width, a small board's clauses could exhaust any memory."""


def make_engine(argument: str) -> "Resolution":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(Resolution, "resolution", argument)


@dataclass(frozen=True, slots=True)
class Resolution:
    """Marks the cells of unit clauses, and resolves clauses until nothing new follows.

    Two clauses are resolved if one of them has at most `width` literals; 0 means any two clauses. The total
    is used once at most `last_cells` cells are left.
    """

    width: int = 2
    last_cells: int = 10

    def __post_init__(self) -> None:
        if self.width < 0:
            raise InputError(f"resolution: width must be ≥ 1, or 0 for any clauses, not {self.width}")
        if not 0 <= self.last_cells <= COMBINED_CELLS_LIMIT:
            raise InputError(
                f"resolution: last-cells must be from 0 to {COMBINED_CELLS_LIMIT}, not {self.last_cells}"
            )

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        return EngineInfo(
            name_with("resolution", self),
            "a logical agent: unit clauses, subsumption and resolution until it is stuck",
            complete=False,
            step="clause or pair",
            memory_limit=True,
            settings=defaults(Resolution),
        )

    def solve(self, puzzle: Puzzle, run: Run) -> Outcome:
        """Derive all that follows within the width; solved if that decides every touched cell."""
        with run.stage("encode"):
            cnf = clauses_of_clues(puzzle)
        run.count(variables=cnf.variables, clauses=cnf.size)
        known = KnowledgeBase(cnf, puzzle, width=self.width, last_cells=self.last_cells)
        sizes = run.slice_sizes(1000)
        try:
            if not _may_hold(run, known.bytes):
                return GaveUp(StopReason.MEMORY)
            while True:
                before = known.steps
                code = known.derive(run.slice(next(sizes)))
                limit = run.spend(known.steps - before)
                if code == EMPTY_DERIVED:
                    return Refuted(f"the empty clause follows from the clues (shown by {self.info.name})")
                decided = known.decided
                if code == NOTHING_NEW and known.left:
                    cells = counted(len(decided) + known.left, "cell")
                    return GaveUp(StopReason.STUCK, f"{len(decided)} of {cells} decided", decided)
                if code == NOTHING_NEW:
                    return Solved(Solution.of_model(np.array(decided, np.int64), puzzle.hidden.size))
                if limit is not None:
                    return GaveUp(limit, decided=decided)
                if code == GROW:
                    if not _may_hold(run, known.larger()):
                        return GaveUp(StopReason.MEMORY, decided=decided)
                    known.grow()
        finally:
            run.count(**known.counters)

    def trace(self, puzzle: Puzzle, run: Run) -> Iterator[Event]:
        """All events of the derivation, in order; the last is the answer."""
        known = KnowledgeBase(
            clauses_of_clues(puzzle), puzzle, width=self.width, last_cells=self.last_cells, room=EVENT_ROOM
        )
        first_forms: dict[Clause, Clause] = {}
        while True:
            code = known.derive(STEPS_PER_READ)
            yield from _read(known.read_events(), first_forms)
            if code == EMPTY_DERIVED:
                yield Empty()
                return
            if code == NOTHING_NEW:
                yield NothingFollows() if known.left else Done()
                return
            if code == GROW:
                known.grow()


def clauses_of_clues(puzzle: Puzzle) -> Cnf:
    """The binomial clauses of all regions but the total, which would have too many."""
    return encode_puzzle(replace(puzzle, total=None))


def _may_hold(run: Run, size: int) -> bool:
    return run.fits(size) and (run.limits.memory is not None or size <= KNOWLEDGE_BYTES_LIMIT)


# The knowledge base of a board.


class KnowledgeBase:
    """What is known about a board: clauses over its hidden cells, counted from 1, and marked cells.

    `cnf` has the clauses of the clues. If the total is known, its clauses are added once nothing else follows
    and at most `last_cells` cells are left, or the total decides them all. Two clauses are matched if one has
    at most `width` literals, or always if that is 0. With `room` for events, `read_events` returns them.
    """

    def __init__(
        self, cnf: Cnf, puzzle: Puzzle, *, width: int = 2, last_cells: int = 10, room: int = 0
    ) -> None:
        self._width = width or 2**31 - 1
        self._last_cells = last_cells
        self._cells = puzzle.hidden.size
        self._touched = int(np.count_nonzero(~untouched_cells(puzzle)))
        self._total = int(puzzle.traps[-1]) if TOTAL_CLUE in puzzle.clues[-1:] else None
        self._state = empty_knowledge(
            self._cells, clauses=2 * cnf.size + 16, places=2 * cnf.literals.size + 64, room=room
        )._replace(inbox=_codes(cnf.literals), inbox_at=cnf.starts.astype(np.int64))

    @property
    def steps(self) -> int:
        """Steps made so far."""
        return int(self._state.numbers[STEP_COUNT])

    @property
    def bytes(self) -> int:
        """How many bytes the state takes."""
        return sum(array.nbytes for array in self._state)

    @property
    def decided(self) -> tuple[int, ...]:
        """The marked cells in reading order, negative for gems."""
        return signed_literals(np.flatnonzero(self._state.value).tolist())

    @property
    def left(self) -> int:
        """The number of cells that a clue or the total touches and that are not marked."""
        return self._touched - int(self._state.numbers[MARKED_CELLS])

    @property
    def counters(self) -> dict[str, int]:
        """What has been done so far."""
        places = {
            "units": MARKED_CELLS,
            "pairs": MATCHED_PAIRS,
            "resolvents": RESOLVENT_COUNT,
            "subsumed": SUBSUMED_COUNT,
            "rounds": ROUND_COUNT,
        }
        return {name: int(self._state.numbers[place]) for name, place in places.items()}

    def derive(self, steps: int) -> int:
        """Make `steps` steps; return the code of the kernel, which says why it stopped."""
        code = derive(self._state, self._width, steps)
        if code == NOTHING_NEW and (clauses := self._clauses_of_total()):
            inbox = _codes(np.array(list(chain.from_iterable(clauses)), np.int64))
            self._state.numbers[INBOX_READ] = 0
            self._state = self._state._replace(inbox=inbox, inbox_at=np.cumsum([0, *map(len, clauses)]))
            return MORE
        return code

    def larger(self) -> int:
        """How many bytes the state takes after `grow`."""
        return self.bytes + sum(int(getattr(self._state, name).nbytes) for name in _lacking(self._state))

    def grow(self) -> None:
        """Double whichever arrays ran out of space, those of clauses or those of literals."""
        self._state = grown(self._state)

    def read_events(self) -> list[int]:
        """The events since the last call, as the kernel writes them; makes room for more."""
        numbers, events = self._state.numbers, self._state.events
        words: list[int] = events[: numbers[EVENTS_SIZE]].tolist()
        numbers[EVENTS_SIZE] = 0
        if (needed := needed_for_events(self._state)) > events.size:
            self._state = self._state._replace(events=np.zeros(2 * needed, np.int32))
        return words

    def _clauses_of_total(self) -> list[list[int]]:
        """The clauses of the total about the cells that are left, once; none while too many are left."""
        if self._total is None:
            return []
        marked = self.decided
        left = sorted(set(range(1, self._cells + 1)) - {abs(literal) for literal in marked})
        traps = self._total - sum(literal > 0 for literal in marked)
        if 0 < traps < len(left) and len(left) > self._last_cells:
            return []
        self._total = None
        clauses = template("binomial", len(left), traps).clauses
        return [[left[abs(i) - 1] * (1 if i > 0 else -1) for i in clause] for clause in clauses]


def _codes(literals: Ints | Shorts) -> Shorts:
    """From 1, -1, 2, -2, … to 0, 1, 2, 3, …"""
    codes: Shorts = (2 * (np.abs(literals) - 1) + (literals < 0)).astype(np.int32)
    return codes


def signed_literals(codes: list[int]) -> tuple[int, ...]:
    """From 0, 1, 2, 3, … to 1, -1, 2, -2, …, in reading order."""
    return tuple(-(code // 2 + 1) if code % 2 else code // 2 + 1 for code in sorted(codes))


# The arrays of a knowledge base.
#
# Literal 2v says that cell v is a trap, 2v+1 that it is a gem. Clause c has the `size[c]` literals from
# `literals[start[c]]` on, and is removed if `alive[c]` is False. The places of literal l in the clauses form
# a linked list, `head[l]`, `following[head[l]]`, … to `NONE`, latest clause first.
#
# Two invariants hold between any two steps. No clause contains another: adding a clause ensures that. Clause
# c has been matched with every later clause whose serial number is below `matched_to[c]`.

EMPTY_DERIVED, NOTHING_NEW, EVENTS_FULL = 6, 7, 8
"""Why `derive` returns, besides MORE and GROW: it has derived the empty clause, nothing new follows, or
`events` may have no room for the next step."""

# The scalars of a knowledge base: places in `KnowledgeState.numbers`.
INBOX_READ = 0  # clauses taken from the inbox
INCOMING_SIZE = 1  # literals of the clause in `incoming`, NONE if there is none
LITERALS_USED = 2  # places of `literals` in use
CLAUSES_USED = 3  # clauses in use, removed ones included
REMOVED_LITERALS = 4  # literals of removed clauses among LITERALS_USED
NEXT_SERIAL = 5  # clauses that have been added since the beginning
QUEUED_CELLS = 6  # cells in `queue`
MARKED_CELLS = 7  # how many of them are marked
UNIT_LITERAL = 8  # the marked literal whose clauses are being simplified, or NONE
GIVEN_CLAUSES = 9  # clauses that the current round has taken up for matching
PARTNER_COUNT = 10  # clauses in `partners`, to be matched with the latest clause taken up
ROUND_END = 11  # the clause at which the current round ends
ROUND_SERIAL = 12  # NEXT_SERIAL when the latest round began
LITERAL_STAMP = 13  # the latest mark in `stamps`
STEP_COUNT = 14  # steps so far
MATCHED_PAIRS = 15  # pairs of clauses matched so far
RESOLVENT_COUNT = 16  # resolvents so far
SUBSUMED_COUNT = 17  # clauses subsumed so far
ROUND_COUNT = 18  # rounds begun so far
EVENTS_SIZE = 19  # numbers in `events`
KNOWLEDGE_NUMBERS = 20


class KnowledgeState(NamedTuple):
    """Everything that is known, and how far the derivation has come.

    The inbox has the clauses to add: clause i is `inbox[inbox_at[i]:inbox_at[i+1]]`. `clause_of` has the
    clause that each place belongs to, `signature` a bit for each literal of a clause, `serial` the number of
    clauses added before it. `queue` has the cells to mark in order, and `marked_after` the number of rounds
    that had begun when each was marked. `partners` is a stack of the clauses to handle next, first clause on
    top, each as clause · 2 · cells + the literal to resolve on; `cursors` is working space. `stamps` marks
    the literals of the current clause. `events` collects the events, if it has any room.
    """

    inbox: Shorts
    inbox_at: Ints
    incoming: Shorts
    literals: Shorts
    clause_of: Shorts
    following: Ints
    head: Ints
    start: Ints
    size: Shorts
    signature: Words
    alive: Flags
    serial: Ints
    matched_to: Ints
    partners: Ints
    cursors: Ints
    value: Flags
    queued: Flags
    queue: Shorts
    marked_after: Ints
    stamps: Ints
    events: Shorts
    numbers: Ints


def empty_knowledge(cells: int, *, clauses: int, places: int, room: int = 0) -> KnowledgeState:
    """An empty knowledge base about `cells` cells, with room for clauses, their literals, and events."""
    numbers = np.zeros(KNOWLEDGE_NUMBERS, np.int64)
    numbers[[INCOMING_SIZE, UNIT_LITERAL]] = NONE
    return KnowledgeState(
        inbox=np.zeros(0, np.int32),
        inbox_at=np.zeros(1, np.int64),
        incoming=np.zeros(cells, np.int32),
        literals=np.zeros(places, np.int32),
        clause_of=np.zeros(places, np.int32),
        following=np.zeros(places, np.int64),
        head=np.full(2 * cells, NONE),
        start=np.zeros(clauses, np.int64),
        size=np.zeros(clauses, np.int32),
        signature=np.zeros(clauses, np.uint64),
        alive=np.zeros(clauses, bool),
        serial=np.zeros(clauses, np.int64),
        matched_to=np.zeros(clauses, np.int64),
        partners=np.zeros(clauses, np.int64),
        cursors=np.zeros(cells, np.int64),
        value=np.zeros(2 * cells, bool),
        queued=np.zeros(2 * cells, bool),
        queue=np.zeros(2 * cells, np.int32),
        marked_after=np.zeros(2 * cells, np.int64),
        stamps=np.zeros(2 * cells, np.int64),
        events=np.zeros(room, np.int32),
        numbers=numbers,
    )


def grown(state: KnowledgeState) -> KnowledgeState:
    """Double whichever arrays ran out of space, those of clauses or those of literals."""
    arrays = {name: getattr(state, name) for name in _lacking(state)}
    longer: dict[str, Any] = {
        name: np.concatenate([array, np.zeros_like(array)]) for name, array in arrays.items()
    }
    return state._replace(**longer)


def _lacking(state: KnowledgeState) -> Sequence[str]:
    """The names of the arrays that are full, or too full for the incoming clause."""
    incoming = max(int(state.numbers[INCOMING_SIZE]), 0)
    lacking: list[str] = []
    if state.numbers[CLAUSES_USED] == state.start.size:
        lacking += ("start", "size", "signature", "alive", "serial", "matched_to", "partners")
    if state.numbers[LITERALS_USED] + incoming > state.literals.size:
        lacking += ("literals", "clause_of", "following")
    return lacking


# Deriving, step by step, until nothing new follows.
#
# A step is the first of these that applies. The incoming clause is added. A clause is taken from the inbox.
# A clause is simplified by a marked cell. A cell is marked, unless a round of matching is under way. A
# clause is matched with a later one.


@kernel(estimate=lambda _, __, steps: 1e-5 * steps)
def derive(kb: KnowledgeState, width: int, steps: int) -> int:
    """Make `steps` steps, or fewer if there is a reason to return early.

    Two clauses are matched if one of them has at most `width` literals. What counts as a step is a clause
    added, a clause taken up for matching, or a pair matched.
    """
    numbers = kb.numbers
    end = numbers[STEP_COUNT] + steps
    while True:
        is_matching = in_round(kb)
        code = take_in(kb, end, 0 if is_matching else kb.queue.size)
        if code != NOTHING_NEW:
            return code
        if is_matching:
            match_next(kb, width)
            numbers[STEP_COUNT] += 1
        elif not begin_round(kb):
            return code


@kernel
def take_in(kb: KnowledgeState, end: int, most_marked: int) -> int:
    """Make steps other than matching until none applies: NOTHING_NEW. MORE after `end` steps.

    No more than `most_marked` cells are marked. EMPTY_DERIVED, GROW and EVENTS_FULL are as in `derive`.
    """
    numbers, inbox_at = kb.numbers, kb.inbox_at
    while numbers[STEP_COUNT] < end:
        if kb.events.size and numbers[EVENTS_SIZE] + needed_for_events(kb) > kb.events.size:
            return EVENTS_FULL
        if numbers[INCOMING_SIZE] != NONE:
            code = insert(kb)
            if code != MORE:
                return code
            numbers[STEP_COUNT] += 1
        elif numbers[INBOX_READ] < inbox_at.size - 1:
            begin, end_of_clause = inbox_at[numbers[INBOX_READ]], inbox_at[numbers[INBOX_READ] + 1]
            for i in range(begin, end_of_clause):
                kb.incoming[i - begin] = kb.inbox[i]
            numbers[INCOMING_SIZE] = end_of_clause - begin
            numbers[INBOX_READ] += 1
        elif numbers[UNIT_LITERAL] != NONE:
            simplify(kb, numbers[UNIT_LITERAL])
        elif numbers[MARKED_CELLS] < min(numbers[QUEUED_CELLS], most_marked):
            if not mark(kb, kb.queue[numbers[MARKED_CELLS]]):
                return EMPTY_DERIVED
        else:
            return NOTHING_NEW
    return MORE


# Adding a clause, with subsumption.


@kernel
def insert(kb: KnowledgeState) -> int:
    """Add the incoming clause, unless a clause subsumes it: EMPTY_DERIVED, GROW or MORE."""
    numbers, events, head = kb.numbers, kb.events, kb.head
    incoming, size = kb.incoming, numbers[INCOMING_SIZE]
    if size == 0:
        return EMPTY_DERIVED
    if numbers[CLAUSES_USED] == kb.start.size or numbers[LITERALS_USED] + size > kb.literals.size:
        return GROW
    # Stamp its literals, and sum them up in a signature of 64 bits, which rules out most other clauses.
    numbers[LITERAL_STAMP] += 1
    signature = np.uint64(0)
    for i in range(size):
        literal = incoming[i]
        kb.stamps[literal] = numbers[LITERAL_STAMP]
        # The top six of sixteen bits of a product with this odd number look random.
        signature |= np.uint64(1) << np.uint64((int(literal) * 40503 & 0xFFFF) >> 10)
    # A known clause that has no other literals subsumes this one.
    known = find_subsuming(kb, signature, numbers[LITERAL_STAMP])
    if known != NONE:
        numbers[SUBSUMED_COUNT] += 1
        if events.size:
            begin_event(events, numbers, SUBSUME_EVENT)
            write_clause(events, numbers, kb.literals, kb.start[known], kb.size[known])
            write_clause(events, numbers, incoming, 0, size)
        numbers[INCOMING_SIZE] = NONE
        return MORE
    # It is new: it subsumes the clauses that contain it, and a unit clause queues its cell to be marked.
    remove_subsumed(kb, signature, numbers[LITERAL_STAMP])
    if size == 1 and not kb.queued[incoming[0]]:
        kb.queued[incoming[0]] = True
        kb.queue[numbers[QUEUED_CELLS]] = incoming[0]
        numbers[QUEUED_CELLS] += 1
    # Append it to the clauses, and each of its places to the front of its literal's list.
    clause = numbers[CLAUSES_USED]
    kb.start[clause] = numbers[LITERALS_USED]
    kb.size[clause] = size
    kb.signature[clause] = signature
    kb.alive[clause] = True
    kb.serial[clause] = numbers[NEXT_SERIAL]
    kb.matched_to[clause] = 0
    numbers[NEXT_SERIAL] += 1
    for i in range(size):
        literal, place = incoming[i], numbers[LITERALS_USED]
        kb.literals[place] = literal
        kb.clause_of[place] = clause
        kb.following[place] = head[literal]
        head[literal] = place
        numbers[LITERALS_USED] += 1
    numbers[CLAUSES_USED] += 1
    numbers[INCOMING_SIZE] = NONE
    return MORE


@kernel
def find_subsuming(kb: KnowledgeState, signature: np.uint64, stamp: int) -> int:
    """A clause whose literals are all in the incoming clause; `NONE` if there is none."""
    following, clause_of, alive, stamps = kb.following, kb.clause_of, kb.alive, kb.stamps
    start, sizes, signatures, literals = kb.start, kb.size, kb.signature, kb.literals
    for i in range(kb.numbers[INCOMING_SIZE]):
        place = kb.head[kb.incoming[i]]
        while place != NONE:
            clause = clause_of[place]
            place = following[place]
            if not alive[clause] or signatures[clause] & ~signature:
                continue
            contained = True
            for j in range(start[clause], start[clause] + sizes[clause]):
                if stamps[literals[j]] != stamp:
                    contained = False
                    break
            if contained:
                return int(clause)
    return NONE


@kernel
def remove_subsumed(kb: KnowledgeState, signature: np.uint64, stamp: int) -> None:
    """Remove every clause that has all the literals of the incoming clause."""
    numbers, events = kb.numbers, kb.events
    incoming, wanted = kb.incoming, numbers[INCOMING_SIZE]
    place = kb.head[incoming[0]]
    while place != NONE:
        clause = kb.clause_of[place]
        place = kb.following[place]
        if not kb.alive[clause] or signature & ~kb.signature[clause]:
            continue
        begin, size = kb.start[clause], kb.size[clause]
        common = 0
        for i in range(begin, begin + size):
            if kb.stamps[kb.literals[i]] == stamp:
                common += 1
        if common == wanted:
            kb.alive[clause] = False
            numbers[REMOVED_LITERALS] += size
            numbers[SUBSUMED_COUNT] += 1
            if events.size:
                begin_event(events, numbers, SUBSUME_EVENT)
                write_clause(events, numbers, incoming, 0, wanted)
                write_clause(events, numbers, kb.literals, begin, size)


# Marking a cell, and simplifying the clauses that mention it.


@kernel
def mark(kb: KnowledgeState, unit: int) -> bool:
    """Mark a cell, whose clauses are simplified next; False if it is marked as the opposite."""
    numbers, events = kb.numbers, kb.events
    if kb.value[unit ^ 1]:
        return False
    kb.value[unit] = True
    kb.marked_after[numbers[MARKED_CELLS]] = numbers[ROUND_COUNT]
    numbers[MARKED_CELLS] += 1
    numbers[UNIT_LITERAL] = unit
    # Clauses with the negation lose it: put them on the stack of partners, which is empty between rounds.
    place = kb.head[unit ^ 1]
    while place != NONE:
        if kb.alive[kb.clause_of[place]]:
            kb.partners[numbers[PARTNER_COUNT]] = kb.clause_of[place] * kb.head.size + (unit ^ 1)
            numbers[PARTNER_COUNT] += 1
        place = kb.following[place]
    if events.size:
        begin_event(events, numbers, MARK_EVENT)
        write_clause(events, numbers, kb.queue, numbers[MARKED_CELLS] - 1, 1)
    return True


@kernel
def simplify(kb: KnowledgeState, unit: int) -> None:
    """Simplify the next clause by a marked literal; if none is left, the literal is done.

    A clause with the literal is removed. A clause with its negation is added again without the negation.
    """
    numbers, events, head = kb.numbers, kb.events, kb.head
    # First come the clauses with the literal, which it satisfies; those already removed leave its list.
    while head[unit] != NONE and not kb.alive[kb.clause_of[head[unit]]]:
        head[unit] = kb.following[head[unit]]
    holds = head[unit] != NONE
    clause = kb.clause_of[head[unit]] if holds else next_partner(kb)
    if clause == NONE:
        numbers[UNIT_LITERAL] = NONE
        return
    kb.alive[clause] = False
    begin, size = kb.start[clause], kb.size[clause]
    numbers[REMOVED_LITERALS] += size
    if events.size and not (holds and size == 1):
        begin_event(events, numbers, SUBSUME_EVENT if holds else SIMPLIFY_EVENT)
        write_clause(events, numbers, kb.queue, numbers[MARKED_CELLS] - 1, 1)
        write_clause(events, numbers, kb.literals, begin, size)
    if holds:
        numbers[SUBSUMED_COUNT] += size > 1
        return
    numbers[INCOMING_SIZE] = 0
    for i in range(begin, begin + size):
        if kb.literals[i] != unit ^ 1:
            kb.incoming[numbers[INCOMING_SIZE]] = kb.literals[i]
            numbers[INCOMING_SIZE] += 1


# Matching rounds: all pairs of clauses are resolved, where the width allows it.
#
# A round takes up the clauses that exist when it begins, in order. Each is matched with all later clauses
# that exist when it is taken up, those added during the round included; removed clauses are skipped. No two
# clauses are matched twice, as their resolvent, or a clause that subsumes it, has been added.


@kernel
def begin_round(kb: KnowledgeState) -> bool:
    """Begin a round; False if there are no clauses, or no new ones since the latest round began."""
    numbers, events = kb.numbers, kb.events
    if numbers[LITERALS_USED] == numbers[REMOVED_LITERALS] or numbers[NEXT_SERIAL] == numbers[ROUND_SERIAL]:
        return False
    numbers[GIVEN_CLAUSES] = 0
    numbers[ROUND_END] = numbers[CLAUSES_USED]
    numbers[ROUND_SERIAL] = numbers[NEXT_SERIAL]
    numbers[ROUND_COUNT] += 1
    if events.size:
        events[numbers[EVENTS_SIZE]] = ROUND_EVENT
        events[numbers[EVENTS_SIZE] + 1] = numbers[ROUND_COUNT]
        numbers[EVENTS_SIZE] += 2
    return True


@kernel
def in_round(kb: KnowledgeState) -> bool:
    """Whether a round is under way."""
    numbers = kb.numbers
    return bool(
        numbers[GIVEN_CLAUSES] < numbers[ROUND_END]
        or (numbers[PARTNER_COUNT] > 0 and numbers[UNIT_LITERAL] == NONE)
    )


@kernel
def match_next(kb: KnowledgeState, width: int) -> None:
    """Match the given clause with its next partner, or take up the next clause of the round."""
    numbers = kb.numbers
    # While the given clause is not removed and has partners, resolve it with the next.
    given = numbers[GIVEN_CLAUSES] - 1
    if numbers[PARTNER_COUNT] > 0 and kb.alive[given]:
        other = next_partner(kb)
        if other != NONE:
            resolve(kb, given, other, kb.partners[numbers[PARTNER_COUNT]] % kb.head.size)
        return
    # It is done. Between two given clauses no partners are stacked, so clauses can be moved.
    numbers[PARTNER_COUNT] = 0
    if 2 * numbers[REMOVED_LITERALS] > numbers[LITERALS_USED]:
        compact(kb)
    if numbers[GIVEN_CLAUSES] < numbers[ROUND_END]:
        given = numbers[GIVEN_CLAUSES]
        numbers[GIVEN_CLAUSES] += 1
        if kb.alive[given]:
            stack_partners(kb, given, width)
            kb.matched_to[given] = numbers[NEXT_SERIAL]


@kernel
def stack_partners(kb: KnowledgeState, given: int, width: int) -> None:
    """Put the later clauses that `given` can be resolved with on the empty stack, but no pair twice.

    The lists of the negated literals, latest clause first, are merged. If a clause is in two of them, its
    resolvents are tautologies.
    """
    numbers, head, following, clause_of = kb.numbers, kb.head, kb.following, kb.clause_of
    begin, size = kb.start[given], kb.size[given]
    for i in range(size):
        kb.cursors[i] = head[kb.literals[begin + i] ^ 1]
    while True:
        # Find the latest clause at the front of any list, and how many of the lists it is in.
        latest, opposites, literal = given, 0, 0
        for i in range(size):
            place = kb.cursors[i]
            if place == NONE or clause_of[place] < latest:
                continue
            if clause_of[place] > latest:
                latest, opposites, literal = clause_of[place], 0, kb.literals[begin + i]
            opposites += 1
        if latest == given or kb.serial[latest] < kb.matched_to[given]:
            return
        # Move past it, and make it a partner if the two oppose each other in a single literal.
        for i in range(size):
            if kb.cursors[i] != NONE and clause_of[kb.cursors[i]] == latest:
                kb.cursors[i] = following[kb.cursors[i]]
        if kb.alive[latest] and min(size, kb.size[latest]) <= width:
            numbers[MATCHED_PAIRS] += 1
            if opposites == 1:
                kb.partners[numbers[PARTNER_COUNT]] = latest * head.size + literal
                numbers[PARTNER_COUNT] += 1


@kernel
def next_partner(kb: KnowledgeState) -> int:
    """Take the first clause that is not removed off the stack of partners; `NONE` if there is none."""
    numbers = kb.numbers
    while numbers[PARTNER_COUNT] > 0:
        numbers[PARTNER_COUNT] -= 1
        clause = kb.partners[numbers[PARTNER_COUNT]] // kb.head.size
        if kb.alive[clause]:
            return int(clause)
    return NONE


@kernel
def resolve(kb: KnowledgeState, given: int, other: int, literal: int) -> None:
    """Make the resolvent of two clauses the incoming clause: `given` has `literal`, `other` its negation."""
    numbers, events, stamps, incoming = kb.numbers, kb.events, kb.stamps, kb.incoming
    literals, ours, theirs = kb.literals, kb.start[given], kb.start[other]
    numbers[LITERAL_STAMP] += 1
    stamp = numbers[LITERAL_STAMP]
    size = 0
    for i in range(ours, ours + kb.size[given]):
        mine = literals[i]
        stamps[mine] = stamp
        if mine != literal:
            incoming[size] = mine
            size += 1
    for i in range(theirs, theirs + kb.size[other]):
        their = literals[i]
        if their != literal ^ 1 and stamps[their] != stamp:
            incoming[size] = their
            size += 1
    numbers[INCOMING_SIZE] = size
    numbers[RESOLVENT_COUNT] += 1
    if events.size:
        begin_event(events, numbers, RESOLVE_EVENT)
        write_clause(events, numbers, literals, ours, kb.size[given])
        write_clause(events, numbers, literals, theirs, kb.size[other])
        write_clause(events, numbers, incoming, 0, size)


@kernel
def compact(kb: KnowledgeState) -> None:
    """Drop the removed clauses and rebuild the lists of places; called between two given clauses."""
    numbers = kb.numbers
    kb.head[:] = NONE
    count, used, given, round_end = 0, 0, 0, 0
    for clause in range(numbers[CLAUSES_USED]):
        if not kb.alive[clause]:
            continue
        begin, size = kb.start[clause], kb.size[clause]
        kb.start[count], kb.size[count] = used, size
        kb.signature[count], kb.alive[count] = kb.signature[clause], True
        kb.serial[count], kb.matched_to[count] = kb.serial[clause], kb.matched_to[clause]
        for i in range(begin, begin + size):
            literal = kb.literals[i]
            kb.literals[used], kb.clause_of[used] = literal, count
            kb.following[used] = kb.head[literal]
            kb.head[literal] = used
            used += 1
        count += 1
        given += clause < numbers[GIVEN_CLAUSES]
        round_end += clause < numbers[ROUND_END]
    numbers[CLAUSES_USED], numbers[LITERALS_USED], numbers[REMOVED_LITERALS] = count, used, 0
    numbers[GIVEN_CLAUSES], numbers[ROUND_END] = given, round_end


# Events, which the kernels write as numbers.

EVENT_ROOM = 2**16
"""Numbers, for the events of a few hundred steps; the room grows when needed."""

STEPS_PER_READ = 1000
"""How many steps are made before their events are read."""

MARK_EVENT, SIMPLIFY_EVENT, RESOLVE_EVENT, SUBSUME_EVENT, ROUND_EVENT = range(1, 6)
"""Events: a kind, then its clauses, each as its size and its literals.

MARK_EVENT has the unit clause. SIMPLIFY_EVENT has the marked literal and the clause that loses its negation.
RESOLVE_EVENT has both clauses and their resolvent. SUBSUME_EVENT has the clause that is kept and the clause
that it subsumes. ROUND_EVENT has its number instead of a clause.
"""


@kernel
def begin_event(events: Shorts, numbers: Ints, kind: int) -> None:
    """Write the first number of an event."""
    events[numbers[EVENTS_SIZE]] = kind
    numbers[EVENTS_SIZE] += 1


@kernel
def write_clause(events: Shorts, numbers: Ints, literals: Shorts, begin: int, size: int) -> None:
    """Write a clause of an event, `literals[begin:begin+size]`."""
    at = numbers[EVENTS_SIZE]
    events[at] = size
    for i in range(size):
        events[at + 1 + i] = literals[begin + i]
    numbers[EVENTS_SIZE] = at + 1 + size


@kernel
def needed_for_events(kb: KnowledgeState) -> int:
    """The largest size of the events of one step: a resolvent, or the removal of every clause."""
    clauses, used, incoming = kb.numbers[CLAUSES_USED], kb.numbers[LITERALS_USED], kb.numbers[INCOMING_SIZE]
    return int(8 + 3 * kb.incoming.size + clauses * (3 + max(incoming, 1)) + used)


def _read(words: list[int], first_forms: dict[Clause, Clause]) -> Iterator[Event]:
    """The events in these numbers; `first_forms` has the first form of each simplified clause."""
    at = 0
    while at < len(words):
        kind, at = words[at], at + 1
        if kind == ROUND_EVENT:
            yield MatchRound(words[at])
            at += 1
            continue
        clauses = []
        for _ in range({MARK_EVENT: 1, SIMPLIFY_EVENT: 2, RESOLVE_EVENT: 3, SUBSUME_EVENT: 2}[kind]):
            end = at + 1 + words[at]
            clauses.append(signed_literals(words[at + 1 : end]))
            at = end
        if kind == MARK_EVENT:
            yield Marked(clauses[0][0], first_forms.get(clauses[0], clauses[0]))
        elif kind == SIMPLIFY_EVENT:
            (literal,), before = clauses
            after = tuple(other for other in before if other != -literal)
            first_forms.setdefault(after, first_forms.pop(before, before))
            yield Simplify(literal, before, after)
        elif kind == RESOLVE_EVENT:
            yield Resolve(*clauses)
        else:
            if clauses[0] != clauses[1]:
                first_forms.pop(clauses[1], None)
            yield Subsume(*clauses)
