"""`cdcl`: conflict-driven clause learning, written here.

From top to bottom: the settings, the engine, the search over a formula, and the events that a trace shows.
The algorithm is in `search`.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.drat import Proof
from gemhunter.cnf.formula import Cnf
from gemhunter.engines.cdcl import search as state
from gemhunter.engines.cdcl.search import load, search
from gemhunter.errors import InputError
from gemhunter.jit import search_state as shared
from gemhunter.jit.kernel import Floats, Ints, Shorts
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import (
    Assigned,
    Clause,
    ClauseConflict,
    Decided,
    Deleted,
    Event,
    Exhausted,
    Implied,
    Learned,
    LearningScheme,
    ModelFound,
    Restarted,
)
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.solving.settings import FirstValue, defaults, name_with, read_settings

Pick = Literal["activity", "random", "first"]
Restarts = Literal["luby", "glue", "never"]

PICKS: dict[Pick, str] = {
    "activity": "",
    "random": ", deciding variables at random",
    "first": ", deciding the first unassigned variable",
}

SCHEMES: dict[LearningScheme, str] = {
    "first-uip": "",
    "last-uip": ", learning at the last UIP",
    "decisions": ", learning clauses of decisions",
}

LUBY_UNIT = 50
"""Conflicts between two restarts, as a factor of Luby's sequence."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search decides, restarts, learns and deletes; these are the settings of the engine.

    `learn` says where conflict analysis stops; `shorten` minimises learned clauses, and `reduce` deletes
    some. A search with `pick=random` has no heuristic: it neither restarts nor saves phases.
    """

    pick: Pick = "activity"
    value: FirstValue = "gem"
    restarts: Restarts = "luby"
    unit: int = LUBY_UNIT
    decay: float = 0.95
    learn: LearningScheme = "first-uip"
    shorten: bool = True
    save_phases: bool = True
    reduce: bool = True

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise InputError(f"cdcl: unit must be a number of conflicts above 0, not {self.unit}")
        if not 0.5 <= self.decay < 1:
            raise InputError(f"cdcl: decay must be at least 0.5 and below 1, not {self.decay}")
        if self.pick == "random" and (self.restarts == "glue" or self.unit != LUBY_UNIT):
            raise InputError("cdcl: pick=random never restarts; leave out restarts and unit")


def make_engine(argument: str) -> "Cdcl":
    """The engine with the settings in `argument`, the others at their defaults."""
    return Cdcl(read_settings(Policy, "cdcl", argument))


@dataclass(frozen=True, slots=True)
class Cdcl:
    """Decides, propagates, learns a clause from every conflict and backjumps to where it is unit."""

    policy: Policy

    @property
    def info(self) -> EngineInfo:
        """What this solver is."""
        return EngineInfo(
            name_with("cdcl", self.policy),
            "conflict-driven clause learning (CDCL), written here"
            f"{PICKS[self.policy.pick]}{SCHEMES[self.policy.learn]}",
            step="conflict",
            memory_limit=True,
            proofs=True,
            settings=defaults(Policy),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Search until a model, the empty clause, or a limit is reached."""
        needed = FormulaSearch.bytes_needed(cnf)
        if not run.fits(needed):
            return GaveUp(StopReason.MEMORY, f"the search needs {needed:,} bytes")
        formula = FormulaSearch(cnf, self.policy, seed=run.seed, proof=run.wants_proof)
        try:
            return formula.answer(run)
        finally:
            run.count(**formula.counters)

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """The events of the search, step by step."""
        return cdcl_events(FormulaSearch(cnf, self.policy, seed=run.seed), self.policy.learn)


# The search over a formula.

FIRST_ROOM = 10_000
"""How many numbers of learned clauses there is room for at first; the room doubles when it is used up."""


