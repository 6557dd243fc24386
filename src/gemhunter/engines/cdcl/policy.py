"""The settings of a CDCL search, and the empty search that begins with them."""

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.errors import InputError
from gemhunter.kernels.cdcl import state
from gemhunter.kernels.random_state import new_random_state
from gemhunter.solving.events import LearningScheme
from gemhunter.solving.settings import FirstValue

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
