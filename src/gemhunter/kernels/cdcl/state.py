"""The memory of the CDCL search: flat arrays, and what the numbers in them mean.

Variable v is 0..n-1. Literal 2v says that it is true, 2v+1 that it is false; `literal ^ 1` is the opposite.
A clause of three or more literals lies in `arena`: its size, its glue (0 for a clause of the formula), the
conflict it was last used at, then its literals, of which the first two are watched. It is known by where it
begins. Clauses of the formula come first, learned ones from LEARNED_FROM on. A clause of two literals lies in
the lists of `pairs` only, and is never forgotten.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.kernels.random_state import Chance

Numbers: TypeAlias = NDArray[np.int64]
Int: TypeAlias = int | np.signedinteger
Rates: TypeAlias = NDArray[np.float64]
Arena: TypeAlias = NDArray[np.int32]

HEADER = 3
"""Numbers before the literals of a clause: SIZE, GLUE, USED."""
SIZE, GLUE, USED = range(HEADER)

NONE = -1
"""No clause: no clash, or a literal that no clause implied."""
PAIR = -2
"""`PAIR - literal` is a clause of two literals, that one and the one it implied or clashed with."""
CROWDED = -(2**31)
"""Not a clash: propagation stopped because a list of watches is full, that of FULL_LIST."""

FOUND, REFUTED, MORE, GROW, PAUSED = 1, 2, 3, 4, 5
"""Why the search returned: a model, no model under the assumptions, the budget, no room, one step done."""
FORGET, TIDY = 6, 7
"""Why it paused for a moment: clauses are to be forgotten, lists to be laid out anew."""

PROPAGATE, ANALYSE, LEARN, DECIDE = range(4)
"""What the search does next; the place STEP of `numbers` says which."""

LUBY, BY_GLUE, NEVER = range(3)
"""When to restart; the place RESTARTING of `rates` says which."""

STEP, TRAIL_SIZE, HEAD, LEVEL, HEAP_SIZE = range(5)
ARENA_TOP, LEARNED_FROM, WATCH_TOP, PAIR_TOP, PROOF_TOP, FULL_LIST = range(5, 11)
CLASH, CLASH_LITERAL, LEARNED_SIZE, LEARNED_LEVEL, CORE_SIZE = range(11, 16)
CLAUSES, LEARNED, RESTART_AT, FORGET_AT, ROOT_DONE, STAMP = range(16, 22)
CONFLICTS, DECISIONS, PROPAGATIONS, RESTARTS, FORGETTINGS, LEARNED_LITERALS = range(22, 28)
NUMBERS = 28
"""Places in `Search.numbers`: where things stand, the conflict at hand, bookkeeping, what is counted."""

BUMP, FAST_GLUE, SLOW_GLUE = range(3)
DECAY, RESTARTING, RESTART_UNIT, SHORTENING, SAVING_PHASES, FIRST_FORGETTING, LATER_FORGETTING = range(3, 10)
PICKING_AT_RANDOM = 10
RATES = 11
"""Places in `Search.rates`: what the search keeps, and its settings."""


class Trail(NamedTuple):
    """What is assigned, in which order, on which level and why.

    `value` is 1 for a true literal, -1 for a false one, 0 for an open one. Level l+1 begins at `starts[l]`.
    """

    value: NDArray[np.int8]
    level: NDArray[np.int32]
    reason: NDArray[np.int32]
    literals: NDArray[np.int32]
    starts: NDArray[np.int32]
    phase: NDArray[np.int8]


class Clauses(NamedTuple):
    """The clauses, and who is watching.

    When literal p becomes true, the clauses in `watches[start[p]:start[p]+size[p]]` may have to act; each
    entry is `clause << 32 | blocker`, where a true blocker says that nothing is to be done. All of
    `pairs[pair_start[p]:pair_start[p]+pair_size[p]]` must become true. A list that outgrows its room moves
    to the end of its pool.
    """

    arena: Arena
    watches: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    room: NDArray[np.int32]
    pairs: NDArray[np.int32]
    pair_start: NDArray[np.int64]
    pair_size: NDArray[np.int32]
    pair_room: NDArray[np.int32]


class Order(NamedTuple):
    """Open variables in a heap, the most active on top; `place` is -1 for those not in it.

    All activities are the same, and stay so, when variables are picked at random: then the heap is a bag.

    A node has four children, and `key` has the activities in the order of the heap: on large boards a search
    spends much of its time here, waiting for memory.
    """

    heap: NDArray[np.int32]
    place: NDArray[np.int32]
    key: NDArray[np.float64]
    activity: NDArray[np.float64]


class AnalysisScratch(NamedTuple):
    """Scratch paper of conflict analysis; `learned` is the clause it came to, `core` a final conflict."""

    seen: NDArray[np.int8]
    marked: NDArray[np.int32]
    stack: NDArray[np.int32]
    learned: NDArray[np.int32]
    level_stamp: NDArray[np.int64]
    core: NDArray[np.int32]


class CdclState(NamedTuple):
    """Everything a search remembers between two slices.

    `proof` has the steps of a DRAT proof, each as the number of its literals (negative: deleted) and these;
    it is empty if none was asked for. `random` is the state of the random numbers, as in `kernels.chance`.
    """

    trail: Trail
    clauses: Clauses
    order: Order
    notes: AnalysisScratch
    assumptions: NDArray[np.int32]
    proof: NDArray[np.int32]
    random: Chance
    numbers: Numbers
    rates: Rates