class FormulaSearch:
    """A search for a model of a formula; a limit only interrupts it."""

    def __init__(self, cnf: Cnf, policy: Policy, *, seed: int = 0, proof: bool = False) -> None:
        """With `proof`, each step is kept. A `seed` other than 0 shuffles variables of equal activity.

        With `pick=random`, all decisions come from the seed.
        """
        self.search = s = _empty_search(cnf, policy, seed, proof=proof)
        self.is_refuted = not load(s, cnf.literals, cnf.starts)
        s.numbers[shared.NEXT_STEP] = shared.PROPAGATE
        if policy.reduce:
            s.rates[state.FIRST_REDUCE] = 300 + s.numbers[state.CLAUSE_COUNT] // 20
            s.numbers[state.REDUCE_AT] = int(s.rates[state.FIRST_REDUCE])

    @property
    def bytes_held(self) -> int:
        """How much memory the search holds."""
        s = self.search
        return sum(array.nbytes for array in (*s.trail, *s.clauses, *s.order, *s.analysis, s.proof))

    @staticmethod
    def bytes_needed(cnf: Cnf) -> int:
        """About how many bytes a search over this formula takes at the beginning."""
        return 4 * cnf.literals.size + 60 * cnf.size + 120 * cnf.variables + 16 * FIRST_ROOM

    @property
    def counters(self) -> dict[str, int]:
        """What the search has counted so far; the names are those of reports."""
        places = {
            "conflicts": shared.CONFLICT_COUNT,
            "decisions": shared.DECISION_COUNT,
            "propagations": shared.PROPAGATION_COUNT,
            "restarts": state.RESTART_COUNT,
            "learned_literals": state.LEARNED_LITERAL_COUNT,
            "reductions": state.REDUCTION_COUNT,
        }
        return {name: int(self.search.numbers[place]) for name, place in places.items()}

    def answer(self, run: Run) -> SatAnswer:
        """Search until a model, the empty clause, or a limit is reached."""
        # On a million cells a hundred conflicts can take a second, on small boards a millisecond.
        sizes = run.slice_sizes(100)
        while not self.is_refuted:
            numbers = self.search.numbers
            before = int(numbers[shared.CONFLICT_COUNT])
            code = search(self.search, run.slice(next(sizes)), False)
            limit = run.spend(int(numbers[shared.CONFLICT_COUNT]) - before)
            self.is_refuted = code == shared.EXHAUSTED
            if code == shared.FOUND:
                variables = np.arange(1, self.search.trail.level.size + 1)
                return Satisfied(np.where(self.search.trail.value[::2] > 0, variables, -variables))
            if code == shared.GROW and not run.fits(2 * self.bytes_held):
                return GaveUp(StopReason.MEMORY, f"the search holds {self.bytes_held:,} bytes and needs more")
            if code == shared.GROW:
                self.grow()
            if limit is not None and not self.is_refuted:
                return GaveUp(limit)
        return Unsatisfiable(self.proof() if run.wants_proof else None)

    def grow(self) -> None:
        """Double the room for learned clauses, their watches and the proof."""
        clauses, proof = self.search.clauses, self.search.proof
        grown = clauses._replace(
            arena=_doubled(clauses.arena), watches=_doubled(clauses.watches), binary=_doubled(clauses.binary)
        )
        self.search = self.search._replace(clauses=grown, proof=_doubled(proof))

    def proof(self) -> Proof:
        """The clauses learned and deleted, and the empty clause; once the formula is refuted."""
        words = self.search.proof[: self.search.numbers[state.PROOF_SIZE]]
        # A step is its number of literals, negative for a deletion, followed by the literals.
        begins, at, flat = [], 0, words.tolist()
        while at < len(flat):
            begins.append(at)
            at += abs(flat[at]) + 1
        sizes, inner = words[begins], np.delete(words, begins)
        literals = np.where(inner & 1, -(inner >> 1) - 1, (inner >> 1) + 1).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.abs(sizes)), [literals.size]])
        return Proof(literals, starts, np.concatenate([sizes < 0, [False]]))


Scalar = TypeVar("Scalar", bound=np.generic)


def _doubled(array: NDArray[Scalar]) -> NDArray[Scalar]:
    return np.concatenate([array, np.zeros_like(array)])


