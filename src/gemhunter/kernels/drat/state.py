"""The state of a proof check: flat arrays, and what the numbers in them mean.

Literal 2v says that variable v is true, 2v+1 is its negation. The checker keeps the set of false literals and
nothing else: a literal is true if its negation is false, and unassigned if neither is.

It shares no code and no layout with the searches, so that no bug of theirs can hide one of their bugs here.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Signs = NDArray[np.int8]

NO_SPACE = -2
"""Instead of a conflict clause: propagation stopped because the arrays of watches are full."""

# The scalars of a check: places in `ProofCheck.numbers`.
CURRENT_STEP = 0  # the step to be checked next
FALSE_COUNT = 1  # literals in `falsified`
PROPAGATED_COUNT = 2  # how many of them have been propagated
PERMANENT_COUNT = 3  # how many of them are false for good, not only under the assumption of a check
WATCHES_TAKEN = 4  # entries of `watch_place` and `watch_blocker` in use, gaps included
ANTECEDENT_COUNT = 5  # numbers in `antecedents`
CHECK_WORK = 6  # work done in this slice: watches, literals and clauses looked at
FINAL_CONFLICT = 7  # the clause that is false for good, or NONE
IGNORED_DELETIONS = 8  # deletions that were not carried out
LISTED_STEPS = 9  # steps whose literals are in the lists of occurrences
CHECK_NUMBERS = 10

ORIGINAL, ADDED, DELETION, TAUTOLOGY = range(4)
"""Kinds of steps: clauses of the formula, which come first, clauses that the proof adds, and deletions. A
clause with a variable and its negation becomes a TAUTOLOGY when its turn comes."""

ASSUMED = -1
"""Instead of the clause that is the reason for a false literal."""

DELETED = -1
"""Instead of the first literal of a deleted clause."""


class ProofCheck(NamedTuple):
    """Everything a check remembers between two slices.

    Step c has the literals from `starts[c]` to `starts[c+1]`. As a clause it ends at `ends[c]`, and after its
    deletion it is empty. `owner` has the step that each place of `literals` belongs to.

    `falsified` has the false literals in order, `is_false` marks them, and `reason` is by variable.
    `is_permanent` marks variables whose value does not rest on an assumption. `marked` is working space.

    The first two literals of a clause are watched. The watches of literal l are the entries from
    `watches_at[l]` on, `watch_count[l]` of them, with room for `watch_room[l]`. An entry points straight at
    the literals: `watch_place` has the place of the first literal, or -1 less that place for a binary clause,
    and `watch_blocker` another literal of the clause, which satisfies it if it is true.

    Clauses with the same last bits of `fingerprints`, the exclusive or of `random_words` over their literals,
    are a list: `buckets`, `next_in_bucket`. The antecedents of step c are the numbers of `antecedents` from
    `antecedents_at[c]` to `antecedents_at[c+1]`: clauses, or -1-v for a permanent variable v.

    The clauses with literal l are a list of places in `literals`: `first_occurrence[l]` is the first, and
    `next_occurrence` has the one after each.
    """

    kinds: Signs
    literals: Shorts
    starts: Ints
    ends: Ints
    owner: Shorts
    is_false: Signs
    falsified: Shorts
    reason: Shorts
    is_permanent: Signs
    marked: Signs
    watch_place: Shorts
    watch_blocker: Shorts
    watches_at: Ints
    watch_count: Shorts
    watch_room: Shorts
    random_words: Ints
    fingerprints: Ints
    buckets: Shorts
    next_in_bucket: Shorts
    antecedents: Shorts
    antecedents_at: Ints
    first_occurrence: Shorts
    next_occurrence: Shorts
    numbers: Ints
