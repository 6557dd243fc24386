"""`genetic`: assignments that are selected, crossed and mutated until one satisfies all clauses.

Read `breed` first: it is the algorithm. Above it is what a caller sees (settings, engine with its events) and
a population; below it selection, crossover, the evaluation of 64 chromosomes at once, and the unit
propagation that S4 does before the search.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal, NamedTuple

import numpy as np

from gemhunter.cnf.formula import Cnf, Literals
from gemhunter.errors import InputError
from gemhunter.jit.kernel import Flags, Floats, Ints, Shorts, Signs, Words, kernel
from gemhunter.jit.search_state import (
    FOUND,
    MORE,
    UNASSIGNED,
    RandomState,
    below,
    draw,
    new_random_state,
    share,
)
from gemhunter.solving.engine import EngineInfo, SatAnswer, Satisfied, Unsatisfiable
from gemhunter.solving.events import Bred, Event, Exhausted, GenerationsSpent, ModelFound
from gemhunter.solving.outcomes import GaveUp, StopReason
from gemhunter.solving.run import Run
from gemhunter.solving.settings import defaults, name_with, read_settings
from gemhunter.wording import counted

Scaling = Literal["power", "window", "raw"]

RAW_SCALING, WINDOW_SCALING, POWER_SCALING = range(3)
"""What the sectors of the roulette wheel are proportional to."""


def make_engine(argument: str) -> "Genetic":
    """The engine with the settings in `argument`, the others at their defaults."""
    return read_settings(Genetic, "genetic", argument)


@dataclass(frozen=True, slots=True)
class Genetic:
    """A chromosome is an assignment; its fitness is the number of true clauses.

    Parents are drawn with a roulette wheel. Its sectors are proportional to the fitness (`raw`), to the
    difference from the worst (`window`), or halved for each false clause (`power`). At the rate `crossover`,
    two parents are crossed at one point, which makes two children; otherwise both survive unchanged. At the
    rate `mutation`, one value of a child is flipped. The best `elite` of a generation survive. After
    `restarts` generations without progress, the population is drawn again at random; after `generations`, the
    engine gives up. For both, 0 means never.
    """

    scaling: Scaling = "power"
    population: int = 256
    crossover: float = 0.9
    mutation: float = 0.9
    elite: int = 2
    restarts: int = 200
    generations: int = 10_000

    def __post_init__(self) -> None:
        for name in ("crossover", "mutation"):
            if not 0 <= getattr(self, name) <= 1:
                raise InputError(f"genetic: {name} must be a rate from 0 to 1, not {getattr(self, name)}")
        if not 2 <= self.population <= 10_000:
            raise InputError(f"genetic: population must be from 2 to 10,000, not {self.population}")
        if not 0 <= self.elite < self.population:
            raise InputError(f"genetic: elite must be ≥ 0 and below the population, not {self.elite}")
        if self.restarts < 0:
            raise InputError(
                f"genetic: restarts must be ≥ 0 generations (0 means never), not {self.restarts}"
            )
        if self.generations < 0:
            raise InputError(f"genetic: generations must be ≥ 0 (0 means no limit), not {self.generations}")

    @property
    def info(self) -> EngineInfo:
        """What this engine is."""
        most = f", at most {counted(self.generations, 'generation')}" if self.generations else ""
        return EngineInfo(
            name_with("genetic", self),
            f"genetic algorithm on the clauses{most}",
            complete=False,
            step="generation",
            memory_limit=True,
            settings=defaults(Genetic),
        )

    def solve_cnf(self, cnf: Cnf, run: Run) -> SatAnswer:
        """Propagate unit clauses, then breed in slices of generations."""
        # Memory for the clauses, with and without unit clauses, and for two generations.
        clauses, generation = cnf.literals.nbytes + cnf.starts.nbytes, cnf.variables // 8 + 16
        needed = 3 * clauses + 2 * self.population * generation
        if not run.fits(needed):
            return GaveUp(StopReason.MEMORY, f"the population needs {needed:,} bytes")
        remainder = without_units(cnf)
        if remainder is None:
            return Unsatisfiable()
        if not remainder.literals.size:
            return Satisfied(remainder.decided)
        population = self._first_generation(remainder, run.seed)
        cap = self.generations or 2**62
        work = remainder.literals.size * (self.population // WORD_BITS + 1)
        # About 20,000 literals are read, for 64 chromosomes at a time, before the first look at the clock.
        sizes = run.slice_sizes(max(20_000 // work, 1))
        run.count(evaluations=self.population)
        while True:
            before = population.numbers.copy()
            left = cap - int(before[GENERATION_COUNT])
            self._breed(remainder, population, min(run.slice(next(sizes)), left))
            new = (population.numbers - before).tolist()
            run.count(generations=new[GENERATION_COUNT], evaluations=new[EVALUATION_COUNT])
            run.count(restarts=new[REDRAW_COUNT])
            limit = run.spend(new[GENERATION_COUNT])
            if population.numbers[FEWEST_FALSE] == 0:
                return Satisfied(remainder.model(_values(population, remainder.variables.size)))
            tried = int(population.numbers[GENERATION_COUNT])
            if limit is not None or tried >= cap:
                return GaveUp(limit or StopReason.ATTEMPTS, f"{counted(tried, 'generation')} tried")

    def trace_cnf(self, cnf: Cnf, run: Run) -> Iterator[Event]:
        """Every generation with its best chromosome, until that is a model or the limit is reached."""
        remainder = without_units(cnf)
        if remainder is None:
            yield Exhausted()
            return
        if not remainder.literals.size:
            yield ModelFound()
            return
        population = self._first_generation(remainder, run.seed)
        yield _bred(remainder, population)
        while population.numbers[FEWEST_FALSE] > 0:
            if int(population.numbers[GENERATION_COUNT]) == self.generations > 0:
                yield GenerationsSpent(self.generations)
                return
            self._breed(remainder, population, 1)
            yield _bred(remainder, population)
        yield ModelFound()

    def _first_generation(self, remainder: "Remainder", seed: int) -> "Population":
        words = max(-(-remainder.variables.size // WORD_BITS), 1)
        now = np.random.default_rng(seed % 2**64).integers(0, 2**64, (self.population, words), np.uint64)
        false_clauses = np.zeros(self.population, np.int64)
        numbers = np.zeros(GENETIC_NUMBERS, np.int64)
        best = evaluate(remainder.literals, remainder.starts, now, false_clauses)
        numbers[[BEST_CHROMOSOME, FEWEST_FALSE]] = best, false_clauses[best]
        numbers[EVALUATION_COUNT] = self.population
        after, random = np.empty_like(now), new_random_state(seed)
        return Population(remainder.literals, remainder.starts, now, after, false_clauses, numbers, random)

    def _breed(self, remainder: "Remainder", population: "Population", generations: int) -> None:
        scaling = {"raw": RAW_SCALING, "window": WINDOW_SCALING, "power": POWER_SCALING}[self.scaling]
        rates = np.array([self.crossover, self.mutation])
        size = remainder.variables.size
        breed(population, size, scaling, rates, self.elite, self.restarts, generations)


def _bred(remainder: "Remainder", population: "Population") -> Bred:
    clauses = remainder.starts.size - 1
    best = int(population.numbers[BEST_CHROMOSOME])
    model = remainder.model(_values(population, remainder.variables.size))
    return Bred(
        int(population.numbers[GENERATION_COUNT]),
        clauses - int(population.false_clauses[best]),
        clauses,
        tuple(model.tolist()),
    )


def _values(population: "Population", variables: int) -> Flags:
    """The values of the best chromosome."""
    row = population.now[population.numbers[BEST_CHROMOSOME]]
    return np.unpackbits(row.astype("<u8").view(np.uint8), bitorder="little")[:variables].astype(bool)


# A population.
#
# A chromosome is a row of words: bit b of word w is the value of variable 64 w + b, counted from 0. Clause i
# is `literals[starts[i]:starts[i+1]]` over variables counted from 1.

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


class Population(NamedTuple):
    """Everything a run remembers between two slices: `false_clauses[i]` clauses are false under `now[i]`.

    `after` has room for the next generation, which is as large.
    """

    literals: Shorts
    starts: Ints
    now: Words
    after: Words
    false_clauses: Ints
    numbers: Ints
    random: RandomState


# The search: selection by a roulette wheel, crossover, mutation.


@kernel(estimate=lambda p, *more: 1e-8 * p.literals.size * len(p.now) * more[-1])
def breed(
    p: Population, variables: int, scaling: int, rates: Floats, elite: int, restarts: int, steps: int
) -> int:
    """Breed at most `steps` generations: FOUND if the best chromosome makes no clause false, otherwise MORE.

    `rates` are those of crossover and of mutation. Each pair of parents has two children, the second with the
    parts of its parents that the first does not have; if only one place is left, the last pair has one child.
    The best `elite` survive unchanged. If `restarts` is not 0, the population is drawn again at random after
    that many generations without progress.
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
        # After too many generations without progress, restart with random chromosomes.
        if restarts > 0 and numbers[STALE_GENERATIONS] >= restarts:
            numbers[REDRAW_COUNT] += 1
            numbers[FEWEST_FALSE] = clauses + 1
            redraw(after, random)
        else:
            # Selection: the best survive, and parents are drawn from the wheel; crossover makes children.
            fill_wheel(false_clauses, clauses, scaling, wheel)
            keep_best(now, false_clauses, elite, after)
            for child in range(elite, size, 2):
                mother, father = spin(wheel, random), spin(wheel, random)
                cut = 1 + below(random, variables - 1) if share(random) < rates[0] else 0
                cross(now, mother, father, cut, after, child)
                if child + 1 < size:
                    cross(now, father, mother, cut, after, child + 1)
            # Mutation: one value of a child is flipped.
            for child in range(elite, size):
                if share(random) < rates[1]:
                    flipped = below(random, variables)
                    after[child, flipped // WORD_BITS] ^= ONE_BIT << np.uint64(flipped % WORD_BITS)
        # The children are the next generation.
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
def fill_wheel(false_clauses: Ints, clauses: int, scaling: int, wheel: Floats) -> None:
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
def spin(wheel: Floats, random: RandomState) -> int:
    """Spin the wheel; return the chromosome at which it stops."""
    stop = share(random) * wheel[-1]
    # Binary search for the first sector that ends after the stop.
    low, width = 0, wheel.size
    while width > 1:
        half = width // 2
        low += half if wheel[low + half - 1] <= stop else 0
        width -= half
    return low


@kernel
def keep_best(now: Words, false_clauses: Ints, elite: int, after: Words) -> None:
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


# Evaluation of 64 chromosomes at once.


@kernel(estimate=lambda literals, _, population, __: 1e-8 * literals.size * len(population))
def evaluate(literals: Shorts, starts: Ints, population: Words, false_clauses: Ints) -> int:
    """Count the false clauses of every chromosome; return the first chromosome with the fewest.

    64 chromosomes are evaluated at once: `values` has a word for each variable with a bit for each of them.
    Counts are kept in columns as well: bit c of `digits[d]` is binary digit d of the count of chromosome c.
    """
    size, words = population.shape
    values = np.empty(words * WORD_BITS, np.uint64)
    digits = np.empty(WORD_BITS, np.uint64)
    best = 0
    for first in range(0, size, WORD_BITS):
        load(population, first, values)
        used = 0
        for clause in range(starts.size - 1):
            # A bit of `fails` is left for each chromosome under which all literals of the clause are false.
            fails = ALL_BITS
            for i in range(starts[clause], starts[clause + 1]):
                literal = literals[i]
                fails &= ~values[literal - 1] if literal > 0 else values[-literal - 1]
            # Add 1 to the counts of these chromosomes, with carries from digit to digit.
            digit = 0
            while fails != NO_BITS:
                if digit == used:
                    digits[used] = NO_BITS
                    used += 1
                carry = digits[digit] & fails
                digits[digit] ^= fails
                fails = carry
                digit += 1
        # Read the count of each chromosome off the digits.
        for row in range(min(WORD_BITS, size - first)):
            count = NO_BITS
            for digit in range(used):
                count |= ((digits[digit] >> np.uint64(row)) & ONE_BIT) << np.uint64(digit)
            false_clauses[first + row] = count
            if false_clauses[first + row] < false_clauses[best]:
                best = first + row
    return best


@kernel
def load(population: Words, first: int, values: Words) -> None:
    """Copy up to 64 chromosomes from `first` on into `values`, a word for each variable."""
    for word in range(population.shape[1]):
        for row in range(WORD_BITS):
            inside = first + row < population.shape[0]
            values[word * WORD_BITS + row] = population[first + row, word] if inside else NO_BITS
        transpose(values, word * WORD_BITS)


@kernel
def transpose(words: Words, first: int) -> None:
    """Exchange bit c of word r with bit r of word c, for the 64 words that begin at `first`."""
    # Swap two opposite quarters of the square of bits, then of each quarter, down to single bits.
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


# Unit propagation before the search.


@dataclass(frozen=True, slots=True, eq=False)
class Remainder:
    """Clauses of two or more literals, over variables 1..m that stand for `variables` of the formula.

    `decided` has the literals that unit clauses made true.
    """

    literals: Literals
    starts: Ints
    variables: Ints
    decided: Ints

    def model(self, values: Flags) -> Ints:
        """The model of the whole formula in which the remaining variables have these values."""
        return np.concatenate([self.decided, np.where(values, self.variables, -self.variables)])


def without_units(cnf: Cnf) -> Remainder | None:
    """What is left of a formula after unit propagation; None if that finds a conflict."""
    sizes = np.diff(cnf.starts)
    clause_of = np.repeat(np.arange(cnf.size), sizes)
    variable = np.abs(cnf.literals).astype(np.int64) - 1
    at = np.concatenate([[0], np.cumsum(np.bincount(variable, minlength=cnf.variables))])
    value = np.full(cnf.variables, UNASSIGNED, np.int8)
    places = np.argsort(variable, kind="stable")
    if not propagate_units(cnf.literals, cnf.starts, clause_of, at, places, value):
        return None
    true = value[variable] == (cnf.literals > 0)
    satisfied = np.bincount(clause_of[true], minlength=cnf.size) > 0
    kept = ~satisfied[clause_of] & (value[variable] == UNASSIGNED)
    left = np.bincount(clause_of[kept], minlength=cnf.size)[~satisfied]
    variables, numbers = np.unique(variable[kept], return_inverse=True)
    literals = np.where(cnf.literals[kept] > 0, numbers + 1, -numbers - 1).astype(np.int32)
    decided = np.flatnonzero(value != UNASSIGNED)
    signed = np.where(value[decided] == 1, decided + 1, -decided - 1)
    return Remainder(literals, np.concatenate([[0], np.cumsum(left)]), variables + 1, signed)


@kernel(estimate=lambda literals, *_: 1e-6 * literals.size)
def propagate_units(
    literals: Shorts, starts: Ints, clause_of: Ints, at: Ints, places: Ints, value: Signs
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
    # Count the literals that are left in each clause, and stack the unit clauses.
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
        # Make its last literal true. Clauses with the literal hold; clauses with the negation lose it.
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


@kernel
def first_unassigned(literals: Shorts, place: int, value: Signs) -> int:
    """The place of the next literal whose variable is unassigned; there is one."""
    while value[abs(literals[place]) - 1] != UNASSIGNED:
        place += 1
    return place
