"""A genetic algorithm on clauses, 64 chromosomes evaluated at once.

A chromosome is a row of words: bit b of word w is the value of variable 64 w + b, counted from 0. The clauses
are those of a formula, clause i being `literals[starts[i]:starts[i+1]]` over variables counted from 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.random_state import RandomState, below, draw, share

FOUND, MORE = 1, 2
RAW, WINDOW, POWER = range(3)
"""What the sectors of the roulette wheel are in proportion to."""

BEST, FEWEST, STALE, GENERATIONS, EVALUATIONS, RESTARTS = range(6)
"""Places in `Breed.numbers`: the best chromosome, the fewest broken clauses since the last restart, for how
many generations that has been so, and three counts."""

COUNTS = slice(GENERATIONS, RESTARTS + 1)
WORD = 64
NONE, ONE, ALL = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
TAKEN = 2**62

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]


class Breed(NamedTuple):
    """Everything a run remembers between two slices: `broken[i]` clauses do not hold under `now[i]`.

    `after` is the room for the next generation, which is as large.
    """

    literals: NDArray[np.int32]
    starts: Counts
    now: Words
    after: Words
    broken: Counts
    numbers: Counts
    chance: RandomState


@kernel
def transpose(words: Words, first: int) -> None:
    """Exchange bit c of word r with bit r of word c, for the 64 words that begin at `first`."""
    half = 32
    mask = np.uint64(2**32 - 1)
    while half > 0:
        shift = np.uint64(half)
        for row in range(first, first + WORD):
            if (row - first) & half == 0:
                moved = ((words[row] >> shift) ^ words[row + half]) & mask
                words[row + half] ^= moved
                words[row] ^= moved << shift
        half >>= 1
        mask ^= mask << np.uint64(half)


@kernel
def load(population: Words, first: int, values: Words) -> None:
    """Read the 64 chromosomes from `first` on, or those there are, bit by bit into a word per variable."""
    for word in range(population.shape[1]):
        for row in range(WORD):
            inside = first + row < population.shape[0]
            values[word * WORD + row] = population[first + row, word] if inside else NONE
        transpose(values, word * WORD)


@kernel(estimate=lambda literals, _, population, __: 1e-8 * literals.size * len(population))
def evaluate(literals: NDArray[np.int32], starts: Counts, population: Words, broken: Counts) -> int:
    """Count the clauses that do not hold, for every chromosome; the first that breaks fewest.

    For 64 chromosomes at a time `values` has a word for each variable, a bit for each of them. Counts are
    kept the same way: bit c of `digits[d]` is binary digit d of the count of chromosome c.
    """
    size, words = population.shape
    values = np.empty(words * WORD, np.uint64)
    digits = np.empty(WORD, np.uint64)
    best = 0
    for first in range(0, size, WORD):
        load(population, first, values)
        used = 0
        for clause in range(starts.size - 1):
            fails = ALL
            for i in range(starts[clause], starts[clause + 1]):
                literal = literals[i]
                fails &= ~values[literal - 1] if literal > 0 else values[-literal - 1]
            digit = 0
            while fails != NONE:
                if digit == used:
                    digits[used] = NONE
                    used += 1
                carry = digits[digit] & fails
                digits[digit] ^= fails
                fails = carry
                digit += 1
        for row in range(min(WORD, size - first)):
            count = NONE
            for digit in range(used):
                count |= ((digits[digit] >> np.uint64(row)) & ONE) << np.uint64(digit)
            broken[first + row] = count
            if broken[first + row] < broken[best]:
                best = first + row
    return best


@kernel
def fill_wheel(broken: Counts, clauses: int, scaling: int, wheel: NDArray[np.float64]) -> None:
    """Where the sector of each chromosome ends."""
    fewest = most = broken[0]
    for i in range(broken.size):
        fewest = min(fewest, broken[i])
        most = max(most, broken[i])
    end = 0.0
    for i in range(broken.size):
        if scaling == RAW:
            end += clauses - broken[i]
        elif scaling == WINDOW:
            end += most - broken[i] + 1
        elif broken[i] - fewest < WORD:
            end += 1.0 / np.float64(ONE << np.uint64(broken[i] - fewest))
        wheel[i] = end


@kernel
def spin(wheel: NDArray[np.float64], chance: RandomState) -> int:
    """The chromosome at which the wheel stops."""
    stop = share(chance) * wheel[-1]
    low, width = 0, wheel.size
    while width > 1:
        half = width // 2
        low += half if wheel[low + half - 1] <= stop else 0
        width -= half
    return low


@kernel
def keep_best(now: Words, broken: Counts, elite: int, after: Words) -> None:
    """Copy the best `elite` chromosomes to the top of the next generation; `broken` is used up."""
    for kept in range(elite):
        best = 0
        for i in range(1, broken.size):
            if broken[i] < broken[best]:
                best = i
        for word in range(now.shape[1]):
            after[kept, word] = now[best, word]
        broken[best] = TAKEN


@kernel
def cross(now: Words, mother: int, father: int, cut: int, after: Words, child: int) -> None:
    """The child has the first `cut` values of its mother, the others of its father."""
    for word in range(now.shape[1]):
        if (word + 1) * WORD <= cut:
            after[child, word] = now[mother, word]
        elif word * WORD >= cut:
            after[child, word] = now[father, word]
        else:
            mask = (ONE << np.uint64(cut - word * WORD)) - ONE
            after[child, word] = (now[mother, word] & mask) | (now[father, word] & ~mask)


@kernel
def redraw(population: Words, chance: RandomState) -> None:
    """Chromosomes by chance alone."""
    for i in range(population.shape[0]):
        for word in range(population.shape[1]):
            population[i, word] = draw(chance)


@kernel(estimate=lambda b, *more: 1e-8 * b.literals.size * len(b.now) * more[-1])
def breed(
    b: Breed, variables: int, scaling: int, rates: NDArray[np.float64], elite: int, restarts: int, steps: int
) -> int:
    """Go on for at most `steps` generations: FOUND if `now[numbers[BEST]]` breaks nothing, otherwise MORE.

    `rates` are those of crossover and of mutation. Each pair of parents has two children, the second with the
    parts of its parents that the first does not have; the last pair has one if there is no room for two. The
    best `elite` go over unchanged. After `restarts` generations no better than those before, if it is not 0,
    the next one is drawn at random.
    """
    now, after, broken, numbers, chance = b.now, b.after, b.broken, b.numbers, b.chance
    size, words = now.shape
    clauses = b.starts.size - 1
    wheel = np.empty(size, np.float64)
    for _ in range(steps):
        if numbers[FEWEST] == 0:
            break
        numbers[GENERATIONS] += 1
        numbers[EVALUATIONS] += size
        if restarts > 0 and numbers[STALE] >= restarts:
            numbers[RESTARTS] += 1
            numbers[FEWEST] = clauses + 1
            redraw(after, chance)
        else:
            fill_wheel(broken, clauses, scaling, wheel)
            keep_best(now, broken, elite, after)
            for child in range(elite, size, 2):
                mother, father = spin(wheel, chance), spin(wheel, chance)
                cut = 1 + below(chance, variables - 1) if share(chance) < rates[0] else 0
                cross(now, mother, father, cut, after, child)
                if child + 1 < size:
                    cross(now, father, mother, cut, after, child + 1)
            for child in range(elite, size):
                if share(chance) < rates[1]:
                    flipped = below(chance, variables)
                    after[child, flipped // WORD] ^= ONE << np.uint64(flipped % WORD)
        for i in range(size):
            for word in range(words):
                now[i, word] = after[i, word]
        numbers[BEST] = evaluate(b.literals, b.starts, now, broken)
        numbers[STALE] += 1
        if broken[numbers[BEST]] < numbers[FEWEST]:
            numbers[FEWEST] = broken[numbers[BEST]]
            numbers[STALE] = 0
    return FOUND if numbers[FEWEST] == 0 else MORE
