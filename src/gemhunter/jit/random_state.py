"""Random numbers for kernels: the state is an array of one word, never 0 (xorshift, 64 bits)."""

import numpy as np
from numpy.random import default_rng  # by name, as NumPy loads this module only when it is used
from numpy.typing import NDArray

from gemhunter.jit.kernel import tight_kernel

RandomState = NDArray[np.uint64]

FIRST_XORSHIFT, SECOND_XORSHIFT, THIRD_XORSHIFT = np.uint64(13), np.uint64(7), np.uint64(17)
HALF_WORD = np.uint64(32)
BELOW_MANTISSA = np.uint64(11)
"""Bits of a word that a fraction, whose mantissa has 53, has no room for."""


def new_random_state(seed: int) -> RandomState:
    """The state for a seed; NumPy's own generator for that seed draws other numbers."""
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
    return np.float64(draw(random) >> BELOW_MANTISSA) / 9007199254740992.0
