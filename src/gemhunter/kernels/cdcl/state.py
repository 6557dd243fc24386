"""The state of the CDCL search: flat arrays, and what the numbers in them mean.

Variable v is 0..n-1. Literal 2v says that it is true, 2v+1 that it is false; `literal ^ 1` is the negation.
A clause of three or more literals lies in `arena`: its size, its glue (0 for a clause of the formula), the
conflict at which it was last used, then its literals, of which the first two are watched. A clause is known
by where it begins. Clauses of the formula come first, learned clauses from FIRST_LEARNED on. A binary clause
lies in the lists of `binary` only, and is never deleted.
"""

from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from gemhunter.kernels.codes import OWN_PLACES
from gemhunter.kernels.random_state import RandomState

Numbers: TypeAlias = NDArray[np.int64]
Int: TypeAlias = int | np.signedinteger
Rates: TypeAlias = NDArray[np.float64]
Arena: TypeAlias = NDArray[np.int32]

CLAUSE_HEADER = 3
"""Numbers before the literals of a clause: CLAUSE_SIZE, GLUE, LAST_USED."""
CLAUSE_SIZE, GLUE, LAST_USED = range(CLAUSE_HEADER)

BINARY = -2
"""`BINARY - p` as a reason or conflict is the binary clause of literal p and the literal it implied, or that
of p and CONFLICT_LITERAL."""
LIST_FULL = -(2**31)
"""Instead of a conflict: propagation stopped because the list of watches of FULL_LIST is full."""

REDUCE, COMPACT = 6, 7
"""Why the steps pause for a moment: learned clauses are to be deleted, lists of watches to be compacted."""

ANALYSE, LEARN = 2, 3
"""Steps of the search besides PROPAGATE and DECIDE, in NEXT_STEP."""

LUBY_RESTARTS, GLUE_RESTARTS, NO_RESTARTS = range(3)
"""When to restart, in RESTART_POLICY."""

FIRST_UIP, LAST_UIP, DECISIONS = range(3)
"""How far a conflict is resolved, in LEARNING_SCHEME."""

# The scalars of a search: places in `CdclState.numbers`, after those of `kernels.codes`.
HEAP_SIZE = 9  # variables in the heap
ARENA_SIZE = 10  # numbers of `arena` in use
FIRST_LEARNED = 11  # where in `arena` learned clauses begin
WATCHES_USED = 12  # entries of `watches` in use, gaps included
BINARY_USED = 13  # entries of `binary` in use, gaps included
PROOF_SIZE = 14  # numbers of `proof` in use
FULL_LIST = 15  # the literal whose list of watches is full, after LIST_FULL
CONFLICT_LITERAL = 16  # the second literal of a binary conflict clause
LEARNED_SIZE = 17  # literals of the clause in `analysis.learned`
BACKJUMP_LEVEL = 18  # the level on which that clause implies its first literal
CORE_SIZE = 19  # assumptions in `analysis.core`; none if the clauses alone have no model
CLAUSE_COUNT = 20  # clauses in the arena
LEARNED_COUNT = 21  # learned clauses in the arena
RESTART_AT = 22  # the number of conflicts from which the next restart may come
REDUCE_AT = 23  # the number of conflicts from which the next deletion of clauses is due
ROOT_LOGGED = 24  # literals of level 0 that the proof has as unit clauses and the arena was simplified by
LEVEL_STAMP = 25  # the latest mark in `analysis.level_stamp`
RESTART_COUNT = 26  # restarts so far
REDUCTION_COUNT = 27  # deletions of clauses so far
LEARNED_LITERAL_COUNT = 28  # literals of all learned clauses so far
CDCL_NUMBERS = OWN_PLACES + 20

# What the search keeps as a fraction, and its settings: places in `CdclState.rates`.
ACTIVITY_INCREMENT = 0  # what the next conflict adds to the activity of a variable
RECENT_GLUE = 1  # the average glue of about 32 learned clauses, the latest ones
AVERAGE_GLUE = 2  # the average glue of about 4096 learned clauses
ACTIVITY_DECAY = 3  # what activities are multiplied by after each conflict
RESTART_POLICY = 4  # LUBY_RESTARTS, GLUE_RESTARTS or NO_RESTARTS
RESTART_UNIT = 5  # conflicts that Luby's sequence counts as one
MINIMISATION = 6  # 1 if learned clauses are minimised
PHASE_SAVING = 7  # 1 if a decision gives a variable the value that it had last
FIRST_REDUCE = 8  # conflicts before the first deletion of clauses
REDUCE_INCREMENT = 9  # by how many more conflicts each further deletion has to wait
RANDOM_DECISIONS = 10  # 1 if decision variables are drawn at random
LEARNING_SCHEME = 11  # FIRST_UIP, LAST_UIP or DECISIONS
CDCL_RATES = 12


class Trail(NamedTuple):
    """The assignment: which literals, in which order, on which decision level and for which reason.

    `value` is 1 for a true literal, -1 for a false one, 0 for an unassigned one. `level` and `reason` are by
    variable; the reason is the antecedent clause, or NONE for a decision. `literals` is the trail itself;
    level l+1 begins at `starts[l]`. `phase` is the sign that a decision on a variable takes.
    """

    value: NDArray[np.int8]
    level: NDArray[np.int32]
    reason: NDArray[np.int32]
    literals: NDArray[np.int32]
    starts: NDArray[np.int32]
    phase: NDArray[np.int8]


class Clauses(NamedTuple):
    """The clauses and their watched literals.

    When literal p becomes true, the clauses in `watches[start[p]:start[p]+size[p]]` lose a watched literal;
    each entry is `clause << 32 | blocker`, and a clause whose blocker is true is satisfied. All literals in
    `binary[binary_start[p]:binary_start[p]+binary_size[p]]` are implied. A list that outgrows its `room`
    moves to the end of its pool.
    """

    arena: Arena
    watches: NDArray[np.int64]
    start: NDArray[np.int64]
    size: NDArray[np.int32]
    room: NDArray[np.int32]
    binary: NDArray[np.int32]
    binary_start: NDArray[np.int64]
    binary_size: NDArray[np.int32]
    binary_room: NDArray[np.int32]


class DecisionOrder(NamedTuple):
    """Unassigned variables in a heap, the most active on top; `place` is -1 for variables outside the heap.

    When variables are drawn at random all activities are and stay equal: then the heap is a bag.

    A node has four children, and `key` has the activities in the order of the heap: on large boards a search
    spends much of its time here, waiting for memory.
    """

    heap: NDArray[np.int32]
    place: NDArray[np.int32]
    key: NDArray[np.float64]
    activity: NDArray[np.float64]


class ConflictAnalysis(NamedTuple):
    """Working space of conflict analysis.

    `seen` marks variables, and `marked` lists them. `stack` is for minimisation. `learned` is the learned
    clause, `core` the final conflict. A level with the latest stamp in `level_stamp` has been counted.
    """

    seen: NDArray[np.int8]
    marked: NDArray[np.int32]
    stack: NDArray[np.int32]
    learned: NDArray[np.int32]
    level_stamp: NDArray[np.int64]
    core: NDArray[np.int32]


class CdclState(NamedTuple):
    """Everything a search remembers between two slices.

    `proof` has the steps of a DRAT proof, each as its number of literals (negative for a deletion) and the
    literals; it is empty if no proof is wanted. `random` is the state of the random numbers.
    """

    trail: Trail
    clauses: Clauses
    order: DecisionOrder
    analysis: ConflictAnalysis
    assumptions: NDArray[np.int32]
    proof: NDArray[np.int32]
    random: RandomState
    numbers: Numbers
    rates: Rates
