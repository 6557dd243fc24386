"""How a CDCL search goes about it, and the search without clauses that begins so."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

import numpy as np
from numpy.typing import NDArray

from gemhunter.errors import InputError
from gemhunter.solving.settings import FirstValue

if TYPE_CHECKING:
    from gemhunter.kernels.cdcl.state import CdclState, Order

Pick = Literal["activity", "random", "first"]
Restarts = Literal["luby", "glue", "never"]

PICKS: dict[Pick, str] = {
    "activity": "",
    "random": ", deciding variables at random",
    "first": ", deciding the first open variable",
}


UNIT = 50
"""Conflicts between two restarts, which Luby's sequence multiplies."""


@dataclass(frozen=True, slots=True)
class Policy:
    """How a search goes about it; these are the settings of the engine.

    `random` is the search without a heuristic: it neither restarts nor saves phases.
    """

    pick: Pick = "activity"
    value: FirstValue = "gem"
    restarts: Restarts = "luby"
    unit: int = UNIT
    decay: float = 0.95
    shorten: bool = True
    save_phases: bool = True
    forget: bool = True

    def __post_init__(self) -> None:
        if self.unit < 1:
            raise InputError(f"cdcl: unit is a number of conflicts above 0, not {self.unit}")
        if not 0.5 <= self.decay < 1:
            raise InputError(f"cdcl: decay is at least 0.5 and below 1, not {self.decay}")
        if self.pick == "random" and (self.restarts == "glue" or self.unit != UNIT):
            raise InputError("cdcl: pick=random never restarts; leave out restarts and unit")


def empty_search(variables: int, policy: Policy, seed: int, *, proof: bool) -> "CdclState":
    """A search without clauses."""
    from gemhunter.kernels.cdcl import state
    from gemhunter.kernels.random_state import new_chance

    def ints(size: int) -> NDArray[np.int32]:
        return np.zeros(size, np.int32)

    def longs(size: int) -> NDArray[np.int64]:
        return np.zeros(size, np.int64)

    n = variables
    phase = np.full(n, policy.value == "gem", np.int8)
    trail = state.Trail(np.zeros(2 * n, np.int8), ints(n), ints(n), ints(n + 1), ints(n + 1), phase)
    clauses = state.Clauses(
        *(ints(0), longs(0), longs(2 * n), ints(2 * n), ints(2 * n)),
        *(ints(0), longs(2 * n), ints(2 * n), ints(2 * n)),
    )
    notes = state.AnalysisScratch(
        np.zeros(n, np.int8), ints(n + 1), ints(n + 1), ints(n + 1), longs(n + 1), ints(n + 1)
    )
    numbers = longs(state.NUMBERS)
    numbers[state.HEAP_SIZE] = n
    numbers[state.RESTART_AT] = policy.unit
    numbers[state.FORGET_AT] = 2**62
    order = _order(n, policy, seed)
    proof_log = ints(int(proof))
    return state.CdclState(
        trail, clauses, order, notes, ints(0), proof_log, new_chance(seed), numbers, _rates(policy)
    )


def _order(variables: int, policy: Policy, seed: int) -> "Order":
    """The heap of open variables: all equally active, or for `first` each more active than those after it."""
    from gemhunter.kernels.cdcl.state import Order

    activity = np.zeros(variables)
    heap = np.arange(variables)
    if policy.pick == "first":
        activity -= heap
    elif policy.pick == "activity" and seed:
        heap = np.random.default_rng(seed % 2**64).permutation(variables)
    place = np.empty(variables, np.int32)
    place[heap] = np.arange(variables)
    return Order(heap.astype(np.int32), place, activity.copy(), activity)


def _rates(policy: Policy) -> NDArray[np.float64]:
    """The settings as numbers; a bump of 0 leaves all activities as they are."""
    from gemhunter.kernels.cdcl import state

    is_random = policy.pick == "random"
    restarts = {"luby": state.LUBY, "glue": state.BY_GLUE, "never": state.NEVER}[policy.restarts]
    rates = np.zeros(state.RATES)
    rates[state.BUMP] = policy.pick == "activity"
    rates[state.PICKING_AT_RANDOM] = is_random
    rates[state.DECAY] = policy.decay
    rates[state.RESTARTING] = state.NEVER if is_random else restarts
    rates[state.RESTART_UNIT] = policy.unit
    rates[state.SHORTENING] = policy.shorten
    rates[state.SAVING_PHASES] = policy.save_phases and not is_random
    rates[state.LATER_FORGETTING] = 300
    return rates
