"""A genetic algorithm on clauses, 64 chromosomes evaluated at once, and the unit propagation before it.

A chromosome is a row of words: bit b of word w is the value of variable 64 w + b, counted from 0. The clauses
are those of a formula, clause i being `literals[starts[i]:starts[i+1]]` over variables counted from 1.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from gemhunter.compiling.kernel import kernel
from gemhunter.kernels.codes import FOUND, MORE, UNASSIGNED
from gemhunter.kernels.random_state import RandomState, below, draw, share

RAW_SCALING, WINDOW_SCALING, POWER_SCALING = range(3)
"""What the sectors of the roulette wheel are proportional to."""

# The scalars of a run: places in `Population.numbers`.
BEST_CHROMOSOME = 0  # the first chromosome of this generation with the fewest false clauses
FEWEST_FALSE = 1  # the fewest false clauses since the last restart
STALE_GENERATIONS = 2  # generations since FEWEST_FALSE became lower
GENERATION_COUNT = 3  # generations so far
EVALUATION_COUNT = 4  # chromosomes evaluated so far
REDRAW_COUNT = 5  # restarts with random chromosomes so far
GENETIC_NUMBERS = 6

WORD_BITS = 64
NO_BITS, ONE_BIT, ALL_BITS = np.uint64(0), np.uint64(1), np.uint64(2**64 - 1)
TAKEN = 2**62
"""Instead of a number of false clauses: this chromosome is in the next generation already."""

Words = NDArray[np.uint64]
Counts = NDArray[np.int64]


class Population(NamedTuple):
    """Everything a run remembers between two slices: `false_clauses[i]` clauses are false under `now[i]`.

    `after` is room for the next generation, which is as large.
    """

    literals: NDArray[np.int32]
    starts: Counts
    now: Words
    after: Words
    false_clauses: Counts
    numbers: Counts
    random: RandomState


@kernel
def transpose(words: Words, first: int) -> None:
    """Exchange bit c of word r with bit r of word c, for the 64 words that begin at `first`."""
    half = 32
    mask = np.uint64(2**32 - 1)
    while half > 0:
        shift = np.uint64(half)
        for row in range(first, first + WORD_BITS):
            if (row - first) & half == 0:
                moved = ((words[row] >> shift) ^ words[row + half]) & mask
                words[row + half] ^= moved
                words[row] ^= moved << shift
        half >>= 1
        mask ^= mask << np.uint64(half)


@kernel
def load(population: Words, first: int, values: Words) -> None:
    """Copy up to 64 chromosomes from `first` on into `values`, a word for each variable."""
    for word in range(population.shape[1]):
        for row in range(WORD_BITS):
            inside = first + row < population.shape[0]
            values[word * WORD_BITS + row] = population[first + row, word] if inside else NO_BITS
        transpose(values, word * WORD_BITS)


@kernel(estimate=lambda literals, _, population, __: 1e-8 * literals.size * len(population))
def evaluate(literals: NDArray[np.int32], starts: Counts, population: Words, false_clauses: Counts) -> int:
    """Count the false clauses of every chromosome; the first chromosome with the fewest.

    For 64 chromosomes at a time `values` has a word for each variable, a bit for each of them. Counts are
    kept the same way: bit c of `digits[d]` is binary digit d of the count of chromosome c.
    """
    size, words = population.shape
    values = np.empty(words * WORD_BITS, np.uint64)
    digits = np.empty(WORD_BITS, np.uint64)
    best = 0
    for first in range(0, size, WORD_BITS):
        load(population, first, values)
        used = 0
        for clause in range(starts.size - 1):
            fails = ALL_BITS
            for i in range(starts[clause], starts[clause + 1]):
                literal = literals[i]
                fails &= ~values[literal - 1] if literal > 0 else values[-literal - 1]
            digit = 0
            while fails != NO_BITS:
                if digit == used:
                    digits[used] = NO_BITS
                    used += 1
                carry = digits[digit] & fails
                digits[digit] ^= fails
                fails = carry
                digit += 1
        for row in range(min(WORD_BITS, size - first)):
            count = NO_BITS
            for digit in range(used):
                count |= ((digits[digit] >> np.uint64(row)) & ONE_BIT) << np.uint64(digit)
            false_clauses[first + row] = count
            if false_clauses[first + row] < false_clauses[best]:
                best = first + row
    return best


@kernel
def fill_wheel(false_clauses: Counts, clauses: int, scaling: int, wheel: NDArray[np.float64]) -> None:
    """Compute where the sector of each chromosome ends on the roulette wheel."""
    fewest = most = false_clauses[0]
    for i in range(false_clauses.size):
        fewest = min(fewest, false_clauses[i])
        most = max(most, false_clauses[i])
    end = 0.0
    for i in range(false_clauses.size):
        if scaling == RAW_SCALING:
            end += clauses - false_clauses[i]
        elif scaling == WINDOW_SCALING:
            end += most - false_clauses[i] + 1
        elif false_clauses[i] - fewest < WORD_BITS:
            end += 1.0 / np.float64(ONE_BIT << np.uint64(false_clauses[i] - fewest))
        wheel[i] = end


@kernel
def spin(wheel: NDArray[np.float64], random: RandomState) -> int:
    """Spin the wheel: the chromosome at which it stops."""
    stop = share(random) * wheel[-1]
    low, width = 0, wheel.size
    while width > 1:
        half = width // 2
        low += half if wheel[low + half - 1] <= stop else 0
        width -= half
    return low


@kernel
def keep_best(now: Words, false_clauses: Counts, elite: int, after: Words) -> None:
    """Copy the best `elite` chromosomes to the next generation, and mark them as TAKEN."""
    for kept in range(elite):
        best = 0
        for i in range(1, false_clauses.size):
            if false_clauses[i] < false_clauses[best]:
                best = i
        for word in range(now.shape[1]):
            after[kept, word] = now[best, word]
        false_clauses[best] = TAKEN


@kernel
def cross(now: Words, mother: int, father: int, cut: int, after: Words, child: int) -> None:
    """Make a child of the first `cut` values of its mother and the other values of its father."""
    for word in range(now.shape[1]):
        if (word + 1) * WORD_BITS <= cut:
            after[child, word] = now[mother, word]
        elif word * WORD_BITS >= cut:
            after[child, word] = now[father, word]
        else:
            mask = (ONE_BIT << np.uint64(cut - word * WORD_BITS)) - ONE_BIT
            after[child, word] = (now[mother, word] & mask) | (now[father, word] & ~mask)


@kernel
def redraw(population: Words, random: RandomState) -> None:
    """Fill a population with random chromosomes."""
    for i in range(population.shape[0]):
        for word in range(population.shape[1]):
            population[i, word] = draw(random)


@kernel(estimate=lambda p, *more: 1e-8 * p.literals.size * len(p.now) * more[-1])
def breed(
    p: Population,
    variables: int,
    scaling: int,
    rates: NDArray[np.float64],
    elite: int,
    restarts: int,
    steps: int,
) -> int:
    """Breed at most `steps` generations: FOUND if the best chromosome makes no clause false, otherwise MORE.

    `rates` are those of crossover and of mutation. Each pair of parents has two children, the second with the
    parts of its parents that the first does not have; the last pair has one child if there is room for only
    one. The best `elite` survive unchanged. If `restarts` is not 0, the population is drawn again at random
    after that many generations without progress.
    """
    now, after, false_clauses, numbers, random = p.now, p.after, p.false_clauses, p.numbers, p.random
    size, words = now.shape
    clauses = p.starts.size - 1
    wheel = np.empty(size, np.float64)
    for _ in range(steps):
        if numbers[FEWEST_FALSE] == 0:
            break
        numbers[GENERATION_COUNT] += 1
        numbers[EVALUATION_COUNT] += size
        if restarts > 0 and numbers[STALE_GENERATIONS] >= restarts:
            numbers[REDRAW_COUNT] += 1
            numbers[FEWEST_FALSE] = clauses + 1
            redraw(after, random)
        else:
            fill_wheel(false_clauses, clauses, scaling, wheel)
            keep_best(now, false_clauses, elite, after)
            for child in range(elite, size, 2):
                mother, father = spin(wheel, random), spin(wheel, random)
                cut = 1 + below(random, variables - 1) if share(random) < rates[0] else 0
                cross(now, mother, father, cut, after, child)
                if child + 1 < size:
                    cross(now, father, mother, cut, after, child + 1)
            for child in range(elite, size):
                if share(random) < rates[1]:
                    flipped = below(random, variables)
                    after[child, flipped // WORD_BITS] ^= ONE_BIT << np.uint64(flipped % WORD_BITS)
        for i in range(size):
            for word in range(words):
                now[i, word] = after[i, word]
        numbers[BEST_CHROMOSOME] = evaluate(p.literals, p.starts, now, false_clauses)
        numbers[STALE_GENERATIONS] += 1
        if false_clauses[numbers[BEST_CHROMOSOME]] < numbers[FEWEST_FALSE]:
            numbers[FEWEST_FALSE] = false_clauses[numbers[BEST_CHROMOSOME]]
            numbers[STALE_GENERATIONS] = 0
    return FOUND if numbers[FEWEST_FALSE] == 0 else MORE


@kernel
def first_unassigned(literals: NDArray[np.int32], place: int, value: NDArray[np.int8]) -> int:
    """The place of the next literal whose variable is unassigned; there is one."""
    while value[abs(literals[place]) - 1] != UNASSIGNED:
        place += 1
    return place


@kernel(estimate=lambda literals, *_: 1e-6 * literals.size)
def propagate_units(
    literals: NDArray[np.int32],
    starts: NDArray[np.int64],
    clause_of: NDArray[np.int64],
    at: NDArray[np.int64],
    places: NDArray[np.int64],
    value: NDArray[np.int8],
) -> bool:
    """Give variables the values that unit clauses imply; False if a clause has no literal left.

    Clause i is `literals[starts[i]:starts[i+1]]`, and the literal at place p belongs to clause
    `clause_of[p]`; those of variable v, counted from 0, are at `places[at[v]:at[v+1]]`. `value` is
    UNASSIGNED, 0 or 1 for each variable.
    """
    clauses = starts.size - 1
    left = np.zeros(clauses, np.int64)
    holds = np.zeros(clauses, np.bool_)
    units = np.empty(clauses, np.int64)
    waiting = 0
    for clause in range(clauses):
        left[clause] = starts[clause + 1] - starts[clause]
        if left[clause] == 0:
            return False
        if left[clause] == 1:
            units[waiting] = clause
            waiting += 1
    while waiting > 0:
        waiting -= 1
        clause = units[waiting]
        if holds[clause]:
            continue
        literal = literals[first_unassigned(literals, starts[clause], value)]
        variable = abs(literal) - 1
        value[variable] = 1 if literal > 0 else 0
        for i in range(at[variable], at[variable + 1]):
            clause = clause_of[places[i]]
            if (literals[places[i]] > 0) == (literal > 0):
                holds[clause] = True
                continue
            left[clause] -= 1
            if left[clause] == 0 and not holds[clause]:
                return False
            if left[clause] == 1 and not holds[clause]:
                units[waiting] = clause
                waiting += 1
    return True
