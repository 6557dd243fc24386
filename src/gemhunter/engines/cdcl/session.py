"""The settings of a CDCL search, and a search that is asked again under changing assumptions."""

from dataclasses import dataclass
from typing import Literal, TypeVar

import numpy as np
from numpy.typing import NDArray

from gemhunter.cnf.drat import Proof
from gemhunter.cnf.formula import Literals
from gemhunter.engines.cdcl import clauses as state
from gemhunter.engines.cdcl.clauses import load
from gemhunter.engines.cdcl.search import backjump, search
from gemhunter.errors import InputError
from gemhunter.jit.arrays import Ints
from gemhunter.jit.codes import (
    CONFLICT_COUNT,
    DECISION_COUNT,
    EXHAUSTED,
    FOUND,
    GROW,
    NEXT_STEP,
    PROPAGATE,
    PROPAGATION_COUNT,
)
from gemhunter.jit.random_state import new_random_state
from gemhunter.solving.engine import FirstValue, Satisfied
from gemhunter.solving.events import LearningScheme
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run

# The settings of a CDCL search, and the empty search that begins with them.


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
"""Conflicts between two restarts, which Luby's sequence multiplies."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search decides, restarts, learns and deletes; these are the settings of the engine.

    `learn` is where conflict analysis stops, `shorten` minimisation of learned clauses, `forget` clause
    deletion. A search with `pick=random` has no heuristic: it neither restarts nor saves phases.
    """

    pick: Pick = "activity"
    value: FirstValue = "gem"
    restarts: Restarts = "luby"
    unit: int = LUBY_UNIT
    decay: float = 0.95
    learn: LearningScheme = "first-uip"
    shorten: bool = True
    save_phases: bool = True
    forget: bool = True

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise InputError(f"cdcl: unit is a number of conflicts above 0, not {self.unit}")
        if not 0.5 <= self.decay < 1:
            raise InputError(f"cdcl: decay is at least 0.5 and below 1, not {self.decay}")
        if self.pick == "random" and (self.restarts == "glue" or self.unit != LUBY_UNIT):
            raise InputError("cdcl: pick=random never restarts; leave out restarts and unit")


def empty_search(variables: int, policy: Policy, seed: int, *, proof: bool) -> state.CdclState:
    """A search without clauses."""
    n = variables
    phase = np.full(n, policy.value == "gem", np.int8)
    trail = state.Trail(np.zeros(2 * n, np.int8), _ints(n), _ints(n), _ints(n + 1), _ints(n + 1), phase)
    clauses = state.Clauses(
        *(_ints(0), _longs(0), _longs(2 * n), _ints(2 * n), _ints(2 * n)),
        *(_ints(0), _longs(2 * n), _ints(2 * n), _ints(2 * n)),
    )
    analysis = state.ConflictAnalysis(
        np.zeros(n, np.int8), _ints(n + 1), _ints(n + 1), _ints(n + 1), _longs(n + 1), _ints(n + 1)
    )
    numbers = _longs(state.CDCL_NUMBERS)
    numbers[state.HEAP_SIZE] = n
    numbers[state.RESTART_AT] = policy.unit
    numbers[state.REDUCE_AT] = 2**62
    order = _order(n, policy, seed)
    random = new_random_state(seed)
    return state.CdclState(
        trail, clauses, order, analysis, _ints(0), _ints(int(proof)), random, numbers, _rates(policy)
    )


def _ints(size: int) -> NDArray[np.int32]:
    return np.zeros(size, np.int32)


def _longs(size: int) -> NDArray[np.int64]:
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


def _rates(policy: Policy) -> NDArray[np.float64]:
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


# An incremental CDCL search: clauses stay, assumptions change from question to question.


Scalar = TypeVar("Scalar", bound=np.generic)

FIRST_SLICE_CONFLICTS = 100
"""On a million cells a hundred conflicts can take a second, on small boards a millisecond."""
FIRST_ROOM = 10_000
"""Numbers that there is room for at first in learned clauses; the room doubles when it is used up."""


@dataclass(frozen=True, slots=True)
class Conflict:
    """No model: the assumptions in `core` cannot all be true; if it is empty, the clauses have no model."""

    core: tuple[int, ...]