def _empty_search(cnf: Cnf, policy: Policy, seed: int, *, proof: bool) -> state.CdclState:
    """A search with room for the clauses of a formula, whatever their sizes and their order."""
    n, size = cnf.variables, cnf.size
    phase = np.full(n, policy.value == "gem", np.int8)
    trail = state.Trail(np.zeros(2 * n, np.int8), _ints(n), _ints(n), _ints(n + 1), _ints(n + 1), phase)
    clauses = state.Clauses(
        arena=_ints(cnf.literals.size + state.CLAUSE_HEADER * size + FIRST_ROOM),
        watches=_longs(8 * size + 8 * n + FIRST_ROOM),
        start=_longs(2 * n),
        size=_ints(2 * n),
        room=_ints(2 * n),
        # A list of c binary clauses uses less than 4c + 8 places, those that it moved away from included.
        binary=_ints(8 * size + 16 * n + FIRST_ROOM),
        binary_start=_longs(2 * n),
        binary_size=_ints(2 * n),
        binary_room=_ints(2 * n),
    )
    analysis = state.ConflictAnalysis(
        np.zeros(n, np.int8), _ints(n + 1), _ints(n + 1), _ints(n + 1), _longs(n + 1)
    )
    steps = _ints(cnf.literals.size + size + FIRST_ROOM if proof else 0)
    numbers = _longs(state.CDCL_NUMBERS)
    numbers[state.HEAP_SIZE] = n
    numbers[state.RESTART_AT] = policy.unit
    numbers[state.REDUCE_AT] = 2**62
    order = _order(n, policy, seed)
    random = shared.new_random_state(seed)
    return state.CdclState(trail, clauses, order, analysis, steps, random, numbers, _rates(policy))


def _ints(size: int) -> Shorts:
    return np.zeros(size, np.int32)


def _longs(size: int) -> Ints:
    return np.zeros(size, np.int64)


def _order(variables: int, policy: Policy, seed: int) -> state.DecisionOrder:
    """The heap of all variables: equally active, or for `first` each more active than those after it."""
    activity = np.zeros(variables)
    heap = np.arange(variables)
    if policy.pick == "first":
        activity -= heap
    elif policy.pick == "activity" and seed:
        heap = np.random.default_rng(seed % 2**64).permutation(variables)
    place = np.empty(variables, np.int32)
    place[heap] = np.arange(variables)
    return state.DecisionOrder(heap.astype(np.int32), place, activity.copy(), activity)


def _rates(policy: Policy) -> Floats:
    """The settings as numbers; an increment of 0 leaves all activities as they are."""
    is_random = policy.pick == "random"
    policies = {"luby": state.LUBY_RESTARTS, "glue": state.GLUE_RESTARTS, "never": state.NO_RESTARTS}
    schemes = {"first-uip": state.FIRST_UIP, "last-uip": state.LAST_UIP, "decisions": state.DECISIONS}
    rates = np.zeros(state.CDCL_RATES)
    rates[state.ACTIVITY_INCREMENT] = policy.pick == "activity"
    rates[state.RANDOM_DECISIONS] = is_random
    rates[state.ACTIVITY_DECAY] = policy.decay
    rates[state.RESTART_POLICY] = state.NO_RESTARTS if is_random else policies[policy.restarts]
    rates[state.RESTART_UNIT] = policy.unit
    rates[state.LEARNING_SCHEME] = schemes[policy.learn]
    rates[state.MINIMISATION] = policy.shorten
    rates[state.PHASE_SAVING] = policy.save_phases and not is_random
    rates[state.REDUCE_INCREMENT] = 300
    return rates


# The events of a search, read from its arrays between the steps of the kernel that also solves.


def cdcl_events(formula: FormulaSearch, scheme: LearningScheme) -> Iterator[Event]:
    """All events of a search, in order; the last is `ModelFound` or `Exhausted`."""
    reader = _TrailReader(formula, scheme)
    yield from reader.assignments()
    while not formula.is_refuted:
        step = formula.search.numbers[shared.NEXT_STEP]
        before, clauses = formula.counters, int(formula.search.numbers[state.CLAUSE_COUNT])
        code = search(formula.search, 2**62, True)
        if code == shared.GROW:
            formula.grow()
            continue
        if code == shared.FOUND:
            yield ModelFound()
            return
        if code == shared.EXHAUSTED:
            break
        if step == shared.DECIDE:
            yield from reader.deletions_and_restarts(before, clauses)
        if step == state.ANALYSE:
            yield reader.learned()
            continue
        if step == state.LEARN:
            reader.expect_one_assignment()
        yield from reader.assignments()
        if step != state.LEARN and (clause := reader.conflict_clause()):
            yield ClauseConflict(clause)
    yield Exhausted()


