"""What compiled searches share: why they return, the places of their scalars, and random numbers.

A search keeps its scalars in an array, `numbers`, so that kernels can change them. The first places of that
array are named here; each search names the places from OWN_PLACES on for itself.
"""

import numpy as np
from numpy.random import default_rng  # by name, as NumPy loads this module only when it is used

from gemhunter.jit.kernel import Words, tight_kernel

FOUND, EXHAUSTED, MORE, GROW, PAUSED = range(1, 6)
"""Why a search returned: it found a solution or model, it showed that there is none, its budget is used up,
an array is full, or it has made a single step, as requested."""

NONE = -1
"""Stands for "no index"."""

UNASSIGNED = -1
"""Instead of the value, 0 or 1, of a cell or a variable that has none yet."""

PROPAGATE, DECIDE = 0, 1
"""Steps of a search, in NEXT_STEP; each search adds its own from 2 on."""

NEXT_STEP = 0  # what the search does next
TRAIL_SIZE = 1  # how many literals or cells are on the trail
QUEUE_HEAD = 2  # how many of them have been propagated: the trail is also the propagation queue
DECISION_LEVEL = 3  # how many decisions are on the trail
CONFLICT_CLAUSE = 4  # the clause whose literals are all false; NONE or another code if there is none
CONFLICT_COUNT = 5  # conflicts so far
DECISION_COUNT = 6  # decisions so far
PROPAGATION_COUNT = 7  # propagations so far
NODE_COUNT = 8  # nodes of the search tree visited so far, by searches that do not count decisions
OWN_PLACES = 9

# Random numbers (xorshift, 64 bits): the state is an array of one word, never 0.

RandomState = Words

FIRST_XORSHIFT, SECOND_XORSHIFT, THIRD_XORSHIFT = np.uint64(13), np.uint64(7), np.uint64(17)
HALF_WORD = np.uint64(32)


def new_random_state(seed: int) -> RandomState:
    """The state for a seed; the numbers are unrelated to those of NumPy's own generator for that seed."""
    return default_rng([seed % 2**64, 1]).integers(1, 2**64, size=1, dtype=np.uint64)


@tight_kernel
def draw(random: RandomState) -> np.uint64:
    """The next 64 random bits."""
    word = random[0]
    word ^= word << FIRST_XORSHIFT
    word ^= word >> SECOND_XORSHIFT
    word ^= word << THIRD_XORSHIFT
    random[0] = word
    return np.uint64(word)


@tight_kernel
def below(random: RandomState, bound: int) -> int:
    """A random number from 0 to `bound` - 1; `bound` is less than 2^32."""
    return int(np.int64(((draw(random) >> HALF_WORD) * np.uint64(bound)) >> HALF_WORD))


@tight_kernel
def share(random: RandomState) -> float:
    """A random fraction: at least 0, less than 1."""
    # The mantissa of a fraction has 53 bits, 11 fewer than a word.
    return np.float64(draw(random) >> np.uint64(11)) / 9007199254740992.0