class Session:
    """A growing set of clauses, and a search that keeps what it has learned about them.

    Literals are the signed numbers of DIMACS; variables are 1..`variables`.
    """

    def __init__(
        self, variables: int, policy: Policy | None = None, *, seed: int = 0, proof: bool = False
    ) -> None:
        """With `proof`, each step is kept; a `seed` other than 0 shuffles variables of equal activity.

        With `pick=random` all decisions come from the seed.
        """
        self._policy = policy or Policy()
        self._search = empty_search(variables, self._policy, seed, proof=proof)
        self._hopeless = False

    @property
    def search(self) -> state.CdclState:
        """The arrays of the search, for reading."""
        return self._search

    @property
    def hopeless(self) -> bool:
        """Whether an empty clause was among those added."""
        return self._hopeless

    @property
    def bytes_held(self) -> int:
        """How much memory the search holds."""
        return sum(array.nbytes for array in _arrays(self._search))

    @staticmethod
    def bytes_needed(literals: int, clauses: int, variables: int) -> int:
        """About how many bytes a search over a formula of this size begins with."""
        return 4 * literals + 60 * clauses + 120 * variables + 16 * FIRST_ROOM

    @property
    def counters(self) -> dict[str, int]:
        """What the search has counted so far; the names are those of reports."""
        places = {
            "conflicts": CONFLICT_COUNT,
            "decisions": DECISION_COUNT,
            "propagations": PROPAGATION_COUNT,
            "restarts": state.RESTART_COUNT,
            "learned_literals": state.LEARNED_LITERAL_COUNT,
            "forgettings": state.REDUCTION_COUNT,
        }
        return {name: int(self._search.numbers[place]) for name, place in places.items()}

    def add(self, literals: Literals, starts: Ints) -> None:
        """Add clauses, laid out as in `Cnf`, before the first question or between two."""
        self._require_variables(np.abs(literals))

        s = self._search
        backjump(s.trail, s.order, s.numbers, s.rates, 0)
        self._reserve(literals.size, starts.size - 1)
        s = self._search
        self._hopeless |= not load(s, literals, starts)
        s.numbers[NEXT_STEP] = PROPAGATE
        if self._policy.forget:
            s.rates[state.FIRST_REDUCE] = 300 + s.numbers[state.CLAUSE_COUNT] // 20
            s.numbers[state.REDUCE_AT] = s.numbers[CONFLICT_COUNT] + int(s.rates[state.FIRST_REDUCE])

    def ask(self, assumptions: tuple[int, ...], run: Run) -> Satisfied | Conflict | GaveUp:
        """Find a model in which all assumptions are true; a limit of `run` only interrupts the search."""
        self.begin(assumptions)
        if self._hopeless:
            return Conflict(())
        sizes = run.slice_sizes(FIRST_SLICE_CONFLICTS)
        while True:
            numbers = self._search.numbers
            before = int(numbers[CONFLICT_COUNT])
            code = search(self._search, run.slice(next(sizes)), False)
            limit = run.spend(int(numbers[CONFLICT_COUNT]) - before)
            if code == FOUND:
                return Satisfied(self._model())
            if code == EXHAUSTED:
                self._hopeless = not numbers[state.CORE_SIZE]
                return Conflict(self._core())
            if code == GROW and not run.fits(2 * self.bytes_held):
                return GaveUp(StopReason.MEMORY, f"the search holds {self.bytes_held:,} bytes and needs more")
            if code == GROW:
                self.grow()
            if limit is not None:
                return GaveUp(limit)

    def begin(self, assumptions: tuple[int, ...]) -> None:
        """Backjump to level 0, and make these assumptions the first decisions."""
        self._require_variables(np.abs(np.array(assumptions, np.int64)))
        s = self._search
        backjump(s.trail, s.order, s.numbers, s.rates, 0)
        s.numbers[NEXT_STEP] = PROPAGATE
        chosen = np.array([_inner(literal) for literal in dict.fromkeys(assumptions)], np.int32)
        self._search = s._replace(assumptions=chosen)

    def grow(self) -> None:
        """Double the room for learned clauses, their watches and the proof."""
        clauses, proof = self._search.clauses, self._search.proof
        grown = clauses._replace(
            arena=_doubled(clauses.arena), watches=_doubled(clauses.watches), binary=_doubled(clauses.binary)
        )
        self._search = self._search._replace(clauses=grown, proof=_doubled(proof))

    def proof(self) -> Proof:
        """The clauses learned and deleted, and the empty clause; after a `Conflict` with an empty core."""
        words = self._search.proof[: self._search.numbers[state.PROOF_SIZE]]
        sizes = _step_sizes(words)
        is_literal = np.ones(words.size, bool)
        is_literal[np.concatenate([[0], np.cumsum(np.abs(sizes) + 1)[:-1]])[: sizes.size]] = False
        inner = words[is_literal]
        literals = np.where(inner & 1, -(inner >> 1) - 1, (inner >> 1) + 1).astype(np.int32)
        starts = np.concatenate([[0], np.cumsum(np.abs(sizes)), [literals.size]])
        return Proof(literals, starts, np.concatenate([sizes < 0, [False]]))

    def _require_variables(self, variables: NDArray[np.integer]) -> None:
        """Raise `InputError` if one of them is not a variable of the session."""
        most = self._search.trail.level.size
        if variables.size and not (variables.min() > 0 and variables.max() <= most):
            raise InputError(
                f"variables are 1 to {most}, found {variables[(variables < 1) | (variables > most)][0]}"
            )

    def _reserve(self, literals: int, clauses: int) -> None:
        """Make room for more clauses, whatever their sizes and the order of their literals."""
        s = self._search
        held, lists = s.clauses, s.clauses.size.size
        arena = int(s.numbers[state.ARENA_SIZE]) + literals + state.CLAUSE_HEADER * clauses + FIRST_ROOM
        watches = 8 * (int(s.numbers[state.ARENA_SIZE]) // 6 + clauses) + 4 * lists + FIRST_ROOM
        # A list of c binary clauses has used less than 4c + 8 places, those it has moved away from included.
        binary = (
            int(s.numbers[state.BINARY_USED])
            + 4 * int(held.binary_size.sum())
            + 8 * clauses
            + 8 * lists
            + FIRST_ROOM
        )
        proof = int(s.numbers[state.PROOF_SIZE]) + literals + clauses + FIRST_ROOM if s.proof.size else 0
        grown = held._replace(
            arena=_at_least(held.arena, arena),
            watches=_at_least(held.watches, watches),
            binary=_at_least(held.binary, binary),
        )
        self._search = s._replace(clauses=grown, proof=_at_least(s.proof, proof))

    def _model(self) -> NDArray[np.int64]:
        variables = np.arange(1, self._search.trail.level.size + 1)
        return np.where(self._search.trail.value[::2] > 0, variables, -variables)

    def _core(self) -> tuple[int, ...]:
        inner = self._search.analysis.core[: self._search.numbers[state.CORE_SIZE]].tolist()
        return tuple(-(literal >> 1) - 1 if literal & 1 else (literal >> 1) + 1 for literal in inner)


def _inner(literal: int) -> int:
    return 2 * literal - 2 if literal > 0 else -2 * literal - 1


def _arrays(search: state.CdclState) -> list[NDArray[np.generic]]:
    groups = (search.trail, search.clauses, search.order, search.analysis)
    return [*(array for group in groups for array in group), search.proof]


def _at_least(array: NDArray[Scalar], size: int) -> NDArray[Scalar]:
    if array.size >= size:
        return array
    grown = np.zeros(max(size, array.size * 3 // 2), array.dtype)
    grown[: array.size] = array
    return grown


def _doubled(array: NDArray[Scalar]) -> NDArray[Scalar]:
    return _at_least(array, 2 * array.size)


def _step_sizes(words: NDArray[np.int32]) -> NDArray[np.int64]:
    """The number of literals of each step of a proof, negative for deletions."""
    sizes, at, flat = [], 0, words.tolist()
    while at < len(flat):
        sizes.append(flat[at])
        at += abs(flat[at]) + 1
    return np.array(sizes, np.int64)
