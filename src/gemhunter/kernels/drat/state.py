"""What a check of a proof remembers, and in which places."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Shorts = NDArray[np.int32]
Signs = NDArray[np.int8]

NONE, FULL = -1, -2
"""Instead of a clause that is broken: there is none, or the pool of watches is full."""

CURSOR, TRAIL, HEAD, TOP, POOL, HINTS, WORK, BROKEN, IGNORED, LISTED = range(10)
"""Places in `numbers`: the next step, literals on the trail, those followed up, those that hold for good,
watches used, hints used, work done, the clause that is broken for good, deletions passed over, and the first
step whose literals are in no list of occurrences yet."""

GIVEN, ADDED, DELETION, INERT = range(4)
"""Kinds of steps; clauses of the formula come first, and clauses become INERT when they are looked at."""

ASSUMED = -1
"""Instead of the clause that is the reason for a literal."""


class Check(NamedTuple):
    """Everything a check remembers between two slices; see `drat_clauses` for clauses and watches.

    Step c has the literals from `starts[c]` to `starts[c+1]`. Clauses with the same last bits of `prints`,
    the exclusive or of `mixed` over their literals, are a list: `buckets`, `following`. The steps that step c
    rests on are `hints[since[c]:since[c+1]]`: clauses, or -1-v for a variable that is known for good.

    The clauses that literal l occurs in are a list of places in `literals`: `occurs[l]` is the first,
    `next_place` has the one after each, `owner` the clause that each belongs to.
    """

    kinds: Signs
    literals: Shorts
    starts: Ints
    ends: Ints
    pool: Shorts
    at: Ints
    watched: Shorts
    room: Shorts
    value: Signs
    reason: Shorts
    trail: Shorts
    known: Signs
    marked: Signs
    mixed: Ints
    prints: Ints
    buckets: Shorts
    following: Shorts
    hints: Shorts
    since: Ints
    occurs: Shorts
    next_place: Shorts
    owner: Shorts
    numbers: Ints
