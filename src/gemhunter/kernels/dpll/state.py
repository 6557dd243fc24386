"""What a DPLL search remembers, and in which places.

Literal 2v says that variable v, counted from 0, is true; 2v+1 is the opposite. `value` is 1 for literals that
hold, -1 for their opposites, 0 for open ones. Clause c is `literals[starts[c]:starts[c+1]]`; one of two
literals or more is watched by the first two. The watches of literal l are `pool[2*i]` (the clause) and
`pool[2*i + 1]` (another of its literals) for i from `at[l]`, `watched[l]` of them. A literal never has more
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

PROPAGATE, PURE, DECIDE, BACKTRACK = range(4)
"""What a search does next."""

RULE, SIGN, DEEPEST, MOST_WORK = range(4)
"""Places in `numbers` for settings: how to decide, whether a variable is first true (0) or false (1), the
depth limit or 0, watches and literals to look at in one slice."""

NEXT, TRAIL, HEAD, LEVEL, CLASH, CURSOR, WORK = range(4, 11)
"""Places in `numbers`: what is next, literals on the trail, those followed up, decisions on the path, the
clause that broke, the first variable or clause that may be open, work done in this slice."""

COUNTED, ASKED, QUEUED, LOGGED = range(11, 15)
"""Places in `numbers`: literals on the trail whose clauses have been counted as held, places in `queue` that
were looked at and that are used, numbers in `log`."""

DECISIONS, PROPAGATIONS, CONFLICTS, PURES = range(15, 19)
"""Places in `numbers` for what is counted: decisions, implied literals, broken clauses, pure literals."""

NUMBERS = 19

FIRST, SHORTEST, HEAVIEST = range(3)
"""How to decide."""

NONE, UNFINISHED = -1, -2
"""Instead of a clause that is broken: there is none, or the slice is over."""

DECIDED, FLIPPED, LONELY = -1, -2, -3
"""Instead of the clause that is the reason for a literal; LONELY is for pure ones."""


class DpllState(NamedTuple):
    """Everything a search remembers between two slices.

    Decision d put the literal at `decided[d]` on the trail, when the cursor was at `resume[d]`; `flipped[d]`
    says that the opposite has failed. `score` is for adding up the weights of literals. `log` gets the
    clauses of a proof, each ended by 0, in the signed numbers of DIMACS.

    For pure literals, `occurs` has the clauses of literal l from `at[l]` to `at[l+1]`, `holder` the literal
    that was first to hold in a clause, `alive` how many clauses with a literal none holds in, and `queue`
    the literals that came to be in no such clause. Arrays that are not needed are empty.
    """

    literals: Shorts
    starts: Ints
    pool: Shorts
    at: Ints
    watched: Shorts
    value: Signs
    reason: Shorts
    trail: Shorts
    decided: Shorts
    resume: Shorts
    flipped: Flags
    score: Weights
    occurs: Shorts
    holder: Shorts
    alive: Shorts
    queue: Shorts
    log: Shorts
    numbers: Ints
