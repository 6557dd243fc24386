"""Random numbers for kernels: the state is an array of one word, never 0 (xorshift, 64 bits)."""

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import tight_kernel

Chance = NDArray[np.uint64]

LEFT, RIGHT, LAST = np.uint64(13), np.uint64(7), np.uint64(17)
HALF, MANTISSA = np.uint64(32), np.uint64(11)


def new_chance(seed: int) -> Chance:
    """The state that a seed stands for, of its own: NumPy's generator for the seed goes another way."""
    return np.random.default_rng([seed % 2**64, 1]).integers(1, 2**64, size=1, dtype=np.uint64)


@tight_kernel
def draw(chance: Chance) -> np.uint64:
    """The next 64 random bits."""
    word = chance[0]
    word ^= word << LEFT
    word ^= word >> RIGHT
    word ^= word << LAST
    chance[0] = word
    return np.uint64(word)


@tight_kernel
def below(chance: Chance, bound: int) -> int:
    """A number from 0 to `bound` - 1; `bound` is less than 2^32."""
    return int(np.int64(((draw(chance) >> HALF) * np.uint64(bound)) >> HALF))


@tight_kernel
def share(chance: Chance) -> float:
    """A number from 0 to 1, without 1."""
    return np.float64(draw(chance) >> MANTISSA) / 9007199254740992.0