class _TrailReader:
    """Reads events from the arrays of a search, and remembers how much of the trail it has reported."""

    def __init__(self, formula: FormulaSearch, scheme: LearningScheme) -> None:
        self._formula, self._scheme = formula, scheme
        self._reported = 0

    def assignments(self) -> Iterator[Event]:
        """The literals on the trail that have not been reported."""
        s = self._formula.search
        for inner in s.trail.literals[self._reported : s.numbers[shared.TRAIL_SIZE]].tolist():
            literal = _signed(inner)
            level, reason = int(s.trail.level[inner >> 1]), int(s.trail.reason[inner >> 1])
            if reason == shared.NONE and level > 0:
                yield Decided(literal, level)
            else:
                yield Implied(literal, (literal,) if reason == shared.NONE else self._clause(reason, inner))
        self._reported = int(s.numbers[shared.TRAIL_SIZE])

    def learned(self) -> Learned:
        """The learned clause and its implication graph, read before the backjump."""
        s = self._formula.search
        clause = tuple(
            _signed(inner) for inner in s.analysis.learned[: s.numbers[state.LEARNED_SIZE]].tolist()
        )
        graph, beyond, cut = self._graph(uip=-clause[0])
        level = int(s.numbers[state.BACKJUMP_LEVEL])
        return Learned(clause, level, self.conflict_clause(), graph, beyond, cut, self._scheme)

    def expect_one_assignment(self) -> None:
        """Report only the last literal of the trail next, as the search has backjumped and assigned that."""
        self._reported = int(self._formula.search.numbers[shared.TRAIL_SIZE]) - 1

    def deletions_and_restarts(self, before: dict[str, int], clauses: int) -> Iterator[Event]:
        """What happened before a decision, given the counters and the number of clauses before it."""
        s, now = self._formula.search, self._formula.counters
        if now["reductions"] > before["reductions"]:
            yield Deleted(clauses - int(s.numbers[state.CLAUSE_COUNT]))
        if now["restarts"] > before["restarts"]:
            yield Restarted(int(s.numbers[shared.DECISION_LEVEL]) - 1)
            self.expect_one_assignment()

    def conflict_clause(self) -> Clause:
        """The conflict clause; empty if there is none."""
        numbers = self._formula.search.numbers
        if numbers[shared.CONFLICT_CLAUSE] == shared.NONE:
            return ()
        return self._clause(int(numbers[shared.CONFLICT_CLAUSE]), int(numbers[state.CONFLICT_LITERAL]))

    def _clause(self, clause: int, other: int) -> Clause:
        """A clause by where it lies; a binary clause is known by one literal, and `other` is the second."""
        arena = self._formula.search.clauses.arena
        if clause < 0:
            return _signed(other), _signed(state.BINARY - clause)
        begin = clause + state.CLAUSE_HEADER
        return tuple(_signed(inner) for inner in arena[begin : begin + arena[clause]].tolist())

    def _graph(self, uip: int) -> tuple[tuple[Assigned, ...], Clause, Clause]:
        """The implication graph of the conflict, the literals beyond its cut, and the clause of the cut.

        If the cut is at a UIP, the literals of the last level that follow from it lie beyond; if it is at
        the decisions, all literals that follow from decisions do.
        """
        trail, numbers = self._formula.search.trail, self._formula.search.numbers
        wanted = {-literal for literal in self.conflict_clause()}
        graph, beyond = [], []
        to_decisions = self._scheme == "decisions"
        is_beyond = True
        for inner in reversed(trail.literals[: numbers[shared.TRAIL_SIZE]].tolist()):
            literal, variable = _signed(inner), inner >> 1
            level, reason = int(trail.level[variable]), int(trail.reason[variable])
            if literal not in wanted:
                continue
            is_beyond = is_beyond and (to_decisions or literal != uip)
            because: Clause = ()
            is_resolved = level == numbers[shared.DECISION_LEVEL] or (to_decisions and level > 0)
            if reason != shared.NONE and is_resolved:
                because = tuple(-other for other in self._clause(reason, inner) if other != literal)
                wanted.update(because)
                if is_beyond:
                    beyond.append(literal)
            graph.append(Assigned(literal, level, because))
        levels = {node.literal: node.level for node in graph}
        crossing = {-literal for literal in self.conflict_clause()}
        crossing.update(cause for node in graph if node.literal in set(beyond) for cause in node.because)
        cut = {-literal for literal in crossing if literal not in beyond and levels[literal] > 0}
        return tuple(reversed(graph)), tuple(reversed(beyond)), tuple(sorted(cut, key=abs))


def _signed(inner: int) -> int:
    return -(inner >> 1) - 1 if inner & 1 else (inner >> 1) + 1
