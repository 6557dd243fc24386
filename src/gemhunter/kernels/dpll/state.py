"""The state of the DPLL search: flat arrays, and what the numbers in them mean.

Literal 2v says that variable v, counted from 0, is true; 2v+1 is its negation. `value` is 1 for a true
literal, -1 for a false one, 0 for an unassigned one. Clause c is `literals[starts[c]:starts[c+1]]`; the first
two literals of a clause are watched. The watches of literal l are `watches[2*i]` (the clause) and
`watches[2*i + 1]` (a blocking literal) for i from `at[l]`, `watch_count[l]` of them. A literal never has more
watches than it has occurrences, so there is room for all of them from the beginning.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Signs = NDArray[np.int8]
Weights = NDArray[np.float64]
Flags = NDArray[np.bool_]

FIND_PURE, BACKTRACK = 4, 5
"""Steps of the search besides PROPAGATE and DECIDE, in NEXT_STEP."""

TOO_DEEP, LOG_FULL = 6, 7
"""Why the search returned, besides the reasons in `kernels.codes`: the next decision would be deeper than
allowed, or `log` has to be emptied first."""

# The scalars of a search: places in `DpllState.numbers`, after those of `kernels.codes`.
DECISION_RULE = 9  # a setting: FIRST_VARIABLE, SHORTEST_CLAUSE or JEROSLOW_WANG
FIRST_SIGN = 10  # a setting: whether a decision makes a variable true (0) or false (1) first
DEPTH_LIMIT = 11  # a setting: how many decisions the trail may have, 0 for no limit
WORK_LIMIT = 12  # watches and literals to look at in one slice
WORK_DONE = 13  # watches and literals looked at in this slice
DECISION_CURSOR = 14  # variables or clauses before it need not be looked at for the next decision
COUNTED_LITERALS = 15  # literals on the trail whose clauses have been counted as satisfied
PURE_QUEUE_HEAD = 16  # literals of `queue` that have been looked at
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

    Decision d put the literal at `decided[d]` on the trail, when the cursor was at `resume[d]`; `flipped[d]`
    says that its negation has failed. `score` is for adding up the weights of literals. `log` gets the
    clauses of a proof, each ended by 0, in the signed numbers of DIMACS.

    For pure literals, `occurrences` has the clauses of literal l from `at[l]` to `at[l+1]`, `satisfied_by`
    the first literal that satisfied a clause, `unsatisfied_count` how many clauses with a literal are not
    satisfied, and `queue` the literals for which that count has come to 0. Arrays that are not needed are
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
    score: Weights
    occurrences: Shorts
    satisfied_by: Shorts
    unsatisfied_count: Shorts
    queue: Shorts
    log: Shorts
    numbers: Ints
